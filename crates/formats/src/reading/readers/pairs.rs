//! Names with values, however a shell showed them: `name: value`, `path:value` of `grep -r`, the output of
//! `cat` below its command, the value below `==> path <==` or below the name.

use crate::reading::clean::{Line, LineKind};
use crate::reading::numbers::{Kilo, amount, leading_int};
use crate::reading::sheet::Sheet;
use crate::reading::table::Value;

/// A name with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair<'a> {
    /// Position of the line.
    pub(super) at: usize,
    /// Its number in the text.
    pub(super) line: u32,
    /// The folder or file it comes from, as far as it is told.
    pub(super) folder: &'a str,
    /// The folder of the shell, to which that one may be relative.
    pub(super) under: &'a str,
    /// The name.
    pub(super) name: &'a str,
    /// What stands behind it.
    pub(super) value: &'a str,
    /// Position of the line that the name stood alone on.
    pub(super) name_at: Option<usize>,
}

/// Takes the lines of pairs for a table.
pub(super) fn claim(sheet: &mut Sheet<'_>, pairs: &[Pair<'_>], table: u32) {
    for pair in pairs {
        sheet.row(pair.at, table);
        if let Some(at) = pair.name_at {
            sheet.heading(at, table);
        }
    }
}

/// The pairs of a text whose names are wanted, in order.
pub(super) fn pairs<'a>(sheet: &Sheet<'a>, wanted: &dyn Fn(&str) -> bool) -> Vec<Pair<'a>> {
    let mut state = State::default();
    let mut found = Vec::new();
    for at in 0..sheet.len() {
        let Some(line) = sheet.line(at) else { break };
        match line.kind {
            LineKind::Command => state.command(&line),
            LineKind::Label => state.label(line.text),
            LineKind::Data if sheet.data(at).is_some() => {
                let alone = state.name;
                if let Some((folder, name, value)) = state.data(&line, at, wanted)
                    && wanted(name)
                {
                    let name_at =
                        alone.filter(|alone| alone.1 == name && alone.0 + 1 == at).map(|alone| alone.0);
                    found.push(Pair {
                        at,
                        line: line.number,
                        folder,
                        under: state.folder,
                        name,
                        value,
                        name_at,
                    });
                }
            }
            LineKind::Data | LineKind::Elided | LineKind::Frame => {}
        }
    }
    found
}

/// What stood above the line.
#[derive(Default)]
struct State<'a> {
    /// The folder of the shell, or the last one that was named.
    folder: &'a str,
    /// Files whose values follow, the next one last.
    files: Vec<&'a str>,
    /// Files as `stem{a,b}`: the stem belongs in front of each.
    stem: &'a str,
    /// Position of a line with a name alone, and the name.
    name: Option<(usize, &'a str)>,
}

impl<'a> State<'a> {
    fn command(&mut self, line: &Line<'a>) {
        let prompt = line.path.trim_matches(['[', ']']);
        let folder = prompt.rsplit([':', ' ']).next().unwrap_or_default();
        if !folder.is_empty() && prompt.contains('@') {
            self.folder = folder;
        }
        self.files.clear();
        self.stem = "";
        self.name = None;
        // What follows a pipe or another command is no file of this one.
        let words = line.text.split(' ').take_while(|word| !matches!(*word, "|" | ";" | "&&" | ">"));
        let mut reads = false;
        let mut others = false;
        for word in words.filter(|word| !word.is_empty() && !word.starts_with('-')) {
            let verb = word.rsplit('/').next().unwrap_or(word);
            match verb {
                "cat" | "zcat" => reads = true,
                "cd" => others = true,
                "grep" | "egrep" | "head" | "tail" | "more" | "less" => others = true,
                _ if others && word.starts_with('/') && line.text.starts_with("cd ") => {
                    self.folder = word.trim_end_matches(';')
                }
                _ if reads || (others && word.contains('/')) => self.add_files(word),
                _ => {}
            }
        }
        self.files.reverse();
    }

