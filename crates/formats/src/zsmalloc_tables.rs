//! Class tables and constants of zsmalloc as tab-separated text, plain text and JSON.

use std::io::{self, Write};

use slabscope_core::zsmalloc::{Config, Constants, Geometry};

/// Columns of a class row.
pub const CLASS_COLUMNS: [&str; 7] =
    ["index", "size", "pages_per_zspage", "objs_per_zspage", "huge", "waste", "lowest_merged_index"];

/// Columns of a row of constants.
pub const CONSTANT_COLUMNS: [&str; 9] = [
    "pfn_bits",
    "obj_index_bits",
    "min_alloc",
    "class_delta",
    "nr_classes",
    "nr_distinct",
    "huge_class_size",
    "huge_low_nominal",
    "status",
];

/// The distinct classes, smallest first: a value for each of [`CLASS_COLUMNS`].
pub fn class_rows(geometry: &Geometry) -> Vec<[u32; 7]> {
    geometry
        .classes()
        .iter()
        .map(|class| {
            [
                class.index.into(),
                class.size,
                class.pages.into(),
                class.objects.into(),
                class.huge.into(),
                class.waste,
                class.lowest_index.into(),
            ]
        })
        .collect()
}

/// The constants of a configuration, one text for each of [`CONSTANT_COLUMNS`]; `-` and `invalid`
/// where the kernel does not build. Numbers that are not modelled at all are an error of
/// [`Config::check`], which callers ask first.
pub fn constants_row(config: &Config) -> [String; 9] {
    let (pfn_bits, index_bits) = Constants::location_bits(config);
    let [first, second] = [pfn_bits.to_string(), index_bits.to_string()];
    match Geometry::new(config) {
        Ok(geometry) => {
            let constants = geometry.constants();
            [
                first,
                second,
                constants.min_alloc.to_string(),
                constants.class_delta.to_string(),
                constants.size_classes.to_string(),
                geometry.classes().len().to_string(),
                geometry.huge_class_size().to_string(),
                geometry.huge_low_nominal().unwrap_or(0).to_string(),
                "ok".to_owned(),
            ]
        }
        Err(_) => {
            let none = || "-".to_owned();
            [first, second, none(), none(), none(), none(), none(), none(), "invalid".to_owned()]
        }
    }
}

/// Writes rows as tab-separated text with a heading.
///
/// # Errors
/// The output fails.
pub fn write_tsv<W, R, T>(columns: &[&str], rows: R, out: &mut W) -> io::Result<()>
where
    W: Write,
    R: IntoIterator,
    R::Item: AsRef<[T]>,
    T: ToString,
{
    writeln!(out, "{}", columns.join("\t"))?;
    for row in rows {
        let cells: Vec<String> = row.as_ref().iter().map(ToString::to_string).collect();
        writeln!(out, "{}", cells.join("\t"))?;
    }
    Ok(())
}

/// Writes rows in columns wide enough for what is in them, numbers to the right.
///
/// # Errors
/// The output fails.
pub fn write_aligned<W, R, T>(columns: &[&str], rows: R, out: &mut W) -> io::Result<()>
where
    W: Write,
    R: IntoIterator,
    R::Item: AsRef<[T]>,
    T: ToString,
{
    let mut lines: Vec<Vec<String>> = vec![columns.iter().map(|&name| name.to_owned()).collect()];
    lines
        .extend(rows.into_iter().map(|row| row.as_ref().iter().map(ToString::to_string).collect::<Vec<_>>()));
    let width = |column: usize| {
        lines.iter().filter_map(|line| Some(line.get(column)?.chars().count())).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    for line in &lines {
        let cells: Vec<String> =
            line.iter().zip(&widths).map(|(cell, &width)| format!("{cell:>width$}")).collect();
        writeln!(out, "{}", cells.join("  "))?;
    }
    Ok(())
}
