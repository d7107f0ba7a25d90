//! Which era a kernel version belongs to.

use std::fmt;

use super::Era;

/// How well an era is known to be right for a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// A kernel of this range was compiled and agrees in every row and operation.
    Checked,
    /// No data: neighbours agree.
    Assumed,
    /// Only the class table holds; objects are placed otherwise.
    ClassesOnly,
}

/// An era chosen for a kernel version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelMatch {
    /// The era.
    pub era: Era,
    /// Major and minor version read from the text.
    pub kernel: (u16, u16),
    /// How sure.
    pub certainty: Certainty,
    /// A sentence about this range.
    pub note: &'static str,
}

impl fmt::Display for KernelMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = self.kernel;
        write!(f, "Linux {major}.{minor} uses the rules of era {}: {}", self.era.name(), self.note)
    }
}

/// Why no era was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KernelError {
    /// Not a version.
    NotAVersion(String),
    /// Before 4.2.
    TooOld(u16, u16),
    /// After 7.1.
    TooNew(u16, u16),
}

impl fmt::Display for KernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAVersion(text) => {
                write!(f, "\u{201c}{text}\u{201d} is neither an era nor a kernel version")
            }
            Self::TooOld(major, minor) => {
                write!(
                    f,
                    "Linux {major}.{minor}: before 4.2 there is no compaction or another one; eras start at 4.2"
                )
            }
            Self::TooNew(major, minor) => {
                write!(f, "Linux {major}.{minor} is newer than 7.1, the last that was checked")
            }
        }
    }
}

impl std::error::Error for KernelError {}

struct Range {
    first: (u16, u16),
    last: (u16, u16),
    era: Era,
    certainty: Certainty,
    note: &'static str,
}

const fn range(
    first: (u16, u16),
    last: (u16, u16),
    era: Era,
    certainty: Certainty,
    note: &'static str,
) -> Range {
    Range { first, last, era, certainty, note }
}

const RANGES: [Range; 8] = [
    range((4, 2), (4, 2), Era::V4_2, Certainty::Checked, "checked against 4.2"),
    range((4, 3), (4, 5), Era::V4_5, Certainty::Checked, "checked against 4.3 and 4.5"),
    range((4, 6), (4, 8), Era::V4_5, Certainty::Assumed, "assumed, without data; the lists changed by 4.9"),
    range((4, 9), (6, 1), Era::V6_1, Certainty::Checked, "4.9 and 6.1 checked, those between assumed"),
    range((6, 2), (6, 2), Era::V6_1, Certainty::Assumed, "assumed: only the locks differ from 6.1"),
    range(
        (6, 3),
        (6, 3),
        Era::V6_6,
        Certainty::ClassesOnly,
        "6.3 has these classes, but still the four fullness groups of 6.1: placement is not modelled",
    ),
    range(
        (6, 4),
        (6, 10),
        Era::V6_6,
        Certainty::Checked,
        "6.4 and 6.6 checked; 6.4 with CONFIG_ZPOOL has one index bit fewer",
    ),
    range((6, 11), (7, 1), Era::V6_12, Certainty::Checked, "6.12 and 7.1 checked"),
];

impl Era {
    /// The era of a kernel version such as `6.8`, `v6.12.3` or `5.15.0-91-generic`.
    ///
    /// # Errors
    /// The text is no version, or no era covers it.
    pub fn for_kernel(text: &str) -> Result<KernelMatch, KernelError> {
        let kernel =
            version(text).ok_or_else(|| KernelError::NotAVersion(text.chars().take(40).collect()))?;
        if kernel < RANGES[0].first {
            return Err(KernelError::TooOld(kernel.0, kernel.1));
        }
        // 4.20 and 5.19 were the last of their majors: a number above them still lies in the range.
        RANGES
            .iter()
            .find(|range| (range.first..=range.last).contains(&kernel))
            .map(|range| KernelMatch { era: range.era, kernel, certainty: range.certainty, note: range.note })
            .ok_or(KernelError::TooNew(kernel.0, kernel.1))
    }
}

/// Major and minor number at the start of a text, after `v` or `linux-`.
fn version(text: &str) -> Option<(u16, u16)> {
    let lower = text.trim().to_ascii_lowercase();
    let rest = ["linux-", "linux ", "linux"].iter().find_map(|p| lower.strip_prefix(p)).unwrap_or(&lower);
    let rest = rest.strip_prefix('v').unwrap_or(rest);
    let (major, rest) = rest.split_once('.')?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (minor, after) = rest.split_at(end);
    let ends_well = after.is_empty() || after.starts_with(['.', '-', '+', '_', ' ', '~']);
    ends_well.then_some(())?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_find_their_era() {
        for (text, era) in [
            ("4.2", "4.2"),
            ("4.4.302", "4.5"),
            ("4.7", "4.5"),
            ("4.19.0-26-amd64", "6.1"),
            ("5.15.0-91-generic", "6.1"),
            ("v6.2", "6.1"),
            ("6.3.1", "6.6"),
            ("6.8.0-31-generic", "6.6"),
            ("linux-6.10", "6.6"),
            ("6.11", "6.12"),
            ("Linux 7.1.3", "6.12"),
        ] {
            assert_eq!(Era::for_kernel(text).map(|found| found.era.name()), Ok(era), "{text}");
        }
    }

    #[test]
    fn what_no_era_covers_says_why() {
        assert_eq!(Era::for_kernel("3.18"), Err(KernelError::TooOld(3, 18)));
        assert_eq!(Era::for_kernel("7.2"), Err(KernelError::TooNew(7, 2)));
        for text in ["", "six", "6", "6.x", "6.12abc", "..", "99999999.1"] {
            assert!(matches!(Era::for_kernel(text), Err(KernelError::NotAVersion(_))), "{text}");
        }
    }
}
