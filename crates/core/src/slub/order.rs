//! `calculate_order()`: how many pages a slab has.

use std::fmt;

use super::explain::{Goal, Outcome, Step, Steps};
use super::{Extra, Generation, LastResort, Lowering, Rules};

/// What an order is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OrderParams {
    /// Generation.
    pub generation: Generation,
    /// `PAGE_SHIFT`, 12 to 16.
    pub page_shift: u8,
    /// CPUs, from 1: those present; `nr_cpu_ids` in 2.6.26 and where only one is present.
    pub cpus: u32,
    /// Objects that a slab should hold; 0: from the number of CPUs.
    pub min_objects: u32,
    /// Lowest order, up to 15.
    pub min_order: u8,
    /// Highest order that is looked for, up to 15. A slab may still get more where nothing else fits.
    pub max_order: u8,
    /// Bytes of an object with its metadata, from 1.
    pub size: u32,
}

impl Default for OrderParams {
    /// The default of each: modern, 4 KiB pages, one CPU, orders 0 to 3, objects of 8 bytes.
    fn default() -> Self {
        Self {
            generation: Generation::default(),
            page_shift: 12,
            cpus: 1,
            min_objects: 0,
            min_order: 0,
            max_order: 3,
            size: 8,
        }
    }
}

/// The order of a cache's slabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderAnswer {
    /// A slab has 2 to this power pages.
    pub order: u8,
    /// Objects of a slab.
    pub objects: u32,
    /// Bytes behind the last object.
    pub waste: u32,
}

/// Why there is no order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoOrder {
    /// The object size is 0.
    ZeroSize,
    /// The page shift is not from 12 to 16.
    PageShift(u8),
    /// There are no CPUs.
    NoCpus,
    /// A minimum or maximum order is above 15.
    Order(u8),
    /// No order holds such an object: the kernel's function returns a negative number.
    NothingFits {
        /// Bytes of the object.
        size: u32,
    },
}

impl fmt::Display for NoOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::ZeroSize => f.write_str("size 0: an object has at least 1 byte"),
            Self::PageShift(given) => write!(f, "page shift {given}: SLUB is modelled with 12 to 16"),
            Self::NoCpus => f.write_str("0 CPUs: there is at least 1"),
            Self::Order(given) => write!(f, "order {given}: orders up to 15 are modelled"),
            Self::NothingFits { size } => write!(f, "size {size}: no order is found for such objects"),
        }
    }
}

impl std::error::Error for NoOrder {}

impl OrderParams {
    /// What a slab of `order` would hold, whether or not the kernel would take that order; `None` where no object
    /// fits or a number is outside what is modelled.
    pub fn slab(&self, order: u8) -> Option<OrderAnswer> {
        let is_modelled = (12..=16).contains(&self.page_shift) && order <= 15 && self.size > 0;
        let slab = is_modelled.then(|| 1u64 << (self.page_shift + order))?;
        (slab >= self.size.into()).then(|| slab_of(slab, order, self.size.into()))
    }
}

/// A slab of this many bytes with objects of `size` bytes; it has at most 2^32 bytes, and an object at least one.
fn slab_of(slab: u64, order: u8, size: u64) -> OrderAnswer {
    OrderAnswer { order, objects: (slab / size) as u32, waste: (slab % size) as u32 }
}

/// Computes the order of slabs.
///
/// # Errors
/// No order fits, or a parameter is outside what is modelled.
pub fn calculate_order(params: &OrderParams) -> Result<OrderAnswer, NoOrder> {
    search(params, &mut ())
}

/// Objects that the kernel asks for by itself: `4 * (fls(cpus) + 1)`.
pub const fn automatic_objects(cpus: u32) -> u32 {
    4 * (u32::BITS - cpus.leading_zeros() + 1)
}

/// Highest order of the page allocator (`MAX_PAGE_ORDER`).
const HIGHEST: u8 = 10;

/// Numbers that stay the same in one search.
pub(super) struct Search<'a, S> {
    rules: &'static Rules,
    page_shift: u8,
    min_order: u8,
    max_order: u8,
    size: u64,
    steps: &'a mut S,
}

