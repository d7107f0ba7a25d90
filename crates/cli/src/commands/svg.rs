//! `slabscope svg`.

use std::io::Write as _;

use slabscope_charts::plot::{Plot as Drawn, Style};
use slabscope_charts::svg::svg;
use slabscope_charts::theme::Theme;
use slabscope_charts::{zblock as block_plots, zsmalloc};
use slabscope_core::zblock;
use slabscope_core::zsmalloc::{Config, Geometry};

use super::options::{Allocator, Setting};
use crate::fail::Failure;
use crate::output::stdout;

/// Draw a plot of a zsmalloc or zblock configuration as SVG, on standard output
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    setting: Setting,
    /// What is drawn against the object size
    #[arg(long, value_enum, default_value = "loss")]
    plot: Plot,
    /// Further max pages to draw for comparison, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "PAGES")]
    also: Vec<u8>,
    /// Light on dark
    #[arg(long)]
    dark: bool,
    /// Width in pixels
    #[arg(long, default_value_t = 720, value_parser = clap::value_parser!(u32).range(200..=8000))]
    width: u32,
    /// Height in pixels
    #[arg(long, default_value_t = 320, value_parser = clap::value_parser!(u32).range(120..=8000))]
    height: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Plot {
    /// Bytes lost per object
    Loss,
    /// Bytes paid per object
    Cost,
    /// Share of objects that cross a page border
    Crossing,
}

/// Prints the drawing.
///
/// # Errors
/// A configuration is impossible.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let (plot, title) = match args.setting.allocator {
        Allocator::Zsmalloc => classes(args)?,
        Allocator::Zblock => blocks(args)?,
    };
    let theme = if args.dark { Theme::Dark } else { Theme::Light };
    let style = Style { width: args.width.into(), height: args.height.into(), scale: 1.0, theme };
    let drawing = svg(&plot, &style, &title).map_err(Failure::input)?;
    let mut out = stdout();
    out.write_all(drawing.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// A plot of zsmalloc's, and its title.
fn classes(args: &Args) -> Result<(Drawn, String), Failure> {
    let config = args.setting.zsmalloc()?;
    let geometry = |config: &Config| Geometry::new(config).map_err(Failure::input);
    let current = geometry(&config)?;
    let others = args
        .also
        .iter()
        .map(|&max_pages| geometry(&Config { max_pages, ..config }))
        .collect::<Result<Vec<_>, _>>()?;
    let (plot, what) = match args.plot {
        Plot::Loss => (zsmalloc::loss(&current, &others, &[]), "Bytes lost per object"),
        Plot::Cost => (zsmalloc::cost(&current, &others), "Bytes paid per object"),
        Plot::Crossing => (zsmalloc::crossing(&current, &others), "Objects that cross a page border"),
    };
    let title =
        format!("{what}: zsmalloc {}, at most {} pages per zspage", config.era.name(), config.max_pages);
    Ok((plot, title))
}

/// zblock's plot, and its title.
fn blocks(args: &Args) -> Result<(Drawn, String), Failure> {
    if args.plot != Plot::Loss || !args.also.is_empty() {
        return Err(Failure::Input("svg: zblock has --plot loss, and no max pages to compare".to_owned()));
    }
    let config = super::zblock::config(&args.setting)?;
    let geometry = zblock::Geometry::new(&config).map_err(Failure::input)?;
    let title = format!(
        "Bytes lost per object: zblock {}, pages of {} bytes",
        config.version.name(),
        config.page_bytes()
    );
    Ok((block_plots::loss(&geometry), title))
}
