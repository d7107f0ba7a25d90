//! Workloads: seeded streams of operations over size distributions.
//!
//! Everything here is integer arithmetic on [`Rng`](crate::rng::Rng): a [`Spec`] gives the same operations on every platform and in every
//! later version, because links carry a `Spec` and not its operations.

mod generate;
mod measured;
mod quantiles;
mod sizes;

pub use generate::Generator;
pub use measured::Measured;
pub use sizes::SizeDist;

use crate::ops::Ops;

/// The shape of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Live objects grow in a straight line to the target, reached at the last operation.
    Ramp,
    /// Fills with 65 % allocations, then as many frees as allocations around the target.
    Churn,
    /// Between the target and a quarter of it, up and down, with some of the other kind in each.
    Waves,
    /// Only allocations up to the target, then only frees at random down to an eighth, again and again.
    Fragment,
    /// Small, medium and large sizes take turns; the oldest objects are freed first.
    Phases,
}

impl Kind {
    /// All kinds, in the order in which a picker lists them.
    pub const ALL: [Self; 5] = [Self::Ramp, Self::Churn, Self::Waves, Self::Fragment, Self::Phases];

    /// Name in links, label and description.
    const fn words(self) -> [&'static str; 3] {
        match self {
            Self::Ramp => ["ramp", "Ramp", "Grows steadily to the live target, with some frees on the way"],
            Self::Churn => ["churn", "Churn", "Fills to the live target, then allocates and frees around it"],
            Self::Waves => ["waves", "Waves", "Swings between the live target and a quarter of it"],
            Self::Fragment => {
                ["fragment", "Fragment", "Fills to the live target, then frees seven of eight at random"]
            }
            Self::Phases => {
                ["phases", "Phases", "Small, medium and large sizes take turns, oldest freed first"]
            }
        }
    }

    /// The name in links and on the command line.
    pub const fn name(self) -> &'static str {
        self.words()[0]
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// A word for a picker.
    pub const fn label(self) -> &'static str {
        self.words()[1]
    }

    /// One line on what it does.
    pub const fn description(self) -> &'static str {
        self.words()[2]
    }
}

/// Everything that determines a stream of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The shape.
    pub kind: Kind,
    /// Where sizes come from.
    pub dist: SizeDist,
    /// The size of every request, whatever `dist` gives: for a cache whose objects are all alike. The stream is
    /// the same otherwise.
    pub fixed_size: Option<u32>,
    /// Seed of the random numbers; every seed is allowed.
    pub seed: u64,
    /// Number of operations, compactions included.
    pub operations: u32,
    /// Live objects aimed at; 0 counts as 1.
    pub live: u32,
    /// Every so many operations one is a compaction of the whole pool, and so is the one after each drain of
    /// [`Kind::Waves`] and [`Kind::Fragment`]. 0: no compaction at all, as allocators without one need.
    pub compact_every: u32,
}

impl Spec {
    /// The operations one at a time, in memory that grows with the live objects only.
    pub fn ops(&self) -> Generator {
        Generator::new(*self)
    }

    /// The same with sizes that were counted somewhere, instead of those of `dist` and `fixed_size`.
    pub fn ops_of(&self, sizes: Measured) -> Generator {
        self.ops().with_sizes(sizes)
    }

    /// All operations in memory, eight bytes each.
    pub fn generate(&self) -> Ops {
        self.ops().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, SizeDist, Spec};
    use crate::ops::Op;

    fn spec(kind: Kind, compact_every: u32) -> Spec {
        Spec {
            kind,
            dist: SizeDist::ProcLzo,
            fixed_size: None,
            seed: 7,
            operations: 20_000,
            live: 1000,
            compact_every,
        }
    }

    /// Number of live objects after each operation; checks on the way that the stream makes sense.
    fn live_counts(spec: &Spec) -> Vec<u32> {
        let mut live = Vec::new();
        let mut count = 0;
        spec.ops()
            .map(|op| {
                match op {
                    Op::Alloc { object, size } => {
                        let number = object.0 as usize;
                        if number >= live.len() {
                            assert_eq!(number, live.len(), "numbers are dense");
                            live.push(false);
                        }
                        assert!(!live[number] && size > 0);
                        live[number] = true;
                        count += 1;
                    }
                    Op::Free { object } => {
                        assert!(live[object.0 as usize]);
                        live[object.0 as usize] = false;
                        count -= 1;
                    }
                    Op::Compact => assert!(spec.compact_every > 0),
                    Op::Report => unreachable!(),
                }
                count
            })
            .collect()
    }

    #[test]
    fn every_kind_allocates_free_numbers_and_frees_live_ones() {
        for kind in Kind::ALL {
            for compact_every in [0, 1, 500] {
                let counts = live_counts(&spec(kind, compact_every));
                assert_eq!(counts.len(), 20_000, "{kind:?}");
            }
        }
    }

    #[test]
    fn each_kind_has_its_shape() {
        let ramp = live_counts(&spec(Kind::Ramp, 0));
        assert!((450..550).contains(&ramp[9_999]) && (950..1050).contains(&ramp[19_999]));
        let churn = live_counts(&spec(Kind::Churn, 0));
        assert!(churn[5_000..].iter().all(|live| (850..1150).contains(live)));
        let waves = live_counts(&spec(Kind::Waves, 0));
        let [low, high] = [waves[2_000..].iter().min(), waves[2_000..].iter().max()];
        assert!(low.is_some_and(|low| (230..=250).contains(low)), "{low:?}");
        assert!(high.is_some_and(|high| (1000..1020).contains(high)), "{high:?}");
        let fragment = live_counts(&spec(Kind::Fragment, 0));
        assert_eq!((fragment[999], fragment[1_874]), (1000, 125));
    }

    #[test]
    fn a_drain_ends_with_a_compaction_where_there_is_one() {
        let ops = spec(Kind::Fragment, 100_000).generate();
        assert_eq!(ops.iter().position(|op| op == Op::Compact), Some(1875));
    }

    #[test]
    fn extreme_numbers_are_survived() {
        for kind in Kind::ALL {
            for live in [0, 1, u32::MAX] {
                let spec = Spec { kind, live, operations: 1000, ..spec(kind, 3) };
                assert_eq!(spec.generate().len(), 1000, "{kind:?} {live}");
            }
            let empty = Spec { operations: 0, ..spec(kind, 0) };
            assert_eq!(empty.ops().len(), 0);
        }
    }

    #[test]
    fn a_fixed_size_changes_nothing_else() {
        let alike = Spec { fixed_size: Some(192), ..spec(Kind::Phases, 500) };
        let expected = spec(Kind::Phases, 500).ops().map(|op| match op {
            Op::Alloc { object, .. } => Op::Alloc { object, size: 192 },
            op => op,
        });
        assert!(alike.ops().eq(expected));
    }

    #[test]
    fn names_lead_back() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_name(kind.name()), Some(kind));
        }
    }
}
