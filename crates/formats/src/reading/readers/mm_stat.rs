//! zram's `mm_stat`: a line of 3 to 9 numbers for each device or run.

use crate::reading::account::Why;
use crate::reading::clean::{Line, LineKind};
use crate::reading::format::Format;
use crate::reading::numbers::{Kilo, amount, int};
use crate::reading::sheet::{Sheet, Verdict};
use crate::reading::table::{Table, Value};

/// The columns of today; older kernels have fewer of them.
const COLUMNS: [&str; 9] = [
    "orig_data_size",
    "compr_data_size",
    "mem_used_total",
    "mem_limit",
    "mem_used_max",
    "same_pages",
    "pages_compacted",
    "huge_pages",
    "huge_pages_since",
];

/// Names of older kernels for the sixth and the seventh.
const OLDER: [&str; 3] = ["zero_pages", "num_migrated", "mem_used"];

/// The smallest page.
const PAGE: u64 = 4096;

/// What the lines above say of the numbers that follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    /// Nothing.
    Nothing,
    /// They are mm_stat.
    MmStat,
    /// They are something else.
    Other,
}

struct Found {
    at: usize,
    values: Vec<u64>,
    told: bool,
    rounded: bool,
}

/// Finds runs of lines of equal width.
pub(crate) fn read(sheet: &mut Sheet<'_>) -> Verdict {
    let mut told = Told::Nothing;
    let mut heading = Heading::default();
    let mut run: Vec<Found> = Vec::new();
    let mut near: Option<(u32, usize)> = None;
    let mut found = false;
    for at in 0..=sheet.len() {
        let line = sheet.line(at);
        let data = sheet.data(at);
        let values = data.and_then(|line| values(&line, told == Told::MmStat));
        if let (Some(line), Some((values, rounded))) = (&data, values) {
            let named = line.path.contains("mm_stat") || line.text.contains("mm_stat");
            let is_told = named || told == Told::MmStat;
            if is_told || (told == Told::Nothing && is_like(&values)) {
                if run.last().is_some_and(|last| last.values.len() != values.len()) {
                    found |= add(sheet, &mut run, &mut heading);
                }
                run.push(Found { at, values, told: is_told, rounded });
                continue;
            }
            near = near.or(Some((line.number, values.len())));
            if told == Told::Other {
                sheet.skip(at, Why::new("numbers of another file than mm_stat"));
            }
        }
        found |= add(sheet, &mut run, &mut heading);
        match line {
            Some(line) if line.kind == LineKind::Command || line.kind == LineKind::Label => {
                told = of_command(line.text);
                heading = Heading::default();
            }
            Some(line) if line.kind == LineKind::Data && data.is_some() => {
                if heading.read(&line, at) || line.text.contains("mm_stat") {
                    told = Told::MmStat;
                } else if line.text.contains("stat") && line.text.len() < 80 {
                    told = Told::Other;
                }
            }
            _ => {}
        }
    }
    if found {
        return Verdict::Mine;
    }
    match near {
        Some((line, count)) => Verdict::near(
            1,
            Some(line),
            format!(
                "{count} numbers, but not those of mm_stat: it has 7 to 9, of which the first, third and fifth are whole pages"
            ),
        ),
        None => Verdict::far("no line has 3 to 9 numbers and nothing else"),
    }
}

fn of_command(text: &str) -> Told {
    if text.contains("mm_stat") {
        Told::MmStat
    } else if text.contains("stat") || text.contains("/sys/") || text.contains("/proc/") {
        Told::Other
    } else {
        Told::Nothing
    }
}

/// The numbers of a line, behind a label if it has one, and whether they are rounded to a unit.
fn values(line: &Line<'_>, told: bool) -> Option<(Vec<u64>, bool)> {
    if line.text.len() > 300 {
        return None;
    }
    let (label, rest) = line.text.rsplit_once(':').unwrap_or(("", line.text));
    let is_label = label.len() <= 40 && !label.bytes().next().is_some_and(|byte| byte.is_ascii_digit());
    let mut words = (if is_label { rest } else { line.text }).split_ascii_whitespace().peekable();
    // `zram0 1 2 3`: the name of the device or file may stand in front.
    words.next_if(|word| word.starts_with("zram") || *word == "mm_stat");
    let (mut values, mut rounded) = (Vec::new(), false);
    for word in words {
        let value = match (int(word), told) {
            (Some(value), _) => value,
            (None, true) => {
                let amount = amount(word, Kilo::Binary)?;
                rounded |= amount.rounded;
                amount.value
            }
            (None, false) => return None,
        };
        values.push(value);
    }
    (3..=9).contains(&values.len()).then_some((values, rounded))
}

