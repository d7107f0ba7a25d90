//! The live objects of a pool, by number.

use crate::pool::ObjectId;

/// No span.
const NONE: u32 = u32::MAX;

/// Where a live object is and how large: twelve bytes, because a random free reads one of them from
/// memory that no cache near the processor holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Object {
    /// Its span; [`NONE`] if the number is free.
    pub(crate) span: u32,
    /// Operation that allocated it.
    pub(crate) born: u32,
    /// Its place in the span.
    pub(crate) index: u16,
    /// Bytes requested, less one: a request is 1 to 65,536 bytes.
    size_less_one: u16,
}

const FREE_NUMBER: Object = Object { span: NONE, born: 0, index: 0, size_less_one: 0 };

impl Object {
    /// Bytes requested.
    #[inline]
    pub(crate) fn size(self) -> u32 {
        u32::from(self.size_less_one) + 1
    }
}

/// A table indexed by object number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Objects(Vec<Object>);

impl Objects {
    /// The object, if it is live.
    #[inline]
    pub(crate) fn get(&self, object: ObjectId) -> Option<Object> {
        self.0.get(object.0 as usize).copied().filter(|object| object.span != NONE)
    }

    /// Enters a new object of at least one byte.
    #[inline]
    pub(crate) fn enter(&mut self, object: ObjectId, size: u32, born: u32, (span, index): (u32, u16)) {
        let number = object.0 as usize;
        if number >= self.0.len() {
            // In powers of two: a test that is nearly always false costs nothing.
            self.0.resize((number + 1).next_power_of_two(), FREE_NUMBER);
        }
        self.0[number] = Object { span, born, index, size_less_one: (size - 1) as u16 };
    }

    /// Takes a live object out.
    #[inline]
    pub(crate) fn take(&mut self, object: ObjectId) -> Option<Object> {
        let record = self.0.get_mut(object.0 as usize).filter(|object| object.span != NONE)?;
        Some(std::mem::replace(record, FREE_NUMBER))
    }

    /// Notes that a live object was moved.
    pub(crate) fn moved(&mut self, number: u32, span: u32, index: u16) {
        let record = &mut self.0[number as usize];
        record.span = span;
        record.index = index;
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        self.0.capacity() * size_of::<Object>()
    }
}
