//! The same work on many inputs, on all processors, with the results in the order of the inputs.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, mpsc};
use std::thread;

/// How many inputs for each thread may be begun before the first of them is done. More would let a few small
/// inputs pass a slow one more smoothly; fewer results would wait in memory.
const AHEAD: usize = 32;

/// Works on every item and hands each result to `done`, in order and as early as possible. No more than
/// [`AHEAD`] results a thread wait for one that is slow.
///
/// # Errors
/// `done` fails; what has been begun is finished, and no further item is.
pub(crate) fn in_order<I: Sync, T: Send, E>(
    items: &[I],
    work: impl Fn(&I) -> T + Sync,
    done: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    on_threads(thread::available_parallelism().map_or(1, usize::from), items, work, done)
}

fn on_threads<I: Sync, T: Send, E>(
    threads: usize,
    items: &[I],
    work: impl Fn(&I) -> T + Sync,
    mut done: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.min(items.len());
    if threads <= 1 {
        return items.iter().try_for_each(|item| done(work(item)));
    }
    let (ticket, tickets) = mpsc::channel::<usize>();
    let (sender, receiver) = mpsc::channel();
    let (work, tickets) = (&work, &Mutex::new(tickets));
    thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(move || {
                // Tickets end when `done` has failed, or with the items.
                let next = || tickets.lock().ok()?.recv().ok();
                while let Some(index) = next() {
                    let Some(item) = items.get(index) else { return };
                    let result = catch_unwind(AssertUnwindSafe(|| work(item)));
                    if sender.send((index, result)).is_err() {
                        return;
                    }
                }
            });
        }
        // Those that wait for tickets end when this one is dropped.
        let ticket = ticket;
        let mut left = 0..items.len();
        let mut hand_out = |count| {
            for index in left.by_ref().take(count) {
                // Nobody takes them once all threads have ended.
                let _ = ticket.send(index);
            }
        };
        hand_out(threads * AHEAD);
        let mut early = BTreeMap::new();
        for expected in 0..items.len() {
            let result = loop {
                if let Some(result) = early.remove(&expected) {
                    break result;
                }
                let Ok((index, result)) = receiver.recv() else { return Ok(()) };
                early.insert(index, result);
            };
            done(result.unwrap_or_else(|panic| resume_unwind(panic)))?;
            hand_out(1);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{AHEAD, in_order, on_threads};

    #[test]
    fn results_come_in_order_and_a_failure_stops() {
        let items: Vec<u64> = (0..500).collect();
        let mut seen = Vec::new();
        let slow_first = |&item: &u64| {
            if item == 0 {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            item
        };
        let result: Result<(), ()> = in_order(&items, slow_first, |item| {
            seen.push(item);
            Ok(())
        });
        assert_eq!((result, &seen), (Ok(()), &items));
        let stopped = in_order(&items, |&item| item, |item| if item < 7 { Ok(()) } else { Err(item) });
        assert_eq!(stopped, Err(7));
        assert_eq!(in_order(&[], |item: &u64| *item, |_| Err(())), Ok(()));
    }

    #[test]
    fn a_slow_item_holds_those_far_behind_it_back() {
        let begun = AtomicUsize::new(0);
        let items: Vec<usize> = (0..1000).collect();
        let work = |&item: &usize| {
            begun.fetch_add(1, Ordering::SeqCst);
            if item == 0 {
                std::thread::sleep(std::time::Duration::from_millis(100));
                assert!(begun.load(Ordering::SeqCst) <= 2 * AHEAD);
            }
            item
        };
        let mut last = None;
        let result: Result<(), ()> = on_threads(2, &items, work, |item| {
            last = Some(item);
            Ok(())
        });
        assert_eq!((result, last), (Ok(()), Some(999)));
    }

    #[test]
    #[should_panic(expected = "item 500")]
    fn a_panic_is_passed_on_and_nobody_waits_for_ever() {
        let items: Vec<usize> = (0..1000).collect();
        let work = |&item: &usize| assert_ne!(item, 500, "item 500");
        let _: Result<(), ()> = on_threads(2, &items, work, |()| Ok(()));
    }
}
