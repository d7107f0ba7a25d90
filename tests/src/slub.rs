//! Inputs of the SLUB suites.

use std::fmt::Write as _;

use slabscope_core::slub::{Config, Generation, LayoutFlags};

/// The parameters whose orders have a digest, as rows.
pub fn order_grid(page_shift: u8) -> String {
    let mut text = String::new();
    for cpus in [1, 2, 4, 8, 16, 128, 256] {
        let larger: &[u32] = match page_shift {
            16 => &[1 << 15, 1 << 16, 1 << 17],
            14 => &[1 << 15],
            _ => &[],
        };
        for size in (8..=16_384).step_by(8).chain(larger.iter().copied()) {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{page_shift}\t{cpus}\t0\t0\t3\t{size}");
        }
    }
    text
}

const OBJECT_SIZES: [u32; 45] = [
    1, 4, 7, 8, 9, 12, 16, 20, 24, 32, 33, 40, 48, 56, 63, 64, 65, 72, 96, 100, 104, 128, 136, 192, 200, 208,
    216, 256, 320, 448, 512, 520, 552, 560, 568, 584, 600, 640, 704, 1000, 1024, 1088, 2048, 4096, 8192,
];

/// The parameters whose layouts have a digest, as rows.
pub fn layout_grid() -> String {
    let all_sets = (0u32..1 << LayoutFlags::ALL.len()).map(|set| {
        let chosen = LayoutFlags::ALL.iter().enumerate().filter(|&(bit, _)| set & 1 << bit != 0);
        chosen.fold(LayoutFlags::NONE, |flags, (_, &(flag, _))| flags.with(flag))
    });
    let no_kmalloc = LayoutFlags::RCU.with(LayoutFlags::CTOR);
    let sets: Vec<LayoutFlags> =
        all_sets.filter(|set| !(set.any(LayoutFlags::KMALLOC) && set.any(no_kmalloc))).collect();
    let mut text = String::new();
    for object_size in OBJECT_SIZES {
        for align in [0, 8, 16, 64] {
            for flags in &sets {
                let _ = writeln!(text, "{object_size}\t{align}\t{flags}");
            }
        }
    }
    text
}

/// Pools of every generation: kmalloc caches and single caches, among them one with a single object in each slab.
pub fn pool_configs() -> Vec<Config> {
    let mut configs = Vec::new();
    for generation in Generation::ALL {
        let kmalloc = Config::default_for(generation);
        configs.extend([
            kmalloc,
            Config { page_shift: 16, max_order: 0, ..kmalloc },
            Config { object_size: 700, cpus: 1, ..kmalloc },
            Config { object_size: 4096, ..kmalloc },
            Config { object_size: 5000, min_objects: 1, max_order: 0, ..kmalloc },
            Config { object_size: 100, min_order: 1, ..kmalloc },
        ]);
    }
    configs
}
