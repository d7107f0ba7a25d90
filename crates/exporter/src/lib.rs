//! What is taken away from a scenario: tables, drawings, traces, one-file pages.
//!
//! A function of the link alone, and of the documents of the views that work in other workers, so that a script and the
//! page's share dialog get the same. The page asks in words ([`answer`]): what it wants, a link, the address that leads
//! back to it, and where the export is made.

mod drawn;
mod geometry;
mod items;
mod mail;
mod origin;
mod over_time;
mod page;
mod pool;
mod port;
mod source;
mod spans;
mod table;

pub use origin::Origin;
pub use port::start;
pub use source::{Source, sources};

use slabscope_core::digest::Fnv1a64;
use slabscope_lab::document::{Document, MOST_ROWS};
use slabscope_scenario::{Allocator, Key, Scenario, View, parse_fragment};

use crate::items::items;
use crate::page::Page;
use crate::source::Maker;

/// Answers a request of the page.
///
/// `list`: a line for each file that the scenario of `text`, and the documents that it shows, can give: its name, what it is of,
/// and what it is. `digest`: the digest that links carry. `format.csv`, `format.json`, `format.txt`: the table in `text`.
/// Anything else is the name of a file.
///
/// # Errors
/// There is no such file, or the scenario is impossible; the text says why.
pub fn answer(what: &str, text: &str, link: &str, about: &str, shown: &Document) -> Result<String, String> {
    let origin = Origin::new(link, about).read_from(shown);
    if let Some(format) = what.strip_prefix("format.") {
        return table::written(&table::read(text), format, &origin).ok_or_else(|| unknown(what));
    }
    let (scenario, _) = parse_fragment(text);
    match what {
        "list" => list(&scenario, shown),
        "digest" => Ok(digest(&scenario).unwrap_or_default()),
        _ => file(&scenario, what, &origin, shown),
    }
}

fn unknown(what: &str) -> String {
    format!("There is no export called {what}")
}

fn list(scenario: &Scenario, shown: &Document) -> Result<String, String> {
    let mut maker = source::maker(scenario, shown)?;
    let offered = offered(scenario, shown).iter().filter(|source| maker.has(source.stem()));
    let mut files = source::files(offered);
    for item in items(shown, position(scenario)) {
        source::add(&mut files, &item.stem, &item.name, item.is_drawn(), true);
    }
    Ok(files.iter().map(|[name, label, format]| format!("{name}\t{label}\t{format}\n")).collect())
}

/// What a view gives; nothing where it has nothing to show.
fn offered(scenario: &Scenario, shown: &Document) -> &'static [Source] {
    match sources(scenario.view(), scenario.allocator()) {
        [Source::Page] if shown.is_empty() => &[],
        sources => sources,
    }
}

/// The position of a figure that has several.
fn position(scenario: &Scenario) -> usize {
    usize::try_from(scenario.number(Key::At)).unwrap_or(usize::MAX)
}

/// The content of a file that a scenario gives, or the documents that it shows.
///
/// # Errors
/// It gives no such file, or is impossible.
pub fn file(scenario: &Scenario, name: &str, origin: &Origin, shown: &Document) -> Result<String, String> {
    let (stem, format) = name.rsplit_once('.').ok_or_else(|| unknown(name))?;
    if let Some(item) = items(shown, position(scenario)).iter().find(|item| item.stem == stem) {
        return match format {
            "svg" if item.is_drawn() => item.picture(origin.theme, &origin.line()),
            _ => table::written(&item.table(rows(format)), format, origin).ok_or_else(|| unknown(name)),
        };
    }
    let sources = offered(scenario, shown);
    let source = sources.iter().find(|source| source.stem() == stem).ok_or_else(|| unknown(name))?;
    let mut maker = source::maker(scenario, shown)?;
    match (source, format) {
        (Source::Picture(..), "svg") => maker.picture(stem, origin),
        (Source::Table(..), _) => {
            table::written(&maker.table(stem, rows(format))?, format, origin).ok_or_else(|| unknown(name))
        }
        (Source::Text(_, ending, _), _) if *ending == format => maker.text(stem, origin),
        (Source::Page, "html") => page(scenario, maker.as_mut(), origin, shown),
        _ => Err(unknown(name)),
    }
}

/// Most rows of a series: programs read all of it, people do not.
fn rows(format: &str) -> usize {
    if format == "txt" { MOST_ROWS } else { usize::MAX }
}

/// Everything that a view shows, as one file.
fn page(
    scenario: &Scenario,
    maker: &mut dyn Maker,
    origin: &Origin,
    shown: &Document,
) -> Result<String, String> {
    let mut page = Page::new(origin);
    for source in sources(scenario.view(), scenario.allocator()) {
        if !maker.has(source.stem()) {
            continue;
        }
        match *source {
            Source::Picture(stem, label) => {
                page.name(label);
                page.picture(&mut |theme| maker.picture(stem, &Origin { theme, ..origin.clone() }))?;
            }
            Source::Table(stem, _) => page.table(&maker.table(stem, MOST_ROWS)?),
            Source::Text(..) | Source::Page => {}
        }
    }
    page.document(shown)?;
    Ok(page.finish(&title(scenario)))
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

/// What a picture, a table or a page is of, in words.
pub(crate) fn title(scenario: &Scenario) -> String {
    let what = match (scenario.view(), scenario.allocator()) {
        (View::Pool, _) => "A pool over time",
        (View::Geometry, Allocator::Zsmalloc) => "Size classes",
        (View::Geometry, Allocator::Zblock) => "Block types",
        (View::Geometry, Allocator::Slub) => "Slab orders",
        (view, _) => return format!("{}, Slabscope", view.label()),
    };
    format!("{what}, {}", scenario.side(0).describe())
}
