//! Tables of orders and of layouts, answered row by row as they are read.

use std::fmt;
use std::io::{self, BufRead, ErrorKind, Write};

use slabscope_core::slub::{
    Generation, Layout, LayoutFlags, NoOrder, OrderAnswer, OrderParams, calculate_order, layout,
};

/// Columns that a question about an order has.
pub const ORDER_COLUMNS: [&str; 6] = ["page_shift", "cpus", "min_objects", "min_order", "max_order", "size"];

/// Columns that its answer adds. The order is -38 where none fits, the others are `-` then.
pub const ORDER_ANSWER_COLUMNS: [&str; 3] = ["order", "objects", "waste"];

/// Columns that a question about a layout has. Flags are separated by `|`; `-` is none.
pub const LAYOUT_COLUMNS: [&str; 3] = ["object_size", "align_arg", "flags"];

/// Columns that its answer adds; `red_left_pad` only in generations that have one.
pub const LAYOUT_ANSWER_COLUMNS: [&str; 5] = ["align", "inuse", "offset", "red_left_pad", "size"];

/// Longest line that is read: bytes.
const LONGEST: u64 = 4096;

/// Why a table was not answered to its end.
#[derive(Debug)]
pub enum TableError {
    /// A line of the input.
    Line {
        /// Its number, from 1.
        line: u64,
        /// What is wrong with it.
        why: String,
    },
    /// The input cannot be read.
    Input(io::Error),
    /// The output cannot be written.
    Output(io::Error),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { line, why } => write!(f, "line {line}: {why}"),
            Self::Input(error) => write!(f, "the input cannot be read: {error}"),
            Self::Output(error) => write!(f, "the output cannot be written: {error}"),
        }
    }
}

impl std::error::Error for TableError {}

/// Answers a table of orders: each row again, with the order, objects and waste of a slab.
///
/// # Errors
/// A row is malformed or a number outside what is modelled; reading or writing fails.
pub fn answer_orders<R: BufRead, W: Write>(
    generation: Generation,
    input: R,
    out: &mut W,
) -> Result<(), TableError> {
    answer(&ORDER_COLUMNS, &ORDER_ANSWER_COLUMNS, input, out, |row, out| {
        let params = OrderParams {
            generation,
            page_shift: number(row, &ORDER_COLUMNS, 0)?,
            cpus: number(row, &ORDER_COLUMNS, 1)?,
            min_objects: number(row, &ORDER_COLUMNS, 2)?,
            min_order: number(row, &ORDER_COLUMNS, 3)?,
            max_order: number(row, &ORDER_COLUMNS, 4)?,
            size: number(row, &ORDER_COLUMNS, 5)?,
        };
        match calculate_order(&params) {
            Ok(OrderAnswer { order, objects, waste }) => Ok(writeln!(out, "\t{order}\t{objects}\t{waste}")),
            Err(NoOrder::NothingFits { .. }) => Ok(writeln!(out, "\t-38\t-\t-")),
            Err(error) => Err(error.to_string()),
        }
    })
}

/// Answers a table of layouts: each row again, with the numbers of the object's place.
///
/// # Errors
/// A row is malformed or a number outside what is modelled; reading or writing fails.
pub fn answer_layouts<R: BufRead, W: Write>(
    generation: Generation,
    input: R,
    out: &mut W,
) -> Result<(), TableError> {
    let has_pad = generation.rules().layout.left_red_zone;
    let columns: Vec<&str> =
        LAYOUT_ANSWER_COLUMNS.into_iter().filter(|&name| has_pad || name != "red_left_pad").collect();
    answer(&LAYOUT_COLUMNS, &columns, input, out, |row, out| {
        let object_size = number(row, &LAYOUT_COLUMNS, 0)?;
        let align_arg = number(row, &LAYOUT_COLUMNS, 1)?;
        let flags = LayoutFlags::parse(row[2]).map_err(|name| {
            let known: Vec<&str> = LayoutFlags::ALL.iter().map(|&(_, name)| name).collect();
            format!("flags: \u{201c}{name}\u{201d} is none of {}, or - alone", known.join(", "))
        })?;
        let place = layout(generation, object_size, align_arg, flags).map_err(|error| error.to_string())?;
        let Layout { align, inuse, offset, red_left_pad, size } = place;
        Ok(if has_pad {
            writeln!(out, "\t{align}\t{inuse}\t{offset}\t{red_left_pad}\t{size}")
        } else {
            writeln!(out, "\t{align}\t{inuse}\t{offset}\t{size}")
        })
    })
}

