//! What the page shows of a document's plots, lanes and parts, as SVG.

use slabscope_charts::lines::{Line, plot};
use slabscope_charts::plot::{Align, Label, Style, axes, blend, draw, draw_cursor};
use slabscope_charts::svg::{colour, document, hex, number, wrapped, write_label};
use slabscope_charts::theme::{Role, Theme};
use slabscope_charts::zspage::{Slot, SpanPicture};
use slabscope_core::tell::{grouped, tenths};
use slabscope_lab::document::{Doing, FREE, Lanes, LinePlot, Part, PartKind};

/// CSS pixels of plots.
const PLOT: (f64, f64) = (720.0, 320.0);
/// Height of a lane and of a part, in CSS pixels.
const LANE: f64 = 12.0;
const PART: f64 = 20.0;
/// Where the bars of parts begin and end.
const BAR: (f64, f64) = (300.0, 560.0);

/// Lines over a common axis, and the place along that is marked.
///
/// # Errors
/// The drawing's.
pub(crate) fn lines(
    lines: &[Line],
    up: &str,
    cursor: Option<f64>,
    theme: Theme,
    title: &str,
) -> Result<String, String> {
    let plot = plot(lines, up);
    let style = Style { width: PLOT.0, height: PLOT.1, scale: 1.0, theme };
    let drawn = document(PLOT, theme, title, &mut |root| {
        let labels = draw(root, &plot, &style)?;
        if let Some(cursor) = cursor {
            draw_cursor(root, &axes(&plot, &style), &style, (cursor, None), Role::Ink2)?;
        }
        Ok(labels)
    });
    drawn.map_err(|error| error.to_string())
}

/// The lines of a document's plot.
pub(crate) fn lines_of(source: &LinePlot) -> Vec<Line> {
    let points = |points: &[(f32, f32)]| points.iter().map(|&(x, y)| (x.into(), y.into())).collect();
    source.lines.iter().map(|line| Line { name: line.name.clone(), points: points(&line.points) }).collect()
}

/// A span of a document: its numbers are those of a block of spans.
pub(crate) fn span(numbers: &[u32]) -> SpanPicture {
    let &[page_bytes, pages, header, size, handle, ref places @ ..] = numbers else {
        return SpanPicture::default();
    };
    let slot = |(index, &stored): (usize, &u32)| Slot {
        text: index.to_string(),
        data: (stored != FREE).then_some(stored),
        selected: false,
    };
    let slots = places.iter().enumerate().map(slot).collect();
    SpanPicture { page_bytes, pages: u16::try_from(pages).unwrap_or(u16::MAX), header, size, handle, slots }
}

/// A text at a place.
fn label(x: f64, y: f64, text: String, align: Align) -> Label {
    Label { x, y, text, align, role: Role::Ink2, strong: false }
}

/// What threads do, with its name and whether it is drawn at all.
pub(crate) const DOINGS: [(Doing, &str); 4] = [
    (Doing::Off, "waits for a core"),
    (Doing::Compute, "computes"),
    (Doing::Wait, "waits for a lock"),
    (Doing::Hold, "holds a lock"),
];

