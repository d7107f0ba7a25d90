//! One enum over the models, for callers that choose an allocator at run time.
//!
//! A model joins with one line in the table below. Its module offers `Config` (`Copy`),
//! `ConfigError` (an error), `Geometry` with `new(&Config) -> Result<Geometry, ConfigError>` and `config()`, and
//! `Pool` with `new(Geometry)` that implements [`Pool`].

use std::fmt;

use crate::pool::{
    ClassTotals, Compaction, Freed, MallocError, NotLive, ObjectId, Place, Pool, Sink, SlotView, SpanId,
    SpanView, Totals,
};

macro_rules! models {
    ($($(#[doc = $doc:literal])+ $Model:ident => $module:ident, $name:literal;)+) => {
        /// An allocator that is modelled.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Model {
            $($(#[doc = $doc])+ $Model,)+
        }

        impl Model {
            /// All models, in the order in which a picker lists them.
            pub const ALL: &'static [Self] = &[$(Self::$Model),+];

            /// The name in links and on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Model => $name,)+
                }
            }

            /// The model of this name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|model| model.name() == name)
            }
        }

        /// What an allocator is built with.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum AnyConfig {
            $($(#[doc = $doc])+ $Model(crate::$module::Config),)+
        }

        impl AnyConfig {
            /// The allocator.
            pub const fn model(&self) -> Model {
                match self {
                    $(Self::$Model(_) => Model::$Model,)+
                }
            }

            /// An empty pool of this configuration.
            ///
            /// # Errors
            /// The configuration is impossible; the error says why.
            pub fn pool(&self) -> Result<AnyPool, AnyConfigError> {
                Ok(AnyPool::new(AnyGeometry::new(self)?))
            }
        }

        /// Why a configuration is impossible, in the model's words.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum AnyConfigError {
            $($(#[doc = $doc])+ $Model(crate::$module::ConfigError),)+
        }

        impl fmt::Display for AnyConfigError {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$Model(error) => error.fmt(f),)+
                }
            }
        }

        impl std::error::Error for AnyConfigError {}

        /// Classes, block types or orders.
        #[derive(Clone, Debug)]
        pub enum AnyGeometry {
            $($(#[doc = $doc])+ $Model(crate::$module::Geometry),)+
        }

        impl AnyGeometry {
            /// The geometry of a configuration.
            ///
            /// # Errors
            /// The configuration is impossible; the error says why.
            pub fn new(config: &AnyConfig) -> Result<Self, AnyConfigError> {
                match config {
                    $(AnyConfig::$Model(config) => crate::$module::Geometry::new(config)
                        .map(Self::$Model)
                        .map_err(AnyConfigError::$Model),)+
                }
            }

            /// What it was computed from.
            pub fn config(&self) -> AnyConfig {
                match self {
                    $(Self::$Model(geometry) => AnyConfig::$Model(*geometry.config()),)+
                }
            }
        }

        /// A pool of any model.
        #[derive(Clone, Debug)]
        pub enum AnyPool {
            $($(#[doc = $doc])+ $Model(crate::$module::Pool),)+
        }

        impl AnyPool {
            /// An empty pool.
            pub fn new(geometry: AnyGeometry) -> Self {
                match geometry {
                    $(AnyGeometry::$Model(geometry) => Self::$Model(crate::$module::Pool::new(geometry)),)+
                }
            }

            /// The allocator.
            pub const fn model(&self) -> Model {
                match self {
                    $(Self::$Model(_) => Model::$Model,)+
                }
            }
        }

        /// Calls a method of whichever pool it is.
        macro_rules! each {
            ($any:expr, $pool:ident => $call:expr) => {
                match $any {
                    $(AnyPool::$Model($pool) => $call,)+
                }
            };
        }
    };
}

models! {
    /// zsmalloc, of zram and zswap.
    Zsmalloc => zsmalloc, "zsmalloc";
    /// zblock, proposed as a backend of zswap.
    Zblock => zblock, "zblock";
    /// SLUB, the kernel's slab allocator.
    Slub => slub, "slub";
}

impl Pool for AnyPool {
    // Events go through a trait object: with a copy of every model for every sink, the page would be a
    // good deal larger, and the call costs little beside the rules.
    #[inline]
    fn malloc<S: Sink>(&mut self, object: ObjectId, size: u32, sink: &mut S) -> Result<Place, MallocError> {
        let mut sink: &mut dyn Sink = sink;
        each!(self, pool => pool.malloc(object, size, &mut sink))
    }

    #[inline]
    fn free<S: Sink>(&mut self, object: ObjectId, sink: &mut S) -> Result<Freed, NotLive> {
        let mut sink: &mut dyn Sink = sink;
        each!(self, pool => pool.free(object, &mut sink))
    }

    fn compact<S: Sink>(&mut self, sink: &mut S) -> Option<Compaction> {
        let mut sink: &mut dyn Sink = sink;
        each!(self, pool => pool.compact(&mut sink))
    }

    fn tick(&mut self) {
        each!(self, pool => pool.tick());
    }

    fn operations(&self) -> u32 {
        each!(self, pool => pool.operations())
    }

    fn totals(&self) -> Totals {
        each!(self, pool => pool.totals())
    }

    fn classes(&self) -> Vec<ClassTotals> {
        each!(self, pool => pool.classes())
    }

    fn header_bytes(&self) -> u32 {
        each!(self, pool => pool.header_bytes())
    }

    fn class_of(&self, size: u32) -> Option<u16> {
        each!(self, pool => pool.class_of(size))
    }

    fn group_names(&self) -> &'static [&'static str] {
        each!(self, pool => pool.group_names())
    }

    fn group_counts(&self, class: u16) -> Vec<u32> {
        each!(self, pool => pool.group_counts(class))
    }

    fn group_list(&self, class: u16, group: u8) -> Vec<SpanView> {
        each!(self, pool => pool.group_list(class, group))
    }

    fn for_each_span(&self, visit: &mut dyn FnMut(SpanView)) {
        each!(self, pool => pool.for_each_span(visit));
    }

    fn span(&self, id: SpanId) -> Option<SpanView> {
        each!(self, pool => pool.span(id))
    }

    fn span_at(&self, key: u32) -> Option<SpanView> {
        each!(self, pool => pool.span_at(key))
    }

    fn slots(&self, key: u32) -> Vec<SlotView> {
        each!(self, pool => pool.slots(key))
    }

    fn for_each_used(&self, key: u32, visit: &mut dyn FnMut(u16)) {
        each!(self, pool => pool.for_each_used(key, visit));
    }

    fn place(&self, object: ObjectId) -> Option<Place> {
        each!(self, pool => pool.place(object))
    }

    fn memory_bytes(&self) -> usize {
        each!(self, pool => pool.memory_bytes())
    }
}
