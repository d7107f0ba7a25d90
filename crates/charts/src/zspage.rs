//! A span drawn page by page with its objects over the page borders.

use plotters::prelude::*;

use crate::plot::{Align, Label, blend, rgb};
use crate::theme::{Rgb, Role, Theme};

/// What one place of a span holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// What is written into it.
    pub text: String,
    /// Bytes of data in it; `None` if it is free.
    pub data: Option<u32>,
    /// True for the one that is looked at.
    pub selected: bool,
}

/// A span and everything in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpanPicture {
    /// Bytes of a page.
    pub page_bytes: u32,
    /// Pages.
    pub pages: u16,
    /// Bytes before the first object.
    pub header: u32,
    /// Bytes of an object, handle and rounding included.
    pub size: u32,
    /// Bytes of the handle in front of each object.
    pub handle: u32,
    /// Places in order.
    pub slots: Vec<Slot>,
}

/// Height of a page, of the text above it, and of the space below it, in CSS pixels.
const PAGE: f64 = 48.0;
const ABOVE: f64 = 16.0;
const BELOW: f64 = 8.0;

/// What a run of bytes is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Header,
    Handle,
    Data,
    Rounding,
    Free,
    Tail,
}

/// A run of bytes within one page.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    page: u32,
    from: u32,
    to: u32,
    kind: Use,
}

/// Most places that are drawn one by one.
const DRAWN: u16 = 512;

impl SpanPicture {
    /// A span full of objects of `data` bytes, numbered; `selected` says which is looked at.
    pub fn full(self, places: u16, data: u32, selected: u16) -> Self {
        let slot =
            |index: u16| Slot { text: index.to_string(), data: Some(data), selected: index == selected };
        Self { slots: (0..places.min(DRAWN)).map(slot).collect(), ..self }
    }

    /// Height of the drawing in CSS pixels.
    pub fn height(&self) -> f64 {
        f64::from(self.pages) * (ABOVE + PAGE + BELOW)
    }

    /// Upper edge of a page's row.
    fn top(page: u32) -> f64 {
        f64::from(page) * (ABOVE + PAGE + BELOW) + ABOVE
    }

    fn runs(&self) -> Vec<Run> {
        let mut runs = Vec::new();
        let mut add = |from: u32, to: u32, kind: Use| {
            let mut at = from;
            while at < to {
                let page = at / self.page_bytes.max(1);
                let end = to.min((page + 1) * self.page_bytes);
                let start = page * self.page_bytes;
                runs.push(Run { page, from: at - start, to: end - start, kind });
                at = end;
            }
        };
        add(0, self.header, Use::Header);
        let mut at = self.header;
        for slot in &self.slots {
            let end = at + self.size;
            match slot.data {
                Some(data) => {
                    add(at, at + self.handle, Use::Handle);
                    let data_end = (at + self.handle + data).min(end);
                    add(at + self.handle, data_end, Use::Data);
                    add(data_end, end, Use::Rounding);
                }
                None => add(at, end, Use::Free),
            }
            at = end;
        }
        add(at, u32::from(self.pages) * self.page_bytes, Use::Tail);
        runs
    }

    /// Draws it over `width` CSS pixels and returns its texts.
    ///
    /// # Errors
    /// The backend's.
    pub fn draw<B: DrawingBackend>(
        &self,
        root: &DrawingArea<B, plotters::coord::Shift>,
        width: f64,
        scale: f64,
        theme: Theme,
    ) -> Result<Vec<Label>, DrawingAreaErrorKind<B::ErrorType>> {
        let device = |css: f64| (css * scale).round() as i32;
        let colour = |role: Role| rgb(theme.colour(role));
        let x_of = |byte: u32| f64::from(byte) / f64::from(self.page_bytes.max(1)) * width;
        root.fill(&colour(Role::Paper))?;
        for run in self.runs() {
            let top = Self::top(run.page);
            // A handle or a tail of a few bytes must not vanish.
            let least = if run.kind == Use::Data { 0.0 } else { 1.5 };
            let (left, right) = (x_of(run.from), x_of(run.to).max(x_of(run.from) + least));
            let corners = [(device(left), device(top)), (device(right.min(width)), device(top + PAGE))];
            root.draw(&Rectangle::new(corners, rgb(fill(run.kind, theme)).filled()))?;
            draw_pattern(root, run.kind, corners, scale, &colour)?;
        }
        let thin = (scale.round() as u32).max(1);
        for page in 0..u32::from(self.pages) {
            let top = Self::top(page);
            let corners = [(0, device(top)), (device(width) - 1, device(top + PAGE))];
            root.draw(&Rectangle::new(corners, colour(Role::Edge).stroke_width(thin)))?;
        }
        let mut labels = self.page_labels(width);
        for (index, slot) in self.slots.iter().enumerate() {
            let from = self.header + index as u32 * self.size;
            self.draw_slot(root, slot, from, (width, scale), &colour, &mut labels)?;
        }
        Ok(labels)
    }

