//! The sizes of the objects that a reader brought: those of a histogram, or those live at the fullest moment of a trace.

use slabscope_core::ops::{Op, Ops};
use slabscope_core::tell::{counted, grouped};
use slabscope_core::workload::Measured;
use slabscope_formats::carried::{Carried, carried};

/// Sizes, and which objects they are of.
pub(super) struct Brought {
    /// The sizes.
    pub(super) sizes: Measured,
    /// Which of a trace's objects these are; empty for a histogram, which has no others.
    pub(super) moment: String,
}

impl Brought {
    /// Of what a link carries; of a trace, no more than the first `operations`, as the Pool view plays it.
    ///
    /// # Errors
    /// It is not here, damaged, or allocates nothing.
    pub(super) fn new(data: &str, operations: u32) -> Result<Self, String> {
        match carried(data).map_err(|why| why.to_string())? {
            Carried::Sizes(sizes) => Ok(Self { sizes, moment: String::new() }),
            Carried::Stream(mut ops) => {
                ops.truncate(operations as usize);
                fullest(&ops).ok_or_else(|| "the trace allocates nothing".to_owned())
            }
        }
    }
}

/// The objects that are live when most are.
fn fullest(ops: &Ops) -> Option<Brought> {
    let (mut live, mut most, mut moment) = (0u32, 0, 0);
    replay(ops, |at, step| {
        live = live.saturating_add_signed(step);
        if live > most {
            (most, moment) = (live, at + 1);
        }
    });
    let mut first = ops.clone();
    first.truncate(moment);
    let sizes = replay(&first, |_, _| {});
    let ranges: Vec<(u32, u32, u64)> =
        sizes.into_iter().filter(|size| *size > 0).map(|size| (size, size, 1)).collect();
    Some(Brought {
        sizes: Measured::new(&ranges)?,
        moment: format!(
            "These are the {} that are live after operation {} of {}, when most are.",
            counted(most.into(), "object", "objects"),
            grouped(moment as u64),
            grouped(ops.len() as u64)
        ),
    })
}

/// The sizes of the objects live in the end, by their numbers; 0 for none. `step` is told of every object that comes or
/// goes.
fn replay(ops: &Ops, mut step: impl FnMut(usize, i32)) -> Vec<u32> {
    let mut sizes: Vec<u32> = Vec::new();
    for (at, op) in ops.iter().enumerate() {
        let (object, size) = match op {
            Op::Alloc { object, size } => (object.0 as usize, size),
            Op::Free { object } => (object.0 as usize, 0),
            Op::Compact | Op::Report => continue,
        };
        if object >= sizes.len() {
            sizes.resize(object + 1, 0);
        }
        let before = std::mem::replace(&mut sizes[object], size);
        step(at, i32::from(size > 0) - i32::from(before > 0));
    }
    sizes
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use slabscope_formats::carried::pack_stream;
    use slabscope_formats::trace::read_trace;

    use super::*;

    #[test]
    fn a_trace_counts_at_its_fullest() {
        let text = "a 1 100\na 2 200\nf 1\na 3 300\na 4 300\nc\nf 2\nf 3\nf 4\na 5 9\n";
        let data = pack_stream(&read_trace(text.as_bytes()).unwrap());
        let brought = Brought::new(&data, 99).unwrap();
        assert_eq!(brought.sizes.ranges().collect::<Vec<_>>(), [(200, 200, 1), (300, 300, 2)]);
        assert!(brought.moment.contains("3 objects") && brought.moment.contains("operation 5 of 10"));
        let brought = Brought::new(&data, 2).unwrap();
        assert_eq!(brought.sizes.ranges().collect::<Vec<_>>(), [(100, 100, 1), (200, 200, 1)]);
        assert!(Brought::new(&data, 0).is_err());
    }

    #[test]
    fn what_is_not_here_says_so() {
        assert!(Brought::new("f1.00000000", 9).is_err_and(|why| why.contains("names a file")));
        assert!(Brought::new("z1.A", 9).is_err());
    }
}
