//! Taking off what mailers, terminals and logs put around a line.

use std::borrow::Cow;

/// A line without colour codes, quote marks, log times, odd spaces and line ends.
pub fn clean(line: &str) -> Cow<'_, str> {
    let odd = |c: char| matches!(c, '\u{1b}' | '\u{feff}' | '\u{a0}' | '\t' | '\r');
    let mut text = if line.contains(odd) { Cow::Owned(plain(line)) } else { Cow::Borrowed(line) };
    loop {
        let rest = text.trim_start();
        let cut = quote(rest).or_else(|| log_time(rest));
        match cut {
            Some(cut) => text = Cow::Owned(rest[cut..].to_owned()),
            None => return text,
        }
    }
}

/// Without escape sequences; every odd space becomes a common one.
fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => {
                // ESC [ numbers letter
                for code in chars.by_ref() {
                    if code.is_ascii_alphabetic() {
                        break;
                    }
                }
            }
            '\u{feff}' | '\r' => {}
            '\u{a0}' | '\t' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}

/// Length of a quote mark at the start.
fn quote(text: &str) -> Option<usize> {
    text.starts_with(['>', '|']).then_some(1)
}

/// Length of `[  123.456789]` at the start.
fn log_time(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('[')?;
    let end = inside.find(']')?;
    let time = inside[..end].trim();
    let (seconds, fraction) = time.split_once('.')?;
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (digits(seconds) && digits(fraction)).then_some(end + 2)
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn what_surrounds_a_line_is_taken_off() {
        for (line, cleaned) in [
            ("> > |  12 224", "  12 224"),
            ("[   12.345678]  12 224", "  12 224"),
            ("\u{1b}[31m12\u{1b}[0m 224\r", "12 224"),
            ("\u{feff}12\u{a0}224\t1", "12 224 1"),
            ("[..]", "[..]"),
            ("", ""),
        ] {
            assert_eq!(clean(line), cleaned, "{line:?}");
        }
    }
}