/// The search itself; `steps` sees everything that is tried.
pub(super) fn search<S: Steps>(params: &OrderParams, steps: &mut S) -> Result<OrderAnswer, NoOrder> {
    let &OrderParams { generation, page_shift, cpus, min_objects, min_order, max_order, size } = params;
    if !(12..=16).contains(&page_shift) {
        return Err(NoOrder::PageShift(page_shift));
    }
    if let Some(order) = [min_order, max_order].into_iter().find(|&order| order > 15) {
        return Err(NoOrder::Order(order));
    }
    if cpus == 0 {
        return Err(NoOrder::NoCpus);
    }
    if size == 0 {
        return Err(NoOrder::ZeroSize);
    }
    let rules = generation.rules();
    let mut search = Search { rules, page_shift, min_order, max_order, size: size.into(), steps };
    let wanted = if min_objects == 0 { automatic_objects(cpus) } else { min_objects };
    let found = match rules.last {
        LastResort::AnyWaste { accepts_11 } => search.lowering_objects(wanted.into(), accepts_11),
        LastResort::OneObject => search.fixed_objects(wanted.into()),
    };
    let order = found.ok_or(NoOrder::NothingFits { size })?;
    let order = search.one_more(order);
    Ok(slab_of(search.bytes(order), order, search.size))
}

