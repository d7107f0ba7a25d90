//! `slabscope svg`.

use std::io::Write as _;

use slabscope_charts::order_map::OrderMap;
use slabscope_charts::plot::{Plot as Drawn, Style};
use slabscope_charts::svg::{document, svg};
use slabscope_charts::theme::Theme;
use slabscope_charts::{zblock as block_plots, zsmalloc};
use slabscope_core::slub::{self, calculate_order};
use slabscope_core::zblock;
use slabscope_core::zsmalloc::{Config, Geometry};

use super::options::{Allocator, Setting, Zsmalloc, ignore};
use super::slub::generation;
use crate::fail::Failure;
use crate::output::stdout;

/// Draw a plot of a configuration as SVG, on standard output
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The allocator
    #[arg(long, value_enum, default_value = "zsmalloc")]
    allocator: Model,
    /// Generation, or for zsmalloc a kernel version [default: 6.12; zblock: mm0508; SLUB: modern]
    #[arg(long, value_name = "ERA")]
    era: Option<String>,
    #[command(flatten)]
    zsmalloc: Zsmalloc,
    #[command(flatten)]
    slub: Slub,
    /// What is drawn against the object size [default: loss; SLUB: orders]
    #[arg(long, value_enum)]
    plot: Option<Plot>,
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

/// An allocator that is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Model {
    /// zram's and zswap's allocator
    Zsmalloc,
    /// The proposed zswap backend
    Zblock,
    /// The kernel's allocator of small objects
    Slub,
}

/// How SLUB is built.
#[derive(Debug, clap::Args)]
struct Slub {
    /// SLUB's CPUs [default: 8]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=8192))]
    cpus: Option<u32>,
    /// Objects that a slab of SLUB should hold; 0: from the CPUs [default: 0]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(0..=65535))]
    min_objects: Option<u32>,
    /// Lowest order of SLUB's slabs [default: 0]
    #[arg(long, value_name = "ORDER", value_parser = clap::value_parser!(u8).range(0..=10))]
    min_order: Option<u8>,
    /// Highest order of SLUB's slabs that is looked for [default: 3]
    #[arg(long, value_name = "ORDER", value_parser = clap::value_parser!(u8).range(0..=10))]
    max_order: Option<u8>,
}

impl Slub {
    /// Names of the options given.
    fn given(&self) -> impl Iterator<Item = &'static str> {
        let given = [
            ("--cpus", self.cpus.is_some()),
            ("--min-objects", self.min_objects.is_some()),
            ("--min-order", self.min_order.is_some()),
            ("--max-order", self.max_order.is_some()),
        ];
        given.into_iter().filter(|&(_, is_given)| is_given).map(|(name, _)| name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Plot {
    /// Bytes lost per object
    Loss,
    /// Bytes paid per object
    Cost,
    /// Share of objects that cross a page border
    Crossing,
    /// SLUB: what slabs of each order leave over, and the order that is taken
    Orders,
}

impl Args {
    fn style(&self) -> Style {
        let theme = if self.dark { Theme::Dark } else { Theme::Light };
        Style { width: self.width.into(), height: self.height.into(), scale: 1.0, theme }
    }

    fn setting(&self, allocator: Allocator) -> Setting {
        Setting { allocator, era: self.era.clone(), zsmalloc: self.zsmalloc.clone() }
    }

    /// SLUB's configuration, which exists.
    fn slub(&self) -> Result<slub::Config, Failure> {
        let base = match &self.era {
            Some(name) => slub::Config::default_for(generation(name)?),
            None => slub::Config::default(),
        };
        ignore("SLUB", self.zsmalloc.only_zsmalloc());
        let Slub { cpus, min_objects, min_order, max_order } = self.slub;
        let config = slub::Config {
            page_shift: self.zsmalloc.page_shift,
            cpus: cpus.unwrap_or(base.cpus),
            min_objects: min_objects.unwrap_or(base.min_objects),
            min_order: min_order.unwrap_or(base.min_order),
            max_order: max_order.unwrap_or(base.max_order),
            ..base
        };
        calculate_order(&config.order_params(8)).map_err(Failure::input)?;
        Ok(config)
    }
}

/// Prints the drawing.
///
/// # Errors
/// A configuration is impossible.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let plotted = |(plot, title): (Drawn, String)| svg(&plot, &args.style(), &title);
    let drawing = match args.allocator {
        Model::Zsmalloc => {
            ignore("zsmalloc", args.slub.given());
            plotted(classes(args)?)
        }
        Model::Zblock => {
            ignore("zblock", args.slub.given());
            plotted(blocks(args)?)
        }
        Model::Slub => {
            let (map, title) = orders(args)?;
            let Style { width, height, scale, theme } = args.style();
            let size = (width, height);
            document(size, theme, &title, &mut |root| map.draw(root, size, scale, theme))
        }
    };
    let mut out = stdout();
    out.write_all(drawing.map_err(Failure::input)?.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// A plot of zsmalloc's, and its title.
fn classes(args: &Args) -> Result<(Drawn, String), Failure> {
    let config = args.setting(Allocator::Zsmalloc).zsmalloc()?;
    let geometry = |config: &Config| Geometry::new(config).map_err(Failure::input);
    let current = geometry(&config)?;
    let others = args
        .also
        .iter()
        .map(|&max_pages| geometry(&Config { max_pages, ..config }))
        .collect::<Result<Vec<_>, _>>()?;
    let (plot, what) = match args.plot.unwrap_or(Plot::Loss) {
        Plot::Loss => (zsmalloc::loss(&current, &others, &[]), "Bytes lost per object"),
        Plot::Cost => (zsmalloc::cost(&current, &others), "Bytes paid per object"),
        Plot::Crossing => (zsmalloc::crossing(&current, &others), "Objects that cross a page border"),
        Plot::Orders => return Err(Failure::Input("svg: only SLUB has --plot orders".to_owned())),
    };
    let title =
        format!("{what}: zsmalloc {}, at most {} pages per zspage", config.era.name(), config.max_pages);
    Ok((plot, title))
}

/// zblock's plot, and its title.
fn blocks(args: &Args) -> Result<(Drawn, String), Failure> {
    if args.plot.is_some_and(|plot| plot != Plot::Loss) || !args.also.is_empty() {
        return Err(Failure::Input("svg: zblock has --plot loss, and no max pages to compare".to_owned()));
    }
    let config = super::zblock::config(&args.setting(Allocator::Zblock))?;
    let geometry = zblock::Geometry::new(&config).map_err(Failure::input)?;
    let title = format!(
        "Bytes lost per object: zblock {}, pages of {} bytes",
        config.version.name(),
        config.page_bytes()
    );
    Ok((block_plots::loss(&geometry), title))
}

/// SLUB's map of orders, and its title.
fn orders(args: &Args) -> Result<(OrderMap, String), Failure> {
    if args.plot.is_some_and(|plot| plot != Plot::Orders) || !args.also.is_empty() {
        return Err(Failure::Input("svg: SLUB has --plot orders, and no max pages to compare".to_owned()));
    }
    let config = args.slub()?;
    let title = format!(
        "Orders by object size: SLUB {}, pages of {} bytes, orders {} to {}",
        config.generation.name(),
        1u32 << config.page_shift,
        config.min_order,
        config.max_order
    );
    Ok((OrderMap::new(&config, OrderMap::most(&config)), title))
}
