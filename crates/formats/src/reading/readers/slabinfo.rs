//! `/proc/slabinfo`, versions 1.0 to 2.1, with and without statistics, SMP columns and a vendor's columns.
//!
//! A row has sections with a colon between them: name and sizes, then `tunables`, `slabdata` and so on. The
//! heading names the columns of each; where it is lost, the version or the number of fields does.

use crate::reading::account::Why;
use crate::reading::clean::{Line, LineKind};
use crate::reading::format::Format;
use crate::reading::numbers::int;
use crate::reading::sheet::{Sheet, Verdict};
use crate::reading::table::{Table, Value};

/// A part of a row between colons: its word, if it has one, and the names of its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Section {
    word: Option<String>,
    names: Vec<String>,
}

/// What the rows of one file look like.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layout {
    sections: Vec<Section>,
    /// The heading is there, or the version is one that has none.
    sure: bool,
}

impl Layout {
    fn new(sections: &[(&str, &str)], sure: bool) -> Self {
        let section = |&(word, names): &(&str, &str)| Section {
            word: Some(word.to_owned()).filter(|word| !word.is_empty()),
            names: names.split(' ').map(str::to_owned).collect(),
        };
        Self { sections: sections.iter().map(section).collect(), sure }
    }

    /// Version 2.0 or 2.1, which differ in the order of two tunables.
    fn two(version: &str, sure: bool) -> Self {
        let tunables =
            if version == "2.0" { "batchcount limit sharedfactor" } else { "limit batchcount sharedfactor" };
        Self::new(
            &[
                ("", "active_objs num_objs objsize objperslab pagesperslab"),
                ("tunables", tunables),
                ("slabdata", "active_slabs num_slabs sharedavail"),
                (
                    "globalstat",
                    "listallocs maxobjs grown reaped error maxfreeable nodeallocs remotefrees alienoverflow",
                ),
                ("cpustat", "allochit allocmiss freehit freemiss"),
            ],
            sure,
        )
    }

    /// Version 1.1, which has no heading; the words behind the version say what follows the first section.
    fn one(statistics: bool, smp: bool) -> Self {
        let mut sections = vec![("", "active_objs num_objs objsize active_slabs num_slabs pagesperslab")];
        if statistics {
            sections.push(("", "maxobjs allocs grown reaped error"));
        }
        if smp {
            sections.push(("", "limit batchcount"));
        }
        if statistics && smp {
            sections.push(("", "allochit allocmiss freehit freemiss"));
        }
        Self::new(&sections, true)
    }

    /// The first section: sizes of a cache.
    fn first(&self) -> usize {
        self.sections.first().map_or(0, |section| section.names.len())
    }

    fn columns(&self) -> Vec<&str> {
        let names = self.sections.iter().flat_map(|section| section.names.iter().map(String::as_str));
        std::iter::once("name").chain(names).collect()
    }
}

/// `slabinfo - version: 1.1 (statistics) (SMP)`.
fn version(text: &str) -> Option<(&str, Layout)> {
    let rest = text.strip_prefix("slabinfo")?.trim_start_matches([' ', '-']).strip_prefix("version:")?;
    let version = rest.split_ascii_whitespace().next()?;
    let layout = match version {
        "1.0" => Layout::new(&[("", "active_objs num_objs")], true),
        "1.1" | "1.2" => Layout::one(rest.contains("(statistics)"), rest.contains("(SMP)")),
        _ => Layout::two(version, false),
    };
    Some((version, layout))
}

/// Sections of a heading: `# name <active_objs> ... : tunables <limit> ...`, also with marks lost or wrapped.
fn heading(sheet: &Sheet<'_>, at: usize) -> Option<(Layout, usize)> {
    let first = sheet.data(at)?;
    let text = first.text.trim_start_matches(['#', ' ']);
    if !text.starts_with("name") || !text.contains("active_objs") || !text.contains("num_objs") {
        return None;
    }
    let mut sections = vec![Section { word: None, names: Vec::new() }];
    let mut end = at;
    loop {
        let line = sheet.data(end)?;
        for word in line.words() {
            if word == ":" {
                sections.push(Section { word: None, names: Vec::new() });
                continue;
            }
            let name = word.trim_matches(['<', '>', '#']);
            if matches!(name, "" | "name") {
                continue;
            }
            let is_first = sections.len() == 1;
            if let Some(section) = sections.last_mut() {
                if is_first || word.starts_with('<') || section.word.is_some() {
                    section.names.push(name.to_owned());
                } else {
                    section.word = Some(name.to_owned());
                }
            }
        }
        // A mailer may have wrapped it.
        let more = sheet
            .data(end + 1)
            .is_some_and(|next| next.text.contains('<') && next.words().all(|word| int(word).is_none()));
        end += 1;
        if !more || end > at + 8 {
            break;
        }
    }
    sections.retain(|section| !section.names.is_empty());
    Some((Layout { sections, sure: true }, end))
}

