//! One span close up: what is followed, and its drawing.

use slabscope_charts::zspage::{Slot as Drawn, SpanPicture};
use slabscope_core::pool::{ObjectId, Pool as _, SpanId};

use crate::moment::close;
use crate::protocol::{Close, Follow, Slot};
use crate::run::Run;
use crate::words;

/// The span that is followed after the step at which the run is, by its number; it may be gone.
pub(crate) fn followed(run: &Run, follow: Follow, touched: Option<SpanId>) -> Option<SpanId> {
    match follow {
        Follow::Span(id) => Some(SpanId(id)),
        Follow::Object(id) => run.timeline.pool().place(ObjectId(id)).map(|place| place.span),
        Follow::Operation => touched,
    }
}

/// Puts the run at a step and gives the span that is followed there, if it is there.
pub fn close_up(run: &mut Run, step: u32, follow: Follow) -> Option<Close> {
    let step = run.timeline.seek(step);
    let touched = run.timeline.events_of(step).and_then(words::touched);
    let id = followed(run, follow, touched)?;
    run.timeline.pool().span(id).map(|span| close(run, &span))
}

/// Most places that are drawn one by one.
const DRAWN: usize = 512;

impl Close {
    /// Its drawing, in pages of so many bytes; an object may be looked at.
    pub fn picture(&self, page_bytes: u32, object: Option<u32>) -> SpanPicture {
        let slot = |slot: &Slot| match *slot {
            Slot::Used(id, size, _) => {
                Drawn { text: id.to_string(), data: Some(size), selected: object == Some(id) }
            }
            Slot::Free(next) => Drawn { text: "free".to_owned(), data: None, selected: next == Some(0) },
        };
        SpanPicture {
            page_bytes,
            pages: self.pages,
            header: self.header,
            size: self.size,
            handle: 0,
            slots: self.slots.iter().take(DRAWN).map(slot).collect(),
        }
    }
}
