//! Operations and events in plain words.
//!
//! Views, the live region and the command line say the same sentence about the same event, because
//! they all take it from here.

use crate::model::Model;
use crate::oplog::Outcome;
use crate::ops::Op;
use crate::pool::{Event, Freed, ListSpot, SpanId, Why};

/// What an allocator calls its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// One span.
    pub span: &'static str,
    /// Several spans.
    pub spans: &'static str,
    /// What stands before the name of a class.
    pub class: &'static str,
    /// Several classes.
    pub classes: &'static str,
    /// The groups of spans as a whole.
    pub groups: &'static str,
    /// What returns pages without freeing objects, as the beginning of a sentence, where there is such a thing.
    pub compacting: Option<&'static str>,
}

impl Terms {
    /// Those of a model.
    pub const fn of(model: Model) -> &'static Self {
        match model {
            Model::Zsmalloc => &Self::ZSMALLOC,
            Model::Zblock => &Self::ZBLOCK,
            Model::Slub => &Self::SLUB,
        }
    }

    /// zsmalloc's.
    pub const ZSMALLOC: Self = Self {
        span: "zspage",
        spans: "zspages",
        class: "class",
        classes: "classes",
        groups: "fullness groups",
        compacting: Some("Compacting"),
    };
    /// zblock's.
    pub const ZBLOCK: Self = Self {
        span: "block",
        spans: "blocks",
        class: "type",
        classes: "types",
        groups: "lists",
        compacting: None,
    };
    /// SLUB's.
    pub const SLUB: Self = Self {
        span: "slab",
        spans: "slabs",
        class: "cache",
        classes: "caches",
        groups: "lists",
        compacting: Some("Shrinking the caches"),
    };
}

/// Says what happened. `size_of` gives the object size of a class, which is also its name.
#[derive(Clone, Copy)]
pub struct Teller<'a> {
    /// What the allocator calls its parts.
    pub terms: &'a Terms,
    /// Names of the groups.
    pub groups: &'a [&'a str],
    /// Bytes of an object of a class.
    pub size_of: &'a dyn Fn(u16) -> u32,
}

impl std::fmt::Debug for Teller<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Teller")
            .field("terms", self.terms)
            .field("groups", &self.groups)
            .finish_non_exhaustive()
    }
}

