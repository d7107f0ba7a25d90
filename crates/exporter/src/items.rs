//! What can be taken from a document on its own: each table, plot, lane, drawing and sum.

use slabscope_charts::theme::Theme;
use slabscope_core::tell::grouped;
use slabscope_lab::document::{Block, FREE, Lanes, LinePlot, Part, Sheet};

use crate::drawn::{self, DOINGS, part_name, percent};
use crate::spans::span_drawing;

/// Something in a document.
#[derive(Clone, Copy)]
pub(crate) enum Kind<'a> {
    Table(&'a Sheet),
    Lines(&'a LinePlot),
    Lanes(&'a Lanes),
    Parts(&'a [Part]),
    Span(&'a [u32]),
}

/// It, with its name and the stem of the names of its files.
pub(crate) struct Item<'a> {
    pub(crate) stem: String,
    pub(crate) name: String,
    pub(crate) kind: Kind<'a>,
}

/// Everything in a document, from top to bottom; of a figure with positions what is in the one shown.
pub(crate) fn items(document: &[Block], position: usize) -> Vec<Item<'_>> {
    let mut found = Vec::new();
    collect(&mut found, document, position);
    let is_alone = |name: &str| found.iter().filter(|(_, other, _)| *other == name).count() == 1;
    let mut items: Vec<Item<'_>> = Vec::new();
    for &(above, name, kind) in &found {
        // Of several with one name each is known by the title above it, and then by its number.
        let name =
            if is_alone(name) || above.is_empty() { name.to_owned() } else { format!("{above}: {name}") };
        let stem = stem(&name);
        let taken = |stem: &str| items.iter().any(|other| other.stem == stem);
        let number = (2u32..).find(|number| !taken(&format!("{stem}-{number}"))).filter(|_| taken(&stem));
        let (stem, name) = match number {
            Some(number) => (format!("{stem}-{number}"), format!("{name} ({number})")),
            None => (stem, name),
        };
        items.push(Item { stem, name, kind });
    }
    items
}

/// Something with its own name and the title above it.
type Found<'a> = (&'a str, &'a str, Kind<'a>);

fn collect<'a>(found: &mut Vec<Found<'a>>, document: &'a [Block], position: usize) {
    let mut above = "";
    for block in document {
        let (name, kind) = match block {
            Block::Title(title) => {
                above = title;
                continue;
            }
            Block::Sheet(sheet) => (sheet.caption.as_str(), Kind::Table(sheet)),
            Block::Plot(plot) => (plot.caption.as_str(), Kind::Lines(plot)),
            Block::Lanes(lanes) => (lanes.caption.as_str(), Kind::Lanes(lanes)),
            Block::Parts(parts) => (if above.is_empty() { "Parts" } else { above }, Kind::Parts(parts)),
            Block::Span(name, numbers) => (name.as_str(), Kind::Span(numbers)),
            Block::Scenes(scenes) => {
                if let Some((_, shown)) = scenes.get(position.min(scenes.len().saturating_sub(1))) {
                    collect(found, shown, 0);
                }
                continue;
            }
            _ => continue,
        };
        found.push((above, name, kind));
    }
}

/// Most letters of a stem.
const LETTERS: usize = 40;

/// A title as the name of a file.
fn stem(title: &str) -> String {
    let mut out = String::new();
    for byte in title.bytes().take(LETTERS) {
        if byte.is_ascii_alphanumeric() {
            out.push(char::from(byte.to_ascii_lowercase()));
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let out = out.trim_end_matches('-');
    if out.is_empty() { "table".to_owned() } else { out.to_owned() }
}

impl Item<'_> {
    /// Whether there is more to see than the table.
    pub(crate) const fn is_drawn(&self) -> bool {
        !matches!(self.kind, Kind::Table(_))
    }

    /// It as SVG; empty for a table.
    ///
    /// # Errors
    /// The drawing's.
    pub(crate) fn picture(&self, theme: Theme, origin: &str) -> Result<String, String> {
        let title = format!("{}. {origin}", self.name);
        match self.kind {
            Kind::Table(_) => Ok(String::new()),
            Kind::Lines(plot) => {
                let along = format!("{}, along: {}. {origin}", self.name, plot.along);
                drawn::lines(&drawn::lines_of(plot), &plot.up, plot.cursor.map(f64::from), theme, &along)
            }
            Kind::Lanes(lanes) => Ok(drawn::lanes(lanes, theme, &title)),
            Kind::Parts(parts) => Ok(drawn::parts(parts, theme, &title)),
            Kind::Span(numbers) => span_drawing(&drawn::span(numbers), theme, &title),
        }
    }

    /// It as a table, of a series with so many rows at most.
    pub(crate) fn table(&self, rows: usize) -> Sheet {
        match self.kind {
            Kind::Table(sheet) => Sheet { caption: self.name.clone(), ..sheet.clone() },
            Kind::Lines(plot) => plot.sheet(rows),
            Kind::Lanes(lanes) => self.stretches(lanes),
            Kind::Parts(parts) => self.sums(parts),
            Kind::Span(numbers) => self.places(numbers),
        }
    }

    fn stretches(&self, lanes: &Lanes) -> Sheet {
        let mut sheet = Sheet::new(&self.name, &["Thread", "From ns", "To ns", "Doing"]);
        for (thread, lane) in lanes.lanes.iter().enumerate() {
            for segment in lane {
                let doing = DOINGS.iter().find(|(doing, _)| *doing == segment.2).map_or("", |(_, name)| name);
                sheet.push(vec![
                    (thread + 1).to_string(),
                    grouped(segment.0),
                    grouped(segment.1),
                    doing.to_owned(),
                ]);
            }
        }
        sheet
    }

    fn sums(&self, parts: &[Part]) -> Sheet {
        let whole = parts.iter().fold(0u64, |sum, part| sum.saturating_add(part.bytes));
        let mut sheet = Sheet::new(&self.name, &["Part", "Bytes", "Percent"]);
        let mut row =
            |name: String, bytes: u64| sheet.push(vec![name, grouped(bytes), percent(bytes, whole)]);
        parts.iter().for_each(|part| row(part_name(part), part.bytes));
        row("In all".to_owned(), whole);
        sheet
    }

    fn places(&self, numbers: &[u32]) -> Sheet {
        let mut sheet = Sheet::new(&self.name, &["Place", "From byte", "To byte", "Bytes stored"]);
        let &[_, _, header, size, _, ref places @ ..] = numbers else { return sheet };
        let mut from = u64::from(header);
        for (place, &stored) in places.iter().enumerate() {
            let to = from + u64::from(size);
            let stored = if stored == FREE { String::new() } else { grouped(stored.into()) };
            sheet.push(vec![place.to_string(), grouped(from), grouped(to.saturating_sub(1)), stored]);
            from = to;
        }
        sheet
    }
}
