//! Tables with borders, commas or semicolons, and marks of thousands: as words with blanks between.

use crate::reading::numbers::has_thousands_marks;

/// What stands for a cell that is there, but empty.
const EMPTY: &str = "-";

/// The line with blanks between its fields; `None` if it is that already.
pub(super) fn blanks_between(line: &str) -> Option<String> {
    if line.contains('|') && is_row(line) {
        let inside = line.strip_prefix('|').unwrap_or(line);
        let inside = inside.strip_suffix('|').unwrap_or(inside);
        return Some(join(inside.split('|'), true));
    }
    if !line.contains([',', ';', '\'']) || line.contains(['=', '(', '[', '{', '@', ')']) {
        return None;
    }
    let separator = if line.contains(';') { ';' } else { ',' };
    let pieces = line.split(separator);
    let is_list = line.contains(separator) && pieces.clone().all(|piece| !piece.trim().contains(' '));
    if is_list {
        return Some(join(pieces, false));
    }
    let marked = line.split(' ').any(has_thousands_marks);
    marked.then(|| {
        let word = |word: &str| {
            if has_thousands_marks(word) { word.replace([',', '\''], "") } else { word.to_owned() }
        };
        line.split(' ').map(word).collect::<Vec<_>>().join(" ")
    })
}

/// A row of a table with borders: bars stand at both ends, or free between blanks.
fn is_row(line: &str) -> bool {
    // A bar of a histogram is none.
    if line.starts_with(['[', '(', '@']) {
        return false;
    }
    let framed = line.len() > 2 && line.starts_with('|') && line.ends_with('|');
    let bars = line.matches('|').count();
    framed
        || (bars >= 2
            && bars
                == line.matches(" | ").count()
                    + usize::from(line.starts_with("| "))
                    + usize::from(line.ends_with(" |")))
}

fn join<'a>(cells: impl Iterator<Item = &'a str>, marks: bool) -> String {
    let mut out = String::new();
    for cell in cells {
        let cell = cell.trim_matches([' ', '`', '*', '"']);
        if !out.is_empty() {
            out.push(' ');
        }
        match cell {
            "" => out.push_str(EMPTY),
            cell if marks && has_thousands_marks(cell) => {
                out.extend(cell.chars().filter(char::is_ascii_digit))
            }
            cell => out.push_str(cell),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::blanks_between;

    #[test]
    fn fields_are_split() {
        for (line, words) in [
            ("| class | **size** | |", Some("class size -")),
            ("| a |  | `c` |", Some("a - c")),
            ("a | b | c", Some("a b c")),
            ("1,2,3", Some("1 2 3")),
            ("100,112", Some("100 112")),
            ("1, 2, 3", Some("1 2 3")),
            ("\"size\";\"count\"", Some("size count")),
            ("32,,5", Some("32 - 5")),
            ("1,234 5,678,901", Some("1234 5678901")),
            ("| 1,234 | 5 |", Some("1234 5")),
            ("1,234 x", Some("1234 x")),
            ("12 224 0", None),
            ("slub_debug=FZ,dentry", None),
            ("[32, 64)   12 |@@@@    |", None),
            ("[8, 16)     0 |        |", None),
            ("GFP_KERNEL|GFP_ZERO|X", None),
            ("yes, it is so", None),
            ("", None),
        ] {
            assert_eq!(blanks_between(line).as_deref(), words, "{line}");
        }
    }
}
