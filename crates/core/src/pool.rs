//! What every allocator model offers, whichever kernel allocator it models.
//!
//! A pool gets *spans* from the page allocator and hands out objects in them. A span is a zspage of
//! zsmalloc, a block of zblock or a slab of SLUB. Each span belongs to a *class* (size class, block
//! type, cache) and sits in one of its class's *groups* (fullness group, active or full list ...).

use std::fmt;

use crate::ranked::ascending;

/// The caller's number of a live object. Dense: a pool keeps a table indexed by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub u32);

/// The creation number of a span in its pool; never reused. zsmalloc counts from 1, as its golden
/// logs do, zblock and SLUB from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpanId(pub u32);

/// Where an object lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Index of the class (size class index as the kernel prints it, block type, cache).
    pub class: u16,
    /// The span.
    pub span: SpanId,
    /// Index of the object in its span, from 0.
    pub index: u16,
}

/// Where a span was put in the list of its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListSpot {
    /// First.
    Head,
    /// Directly behind the first.
    Second,
    /// Last.
    Tail,
    /// The group keeps no list.
    Unlisted,
    /// Where it was: both groups share one list.
    Kept,
}

/// Why an object was moved, a span chosen, or compaction of a class ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The span heads the list of this group, the fullest that has room.
    FullestWithRoom(u8),
    /// The span heads the list of this group, the emptiest in use.
    EmptiestInUse(u8),
    /// The destination of the previous source still has room and stays held.
    StillHeld,
    /// No span of the class could be freed by moving objects.
    NothingToGain,
    /// No span is left to take objects from.
    NoSource,
    /// No span is left that could take objects.
    NoDestination,
}

/// What happened inside a pool. An operation emits its events in the order in which they happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A span came from the page allocator.
    SpanCreated {
        /// Its class.
        class: u16,
        /// Its number.
        span: SpanId,
        /// Pages it takes.
        pages: u16,
    },
    /// A span went back to the page allocator.
    SpanFreed {
        /// Its class.
        class: u16,
        /// Its number.
        span: SpanId,
        /// Pages it took.
        pages: u16,
    },
    /// An object was placed.
    Placed {
        /// The object.
        object: ObjectId,
        /// Where.
        at: Place,
    },
    /// An object was freed.
    Removed {
        /// The object.
        object: ObjectId,
        /// Where it was.
        from: Place,
    },
    /// A span was put into the list of a group: from another group, back after having been taken out
    /// (then `from` equals `to`), or as a new span (then `from` is `None`).
    Grouped {
        /// The span's class.
        class: u16,
        /// The span.
        span: SpanId,
        /// Group it was in.
        from: Option<u8>,
        /// Group it is in now.
        to: u8,
        /// Where in that group's list.
        spot: ListSpot,
    },
    /// Compaction took a span out of its list to empty it.
    SourceTaken {
        /// The class.
        class: u16,
        /// The span.
        span: SpanId,
        /// Why this one.
        why: Why,
    },
    /// Compaction took a span out of its list to fill it, or went on with the one it holds.
    DestinationTaken {
        /// The class.
        class: u16,
        /// The span.
        span: SpanId,
        /// Why this one.
        why: Why,
    },
    /// Compaction moved an object.
    Moved {
        /// The object.
        object: ObjectId,
        /// Where it was.
        from: Place,
        /// Where it is.
        to: Place,
    },
    /// Compaction of a class ended.
    ClassDone {
        /// The class.
        class: u16,
        /// Why it stopped.
        why: Why,
    },
}

/// Takes events as they happen.
pub trait Sink {
    /// Takes one event.
    fn event(&mut self, event: Event);
}

impl<S: Sink + ?Sized> Sink for &mut S {
    fn event(&mut self, event: Event) {
        (**self).event(event);
    }
}

/// Drops every event.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ignore;

impl Sink for Ignore {
    fn event(&mut self, _: Event) {}
}

impl Sink for Vec<Event> {
    fn event(&mut self, event: Event) {
        self.push(event);
    }
}

