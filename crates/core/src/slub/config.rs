//! What a SLUB pool is built with.

use std::fmt;

use super::{Generation, LayoutError, NoOrder, OrderParams, Rules};

/// What a SLUB pool is built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Generation.
    pub generation: Generation,
    /// `PAGE_SHIFT`, 12 to 16.
    pub page_shift: u8,
    /// CPUs that go into the order, from 1. The pool itself is one CPU's view.
    pub cpus: u32,
    /// Objects that a slab should hold; 0: from the number of CPUs.
    pub min_objects: u32,
    /// Lowest order, up to 15.
    pub min_order: u8,
    /// Highest order that is looked for, up to 15.
    pub max_order: u8,
    /// Bytes of the objects of the only cache; 0: the kmalloc caches.
    pub object_size: u32,
}

impl Config {
    /// The kmalloc caches of a generation with 4 KiB pages and 8 CPUs.
    pub const fn default_for(generation: Generation) -> Self {
        Self {
            generation,
            page_shift: 12,
            cpus: 8,
            min_objects: 0,
            min_order: 0,
            max_order: 3,
            object_size: 0,
        }
    }

    /// What the generation does.
    pub const fn rules(&self) -> &'static Rules {
        self.generation.rules()
    }

    /// What the order of a cache with places of `size` bytes is computed from.
    pub const fn order_params(&self, size: u32) -> OrderParams {
        let &Self { generation, page_shift, cpus, min_objects, min_order, max_order, .. } = self;
        OrderParams { generation, page_shift, cpus, min_objects, min_order, max_order, size }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::default_for(Generation::default())
    }
}

/// Why a configuration is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// The objects have no layout.
    Layout(LayoutError),
    /// A cache has no order, or a parameter is outside what is modelled.
    Order(NoOrder),
    /// A slab would have more objects than the kernel's counter of 16 bits holds.
    TooManyObjects {
        /// Bytes of a place.
        size: u32,
        /// Objects of a slab.
        objects: u32,
    },
}

impl ConfigError {
    /// Most objects of a slab: the places are counted from 0 with 16 bits.
    pub const MOST_OBJECTS: u32 = u16::MAX as u32;
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout(error) => error.fmt(f),
            Self::Order(error) => error.fmt(f),
            Self::TooManyObjects { size, objects } => write!(
                f,
                "size {size}: a slab would have {objects} objects, more than the {} that can be counted",
                Self::MOST_OBJECTS
            ),
        }
    }
}

impl std::error::Error for ConfigError {}

impl From<NoOrder> for ConfigError {
    fn from(error: NoOrder) -> Self {
        Self::Order(error)
    }
}

impl From<LayoutError> for ConfigError {
    fn from(error: LayoutError) -> Self {
        Self::Layout(error)
    }
}
