//! A list of stored sizes: a size and a count on each line.

use std::fmt;

/// Sizes that were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// `(bytes, objects)` in the order of the text.
    pub sizes: Vec<(u32, u64)>,
    /// Lines that were left out, each with its number and the reason.
    pub skipped: Vec<(usize, String)>,
}

/// Why a text is no list of sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotSizes(String);

impl fmt::Display for NotSizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotSizes {}

/// Largest object: a page of 64 KiB.
const LARGEST: u64 = 1 << 16;

/// Reads lines of `size count`, apart by blanks, tabs, commas or semicolons; further columns are ignored. A
/// heading may come first; `#` begins a comment.
///
/// # Errors
/// There is no such line, or more lines are none than are.
pub fn read_histogram(text: &str) -> Result<Histogram, NotSizes> {
    let mut found = Histogram::default();
    let mut is_first = true;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match read_line(line) {
            Ok((_, 0)) => {}
            Ok(size) => found.sizes.push(size),
            // A heading has no digits in front.
            Err(_) if is_first && !line.starts_with(|c: char| c.is_ascii_digit()) => {}
            Err(why) => found.skipped.push((index + 1, why)),
        }
        is_first = false;
    }
    match found.skipped.first() {
        Some((line, why)) if found.skipped.len() >= found.sizes.len() => {
            Err(NotSizes(format!("line {line}: {why}")))
        }
        None if found.sizes.is_empty() => Err(NotSizes("no line has a size and a count".to_owned())),
        _ => Ok(found),
    }
}

fn read_line(line: &str) -> Result<(u32, u64), String> {
    let mut words = line
        .split(|c: char| c.is_ascii_whitespace() || matches!(c, ',' | ';'))
        .filter(|word| !word.is_empty());
    let (Some(size), Some(count)) = (words.next(), words.next()) else {
        return Err("a size and a count are needed".to_owned());
    };
    let clip = |word: &str| word.chars().take(24).collect::<String>();
    let number = |word: &str| {
        word.parse::<u64>().map_err(|_| format!("\u{201c}{}\u{201d} is no number that fits", clip(word)))
    };
    let (size, count) = (number(size)?, number(count)?);
    match u32::try_from(size) {
        Ok(size) if (1..=LARGEST).contains(&size.into()) => Ok((size, count)),
        _ => Err(format!("size {size}: 1 to {LARGEST} bytes are possible")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(text: &str) -> Result<Vec<(u32, u64)>, String> {
        read_histogram(text).map(|found| found.sizes).map_err(|why| why.to_string())
    }

    #[test]
    fn usual_spellings_are_read() {
        let expected = Ok(vec![(44, 768), (258, 3)]);
        for text in [
            "44\t768\n258\t3\n",
            "size,count\n44,768\n258,3",
            "# sizes of a pool\nsize count\n\n 44   768 \n 258 3\n300 0\n",
            "bytes; objects; share\r\n44; 768; 0.99\r\n258; 3; 0.01\r\n",
        ] {
            assert_eq!(sizes(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_bad_line_is_told_and_the_rest_kept() {
        let found = read_histogram("44 768\n258 x\n300 1\n4096\n70000 1\n1 1\n2 2\n").unwrap_or_default();
        assert_eq!(found.sizes, [(44, 768), (300, 1), (1, 1), (2, 2)]);
        let told: Vec<_> = found.skipped.iter().map(|(line, why)| format!("{line} {why}")).collect();
        assert_eq!(
            told,
            [
                "2 \u{201c}x\u{201d} is no number that fits",
                "4 a size and a count are needed",
                "5 size 70000: 1 to 65536 bytes are possible"
            ]
        );
    }

    #[test]
    fn other_texts_are_not_mine() {
        for text in [
            "",
            "hello world\n",
            "32768000 12969569 13737984 0 13737984 334 0 1171 1173\n",
            "a 1 100\nf 1\n",
            "99999999999999999999 1\n",
        ] {
            assert!(sizes(text).is_err(), "{text:?}");
        }
    }
}
