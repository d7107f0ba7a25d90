//! The one table of what each view gives, and the makers behind it.

use slabscope_lab::document::Sheet;
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
    Source::Table("classes", "Classes"),
    Source::Text("classes-kernel", "txt", "Classes, as the kernel prints them"),
    Source::Text("classes-exact", "tsv", "Classes, as slabscope classes prints them"),
    Source::Page,
];

const ZBLOCK: &[Source] = &[
    Source::Picture("plot", "Plot"),
    Source::Picture("block", "Block"),
    Source::Table("types", "Block types"),
    Source::Text("types-exact", "tsv", "Block types, as slabscope classes prints them"),
    Source::Page,
];

const SLUB: &[Source] = &[
    Source::Picture("orders", "Orders"),
    Source::Picture("slab", "Slab"),
    Source::Table("caches", "Caches"),
    Source::Page,
];

/// Of a pool whose operations the command line can replay.
const REPLAYED: &[Source] = &[
    Source::Picture("over-time", "Pages over time"),
    Source::Table("in-use", "Classes in use"),
    Source::Table("series", "Sums over time"),
    Source::Text("scenario", "trace", "Operations as a trace"),
    Source::Text("expected", "txt", "What a correct allocator prints for the trace"),
    Source::Text("log", "txt", "What it does, operation by operation"),
    Source::Page,
];

const PLAYED: &[Source] = &[
    Source::Picture("over-time", "Pages over time"),
    Source::Table("in-use", "Classes in use"),
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
        _ => &[],
    }
}

/// Names and labels of the files of some sources.
pub(crate) fn files(sources: &[Source]) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for source in sources {
        let stem = source.stem();
        let mut add = |ending: &str, label: String| files.push((format!("{stem}.{ending}"), label));
        match *source {
            Source::Picture(_, label) => add("svg", format!("{label} as SVG")),
            Source::Table(_, label) => {
                add("txt", format!("{label} as text for mail"));
                add("csv", format!("{label} as CSV"));
                add("json", format!("{label} as JSON"));
            }
            Source::Text(_, ending, label) => add(ending, label.to_owned()),
            Source::Page => add("html", "Pictures and tables as one HTML file".to_owned()),
        }
    }
    files
}

/// Makes what the table names for one scenario.
pub(crate) trait Maker {
    /// A drawing as SVG.
    fn picture(&mut self, stem: &str, origin: &Origin) -> Result<String, String>;

    /// A table.
    fn table(&mut self, stem: &str) -> Result<Sheet, String>;

    /// A text.
    fn text(&mut self, stem: &str, origin: &Origin) -> Result<String, String>;
}

/// The maker of a scenario's view.
///
/// # Errors
/// The view gives nothing, or the scenario is impossible.
pub(crate) fn maker(scenario: &Scenario) -> Result<Box<dyn Maker>, String> {
    match scenario.view() {
        View::Geometry => Ok(Box::new(Geometry::new(scenario)?)),
        View::Pool => Ok(Box::new(PoolFiles::new(scenario)?)),
        view => Err(format!("{} has no exports of its own", view.label())),
    }
}
