//! The caches of a pool: how large their places and slabs are, and how many slabs they keep.

use crate::pool::MallocError;

use super::{
    Config, ConfigError, KmallocCache, LayoutFlags, OrderAnswer, Rules, calculate_order, cpu_partial_objects,
    cpu_partial_slabs, kmalloc_caches, layout, min_partial,
};

/// A cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    /// Index, from 0.
    pub index: u16,
    /// Largest object.
    pub object_size: u32,
    /// Bytes of a place.
    pub size: u32,
    /// Alignment of places.
    pub align: u32,
    /// Order of slabs.
    pub order: u8,
    /// Pages of a slab.
    pub pages: u16,
    /// Objects of a slab.
    pub objects: u16,
    /// Bytes behind the last place of a slab.
    pub waste: u32,
    /// Slabs with room that the node has before it gives empty ones back.
    pub min_partial: u32,
    /// Slabs that the CPU keeps beside the one it allocates from; 0: none in this generation.
    pub cpu_partial_slabs: u32,
}

impl Cache {
    /// The name in `/proc/slabinfo`; a cache of its own is called `objects-192`, by the size of its objects.
    pub fn name(&self, config: &Config) -> String {
        if config.object_size > 0 {
            return format!("objects-{}", self.object_size);
        }
        KmallocCache { size: self.object_size, align: self.align }.name(config.generation)
    }
}

/// The caches of a configuration that is possible. Without debugging and without merging.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    config: Config,
    caches: Vec<Cache>,
}

impl Geometry {
    /// Lays out every cache.
    ///
    /// # Errors
    /// The configuration is impossible.
    pub fn new(config: &Config) -> Result<Self, ConfigError> {
        let wanted: Vec<(u32, u32)> = if config.object_size > 0 {
            vec![(config.object_size, 0)]
        } else {
            let caches = kmalloc_caches(config.generation, config.page_shift);
            caches.iter().map(|cache| (cache.size, cache.align)).collect()
        };
        let caches = wanted
            .into_iter()
            .enumerate()
            .map(|(index, (object_size, align))| make_cache(config, index as u16, object_size, align));
        Ok(Self { config: *config, caches: caches.collect::<Result<_, _>>()? })
    }

    /// What it was built from.
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// What the generation does.
    pub const fn rules(&self) -> &'static Rules {
        self.config.rules()
    }

    /// The caches, smallest objects first.
    pub fn caches(&self) -> &[Cache] {
        &self.caches
    }

    /// The largest size that a cache serves. Above it `kmalloc()` asks the page allocator, which is not modelled.
    pub fn max_size(&self) -> u32 {
        self.caches.last().map_or(0, |last| last.object_size)
    }

    /// The cache that serves a size: the smallest with objects that large.
    ///
    /// # Errors
    /// The size is 0 or larger than any cache's objects.
    #[inline]
    pub fn cache_of(&self, size: u32) -> Result<u16, MallocError> {
        if size == 0 {
            return Err(MallocError::ZeroSize);
        }
        let index = self.caches.partition_point(|cache| cache.object_size < size);
        if index == self.caches.len() {
            return Err(MallocError::TooLarge { max: self.max_size() });
        }
        Ok(index as u16)
    }
}

fn make_cache(config: &Config, index: u16, object_size: u32, align: u32) -> Result<Cache, ConfigError> {
    // Red zones and the like would need flags that a pool has no use for.
    let place = layout(config.generation, object_size, align, LayoutFlags::NONE)?;
    let OrderAnswer { order, objects, waste } = calculate_order(&config.order_params(place.size))?;
    let too_many = ConfigError::TooManyObjects { size: place.size, objects };
    let objects_16 = u16::try_from(objects).map_err(|_| too_many)?;
    let kept = cpu_partial_objects(config.generation, 1 << config.page_shift, place.size);
    Ok(Cache {
        index,
        object_size,
        size: place.size,
        align: place.align,
        order,
        pages: 1 << order,
        objects: objects_16,
        waste,
        min_partial: min_partial(config.generation, place.size),
        cpu_partial_slabs: cpu_partial_slabs(kept, objects),
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Generation, LayoutError, NoOrder};
    use super::*;

    #[test]
    fn every_generation_has_its_kmalloc_caches() {
        for generation in Generation::ALL {
            for page_shift in 12..=16 {
                let config = Config { page_shift, ..Config::default_for(generation) };
                let made = Geometry::new(&config);
                assert!(made.is_ok(), "{config:?}");
                let Ok(geometry) = made else { continue };
                for size in 1..=geometry.max_size() {
                    let served = geometry.cache_of(size).map(|cache| geometry.caches()[usize::from(cache)]);
                    assert!(served.is_ok_and(|cache| cache.object_size >= size));
                }
                let max = geometry.max_size();
                assert_eq!(geometry.cache_of(max + 1), Err(MallocError::TooLarge { max }));
            }
        }
    }

    #[test]
    fn a_single_cache_of_any_size() {
        let check = |config: &Config, expected: Result<(u8, u16, u32), ConfigError>| {
            let made = Geometry::new(config).map(|geometry| geometry.caches()[0]);
            assert_eq!(made.map(|cache| (cache.order, cache.objects, cache.cpu_partial_slabs)), expected);
        };
        let dentry = Config { object_size: 208, cpus: 2, ..Config::default() };
        check(&dentry, Ok((0, 19, 13)));
        check(&Config { generation: Generation::V2_6_26, ..dentry }, Ok((0, 19, 0)));
        check(&Config { object_size: u32::MAX, ..dentry }, Err(ConfigError::Layout(LayoutError::TooLarge)));
        let size = (1 << 30) + 8;
        let none = ConfigError::Order(NoOrder::NothingFits { size });
        check(&Config { object_size: size, ..dentry }, Err(none));
        check(&Config { page_shift: 9, ..dentry }, Err(ConfigError::Order(NoOrder::PageShift(9))));
        let config = Config {
            generation: Generation::RfcOrder,
            page_shift: 16,
            object_size: 24,
            min_order: 9,
            max_order: 10,
            ..dentry
        };
        check(&config, Err(ConfigError::TooManyObjects { size: 24, objects: 87_381 }));
    }
}
