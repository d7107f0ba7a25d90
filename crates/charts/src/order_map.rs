//! SLUB's orders: what a slab of every order would leave over for every object size, and which order is taken.

use plotters::prelude::*;
use slabscope_core::slub::{Config, OrderParams, calculate_order};
use slabscope_core::tell::grouped;

use crate::plot::{Align, Label, rgb};
use crate::theme::{Role, Theme};

/// Sizes along, orders upward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderMap {
    /// Everything but the size.
    pub params: OrderParams,
    /// Largest size.
    pub most: u32,
    /// Highest order that is shown.
    pub highest: u8,
}

/// Space at the left for the orders and below for the sizes, in CSS pixels.
const LEFT: f64 = 44.0;
const BELOW: f64 = 18.0;
const ABOVE: f64 = 18.0;

/// Left over beyond which a cell has the colour of the worst, as a part of the slab.
const WORST: f64 = 0.125;

/// Colours from the worst to none left over.
const STEPS: usize = 12;

/// Pages of the largest object that `kmalloc` has a cache for.
const MOST_PAGES: u32 = 2;

impl OrderMap {
    /// The map of a configuration, for somebody who looks at objects of `size` bytes: its order is within.
    pub fn new(config: &Config, size: u32) -> Self {
        let params = config.order_params(size);
        let order = calculate_order(&params).map_or(0, |answer| answer.order);
        Self { params, most: Self::most(config), highest: order.max(config.max_order).min(10) }
    }

    /// The largest size that is shown, in bytes.
    pub fn most(config: &Config) -> u32 {
        (MOST_PAGES << config.page_shift.min(16)).max(config.object_size.saturating_add(7) & !7)
    }

    /// The size under a point, in bytes.
    pub fn size_at(&self, x: f64, width: f64) -> u32 {
        let share = ((x - LEFT) / (width - LEFT).max(1.0)).clamp(0.0, 1.0);
        ((share * f64::from(self.most) / 8.0).round() as u32 * 8).clamp(8, self.most)
    }

    /// Left edge of a size's column, in CSS pixels.
    pub fn x_of(&self, size: u32, width: f64) -> f64 {
        LEFT + f64::from(size) / f64::from(self.most) * (width - LEFT)
    }

    /// What is asked about one size.
    pub fn of_size(&self, size: u32) -> OrderParams {
        OrderParams { size, ..self.params }
    }

    /// Draws the cells and a line through those that are taken; the texts come back.
    ///
    /// # Errors
    /// The backend's.
    pub fn draw<B: DrawingBackend>(
        &self,
        root: &DrawingArea<B, plotters::coord::Shift>,
        (width, height): (f64, f64),
        scale: f64,
        theme: Theme,
    ) -> Result<Vec<Label>, DrawingAreaErrorKind<B::ErrorType>> {
        let device = |css: f64| (css * scale).round() as i32;
        root.fill(&rgb(theme.colour(Role::Paper)))?;
        let rows = f64::from(self.highest) + 1.0;
        let row = (height - ABOVE - BELOW) / rows;
        let top = |order: u8| height - BELOW - (f64::from(order) + 1.0) * row;
        let mut x = LEFT;
        while x + 1.0 <= width {
            let params = self.of_size(self.size_at(x + 0.5, width));
            let taken = calculate_order(&params).ok().map(|answer| answer.order);
            for order in 0..=self.highest {
                let Some(slab) = params.slab(order) else { continue };
                let bytes = f64::from(slab.objects) * f64::from(params.size) + f64::from(slab.waste);
                let good = 1.0 - (f64::from(slab.waste) / bytes / WORST).min(1.0);
                let step = (good * (STEPS - 1) as f64).round() as usize;
                let (left, right) = (device(x), device(x + 1.0));
                let (upper, lower) = (device(top(order)), device(top(order) + row - 1.0));
                root.draw(&Rectangle::new(
                    [(left, upper), (right, lower)],
                    rgb(theme.fullness(step, STEPS)).filled(),
                ))?;
                if taken == Some(order) {
                    let middle = device(top(order) + row / 2.0);
                    let thick = device(2.0).max(2);
                    root.draw(&Rectangle::new(
                        [(left, middle - thick - 1), (right, middle + thick + 1)],
                        rgb(theme.colour(Role::Paper)).filled(),
                    ))?;
                    root.draw(&Rectangle::new(
                        [(left, middle - thick), (right, middle + thick)],
                        rgb(theme.colour(Role::Accent)).filled(),
                    ))?;
                }
            }
            x += 1.0;
        }
        Ok(self.labels(width, height, &|order| top(order) + row / 2.0))
    }

    /// Draws the line of the map's own size.
    ///
    /// # Errors
    /// The backend's.
    pub fn draw_cursor<B: DrawingBackend>(
        &self,
        root: &DrawingArea<B, plotters::coord::Shift>,
        (width, height): (f64, f64),
        scale: f64,
        theme: Theme,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let device = |css: f64| (css * scale).round() as i32;
        let x = self.x_of(self.params.size, width);
        let corners = [(device(x - 0.75), device(14.0)), (device(x + 0.75), device(height - BELOW))];
        root.draw(&Rectangle::new(corners, rgb(theme.colour(Role::Ink)).filled()))
    }

    fn labels(&self, width: f64, height: f64, middle: &dyn Fn(u8) -> f64) -> Vec<Label> {
        let label = |x, y, text, align| Label { x, y, text, align, role: Role::Ink3, strong: false };
        let mut labels = vec![label(0.0, 8.0, "order".to_owned(), Align::Start)];
        labels.extend(
            (0..=self.highest).map(|order| label(LEFT - 8.0, middle(order), order.to_string(), Align::End)),
        );
        let every = if width < 480.0 { 2 } else { 4 };
        labels.extend((0..=every).map(|part| {
            let size = self.most * part / every;
            let align = if part == 0 {
                Align::Start
            } else if part == every {
                Align::End
            } else {
                Align::Middle
            };
            label(self.x_of(size, width), height - 7.0, grouped(size.into()), align)
        }));
        labels
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn every_size_that_is_shown_has_its_order_on_the_map_of_the_largest() {
        for page_shift in 12..=16 {
            for max_order in 0..=10 {
                let config = Config { page_shift, max_order, ..Config::default() };
                let map = OrderMap::new(&config, OrderMap::most(&config));
                for size in (8..=map.most).step_by(64) {
                    let order = calculate_order(&map.of_size(size)).unwrap().order;
                    assert!(order <= map.highest, "{config:?}: {size} has {order}");
                }
            }
        }
        let alone = Config { object_size: 100_001, ..Config::default() };
        assert_eq!(OrderMap::new(&alone, 8).most, 100_008);
        assert!(OrderMap::new(&Config { page_shift: 255, object_size: u32::MAX, ..alone }, 8).most > 0);
    }

    #[test]
    fn a_size_is_found_where_it_is_drawn() {
        let map = OrderMap { params: OrderParams::default(), most: 8192, highest: 3 };
        for size in [8, 560, 4096, 8192] {
            assert_eq!(map.size_at(map.x_of(size, 700.0), 700.0), size);
        }
        assert_eq!(map.size_at(-5.0, 700.0), 8);
        assert_eq!(map.size_at(9000.0, 700.0), 8192);
    }
}