/// A row as words, over one line or several.
struct Words<'a> {
    name: String,
    sections: Vec<Vec<&'a str>>,
    lines: usize,
    /// The row ends in dots.
    cut: bool,
}

/// Most lines over which a row may be wrapped.
const MOST_WRAPS: usize = 6;

/// Longest line that is looked at: no cache has a longer one.
const LONGEST: usize = 1000;

/// The row that begins at a position, as far as its first section is whole.
fn row<'a>(sheet: &Sheet<'a>, at: usize, layout: &Layout) -> Option<Words<'a>> {
    let line = sheet.data(at).filter(|line| {
        line.text.len() <= LONGEST && !line.text.starts_with(": ") && !line.text.starts_with('#')
    })?;
    let mut words: Vec<&str> = line.words().collect();
    let mut cut = ends_in_dots(&mut words);
    let mut lines = 1;
    while !cut && lines < MOST_WRAPS {
        let Some(next) = sheet.data(at + lines).filter(|next| continues(next)) else { break };
        words.extend(next.words());
        cut = ends_in_dots(&mut words);
        lines += 1;
    }
    let mut sections = words.split(|word| *word == ":");
    let first = sections.next()?;
    // A name may have blanks: its numbers are counted from the right.
    let numbers = first.iter().rev().take_while(|word| int(word).is_some()).count();
    let needed = layout.first();
    if numbers != needed || first.len() == numbers {
        return None;
    }
    let name = first[..first.len() - numbers].join(" ");
    let is_name = name.len() <= 80 && !name.ends_with(':') && !name.contains(['<', '|']);
    let sections: Vec<Vec<&str>> = std::iter::once(first[first.len() - numbers..].to_vec())
        .chain(sections.map(<[&str]>::to_vec))
        .collect();
    is_name.then_some(Words { name, sections, lines, cut })
}

/// Takes dots off the end: `tunables..`.
fn ends_in_dots(words: &mut Vec<&str>) -> bool {
    let Some(last) = words.last_mut() else { return false };
    let rest = last.trim_end_matches('.');
    if last.len() < rest.len() + 2 {
        return false;
    }
    *last = rest;
    if rest.is_empty() {
        words.pop();
    }
    true
}

/// The rest of a row: it begins with a colon, or has nothing but numbers and words of sections.
fn continues(line: &Line<'_>) -> bool {
    let is_part = |word: &str| {
        matches!(word, ":" | "tunables" | "slabdata" | "globalstat" | "cpustat") || int(word).is_some()
    };
    line.text.len() <= LONGEST && (line.text.starts_with(": ") || line.words().all(is_part))
}

/// Finds every file in a text.
pub(crate) fn read(sheet: &mut Sheet<'_>) -> Verdict {
    let mut found = false;
    let mut near: Option<(u32, u32)> = None;
    let mut file = File::default();
    let mut at = 0;
    while let Some(line) = sheet.line(at) {
        if line.kind == LineKind::Command || line.kind == LineKind::Label {
            found |= file.add(sheet);
        } else if let Some((version, layout)) = sheet.data(at).and_then(|line| version(line.text)) {
            found |= file.add(sheet);
            file =
                File { version: Some(version), layout: Some(layout), headings: vec![at], ..File::default() };
        } else if let Some((layout, end)) = heading(sheet, at) {
            if file.table.is_some() {
                found |= file.add(sheet);
            }
            file.layout = Some(layout);
            file.headings.extend(at..end);
            at = end;
            continue;
        } else if let Some(lines) = file.read_row(sheet, at, line.number) {
            at += lines;
            continue;
        } else if let Some(line) = sheet.data(at) {
            let signs = ["objperslab", "pagesperslab", "active_objs", "tunables", "slabdata"];
            let count = signs.iter().filter(|sign| line.text.contains(*sign)).count() as u32;
            if count > near.map_or(0, |near| near.0) {
                near = Some((count, line.number));
            }
            if file.table.is_some() && file.others.len() < MOST_OTHERS {
                file.others.push(at);
            }
        }
        at += 1;
    }
    found |= file.add(sheet);
    if found {
        return Verdict::Mine;
    }
    match near {
        Some((count, line)) => Verdict::near(
            count + 1,
            Some(line),
            "columns of slabinfo are named, but a row needs a name, active_objs, num_objs, objsize, objperslab and pagesperslab".to_owned(),
        ),
        None => Verdict::far("no line has a name, five or six numbers and a colon"),
    }
}