impl Teller<'_> {
    /// A class by name: "class 1632".
    pub fn class(&self, class: u16) -> String {
        format!("{} {}", self.terms.class, (self.size_of)(class))
    }

    /// An operation in a few words: "free 1,564, class 1632". `size` is what was requested for the
    /// object, as far as it is known; `class` the class it belongs to.
    pub fn headline(&self, op: Op, size: Option<u32>, class: Option<u16>) -> String {
        let verb = match op {
            Op::Alloc { .. } => "allocate",
            Op::Free { .. } => "free",
            Op::Compact => return "compact the pool".to_owned(),
            Op::Report => return "report".to_owned(),
        };
        let size = size.map_or_else(|| "an unknown object".to_owned(), |size| grouped(size.into()));
        match class {
            Some(class) => format!("{verb} {size}, {}", self.class(class)),
            None => format!("{verb} {size}"),
        }
    }

    /// An operation that has been applied, in one sentence without its full stop. `size` as in
    /// [`Self::headline`]; `filled` is how many objects the span holds now, and can.
    pub fn outcome(
        &self,
        size: Option<u32>,
        outcome: Outcome,
        events: &[Event],
        filled: Option<(u16, u16)>,
    ) -> String {
        let span = self.terms.span;
        let object = size
            .map_or_else(|| "an object".to_owned(), |size| format!("an object of {}", bytes(size.into())));
        let holds = filled.map_or_else(String::new, |(used, of)| format!(", which now holds {used} of {of}"));
        match outcome {
            Outcome::Placed(at) => match created(events, at.span) {
                Some(pages) => {
                    format!(
                        "{object} goes to {span} {}, new with {}{holds}",
                        at.span.0,
                        counted(pages.into(), "page", "pages")
                    )
                }
                None => format!("{object} goes to {span} {} of {}{holds}", at.span.0, self.class(at.class)),
            },
            Outcome::Failed(why) => {
                let asked = size.map_or_else(String::new, |size| format!(" for {}", bytes(size.into())));
                format!("the request{asked} fails: {why}")
            }
            Outcome::Freed(Freed { from, span_freed: true }) => {
                format!("{object} leaves {span} {}, the last one: its pages go back", from.span.0)
            }
            Outcome::Freed(Freed { from, .. }) => format!("{object} leaves {span} {}{holds}", from.span.0),
            Outcome::NotLive => "a free of an object that is not allocated: skipped".to_owned(),
            Outcome::Compacted(done) if done.objects_moved == 0 && done.pages_freed == 0 => {
                "compaction finds nothing to gain".to_owned()
            }
            Outcome::Compacted(done) => format!(
                "compaction moves {} and returns {}",
                counted(done.objects_moved, "object", "objects"),
                counted(done.pages_freed, "page", "pages")
            ),
            Outcome::CannotCompact => "this allocator has no compaction".to_owned(),
            Outcome::Reported => "a report: nothing changes".to_owned(),
        }
    }

    /// One event in one sentence without its full stop.
    pub fn event(&self, event: &Event) -> String {
        let span = self.terms.span;
        match *event {
            Event::SpanCreated { span: id, pages, .. } => {
                format!(
                    "{span} {} is made of {} from the page allocator",
                    id.0,
                    counted(pages.into(), "page", "pages")
                )
            }
            Event::SpanFreed { span: id, pages, .. } => {
                format!("{span} {} is empty: {} back", id.0, counted_go(pages.into()))
            }
            Event::Placed { object, at } => {
                format!("object {} goes to {span} {}, slot {}", object.0, at.span.0, at.index)
            }
            Event::Removed { object, from } => {
                format!("object {} leaves {span} {}, slot {}", object.0, from.span.0, from.index)
            }
            Event::Grouped { span: id, from, to, spot, .. } => self.grouped(id, from, to, spot),
            Event::SourceTaken { span: id, why, .. } => format!("source: {span} {}, {}", id.0, self.why(why)),
            Event::DestinationTaken { span: id, why, .. } => {
                format!("destination: {span} {}, {}", id.0, self.why(why))
            }
            Event::Moved { object, from, to } => format!(
                "object {} moves from {span} {}, slot {}, to {span} {}, slot {}",
                object.0, from.span.0, from.index, to.span.0, to.index
            ),
            Event::ClassDone { class, why } => format!("{} is done: {}", self.class(class), self.why(why)),
        }
    }

    fn grouped(&self, id: SpanId, from: Option<u8>, to: u8, spot: ListSpot) -> String {
        let (span, to_name) = (self.terms.span, self.group(to));
        let place = match spot {
            ListSpot::Head => ", first in its list",
            ListSpot::Second => ", second in its list",
            ListSpot::Tail => ", last in its list",
            ListSpot::Unlisted => ", which keeps no list",
            ListSpot::Kept => " and keeps its place",
        };
        match from {
            Some(from) if from == to => format!("{span} {} returns to {to_name}{place}", id.0),
            Some(from) => format!("{span} {} moves from {} to {to_name}{place}", id.0, self.group(from)),
            None => format!("{span} {} joins {to_name}{place}", id.0),
        }
    }

    fn group(&self, group: u8) -> &str {
        self.groups.get(usize::from(group)).copied().unwrap_or("an unknown group")
    }

    /// A reason as a clause.
    pub fn why(&self, why: Why) -> String {
        let span = self.terms.span;
        match why {
            Why::FullestWithRoom(group) => {
                format!("first of {}, the fullest group with room", self.group(group))
            }
            Why::EmptiestInUse(group) => format!("first of {}, the emptiest group in use", self.group(group)),
            Why::StillHeld => "held since the last source because it still has room".to_owned(),
            Why::NothingToGain => format!("no {span} would become empty"),
            Why::NoSource => format!("no {span} is left to take objects from"),
            Why::NoDestination => format!("no {span} is left that has room"),
        }
    }
}

fn created(events: &[Event], id: SpanId) -> Option<u16> {
    events.iter().find_map(|event| match event {
        Event::SpanCreated { span, pages, .. } if *span == id => Some(*pages),
        _ => None,
    })
}

fn counted_go(pages: u64) -> String {
    if pages == 1 { "1 page goes".to_owned() } else { format!("{} pages go", grouped(pages)) }
}

/// A count with its noun: "1 page", "1,632 pages".
pub fn counted(count: u64, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{} {many}", grouped(count)) }
}

/// Bytes with their unit: "1 byte", "1,632 bytes".
pub fn bytes(count: u64) -> String {
    counted(count, "byte", "bytes")
}