/// Threads as lanes: pale while they compute, hatched while they wait, dark while they hold a lock.
pub(crate) fn lanes(source: &Lanes, theme: Theme, title: &str) -> String {
    let across = PLOT.0 / source.until.max(1) as f64;
    let height = source.lanes.len() as f64 * LANE;
    let mut body = ground(PLOT.0, height + PART, theme);
    let mut x = 0.0;
    for (doing, name) in DOINGS.into_iter().skip(1) {
        let (mut areas, mut strokes) = (String::new(), String::new());
        let mut stretch = |left: f64, top: f64, width: f64, height: f64| {
            let (right, bottom) = (number(left + width), number(top + height));
            areas.push_str(&format!("M{} {}H{right}V{bottom}H{}z", number(left), number(top), number(left)));
            let mut at = left;
            while doing == Doing::Wait && at < left + width {
                strokes.push_str(&format!("M{} {}V{bottom}", number(at), number(top)));
                at += 4.0;
            }
        };
        for (index, lane) in source.lanes.iter().enumerate() {
            for segment in lane.iter().filter(|segment| segment.2 == doing) {
                let (from, to) = (segment.0 as f64 * across, segment.1 as f64 * across);
                stretch(from, index as f64 * LANE, (to - from).max(0.5), LANE - 2.0);
            }
        }
        stretch(x, height + 5.0, 12.0, 10.0);
        body.push_str(&format!("<path fill=\"{}\" d=\"{areas}\"/>\n", shade(doing, theme)));
        if !strokes.is_empty() {
            let ink = colour(theme, Role::Rounding);
            body.push_str(&format!("<path stroke=\"{ink}\" d=\"{strokes}\"/>\n"));
        }
        write_label(&mut body, &label(x + 17.0, height + PART / 2.0, name.to_owned(), Align::Start), theme);
        x += 150.0;
    }
    let until = format!("{} microseconds", grouped(source.until / 1000));
    write_label(&mut body, &label(PLOT.0, height + PART / 2.0, until, Align::End), theme);
    wrapped((PLOT.0 as u32, (height + PART) as u32), title, &body)
}

fn shade(doing: Doing, theme: Theme) -> String {
    match doing {
        Doing::Off | Doing::Compute => colour(theme, Role::Data),
        Doing::Hold => colour(theme, Role::Ink),
        Doing::Wait => hex(blend(theme.colour(Role::Rounding), theme.colour(Role::Paper), 0.35)),
    }
}

/// The paper.
pub(crate) fn ground(width: f64, height: f64, theme: Theme) -> String {
    let (width, height) = (number(width), number(height));
    format!("<path fill=\"{}\" d=\"M0 0H{width}V{height}H0z\"/>\n", colour(theme, Role::Paper))
}

/// Parts of a whole, each a bar to scale.
pub(crate) fn parts(parts: &[Part], theme: Theme, title: &str) -> String {
    let whole = parts.iter().fold(0u64, |sum, part| sum.saturating_add(part.bytes));
    let height = PART * parts.len() as f64;
    let mut body = ground(PLOT.0, height, theme);
    for (index, part) in parts.iter().enumerate() {
        let (top, middle) = (index as f64 * PART, (index as f64 + 0.5) * PART);
        let end = BAR.0 + (BAR.1 - BAR.0) * part.bytes as f64 / whole.max(1) as f64;
        body.push_str(&format!(
            "<path fill=\"{}\" d=\"M{} {}H{}V{}H{}z\"/>\n",
            colour(theme, role(part.kind)),
            number(BAR.0),
            number(top + 4.0),
            number(end.max(BAR.0 + 1.0)),
            number(top + PART - 4.0),
            number(BAR.0)
        ));
        write_label(&mut body, &label(0.0, middle, part_name(part), Align::Start), theme);
        write_label(&mut body, &label(650.0, middle, grouped(part.bytes), Align::End), theme);
        let share = format!("{} %", percent(part.bytes, whole));
        write_label(&mut body, &label(PLOT.0, middle, share, Align::End), theme);
    }
    wrapped((PLOT.0 as u32, height as u32), title, &body)
}

/// The name of a part, which says where its bytes are an estimate.
pub(crate) fn part_name(part: &Part) -> String {
    part.name.clone() + if part.exact { "" } else { " (estimated)" }
}

/// A part of a whole in percent.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    tenths(100.0 * part as f64 / whole.max(1) as f64)
}

const fn role(kind: PartKind) -> Role {
    match kind {
        PartKind::Data => Role::Data,
        PartKind::Handle => Role::Handle,
        PartKind::Rounding => Role::Rounding,
        PartKind::Tail => Role::Tail,
        PartKind::Empty => Role::Empty,
        PartKind::Header => Role::Header,
    }
}
