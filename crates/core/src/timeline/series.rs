//! What a recording notes on the way: totals over time and the steps worth a mark.

use crate::oplog::{LogDigest, Outcome};
use crate::pool::{Event, Place, Pool, Sink, SpanId, Totals};

/// Most samples of a series: more than a plot has pixels.
pub(super) const MOST_SAMPLES: u32 = 2048;
/// Most marks of compactions, and of failures, that are kept.
const MOST_MARKS: usize = 4096;

/// Most groups that a sample counts; the models have at most twelve.
pub const MOST_GROUPS: usize = 16;

/// Smallest and largest value within a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinMax {
    /// Smallest.
    pub min: u64,
    /// Largest.
    pub max: u64,
}

impl MinMax {
    const fn at(value: u64) -> Self {
        Self { min: value, max: value }
    }

    fn include(&mut self, value: u64) {
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }
}

/// A stretch of steps: sums at its end, extremes and counts within. Every stretch of a series but the last has the
/// same number of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The last step of the stretch.
    pub step: u32,
    /// Sums after that step.
    pub totals: Totals,
    /// Spans of each group after that step, over all classes; the index is that of the pool's group names.
    pub groups: [u32; MOST_GROUPS],
    /// Pages held, over the stretch.
    pub pages: MinMax,
    /// Objects live, over the stretch.
    pub objects: MinMax,
    /// Bytes requested by live objects, over the stretch.
    pub bytes: MinMax,
    /// Live objects that lie in two pages, after that step; 0 unless the timeline was told how large a page is.
    pub crossing: u32,
    /// Spans that came from the page allocator.
    pub spans_created: u32,
    /// Spans that went back.
    pub spans_freed: u32,
    /// Objects moved by compaction.
    pub moves: u32,
    /// Compactions.
    pub compactions: u32,
    /// Allocations that failed.
    pub failures: u32,
    /// Digest of the operation log up to the last step.
    pub digest: LogDigest,
    /// The youngest span created so far.
    pub(super) youngest: Option<SpanId>,
}

/// Why a step has a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// The pool was compacted.
    Compacted {
        /// Objects moved.
        objects_moved: u64,
        /// Pages given back.
        pages_freed: u64,
    },
    /// An allocation failed.
    Failed,
    /// The first object ever in a class.
    FirstInClass {
        /// The class.
        class: u16,
        /// True if its spans hold one object: a huge class.
        huge: bool,
    },
}

/// A step worth a mark on the time axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The step to which the operation leads.
    pub step: u32,
    /// What it did.
    pub kind: MarkKind,
}

/// Counts events of the current stretch.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) events: u64,
    created: u32,
    freed: u32,
    moves: u32,
    youngest: Option<SpanId>,
    crossing: u32,
    /// For each class and each place of its spans: whether it begins in one page and ends in another.
    crosses: Vec<Vec<bool>>,
}

impl Tally {
    fn crosses(&self, at: Place) -> u32 {
        let place =
            self.crosses.get(usize::from(at.class)).and_then(|places| places.get(usize::from(at.index)));
        u32::from(place.copied().unwrap_or(false))
    }
}

