//! How many slabs with room a node and a CPU keep.

use super::Generation;

/// Slabs with room that a node has before it gives empty ones back (`min_partial`). `size` is that of a place.
pub fn min_partial(generation: Generation, size: u32) -> u32 {
    let half_log = if generation.rules().scaled_min_partial { size.max(1).ilog2() / 2 } else { 0 };
    half_log.clamp(5, 10)
}

/// Free objects that a CPU may keep in slabs of its own beside the one it allocates from (`cpu_partial`), without
/// debugging; 0 in generations that keep none. `size` is that of a place;
/// the limits are a page, 1024 and 256.
pub fn cpu_partial_objects(generation: Generation, page_bytes: u32, size: u32) -> u32 {
    match size {
        _ if !generation.rules().cpu_partial => 0,
        size if size >= page_bytes => 6,
        1024.. => 24,
        256.. => 52,
        _ => 120,
    }
}

/// Slabs that come to: the kernel takes them for half full on average (since 5.16).
pub fn cpu_partial_slabs(objects: u32, objects_per_slab: u32) -> u32 {
    objects.saturating_mul(2).div_ceil(objects_per_slab.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_by_size() {
        let nodes = |generation| [8, 1024, 4096, 1 << 20].map(|size| min_partial(generation, size));
        assert_eq!(nodes(Generation::V2_6_26), [5, 5, 5, 5]);
        assert_eq!(nodes(Generation::Modern), [5, 5, 6, 10]);
        let cpus = |generation| {
            [255, 256, 1023, 1024, 4095, 4096].map(|size| cpu_partial_objects(generation, 4096, size))
        };
        assert_eq!(cpus(Generation::V2_6_26), [0; 6]);
        assert_eq!(cpus(Generation::Classic), [120, 52, 52, 24, 24, 6]);
        assert_eq!(cpu_partial_slabs(24, 16), 3);
        assert_eq!(cpu_partial_slabs(6, 0), 12);
    }
}