/// Numbers that can be mm_stat though nothing says so: whole pages where it has pages. Below seven columns
/// other files of zram have as many numbers, so that zeros are not enough.
fn is_like(values: &[u64]) -> bool {
    let at = |index: usize| values.get(index).copied();
    let pages = |index: usize| at(index).is_none_or(|bytes| bytes % PAGE == 0);
    let (orig, compr, used) = (at(0).unwrap_or(0), at(1).unwrap_or(0), at(2).unwrap_or(0));
    let fits = [0, 2, 3, 4].into_iter().all(pages)
        && compr <= used
        && (compr == 0 || orig > 0)
        && at(4).is_none_or(|max| max >= used);
    fits && (values.len() >= 7 || (orig > 0 && compr > 0))
}

/// Names above the numbers; people write them in one line or, as mail is narrow, in two.
#[derive(Default)]
struct Heading {
    names: Vec<String>,
    lines: Vec<usize>,
}

impl Heading {
    /// True if the line has names of columns and nothing else.
    fn read(&mut self, line: &Line<'_>, at: usize) -> bool {
        let is_name = |word: &str| COLUMNS.contains(&word) || OLDER.contains(&word);
        let names = line.words().filter(|word| is_name(word)).count();
        if names < 2 || names < line.words().count() {
            return false;
        }
        if self.lines.last().is_none_or(|last| last + 1 != at) {
            *self = Self::default();
        }
        self.names.extend(line.words().map(str::to_owned));
        self.lines.push(at);
        true
    }

    /// The names for so many columns: in their order if they stand in one line. In two lines they stand
    /// alternately, and are taken in the order of the kernel.
    fn columns(&self, count: usize) -> Option<Vec<String>> {
        if self.names.len() != count {
            return None;
        }
        if self.lines.len() == 1 {
            return Some(self.names.clone());
        }
        let standard = standard(count, |name| self.names.iter().any(|own| own == name));
        standard.iter().all(|name| self.names.contains(name)).then_some(standard)
    }
}

/// The kernel's names for so many columns.
fn standard(count: usize, has: impl Fn(&str) -> bool) -> Vec<String> {
    let name = |index: usize| match index {
        5 if has("zero_pages") || (count == 7 && !has("same_pages")) => "zero_pages",
        6 if has("num_migrated") => "num_migrated",
        _ => COLUMNS.get(index).copied().unwrap_or_default(),
    };
    (0..count).map(|index| name(index).to_owned()).collect()
}

/// Adds a run of lines as a table.
fn add(sheet: &mut Sheet<'_>, run: &mut Vec<Found>, heading: &mut Heading) -> bool {
    let rows = std::mem::take(run);
    let Some(first) = rows.first() else { return false };
    let (at, count, told) = (first.at, first.values.len(), first.told);
    let named = heading.columns(count);
    let mut table =
        Table::new(Format::ZramMmStat, named.clone().unwrap_or_else(|| standard(count, |_| false)));
    table.set_title(sheet.title(at));
    for row in &rows {
        let line = sheet.line(row.at).map_or(0, |line| line.number);
        table.push(line, row.values.iter().map(|value| Value::Int(*value)));
    }
    explain(&mut table, count, told, named.is_some(), rows.iter().any(|row| row.rounded));
    let id = sheet.add(table, at);
    if named.is_some() {
        for at in std::mem::take(heading).lines {
            sheet.heading(at, id);
        }
    }
    for row in rows {
        sheet.row(row.at, id);
    }
    true
}

fn explain(table: &mut Table, count: usize, told: bool, named: bool, rounded: bool) {
    table.tell(match count {
        9 => "nine columns: Linux 5.11 and later".to_owned(),
        8 => "eight columns: Linux 4.18 to 5.10".to_owned(),
        7 => "seven columns: Linux 4.1 to 4.17".to_owned(),
        _ => format!("{count} of at least seven columns"),
    });
    if !told {
        table.tell("nothing says that it is mm_stat: its whole pages do".to_owned());
    }
    if count < 7 && !named {
        table.warn(
            None,
            format!("{count} columns: no kernel prints so few; they are taken for the first {count}"),
        );
    } else if count == 7 && !named {
        table.warn(None, "the sixth column is zero_pages up to 4.10 and same_pages later, the seventh num_migrated (objects) in 4.1 and 4.2 and pages_compacted later".to_owned());
    }
    if rounded {
        table.warn(None, "numbers with a unit are rounded; they are given in bytes".to_owned());
    }
}