    /// A file, or several as `stem{a,b}`. Which files a pattern means is not known.
    fn add_files(&mut self, word: &'a str) {
        if word.contains(['*', '?']) {
            return;
        }
        match word.split_once('{') {
            Some((stem, rest)) if self.stem.is_empty() => {
                self.stem = stem;
                self.files.extend(rest.trim_end_matches('}').split(','));
            }
            _ => self.files.push(word),
        }
    }

    fn label(&mut self, path: &'a str) {
        self.files.clear();
        self.stem = "";
        self.folder = path;
        self.files.push(path);
        self.name = None;
    }

    fn data(
        &mut self,
        line: &Line<'a>,
        at: usize,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Option<(&'a str, &'a str, &'a str)> {
        let alone = self.name.take();
        if let Some((name, value)) = name_and_value(line.text)
            && (line.path.is_empty() || wanted(name))
        {
            let folder = if line.path.is_empty() { self.folder } else { line.path };
            return Some((folder, name, value));
        }
        if !line.path.is_empty() {
            let (folder, name) = split(line.path);
            return Some((folder, name, line.text));
        }
        if let Some((_, name)) = alone {
            return Some((self.folder, name, line.text));
        }
        if !line.text.contains(' ') && wanted(line.text) {
            self.name = Some((at, line.text));
            return None;
        }
        if let Some(file) = self.files.pop() {
            let (folder, name) = split(file);
            let stem = if self.stem.is_empty() { "" } else { split(self.stem).0 };
            let folder = [folder, stem, self.folder].into_iter().find(|folder| !folder.is_empty());
            return Some((folder.unwrap_or_default(), name, line.text));
        }
        None
    }
}

/// The folder and the name of a file.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// `name: value` or `name=value`, if the line is nothing else.
pub(super) fn name_and_value(text: &str) -> Option<(&str, &str)> {
    let end = text.find([':', '='])?;
    let name = text[..end].trim_end();
    let value = text[end + 1..].trim();
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_()-".contains(&byte));
    is_name.then_some((name, value))
}

/// The number that a value begins with, also with a unit behind it; or the text.
pub(super) fn number_or_text(value: &str) -> Value<'_> {
    let (first, rest) = value.split_at(value.find([' ', '(']).unwrap_or(value.len()));
    let number = leading_int(first).filter(|(_, rest)| matches!(*rest, "" | "%")).map(|(number, _)| number);
    let unit = amount(first, Kilo::Binary).map(|amount| amount.value);
    match number.or(unit) {
        Some(number) if rest.is_empty() || rest.starts_with([' ', '(']) => Value::Int(number),
        _ => Value::Text(value),
    }
}

/// Rows that are told value by value: columns come as they are first named.
#[derive(Debug, Default)]
pub(super) struct Records<'a> {
    columns: Vec<&'a str>,
    rows: Vec<Record<'a>>,
    /// The row that values are set in.
    current: usize,
}

#[derive(Debug)]
struct Record<'a> {
    line: u32,
    /// Column, line and value of each field.
    values: Vec<(usize, u32, Value<'a>)>,
}

