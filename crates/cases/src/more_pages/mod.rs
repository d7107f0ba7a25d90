//! 2016: more pages per zspage. The posting's test from first principles, and what it leaves open.
//!
//! The files of the test can be rebuilt, so the exact size of every compressed page of data is known. Each goes to the
//! class of its size and the handle; a class takes its objects divided by the objects of a zspage, rounded up. No
//! constant is fitted. The file system's metadata is that of a later kernel.

mod constants;
mod cost;
mod huge;
mod kernel;
mod origin;
mod settings;
mod small;
mod test_again;

use slabscope_core::packing::Packing;
use slabscope_core::zsmalloc::{Config, Era, Geometry};

use crate::data::sizes_file;
use crate::figure::say;
use crate::mib::mib;
use crate::published;
use crate::run::Job;
use crate::{Assumption, Case, Data, DataError, Histogram, Options, Outcome};

/// Bytes of a page in this case.
const PAGE: u32 = 4096;
const SEEDS: Assumption = Assumption::seeds(10);
/// The metadata is a later kernel's: how much of it is counted.
const METADATA: Assumption = Assumption::number("metadata", "Metadata counted, percent", [0, 300, 100]);

/// What may be changed.
pub(crate) const ASSUMPTIONS: &[Assumption] = &[METADATA, cost::STORED, cost::REWRITES, SEEDS];
/// Settings that the posting measured.
const POSTED: [u8; 3] = [4, 5, 6];
/// Settings that parts which take long look at.
const LOOKED_AT: [u8; 5] = [4, 5, 6, 8, 16];

/// Class tables of one era for every setting.
struct Tables(Vec<Geometry>);

impl Tables {
    /// Settings that are not possible are left out; on 64 bit all are.
    fn new(era: Era) -> Self {
        let config = |max_pages| Config { max_pages, ..Config::default_for(era) };
        Self(Config::MAX_PAGES.filter_map(|max_pages| Geometry::new(&config(max_pages)).ok()).collect())
    }

    fn at(&self, max_pages: u8) -> Option<&Geometry> {
        self.0.iter().find(|geometry| geometry.config().max_pages == max_pages)
    }

    /// Objects packed without a gap.
    fn packing(&self, max_pages: u8, sizes: &Histogram) -> Option<Packing> {
        Some(Packing::new(self.at(max_pages)?, sizes.counts()))
    }

    /// Bytes that takes.
    fn bytes(&self, max_pages: u8, sizes: &Histogram) -> Option<f64> {
        self.packing(max_pages, sizes).map(|packing| bytes(&packing))
    }
}

fn bytes(packing: &Packing) -> f64 {
    packing.pages() as f64 * f64::from(PAGE)
}

/// The name of a row.
fn setting(max_pages: u8) -> String {
    format!("max_pages {max_pages}")
}

/// What was published of a setting: the mean of its runs.
fn posted(max_pages: u8, metric: &str) -> Option<f64> {
    published::mean(Case::MorePages, &setting(max_pages), metric)
}

/// The case, as far as it has run.
pub(crate) struct MorePages {
    /// The pages of the test's files.
    data: Histogram,
    /// The same and the file system's metadata.
    all: Histogram,
    /// The rule of the kernel that was patched.
    old: Tables,
    /// Today's rule.
    new: Tables,
    kernel: kernel::Kernel,
    huge: huge::HugeObjects,
    cost: cost::Churn,
    small: small::SmallPools,
}

impl MorePages {
    pub(crate) fn needs() -> Vec<String> {
        let own = ["test2016", "test2016_metadata"].into_iter();
        let sizes = own.chain(huge::SETS).chain([small::MEASURED]).chain(kernel::SIZES).map(sizes_file);
        sizes.chain(kernel::TABLES.map(str::to_owned)).collect()
    }

    pub(crate) fn new(options: &Options, data: &Data) -> Result<Self, DataError> {
        let seeds = options.get(&SEEDS);
        let test = data.sizes("test2016")?;
        let all = test.with(&data.sizes("test2016_metadata")?.percent(options.get(&METADATA)));
        let (old, new) = (Tables::new(Era::V4_5), Tables::new(Era::V6_12));
        Ok(Self {
            kernel: kernel::Kernel::new(data)?,
            huge: huge::HugeObjects::new(data)?,
            cost: cost::Churn::new(options),
            small: small::SmallPools::new(seeds, data)?,
            data: test,
            all,
            old,
            new,
        })
    }

    fn finding(&self) -> String {
        let saved = |of: fn(&Self, u8) -> Option<f64>, to| Some(mib(of(self, 4)? - of(self, to)?));
        let ours = |case: &Self, max_pages| case.old.bytes(max_pages, &case.all);
        let theirs = |_: &Self, max_pages| posted(max_pages, "used_bytes");
        let (Some(five), Some(six), Some(five_then), Some(six_then)) =
            (saved(ours, 5), saved(ours, 6), saved(theirs, 5), saved(theirs, 6))
        else {
            return String::new();
        };
        let (from, to) = origin::saving_sizes(&self.old, &self.all).unwrap_or_default();
        let huge = self.old.packing(4, &self.all).map_or(0, |packing| origin::huge_objects(&packing));
        format!(
            "Five pages instead of four save {} MiB in this test and six save {}; the posting measured {} and {}. {} of \
             its objects is huge: what saves is not that fewer classes are huge, as the posting says, but that sizes from {} \
             to {} bytes have more classes to choose from.",
            say(five, 1),
            say(six, 1),
            say(five_then, 1),
            say(six_then, 1),
            if huge == 0 { "None".to_owned() } else { say(huge as f64, 0) },
            say(from.into(), 0),
            say(to.into(), 0)
        )
    }
}

impl Job for MorePages {
    fn total(&self) -> u32 {
        self.cost.slices() + self.small.slices()
    }

    fn work(&mut self, slice: u32) {
        match slice.checked_sub(self.cost.slices()) {
            None => self.cost.work(slice, &self.old, &self.all),
            Some(slice) => self.small.work(slice, &self.new, &self.all),
        }
    }

    fn outcome(&self) -> Outcome {
        Outcome {
            case: Case::MorePages,
            finding: self.finding(),
            steps: vec![
                test_again::step(&self.old, &self.data, &self.all),
                origin::step(&self.old, &self.data, &self.all),
                settings::step(&self.old, &self.new, &self.all),
                settings::huge_ranges(&self.old),
                self.huge.step(&self.old, &self.new),
                self.cost.step(&self.old, &self.all),
                constants::step(),
                self.small.step(&self.new),
                self.kernel.step(),
                self.kernel.bounds(),
            ],
            lanes: Vec::new(),
        }
    }
}