impl<S: Steps> Search<'_, S> {
    fn bytes(&self, order: u8) -> u64 {
        1 << (self.page_shift + order)
    }

    /// The lowest order that holds so many bytes (`get_order`).
    fn order_for(&self, bytes: u64) -> u8 {
        let pages = bytes.div_ceil(1 << self.page_shift);
        pages.checked_next_power_of_two().map_or(u64::BITS, u64::ilog2) as u8
    }

    /// What fits the maximum order, where the generation asks for no more than that.
    fn clamped(&self, wanted: u64) -> u64 {
        if self.rules.clamps_objects { wanted.min(self.bytes(self.max_order) / self.size) } else { wanted }
    }

    /// The order that replaces one with more objects than a slab may have. None where even one page has.
    fn limited(&mut self, order: u8) -> Option<Option<u8>> {
        if self.bytes(order) / self.size <= self.rules.most_objects.into() {
            return None;
        }
        let limited = self.order_for(self.size * u64::from(self.rules.most_objects)).checked_sub(1);
        self.steps.limited(self.rules.most_objects, limited);
        Some(limited)
    }

    /// 2.6.26 and classic: fewer objects are asked for until an order wastes little enough.
    fn lowering_objects(&mut self, wanted: u64, accepts_11: bool) -> Option<u8> {
        let max_order = self.max_order;
        let highest = if accepts_11 { HIGHEST + 1 } else { HIGHEST };
        // Every part of the search looks at the limit first and finds the same.
        if let Some(limited) = self.limited(self.min_order) {
            return limited.filter(|&order| order <= max_order.max(highest));
        }
        let mut objects = self.clamped(wanted);
        while objects > 1 {
            for &fraction in self.rules.fractions {
                if let Some(order) = self.first_good(Goal::Wanted, objects, max_order, fraction) {
                    return Some(order);
                }
            }
            objects = if self.rules.lowering == Lowering::Halve { objects / 2 } else { objects - 1 };
        }
        self.first_good(Goal::OneObject, 1, max_order, 1)
            .or_else(|| self.first_good(Goal::Beyond, 1, highest, 1))
    }

    /// Modern: the start is fixed, only the waste allowed grows.
    fn fixed_objects(&mut self, wanted: u64) -> Option<u8> {
        let objects = self.clamped(wanted).max(1);
        let start = self.min_order.max(self.order_for(objects * self.size));
        if let Some(limited) = self.limited(start) {
            return limited;
        }
        for &fraction in self.rules.fractions {
            if let Some(order) = self.first_from(Goal::Wanted, objects, start, self.max_order, fraction) {
                return Some(order);
            }
        }
        let order = self.order_for(self.size);
        self.first_from(Goal::Beyond, 1, order, order.min(HIGHEST), 1)
    }

    /// The first order that holds `objects` and wastes at most a part of the slab.
    fn first_good(&mut self, goal: Goal, objects: u64, max_order: u8, fraction: u32) -> Option<u8> {
        let start = self.min_order.max(self.order_for(objects * self.size));
        self.first_from(goal, objects, start, max_order, fraction)
    }

    fn first_from(
        &mut self,
        goal: Goal,
        objects: u64,
        start: u8,
        max_order: u8,
        fraction: u32,
    ) -> Option<u8> {
        if start > max_order {
            self.steps.step(|| Step {
                goal,
                min_objects: objects as u32,
                fraction,
                order: start,
                slab_bytes: None,
                objects: 0,
                remainder: 0,
                allowed: 0,
                outcome: Outcome::AboveLimit { limit: max_order },
            });
        }
        for order in start..=max_order {
            let slab = self.bytes(order);
            let (remainder, allowed) = (slab % self.size, slab / u64::from(fraction));
            let outcome = if self.rules.extra == Extra::Skip && remainder > self.size / 2 {
                Outcome::MoreThanHalfAnObject
            } else if remainder > allowed {
                Outcome::TooMuchWaste
            } else {
                Outcome::Accepted
            };
            self.steps.step(|| Step {
                goal,
                min_objects: objects as u32,
                fraction,
                order,
                slab_bytes: Some(slab),
                objects: (slab / self.size) as u32,
                remainder: remainder as u32,
                allowed,
                outcome,
            });
            if outcome == Outcome::Accepted {
                return Some(order);
            }
        }
        None
    }

    /// The order after the patch that adds one.
    fn one_more(&mut self, order: u8) -> u8 {
        let remainder = self.bytes(order) % self.size;
        if self.rules.extra != Extra::OneMore || order >= self.max_order || 2 * remainder < self.size {
            return order;
        }
        self.steps.one_more(order);
        order + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Order and objects of a size.
    fn check(name: &str, cpus: u32, size: u32, expected: (u8, u32)) {
        let generation = Generation::from_name(name).unwrap_or_default();
        let params = OrderParams { generation, cpus, size, ..OrderParams::default() };
        let found = calculate_order(&params).map(|answer| (answer.order, answer.objects));
        assert_eq!(found, Ok(expected), "{name}, {cpus} CPUs, size {size}");
    }

    #[test]
    fn the_slabs_of_the_2008_thread() {
        for cpus in 1..=3 {
            check("2.6.26", cpus, 560, (1, 14));
            check("2.6.26+rfc-order", cpus, 560, (2, 29));
            check("2.6.26", cpus, 552, (1, 14));
            check("2.6.26+rfc-order", cpus, 552, (2, 29));
            check("2.6.26", cpus, 568, (1, 14));
            check("2.6.26+rfc-order", cpus, 568, (1, 14));
            check("2.6.26", cpus, 208, (0, 19));
            check("2.6.26+rfc-order", cpus, 208, (1, 39));
        }
        check("2.6.26", 4, 560, (2, 29));
        check("2.6.26", 8, 208, (1, 39));
        check("2.6.26+rfc-skip", 8, 216, (4, 303));
        for (size, order) in [(24, 1), (72, 3), (96, 1), (320, 2), (448, 3)] {
            let slab = 4096u32 << order;
            check("2.6.26+rfc-skip", 8, size, (order, slab / size));
        }
        check("2.6.26+rfc-order", 8, 72, (1, 113));
        let dentry = OrderParams { generation: Generation::V2_6_26, size: 208, ..OrderParams::default() };
        let waste = |params: &OrderParams| calculate_order(params).map(|answer| answer.waste);
        assert_eq!(waste(&dentry), Ok(144));
        assert_eq!(waste(&OrderParams { cpus: 8, ..dentry }), Ok(80));
    }

    #[test]
    fn objects_follow_from_cpus() {
        let cases = [
            (1, 8),
            (2, 12),
            (3, 12),
            (4, 16),
            (7, 16),
            (8, 20),
            (15, 20),
            (16, 24),
            (64, 32),
            (128, 36),
            (256, 40),
        ];
        for (cpus, objects) in cases {
            assert_eq!(automatic_objects(cpus), objects, "{cpus}");
        }
        assert_eq!(automatic_objects(u32::MAX), 132);
    }

    #[test]
    fn what_is_not_modelled_says_so() {
        let params = OrderParams::default();
        let told = |params: &OrderParams| calculate_order(params).err();
        assert_eq!(told(&OrderParams { size: 0, ..params }), Some(NoOrder::ZeroSize));
        assert_eq!(told(&OrderParams { page_shift: 17, ..params }), Some(NoOrder::PageShift(17)));
        assert_eq!(told(&OrderParams { max_order: 16, ..params }), Some(NoOrder::Order(16)));
        assert_eq!(told(&OrderParams { cpus: 0, ..params }), Some(NoOrder::NoCpus));
    }

    #[test]
    fn extremes_do_not_overflow() {
        let numbers = [1, 2, 7, 8, 4095, 4096, 65_535, 1 << 20, 1 << 31, u32::MAX];
        for generation in Generation::ALL {
            for page_shift in 12..=16 {
                for (size, min_objects) in numbers.into_iter().flat_map(|size| numbers.map(|n| (size, n))) {
                    for (min_order, max_order) in [(0, 3), (15, 0), (0, 15), (15, 15)] {
                        let params = OrderParams {
                            generation,
                            page_shift,
                            cpus: u32::MAX,
                            min_objects,
                            min_order,
                            max_order,
                            size,
                        };
                        let answer = calculate_order(&params);
                        let explained = super::super::explain(&params);
                        assert_eq!(explained.result, answer, "{params:?}");
                        if let Ok(OrderAnswer { order, objects, waste }) = answer {
                            let slab = 1u64 << (page_shift + order);
                            assert_eq!(u64::from(objects) * u64::from(size) + u64::from(waste), slab);
                        }
                    }
                }
            }
        }
    }
}