impl<'a> Records<'a> {
    /// Goes to the row of the latest that is about `value` in `key` and has nothing under `name` yet, or begins one.
    /// Of many devices or caches, one file after the other may be shown.
    pub(super) fn go_to(&mut self, line: u32, key: &'a str, value: Option<&'a str>, name: &str) {
        /// Rows that are looked through.
        const FAR: usize = 512;
        let column = |name: &str| self.columns.iter().position(|known| *known == name);
        let (key_column, name_column) = (column(key), column(name));
        let fits = |row: &Record<'a>| {
            let own = row.values.iter().find(|field| Some(field.0) == key_column);
            own.map(|field| field.2) == value.map(Value::Text)
                && !row.values.iter().any(|field| Some(field.0) == name_column)
        };
        let from = self.rows.len().saturating_sub(FAR);
        match self.rows[from..].iter().rposition(fits) {
            Some(at) => self.current = from + at,
            None => {
                self.begin(line);
                if let Some(value) = value {
                    self.set(key, Value::Text(value));
                }
            }
        }
    }

    /// Begins a row.
    pub(super) fn begin(&mut self, line: u32) {
        self.current = self.rows.len();
        self.rows.push(Record { line, values: Vec::new() });
    }

    /// True if the row at hand has a value under this name.
    pub(super) fn has(&self, name: &str) -> bool {
        let Some(column) = self.columns.iter().position(|known| *known == name) else { return false };
        self.rows.get(self.current).is_some_and(|row| row.values.iter().any(|value| value.0 == column))
    }

    /// Sets a value of the row at hand.
    pub(super) fn set(&mut self, name: &'a str, value: Value<'a>) {
        let line = self.rows.get(self.current).map_or(0, |row| row.line);
        self.set_at(line, name, value);
    }

    /// The same for a value of a line of its own.
    pub(super) fn set_at(&mut self, line: u32, name: &'a str, value: Value<'a>) {
        let column = self.columns.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.columns.push(name);
            self.columns.len() - 1
        });
        if let Some(row) = self.rows.get_mut(self.current) {
            row.values.push((column, line, value));
        }
    }

    /// The same over a value that is there.
    pub(super) fn replace(&mut self, name: &'a str, value: Value<'a>) {
        if let Some(row) = self.rows.get_mut(self.current)
            && let Some(column) = self.columns.iter().position(|known| *known == name)
        {
            row.values.retain(|value| value.0 != column);
        }
        self.set(name, value);
    }

    /// The line that a value of a row stands on.
    pub(super) fn line(&self, row: usize, name: &str) -> u32 {
        let Some(row) = self.rows.get(row) else { return 0 };
        let column = self.columns.iter().position(|known| *known == name);
        let own = row.values.iter().find(|value| Some(value.0) == column);
        own.map_or(row.line, |value| value.1)
    }

    /// The table of all rows.
    pub(super) fn table(&self, format: crate::reading::format::Format) -> crate::reading::table::Table {
        let mut table = crate::reading::table::Table::new(format, &self.columns);
        for row in &self.rows {
            let value = |column| {
                let own = row.values.iter().find(|value| value.0 == column);
                own.map_or(Value::Blank, |value| value.2)
            };
            table.push(row.line, (0..self.columns.len()).map(value));
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::clean::{Lines, Options};
    use crate::reading::sheet::View;

    #[test]
    fn pairs_are_found_however_they_are_shown() {
        for text in [
            "/sys/kernel/slab/dentry/order:1\n",
            "dentry/order:1\n",
            "$ cat /sys/kernel/slab/dentry/order\n1\n",
            "[root@host dentry]# cat order\n1\n",
            "root@host:/sys/kernel/slab/dentry# cat order\n1\n",
            "# cd /sys/kernel/slab/dentry\n# cat order\n1\n",
            "==> /sys/kernel/slab/dentry/order <==\n1\n",
            "/sys/kernel/slab/dentry:\norder: 1\n",
            "/sys/kernel/slab/dentry:\norder=1\n",
            "# cat /sys/kernel/slab/dentry/{min_partial,order}\n5\n1\n",
        ] {
            let lines = Lines::new(text, Options::default());
            let sheet = Sheet::new(&lines, View::All);
            let found = pairs(&sheet, &|name| name == "order");
            let found: Vec<_> =
                found.iter().map(|pair| (split(pair.folder).1, pair.name, pair.value)).collect();
            assert_eq!(found, [("dentry", "order", "1")], "{text}");
        }
    }

    #[test]
    fn values_are_numbers_where_they_begin_with_one() {
        for (text, value) in [
            ("86 N0=86", Value::Int(86)),
            ("1040(65) C0=32(2)", Value::Int(1040)),
            ("45 %", Value::Int(45)),
            ("3.5M", Value::Int(3_670_016)),
            ("lzo-rle", Value::Text("lzo-rle")),
            ("Y", Value::Text("Y")),
            ("12abc", Value::Text("12abc")),
            ("", Value::Text("")),
        ] {
            assert_eq!(number_or_text(text), value, "{text}");
        }
    }
}
