//! The closed form that the engine is checked with: one lock and exponential times make the machine-repair queue, M/M/1//N.

/// Share of the time that one lock is held, for threads whose own work takes `think` times an operation under the lock.
pub fn machine_repair_utilisation(threads: u32, think: f64) -> f64 {
    // 1 / P(nobody is there) = the sum of N! / (N-k)! r^k over k, built up from one thread to N.
    let mut inverse = 1.0;
    for customers in 1..=threads {
        inverse = 1.0 + inverse * f64::from(customers) / think.max(1e-9);
        // Beyond this nobody is ever away.
        if inverse > 1e200 {
            return 1.0;
        }
    }
    1.0 - 1.0 / inverse
}

/// Mean wait of an operation in units of its time under the lock.
pub fn machine_repair_wait(threads: u32, think: f64) -> f64 {
    let rate = machine_repair_utilisation(threads, think);
    (f64::from(threads) / rate - think - 1.0).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The textbook's sum, for few threads.
    fn sum(threads: u32, think: f64) -> f64 {
        let (mut term, mut sum) = (1.0, 1.0);
        for waiting in 0..threads {
            term *= f64::from(threads - waiting) / think;
            sum += term;
        }
        1.0 - 1.0 / sum
    }

    #[test]
    fn the_closed_form_is_the_textbooks() {
        for (threads, think) in [(1, 10.0), (2, 3.0), (8, 10.0), (32, 20.0), (32, 5.0)] {
            let found = machine_repair_utilisation(threads, think);
            assert!((found - sum(threads, think)).abs() < 1e-12, "{threads}, {think}: {found}");
        }
        assert!((machine_repair_utilisation(256, 1.0) - 1.0).abs() < 1e-12);
        assert!(machine_repair_wait(1, 10.0).abs() < 1e-9);
        assert!((machine_repair_wait(256, 1.0) - 254.0).abs() < 1e-6);
    }
}