/// Counts events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count(pub u64);

impl Sink for Count {
    fn event(&mut self, _: Event) {
        self.0 += 1;
    }
}

/// Why an allocation failed. The words of the kernel's error, where it has one, are in `Display`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MallocError {
    /// The size is 0.
    ZeroSize,
    /// The size is above what the allocator takes.
    TooLarge {
        /// Largest size it takes.
        max: u32,
    },
    /// The size is above what the allocator looks up at all, which it calls an invalid argument rather than
    /// a lack of space (zblock in Rust, above a page).
    Invalid {
        /// Largest size it takes.
        max: u32,
    },
    /// The allocator's table has no entry for this size and the kernel would warn (zblock v4).
    NoType,
    /// The kernel's look-up runs past its table for this size (zblock mm0502 and later).
    OutOfBounds,
    /// The object number is in use.
    Live,
}

impl fmt::Display for MallocError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ZeroSize => f.write_str("a request of 0 bytes fails"),
            Self::TooLarge { max } | Self::Invalid { max } => write!(f, "the largest request is {max} bytes"),
            Self::NoType => f.write_str("no block type covers this size: the kernel warns and fails"),
            Self::OutOfBounds => f.write_str("the kernel reads past its table for this size"),
            Self::Live => f.write_str("this object is still allocated"),
        }
    }
}

impl std::error::Error for MallocError {}

/// A free of an object that is not allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotLive;

impl fmt::Display for NotLive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this object is not allocated")
    }
}

impl std::error::Error for NotLive {}

/// What a free did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freed {
    /// Where the object was.
    pub from: Place,
    /// True if its span went back to the page allocator.
    pub span_freed: bool,
}

/// What one compaction of the whole pool did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Compaction {
    /// What the kernel's function returns in this generation (objects, pages in all, pages now).
    pub returned: u64,
    /// Objects moved.
    pub objects_moved: u64,
    /// Pages given back.
    pub pages_freed: u64,
}

/// Exact sums over a pool, kept up to date: reading them costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Totals {
    /// Pages held.
    pub pages: u64,
    /// Most pages ever held.
    pub pages_peak: u64,
    /// Spans held.
    pub spans: u64,
    /// Objects that fit the spans held (`obj_allocated`).
    pub capacity: u64,
    /// Objects live (`obj_used`).
    pub objects: u64,
    /// Bytes requested by the live objects.
    pub bytes: u64,
    /// Operations that failed so far.
    pub failed: u64,
}

/// Sums over one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ClassTotals {
    /// Class index.
    pub class: u16,
    /// Bytes of an object, rounding included.
    pub size: u32,
    /// Pages of a span.
    pub pages_per_span: u16,
    /// Objects of a span.
    pub objects_per_span: u16,
    /// Spans held.
    pub spans: u32,
    /// Objects that fit the spans held.
    pub capacity: u64,
    /// Objects live.
    pub objects: u64,
    /// Pages that compaction could return (0 where the allocator has none).
    pub freeable_pages: u64,
}

/// A span as it is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpanView {
    /// Its number.
    pub id: SpanId,
    /// Where the pool keeps it: a handle for [`Pool::slots`], valid until the next operation.
    pub key: u32,
    /// Its class.
    pub class: u16,
    /// Its group, an index into [`Pool::group_names`].
    pub group: u8,
    /// Objects in it.
    pub used: u16,
    /// Objects that fit.
    pub capacity: u16,
    /// Pages it takes.
    pub pages: u16,
    /// Operation (counted from 1) that created it.
    pub born: u32,
}

/// Sorts spans by their number, by the one sort for all: each sort of its own weighs some kilobytes in the page.
pub fn sort_by_number(spans: &mut [SpanView]) {
    if spans.is_sorted_by_key(|span| span.id) {
        return;
    }
    let keys: Vec<i64> = spans.iter().map(|span| span.id.0.into()).collect();
    let sorted: Vec<SpanView> = ascending(&keys).into_iter().map(|at| spans[at as usize]).collect();
    spans.copy_from_slice(&sorted);
}

