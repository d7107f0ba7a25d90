//! The same work on many inputs, on all processors, with the results in the order of the inputs.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Works on every item and hands each result to `done`, in order and as early as possible.
///
/// # Errors
/// `done` fails; what has been begun is finished, and no further item is.
pub(crate) fn in_order<I, T, E>(
    items: &[I],
    work: impl Fn(&I) -> T + Sync,
    mut done: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E>
where
    I: Sync,
    T: Send,
{
    let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    if threads <= 1 {
        return items.iter().try_for_each(|item| done(work(item)));
    }
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let (work, next) = (&work, &next);
    thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { return };
                    // Nobody listens any more once `done` has failed.
                    if sender.send((index, work(item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut expected = 0;
        for (index, result) in receiver {
            early.insert(index, result);
            while let Some(result) = early.remove(&expected) {
                done(result)?;
                expected += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::in_order;

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
}