    /// Height of the legend, in CSS pixels.
    pub const LEGEND: f64 = 20.0;

    /// Draws below it what its colours and patterns mean, for where no page says so.
    ///
    /// # Errors
    /// The backend's.
    pub fn draw_legend<B: DrawingBackend>(
        &self,
        root: &DrawingArea<B, plotters::coord::Shift>,
        theme: Theme,
    ) -> Result<Vec<Label>, DrawingAreaErrorKind<B::ErrorType>> {
        let runs = self.runs();
        let colour = |role: Role| rgb(theme.colour(role));
        let (mut x, y) = (0.0, self.height() + Self::LEGEND / 2.0);
        let mut labels = Vec::new();
        for (kind, name) in NAMES.into_iter().filter(|(kind, _)| runs.iter().any(|run| run.kind == *kind)) {
            let (left, middle) = (x as i32, y as i32);
            let corners = [(left, middle - 5), (left + 12, middle + 5)];
            root.draw(&Rectangle::new(corners, rgb(fill(kind, theme)).filled()))?;
            draw_pattern(root, kind, corners, 1.0, &colour)?;
            let text = name.to_owned();
            labels.push(Label { x: x + 17.0, y, text, align: Align::Start, role: Role::Ink3, strong: false });
            x += 34.0 + 6.5 * name.len() as f64;
        }
        Ok(labels)
    }

    fn page_labels(&self, width: f64) -> Vec<Label> {
        let label = |x, page, text, align| Label {
            x,
            y: Self::top(page) - 8.0,
            text,
            align,
            role: Role::Ink3,
            strong: false,
        };
        let pages = u32::from(self.pages);
        let mut labels: Vec<Label> =
            (0..pages).map(|page| label(0.0, page, format!("Page {page}"), Align::Start)).collect();
        let bytes = slabscope_core::tell::bytes(self.page_bytes.into());
        labels.extend((pages > 0).then(|| label(width, 0, bytes, Align::End)));
        labels
    }

    /// Borders of an object, and its text in each page it lies in: with a mark where it goes on.
    fn draw_slot<B: DrawingBackend>(
        &self,
        root: &DrawingArea<B, plotters::coord::Shift>,
        slot: &Slot,
        from: u32,
        (width, scale): (f64, f64),
        colour: &dyn Fn(Role) -> RGBColor,
        labels: &mut Vec<Label>,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let device = |css: f64| (css * scale).round() as i32;
        let page_bytes = self.page_bytes.max(1);
        let to = from + self.size;
        let x_of = |byte: u32| f64::from(byte) / f64::from(page_bytes) * width;
        let (first, last) = (from / page_bytes, to.saturating_sub(1) / page_bytes);
        for page in first..=last {
            let start = page * page_bytes;
            let (left, right) =
                (x_of(from.max(start) - start), x_of(to.min(start + page_bytes) - start).min(width - 1.0));
            let (top, bottom) = (device(Self::top(page)), device(Self::top(page) + PAGE));
            let (goes_on, came_over) = (page < last, page > first);
            let stroke = (scale * if slot.selected { 2.0 } else { 1.0 }).round().max(1.0) as u32;
            let ink = colour(if slot.selected { Role::Accent } else { Role::Ink2 });
            let (left_px, right_px) = (device(left), device(right));
            let mut lines =
                vec![vec![(left_px, top), (right_px, top)], vec![(left_px, bottom), (right_px, bottom)]];
            lines.push(if came_over {
                torn(left_px, top, bottom, scale)
            } else {
                vec![(left_px, top), (left_px, bottom)]
            });
            lines.push(if goes_on {
                torn(right_px, top, bottom, scale)
            } else {
                vec![(right_px, top), (right_px, bottom)]
            });
            for line in lines {
                root.draw(&PathElement::new(line, ink.stroke_width(stroke)))?;
            }
            let text = match (came_over, goes_on) {
                (false, false) => slot.text.clone(),
                (true, false) => format!("\u{203a} {}", slot.text),
                (false, true) => format!("{} \u{203a}", slot.text),
                (true, true) => format!("\u{203a} {} \u{203a}", slot.text),
            };
            if right - left > 7.0 * text.chars().count() as f64 + 4.0 {
                let role = if slot.data.is_some() { Role::Ink } else { Role::Ink3 };
                labels.push(Label {
                    x: f64::midpoint(left, right),
                    y: Self::top(page) + PAGE / 2.0,
                    text,
                    align: Align::Middle,
                    role,
                    strong: slot.selected,
                });
            }
        }
        Ok(())
    }
}