/// Reads rows and writes each again with what `cells` adds. A heading may be left out; blank lines are skipped.
fn answer<const N: usize, R: BufRead, W: Write>(
    columns: &[&str; N],
    added: &[&str],
    mut input: R,
    out: &mut W,
    cells: impl Fn(&[&str; N], &mut W) -> Result<io::Result<()>, String>,
) -> Result<(), TableError> {
    writeln!(out, "{}\t{}", columns.join("\t"), added.join("\t")).map_err(TableError::Output)?;
    let (mut text, mut line) = (String::new(), 0);
    loop {
        text.clear();
        line += 1;
        let fault = |why: String| TableError::Line { line, why };
        match io::Read::take(&mut input, LONGEST).read_line(&mut text) {
            Ok(0) => return Ok(()),
            Ok(_) if text.len() as u64 == LONGEST => {
                return Err(fault(format!("it has {LONGEST} bytes or more")));
            }
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                return Err(fault("it is no text".to_owned()));
            }
            Err(error) => return Err(TableError::Input(error)),
        }
        let row = text.trim_end_matches(['\n', '\r']);
        if row.trim().is_empty() || line == 1 && row.split('\t').eq(columns.iter().copied()) {
            continue;
        }
        let mut fields = row.split('\t');
        let mut values = [""; N];
        let mut given = 0;
        for (value, field) in values.iter_mut().zip(&mut fields) {
            *value = field.trim();
            given += 1;
        }
        given += fields.count();
        if given != N {
            return Err(fault(format!(
                "{N} values separated by tabs are needed ({}), {given} are there",
                columns.join(" ")
            )));
        }
        write!(out, "{row}").map_err(TableError::Output)?;
        cells(&values, out).map_err(fault)?.map_err(TableError::Output)?;
    }
}

fn number<const N: usize, T: std::str::FromStr>(
    row: &[&str; N],
    columns: &[&str; N],
    index: usize,
) -> Result<T, String> {
    let (name, text) = (columns[index], row[index]);
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let value = if digits { text.parse().ok() } else { None };
    value.ok_or_else(|| format!("{name}: \u{201c}{text}\u{201d} is no whole number in range"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn orders(input: &str) -> Result<String, String> {
        let mut out = Vec::new();
        let done = answer_orders(Generation::V2_6_26, input.as_bytes(), &mut out);
        done.map(|()| String::from_utf8(out).unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn orders_with_and_without_a_heading() {
        let heading = "page_shift\tcpus\tmin_objects\tmin_order\tmax_order\tsize";
        let expected = format!("{heading}\torder\tobjects\twaste\n12\t2\t0\t0\t3\t560\t1\t14\t352\n");
        assert_eq!(orders(&format!("{heading}\n12\t2\t0\t0\t3\t560\n")), Ok(expected.clone()));
        assert_eq!(orders("12\t2\t0\t0\t3\t560\r\n\n"), Ok(expected));
        assert_eq!(orders(""), Ok(format!("{heading}\torder\tobjects\twaste\n")));
    }

    #[test]
    fn bad_rows_name_their_line() {
        let check = |input: &str, expected: &str| {
            let told = orders(input).err().unwrap_or_default();
            assert!(told.contains(expected), "{told}");
        };
        check("12\t2\t0\t0\t3\t8\n12\t2\t0\t0\t3\n", "line 2: 6 values separated by tabs are needed");
        check("12\t2\t0\t0\t3\t-8", "line 1: size: \u{201c}-8\u{201d}");
        check("12\t2\t0\t0\t300\t8", "line 1: max_order");
        check("12\t2\t0\t0\t3\t0", "line 1: size 0");
        check("12\t2\t0\t0\t16\t8", "line 1: order 16");
        check("11\t2\t0\t0\t3\t8", "line 1: page shift 11");
        check("12\t2\t0\t0\t3\t8\t9", "7 are there");
        check(&"1".repeat(10_000), "line 1: it has 4096 bytes or more");
    }

    #[test]
    fn layouts_have_the_columns_of_their_generation() {
        let layouts = |generation, input: &str| {
            let mut out = Vec::new();
            let done = answer_layouts(generation, input.as_bytes(), &mut out);
            done.map(|()| String::from_utf8(out).unwrap()).map_err(|error| error.to_string())
        };
        let heading = "object_size\talign_arg\tflags";
        assert_eq!(
            layouts(Generation::V2_6_26, &format!("{heading}\n552\t0\tCTOR\n")),
            Ok(format!("{heading}\talign\tinuse\toffset\tsize\n552\t0\tCTOR\t8\t552\t552\t560\n"))
        );
        assert_eq!(
            layouts(Generation::Modern, "552\t0\tREDZONE\n"),
            Ok(format!(
                "{heading}\talign\tinuse\toffset\tred_left_pad\tsize\n552\t0\tREDZONE\t8\t560\t272\t8\t576\n"
            ))
        );
        let told = layouts(Generation::Modern, "8\t0\tRCU|BAD\n").err().unwrap_or_default();
        assert!(told.contains("line 1: flags: \u{201c}BAD\u{201d}"), "{told}");
    }
}
