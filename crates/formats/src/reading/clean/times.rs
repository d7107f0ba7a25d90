//! Times and tags that logs put in front of a line.

/// The line behind the time, tag or priority at its start; `None` if there is none.
pub(super) fn after_time(text: &str) -> Option<&str> {
    match text.as_bytes().first()? {
        b'[' => after_bracket(text),
        b'<' => after_priority(text),
        byte if byte.is_ascii_digit() || byte.is_ascii_uppercase() => after_clock(text),
        _ => None,
    }
}

/// `[ 1234.000137]`, `[    T0]`, `[Mon Jan  1 10:00:00 2024]`.
fn after_bracket(text: &str) -> Option<&str> {
    let (end, _) = text.char_indices().take(48).find(|&(_, c)| c == ']')?;
    let inside = text[1..end].trim();
    let is_time = match inside.split_once('.') {
        Some((seconds, fraction)) => are_digits(seconds) && are_digits(fraction),
        None => inside.strip_prefix(['T', 'C']).is_some_and(are_digits),
    };
    (is_time || inside.split(' ').any(is_clock)).then(|| &text[end + 1..])
}

/// `<6>`: the level of a kernel message.
fn after_priority(text: &str) -> Option<&str> {
    let (level, rest) = text[1..].split_once('>')?;
    (level.len() <= 3 && are_digits(level)).then_some(rest)
}

/// `Jan  1 10:00:00 host kernel:`, `2024-01-01T10:00:00.123 host kernel:`, `10:00:00.5`,
/// `01-01 10:00:00.123  12  34 I tag:`.
fn after_clock(text: &str) -> Option<&str> {
    let mut rest = text;
    for _ in 0..4 {
        let (word, after) = next_word(rest);
        rest = after;
        if is_clock(word) || word.split_once('T').is_some_and(|(day, clock)| is_date(day) && is_clock(clock))
        {
            return Some(after_tag(rest));
        }
        let is_month = word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let is_day = are_digits(word) && word.len() <= 2;
        if !(is_month || is_day || is_date(word)) {
            return None;
        }
    }
    None
}

/// Without `host kernel:` or `12 34 I tag:`.
fn after_tag(text: &str) -> &str {
    let mut rest = text;
    for at in 0..4 {
        let (word, after) = next_word(rest);
        rest = after;
        let is_tag =
            word.len() > 1 && word.ends_with(':') && word.bytes().any(|byte| byte.is_ascii_alphabetic());
        // With nothing before it, `Slab:` may be of the text itself.
        if is_tag && (at > 0 || word == "kernel:") {
            return rest;
        }
    }
    text
}

/// The first word and what follows it.
fn next_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(' ').unwrap_or(text.len()))
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `2024-01-01`, `2024/01/01` or `01-01`.
fn is_date(word: &str) -> bool {
    let parts = word.split(['-', '/']);
    word.len() <= 10 && (2..=3).contains(&parts.clone().count()) && parts.clone().all(are_digits)
}

/// `10:00:00` with anything of a fraction and a zone behind it.
fn is_clock(word: &str) -> bool {
    let bytes = word.as_bytes();
    let shape = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let rest = bytes.get(8..).unwrap_or_default();
    [0, 1, 3, 4, 6, 7].into_iter().all(shape)
        && bytes.get(2) == Some(&b':')
        && bytes.get(5) == Some(&b':')
        && rest.iter().all(|byte| byte.is_ascii_digit() || b".,+-:Z".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_taken_off() {
        for (line, left) in [
            ("[ 1234.000137] class", " class"),
            ("[    T123] class", " class"),
            ("[Mon Jan  1 10:00:00 2024] class", " class"),
            ("<6>[ 1.5] class", "[ 1.5] class"),
            ("Jan  1 10:00:00 host kernel: class size", " class size"),
            ("2024-01-01T10:00:00.123456+00:00 host kernel: 1 2", " 1 2"),
            ("2024-01-01 10:00:00 1 2", " 1 2"),
            ("10:00:00.25 class size", " class size"),
            ("01-01 10:00:00.123  1234  1234 I zram: 5 6", " 5 6"),
            ("10:00:00 Slab:   12 kB", " Slab:   12 kB"),
        ] {
            assert_eq!(after_time(line), Some(left), "{line}");
        }
    }

    #[test]
    fn what_is_no_time_stays() {
        for line in [
            "[..]",
            "[32, 64)  1",
            "[5]",
            "[1.x]",
            "[",
            "<6",
            "<name> 1",
            "12 224",
            "254 4096 0",
            "Total 5 6",
            "UNIX 1 2",
            "12:5",
            "2024-01-01",
            "\u{e9}",
            "",
        ] {
            assert_eq!(after_time(line), None, "{line}");
        }
    }
}
