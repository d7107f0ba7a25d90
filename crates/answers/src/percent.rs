//! Percentages as whole hundredths: the same text on every platform, without printing floating point.

/// How much more `to` is than `from`, in hundredths of a percent; `None` from nothing.
pub fn change(from: u64, to: u64) -> Option<i64> {
    (from > 0).then(|| ((to as f64 - from as f64) * 10_000.0 / from as f64).round() as i64)
}

/// `part` of `whole` in hundredths of a percent; 0 of nothing.
pub fn share(part: u64, whole: u64) -> i64 {
    if whole == 0 { 0 } else { (part as f64 * 10_000.0 / whole as f64).round() as i64 }
}

/// Hundredths with two digits behind the point: "-3.41".
pub fn text(hundredths: i64) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    let all = hundredths.unsigned_abs();
    format!("{sign}{}.{:02}", all / 100, all % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hundredths_keep_their_sign() {
        for (from, to, expected) in [(200, 193, "-3.50"), (3, 4, "33.33"), (10_000, 9_999, "-0.01")] {
            assert_eq!(change(from, to).map(text).as_deref(), Some(expected));
        }
        assert_eq!(change(0, 5), None);
        assert_eq!(text(share(1, 8)), "12.50");
        assert_eq!((share(0, 0), share(u64::MAX, u64::MAX)), (0, 10_000));
        assert!(change(1, u64::MAX).is_some_and(|huge| huge > 0));
    }
}
