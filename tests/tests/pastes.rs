//! What people paste: every file of `testdata/formats`, and of a folder named by `SLABSCOPE_SAMPLES`, is taken for
//! what its `EXPECT.tsv` says.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};

use slabscope_formats::{Format, Paste, Row, decode, read};
use slabscope_tests::testdata;

/// One line of an `EXPECT.tsv`.
struct Expectation {
    file: String,
    /// `None`: nothing may be recognised.
    format: Option<Format>,
    /// Rows in all tables of that format; `None`: any.
    rows: Option<usize>,
}

fn expectations(folder: &Path) -> Vec<Expectation> {
    let path = folder.join("EXPECT.tsv");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let line = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, format, rows] = fields[..] else { panic!("{line}: three fields are needed") };
        let known = Format::ALL.into_iter().find(|known| known.name() == format);
        assert!(known.is_some() || format == "unrecognised", "{line}: no such format");
        Expectation { file: file.to_owned(), format: known, rows: rows.parse().ok() }
    };
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(line).collect()
}

fn read_file(path: &Path) -> Paste {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    read(&decode(&bytes).unwrap_or_else(|why| panic!("{}: {why}", path.display())))
}

/// What is wrong with one file, if anything.
fn fault(folder: &Path, expected: &Expectation) -> Option<String> {
    let paste = read_file(&folder.join(&expected.file));
    let found: Vec<(&str, usize)> =
        paste.tables().iter().map(|table| (table.format().name(), table.len())).collect();
    let told = format!("{}: {found:?}", expected.file);
    let Some(format) = expected.format else {
        if !found.is_empty() {
            return Some(format!("{told}, but nothing was to be recognised"));
        }
        return match paste.nearest() {
            Some(nearest) if !nearest.why.is_empty() => None,
            nearest => Some(format!("{told}, nearest {nearest:?}")),
        };
    };
    let tables = paste.tables().iter().filter(|table| table.format() == format);
    let rows: usize = tables.clone().map(slabscope_formats::Table::len).sum();
    let fits = tables.count() > 0 && expected.rows.is_none_or(|expected| expected == rows);
    (!fits).then(|| {
        format!("{told}, expected {} with {:?} rows; {:?}", format.name(), expected.rows, paste.nearest())
    })
}

/// Compares every file of a folder; the number of expectations.
fn check(folder: &Path) -> usize {
    let expected = expectations(folder);
    let faults: Vec<String> = expected.iter().filter_map(|expected| fault(folder, expected)).collect();
    assert!(faults.is_empty(), "{} of {} fail:\n{}", faults.len(), expected.len(), faults.join("\n"));
    expected.len()
}

/// Files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

#[test]
fn samples_of_other_people() {
    let Some(folder) = std::env::var_os("SLABSCOPE_SAMPLES") else {
        eprintln!("NOT RUN: SLABSCOPE_SAMPLES names no folder of samples");
        return;
    };
    let checked = check(Path::new(&folder));
    eprintln!("{checked} expectations hold");
}

#[test]
fn own_fixtures() {
    let folder = testdata("formats");
    let checked = check(&folder);
    let expected = expectations(&folder);
    for format in Format::ALL {
        assert!(expected.iter().any(|one| one.format == Some(format)), "no fixture of {format}");
    }
    for path in files(&folder) {
        let name = path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
        let is_listed = expected.iter().any(|one| one.file == name);
        assert!(
            is_listed || ["EXPECT.tsv", "SAME.tsv", "README.md"].contains(&name.as_str()),
            "{name} is in no line of EXPECT.tsv"
        );
    }
    assert!(checked > 0);
}

#[test]
fn mangled_files_have_the_rows_of_the_plain_one() {
    let folder = testdata("formats");
    let text = std::fs::read_to_string(folder.join("SAME.tsv")).unwrap();
    let mut compared = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (mangled, plain) = line.split_once('\t').unwrap();
        let [mangled_rows, plain_rows] = [mangled, plain].map(|file| {
            let paste = read_file(&folder.join(file));
            let [table] = paste.tables() else { panic!("{file}: one table was expected") };
            let values = |row: Row<'_>| row.values().map(|value| format!("{value:?}")).collect::<Vec<_>>();
            let columns: Vec<String> = table.columns().iter().map(|name| name.to_ascii_lowercase()).collect();
            (columns, table.rows().map(values).collect::<Vec<_>>())
        });
        assert_eq!(mangled_rows, plain_rows, "{mangled}");
        compared += 1;
    }
    assert!(compared > 40);
}

#[test]
fn numbers_that_are_none_are_no_sizes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/formats/histogram");
    let rows = |file: &str| {
        let paste = read_file(&folder.join(file));
        let sizes: Vec<Option<u64>> = paste.tables()[0].rows().map(|row| row.get("size")).collect();
        (sizes, paste.skipped(0).count())
    };
    assert_eq!(rows("units.csv"), (vec![Some(512), Some(4096), Some(1536)], 0));
    // Below 0, with a fraction, too large: five lines that each could be read as something else.
    assert_eq!(rows("odd-numbers.csv"), (vec![Some(500), Some(600)], 5));
}
