//! Lines without what mailers, terminals, logs, diffs and web pages put around them.
//!
//! Every reader sees a text through this layer, and none of them knows about quotes or prompts. A line keeps
//! its number in the text, the name of the file that `grep -H` put in front, and the mark of a diff.

mod fields;
mod plain;
mod prefixes;
mod prompt;
mod times;

use std::borrow::Cow;

pub(crate) use self::prefixes::{Mark, after_host, after_number};

/// What else may stand in front of every line, and is taken off only on demand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// Line numbers.
    pub(crate) numbers: bool,
    /// Names of hosts or containers.
    pub(crate) hosts: bool,
}

/// What a line is, before any reader looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    /// Anything else.
    Data,
    /// A prompt with a command.
    Command,
    /// The name of a file.
    Label,
    /// Dots: rows were left out.
    Elided,
    /// A rule, a fence, the head of a diff: a reader sees nothing in it.
    Frame,
}

/// A line that is not blank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// Its number in the text, from 1.
    pub(crate) number: u32,
    pub(crate) kind: LineKind,
    pub(crate) mark: Mark,
    /// The file that `grep -H` names; of a command, the prompt.
    pub(crate) path: &'a str,
    /// What it says; of a command, the command; of a label, the file.
    pub(crate) text: &'a str,
}

impl<'a> Line<'a> {
    /// Its words.
    pub(crate) fn words(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        self.text.split_ascii_whitespace()
    }
}

/// A line in few bytes: places in the text, or in what was changed of it.
#[derive(Clone, Copy, Debug)]
struct Span {
    number: u32,
    start: u32,
    len: u32,
    path: u32,
    path_len: u16,
    kind: LineKind,
    mark: Mark,
    changed: bool,
    /// Its mark stands right before a digit, so that it may be a sign.
    signed: bool,
}

/// The lines of a text that are not blank, cleaned.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    text: &'a str,
    changed: String,
    spans: Vec<Span>,
    count: u32,
}

impl<'a> Lines<'a> {
    /// Cleans every line of a text.
    pub(crate) fn new(text: &'a str, options: Options) -> Self {
        let mut lines = Self { text, changed: String::new(), spans: Vec::new(), count: 0 };
        for raw in raw_lines(text) {
            lines.count += 1;
            lines.add(raw, options);
        }
        lines.keep_signs();
        lines
    }

    /// Where nothing was added, `-100 20` is no line that a diff took out, but a number below 0.
    fn keep_signs(&mut self) {
        if self.spans.iter().any(|span| span.mark == Mark::Plus) {
            return;
        }
        for span in self.spans.iter_mut().filter(|span| span.signed && span.kind == LineKind::Data) {
            (span.start, span.len, span.mark) = (span.start - 1, span.len + 1, Mark::None);
        }
    }