/// What the uses of bytes are called.
const NAMES: [(Use, &str); 6] = [
    (Use::Header, "header"),
    (Use::Handle, "handle"),
    (Use::Data, "data"),
    (Use::Rounding, "rounding"),
    (Use::Free, "free"),
    (Use::Tail, "tail"),
];

fn fill(kind: Use, theme: Theme) -> Rgb {
    let soft = |role: Role, part: f64| blend(theme.colour(role), theme.colour(Role::Paper), part);
    match kind {
        Use::Data => theme.colour(Role::Data),
        Use::Handle => theme.colour(Role::Handle),
        Use::Header => soft(Role::Header, 0.5),
        Use::Rounding => soft(Role::Rounding, 0.4),
        Use::Free => soft(Role::Empty, 0.14),
        Use::Tail => soft(Role::Tail, 0.4),
    }
}

/// A torn edge: the object goes on in the next page.
fn torn(x: i32, top: i32, bottom: i32, scale: f64) -> Vec<(i32, i32)> {
    let step = (4.0 * scale).round().max(2.0) as i32;
    let depth = (3.0 * scale).round().max(1.0) as i32;
    let mut points = Vec::new();
    let (mut y, mut out) = (top, false);
    while y < bottom {
        points.push((if out { x - depth } else { x }, y));
        y += step;
        out = !out;
    }
    points.push((x, bottom));
    points
}

/// Lines or dots by what the bytes are, so that colour is not the only sign.
fn draw_pattern<B: DrawingBackend>(
    root: &DrawingArea<B, plotters::coord::Shift>,
    kind: Use,
    [(left, top), (right, bottom)]: [(i32, i32); 2],
    scale: f64,
    colour: &dyn Fn(Role) -> RGBColor,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let step = (6.0 * scale).round().max(3.0) as i32;
    let thin = (scale.round() as u32).max(1);
    let height = bottom - top;
    match kind {
        Use::Data | Use::Handle | Use::Header => {}
        Use::Free => {
            let dot = colour(Role::Empty).filled();
            for y in (top + step..bottom).step_by(step as usize) {
                for x in (left + step..right).step_by(step as usize) {
                    root.draw(&Rectangle::new([(x, y), (x + thin as i32, y + thin as i32)], dot))?;
                }
            }
        }
        Use::Rounding | Use::Tail => {
            let (role, rising) =
                if kind == Use::Rounding { (Role::Rounding, true) } else { (Role::Tail, false) };
            let mut offset = left - height;
            while offset < right {
                // From the bottom (rising) or the top edge along 45 degrees, cut at the sides.
                let (from, to) = (offset.max(left), (offset + height).min(right));
                if from < to {
                    let y = |x: i32| if rising { bottom - (x - offset) } else { top + (x - offset) };
                    root.draw(&PathElement::new(
                        vec![(from, y(from)), (to, y(to))],
                        colour(role).stroke_width(thin),
                    ))?;
                }
                offset += step;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture() -> SpanPicture {
        let slot = |data| Slot { text: String::new(), data, selected: false };
        SpanPicture {
            page_bytes: 4096,
            pages: 2,
            header: 0,
            size: 1632,
            handle: 8,
            slots: vec![slot(Some(1568)), slot(None), slot(Some(1624)), slot(None), slot(None)],
        }
    }

    #[test]
    fn runs_cover_every_byte_once() {
        let picture = picture();
        let mut covered = vec![0u8; 8192];
        for run in picture.runs() {
            for byte in run.from..run.to {
                covered[(run.page * 4096 + byte) as usize] += 1;
            }
        }
        assert!(covered.iter().all(|&times| times == 1));
        let bytes = |kind| {
            picture.runs().iter().filter(|run| run.kind == kind).map(|run| run.to - run.from).sum::<u32>()
        };
        assert_eq!(
            [bytes(Use::Handle), bytes(Use::Rounding), bytes(Use::Tail), bytes(Use::Free)],
            [16, 56, 32, 4896]
        );
    }
}
