//! Quantities over time as pixels: bands and lines, each known by its pattern as well as by its colour.

mod svg;

pub use svg::Field;

use crate::map::pixels::{Area, Pixels, mix};
use crate::theme::{Rgb, Role, Theme};

/// How a quantity is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A plain area.
    Fill(Role),
    /// A dotted area with its upper edge drawn.
    Dots(Role),
    /// A line.
    Line(Role),
    /// A dashed line.
    Dashes(Role),
    /// A dotted line.
    Sparse(Role),
    /// An area in the colour of this group, every other one hatched.
    Group(u8),
}

impl Look {
    /// Its colour, in a pool with so many groups.
    pub fn rgb(self, theme: Theme, groups: usize) -> Rgb {
        match self {
            Self::Fill(role)
            | Self::Dots(role)
            | Self::Line(role)
            | Self::Dashes(role)
            | Self::Sparse(role) => theme.colour(role),
            Self::Group(group) => theme.fullness(group.into(), groups),
        }
    }

    /// Its colour as a word of pixels.
    fn colour(self, theme: Theme, groups: usize) -> u32 {
        let [red, green, blue] = self.rgb(theme, groups);
        u32::from_le_bytes([red, green, blue, 0xff])
    }

    const fn is_line(self) -> bool {
        matches!(self, Self::Line(_) | Self::Dashes(_) | Self::Sparse(_) | Self::Dots(_))
    }

    const fn is_area(self) -> bool {
        matches!(self, Self::Fill(_) | Self::Dots(_) | Self::Group(_))
    }

    /// How a pixel of its area is mixed from colour and ground: the colour's share of eight.
    const fn share(self, x: i64, y: i64, grain: i64) -> u32 {
        match self {
            Self::Dots(_) if x / grain % 4 == 0 && y / grain % 4 == 0 => 8,
            Self::Dots(_) => 1,
            Self::Group(group) if group % 2 == 1 && (x + y) / grain % 4 == 0 => 4,
            _ => 8,
        }
    }

    /// Whether its line is drawn in a column of pixels.
    const fn is_drawn(self, x: i64, grain: i64) -> bool {
        match self {
            Self::Dashes(_) => x / grain % 8 < 5,
            Self::Sparse(_) => x / grain % 4 < 2,
            _ => true,
        }
    }
}

/// Quantities over a common time.
#[derive(Clone, Copy, Debug)]
pub struct OverTime<'a> {
    /// The step of each value, ascending.
    pub steps: &'a [u32],
    /// The last step of the axis.
    pub until: u32,
    /// What is drawn, the lowest first, with a value for each step.
    pub layers: &'a [(Look, Vec<f32>)],
    /// True if each area stands on the one before.
    pub stacked: bool,
    /// Groups of the pool.
    pub groups: usize,
    /// Steps with an upright line.
    pub marks: &'a [u32],
}

/// Where it is drawn, in device pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Width of the buffer.
    pub width: usize,
    /// Height of the buffer.
    pub height: usize,
    /// Where the largest value is.
    pub top: usize,
    /// Where zero is.
    pub bottom: usize,
    /// Pixels of a dot or of the width of a line.
    pub grain: usize,
}

