//! A recorded run: made when its settings change, recorded in slices so that the page stays alive.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use gloo_timers::callback::Timeout;
use slabscope_core::model::{AnyConfig, AnyPool, Model};
use slabscope_core::oplog::Outcome;
use slabscope_core::ops::Op;
use slabscope_core::pool::{Pool as _, SpanId};
use slabscope_core::tell::{Teller, Terms, grouped};
use slabscope_core::timeline::{Applied, Timeline};
use slabscope_core::workload;
use slabscope_scenario::Side;
use yew::prelude::*;

/// Memory for copies of the pool.
const SNAPSHOT_BYTES: usize = 64 << 20;

/// Operations that are recorded before the page is drawn again: some milliseconds.
const SLICE: u32 = 50_000;

/// A timeline and what does not change over it.
pub(crate) struct Run {
    timeline: RefCell<Timeline<AnyPool>>,
    model: Model,
    groups: &'static [&'static str],
    /// Bytes of an object of each class, ascending by class.
    sizes: Vec<(u16, u32)>,
    page_bytes: u32,
    longest: u16,
}

/// A run is only equal to itself.
impl PartialEq for Run {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// The pool after a step, and what led to it.
pub(crate) struct Moment {
    pub(crate) step: u32,
    pub(crate) pool: AnyPool,
    pub(crate) applied: Option<Applied>,
    pub(crate) page_bytes: u32,
    outcome: Option<String>,
}

impl Moment {
    /// What the operation did, in words.
    pub(crate) fn outcome(&self) -> Option<String> {
        self.outcome.clone()
    }
}

impl Run {
    fn new(config: &AnyConfig, spec: &workload::Spec, page_bytes: u32) -> Result<Self, String> {
        let pool = config.pool().map_err(|error| error.to_string())?;
        let model = pool.model();
        let groups = pool.group_names();
        let sizes = pool.classes().iter().map(|class| (class.class, class.size)).collect();
        let longest = pool.classes().iter().map(|class| class.pages_per_span).max().unwrap_or(1);
        let timeline = RefCell::new(Timeline::new(pool, Arc::new(spec.generate()), SNAPSHOT_BYTES));
        Ok(Self { timeline, model, groups, sizes, page_bytes, longest })
    }

    /// What the allocator calls its parts.
    pub(crate) fn terms(&self) -> &'static Terms {
        Terms::of(self.model)
    }

    /// Names of the groups.
    pub(crate) const fn groups(&self) -> &'static [&'static str] {
        self.groups
    }

    /// Bytes of an object of a class.
    pub(crate) fn size_of(&self, class: u16) -> u32 {
        self.sizes.binary_search_by_key(&class, |entry| entry.0).map_or(0, |at| self.sizes[at].1)
    }

    /// The first group worth a column: zsmalloc's group 0 is the empty one, which holds nothing here.
    pub(crate) fn first_group(&self) -> u8 {
        u8::from(self.model == Model::Zsmalloc)
    }

    /// True if spans of a single object are drawn in a colour of their own.
    pub(crate) fn has_huge(&self) -> bool {
        self.model == Model::Zsmalloc
    }

    /// Pages of the longest span.
    pub(crate) const fn longest(&self) -> u16 {
        self.longest
    }

    /// Bytes of a page.
    pub(crate) const fn page_bytes(&self) -> u32 {
        self.page_bytes
    }

    /// Last step, and the last that can be visited so far.
    pub(crate) fn ends(&self) -> (u32, u32) {
        let timeline = self.timeline.borrow();
        (timeline.len(), timeline.recorded())
    }

    /// Works on the timeline.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut Timeline<AnyPool>) -> T) -> T {
        work(&mut self.timeline.borrow_mut())
    }

    /// The moment after a step.
    pub(crate) fn at(self: &Rc<Self>, step: u32) -> Moment {
        let mut timeline = self.timeline.borrow_mut();
        let step = timeline.seek(step);
        let applied = timeline.events_of(step).cloned();
        let pool = timeline.pool().clone();
        let requested = step.checked_sub(1).and_then(|index| timeline.ops().requested(index as usize));
        drop(timeline);
        let outcome = applied.as_ref().map(|applied| {
            let filled =
                span_of(applied.outcome).and_then(|id| pool.span(id)).map(|span| (span.used, span.capacity));
            let said = super::with_teller(self, |teller| {
                teller.outcome(requested, applied.outcome, &applied.events, filled)
            });
            format!("Operation {}: {said}.", grouped(step.into()))
        });
        Moment { step, pool, applied, page_bytes: self.page_bytes, outcome }
    }

    /// The operation that leads to `step`, in a few words.
    pub(crate) fn headline(self: &Rc<Self>, step: u32) -> Option<String> {
        let (op, class, size) = self.with(|timeline| {
            let applied = timeline.events_of(step)?;
            let (op, class) = (applied.op, class_of(applied.outcome));
            Some((op, class, timeline.ops().requested(step as usize - 1)))
        })?;
        let say = |teller: &Teller<'_>| teller.headline(op, size, class);
        Some(format!("{}: {}", grouped(step.into()), super::with_teller(self, say)))
    }

    /// True if the operation that leads to `step` is a compaction.
    pub(crate) fn is_compaction(&self, step: u32) -> bool {
        self.with(|timeline| timeline.ops().get((step as usize).wrapping_sub(1)) == Some(Op::Compact))
    }
}

fn span_of(outcome: Outcome) -> Option<SpanId> {
    match outcome {
        Outcome::Placed(at) => Some(at.span),
        Outcome::Freed(freed) if !freed.span_freed => Some(freed.from.span),
        _ => None,
    }
}

fn class_of(outcome: Outcome) -> Option<u16> {
    match outcome {
        Outcome::Placed(at) => Some(at.class),
        Outcome::Freed(freed) => Some(freed.from.class),
        _ => None,
    }
}

/// The run of these settings, recorded a slice after the other.
#[hook]
pub(crate) fn use_run(side: &Side) -> Result<Rc<Run>, String> {
    let page_bytes = side.page_bytes();
    let run = use_memo((side.any_config(), side.workload()), |(config, spec)| {
        Run::new(config, spec, page_bytes).map(Rc::new)
    });
    let recorded = use_force_update();
    let slice = use_mut_ref(|| None::<Timeout>);
    let run = (*run).clone();
    if let Ok(run) = &run {
        let (total, done) = run.ends();
        if done == 0 && total > 0 {
            // The first slice at once: short runs need no second.
            run.with(|timeline| timeline.record(SLICE));
        }
        let (total, done) = run.ends();
        *slice.borrow_mut() = (done < total).then(|| {
            let run = run.clone();
            Timeout::new(0, move || {
                run.with(|timeline| timeline.record(SLICE));
                recorded.force_update();
            })
        });
    }
    run
}
