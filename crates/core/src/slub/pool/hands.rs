//! Which slab is whose: the CPU's, the node's, nobody's.

use crate::lists::NONE;
use crate::pool::{ListSpot, Sink};
use crate::slub::Emptied;

use super::{CPU, CPU_PARTIAL, CPU_SLAB, EMPTY, FULL, NODE, PARTIAL, Pool, Slab, State};

impl Pool {
    /// The CPU's next slab, after the one it has is full or where it has none.
    pub(super) fn next_cpu_slab<S: Sink>(&mut self, cache: u16, sink: &mut S) -> u32 {
        let State { cpu_slab, cpu_partial, .. } = self.caches[usize::from(cache)];
        if cpu_slab != NONE {
            self.regroup(cpu_slab, FULL, ListSpot::Unlisted, sink);
        }
        let key = if let Some(key) = self.lists.first(cache, CPU) {
            self.lists.unlink(key);
            self.regroup(key, CPU_SLAB, ListSpot::Unlisted, sink);
            key
        } else if let Some(key) = self.lists.first(cache, NODE) {
            self.lists.unlink(key);
            self.regroup(key, CPU_SLAB, ListSpot::Unlisted, sink);
            if cpu_partial > 0 {
                self.take_more(cache, cpu_partial / 2, sink);
            }
            key
        } else {
            self.create(cache, sink)
        };
        self.caches[usize::from(cache)].cpu_slab = key;
        key
    }

    /// Makes slabs of the node the CPU's, until they are more than `enough`.
    fn take_more<S: Sink>(&mut self, cache: u16, enough: u32, sink: &mut S) {
        let mut taken = 0;
        while taken <= enough
            && let Some(key) = self.lists.first(cache, NODE)
        {
            self.lists.unlink(key);
            self.lists.push_front(cache, CPU, key);
            self.regroup(key, CPU_PARTIAL, ListSpot::Head, sink);
            taken += 1;
        }
    }

    /// After an object was freed in a slab. True if the slab went back.
    pub(super) fn after_free<S: Sink>(&mut self, key: u32, sink: &mut S) -> bool {
        let Slab { cache, used, group, .. } = self.slabs[key as usize];
        match group {
            FULL if self.caches[usize::from(cache)].cpu_partial > 0 => self.keep(key, sink),
            FULL if used == 0 && self.lets_go(cache) => {
                self.destroy(key, sink);
                return true;
            }
            FULL => self.hand_to_node(key, ListSpot::Tail, sink),
            PARTIAL if used == 0 => {
                if self.lets_go(cache) {
                    self.lists.unlink(key);
                    self.destroy(key, sink);
                    return true;
                }
                self.regroup(key, EMPTY, ListSpot::Kept, sink);
            }
            _ => {}
        }
        false
    }

    /// True if a slab goes back that becomes empty while no CPU holds it.
    fn lets_go(&self, cache: u16) -> bool {
        match self.emptied {
            Emptied::Freed => true,
            Emptied::FreedAboveMinimum => self.node_has_enough(cache),
        }
    }

    /// True if the node's list, which a slab may be on that became empty just now, is long enough.
    pub(super) fn node_has_enough(&self, cache: u16) -> bool {
        let State { grouped, min_partial, .. } = self.caches[usize::from(cache)];
        grouped[usize::from(EMPTY)] + grouped[usize::from(PARTIAL)] >= min_partial
    }

    /// Makes a slab that was full one of the CPU's.
    fn keep<S: Sink>(&mut self, key: u32, sink: &mut S) {
        let cache = self.slabs[key as usize].cache;
        let State { grouped, cpu_partial, .. } = self.caches[usize::from(cache)];
        if grouped[usize::from(CPU_PARTIAL)] >= cpu_partial {
            self.drain(cache, sink);
        }
        self.lists.push_front(cache, CPU, key);
        self.regroup(key, CPU_PARTIAL, ListSpot::Head, sink);
    }

    /// Moves all slabs that the CPU keeps beside its own to the node; empty ones go back if it has enough.
    pub(super) fn drain<S: Sink>(&mut self, cache: u16, sink: &mut S) {
        while let Some(key) = self.lists.first(cache, CPU) {
            self.lists.unlink(key);
            if self.slabs[key as usize].used == 0 && self.node_has_enough(cache) {
                self.destroy(key, sink);
            } else {
                self.hand_to_node(key, ListSpot::Tail, sink);
            }
        }
    }

    /// Puts an unlisted slab on the node's list.
    pub(super) fn hand_to_node<S: Sink>(&mut self, key: u32, spot: ListSpot, sink: &mut S) {
        let Slab { cache, used, .. } = self.slabs[key as usize];
        if spot == ListSpot::Head {
            self.lists.push_front(cache, NODE, key);
        } else {
            self.lists.push_back(cache, NODE, key);
        }
        self.regroup(key, if used == 0 { EMPTY } else { PARTIAL }, spot, sink);
    }
}
