//! `slabscope constants`.

use std::io::Write as _;

use serde_json::{Map, Value};
use slabscope_formats::zsmalloc_tables::{CONSTANT_COLUMNS, constants_row, write_tsv};

use super::options::{Allocator, Setting};
use crate::fail::Failure;
use crate::output::{Format, stdout};

/// Constants that follow from a zsmalloc configuration
///
/// A configuration that does not build has a row that says so, and is no error.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    setting: Setting,
    /// How to print them
    #[arg(long, value_enum, default_value = "tsv")]
    format: Format,
}

/// Prints the row.
///
/// # Errors
/// A number is not one that is modelled.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.setting.allocator != Allocator::Zsmalloc {
        return Err(Failure::Input("constants: only zsmalloc has them".to_owned()));
    }
    let config = args.setting.zsmalloc()?;
    config.check().map_err(Failure::input)?;
    let row = constants_row(&config);
    let mut out = stdout();
    match args.format {
        Format::Tsv => write_tsv(&CONSTANT_COLUMNS, [&row], &mut out)?,
        Format::Text => {
            for (name, value) in CONSTANT_COLUMNS.iter().zip(&row) {
                writeln!(out, "{name:<18} {value}")?;
            }
        }
        Format::Json => {
            let fields = CONSTANT_COLUMNS.iter().zip(&row).map(|(&name, cell)| {
                let number = cell.parse::<i64>().map(Value::from);
                (name.to_owned(), number.unwrap_or_else(|_| Value::from(cell.as_str())))
            });
            writeln!(out, "{}", Value::Object(fields.collect::<Map<_, _>>()))?;
        }
    }
    out.flush()?;
    Ok(())
}
