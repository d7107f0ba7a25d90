//! Distributions of request sizes.

use super::quantiles::{self, Quantiles};
use crate::rng::Rng;

/// Where request sizes come from: uniform, or measured on real pages.
///
/// Sampling uses integers only, so a seed gives the same sizes on every platform. The sizes are what zram or
/// zswap asks its allocator for; a pool whose largest request is smaller refuses the rest, and those failures are
/// counted like any other. [`SizeDist::page_bytes`] says which page size a distribution belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SizeDist {
    /// 1..=4096, all equally likely.
    Uniform,
    /// 1..=16384, all equally likely.
    Uniform16K,
    /// Memory of running processes, 4K pages, LZO.
    ProcLzo,
    /// Memory of running processes, 4K pages, LZ4.
    ProcLz4,
    /// Memory of running processes, 4K pages, zstd.
    ProcZstd,
    /// Memory of a Node.js process, 4K pages, LZO.
    NodeLzo,
    /// Shared libraries and programs, 4K pages, LZO.
    LibsLzo,
    /// Shared libraries and programs, 4K pages, zstd.
    LibsZstd,
    /// Source text, 4K pages, LZ4.
    SourceLz4,
    /// Memory of running processes, 16K pages, LZ4.
    ProcLz4Page16K,
    /// Memory of running processes, 16K pages, zstd.
    ProcZstdPage16K,
    /// Shared libraries and programs, 16K pages, LZO.
    LibsLzoPage16K,
}

/// One row of the table of distributions.
struct Row {
    name: &'static str,
    label: &'static str,
    provenance: &'static str,
    page_bytes: u32,
    /// `None`: uniform over 1..=`page_bytes`.
    quantiles: Option<&'static Quantiles>,
}

const PROC: &str =
    "memory of three running processes (Python twice, Node.js), without zero and same-filled pages";
const NODE: &str = "memory of a running Node.js process, 22,374 pages without zero and same-filled ones";
const LIBS: &str = "994 shared libraries and programs of a distribution, without zero and same-filled pages";
const SOURCE: &str = "12,623 files of source text, each from its first page on";

const fn measured(
    name: &'static str,
    label: &'static str,
    provenance: &'static str,
    page_bytes: u32,
    quantiles: &'static Quantiles,
) -> Row {
    Row { name, label, provenance, page_bytes, quantiles: Some(quantiles) }
}

const fn uniform(name: &'static str, label: &'static str, page_bytes: u32) -> Row {
    Row { name, label, provenance: "every size equally likely", page_bytes, quantiles: None }
}

#[rustfmt::skip]
static ROWS: [Row; SizeDist::ALL.len()] = [
    uniform("uniform", "Uniform, 1 to 4,096 bytes", 4096),
    uniform("uniform-16k", "Uniform, 1 to 16,384 bytes", 16384),
    measured("proc-lzo", "Process memory, LZO", PROC, 4096, &quantiles::PROC_LZO_4K),
    measured("proc-lz4", "Process memory, LZ4", PROC, 4096, &quantiles::PROC_LZ4_4K),
    measured("proc-zstd", "Process memory, zstd", PROC, 4096, &quantiles::PROC_ZSTD_4K),
    measured("node-lzo", "Node.js heap, LZO", NODE, 4096, &quantiles::NODE_LZO_4K),
    measured("libs-lzo", "Libraries, LZO", LIBS, 4096, &quantiles::LIBS_LZO_4K),
    measured("libs-zstd", "Libraries, zstd", LIBS, 4096, &quantiles::LIBS_ZSTD_4K),
    measured("source-lz4", "Source text, LZ4", SOURCE, 4096, &quantiles::SOURCE_LZ4_4K),
    measured("proc-lz4-16k", "Process memory in 16K pages, LZ4", PROC, 16384, &quantiles::PROC_LZ4_16K),
    measured("proc-zstd-16k", "Process memory in 16K pages, zstd", PROC, 16384, &quantiles::PROC_ZSTD_16K),
    measured("libs-lzo-16k", "Libraries in 16K pages, LZO", LIBS, 16384, &quantiles::LIBS_LZO_16K),
];

/// A part of a distribution, in 65536ths from its smallest sizes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) from: u32,
    pub(super) len: u32,
}

impl Part {
    const UNIT: u32 = 1 << 16;
    pub(super) const WHOLE: Self = Self { from: 0, len: Self::UNIT };

    /// The `index`-th of `count` equal parts.
    pub(super) const fn nth(index: u32, count: u32) -> Self {
        let len = Self::UNIT / count;
        Self { from: index % count * len, len }
    }
}

