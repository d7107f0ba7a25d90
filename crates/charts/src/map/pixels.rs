//! A buffer of pixels and what is filled in it.

use super::tint::Pattern;

/// A rectangle in device pixels; right and bottom are outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area {
    pub(crate) left: i64,
    pub(crate) top: i64,
    pub(crate) right: i64,
    pub(crate) bottom: i64,
}

/// Pixels as `0xAABBGGRR`, row by row. A length that does not fit its size leaves the rest unpainted.
#[derive(Debug)]
pub(crate) struct Pixels<'a> {
    pub(crate) words: &'a mut [u32],
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl Pixels<'_> {
    pub(crate) fn fill(&mut self, area: &Area, colour: u32) {
        let columns = clip(area.left, area.right, self.width);
        for y in clip(area.top, area.bottom, self.height) {
            if let Some(line) = self.words.get_mut(y * self.width..(y + 1) * self.width) {
                line[columns.clone()].fill(colour);
            }
        }
    }

    /// Lines of cells in flat colours, and `ground` where none is. One line is written, the others are its copies.
    pub(crate) fn row<'a>(
        &mut self,
        top: i64,
        bottom: i64,
        cells: impl Iterator<Item = (&'a (i64, i64), &'a u32)>,
        ground: u32,
    ) {
        let lines = clip(top, bottom, self.height);
        let start = lines.start * self.width;
        let Some(line) = self.words.get_mut(start..start + self.width).filter(|_| !lines.is_empty()) else {
            return;
        };
        let mut end = 0;
        for (&(left, right), colour) in cells {
            let columns = clip(left, right, self.width);
            end = columns.end;
            line[columns].fill(*colour);
        }
        line[end..].fill(ground);
        for y in lines.skip(1) {
            if self.words.len() >= (y + 1) * self.width {
                self.words.copy_within(start..start + self.width, y * self.width);
            }
        }
    }

    pub(crate) fn frame(&mut self, area: &Area, colour: u32) {
        self.fill(&Area { bottom: area.top + 1, ..*area }, colour);
        self.fill(&Area { top: area.bottom - 1, ..*area }, colour);
        self.fill(&Area { right: area.left + 1, ..*area }, colour);
        self.fill(&Area { left: area.right - 1, ..*area }, colour);
    }

    /// Diagonal lines both ways, so that the fill is known by its pattern too.
    pub(crate) fn cross(&mut self, area: &Area, colour: u32) {
        const STEP: i64 = 5;
        for y in clip(area.top, area.bottom, self.height) {
            for x in clip(area.left, area.right, self.width) {
                let (dx, dy) = (x as i64 - area.left, y as i64 - area.top);
                if (dx + dy).rem_euclid(STEP) == 0 || (dx - dy).rem_euclid(STEP) == 0 {
                    self.set(x, y, colour);
                }
            }
        }
    }

    /// A pattern in one colour over what is there.
    pub(crate) fn pattern(&mut self, area: &Area, pattern: Pattern, colour: u32) {
        if pattern == Pattern::Plain {
            return;
        }
        for y in clip(area.top, area.bottom, self.height) {
            for x in clip(area.left, area.right, self.width) {
                let is_drawn = match pattern {
                    Pattern::Plain => false,
                    Pattern::Hatched => (x + y).is_multiple_of(6),
                    Pattern::Dense => (x + y).is_multiple_of(3),
                    Pattern::Dotted => x.is_multiple_of(4) && y.is_multiple_of(3),
                };
                if is_drawn {
                    self.set(x, y, colour);
                }
            }
        }
    }

    pub(crate) fn set(&mut self, x: usize, y: usize, colour: u32) {
        if let Some(pixel) = self.words.get_mut(y * self.width + x) {
            *pixel = colour;
        }
    }
}

fn clip(from: i64, to: i64, limit: usize) -> std::ops::Range<usize> {
    let from = from.clamp(0, limit as i64) as usize;
    from..(to.clamp(0, limit as i64) as usize).max(from)
}

/// To the nearest whole pixel. The processor that WebAssembly is has no `f64::round`, but a floor.
pub(crate) fn round(length: f64) -> i64 {
    (length + 0.5).floor() as i64
}

/// `part` of `whole` of one colour over another, channel by channel, opaque.
pub(crate) fn mix(over: u32, under: u32, part: u32, whole: u32) -> u32 {
    let part = part.min(whole);
    let channel = |shift: u32| {
        let (over, under) = ((over >> shift) & 0xff, (under >> shift) & 0xff);
        ((over * part + under * (whole - part)) / whole.max(1)) << shift
    };
    0xff00_0000 | channel(16) | channel(8) | channel(0)
}
