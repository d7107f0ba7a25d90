//! `slabscope slub-orders` and `slabscope slub-layout`.

use std::io::Write as _;

use slabscope_core::slub::Generation;
use slabscope_formats::slub_tables::{TableError, answer_layouts, answer_orders};

use crate::fail::Failure;
use crate::output::{open, stdout};

/// Orders of SLUB's slabs for a table of parameters
///
/// Reads rows of `page_shift cpus min_objects min_order max_order size`, separated by tabs, and prints each with
/// `order objects waste` added. size: bytes of an object with its metadata (see slub-layout). min_objects 0: from
/// the number of CPUs. min_order and max_order are taken as they are: the usual ones are 0 and 3. The order is -38,
/// and objects and waste are `-`, where none fits. A heading with these names may come first.
#[derive(Debug, clap::Args)]
pub(crate) struct OrderArgs {
    #[command(flatten)]
    common: Common,
}

/// Layout of SLUB's objects for a table of parameters
///
/// Reads rows of `object_size align_arg flags`, separated by tabs, and prints each with `align inuse offset size`
/// added; from classic on with `red_left_pad` before `size`. align_arg: the alignment that the cache asks for, a
/// power of two, or 0. flags: HWCACHE, RCU, POISON, REDZONE, STORE_USER, CTOR, KMALLOC, joined by `|`, or `-` for
/// none. Words have 8 bytes, cache lines 64. A heading with these names may come first.
#[derive(Debug, clap::Args)]
pub(crate) struct LayoutArgs {
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, clap::Args)]
struct Common {
    /// Generation: 2.6.26, 2.6.26+rfc-order, 2.6.26+rfc-skip, classic (2.6.30 to 6.6) or modern (6.7 and later)
    #[arg(long, value_name = "ERA", default_value = "modern")]
    era: String,
    /// The table; - reads standard input
    #[arg(default_value = "-")]
    table: String,
}

/// The generation of a name.
///
/// # Errors
/// There is none; the text says which there are.
pub(crate) fn generation(name: &str) -> Result<Generation, Failure> {
    Generation::from_name(name).ok_or_else(|| {
        let names = Generation::ALL.map(Generation::name).join(", ");
        Failure::Input(format!("era: SLUB has no \u{201c}{name}\u{201d}; eras are {names}"))
    })
}

impl Common {
    fn failure(&self, error: TableError) -> Failure {
        match error {
            TableError::Output(error) => Failure::Output(error),
            error => {
                let name = if self.table == "-" { "standard input" } else { &self.table };
                Failure::Input(format!("{name}: {error}"))
            }
        }
    }
}

/// Prints the table of orders.
///
/// # Errors
/// The era is unknown or a row is bad.
pub(crate) fn orders(args: &OrderArgs) -> Result<(), Failure> {
    let common = &args.common;
    let mut out = stdout();
    let result = answer_orders(generation(&common.era)?, open(&common.table)?, &mut out);
    // The rows before a bad one are worth seeing.
    out.flush()?;
    result.map_err(|error| common.failure(error))
}

/// Prints the table of layouts.
///
/// # Errors
/// The era is unknown or a row is bad.
pub(crate) fn layouts(args: &LayoutArgs) -> Result<(), Failure> {
    let common = &args.common;
    let mut out = stdout();
    let result = answer_layouts(generation(&common.era)?, open(&common.table)?, &mut out);
    out.flush()?;
    result.map_err(|error| common.failure(error))
}
