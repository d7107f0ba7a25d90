//! Character by character: colour codes, odd spaces and typographic marks become what was printed.

use std::borrow::Cow;

/// A line without escape sequences, in which every odd space is a common one and every mark that a word
/// processor or a table drawer put in is the plain one.
pub(super) fn plain(line: &str) -> Cow<'_, str> {
    let odd = |byte: u8| !(0x20..0x7f).contains(&byte) || matches!(byte, b'&' | b'^');
    if !line.bytes().any(odd) && !line.contains("[m") && !line.contains("[K") {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\u{1b}' => rest = after_escape(rest),
            // Terminals show an escape as ^[, and some forms drop it.
            '^' if rest.starts_with("[[") => rest = after_escape(&rest[1..]),
            '[' => match bare_colour(rest) {
                Some(after) => rest = after,
                None => out.push('['),
            },
            '&' => match entity(rest) {
                Some((stands_for, after)) => {
                    out.push(stands_for);
                    rest = after;
                }
                None => out.push('&'),
            },
            // Overstruck text: the later character counts.
            '\u{8}' => {
                out.pop();
            }
            '\r'
            | '\0'
            | '\u{7f}'
            | '\u{ad}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'
            | '\u{feff}' => {}
            '\t' | '\u{85}' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
                out.push(' ')
            }
            '\u{2010}'..='\u{2015}' | '\u{2212}' => out.push('-'),
            '\u{2018}'..='\u{201b}' => out.push('\''),
            '\u{201c}'..='\u{201f}' => out.push('"'),
            '\u{2026}' => out.push_str("..."),
            '\u{203a}' | '\u{bb}' => out.push('>'),
            '\u{2502}' | '\u{2503}' | '\u{2551}' | '\u{a6}' => out.push('|'),
            '\u{2500}'..='\u{257f}' => out.push('-'),
            c if (c as u32) < 0x20 => out.push(' '),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// What follows an escape sequence whose first character was taken off.
fn after_escape(text: &str) -> &str {
    let mut chars = text.char_indices();
    match chars.next() {
        // ESC [ numbers letter
        Some((_, '[')) => {
            let end = chars.find(|(_, c)| ('\u{40}'..='\u{7e}').contains(c));
            end.map_or("", |(at, c)| &text[at + c.len_utf8()..])
        }
        // ESC ] title BEL, or ESC \ at its end
        Some((_, ']')) => {
            let end = chars.find(|(_, c)| matches!(c, '\u{7}' | '\\'));
            end.map_or("", |(at, c)| &text[at + c.len_utf8()..])
        }
        Some((_, c)) => &text[c.len_utf8()..],
        None => "",
    }
}

/// What follows `01;31m` or `K`, the rest of a colour code without its escape.
fn bare_colour(text: &str) -> Option<&str> {
    let numbers = text.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
    let rest = &text[numbers..];
    if numbers > 8 {
        return None;
    }
    rest.strip_prefix('m').or_else(|| if numbers == 0 { rest.strip_prefix('K') } else { None })
}

const ENTITIES: [(&str, char); 6] =
    [("gt;", '>'), ("lt;", '<'), ("amp;", '&'), ("nbsp;", ' '), ("quot;", '"'), ("#39;", '\'')];

fn entity(text: &str) -> Option<(char, &str)> {
    ENTITIES.iter().find_map(|&(name, stands_for)| Some((stands_for, text.strip_prefix(name)?)))
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn what_was_printed_is_left() {
        for (line, left) in [
            ("12 224", "12 224"),
            ("\u{1b}[01;31m\u{1b}[Kpages_used\u{1b}[m\u{1b}[K 5", "pages_used 5"),
            ("^[[31m12^[[0m 5", "12 5"),
            ("[01;31m[K12[m[K 5", "12 5"),
            ("slab-[16] 5", "slab-[16] 5"),
            ("\u{1b}]0;title\u{7}12", "12"),
            ("12\u{1b}", "12"),
            ("12\u{1b}[31", "12"),
            ("&gt; &lt;name&gt; &x;", "> <name> &x;"),
            ("\u{feff}12\u{a0}5\t6\r", "12 5 6"),
            ("a\u{8}ab\u{8}b", "ab"),
            ("\u{2026} \u{2502} \u{2013}1 \u{201c}x\u{201d}", "... | -1 \"x\""),
            ("\u{1b}[\u{e9}m5", "5"),
        ] {
            assert_eq!(plain(line), left, "{line:?}");
        }
    }
}
