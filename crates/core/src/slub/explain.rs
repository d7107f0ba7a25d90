//! The search for an order as data: every step that was tried, and why it was not taken.

use super::order::{self, NoOrder, OrderAnswer, OrderParams};

/// What a step looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A slab with the objects wanted and little waste.
    Wanted,
    /// A slab with one object within the maximum order, whatever it wastes.
    OneObject,
    /// A slab with one object beyond the maximum order.
    Beyond,
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The order is taken.
    Accepted,
    /// More is left over than allowed.
    TooMuchWaste,
    /// More than half an object is left over: the rule of the counter-proposal of 2008.
    MoreThanHalfAnObject,
    /// The objects wanted need this order, which is above the limit: nothing is tried.
    AboveLimit {
        /// Highest order that this part of the search may take.
        limit: u8,
    },
}

/// One order that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is looked for.
    pub goal: Goal,
    /// Objects that are asked for in this step; above 2^32 its lower bits.
    pub min_objects: u32,
    /// One part in this many of the slab may be left over.
    pub fraction: u32,
    /// The order.
    pub order: u8,
    /// Bytes of the slab; `None` where the order is above the limit.
    pub slab_bytes: Option<u64>,
    /// Objects that fit.
    pub objects: u32,
    /// Bytes left over.
    pub remainder: u32,
    /// Bytes that may be left over.
    pub allowed: u64,
    /// Taken, or why not.
    pub outcome: Outcome,
}

/// A slab that would have had too many objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limited {
    /// Most objects of a slab.
    pub most_objects: u32,
    /// The order for so many objects, less one; `None` if that is below 0.
    pub order: Option<u8>,
}

/// How an order was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Objects asked for at first: given, or from the number of CPUs.
    pub wanted: u32,
    /// The steps in their order, at most [`Self::MOST_STEPS`] of them.
    pub steps: Vec<Step>,
    /// Steps that are left out for being too many.
    pub left_out: u32,
    /// Set where the limit of objects decides instead of the search.
    pub limited: Option<Limited>,
    /// The order that the patch of 2008 replaced by the next one.
    pub one_more_than: Option<u8>,
    /// What [`calculate_order`](super::calculate_order) answers.
    pub result: Result<OrderAnswer, NoOrder>,
}

impl Explanation {
    /// Steps that are kept.
    pub const MOST_STEPS: usize = 1000;
}

/// Sees what a search does.
pub(super) trait Steps {
    fn step(&mut self, step: impl FnOnce() -> Step);
    fn limited(&mut self, most_objects: u32, order: Option<u8>);
    fn one_more(&mut self, than: u8);
}

/// Looks away: for answers without an explanation.
impl Steps for () {
    fn step(&mut self, _: impl FnOnce() -> Step) {}
    fn limited(&mut self, _: u32, _: Option<u8>) {}
    fn one_more(&mut self, _: u8) {}
}

impl Steps for Explanation {
    fn step(&mut self, step: impl FnOnce() -> Step) {
        if self.steps.len() < Self::MOST_STEPS {
            self.steps.push(step());
        } else {
            self.left_out += 1;
        }
    }

    fn limited(&mut self, most_objects: u32, order: Option<u8>) {
        self.limited = Some(Limited { most_objects, order });
    }

    fn one_more(&mut self, than: u8) {
        self.one_more_than = Some(than);
    }
}

/// Computes the order of slabs and tells how.
pub fn explain(params: &OrderParams) -> Explanation {
    let automatic = order::automatic_objects(params.cpus);
    let mut explanation = Explanation {
        wanted: if params.min_objects == 0 { automatic } else { params.min_objects },
        steps: Vec::new(),
        left_out: 0,
        limited: None,
        one_more_than: None,
        result: Err(NoOrder::ZeroSize),
    };
    explanation.result = order::search(params, &mut explanation);
    explanation
}

#[cfg(test)]
mod tests {
    use super::super::Generation;
    use super::*;

    #[test]
    fn the_radix_tree_of_2008_step_by_step() {
        let params =
            OrderParams { generation: Generation::RfcOrder, size: 560, cpus: 2, ..OrderParams::default() };
        let told = explain(&params);
        let short = |step: &Step| (step.fraction, step.order, step.remainder, step.allowed, step.outcome);
        let steps: Vec<_> = told.steps.iter().map(short).collect();
        assert_eq!(steps, [(16, 1, 352, 512, Outcome::Accepted)]);
        assert_eq!((told.wanted, told.one_more_than), (12, Some(1)));
        assert_eq!(told.result, Ok(OrderAnswer { order: 2, objects: 29, waste: 144 }));
    }

    #[test]
    fn a_long_search_is_cut_and_says_so() {
        let params = OrderParams {
            generation: Generation::Classic,
            min_order: 5,
            max_order: 4,
            min_objects: u32::MAX,
            ..OrderParams::default()
        };
        let told = explain(&params);
        assert_eq!(told.steps.len(), Explanation::MOST_STEPS);
        assert!(told.left_out > 0);
        assert_eq!(told.result.map(|answer| answer.order), Ok(5));
    }
}
