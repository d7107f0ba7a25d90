//! zsmalloc's debugfs file `classes`, of every kernel and with the columns that vendors add.

use std::ops::Range;

use crate::reading::account::Why;
use crate::reading::clean::{Line, LineKind};
use crate::reading::format::Format;
use crate::reading::numbers::int;
use crate::reading::sheet::{Sheet, Verdict};
use crate::reading::table::{Table, Value};

/// Columns that make a heading, besides `class` and `size`: two of them are enough, since people leave some out.
const TELLING: [&str; 4] = ["obj_allocated", "obj_used", "pages_used", "pages_per_zspage"];

/// Column sets by their number, where the heading is lost: 3.18, 4.2, 4.9, 6.4.
const KNOWN: [&str; 4] = [
    "class size obj_allocated obj_used pages_used",
    "class size almost_full almost_empty obj_allocated obj_used pages_used pages_per_zspage",
    "class size almost_full almost_empty obj_allocated obj_used pages_used pages_per_zspage freeable",
    "class size 10% 20% 30% 40% 50% 60% 70% 80% 90% 99% 100% obj_allocated obj_used pages_used pages_per_zspage freeable",
];

/// Above these no row is a class: page sizes end at 64 KiB, and classes are at least 8 bytes apart.
const MOST_CLASS: u64 = 1 << 14;
const MOST_SIZE: u64 = 1 << 18;

/// Most lines over which a mailer may have wrapped one row.
const MOST_WRAPS: usize = 3;

/// Finds every table with a heading, then rows whose heading is lost.
pub(crate) fn read(sheet: &mut Sheet<'_>) -> Verdict {
    let mut found = false;
    let mut lone_heading = None;
    let mut at = 0;
    while at < sheet.len() {
        let Some((columns, next)) = heading(sheet, at) else {
            at += 1;
            continue;
        };
        let mut body = Body::new(columns);
        at = body.read(sheet, next);
        if body.rows.is_empty() && body.totals.is_empty() {
            lone_heading = lone_heading.or(sheet.line(next - 1).map(|line| line.number));
            continue;
        }
        let first = next - 1;
        body.add(sheet, first, Some(first));
        found = true;
    }
    found |= read_without_heading(sheet);
    if found {
        return Verdict::Mine;
    }
    match lone_heading {
        Some(line) => {
            Verdict::near(4, Some(line), "the heading of a classes file, but no class follows".to_owned())
        }
        None => Verdict::far("no line has the columns class, size, obj_allocated, obj_used and pages_used"),
    }
}

/// The columns of a heading at a position, and the position behind it. A mailer may have wrapped it.
fn heading(sheet: &Sheet<'_>, at: usize) -> Option<(Vec<String>, usize)> {
    let mut columns: Vec<String> = Vec::new();
    let first = sheet.data(at)?;
    // Most lines are no heading: this is all that is asked of them.
    if !first.words().any(|word| word == "class") {
        return None;
    }
    for end in at..at + MOST_WRAPS {
        let Some(line) = sheet.data(end).filter(|line| line.words().all(is_name)) else { break };
        if end > at && line.words().any(|word| word == "class") {
            break;
        }
        columns.extend(line.words().map(str::to_owned));
        let has = |name: &str| columns.iter().any(|column| column == name);
        let telling = TELLING.iter().filter(|name| has(name)).count();
        // More of the same names below: a mailer wrapped it.
        let wraps = sheet
            .data(end + 1)
            .is_some_and(|next| next.words().all(|word| TELLING.contains(&word) || word == "freeable"));
        if has("class") && has("size") && telling >= 2 && !wraps {
            return Some((columns, end + 1));
        }
    }
    None
}

