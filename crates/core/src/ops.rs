//! A stream of operations, eight bytes each.

use crate::pool::ObjectId;

/// One operation on a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Allocate `size` bytes and call them `object`.
    Alloc {
        /// The caller's number for the new object.
        object: ObjectId,
        /// Requested bytes, at most [`Ops::MAX_SIZE`].
        size: u32,
    },
    /// Free an object. Unknown numbers are allowed: a pool answers that it is not live.
    Free {
        /// The number given at allocation.
        object: ObjectId,
    },
    /// Compact the whole pool.
    Compact,
    /// No change: a place where a trace asks for a report.
    Report,
}

/// A stream of operations in memory.
///
/// Object numbers are dense (an object's number is reused after it is freed), because pools index
/// tables with them. A stream that came from a trace with numbers of its own keeps them as *names*.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ops {
    packed: Vec<u64>,
    /// The trace's own number of the object of each operation; empty if it equals the dense one.
    names: Vec<u32>,
}

const KIND_SHIFT: u32 = 62;
const SIZE_SHIFT: u32 = 32;
const KIND_ALLOC: u64 = 0;
const KIND_FREE: u64 = 1;
const KIND_COMPACT: u64 = 2;
const KIND_REPORT: u64 = 3;

impl Ops {
    /// The largest size an operation can carry; readers of traces refuse more with the line.
    pub const MAX_SIZE: u32 = (1 << 30) - 1;

    /// An empty stream.
    pub const fn new() -> Self {
        Self { packed: Vec::new(), names: Vec::new() }
    }

    /// Appends an operation; a size above [`Self::MAX_SIZE`] is stored as that.
    pub fn push(&mut self, op: Op) {
        self.packed.push(match op {
            Op::Alloc { object, size } => {
                (KIND_ALLOC << KIND_SHIFT)
                    | (u64::from(size.min(Self::MAX_SIZE)) << SIZE_SHIFT)
                    | u64::from(object.0)
            }
            Op::Free { object } => (KIND_FREE << KIND_SHIFT) | u64::from(object.0),
            Op::Compact => KIND_COMPACT << KIND_SHIFT,
            Op::Report => KIND_REPORT << KIND_SHIFT,
        });
    }

    /// Appends an operation whose object has a name of its own in the trace it came from.
    pub fn push_named(&mut self, op: Op, name: u32) {
        self.names.resize(self.packed.len(), 0);
        self.push(op);
        self.names.push(name);
    }

    /// The operation at `index`, counted from 0.
    pub fn get(&self, index: usize) -> Option<Op> {
        self.packed.get(index).copied().map(unpack)
    }

    /// The name of the object of operation `index`: the trace's own number or the dense one.
    pub fn name(&self, index: usize) -> Option<u32> {
        match self.get(index)? {
            Op::Alloc { object, .. } | Op::Free { object } => {
                Some(self.names.get(index).copied().unwrap_or(object.0))
            }
            Op::Compact | Op::Report => None,
        }
    }

    /// Bytes requested for the object of operation `index`: of an allocation its own size, of a free that of
    /// the latest allocation before it. `None` if there is none.
    pub fn requested(&self, index: usize) -> Option<u32> {
        match self.get(index)? {
            Op::Alloc { size, .. } => Some(size),
            Op::Free { object } => {
                // Its allocation but for the size; looked for over many operations, so compared as it is stored.
                let wanted = (KIND_ALLOC << KIND_SHIFT) | u64::from(object.0);
                let mask = (3 << KIND_SHIFT) | u64::from(u32::MAX);
                let word = self.packed.get(..index)?.iter().rfind(|&&word| word & mask == wanted)?;
                Some((word >> SIZE_SHIFT) as u32 & Self::MAX_SIZE)
            }
            Op::Compact | Op::Report => None,
        }
    }

    /// Number of operations.
    pub fn len(&self) -> usize {
        self.packed.len()
    }

    /// True without operations.
    pub fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// Drops the operations behind the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.packed.truncate(len);
        self.names.truncate(len);
    }

    /// All operations in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Op> + '_ {
        self.packed.iter().copied().map(unpack)
    }

    /// Bytes this stream takes in memory.
    pub fn memory_bytes(&self) -> usize {
        self.packed.capacity() * size_of::<u64>() + self.names.capacity() * size_of::<u32>()
    }
}

fn unpack(word: u64) -> Op {
    let object = ObjectId(word as u32);
    match word >> KIND_SHIFT {
        KIND_ALLOC => Op::Alloc { object, size: (word >> SIZE_SHIFT) as u32 & Ops::MAX_SIZE },
        KIND_FREE => Op::Free { object },
        KIND_COMPACT => Op::Compact,
        _ => Op::Report,
    }
}

impl FromIterator<Op> for Ops {
    fn from_iter<I: IntoIterator<Item = Op>>(ops: I) -> Self {
        let ops = ops.into_iter();
        let mut all = Self { packed: Vec::with_capacity(ops.size_hint().0.min(1 << 24)), names: Vec::new() };
        for op in ops {
            all.push(op);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::{Op, Ops};
    use crate::pool::ObjectId;

    #[test]
    fn what_is_pushed_comes_back() {
        let ops = [
            Op::Alloc { object: ObjectId(u32::MAX), size: Ops::MAX_SIZE },
            Op::Alloc { object: ObjectId(0), size: 0 },
            Op::Free { object: ObjectId(u32::MAX) },
            Op::Compact,
            Op::Report,
        ];
        assert_eq!(Ops::from_iter(ops).iter().collect::<Vec<_>>(), ops);
    }

    #[test]
    fn names_are_those_of_the_trace_once_one_is_given() {
        let mut ops = Ops::new();
        ops.push_named(Op::Alloc { object: ObjectId(0), size: 8 }, 700);
        ops.push_named(Op::Free { object: ObjectId(0) }, 700);
        ops.push(Op::Compact);
        assert_eq!([ops.name(0), ops.name(1), ops.name(2)], [Some(700), Some(700), None]);
    }
}
