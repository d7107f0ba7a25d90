//! Where more pages stop paying.

/// The setting after which another page gains little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knee {
    /// Max pages.
    pub max_pages: u8,
    /// Bytes taken with it.
    pub bytes: u64,
    /// The least that was asked of a further page, in hundredths of a percent.
    pub least_gain: u32,
}

/// The smallest max pages from which no larger number gains, for each page that it adds, `least_gain` hundredths of
/// a percent of the bytes taken. `None` without points.
///
/// `points` are max pages and the bytes taken with them, in ascending order. Looking at all larger numbers and not
/// only at the next one steps over a number that gains nothing in between.
pub fn knee(points: &[(u8, u64)], least_gain: u32) -> Option<Knee> {
    let stays_below = |index: usize| {
        let (max_pages, bytes) = points[index];
        points[index + 1..].iter().all(|&(more_pages, fewer)| {
            let asked = u64::from(more_pages.saturating_sub(max_pages)) * u64::from(least_gain);
            bytes.saturating_sub(fewer) < (bytes / 10_000).saturating_mul(asked).max(1)
        })
    };
    let at = (0..points.len()).find(|&index| stays_below(index))?;
    let (max_pages, bytes) = points[at];
    Some(Knee { max_pages, bytes, least_gain })
}

#[cfg(test)]
mod tests {
    use super::knee;

    #[test]
    fn the_last_step_that_pays_is_found() {
        let at = |points: &[(u8, u64)]| knee(points, 50).map(|knee| knee.max_pages);
        assert_eq!(at(&[]), None);
        assert_eq!(at(&[(8, 1000)]), Some(8));
        // 5 gains nothing, 6 gains 2 %: a half percent for each of two pages and more.
        assert_eq!(at(&[(4, 100_000), (5, 100_000), (6, 98_000), (7, 97_900)]), Some(6));
        assert_eq!(at(&[(4, 100_000), (5, 101_000), (6, 102_000)]), Some(4));
        assert_eq!(at(&[(1, 0), (2, 0)]), Some(1));
        assert_eq!(at(&[(1, u64::MAX), (255, 0)]), Some(255));
    }
}