impl OverTime<'_> {
    /// The largest value, of stacked areas together.
    pub fn highest(&self) -> f32 {
        let sum = |at: usize| self.layers.iter().filter_map(|(_, values)| values.get(at)).sum();
        if self.stacked {
            (0..self.steps.len()).map(sum).fold(0.0, f32::max)
        } else {
            self.layers.iter().flat_map(|(_, values)| values).copied().fold(0.0, f32::max)
        }
    }

    /// The sample that each column of so many shows, up to where nothing is known yet.
    fn columns(&self, width: usize) -> impl Iterator<Item = usize> {
        let until = u64::from(self.until);
        let known = self.steps.last().map_or(0, |last| u64::from(*last));
        (1..=width as u64).map_while(move |column| {
            let step = column * until / width as u64;
            let after = self.steps.partition_point(|known| u64::from(*known) <= step);
            // Behind the last sample nothing is known, but for what lies before the next one.
            let is_behind = after == self.steps.len() && known + until / 512 + 1 < step;
            after.checked_sub(1).filter(|_| !is_behind)
        })
    }

    /// Paints how much happened in each stretch between two steps: one count grows upwards from the middle, the
    /// other downwards, by their logarithms.
    pub fn paint_activity(&self, counts: &[[u32; 2]], place: &Place, theme: Theme, words: &mut [u32]) {
        let [red, green, blue] = theme.colour(Role::Ink3);
        let ink = u32::from_le_bytes([red, green, blue, 0xff]);
        let mut pixels = Pixels { words, width: place.width, height: place.height };
        let (top, bottom) = (place.top as i64, place.bottom as i64);
        let (middle, half) = ((top + bottom) / 2, (bottom - top) / 2);
        let size = |count: u32| i64::from((count + 1).ilog2() + u32::from(count > 0));
        let most =
            [0, 1].map(|which| counts.iter().map(|count| size(count[which])).max().unwrap_or(1).max(1));
        let mut at = 0;
        for x in 0..place.width {
            let step = (x as u64 + 1) * u64::from(self.until) / place.width.max(1) as u64;
            // The first step is that of the empty pool, which has no count.
            let after = self.steps.partition_point(|known| u64::from(*known) <= step).saturating_sub(1);
            let stretch = counts.get(at..after.max(at).min(counts.len())).unwrap_or_default();
            at = at.max(after);
            let largest = |which: usize| {
                stretch.iter().map(|count| size(count[which])).max().unwrap_or(0) * half / most[which]
            };
            let x = x as i64;
            let up = Area { left: x, right: x + 1, top: middle - largest(0), bottom: middle };
            pixels.fill(&up, ink);
            let down = Area { top: middle + 1, bottom: middle + 1 + largest(1), ..up };
            pixels.fill(&down, mix(ink, 0xff80_8080, 5, 8));
        }
    }

    /// Paints into a buffer of `place.width x place.height` words.
    pub fn paint(&self, place: &Place, theme: Theme, words: &mut [u32]) {
        let [red, green, blue] = theme.colour(Role::Paper);
        let paper = u32::from_le_bytes([red, green, blue, 0xff]);
        words.fill(paper);
        let mut pixels = Pixels { words, width: place.width, height: place.height };
        let (tall, highest) = (place.bottom.saturating_sub(place.top) as f32, self.highest().max(1.0));
        let y_of = |value: f32| place.bottom as i64 - (value / highest * tall).round() as i64;
        let grain = place.grain.max(1) as i64;
        let mut before = vec![None; self.layers.len()];
        for (x, sample) in (0i64..).zip(self.columns(place.width)) {
            let mut ground = 0.0;
            for ((look, values), before) in self.layers.iter().zip(&mut before) {
                let value = values.get(sample).copied().unwrap_or(0.0);
                let colour = look.colour(theme, self.groups);
                let (low, high) = (y_of(ground), y_of(ground + value));
                if self.stacked {
                    ground += value;
                }
                if look.is_area() {
                    for y in high.max(0)..low {
                        pixels.set(x as usize, y as usize, mix(colour, paper, look.share(x, y, grain), 8));
                    }
                }
                if look.is_line() {
                    let from = before.replace(high).unwrap_or(high);
                    let (top, bottom) = (high.min(from), high.max(from));
                    if look.is_drawn(x, grain) {
                        pixels.fill(&Area { left: x, right: x + 1, top, bottom: bottom + grain }, colour);
                    }
                }
            }
        }
        let [red, green, blue] = theme.colour(Role::Ink2);
        let ink = u32::from_le_bytes([red, green, blue, 0xff]);
        for step in self.marks {
            let x = u64::from(*step) * place.width as u64 / u64::from(self.until.max(1));
            for y in (place.top as i64..place.bottom as i64).filter(|y| y / grain % 4 < 2) {
                pixels.fill(&Area { left: x as i64, right: x as i64 + grain, top: y, bottom: y + 1 }, ink);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_as_high_as_they_are_large() {
        let layers = [(Look::Fill(Role::Data), vec![0.0, 50.0, 100.0, 100.0])];
        let chart = OverTime {
            steps: &[0, 10, 20, 30],
            until: 30,
            layers: &layers,
            stacked: false,
            groups: 12,
            marks: &[15],
        };
        let place = Place { width: 30, height: 12, top: 1, bottom: 11, grain: 1 };
        let mut words = vec![0; 30 * 12];
        chart.paint(&place, Theme::Light, &mut words);
        let data = Look::Fill(Role::Data).colour(Theme::Light, 12);
        let height = |x: usize| (0..12).filter(|y| words[y * 30 + x] == data).count();
        assert_eq!([height(0), height(11), height(22)], [0, 5, 10]);
        assert!(height(15) < 5, "the mark stands there");
        assert!((chart.highest() - 100.0).abs() < 0.1);
    }

    #[test]
    fn stacked_areas_stand_on_each_other_and_differ_by_pattern() {
        let layers = [(Look::Group(1), vec![40.0; 2]), (Look::Group(2), vec![60.0; 2])];
        let chart =
            OverTime { steps: &[0, 9], until: 9, layers: &layers, stacked: true, groups: 12, marks: &[] };
        let place = Place { width: 20, height: 10, top: 0, bottom: 10, grain: 1 };
        let mut words = vec![0; 200];
        chart.paint(&place, Theme::Dark, &mut words);
        let plain = |look: Look| words.iter().filter(|word| **word == look.colour(Theme::Dark, 12)).count();
        assert_eq!(plain(Look::Group(2)), 20 * 6);
        assert!((1..20 * 4).contains(&plain(Look::Group(1))), "hatched");
    }
}