/// One place of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotView {
    /// An object lies here.
    Used {
        /// Its number.
        object: ObjectId,
        /// Bytes requested.
        size: u32,
        /// Operation (counted from 1) that allocated it.
        born: u32,
    },
    /// Free; `Some(n)` if the n-th allocation from this span (from 0) would take it, where the
    /// model keeps a free list or a fixed order.
    Free {
        /// Place in the order in which free places are handed out.
        next: Option<u16>,
    },
}

/// An allocator model that can be driven.
///
/// All numbers it reports are exact and are those the kernel would report. A pool is a value: cloning it
/// is how a [timeline](crate::timeline) remembers a moment.
pub trait Pool: Clone {
    /// Allocates `size` bytes and calls them `object`.
    ///
    /// # Errors
    /// The request is one the kernel refuses, or `object` is live. A failed request changes only the
    /// count of failures and the operation count.
    fn malloc<S: Sink>(&mut self, object: ObjectId, size: u32, sink: &mut S) -> Result<Place, MallocError>;

    /// Frees an object.
    ///
    /// # Errors
    /// The object is not live; nothing changes but the operation count.
    fn free<S: Sink>(&mut self, object: ObjectId, sink: &mut S) -> Result<Freed, NotLive>;

    /// Compacts the whole pool; `None` where the allocator has no compaction. Counts as an operation either way.
    fn compact<S: Sink>(&mut self, sink: &mut S) -> Option<Compaction>;

    /// Counts an operation that changes nothing (a report in a trace).
    fn tick(&mut self);

    /// Operations applied so far, failed ones included.
    fn operations(&self) -> u32;

    /// Sums over the pool.
    fn totals(&self) -> Totals;

    /// Sums over each class that can hold objects, ascending by class.
    fn classes(&self) -> Vec<ClassTotals>;

    /// The class that serves requests of a size; `None` where one is refused.
    fn class_of(&self, size: u32) -> Option<u16>;

    /// Bytes of a span in front of its first place: a block's header; none for the others.
    fn header_bytes(&self) -> u32 {
        0
    }

    /// Names of the groups, emptiest first; a group's number is its index here.
    fn group_names(&self) -> &'static [&'static str];

    /// Spans of each group of a class: one count per group, in the order of [`Self::group_names`].
    fn group_counts(&self, class: u16) -> Vec<u32>;

    /// Number of the spans of a class and group in list order, head first; where the group keeps no
    /// list, ascending by number.
    fn group_list(&self, class: u16, group: u8) -> Vec<SpanView>;

    /// Every span, in no promised order. Cheap: no allocation, no sorting.
    fn for_each_span(&self, visit: &mut dyn FnMut(SpanView));

    /// A span by its number.
    fn span(&self, id: SpanId) -> Option<SpanView>;

    /// The span that is kept at a place; unlike the look-up by number this takes no time.
    fn span_at(&self, key: u32) -> Option<SpanView> {
        let mut found = None;
        self.for_each_span(&mut |span| {
            if span.key == key {
                found = Some(span);
            }
        });
        found
    }

    /// The places of a span, ascending by index.
    fn slots(&self, key: u32) -> Vec<SlotView>;

    /// Visits the used places of a span, ascending by index.
    ///
    /// The default goes through [`Self::slots`]; a model that keeps a bitmap can answer without
    /// building a list, which a map of many spans needs.
    fn for_each_used(&self, key: u32, visit: &mut dyn FnMut(u16)) {
        for (index, slot) in self.slots(key).iter().enumerate() {
            if matches!(slot, SlotView::Used { .. }) {
                visit(index as u16);
            }
        }
    }

    /// Where a live object is.
    fn place(&self, object: ObjectId) -> Option<Place>;

    /// Bytes that a copy of this value takes in memory, heap included: what a snapshot costs.
    fn memory_bytes(&self) -> usize;
}
