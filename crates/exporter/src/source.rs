//! The one table of what each view gives, and the makers behind it.

use slabscope_lab::document::{Document, Sheet};
use slabscope_scenario::{Allocator, Scenario, View};

use crate::geometry::Geometry;
use crate::origin::Origin;
use crate::pool::PoolFiles;

/// Something that a view gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A drawing: stem of its file's name, and what it is.
    Picture(&'static str, &'static str),
    /// A table, in each of its formats.
    Table(&'static str, &'static str),
    /// A text with an ending of its own.
    Text(&'static str, &'static str, &'static str),
    /// Drawings and tables in one file.
    Page,
}

impl Source {
    /// Stem of the names of its files.
    pub const fn stem(&self) -> &'static str {
        match *self {
            Self::Picture(stem, _) | Self::Table(stem, _) | Self::Text(stem, _, _) => stem,
            Self::Page => "figure",
        }
    }
}

const ZSMALLOC: &[Source] = &[
    Source::Picture("plot", "Plot"),
    Source::Picture("zspage", "Zspage"),
    Source::Table("by-size", "What each size pays"),
    Source::Table("classes", "Classes"),
    Source::Table("constants", "Constants"),
    Source::Text("classes-kernel", "txt", "Classes, as the kernel prints them"),
    Source::Text("classes-exact", "tsv", "Classes, as slabscope classes prints them"),
    Source::Page,
];

const ZBLOCK: &[Source] = &[
    Source::Picture("plot", "Plot"),
    Source::Picture("block", "Block"),
    Source::Table("by-size", "What each size loses"),
    Source::Table("types", "Block types"),
    Source::Text("types-exact", "tsv", "Block types, as slabscope classes prints them"),
    Source::Page,
];

const SLUB: &[Source] = &[
    Source::Picture("orders", "Orders"),
    Source::Picture("slab", "Slab"),
    Source::Table("by-size", "Orders by size"),
    Source::Table("caches", "Caches"),
    Source::Page,
];

/// Of a pool whose operations the command line can replay.
const REPLAYED: &[Source] = &[
    Source::Picture("over-time", "Pages over time"),
    Source::Picture("utilisation", "Utilisation over time"),
    Source::Picture("groups", "Groups over time"),
    Source::Picture("objects", "Objects over time"),
    Source::Picture("outside", "Memory outside the pool over time"),
    Source::Picture("followed", "What is followed"),
    Source::Table("in-use", "Classes in use"),
    Source::Table("places", "Its places"),
    Source::Table("series", "Sums over time"),
    Source::Text("scenario", "trace", "Operations as a trace"),
    Source::Text("expected", "txt", "What a correct allocator prints for the trace"),
    Source::Text("log", "txt", "What it does, operation by operation"),
    Source::Page,
];

const PLAYED: &[Source] = &[
    Source::Picture("over-time", "Pages over time"),
    Source::Picture("utilisation", "Utilisation over time"),
    Source::Picture("groups", "Groups over time"),
    Source::Picture("objects", "Objects over time"),
    Source::Picture("followed", "What is followed"),
    Source::Table("in-use", "Classes in use"),
    Source::Table("places", "Its places"),
    Source::Table("series", "Sums over time"),
    Source::Text("scenario", "trace", "Operations as a trace"),
    Source::Page,
];

/// What a view gives.
pub const fn sources(view: View, allocator: Allocator) -> &'static [Source] {
    match (view, allocator) {
        (View::Geometry, Allocator::Zsmalloc) => ZSMALLOC,
        (View::Geometry, Allocator::Zblock) => ZBLOCK,
        (View::Geometry, Allocator::Slub) => SLUB,
        (View::Pool, Allocator::Slub) => PLAYED,
        (View::Pool, _) => REPLAYED,
        // What they show is in documents.
        _ => &[Source::Page],
    }
}

/// Name of a file, what it is of, and what it is.
pub(crate) type File = [String; 3];

/// The files of some sources.
pub(crate) fn files<'a>(sources: impl Iterator<Item = &'a Source>) -> Vec<File> {
    let mut files = Vec::new();
    for source in sources {
        let stem = source.stem();
        match *source {
            Source::Picture(_, label) => add(&mut files, stem, label, true, false),
            Source::Table(_, label) => add(&mut files, stem, label, false, true),
            Source::Text(_, ending, label) => files.push(named(stem, label, ending, "Text")),
            Source::Page => files.push(named(stem, "All of it in one file", "html", "HTML")),
        }
    }
    files
}

/// Adds the files of something that is drawn, or has a table, or both.
pub(crate) fn add(files: &mut Vec<File>, stem: &str, label: &str, is_drawn: bool, is_table: bool) {
    let endings = [
        ("svg", "SVG", is_drawn),
        ("txt", "Text for mail", is_table),
        ("csv", "CSV", is_table),
        ("json", "JSON", is_table),
    ];
    let given = endings.into_iter().filter(|(_, _, is_given)| *is_given);
    files.extend(given.map(|(ending, format, _)| named(stem, label, ending, format)));
}

fn named(stem: &str, label: &str, ending: &str, format: &str) -> File {
    [format!("{stem}.{ending}"), label.to_owned(), format.to_owned()]
}

/// Makes what the table names for one scenario.
pub(crate) trait Maker {
    /// Whether there is such a drawing or table just now.
    fn has(&mut self, _: &str) -> bool {
        true
    }

    /// A drawing as SVG.
    fn picture(&mut self, stem: &str, origin: &Origin) -> Result<String, String>;

    /// A table, of a series with so many rows at most.
    fn table(&mut self, stem: &str, rows: usize) -> Result<Sheet, String>;

    /// A text.
    fn text(&mut self, stem: &str, origin: &Origin) -> Result<String, String>;
}

/// Of views that give nothing beside their documents.
struct Nothing;

impl Maker for Nothing {
    fn picture(&mut self, _: &str, _: &Origin) -> Result<String, String> {
        Ok(String::new())
    }

    fn table(&mut self, _: &str, _: usize) -> Result<Sheet, String> {
        Ok(Sheet::default())
    }

    fn text(&mut self, _: &str, _: &Origin) -> Result<String, String> {
        Ok(String::new())
    }
}

/// The maker of a scenario's view, which may show documents.
///
/// # Errors
/// The scenario is impossible.
pub(crate) fn maker(scenario: &Scenario, shown: &Document) -> Result<Box<dyn Maker>, String> {
    Ok(match scenario.view() {
        View::Geometry => Box::new(Geometry::new(scenario, shown)?),
        View::Pool => Box::new(PoolFiles::new(scenario)?),
        _ => Box::new(Nothing),
    })
}
