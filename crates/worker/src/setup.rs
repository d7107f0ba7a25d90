//! A pool and its stream as plain numbers, for a message.
//!
//! Generations, distributions and shapes travel by their place in the list of all: page and worker are built
//! together, so the lists are the same.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use slabscope_core::model::AnyConfig;
use slabscope_core::ops::Ops;
use slabscope_core::tell::capital;
use slabscope_core::workload::{Kind, SizeDist, Spec};
use slabscope_core::{slub, zblock, zsmalloc};
use slabscope_formats::carried::{Carried, carried};

/// A pool and the operations it is driven with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// The pool.
    pub allocator: Allocator,
    /// The operations.
    pub stream: Stream,
    /// A trace or sizes of the reader's own, packed as links carry them. A trace takes the place of the stream up
    /// to its number of operations, sizes that of its distribution.
    pub data: Option<Arc<str>>,
}

/// What a pool is built with; the numbers mean what core's configurations say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "core's configurations say it")]
pub enum Allocator {
    /// zsmalloc.
    Zsmalloc { era: u8, bits: u8, phys_bits: u8, page_shift: u8, max_pages: u8, class_delta: Option<u32> },
    /// zblock.
    Zblock { version: u8, page_shift: u8 },
    /// SLUB.
    Slub {
        generation: u8,
        page_shift: u8,
        cpus: u32,
        min_objects: u32,
        min_order: u8,
        max_order: u8,
        object_size: u32,
    },
}

/// What determines a stream of operations; the numbers mean what core's workloads say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "core's workloads say it")]
pub struct Stream {
    pub kind: u8,
    pub dist: u8,
    pub fixed_size: Option<u32>,
    pub seed: u64,
    pub operations: u32,
    pub live: u32,
    pub compact_every: u32,
}

/// The place of an entry in the list of all.
fn place<T: PartialEq>(all: &[T], entry: &T) -> u8 {
    all.iter().position(|other| other == entry).unwrap_or(usize::MAX) as u8
}

/// The entry at a place.
fn entry<T: Copy>(all: &[T], place: u8) -> Result<T, String> {
    all.get(usize::from(place)).copied().ok_or_else(|| "page and worker are of different builds".to_owned())
}

impl Allocator {
    /// The message of a configuration.
    pub fn new(config: &AnyConfig) -> Self {
        match *config {
            AnyConfig::Zsmalloc(config) => Self::Zsmalloc {
                era: place(&zsmalloc::Era::ALL, &config.era),
                bits: config.bits.count(),
                phys_bits: config.phys_bits,
                page_shift: config.page_shift,
                max_pages: config.max_pages,
                class_delta: config.class_delta,
            },
            AnyConfig::Zblock(config) => Self::Zblock {
                version: place(&zblock::Version::ALL, &config.version),
                page_shift: config.page_shift,
            },
            AnyConfig::Slub(config) => Self::Slub {
                generation: place(&slub::Generation::ALL, &config.generation),
                page_shift: config.page_shift,
                cpus: config.cpus,
                min_objects: config.min_objects,
                min_order: config.min_order,
                max_order: config.max_order,
                object_size: config.object_size,
            },
        }
    }

    /// The configuration.
    ///
    /// # Errors
    /// A list has no such entry.
    pub fn config(&self) -> Result<AnyConfig, String> {
        Ok(match *self {
            Self::Zsmalloc { era, bits, phys_bits, page_shift, max_pages, class_delta } => {
                AnyConfig::Zsmalloc(zsmalloc::Config {
                    era: entry(&zsmalloc::Era::ALL, era)?,
                    bits: zsmalloc::Bits::from_count(bits.into()).unwrap_or_default(),
                    phys_bits,
                    page_shift,
                    max_pages,
                    class_delta,
                })
            }
            Self::Zblock { version, page_shift } => AnyConfig::Zblock(zblock::Config {
                version: entry(&zblock::Version::ALL, version)?,
                page_shift,
            }),
            Self::Slub { generation, page_shift, cpus, min_objects, min_order, max_order, object_size } => {
                AnyConfig::Slub(slub::Config {
                    generation: entry(&slub::Generation::ALL, generation)?,
                    page_shift,
                    cpus,
                    min_objects,
                    min_order,
                    max_order,
                    object_size,
                })
            }
        })
    }
}