/// The beginning of a sentence: a capital, where the text begins with a letter of ASCII.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        std::iter::once(first.to_ascii_uppercase()).chain(letters).collect()
    })
}

/// A number in groups of three: "1,632".
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number with at most two decimals. Written by whole numbers: the library's way of writing fractions is exact to the
/// last digit, which is more than a reader wants and weighs several kilobytes in WebAssembly.
pub fn hundredths(number: f64) -> String {
    let all = (number.abs() * 100.0).round() as u64;
    let sign = if number < 0.0 && all > 0 { "\u{2212}" } else { "" };
    let (whole, part) = (grouped(all / 100), all % 100);
    match part {
        0 => format!("{sign}{whole}"),
        part if part.is_multiple_of(10) => format!("{sign}{whole}.{}", part / 10),
        part => format!("{sign}{whole}.{part:02}"),
    }
}

/// A number with exactly one decimal, as [`hundredths`] otherwise.
pub fn tenths(number: f64) -> String {
    let all = (number.abs() * 10.0).round() as u64;
    let sign = if number < 0.0 && all > 0 { "\u{2212}" } else { "" };
    format!("{sign}{}.{}", grouped(all / 10), all % 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::{MallocError, ObjectId, Place};

    const GROUPS: &[&str] = &["empty", "10%", "100%"];

    fn teller(size_of: &dyn Fn(u16) -> u32) -> Teller<'_> {
        Teller { terms: &Terms::ZSMALLOC, groups: GROUPS, size_of }
    }

    #[test]
    fn numbers_are_grouped_by_three() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (12_345_678, "12,345,678")] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(counted(1, "page", "pages"), "1 page");
    }

    #[test]
    fn fractions_are_rounded() {
        let written = |number| (hundredths(number), tenths(number));
        assert_eq!(written(1234.567), ("1,234.57".to_owned(), "1,234.6".to_owned()));
        assert_eq!(written(-0.001), ("0".to_owned(), "0.0".to_owned()));
        assert_eq!(written(-2.5), ("\u{2212}2.5".to_owned(), "\u{2212}2.5".to_owned()));
        assert_eq!(written(0.05), ("0.05".to_owned(), "0.1".to_owned()));
    }

    #[test]
    fn a_headline_names_size_and_class() {
        let size_of = |_| 1632;
        let teller = teller(&size_of);
        let free = Op::Free { object: ObjectId(7) };
        assert_eq!(teller.headline(free, Some(1564), Some(101)), "free 1,564, class 1632");
        assert_eq!(teller.headline(free, None, None), "free an unknown object");
        assert_eq!(teller.headline(Op::Compact, None, None), "compact the pool");
    }

    #[test]
    fn an_outcome_says_where_the_object_went() {
        let size_of = |_| 1632;
        let teller = teller(&size_of);
        let at = Place { class: 101, span: SpanId(138), index: 1 };
        let said = teller.outcome(Some(1564), Outcome::Placed(at), &[], Some((4, 5)));
        assert_eq!(said, "an object of 1,564 bytes goes to zspage 138 of class 1632, which now holds 4 of 5");
        let new = [Event::SpanCreated { class: 101, span: SpanId(138), pages: 2 }];
        let said = teller.outcome(Some(1564), Outcome::Placed(at), &new, Some((1, 5)));
        assert_eq!(
            said,
            "an object of 1,564 bytes goes to zspage 138, new with 2 pages, which now holds 1 of 5"
        );
        let refused =
            teller.outcome(Some(5000), Outcome::Failed(MallocError::TooLarge { max: 4096 }), &[], None);
        assert_eq!(refused, "the request for 5,000 bytes fails: the largest request is 4096 bytes");
    }

    #[test]
    fn events_give_their_reason() {
        let size_of = |_| 1632;
        let teller = teller(&size_of);
        let taken = Event::SourceTaken { class: 1, span: SpanId(3), why: Why::EmptiestInUse(1) };
        assert_eq!(teller.event(&taken), "source: zspage 3, first of 10%, the emptiest group in use");
        let back = Event::Grouped { class: 1, span: SpanId(3), from: Some(1), to: 1, spot: ListSpot::Tail };
        assert_eq!(teller.event(&back), "zspage 3 returns to 10%, last in its list");
        let done = Event::ClassDone { class: 1, why: Why::NoSource };
        assert_eq!(teller.event(&done), "class 1632 is done: no zspage is left to take objects from");
    }
}
