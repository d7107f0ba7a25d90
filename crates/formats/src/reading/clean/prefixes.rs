//! What mailers, diffs and loggers put in front of a line.

use super::times::after_time;

/// The mark of a diff at the start of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mark {
    /// None: the line is in both versions.
    #[default]
    None,
    /// `-`: only in the older version.
    Minus,
    /// `+`: only in the newer version.
    Plus,
}

/// The line without quotes of any depth, log times and the mark of a diff.
pub(super) fn strip(line: &str) -> (&str, Mark) {
    let (mut rest, mut mark) = (line.trim(), Mark::None);
    // Every round takes something off, so that the loop ends.
    while let Some(after) =
        after_quote(rest).or_else(|| after_time(rest)).or_else(|| after_mark(rest, &mut mark))
    {
        rest = after.trim_start();
    }
    (rest, mark)
}

/// `>`, `AB>`, and `|` unless it is the border of a table.
fn after_quote(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('>') {
        return Some(rest);
    }
    if let Some(rest) = text.strip_prefix('|') {
        return (!rest.contains('|')).then_some(rest);
    }
    let initials = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let rest = text.get(initials..)?.strip_prefix('>')?;
    ((1..=4).contains(&initials) && (rest.is_empty() || rest.starts_with([' ', '>']))).then_some(rest)
}

/// `+` or `-` once, where something other than another mark follows.
fn after_mark<'a>(text: &'a str, mark: &mut Mark) -> Option<&'a str> {
    let found = match text.as_bytes().first()? {
        b'-' => Mark::Minus,
        b'+' => Mark::Plus,
        _ => return None,
    };
    let rest = &text[1..];
    let starts_text = rest
        .bytes()
        .next()
        .is_some_and(|byte| byte == b' ' || byte == b':' || byte == b'/' || byte.is_ascii_alphanumeric());
    if *mark != Mark::None
        || !starts_text
        || !rest.bytes().any(|byte| byte.is_ascii_alphanumeric() || byte == b'.')
    {
        return None;
    }
    *mark = found;
    Some(rest)
}

/// Without a number in front, as editors and `cat -n` print it: `12 text`, `12: text`, `12| text`.
pub(crate) fn after_number(text: &str) -> Option<(u64, &str)> {
    let (number, rest) = crate::reading::numbers::leading_int(text)?;
    let after =
        rest.strip_prefix([':', '|', '.', ')', '-', ' ']).or_else(|| rest.is_empty().then_some(rest))?;
    // `100.5` is one number.
    let is_fraction = rest.starts_with('.') && after.starts_with(|c: char| c.is_ascii_digit());
    (!is_fraction).then(|| (number, after.trim_start()))
}

/// Without the name of a host or container: `node1: text`, `[node1] text`, `node1 | text`.
pub(crate) fn after_host(text: &str) -> Option<&str> {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    let rest = rest.trim_start();
    if let Some(rest) = rest.strip_prefix('|') {
        return (!rest.contains('|')).then_some(rest.trim_start());
    }
    let is_name = |name: &str| name.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_host = first.strip_suffix(':').is_some_and(is_name)
        || first.strip_prefix('[').and_then(|name| name.strip_suffix(']')).is_some_and(is_name);
    is_host.then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_surrounds_a_line_is_taken_off() {
        for (line, left, mark) in [
            ("> > |  12 224", "12 224", Mark::None),
            (">>>12 224", "12 224", Mark::None),
            ("SS> > 12 224", "12 224", Mark::None),
            ("> [   12.345678]  12 224", "12 224", Mark::None),
            ("- 9 176", "9 176", Mark::Minus),
            ("> +    30  512", "30  512", Mark::Plus),
            ("--- a/classes", "--- a/classes", Mark::None),
            ("-----", "-----", Mark::None),
            ("| a | b |", "| a | b |", Mark::None),
            ("name -> :0000024", "name -> :0000024", Mark::None),
            ("- - 5", "- 5", Mark::Minus),
            ("", "", Mark::None),
        ] {
            assert_eq!(strip(line), (left, mark), "{line:?}");
        }
    }

    #[test]
    fn numbers_and_hosts_are_taken_off_on_demand() {
        assert_eq!(after_number("12: text"), Some((12, "text")));
        assert_eq!(after_number("12"), Some((12, "")));
        assert_eq!(after_number("12x text"), None);
        assert_eq!(after_number("12. text"), Some((12, "text")));
        assert_eq!(after_number("12.5 text"), None);
        assert_eq!(after_host("node1: dentry 5"), Some("dentry 5"));
        assert_eq!(after_host("web-1  | dentry 5"), Some("dentry 5"));
        assert_eq!(after_host("[n1] dentry 5"), Some("dentry 5"));
        assert_eq!(after_host("node1:"), Some(""));
        assert_eq!(after_host("12: dentry 5"), None);
        assert_eq!(after_host("dentry 5"), None);
    }
}
