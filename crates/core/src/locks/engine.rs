//! The event loop.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use crate::rng::Rng;

use super::chance::{Classes, time};
use super::{Lane, LockKey, LockTotals, Mode, Need, Report, Segment, Spec, SpecError, State};

/// Runs a simulation to its last operation.
///
/// Locks are fair: threads get them in the order in which they asked. A reader that comes while a
/// writer waits queues behind it.
///
/// # Errors
/// The specification asks for something that cannot run.
pub fn simulate(spec: &Spec) -> Result<Report, SpecError> {
    spec.check()?;
    let mut engine = Engine::new(spec);
    for thread in 0..usize::from(spec.threads) {
        engine.wants_core(thread);
    }
    while let Some(Reverse((now, _, thread))) = engine.due.pop() {
        engine.now = now;
        engine.step_done(usize::from(thread));
    }
    Ok(engine.report())
}

/// What a thread is in the middle of.
#[derive(Clone, Copy)]
enum Step {
    Idle,
    Compute,
    Hold { lock: usize, lookup: bool },
}

struct Thread {
    rng: Rng,
    step: Step,
    allocates: bool,
    find: Option<Need>,
    work: Option<Need>,
    since: u64,
    lane: Lane,
}

struct Lock {
    totals: LockTotals,
    readers: u32,
    writer: bool,
    /// Threads in the order in which they came, each with what it needs.
    queue: VecDeque<(usize, Need)>,
}

struct Engine<'a> {
    spec: &'a Spec,
    classes: Classes,
    now: u64,
    /// Time, a running number that orders equal times, thread.
    due: BinaryHeap<Reverse<(u64, u64, u16)>>,
    scheduled: u64,
    threads: Vec<Thread>,
    locks: Vec<Lock>,
    idle_cores: usize,
    wait_for_core: VecDeque<usize>,
    started: u32,
    finished: u64,
    waits: [u64; 64],
}

impl<'a> Engine<'a> {
    fn new(spec: &'a Spec) -> Self {
        let mut seeds = Rng::new(spec.seed);
        let threads = (0..spec.threads)
            .map(|_| Thread {
                rng: Rng::new(seeds.next_u64()),
                step: Step::Idle,
                allocates: false,
                find: None,
                work: None,
                since: 0,
                lane: Lane::default(),
            })
            .collect();
        let locks = spec
            .scheme
            .locks(spec.traffic.len() as u16)
            .into_iter()
            .map(|lock| Lock {
                totals: LockTotals { lock, taken: 0, contended: 0, wait: 0, hold: 0, longest_queue: 0 },
                readers: 0,
                writer: false,
                queue: VecDeque::new(),
            })
            .collect();
        Self {
            spec,
            classes: Classes::new(&spec.traffic),
            now: 0,
            due: BinaryHeap::new(),
            scheduled: 0,
            threads,
            locks,
            idle_cores: usize::from(spec.cores),
            wait_for_core: VecDeque::new(),
            started: 0,
            finished: 0,
            waits: [0; 64],
        }
    }

    fn wants_core(&mut self, thread: usize) {
        self.threads[thread].since = self.now;
        if self.idle_cores > 0 {
            self.idle_cores -= 1;
            self.begin(thread);
        } else {
            self.wait_for_core.push_back(thread);
        }
    }

    /// Starts the next operation on the core that `thread` has, or gives the core up.
    fn begin(&mut self, thread: usize) {
        self.close(thread, State::Off, None);
        if self.started == self.spec.operations {
            self.idle_cores += 1;
            return;
        }
        self.started += 1;
        let spec = self.spec;
        let this = &mut self.threads[thread];
        this.allocates = this.rng.below(1000) < u32::from(spec.allocations_per_mille);
        let class = self.classes.draw(&mut this.rng);
        let hash = (this.rng.next_u64() >> 32) as u32;
        let (find, work) = spec.scheme.needs(this.allocates, class, hash);
        (this.find, this.work) = (find, Some(work));
        let mean = if this.allocates { spec.times.compress } else { spec.times.decompress };
        this.step = Step::Compute;
        let length = time(&mut this.rng, mean, spec.draw);
        self.schedule(thread, length);
    }