impl Setup {
    /// The message of a configuration and a stream, with what is played instead of it.
    pub fn new(config: &AnyConfig, stream: &Spec, data: Option<Arc<str>>) -> Self {
        let stream = Stream {
            kind: place(&Kind::ALL, &stream.kind),
            dist: place(&SizeDist::ALL, &stream.dist),
            fixed_size: stream.fixed_size,
            seed: stream.seed,
            operations: stream.operations,
            live: stream.live,
            compact_every: stream.compact_every,
        };
        Self { allocator: Allocator::new(config), stream, data }
    }

    /// The configuration.
    ///
    /// # Errors
    /// A list has no such entry.
    pub fn config(&self) -> Result<AnyConfig, String> {
        self.allocator.config()
    }

    /// The operations.
    ///
    /// # Errors
    /// A list has no such entry, or the data cannot be unpacked.
    pub fn ops(&self) -> Result<Ops, String> {
        let spec = self.stream()?;
        let Some(data) = &self.data else { return Ok(spec.generate()) };
        Ok(match carried(data).map_err(|why| capital(&why.to_string()))? {
            Carried::Sizes(sizes) => spec.ops_of(sizes).collect(),
            Carried::Stream(mut ops) => {
                ops.truncate(spec.operations as usize);
                ops
            }
        })
    }

    /// The stream.
    ///
    /// # Errors
    /// A list has no such entry.
    pub fn stream(&self) -> Result<Spec, String> {
        let Stream { kind, dist, fixed_size, seed, operations, live, compact_every } = self.stream;
        Ok(Spec {
            kind: entry(&Kind::ALL, kind)?,
            dist: entry(&SizeDist::ALL, dist)?,
            fixed_size,
            seed,
            operations,
            live,
            compact_every,
        })
    }

    /// Bytes of the handle in front of an object; 0 where there is none.
    pub(crate) fn handle_bytes(&self) -> u32 {
        match self.allocator {
            Allocator::Zsmalloc { bits, .. } => u32::from(bits) / 8,
            Allocator::Zblock { .. } | Allocator::Slub { .. } => 0,
        }
    }

    /// Bytes of a page.
    pub fn page_bytes(&self) -> u32 {
        let (Allocator::Zsmalloc { page_shift, .. }
        | Allocator::Zblock { page_shift, .. }
        | Allocator::Slub { page_shift, .. }) = self.allocator;
        1 << page_shift.min(31)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use slabscope_core::ops::Op;
    use slabscope_core::workload::Measured;
    use slabscope_formats::carried::{pack_sizes, pack_stream};
    use slabscope_formats::trace::read_trace;

    use super::*;

    fn ops(data: Option<&str>, operations: u32) -> Result<Ops, String> {
        let spec = Spec {
            kind: Kind::Churn,
            dist: SizeDist::Uniform,
            fixed_size: None,
            seed: 1,
            operations,
            live: 50,
            compact_every: 0,
        };
        let config = AnyConfig::Zsmalloc(zsmalloc::Config::default_for(zsmalloc::Era::default()));
        Setup::new(&config, &spec, data.map(Into::into)).ops()
    }

    #[test]
    fn a_trace_is_played_as_far_as_asked() {
        let data = pack_stream(&read_trace(&b"a 7 100\na 9 2000\nf 7\n"[..]).unwrap());
        assert_eq!(ops(Some(&data), 9000).unwrap().len(), 3);
        assert_eq!(ops(Some(&data), 2).unwrap().len(), 2);
    }

    #[test]
    fn sizes_are_those_of_the_data() {
        let data = pack_sizes(&Measured::new(&[(700, 720, 3)]).unwrap());
        let (own, theirs) = (ops(None, 400).unwrap(), ops(Some(&data), 400).unwrap());
        assert_eq!((own.len(), theirs.len()), (400, 400));
        assert!(
            theirs.iter().all(|op| !matches!(op, Op::Alloc { size, .. } if !(700..=720).contains(&size)))
        );
    }

    #[test]
    fn what_cannot_be_played_says_why() {
        assert!(ops(Some("f1.00000000"), 9).unwrap_err().starts_with("The link names a file"));
        assert!(ops(Some("z1.A"), 9).unwrap_err().contains("cannot be unpacked"));
    }
}
