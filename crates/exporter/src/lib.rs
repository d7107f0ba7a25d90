//! What is taken away from a scenario: tables, drawings, traces, one-file pages.
//!
//! A function of the link alone, so a script and the page's share dialog get the same. The page asks in words
//! ([`answer`]): what it wants, a link, the address that leads back to it, and where the export is made.

mod geometry;
mod lines;
mod mail;
mod origin;
mod page;
mod pool;
mod port;
mod source;
mod table;

pub use origin::Origin;
pub use port::start;
pub use source::{Source, sources};

use slabscope_core::digest::Fnv1a64;
use slabscope_scenario::{Allocator, Scenario, View, parse_fragment};

/// Answers a request of the page.
///
/// `list`: a line for each file that the scenario of `text` can give, its name and its label. `digest`: the digest
/// that links carry. `format.csv`, `format.json`, `format.txt`: the table in `text`; `format.svg`: its columns as lines over the first. Anything else is the name of a file.
///
/// # Errors
/// There is no such file, or the scenario is impossible; the text says why.
pub fn answer(what: &str, text: &str, link: &str, about: &str) -> Result<String, String> {
    let origin = Origin::new(link, about);
    if what == "format.svg" {
        return lines::drawn(&table::read(text), &origin);
    }
    if let Some(format) = what.strip_prefix("format.") {
        return table::written(&table::read(text), format, &origin).ok_or_else(|| unknown(what));
    }
    let (scenario, _) = parse_fragment(text);
    match what {
        "list" => Ok(list(&scenario)),
        "digest" => Ok(digest(&scenario).unwrap_or_default()),
        _ => file(&scenario, what, &origin),
    }
}

fn unknown(what: &str) -> String {
    format!("There is no export called {what}")
}

fn list(scenario: &Scenario) -> String {
    let lines = source::files(sources(scenario.view(), scenario.allocator()));
    lines.iter().map(|(name, label)| format!("{name}\t{label}\n")).collect()
}

/// The content of a file that a scenario gives.
///
/// # Errors
/// It gives no such file, or is impossible.
pub fn file(scenario: &Scenario, name: &str, origin: &Origin) -> Result<String, String> {
    let (stem, format) = name.rsplit_once('.').ok_or_else(|| unknown(name))?;
    let mut maker = source::maker(scenario)?;
    let of = |wanted: &str| {
        sources(scenario.view(), scenario.allocator()).iter().find(|source| source.stem() == wanted)
    };
    match (of(stem), format) {
        (Some(Source::Picture(..)), "svg") => maker.picture(stem, origin),
        (Some(Source::Table(..)), _) => {
            table::written(&maker.table(stem)?, format, origin).ok_or_else(|| unknown(name))
        }
        (Some(Source::Text(_, ending, _)), _) if *ending == format => maker.text(stem, origin),
        (Some(Source::Page), "html") => page::page(scenario, maker.as_mut(), origin),
        _ => Err(unknown(name)),
    }
}

/// The first eight digits of the digest of what a scenario shows; `None` for a view that has none.
pub fn digest(scenario: &Scenario) -> Option<String> {
    let whole = match (scenario.view(), scenario.allocator()) {
        (View::Geometry, _) => Fnv1a64::of(&geometry::tsv(scenario).ok()?),
        (View::Pool, _) => pool::digest(scenario).ok()?,
        _ => return None,
    };
    Some(format!("{:08x}", whole >> 32))
}

/// What a picture or a table is of, in words.
pub(crate) fn title(scenario: &Scenario) -> String {
    let what = match (scenario.view(), scenario.allocator()) {
        (View::Pool, _) => "A pool over time",
        (_, Allocator::Zsmalloc) => "Size classes",
        (_, Allocator::Zblock) => "Block types",
        (_, Allocator::Slub) => "Slab orders",
    };
    format!("{what}, {}", scenario.side(0).describe())
}