    fn step_done(&mut self, thread: usize) {
        match self.threads[thread].step {
            Step::Idle => {}
            Step::Compute => self.close(thread, State::Compute, None),
            Step::Hold { lock, lookup } => {
                self.close(thread, State::Hold, Some(lock));
                self.release(lock);
                if !lookup {
                    self.operation_done(thread);
                    return;
                }
            }
        }
        let this = &mut self.threads[thread];
        if let Some(need) = this.find.take().or_else(|| this.work.take()) {
            self.ask(thread, need);
        }
    }

    fn operation_done(&mut self, thread: usize) {
        self.finished += 1;
        self.threads[thread].lane.operations += 1;
        self.threads[thread].step = Step::Idle;
        if let Some(next) = self.wait_for_core.pop_front() {
            self.wait_for_core.push_back(thread);
            self.begin(next);
        } else {
            self.begin(thread);
        }
    }

    fn ask(&mut self, thread: usize, need: Need) {
        let index = self.index_of(need.lock);
        let lock = &mut self.locks[index];
        if lock.queue.is_empty() && lock.admits(need.mode) {
            self.grant(thread, index, need);
        } else {
            lock.totals.contended += 1;
            lock.queue.push_back((thread, need));
            lock.totals.longest_queue = lock.totals.longest_queue.max(lock.queue.len() as u16);
        }
    }

    fn grant(&mut self, thread: usize, index: usize, need: Need) {
        let waited = self.now - self.threads[thread].since;
        self.close(thread, State::Wait, Some(index));
        self.waits[(u64::BITS - waited.leading_zeros()).min(63) as usize] += 1;
        let times = &self.spec.times;
        let lock = &mut self.locks[index];
        match need.mode {
            Mode::Shared => lock.readers += 1,
            Mode::Exclusive => lock.writer = true,
        }
        lock.totals.taken += 1;
        let this = &mut self.threads[thread];
        let mean = match (need.lookup, this.allocates) {
            (true, _) => times.lookup,
            (false, true) => times.malloc,
            (false, false) => times.free,
        };
        this.step = Step::Hold { lock: index, lookup: need.lookup };
        let length = time(&mut this.rng, mean, self.spec.draw);
        self.schedule(thread, length);
    }

    fn release(&mut self, index: usize) {
        let lock = &mut self.locks[index];
        if lock.writer {
            lock.writer = false;
        } else {
            lock.readers = lock.readers.saturating_sub(1);
        }
        while let Some(&(thread, need)) = self.locks[index].queue.front() {
            if !self.locks[index].admits(need.mode) {
                break;
            }
            self.locks[index].queue.pop_front();
            self.grant(thread, index, need);
        }
    }

    /// Ends the stretch of time that a thread is in, and starts the next.
    fn close(&mut self, thread: usize, state: State, lock: Option<usize>) {
        let this = &mut self.threads[thread];
        let (from, to) = (this.since, self.now);
        this.since = to;
        if from == to {
            return;
        }
        let length = to - from;
        match state {
            State::Off => {}
            State::Compute => this.lane.compute += length,
            State::Wait => this.lane.wait += length,
            State::Hold => this.lane.hold += length,
        }
        let key = lock.map(|index| {
            let totals = &mut self.locks[index].totals;
            match state {
                State::Wait => totals.wait += length,
                _ => totals.hold += length,
            }
            totals.lock
        });
        if this.lane.segments.len() < self.spec.lane_segments {
            this.lane.segments.push(Segment { from, to, state, lock: key });
        }
    }

    fn schedule(&mut self, thread: usize, length: u64) {
        self.scheduled += 1;
        self.due.push(Reverse((self.now + length, self.scheduled, thread as u16)));
    }

    /// Place of a lock in the scheme's order: pools or classes by number, then the read-write lock.
    fn index_of(&self, lock: LockKey) -> usize {
        match lock {
            LockKey::Pool(number) | LockKey::Class(number) => usize::from(number),
            LockKey::Migrate => self.locks.len() - 1,
        }
    }

    fn report(self) -> Report {
        Report {
            elapsed: self.now,
            operations: self.finished,
            lanes: self.threads.into_iter().map(|thread| thread.lane).collect(),
            locks: self.locks.into_iter().map(|lock| lock.totals).collect(),
            waits: self.waits,
        }
    }
}

impl Lock {
    fn admits(&self, mode: Mode) -> bool {
        match mode {
            Mode::Shared => !self.writer,
            Mode::Exclusive => !self.writer && self.readers == 0,
        }
    }
}