    /// Number of lines of the text, blank ones too.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// Number of lines that are not blank.
    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }

    /// A line by its position among those that are not blank.
    pub(crate) fn get(&self, at: usize) -> Option<Line<'_>> {
        let span = self.spans.get(at)?;
        let source = if span.changed { self.changed.as_str() } else { self.text };
        let part =
            |start: u32, len: usize| source.get(start as usize..start as usize + len).unwrap_or_default();
        Some(Line {
            number: span.number,
            kind: span.kind,
            mark: span.mark,
            path: part(span.path, usize::from(span.path_len)),
            text: part(span.start, span.len as usize),
        })
    }

    /// The number in the text of the line at a position, or of the line behind the last.
    pub(crate) fn number(&self, at: usize) -> u32 {
        self.spans.get(at).map_or(self.count + 1, |span| span.number)
    }

    fn add(&mut self, raw: &str, options: Options) {
        let plain = plain::plain(raw);
        let (mut text, mark) = prefixes::strip(&plain);
        if options.hosts {
            text = prefixes::after_host(text).unwrap_or(text);
        }
        if options.numbers {
            text = prefixes::after_number(text).map_or(text, |(_, rest)| rest);
        }
        if text.is_empty() {
            return;
        }
        let (kind, path, text) = classify(text, options);
        let text = text.trim();
        let signed = mark == Mark::Minus
            && text.starts_with(|c: char| c.is_ascii_digit())
            && before(&plain, text) == Some(b'-');
        // A blank line of a diff, or of a file that grep named before.
        let is_named_again = kind == LineKind::Label && self.last_path() == text;
        if text.is_empty() || is_named_again || matches!(text, "+" | "-") {
            return;
        }
        let split = if kind == LineKind::Data { fields::blanks_between(text) } else { None };
        let unchanged = matches!(plain, Cow::Borrowed(_)) && split.is_none();
        let text = split.as_deref().unwrap_or(text);
        let path = &path[..if path.len() <= usize::from(u16::MAX) { path.len() } else { 0 }];
        let (start, path_start) = if unchanged {
            (self.offset(text), self.offset(path))
        } else {
            if signed {
                self.changed.push('-');
            }
            let start = self.changed.len() as u32;
            self.changed.push_str(text);
            self.changed.push_str(path);
            (start, start + text.len() as u32)
        };
        self.spans.push(Span {
            number: self.count,
            start,
            len: text.len() as u32,
            path: path_start,
            path_len: path.len() as u16,
            kind,
            mark,
            changed: !unchanged,
            signed,
        });
    }

    /// The file that stood in front of the last line.
    fn last_path(&self) -> &str {
        let last = self.spans.len().checked_sub(1).and_then(|at| self.get(at));
        last.filter(|line| line.kind == LineKind::Data).map_or("", |line| line.path)
    }

    /// Where a part of the text begins in it.
    fn offset(&self, part: &str) -> u32 {
        if part.is_empty() {
            0
        } else {
            (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize) as u32
        }
    }
}

/// The byte that stands before a part of a line.
fn before(line: &str, part: &str) -> Option<u8> {
    let at = (part.as_ptr() as usize).checked_sub(line.as_ptr() as usize)?.checked_sub(1)?;
    line.as_bytes().get(at).copied()
}

/// One line without what surrounds it.
pub(crate) fn clean_line(raw: &str) -> String {
    Lines::new(raw, Options::default()).get(0).map_or_else(String::new, |line| line.text.to_owned())
}

/// The lines of a text as they stand, whatever ends them.
pub fn raw_lines(text: &str) -> impl Iterator<Item = &str> + Clone {
    // Very old files have a carriage return alone.
    let end = if text.contains('\n') { '\n' } else { '\r' };
    text.split_terminator(end)
}

/// What a line is, the path or prompt in front, and the rest.
fn classify(text: &str, options: Options) -> (LineKind, &str, &str) {
    if is_elided(text) {
        return (LineKind::Elided, "", text);
    }
    if is_frame(text) {
        return (LineKind::Frame, "", text);
    }
    if let Some((prompt, command)) = prompt::command(text) {
        return (LineKind::Command, prompt, command);
    }
    if let Some(path) = prompt::label(text) {
        return (LineKind::Label, "", path);
    }
    match origin(text) {
        Some((path, rest)) if options.numbers => {
            (LineKind::Data, path, prefixes::after_number(rest).map_or(rest, |(_, rest)| rest))
        }
        Some((path, rest)) => (LineKind::Data, path, rest),
        None => (LineKind::Data, "", text.trim_start_matches('`').trim_end_matches('`')),
    }
}

/// `...`, `[..]`, `<snip>`: rows were left out.
fn is_elided(text: &str) -> bool {
    let inside = text.trim_matches(['[', ']', '(', ')', '<', '>', '{', '}', '-', ' ', '.', '*', '/']);
    inside.is_empty() && text.contains("..")
        || ["snip", "SNIP", "cut", "snipped", "More", "etc", "skipped", ":", "8<", "~"].contains(&inside)
            && inside.len() * 2 + 4 >= text.len()
}