/// Lines between rows that get a reason of their own.
const MOST_OTHERS: usize = 1000;

/// One file: what was said of it, and its rows.
#[derive(Default)]
struct File<'a> {
    version: Option<&'a str>,
    layout: Option<Layout>,
    headings: Vec<usize>,
    table: Option<Table>,
    /// Position of each row, and over how many lines it goes.
    rows: Vec<(u32, u8)>,
    /// Rows that something is odd about.
    odd: Vec<(usize, Why)>,
    /// Lines between the rows that are none.
    others: Vec<usize>,
}

impl<'a> File<'a> {
    /// Reads the row at a position; the number of its lines. Without heading and version its second section must
    /// be known.
    fn read_row(&mut self, sheet: &Sheet<'a>, at: usize, line: u32) -> Option<usize> {
        let words = match &self.layout {
            Some(layout) => row(sheet, at, layout)?,
            None => {
                let layout = Layout::two("2.1", false);
                let words = row(sheet, at, &layout)?;
                words.sections.get(1).filter(|section| section.first() == Some(&"tunables"))?;
                self.layout = Some(layout);
                words
            }
        };
        let layout = self.layout.as_mut()?;
        if self.table.is_none() && !layout.sure {
            // Statistics that the first row lacks are none of this file.
            layout.sections.truncate(words.sections.len().max(3));
        }
        let table = self.table.get_or_insert_with(|| Table::new(Format::Slabinfo, layout.columns()));
        if let Some(why) = push(table, line, &words, layout) {
            self.odd.push((at, why));
        }
        self.rows.push((at as u32, words.lines as u8));
        Some(words.lines)
    }

    /// Adds the table, if there are rows, and begins anew.
    fn add(&mut self, sheet: &mut Sheet<'_>) -> bool {
        let File { version, layout, headings, table, rows, odd, others } = std::mem::take(self);
        let (Some(layout), Some(mut table), Some((first_row, _))) = (layout, table, rows.first()) else {
            return false;
        };
        let first = headings.first().copied().unwrap_or(*first_row as usize);
        table.set_title(sheet.title(first));
        if !layout.sure {
            table.warn(
                None,
                "the line of column names is missing; the columns are taken in the order of version 2.1"
                    .to_owned(),
            );
        } else if version == Some("1.1") {
            table.tell("version 1.1 names no columns; they are named as in later versions".to_owned());
        }
        if version.is_none() {
            table.warn(None, "the line with the version is missing".to_owned());
        }
        let id = sheet.add(table, first);
        for at in headings {
            sheet.heading(at, id);
        }
        for (at, lines) in rows {
            for line in at..at + u32::from(lines) {
                sheet.row(line as usize, id);
            }
        }
        for (at, why) in odd {
            sheet.doubt(at, id, why);
        }
        let needed = layout.first() as u32;
        for at in others {
            sheet.skip(at, Why::with("no row: a name and # numbers are expected", [needed, 0]).of(id));
        }
        true
    }
}

/// Adds a row; what is odd about it, if anything.
fn push(table: &mut Table, line: u32, words: &Words<'_>, layout: &Layout) -> Option<Why> {
    let mut values = vec![Value::Text(&words.name)];
    let mut why = words.cut.then_some(Why::new("the row is cut; what is missing is blank"));
    for (index, section) in layout.sections.iter().enumerate() {
        let own = words.sections.iter().find(|own| match (&section.word, own.first()) {
            (Some(word), Some(first)) => word == first,
            _ => false,
        });
        let own = if section.word.is_some() {
            own.map(|own| &own[1..])
        } else {
            words.sections.get(index).map(Vec::as_slice)
        };
        let own = own.unwrap_or_default();
        if own.len() != section.names.len() && why.is_none() && !(own.is_empty() && index > 2) {
            let numbers = [own.len() as u32, section.names.len() as u32];
            why = Some(Why::with("a section has # numbers where # are expected", numbers));
        }
        values.extend((0..section.names.len()).map(|at| {
            own.get(at).map_or(Value::Blank, |word| int(word).map_or(Value::Text(word), Value::Int))
        }));
    }
    table.push(line, values);
    why
}