impl SizeDist {
    /// All distributions, in the order in which a picker lists them.
    pub const ALL: [Self; 12] = [
        Self::Uniform,
        Self::Uniform16K,
        Self::ProcLzo,
        Self::ProcLz4,
        Self::ProcZstd,
        Self::NodeLzo,
        Self::LibsLzo,
        Self::LibsZstd,
        Self::SourceLz4,
        Self::ProcLz4Page16K,
        Self::ProcZstdPage16K,
        Self::LibsLzoPage16K,
    ];

    fn row(self) -> &'static Row {
        // `ROWS` lists the variants in their order: the test of the means would notice another one.
        &ROWS[self as usize]
    }

    /// The name in links and on the command line.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The distribution of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dist| dist.name() == name)
    }

    /// A few words for a picker.
    pub fn label(self) -> &'static str {
        self.row().label
    }

    /// What the sizes were measured on, in a few words.
    pub fn provenance(self) -> &'static str {
        self.row().provenance
    }

    /// Page size in bytes of the pages that were compressed; also the largest size it can yield.
    pub fn page_bytes(self) -> u32 {
        self.row().page_bytes
    }

    /// The distribution of the same data (or the nearest) for another page size: a picker offers it when the
    /// page shift changes.
    pub fn for_page_shift(self, page_shift: u8) -> Self {
        let small = page_shift < 14;
        match (self, small) {
            (Self::Uniform16K, true) => Self::Uniform,
            (Self::ProcLz4Page16K, true) => Self::ProcLz4,
            (Self::ProcZstdPage16K, true) => Self::ProcZstd,
            (Self::LibsLzoPage16K, true) => Self::LibsLzo,
            (Self::Uniform, false) => Self::Uniform16K,
            (Self::ProcLzo | Self::ProcLz4 | Self::NodeLzo | Self::SourceLz4, false) => Self::ProcLz4Page16K,
            (Self::ProcZstd, false) => Self::ProcZstdPage16K,
            (Self::LibsLzo | Self::LibsZstd, false) => Self::LibsLzoPage16K,
            (same, _) => same,
        }
    }

    /// One size in bytes, at least 1 and at most [`Self::page_bytes`].
    pub fn sample(self, rng: &mut Rng) -> u32 {
        self.sample_part(Part::WHOLE, rng)
    }

    /// One size from a part of the distribution.
    pub(super) fn sample_part(self, part: Part, rng: &mut Rng) -> u32 {
        let at = part.from + rng.below(part.len);
        let row = self.row();
        match row.quantiles {
            None => ((at * row.page_bytes) >> 16) + 1,
            Some(table) => {
                // 128 stretches of 512 steps, straight lines between the quantiles.
                let stretch = (at >> 9) as usize;
                let [low, high] =
                    [stretch, stretch + 1].map(|i| table.get(i).map_or(0, |&size| u32::from(size)));
                low + (((high - low) * (at & 511)) >> 9)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ROWS, SizeDist};
    use crate::rng::Rng;

    #[test]
    fn names_lead_back() {
        for dist in SizeDist::ALL {
            assert_eq!(SizeDist::from_name(dist.name()), Some(dist));
        }
    }

    #[test]
    fn quantiles_ascend_within_a_page() {
        for row in &ROWS {
            let Some(table) = row.quantiles else { continue };
            assert!(table.is_sorted(), "{}", row.name);
            assert!(table[0] > 0 && u32::from(table[128]) <= row.page_bytes, "{}", row.name);
        }
    }

    /// Exact means in bytes of the measured pages, with whole pages for those that did not shrink.
    #[test]
    fn means_are_those_of_the_measured_pages() {
        const SAMPLES: u32 = 200_000;
        let means = [
            (SizeDist::Uniform, 2048.5),
            (SizeDist::Uniform16K, 8192.5),
            (SizeDist::ProcLzo, 1297.3),
            (SizeDist::ProcLz4, 1425.7),
            (SizeDist::ProcZstd, 905.0),
            (SizeDist::NodeLzo, 1349.9),
            (SizeDist::LibsLzo, 2288.2),
            (SizeDist::LibsZstd, 1778.4),
            (SizeDist::SourceLz4, 1741.0),
            (SizeDist::ProcLz4Page16K, 5299.3),
            (SizeDist::ProcZstdPage16K, 3156.2),
            (SizeDist::LibsLzoPage16K, 8380.7),
        ];
        assert_eq!(means.map(|(dist, _)| dist), SizeDist::ALL);
        for (dist, mean) in means {
            let mut rng = Rng::new(1);
            let sizes: Vec<u32> = (0..SAMPLES).map(|_| dist.sample(&mut rng)).collect();
            let sampled = sizes.iter().map(|&size| f64::from(size)).sum::<f64>() / f64::from(SAMPLES);
            assert!((sampled / mean - 1.0).abs() < 0.01, "{}: {sampled} for {mean}", dist.name());
            assert!(sizes.iter().all(|&size| (1..=dist.page_bytes()).contains(&size)), "{}", dist.name());
        }
    }
}
