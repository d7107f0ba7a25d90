//! A pool as an onlooker knows it who sees nothing but events: what a picture can know.

#![allow(clippy::panic, reason = "it is a check, for tests only")]

use std::collections::BTreeMap;

use slabscope_core::pool::{Event, ListSpot, ObjectId, Place, SpanId};

/// Spans, groups and lists, put together from the events of a pool whose objects never move.
#[derive(Clone, Debug)]
pub struct Onlooker {
    /// Class, pages and objects by place of each span.
    pub spans: BTreeMap<SpanId, (u16, u16, BTreeMap<u16, ObjectId>)>,
    /// Group of each span.
    pub groups: BTreeMap<SpanId, u8>,
    /// Spans of each list of a class, head first.
    pub lists: BTreeMap<(u16, u8), Vec<SpanId>>,
    list_of: fn(u8) -> u8,
    kept: Option<(u8, u8)>,
}

impl Onlooker {
    /// Knows nothing yet. `list_of` gives the list of a group; `kept` the only two groups between which a span may
    /// go without leaving its place in the list, if there are any.
    pub fn new(list_of: fn(u8) -> u8, kept: Option<(u8, u8)>) -> Self {
        Self { spans: BTreeMap::new(), groups: BTreeMap::new(), lists: BTreeMap::new(), list_of, kept }
    }

    /// Takes an event.
    ///
    /// # Panics
    /// It contradicts what was seen before, or is one that these pools have not.
    pub fn see(&mut self, event: Event) {
        match event {
            Event::SpanCreated { class, span, pages } => {
                assert!(self.spans.insert(span, (class, pages, BTreeMap::new())).is_none());
            }
            Event::SpanFreed { class, span, pages } => {
                assert_eq!(self.spans.remove(&span), Some((class, pages, BTreeMap::new())));
                self.groups.remove(&span);
                self.unlist(span);
            }
            Event::Placed { object, at } => self.check_place(object, at, true),
            Event::Removed { object, from } => self.check_place(object, from, false),
            Event::Grouped { class, span, from, to, spot } => {
                assert_eq!(self.groups.insert(span, to), from);
                if spot == ListSpot::Kept {
                    assert_eq!(from.map(|from| (from, to)), self.kept, "nothing else is kept in its place");
                    assert!(self.kept.is_some(), "nothing is kept in its place");
                    return;
                }
                self.unlist(span);
                let list = self.lists.entry((class, (self.list_of)(to))).or_default();
                match spot {
                    ListSpot::Head => list.insert(0, span),
                    ListSpot::Tail => list.push(span),
                    ListSpot::Unlisted => {}
                    other => panic!("nothing is put {other:?}"),
                }
            }
            other => panic!("there is no {other:?}"),
        }
    }

    /// The list of a group, head first.
    pub fn list(&self, class: u16, group: u8) -> &[SpanId] {
        self.lists.get(&(class, (self.list_of)(group))).map_or(&[][..], Vec::as_slice)
    }

    fn unlist(&mut self, span: SpanId) {
        for list in self.lists.values_mut() {
            list.retain(|&other| other != span);
        }
    }

    fn check_place(&mut self, object: ObjectId, at: Place, is_new: bool) {
        let Some((class, _, places)) = self.spans.get_mut(&at.span) else {
            panic!("{object:?} lies in {:?}, which there is not", at.span)
        };
        assert_eq!(*class, at.class);
        let was = if is_new { places.insert(at.index, object) } else { places.remove(&at.index) };
        assert_eq!(was, if is_new { None } else { Some(object) });
    }
}
