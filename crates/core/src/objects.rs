//! The live objects of a pool, by number.

use crate::pool::ObjectId;

/// No span.
const NONE: u32 = u32::MAX;

/// How a table remembers what was requested.
pub(crate) trait Requested: Copy + Default {
    fn pack(bytes: u32) -> Self;
    fn bytes(self) -> u32;
}

/// One less: a request is 1 to 65,536 bytes.
impl Requested for u16 {
    #[inline]
    fn pack(bytes: u32) -> Self {
        (bytes - 1) as Self
    }

    #[inline]
    fn bytes(self) -> u32 {
        u32::from(self) + 1
    }
}

/// Any request.
impl Requested for u32 {
    #[inline]
    fn pack(bytes: u32) -> Self {
        bytes
    }

    #[inline]
    fn bytes(self) -> u32 {
        self
    }
}

/// Where a live object is and how large: twelve bytes for small requests, because a random free reads one of
/// them from memory that no cache near the processor holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object<R = u16> {
    /// Its span; [`NONE`] if the number is free.
    pub(crate) span: u32,
    /// Operation that allocated it.
    pub(crate) born: u32,
    /// Its place in the span.
    pub(crate) index: u16,
    requested: R,
}

impl<R: Requested> Object<R> {
    /// What a free number has.
    #[inline]
    fn free_number() -> Self {
        Self { span: NONE, born: 0, index: 0, requested: R::default() }
    }

    /// Bytes requested.
    #[inline]
    pub(crate) fn size(self) -> u32 {
        self.requested.bytes()
    }
}

/// A table indexed by object number.
#[derive(Debug, Default)]
pub(crate) struct Objects<R = u16>(Vec<Object<R>>);

impl<R: Requested> Clone for Objects<R> {
    fn clone(&self) -> Self {
        Self(self.up_to_last().to_vec())
    }
}

impl<R: Requested> Objects<R> {
    /// The object, if it is live.
    #[inline]
    pub(crate) fn get(&self, object: ObjectId) -> Option<Object<R>> {
        self.0.get(object.0 as usize).copied().filter(|object| object.span != NONE)
    }

    /// Enters a new object of at least one byte.
    #[inline]
    pub(crate) fn enter(&mut self, object: ObjectId, size: u32, born: u32, (span, index): (u32, u16)) {
        let number = object.0 as usize;
        if number >= self.0.len() {
            // In powers of two: a test that is nearly always false costs nothing.
            self.0.resize((number + 1).next_power_of_two(), Object::free_number());
        }
        self.0[number] = Object { span, born, index, requested: R::pack(size) };
    }

    /// Takes a live object out.
    #[inline]
    pub(crate) fn take(&mut self, object: ObjectId) -> Option<Object<R>> {
        let record = self.0.get_mut(object.0 as usize).filter(|object| object.span != NONE)?;
        Some(std::mem::replace(record, Object::free_number()))
    }

    /// Notes that a live object was moved.
    pub(crate) fn moved(&mut self, number: u32, span: u32, index: u16) {
        let record = &mut self.0[number as usize];
        record.span = span;
        record.index = index;
    }

    /// The records up to the last live object: what a copy needs.
    fn up_to_last(&self) -> &[Object<R>] {
        let live = self.0.iter().rposition(|object| object.span != NONE);
        self.0.get(..live.map_or(0, |last| last + 1)).unwrap_or_default()
    }

    /// Bytes of a copy.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of_val(self.up_to_last())
    }
}