impl Sink for Tally {
    #[inline]
    fn event(&mut self, event: Event) {
        self.events += 1;
        match event {
            Event::SpanCreated { span, .. } => {
                self.created += 1;
                self.youngest = Some(span);
            }
            Event::SpanFreed { .. } => self.freed += 1,
            Event::Moved { from, to, .. } => {
                self.moves += 1;
                self.crossing = (self.crossing + self.crosses(to)).saturating_sub(self.crosses(from));
            }
            Event::Placed { at, .. } => self.crossing += self.crosses(at),
            Event::Removed { from, .. } => self.crossing = self.crossing.saturating_sub(self.crosses(from)),
            _ => {}
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClassUse {
    Never,
    NeverHuge,
    Used,
}

/// The notes of a recording.
#[derive(Clone, Debug)]
pub(super) struct Notes {
    samples: Vec<Sample>,
    marks: Vec<Mark>,
    marks_left_out: u64,
    kept: [usize; 2],
    per_sample: u32,
    classes: Vec<ClassUse>,
    pub(super) tally: Tally,
    extremes: Option<[MinMax; 3]>,
    compactions: u32,
    failures: u32,
}

impl Notes {
    pub(super) fn new<P: Pool>(start: &P, total: u32) -> Self {
        let mut classes = Vec::new();
        for class in start.classes() {
            let index = usize::from(class.class);
            classes.resize(classes.len().max(index + 1), ClassUse::Never);
            if class.objects_per_span == 1 {
                classes[index] = ClassUse::NeverHuge;
            }
        }
        Self {
            samples: Vec::new(),
            marks: Vec::new(),
            marks_left_out: 0,
            kept: [0; 2],
            per_sample: total.div_ceil(MOST_SAMPLES).max(1),
            classes,
            tally: Tally::default(),
            extremes: None,
            compactions: 0,
            failures: 0,
        }
    }

    /// From now on counts the objects that lie in two pages of so many bytes.
    pub(super) fn count_crossing<P: Pool>(&mut self, start: &P, page_bytes: u32) {
        let (page, header) = (page_bytes.max(1), start.header_bytes());
        for class in start.classes() {
            let index = usize::from(class.class);
            let crosses = |slot: u32| {
                let from = slot.saturating_mul(class.size).saturating_add(header);
                from / page != from.saturating_add(class.size.saturating_sub(1)) / page
            };
            let places = (0..u32::from(class.objects_per_span)).map(crosses).collect();
            let all = &mut self.tally.crosses;
            all.resize(all.len().max(index + 1), Vec::new());
            all[index] = places;
        }
    }

    pub(super) fn samples(&self) -> &[Sample] {
        &self.samples
    }

    pub(super) fn marks(&self) -> &[Mark] {
        &self.marks
    }

    pub(super) fn marks_left_out(&self) -> u64 {
        self.marks_left_out
    }

    pub(super) fn per_sample(&self) -> u32 {
        self.per_sample
    }

    /// Notes what the operation that led to `step` did.
    #[inline]
    pub(super) fn add<P: Pool>(
        &mut self,
        step: u32,
        outcome: Outcome,
        pool: &P,
        digest: LogDigest,
        last: bool,
    ) {
        let totals = pool.totals();
        match outcome {
            Outcome::Placed(at) if self.classes.get(usize::from(at.class)) != Some(&ClassUse::Used) => {
                self.first_in(at.class, step);
            }
            Outcome::Compacted(done) => {
                self.compactions += 1;
                let kind =
                    MarkKind::Compacted { objects_moved: done.objects_moved, pages_freed: done.pages_freed };
                self.mark_some(0, Mark { step, kind });
            }
            Outcome::Failed(_) => {
                self.failures += 1;
                self.mark_some(1, Mark { step, kind: MarkKind::Failed });
            }
            _ => {}
        }
        let values = [totals.pages, totals.objects, totals.bytes];
        match &mut self.extremes {
            Some(extremes) => extremes.iter_mut().zip(values).for_each(|(span, value)| span.include(value)),
            None => self.extremes = Some(values.map(MinMax::at)),
        }
        if last || step.is_multiple_of(self.per_sample) {
            self.end_sample(step, pool, digest);
        }
    }

    fn first_in(&mut self, class: u16, step: u32) {
        let index = usize::from(class);
        self.classes.resize(self.classes.len().max(index + 1), ClassUse::Never);
        let huge = self.classes[index] == ClassUse::NeverHuge;
        self.classes[index] = ClassUse::Used;
        self.marks.push(Mark { step, kind: MarkKind::FirstInClass { class, huge } });
    }

    fn mark_some(&mut self, which: usize, mark: Mark) {
        if self.kept[which] < MOST_MARKS {
            self.kept[which] += 1;
            self.marks.push(mark);
        } else {
            self.marks_left_out += 1;
        }
    }

    fn end_sample<P: Pool>(&mut self, step: u32, pool: &P, digest: LogDigest) {
        let Some([pages, objects, bytes]) = self.extremes.take() else { return };
        let Tally { created, freed, moves, youngest, crossing, .. } = self.tally;
        self.samples.push(Sample {
            step,
            totals: pool.totals(),
            groups: groups_of(pool),
            pages,
            objects,
            bytes,
            crossing,
            spans_created: created,
            spans_freed: freed,
            moves,
            compactions: self.compactions,
            failures: self.failures,
            digest,
            youngest,
        });
        (self.tally.created, self.tally.freed, self.tally.moves) = (0, 0, 0);
        self.compactions = 0;
        self.failures = 0;
    }
}

fn groups_of<P: Pool>(pool: &P) -> [u32; MOST_GROUPS] {
    let mut groups = [0; MOST_GROUPS];
    for class in pool.classes().iter().filter(|class| class.spans > 0) {
        groups.iter_mut().zip(pool.group_counts(class.class)).for_each(|(sum, spans)| *sum += spans);
    }
    groups
}
