//! One line of a trace.

use crate::reading::numbers::int;
use crate::trace::{Entry, parse_entry};

/// What a line says that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// An object was allocated.
    Alloc {
        /// Its number or address.
        id: u64,
        /// Bytes that were asked for.
        size: u64,
    },
    /// An object was freed.
    Free {
        /// Its number or address.
        id: u64,
    },
    /// The pool was compacted.
    Compact,
    /// A report is asked for.
    Report,
}

/// Who wrote a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Our own text: `a ID SIZE`, `f ID`, `c`, `s`.
    Own,
    /// A `kmem:` event of the kernel, from ftrace, trace-cmd or perf.
    Kmem,
    /// A program's own words: `kmalloc 0xffff888 64`, `free ptr=0xffff888`.
    Program,
}

/// A line of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// Something happened. `id` is the object as it was written.
    Event {
        /// What.
        event: Event,
        /// Who wrote it.
        source: Source,
        /// The object as it was written.
        id: &'a str,
    },
    /// A line of a trace that changes no object, and why.
    Nothing(&'static str),
    /// No line of a trace.
    Other,
}

/// Events of an allocation, and of a free.
const ALLOCS: [&str; 8] = [
    "kmalloc",
    "kmalloc_node",
    "kmem_cache_alloc",
    "kmem_cache_alloc_node",
    "alloc",
    "malloc",
    "zs_malloc",
    "kmem_alloc",
];
const FREES: [&str; 5] = ["kfree", "kmem_cache_free", "free", "zs_free", "kmem_free"];

/// The first of these that are of the kernel's trace point system `kmem`.
const KMEM_ALLOCS: usize = 4;
const KMEM_FREES: usize = 2;

/// What a line of a trace says. What surrounds the line must have been taken off.
pub fn parse_line(text: &str) -> Line<'_> {
    if let Some(line) = own(text) {
        return line;
    }
    // All others name an object by its address or number, so that a line without digits is none.
    if text.len() < 5 || text.len() > 2000 {
        return Line::Other;
    }
    kmem(text).or_else(|| program(text)).unwrap_or(Line::Other)
}

fn own(text: &str) -> Option<Line<'_>> {
    let mut words = text.split_ascii_whitespace();
    let verb = words.next()?;
    if verb.len() != 1 || !b"afcs".contains(&verb.as_bytes()[0]) {
        return None;
    }
    let id = words.next().unwrap_or_default();
    let event = match parse_entry(text).ok()? {
        Entry::Alloc { name, size } => Event::Alloc { id: name.into(), size: size.into() },
        Entry::Free { name } => Event::Free { id: name.into() },
        Entry::Compact => Event::Compact,
        Entry::Report => Event::Report,
    };
    Some(Line::Event { event, source: Source::Own, id })
}

/// `... 192.641122: kmalloc: call_site=x ptr=y bytes_req=1 bytes_alloc=8`.
fn kmem(text: &str) -> Option<Line<'_>> {
    let mut rest = text;
    let name = loop {
        let (word, after) = rest.split_once(' ')?;
        rest = after.trim_start();
        let name = word.strip_suffix(':').map(|name| name.strip_prefix("kmem:").unwrap_or(name));
        if let Some(name) = name
            && (ALLOCS[..KMEM_ALLOCS].contains(&name)
                || FREES[..KMEM_FREES].contains(&name)
                || name.starts_with("mm_page_"))
        {
            break name;
        }
    };
    if name.starts_with("mm_page_") {
        return Some(Line::Nothing("an event about pages, not objects"));
    }
    let id = value(rest, &["ptr"])?;
    let is_free = FREES.contains(&name);
    if id.is_empty() || id.starts_with('(') || address(id) == Some(0) {
        return Some(Line::Nothing(if is_free { "frees nothing" } else { "the allocation failed" }));
    }
    let address = address(id)?;
    let event = if is_free {
        Event::Free { id: address }
    } else {
        Event::Alloc { id: address, size: number(value(rest, &["bytes_req", "bytes_alloc"])?)? }
    };
    Some(Line::Event { event, source: Source::Kmem, id })
}

/// `kmalloc 0xffff888 64`, `alloc ptr=0xffff888 size=64`, `kmalloc(64) = 0xffff888`, also behind a time or a pid.
fn program(text: &str) -> Option<Line<'_>> {
    /// Words that may stand before the verb: time, pid, name of the task.
    const BEFORE: usize = 3;
    let mut rest = text;
    for _ in 0..=BEFORE {
        let end = rest.find([' ', '(', ':', ',']).unwrap_or(rest.len());
        let (verb, after) = rest.split_at(end);
        let is_alloc = ALLOCS.contains(&verb);
        if is_alloc || FREES.contains(&verb) {
            return program_event(is_alloc, after);
        }
        rest = rest.split_once(' ')?.1.trim_start();
    }
    None
}

