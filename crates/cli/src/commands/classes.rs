//! `slabscope classes`.

use std::io::Write as _;

use serde_json::{Map, Value};
use slabscope_core::{zblock, zsmalloc};
use slabscope_formats::zblock_tables::{TYPE_COLUMNS, type_rows};
use slabscope_formats::zsmalloc_tables::{CLASS_COLUMNS, class_rows, write_aligned, write_tsv};

use super::options::{Allocator, Setting};
use super::zblock::config;
use crate::fail::Failure;
use crate::output::{Format, stdout};

/// Size classes or block types of a configuration
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    setting: Setting,
    /// How to print them
    #[arg(long, value_enum, default_value = "tsv")]
    format: Format,
}

/// Prints the table.
///
/// # Errors
/// The configuration is impossible.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    match args.setting.allocator {
        Allocator::Zsmalloc => {
            let geometry = zsmalloc::Geometry::new(&args.setting.zsmalloc()?).map_err(Failure::input)?;
            print(&CLASS_COLUMNS, &class_rows(&geometry), args.format)
        }
        Allocator::Zblock => {
            let geometry = zblock::Geometry::new(&config(&args.setting)?).map_err(Failure::input)?;
            print(&TYPE_COLUMNS, &type_rows(geometry.config(), geometry.types()), args.format)
        }
    }
}

fn print<const N: usize, T: ToString>(
    columns: &[&str; N],
    rows: &[[T; N]],
    format: Format,
) -> Result<(), Failure> {
    let mut out = stdout();
    match format {
        Format::Tsv => write_tsv(columns, rows, &mut out)?,
        Format::Text => write_aligned(columns, rows, &mut out)?,
        Format::Json => {
            let rows = rows.iter().map(|row| {
                let fields = columns.iter().zip(row).map(|(&name, cell)| (name.to_owned(), value(cell)));
                Value::Object(fields.collect::<Map<_, _>>())
            });
            writeln!(out, "{}", Value::Array(rows.collect()))?;
        }
    }
    out.flush()?;
    Ok(())
}

/// A cell as JSON: a number where it is one, null for `-`.
fn value(cell: &impl ToString) -> Value {
    let text = cell.to_string();
    match (text.parse::<u64>(), text.parse::<f64>()) {
        (Ok(number), _) => Value::from(number),
        (_, Ok(number)) => Value::from(number),
        _ if text == "-" => Value::Null,
        _ => Value::from(text),
    }
}
