//! What many pools waste: the stream of the link, its objects spread over 1 to 64 pools.

use slabscope_core::model::AnyPool;
use slabscope_core::oplog::apply;
use slabscope_core::ops::{Op, Ops};
use slabscope_core::pool::{Ignore, ObjectId, Pool as _};
use slabscope_core::tell::{counted, grouped};
use slabscope_worker::protocol::Setup;

use crate::document::{Block, LinePlot, PlotLine};

/// Numbers of pools: each doubles the one before.
const DOUBLINGS: u32 = 6;
/// Operations of a step.
const SLICE: usize = 50_000;

/// The pools of one number, and what was found with fewer.
pub(super) struct Spread {
    ops: Ops,
    empty: AnyPool,
    page_bytes: u32,
    pools: Vec<AnyPool>,
    at: usize,
    /// Pages held in the end, and spans that are partly filled.
    found: Vec<(u64, u64)>,
}

impl Spread {
    /// Of the pool and stream of a link.
    ///
    /// # Errors
    /// The pool is impossible.
    pub(super) fn new(setup: &Setup) -> Result<Self, String> {
        let empty = setup.config()?.pool().map_err(|why| why.to_string())?;
        let pools = vec![empty.clone()];
        Ok(Self { ops: setup.ops()?, page_bytes: setup.page_bytes(), empty, pools, at: 0, found: Vec::new() })
    }

    /// Goes on; how much is done, of a thousand, or `None` once all is.
    pub(super) fn step(&mut self) -> Option<u16> {
        if self.found.len() > DOUBLINGS as usize {
            return None;
        }
        let end = (self.at + SLICE).min(self.ops.len());
        for at in self.at..end {
            let Some(op) = self.ops.get(at) else { continue };
            let (Op::Alloc { object, .. } | Op::Free { object }) = op else { continue };
            let count = self.pools.len();
            if let Some(pool) = self.pools.get_mut(pool_of(object, count)) {
                apply(pool, op, &mut Ignore);
            }
        }
        self.at = end;
        if end == self.ops.len() {
            let pages = self.pools.iter().map(|pool| pool.totals().pages).sum();
            self.found.push((pages, self.pools.iter().map(partly_filled).sum()));
            if self.found.len() <= DOUBLINGS as usize {
                self.pools = vec![self.empty.clone(); 1 << self.found.len()];
            }
            self.at = 0;
        }
        let whole = (DOUBLINGS as usize + 1) * 1000;
        Some((self.found.len() * 1_000_000 / whole) as u16)
    }

    /// The plot, once all is known, with what it says in words above it.
    pub(super) fn block(&self) -> Option<Block> {
        let (&(one, one_partly), &(many, many_partly)) = (self.found.first()?, self.found.get(5)?);
        let mebi = |pages: u64| pages as f32 * self.page_bytes as f32 / 1_048_576.0;
        let points =
            (0u16..).zip(&self.found).map(|(doublings, &(pages, _))| (f32::from(doublings), mebi(pages)));
        Some(Block::Plot(LinePlot {
            caption: format!(
                "What many pools waste: the stream of the Pool view ends with {} and {} partly filled in one pool, with {} and {} in 32",
                counted(one, "page", "pages"),
                grouped(one_partly),
                counted(many, "page", "pages"),
                grouped(many_partly)
            ),
            along: "doublings of pools, from 1 to 64".to_owned(),
            up: "MiB held".to_owned(),
            lines: vec![PlotLine { name: "held".to_owned(), points: points.collect() }],
            cursor: None,
        }))
    }
}

/// By a hash of the object's number, so that neighbours part.
fn pool_of(object: ObjectId, count: usize) -> usize {
    let hash = (u64::from(object.0) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash >> 32) as usize % count.max(1)
}

fn partly_filled(pool: &AnyPool) -> u64 {
    let mut count = 0;
    pool.for_each_span(&mut |span| count += u64::from(span.used > 0 && span.used < span.capacity));
    count
}
