//! The list as a zspage is inserted, scene by scene, for an animation.

use slabscope_core::pool::{Ignore, ObjectId, Pool as _};
use slabscope_core::zsmalloc::{Config, Era, Geometry, Pool};

use crate::{Row, Step, Unit};

use super::{BASE, ERAS, MERGED, POSTED};

/// Requests of this size go to a class with eight objects in one page.
const REQUEST: u32 = 500;
/// Objects of such a zspage.
const EACH: u32 = 8;
/// Zspages that take part.
const ZSPAGES: u32 = 4;
/// `ALMOST_FULL` among the groups.
const ALMOST_FULL: u8 = 2;

/// What happened, in a sentence, and the list after it, head first: the number of each zspage from 1 in the order of
/// creation, its objects, and how many fit.
type Scene = (String, Vec<(u32, u16, u16)>);

/// The list of almost full zspages of one class while full zspages enter it, one after the other, and allocations
/// then fill what heads it.
pub(crate) fn insertion_scenes(era: Era) -> Vec<Scene> {
    let Ok(geometry) = Geometry::new(&Config::default_for(era)) else { return Vec::new() };
    let mut pool = Pool::new(geometry);
    let mut class = None;
    for object in 0..ZSPAGES * EACH {
        class = pool.malloc(ObjectId(object), REQUEST, &mut Ignore).ok().map(|place| place.class);
    }
    let Some(class) = class else { return Vec::new() };
    let list = |pool: &Pool| {
        let spans = pool.group_list(class, ALMOST_FULL).into_iter();
        spans.map(|span| (span.id.0, span.used, span.capacity)).collect()
    };
    let mut scenes = vec![("All zspages are full: the list is empty".to_owned(), list(&pool))];
    for zspage in 0..ZSPAGES {
        // One object goes from each full zspage in turn.
        let object = ObjectId(zspage * EACH);
        let freed = pool.free(object, &mut Ignore).map(|freed| freed.from.span.0);
        let caption =
            format!("An object of zspage {} is freed: it enters the list", freed.unwrap_or_default());
        scenes.push((caption, list(&pool)));
    }
    for next in 0..2 {
        let object = ObjectId(ZSPAGES * EACH + next);
        let placed = pool.malloc(object, REQUEST, &mut Ignore).map(|place| place.span.0);
        let caption = format!(
            "An allocation takes the head, zspage {}: it is full and leaves",
            placed.unwrap_or_default()
        );
        scenes.push((caption, list(&pool)));
    }
    scenes
}

/// The order of a list in words: 4, 3, 2, 1.
fn in_words((_, list): &Scene) -> String {
    list.iter().map(|(zspage, _, _)| zspage.to_string()).collect::<Vec<_>>().join(", ")
}

pub(super) fn step() -> Step {
    let told = |index: usize| {
        let era = ERAS.get(index)?;
        let scenes = insertion_scenes(*era);
        let full = scenes.get(ZSPAGES as usize)?;
        Some((*era, in_words(full), scenes))
    };
    let all: Vec<_> = [BASE, POSTED, MERGED].into_iter().filter_map(told).collect();
    let mut rows = Vec::new();
    for (era, _, scenes) in &all {
        for (number, scene) in scenes.iter().enumerate() {
            let (caption, listed) = scene;
            let name = format!("list of {}, scene {number}", era.name());
            let list = if listed.is_empty() { "empty".to_owned() } else { in_words(scene) };
            rows.push(
                Row::new(name, "zspages_listed", Unit::Spans)
                    .predicted(listed.len() as f64)
                    .note(format!("{caption}; head first: {list}")),
            );
        }
    }
    let orders: Vec<String> = all.iter().map(|(era, order, _)| format!("{}: {order}", era.name())).collect();
    let text = format!(
        "Four full zspages lose an object each, one after the other, and enter the list of almost full ones. They all have as \
         many objects, so no comparison puts one before another, and only the place of the old head matters. Head first, the \
         list is then: {}. The next allocations take from the head: with the base from the zspage that was freed in last, then \
         from the one before; with the posting the old heads stand at the end, in the order in which they went there.",
        orders.join("; ")
    );
    Step { title: "The list, zspage by zspage", text, rows, plots: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_posting_rotates() {
        let after = |era: Era| {
            let scenes = insertion_scenes(era);
            scenes.get(ZSPAGES as usize).map(in_words).unwrap_or_default()
        };
        for era in [Era::V4_2, Era::V4_5, Era::V4_5Behind, Era::V6_1] {
            assert_eq!(after(era), "4, 3, 2, 1", "{}", era.name());
        }
        for era in [Era::V4_2Rfc3, Era::V4_2Rfc3Af] {
            assert_eq!(after(era), "4, 1, 2, 3", "{}", era.name());
        }
        assert_eq!(insertion_scenes(Era::V4_2).len(), 1 + ZSPAGES as usize + 2);
    }
}
