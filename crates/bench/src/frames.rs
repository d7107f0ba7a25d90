//! Frames of the pool map: the overview of a large pool, painted whole or changed where something happened.

use slabscope_charts::map::cells::Touched;
use slabscope_charts::map::{CellMap, Colouring, Palette, Tints, Viewport};
use slabscope_charts::theme::Theme;
use slabscope_core::model::{AnyConfig, AnyConfigError, AnyPool};
use slabscope_core::pool::{Ignore, ObjectId, Pool as _};
use slabscope_core::rng::Rng;
use slabscope_core::zsmalloc::{Config, Era};

/// A pool of many zspages and its picture.
#[derive(Debug)]
pub struct Frames {
    pool: AnyPool,
    chance: Rng,
    live: Vec<u32>,
    palette: Palette,
    view: Viewport,
    map: CellMap,
    /// The picture, `width x height` words.
    pub pixels: Vec<u32>,
}

/// Width and height of the picture: that of the budget, in CSS and device pixels alike.
pub const SIZE: (usize, usize) = (1280, 720);

impl Frames {
    /// A pool that holds at least so many zspages, at a zoom where 1 is cells of 3 x 3 pixels.
    ///
    /// # Errors
    /// The default configuration is refused, which would be a fault of the model.
    pub fn new(zspages: u64, zoom: f64) -> Result<Self, AnyConfigError> {
        let mut pool = AnyConfig::Zsmalloc(Config::default_for(Era::V6_12)).pool()?;
        let mut chance = Rng::new(1);
        let mut live = Vec::new();
        while pool.totals().spans < zspages {
            let object = live.len() as u32;
            if pool.malloc(ObjectId(object), 1 + chance.below(4096), &mut Ignore).is_err() {
                break;
            }
            live.push(object);
        }
        let palette = Palette::new(Theme::Light, pool.group_names().len());
        let view = Viewport { left: 0.0, top: 0.0, width: SIZE.0, height: SIZE.1, scale: 1.0 };
        let tints = Tints::new(&palette, Colouring::Fullness, &pool);
        let map = CellMap::new(&pool, SIZE.0 as f64, zoom, &tints);
        let mut frames = Self { pool, chance, live, palette, view, map, pixels: vec![0; SIZE.0 * SIZE.1] };
        frames.whole();
        Ok(frames)
    }

    /// Zspages held.
    pub fn zspages(&self) -> u64 {
        self.pool.totals().spans
    }

    /// Paints the picture whole, as after a seek.
    pub fn whole(&mut self) {
        let tints = Tints::new(&self.palette, Colouring::Fullness, &self.pool);
        self.map = CellMap::new(&self.pool, SIZE.0 as f64, self.map.zoom(), &tints);
        self.map.paint(&self.pool, self.view, &tints, &mut self.pixels);
    }

    /// Applies operations, which are not part of a frame, and gives what they touched.
    pub fn operate(&mut self, operations: usize) -> Touched {
        let mut touched = Touched::default();
        for _ in 0..operations {
            let at = self.chance.below(self.live.len().max(1) as u32) as usize;
            let Some(&object) = self.live.get(at) else { break };
            // The number is free again at once, so both succeed.
            let _ = self.pool.free(ObjectId(object), &mut touched);
            let _ = self.pool.malloc(ObjectId(object), 1 + self.chance.below(4096), &mut touched);
        }
        touched
    }

    /// Changes the picture where something happened.
    pub fn change(&mut self, touched: &Touched) {
        let tints = Tints::new(&self.palette, Colouring::Fullness, &self.pool);
        if !self.map.update(&touched.0, &self.pool, self.view, &tints, &mut self.pixels) {
            self.map.paint(&self.pool, self.view, &tints, &mut self.pixels);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_changed_picture_is_that_of_the_pool() {
        let mut frames = Frames::new(2_000, 1.0).unwrap();
        for _ in 0..20 {
            let touched = frames.operate(100);
            frames.change(&touched);
        }
        let changed = frames.pixels.clone();
        frames.whole();
        assert!(frames.pixels == changed);
        assert!(frames.zspages() >= 2_000);
    }
}