fn program_event(is_alloc: bool, text: &str) -> Option<Line<'_>> {
    const NAMES: [&str; 6] = ["ptr", "addr", "handle", "obj", "object", "id"];
    const SIZES: [&str; 5] = ["size", "bytes_req", "bytes", "len", "bytes_alloc"];
    let mut words = text.split([' ', ',', '(', ')', ':', '=']).filter(|word| !word.is_empty());
    let (id, size) = match (value(text, &NAMES), value(text, &SIZES)) {
        (Some(id), size) => (id, size),
        (None, Some(_)) => return None,
        (None, None) => {
            let first = words.next()?;
            match (is_alloc, words.next()) {
                (false, None) => (first, None),
                // `kmalloc(64) = 0xffff888`: the address is the one in hexadecimal.
                (true, Some(second)) if second.starts_with("0x") && !first.starts_with("0x") => {
                    (second, Some(first))
                }
                (true, Some(second)) => (first, Some(second)),
                _ => return None,
            }
        }
    };
    let address = address(id)?;
    let event = if is_alloc {
        Event::Alloc { id: address, size: number(size?)? }
    } else {
        Event::Free { id: address }
    };
    Some(Line::Event { event, source: Source::Program, id })
}

/// The value behind `name=`, of the first of these names that is there.
fn value<'a>(text: &'a str, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| {
        let at = text.match_indices(name).map(|(at, _)| at).find(|&at| {
            let before = text[..at].bytes().next_back();
            before.is_none_or(|byte| b" ,({:".contains(&byte)) && text[at + name.len()..].starts_with('=')
        })?;
        let rest = text[at + name.len() + 1..].trim_start();
        Some(&rest[..rest.find([' ', ',', ')', '}']).unwrap_or(rest.len())])
    })
}

/// An address: hexadecimal, with or without its `0x`, or a plain number.
fn address(word: &str) -> Option<u64> {
    let digits = word.strip_prefix("0x").unwrap_or(word);
    // Some words have nothing but the letters a to f.
    let is_marked = digits.len() < word.len() || digits.bytes().any(|byte| byte.is_ascii_digit());
    let is_hex =
        is_marked && (1..=16).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hex { u64::from_str_radix(digits, 16).ok() } else { None }
}

/// A number of bytes: decimal, or hexadecimal with its `0x`.
fn number(word: &str) -> Option<u64> {
    match word.strip_prefix("0x") {
        Some(digits) => address(digits),
        None => int(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(text: &str) -> Option<(Event, Source)> {
        match parse_line(text) {
            Line::Event { event, source, .. } => Some((event, source)),
            _ => None,
        }
    }

    #[test]
    fn events_of_every_writer_are_read() {
        let alloc = |id, size, source| Some((Event::Alloc { id, size }, source));
        let free = |id, source| Some((Event::Free { id }, source));
        for (text, expected) in [
            ("a 7 100", alloc(7, 100, Source::Own)),
            ("f 7", free(7, Source::Own)),
            ("c", Some((Event::Compact, Source::Own))),
            (
                "<idle>-0 [003] ..s. 312.11: kmem_cache_alloc: call_site=f+0x1/0x2 ptr=00000000ab bytes_req=224 bytes_alloc=256 gfp_flags=X",
                alloc(0xab, 224, Source::Kmem),
            ),
            (
                "init-1 [000] .N.. 0.18: kmalloc: call_site=c10b ptr=c147dc80 bytes_req=6 bytes_alloc=32",
                alloc(0xc147_dc80, 6, Source::Kmem),
            ),
            (
                "jbd2/dm-3-8 7666 [000] 4666.6: kmem:kmalloc: call_site=c0 ptr=0xc000000fcd646360 bytes_req=96 bytes_alloc=96",
                alloc(0xc000_000f_cd64_6360, 96, Source::Kmem),
            ),
            ("x-1 [002] .... 8.1: kfree: call_site=f ptr=0000000062400820", free(0x6240_0820, Source::Kmem)),
            (
                "x-1 [002] .... 8.1: kmem_cache_free: call_site=f ptr=0xff name=dentry",
                free(0xff, Source::Kmem),
            ),
            ("kmalloc 0xffff888 64", alloc(0xffff888, 64, Source::Program)),
            ("1234 kmalloc 0xffff888, 64", alloc(0xffff888, 64, Source::Program)),
            ("kmalloc(64) = 0xffff888", alloc(0xffff888, 64, Source::Program)),
            ("alloc ptr=0xffff888 size=0x40", alloc(0xffff888, 64, Source::Program)),
            ("zs_malloc: handle=0xff len=64", alloc(0xff, 64, Source::Program)),
            ("free 0xffff888", free(0xffff888, Source::Program)),
            ("kfree(0xffff888)", free(0xffff888, Source::Program)),
        ] {
            assert_eq!(event(text), expected, "{text}");
        }
    }

    #[test]
    fn lines_that_change_nothing_say_why() {
        for text in [
            "x-1 [0] 0.17: kfree: call_site=c10bfa4a ptr=  (null)",
            "x-1 [0] 0.17: kmalloc: call_site=c1 ptr=0 bytes_req=6 bytes_alloc=8",
            "x-1 [0] 0.17: mm_page_alloc: page=1 pfn=2 order=0",
        ] {
            assert!(matches!(parse_line(text), Line::Nothing(_)), "{text}");
        }
    }

    #[test]
    fn other_lines_are_none() {
        for text in [
            "",
            "a",
            "a 1",
            "f",
            "f x",
            "free memory is low",
            "free cafe",
            "alloc failed",
            "kmalloc-8 1 2 3",
            "s s",
            "free 5 6",
            "kmalloc 0xffff888",
            "x: zs_compact_class: class 254: 0 zspage isolated",
            "\u{e9}\u{e9}\u{e9} 1 2",
        ] {
            assert_eq!(parse_line(text), Line::Other, "{text}");
        }
    }
}