/// A word that may name a column: a name, a percentage, or dots where columns were left out.
fn is_name(word: &str) -> bool {
    let has_letter = word.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_share = word.strip_suffix('%').is_some_and(|number| int(number).is_some());
    is_share
        || is_dots(word)
        || (has_letter && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
}

fn is_dots(word: &str) -> bool {
    word.len() >= 2 && word.bytes().all(|byte| byte == b'.')
}

/// True for a column that has a sum: class, size, pages per zspage and marks have none.
fn is_summed(name: &str) -> bool {
    !matches!(name, "class" | "size" | "pages_per_zspage" | "huge")
}

/// The rows below one heading.
struct Body {
    columns: Vec<String>,
    /// Position of vendors' column that is `Y` or blank.
    mark: Option<usize>,
    /// Position of the first line of each row, how many lines it takes, and its values.
    rows: Vec<(usize, usize, Vec<Option<u64>>)>,
    totals: Vec<(String, u64)>,
    total_lines: Range<usize>,
    skipped: Vec<(usize, Why)>,
    elided: bool,
}

impl Body {
    fn new(columns: Vec<String>) -> Self {
        let mark = columns.iter().position(|name| name == "huge");
        Self {
            elided: columns.iter().any(|name| is_dots(name)),
            columns,
            mark,
            rows: Vec::new(),
            totals: Vec::new(),
            total_lines: 0..0,
            skipped: Vec::new(),
        }
    }

    /// Reads up to the next heading, prompt or sums; the position where it ended.
    fn read(&mut self, sheet: &Sheet<'_>, from: usize) -> usize {
        let mut at = from;
        while let Some(shown) = sheet.next_shown(at).filter(|_| self.rows.len() as u64 <= MOST_CLASS) {
            let Some(line) = sheet.line(shown) else { break };
            match line.kind {
                LineKind::Command | LineKind::Label => return shown,
                LineKind::Elided => self.elided = true,
                LineKind::Frame => {}
                LineKind::Data if heading(sheet, shown).is_some() => return shown,
                LineKind::Data => {
                    if let Some(lines) = self.read_total(sheet, shown) {
                        return shown + lines;
                    }
                    if let Some(lines) = self.read_row(sheet, shown, &line) {
                        at = shown + lines;
                        continue;
                    }
                }
            }
            at = shown + 1;
        }
        at
    }

    /// Reads a row; the number of its lines, or `None` if the line is no row.
    fn read_row(&mut self, sheet: &Sheet<'_>, at: usize, line: &Line<'_>) -> Option<usize> {
        let mut words: Vec<&str> = line.words().collect();
        let class = words.first().and_then(|word| int(word))?;
        let size = words.get(1).and_then(|word| int(word));
        if class > MOST_CLASS || size.is_none_or(|size| size > MOST_SIZE) {
            return None;
        }
        let width = self.columns.len();
        let mut lines = 1;
        while words.len() + usize::from(self.mark.is_some()) < width && lines < MOST_WRAPS {
            let Some(next) =
                sheet.data(at + lines).filter(|next| next.words().all(|word| int(word).is_some()))
            else {
                break;
            };
            let more = next.words().count();
            if words.len() + more > width {
                break;
            }
            words.extend(next.words());
            lines += 1;
        }
        match self.values(&words) {
            Ok(values) => {
                self.rows.push((at, lines, values));
                Some(lines)
            }
            Err(why) => {
                let is_last = sheet.next_shown(at + 1).is_none();
                let cut =
                    Why::with("# fields where the heading has #: the text ends in this row", why.numbers());
                self.skipped.push((at, if is_last && words.len() < width { cut } else { why }));
                None
            }
        }
    }

    /// The numbers of a row. The mark of vendors is `Y` or blank, so that a row may be one word short.
    fn values(&self, words: &[&str]) -> Result<Vec<Option<u64>>, Why> {
        let expected = self.columns.len();
        let mut words: Vec<Option<&str>> = words.iter().copied().map(Some).collect();
        if let Some(mark) = self.mark
            && words.len() + 1 == expected
        {
            words.insert(mark, None);
        }
        if words.len() != expected {
            let numbers = [words.len() as u32, expected as u32];
            return Err(Why::with("# fields where the heading has #", numbers));
        }
        let value = |(index, word): (usize, Option<&str>)| match word {
            None => Ok(None),
            Some("-") => Ok(None),
            Some("Y" | "y" | "N" | "n") if Some(index) == self.mark => Ok(None),
            Some(word) if is_dots(word) => Ok(None),
            Some(word) => match int(word) {
                Some(number) => Ok(Some(number)),
                None => Err(Why::with("@ is no number", [index as u32, 0])),
            },
        };
        words.into_iter().enumerate().map(value).collect()
    }

    /// The sums stand under their columns; class, size, pages per zspage and marks have none. The number of their
    /// lines, or `None` if the line has no sums.
    fn read_total(&mut self, sheet: &Sheet<'_>, at: usize) -> Option<usize> {
        let line = sheet.data(at)?;
        let mut words: Vec<&str> = line.words().filter(|word| *word != "-").collect();
        if !words.first()?.trim_end_matches(':').eq_ignore_ascii_case("total") {
            return None;
        }
        words.remove(0);
        let summed: Vec<&String> = self.columns.iter().filter(|name| is_summed(name)).collect();
        let mut lines = 1;
        while words.len() < summed.len() && lines < MOST_WRAPS {
            let Some(next) =
                sheet.data(at + lines).filter(|next| next.words().all(|word| int(word).is_some()))
            else {
                break;
            };
            words.extend(next.words());
            lines += 1;
        }
        let number = |word: &&str| if is_dots(word) { Some(None) } else { int(word).map(Some) };
        let numbers: Vec<Option<u64>> = words.iter().map(number).collect::<Option<_>>()?;
        if numbers.len() != summed.len() {
            return None;
        }
        let pairs = summed.into_iter().zip(numbers);
        self.totals = pairs.filter_map(|(name, number)| Some((name.clone(), number?))).collect();
        self.total_lines = at..at + lines;
        Some(lines)
    }

    /// Adds the table. `heading` is the position of its heading, if it has one.
    fn add(self, sheet: &mut Sheet<'_>, first: usize, heading: Option<usize>) {
        let mut table = Table::new(Format::ZsmallocClasses, &self.columns);
        let title_at = heading.or(self.rows.first().map(|row| row.0)).unwrap_or(first);
        table.set_title(sheet.title(title_at));
        for (at, _, values) in &self.rows {
            let line = sheet.line(*at).map_or(0, |line| line.number);
            table.push(line, values.iter().map(|value| value.map_or(Value::Blank, Value::Int)));
        }
        if let Some(dots) = self.columns.iter().position(|name| is_dots(name)) {
            table.warn(
                sheet.line(first).map(|line| line.number),
                format!("columns were left out at {}", self.columns[dots]),
            );
        }
        if heading.is_none() {
            table.warn(None, "the heading is missing; the columns are known by their number".to_owned());
        }
        let printed = !self.total_lines.is_empty();
        let totals = if printed { self.totals } else { sums(&table) };
        table.set_totals(totals, printed);
        table.set_elided(self.elided);
        let id = sheet.add(table, first);
        if let Some(at) = heading {
            sheet.heading(at, id);
        }
        for (at, lines, _) in self.rows {
            for line in at..at + lines {
                sheet.row(line, id);
            }
        }
        for at in self.total_lines {
            sheet.total(at, id);
        }
        for (at, why) in self.skipped {
            sheet.skip(at, why.of(id));
        }
    }
}

/// The sums that the file would have printed.
fn sums(table: &Table) -> Vec<(String, u64)> {
    if table.is_empty() {
        return Vec::new();
    }
    table
        .columns()
        .iter()
        .filter(|name| is_summed(name) && !is_dots(name))
        .map(|name| (name.clone(), table.sum(name)))
        .collect()
}

/// Rows of numbers whose sizes rise with the class as in some kernel: at least two of them.
fn read_without_heading(sheet: &mut Sheet<'_>) -> bool {
    let mut found = false;
    let mut at = 0;
    while at < sheet.len() {
        let Some(row) = numbers(sheet, at) else {
            at += 1;
            continue;
        };
        let known = KNOWN.iter().find(|known| known.split(' ').count() == row.len());
        let Some(known) = known.filter(|_| is_class(&row)) else {
            at += 1;
            continue;
        };
        let mut body = Body::new(known.split(' ').map(str::to_owned).collect());
        let mut end = at;
        let mut step = None;
        while let Some(row) = numbers(sheet, end).filter(|next| next.len() == row.len() && is_class(next)) {
            // All rows of one kernel are equally far apart.
            let (class, size) = (row[0], row[1]);
            let own = (size - 32).checked_div(class);
            if own.is_some() && step.is_some() && own != step && size != 4096 {
                break;
            }
            step = step.or(own);
            body.rows.push((end, 1, row.into_iter().map(Some).collect()));
            end += 1;
        }
        if body.rows.len() >= 2 {
            body.read_total(sheet, end);
            body.add(sheet, at, None);
            found = true;
        }
        at = end.max(at + 1);
    }
    found
}

fn numbers(sheet: &Sheet<'_>, at: usize) -> Option<Vec<u64>> {
    let line = sheet.data(at)?;
    // No heading has fewer columns or more, and other texts have long lines.
    if !line.text.starts_with(|c: char| c.is_ascii_digit()) || line.text.len() > 400 {
        return None;
    }
    line.words().map(int).collect::<Option<Vec<u64>>>().filter(|row| row.len() >= 5)
}

/// `size` is 32 and so many steps of 16 to 256 bytes as `class` says, or a whole page.
fn is_class(row: &[u64]) -> bool {
    let (Some(&class), Some(&size)) = (row.first(), row.get(1)) else { return false };
    let steps = [16, 32, 64, 128, 256];
    let is_page = (12..=16).any(|shift| size == 1 << shift) && class > 0;
    class <= MOST_CLASS && (is_page || steps.iter().any(|step| size == 32 + step * class))
}
