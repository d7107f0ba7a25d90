//! Allocation traces: our own text, `kmem:` events, lines of bpftrace programs.

use crate::events::{Event, Line as Parsed, Source, Stream, parse_line};
use crate::reading::account::Why;
use crate::reading::clean::LineKind;
use crate::reading::format::Format;
use crate::reading::sheet::{Sheet, Verdict};
use crate::reading::table::{Table, Value};

/// Signs of ftrace or perf: a CPU in brackets and an event before a colon.
fn is_other_event(text: &str) -> bool {
    let Some((_, rest)) = text.split_once('[') else { return false };
    let Some((cpu, rest)) = rest.split_once(']') else { return false };
    (1..=4).contains(&cpu.len())
        && cpu.bytes().all(|byte| byte.is_ascii_digit())
        && rest.matches(": ").count() >= 2
}

/// Finds a table for each stretch without a command between.
pub(crate) fn read(sheet: &mut Sheet<'_>) -> Verdict {
    let mut found = false;
    let mut near: Option<(u32, u32)> = None;
    let mut stretch = Stretch::default();
    for at in 0..=sheet.len() {
        let line = sheet.line(at);
        if line.is_none_or(|line| matches!(line.kind, LineKind::Command | LineKind::Label)) {
            found |= std::mem::take(&mut stretch).add(sheet);
            continue;
        }
        let Some(line) = sheet.data(at) else { continue };
        match parse_line(line.text) {
            Parsed::Event { event, source, id } => stretch.push(at, line.number, event, source, id),
            Parsed::Nothing(why) => stretch.nothing.push((at, why)),
            Parsed::Other if line.text.starts_with('#') => stretch.leave(at, "a comment"),
            Parsed::Other => {
                stretch.others += 1;
                stretch.leave(at, "no event that allocates or frees");
                if is_other_event(line.text) {
                    near = Some((near.map_or(1, |near| near.0 + 1), near.map_or(line.number, |near| near.1)));
                }
            }
        }
    }
    if found {
        return Verdict::Mine;
    }
    match near {
        Some((count, line)) => Verdict::near(
            count,
            Some(line),
            "events of ftrace or perf, but none of kmem:kmalloc, kmem_cache_alloc, kfree or kmem_cache_free"
                .to_owned(),
        ),
        None => Verdict::far("no line allocates or frees: a ID SIZE, f ID, or an event of kmem"),
    }
}

#[derive(Default)]
struct Stretch {
    table: Option<Table>,
    stream: Stream,
    rows: Vec<u32>,
    /// Events that change nothing.
    nothing: Vec<(usize, &'static str)>,
    allocations: u32,
    kmem: u32,
    /// Lines that are no events.
    others: usize,
    /// Why lines are left out.
    left: Vec<(usize, &'static str)>,
}

/// Lines that get a reason of their own.
const MOST_LEFT: usize = 1000;

impl Stretch {
    fn push(&mut self, at: usize, line: u32, event: Event, source: Source, id: &str) {
        self.kmem += u32::from(source == Source::Kmem);
        let table = self.table.get_or_insert_with(|| Table::new(Format::Trace, ["op", "id", "size"]));
        let object = match event {
            Event::Alloc { id, .. } | Event::Free { id } if source == Source::Own => Value::Int(id),
            _ => Value::Text(id),
        };
        match event {
            Event::Alloc { size, .. } => {
                self.allocations += 1;
                table.push(line, [Value::Text("a"), object, Value::Int(size)]);
            }
            Event::Free { .. } => table.push(line, [Value::Text("f"), object]),
            Event::Compact => table.push(line, [Value::Text("c")]),
            Event::Report => table.push(line, [Value::Text("s")]),
        }
        self.stream.push(line, event, &mut |_, _| {});
        self.rows.push(at as u32);
    }

    fn leave(&mut self, at: usize, why: &'static str) {
        if self.left.len() < MOST_LEFT {
            self.left.push((at, why));
        }
    }

    /// Adds the table if the stretch is a trace: an event of the kernel is enough, words of programs must be most
    /// of the lines.
    fn add(self, sheet: &mut Sheet<'_>) -> bool {
        let is_trace =
            self.kmem > 0 || (self.allocations > 0 && self.rows.len() >= 2 && self.rows.len() >= self.others);
        let (Some(mut table), Some(first)) = (self.table.filter(|_| is_trace), self.rows.first()) else {
            return false;
        };
        let first = *first as usize;
        table.set_title(sheet.title(first));
        let summary = self.stream.into_summary();
        table.set_totals(
            [
                ("allocations", summary.allocations),
                ("frees", summary.frees),
                ("bytes", summary.bytes),
                ("live", summary.live),
                ("peak_live", summary.peak_live),
            ]
            .map(|(name, value)| (name.to_owned(), value))
            .to_vec(),
            false,
        );
        let warnings = summary.warnings.len() as u64 + summary.warnings_left_out;
        if warnings > 0 {
            table.warn(None, format!("{warnings} of {} events do not fit together", table.len()));
        }
        for warning in summary.warnings {
            table.warn(warning.line, warning.text);
        }
        let id = sheet.add(table, first);
        for at in self.rows {
            sheet.row(at as usize, id);
        }
        for (at, why) in self.nothing {
            sheet.doubt(at, id, Why::new(why));
        }
        for (at, why) in self.left {
            sheet.skip(at, Why::new(why).of(id));
        }
        true
    }
}