/// Rules, fences of Markdown and HTML, heads of diffs.
fn is_frame(text: &str) -> bool {
    let is_rule = text.len() >= 3 && text.bytes().all(|byte| b"-=+|:_*~ `".contains(&byte));
    let starts = [
        "```", "~~~", "@@ ", "--- ", "+++ ", "diff ", "index ", "<pre", "</pre", "<code", "</code", "[code",
        "[/code",
    ];
    is_rule || starts.iter().any(|start| text.starts_with(start))
}

/// The file that `grep -H` put in front, and what follows.
fn origin(text: &str) -> Option<(&str, &str)> {
    let word = &text[..text.find(' ').unwrap_or(text.len())];
    let is_path = |path: &str| {
        path.contains('/')
            && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-:@%,+~{}()#".contains(&byte))
            && path.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    let colons = word.char_indices().filter(|&(_, c)| c == ':').map(|(at, _)| at);
    // A colon may be part of the name of a cache: then more of the path follows it.
    let ends = |at: &usize| is_path(&word[..*at]) && !word[at + 1..].contains('/');
    let at = colons.clone().find(ends).or_else(|| colons.clone().find(|&at| is_path(&word[..at])))?;
    Some((&text[..at], &text[at + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str, options: Options) -> Vec<(LineKind, String, String)> {
        let lines = Lines::new(text, options);
        (0..lines.len())
            .filter_map(|at| lines.get(at))
            .map(|line| (line.kind, line.path.to_owned(), line.text.to_owned()))
            .collect()
    }

    #[test]
    fn lines_are_what_they_are() {
        for (line, kind, path, text) in [
            ("> > class  size", LineKind::Data, "", "class  size"),
            ("class\tsize\r", LineKind::Data, "", "class size"),
            ("[..]", LineKind::Elided, "", "[..]"),
            ("    ...", LineKind::Elided, "", "..."),
            ("<snip>", LineKind::Elided, "", "<snip>"),
            ("--More--", LineKind::Elided, "", "--More--"),
            ("```text", LineKind::Frame, "", "```text"),
            ("|---|---:|", LineKind::Frame, "", "|---|---:|"),
            ("@@ -1,2 +1,2 @@", LineKind::Frame, "", "@@ -1,2 +1,2 @@"),
            ("# cat /proc/slabinfo", LineKind::Command, "", "cat /proc/slabinfo"),
            ("==> /a/b <==", LineKind::Label, "", "/a/b"),
            (
                "/sys/kernel/debug/zswap/stored_pages:13",
                LineKind::Data,
                "/sys/kernel/debug/zswap/stored_pages",
                "13",
            ),
            ("/sys/kernel/slab/:t-0000256/order:1", LineKind::Data, "/sys/kernel/slab/:t-0000256/order", "1"),
            ("/proc/slabinfo:io:00:14.3  12 12", LineKind::Data, "/proc/slabinfo", "io:00:14.3  12 12"),
            ("/proc/cmdline:BOOT_IMAGE=/boot/vm", LineKind::Data, "/proc/cmdline", "BOOT_IMAGE=/boot/vm"),
            ("`1,2`", LineKind::Data, "", "1 2"),
            (":0000064 <- io 0:1", LineKind::Data, "", ":0000064 <- io 0:1"),
        ] {
            let found = cleaned(line, Options::default());
            assert_eq!(found, [(kind, path.to_owned(), text.to_owned())], "{line}");
        }
    }

    #[test]
    fn numbers_and_hosts_go_on_demand() {
        let options = Options { numbers: true, hosts: true };
        let text = "n1: 12: dentry 5\nn1: /proc/slabinfo:13:dentry 6\n";
        let found: Vec<String> = cleaned(text, options).into_iter().map(|line| line.2).collect();
        assert_eq!(found, ["dentry 5", "dentry 6"]);
    }

    #[test]
    fn numbers_count_blank_lines() {
        let lines = Lines::new("\r\n a\r\n\r\nb", Options::default());
        assert_eq!((lines.count(), lines.len()), (4, 2));
        assert_eq!([0, 1, 2].map(|at| lines.number(at)), [2, 4, 5]);
        assert_eq!(Lines::new("a\rb\r", Options::default()).count(), 2);
        assert_eq!(Lines::new("", Options::default()).count(), 0);
    }
}
