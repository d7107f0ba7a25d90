//! All list orders on one stream, operation by operation.

use slabscope_core::oplog::apply;
use slabscope_core::ops::Op;
use slabscope_core::pool::{Ignore, Pool as _};
use slabscope_core::zsmalloc::Pool;

use super::{ERAS, pools};

/// What one list order did with a stream.
#[derive(Clone, Debug)]
pub(super) struct Ran {
    pub(super) pool: Pool,
    /// Sum of the pages after each operation.
    page_operations: u64,
    operations: u64,
    /// Operations whose outcome was another than that of the order at the same place of `against`.
    pub(super) different: u64,
}

impl Ran {
    /// Pages at the end.
    pub(super) fn pages(&self) -> f64 {
        self.pool.totals().pages as f64
    }

    /// Most pages.
    pub(super) fn peak(&self) -> f64 {
        self.pool.totals().pages_peak as f64
    }

    /// Pages on average over the operations.
    pub(super) fn mean_pages(&self) -> f64 {
        self.page_operations as f64 / self.operations.max(1) as f64
    }
}

/// Applies a stream to a pool of every order, in the order of [`ERAS`]. `against[i]` is the order that order `i` is
/// compared with.
pub(super) fn lockstep(ops: impl Iterator<Item = Op>, against: [usize; ERAS.len()]) -> Vec<Ran> {
    let new = |pool| Ran { pool, page_operations: 0, operations: 0, different: 0 };
    let mut ran: Vec<Ran> = pools().into_iter().map(new).collect();
    let mut outcomes = Vec::with_capacity(ran.len());
    for op in ops {
        outcomes.clear();
        for ran in &mut ran {
            outcomes.push(apply(&mut ran.pool, op, &mut Ignore));
            ran.page_operations += ran.pool.totals().pages;
            ran.operations += 1;
        }
        for ((ran, outcome), other) in ran.iter_mut().zip(&outcomes).zip(against) {
            ran.different += u64::from(outcomes.get(other) != Some(outcome));
        }
    }
    ran
}
