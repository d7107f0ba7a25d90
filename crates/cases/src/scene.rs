//! The stepped figure of a case: the positions that it can be put in, drawn from the models.

use slabscope_core::slub::{OrderParams, calculate_order};
use slabscope_core::tell::{bytes, counted, grouped};
use slabscope_core::zsmalloc::Era;
use slabscope_core::{zblock, zsmalloc};

use crate::Options;
use crate::partial_ordering::insertion_scenes;
use crate::slub_order::{CPUS, KERNELS, POSTED};

/// One position of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// A few words.
    pub title: String,
    /// What is seen.
    pub caption: String,
    /// Zspages, blocks or slabs, from top to bottom.
    pub sketches: Vec<Sketch>,
}

/// A zspage, block or slab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    /// What it is.
    pub name: String,
    /// Bytes of a page.
    pub page_bytes: u32,
    /// Pages.
    pub pages: u16,
    /// Bytes before the first object.
    pub header: u32,
    /// Bytes of a place.
    pub size: u32,
    /// Bytes of the handle in each.
    pub handle: u32,
    /// Bytes stored in each place; `None` where nothing is.
    pub places: Vec<Option<u32>>,
}

pub(crate) fn slabs(options: &Options) -> Vec<Scene> {
    let cpus = options.get(&CPUS);
    let mut scenes = Vec::new();
    for cache in &POSTED {
        for (kernel, generation) in KERNELS {
            let params = OrderParams { generation, cpus, size: cache.size, ..OrderParams::default() };
            let Ok(answer) = calculate_order(&params) else { continue };
            let pages = 1u16.checked_shl(answer.order.into()).unwrap_or(u16::MAX);
            let all = u32::from(pages) * 4096;
            scenes.push(Scene {
                title: format!("{}, {kernel}", cache.name),
                caption: format!(
                    "{} of {} in {}; {} are left over at the end, {} for each object.",
                    counted(answer.objects.into(), "object", "objects"),
                    bytes(cache.size.into()),
                    counted(pages.into(), "page", "pages"),
                    bytes(answer.waste.into()),
                    bytes((all / answer.objects.max(1) - cache.size).into())
                ),
                sketches: vec![Sketch {
                    name: format!("A slab of order {}", answer.order),
                    page_bytes: 4096,
                    pages,
                    header: 0,
                    size: cache.size,
                    handle: 0,
                    places: vec![Some(cache.size); answer.objects as usize],
                }],
            });
        }
    }
    scenes
}

/// The list of almost full zspages, as the base, then as the posting keeps it.
pub(crate) fn lists(_: &Options) -> Vec<Scene> {
    let of = |era: Era, name: &'static str| {
        insertion_scenes(era).into_iter().map(move |(caption, list)| {
            let last = list.len().saturating_sub(1);
            let sketch = |(at, (zspage, used, capacity)): (usize, (u32, u16, u16))| {
                let place = match at {
                    0 => "head",
                    1 if at < last => "second",
                    _ if at == last => "tail",
                    _ => "next",
                };
                Sketch {
                    name: format!("{place}: zspage {zspage}"),
                    page_bytes: 4096,
                    pages: 1,
                    header: 0,
                    size: 4096 / u32::from(capacity.max(1)),
                    handle: 8,
                    // Which place is free does not matter to the list.
                    places: (0..capacity).map(|place| (place >= capacity - used).then_some(500)).collect(),
                }
            };
            Scene {
                title: name.to_owned(),
                caption: format!("{caption}."),
                sketches: list.into_iter().enumerate().map(sketch).collect(),
            }
        })
    };
    of(Era::V4_2, "the base, 4.2").chain(of(Era::V4_2Rfc3, "as posted")).collect()
}

/// Sizes whose zspages are drawn, with the most pages of each: one from the middle of the test's data, and one near the
/// end, which the posting speaks of.
const DRAWN: [(u32, &[u8]); 2] = [(2_200, &[4, 5, 6, 8]), (3_300, &[4, 5])];

pub(crate) fn zspages(_: &Options) -> Vec<Scene> {
    let drawn = DRAWN.into_iter().flat_map(|(size, settings)| settings.iter().map(move |most| (size, *most)));
    drawn
        .filter_map(|(size, max_pages)| {
            let config = zsmalloc::Config { max_pages, ..zsmalloc::Config::default_for(Era::V4_5) };
            zspage(&config, size, format!("{} bytes, at most {max_pages} pages", grouped(size.into())))
        })
        .collect()
}

fn zspage(config: &zsmalloc::Config, size: u32, title: String) -> Option<Scene> {
    let geometry = zsmalloc::Geometry::new(config).ok()?;
    let cost = geometry.cost(size).ok()?;
    let class = geometry.classes().get(cost.class)?;
    let sketch = Sketch {
        name: format!("A zspage of class {}", class.size),
        page_bytes: config.page_bytes(),
        pages: class.pages,
        header: 0,
        size: class.size,
        handle: cost.handle,
        places: vec![Some(size); class.objects.into()],
    };
    Some(full(title, &format!("Class {}", class.size), ["object", "objects"], size, sketch))
}

/// A zspage or block in which every place holds `stored` bytes, and what each pays.
fn full(title: String, places: &str, [one, many]: [&str; 2], stored: u32, sketch: Sketch) -> Scene {
    let count = sketch.places.len() as u32;
    let paid = u32::from(sketch.pages) * sketch.page_bytes / count.max(1);
    let caption = format!(
        "{places}: {} in {}; an object of {} pays for {}.",
        counted(count.into(), one, many),
        counted(sketch.pages.into(), "page", "pages"),
        bytes(stored.into()),
        bytes(paid.into())
    );
    Scene { title, caption, sketches: vec![sketch] }
}

/// The size that is drawn in every backend.
const STORED: u32 = 1_500;

pub(crate) fn backends(_: &Options) -> Vec<Scene> {
    let mut scenes = Vec::new();
    for page_shift in [12u8, 14] {
        let pages = if page_shift == 12 { "4K" } else { "16K" };
        let config = zsmalloc::Config { page_shift, ..zsmalloc::Config::default_for(Era::V6_12) };
        scenes.extend(zspage(&config, STORED, format!("zsmalloc, {pages} pages")));
        for version in [zblock::Version::V2, zblock::Version::Mm0508] {
            let config = zblock::Config { page_shift, ..zblock::Config::default_for(version) };
            scenes.extend(block(&config, format!("zblock {}, {pages} pages", version.name())));
        }
    }
    scenes
}

fn block(config: &zblock::Config, title: String) -> Option<Scene> {
    let geometry = zblock::Geometry::new(config).ok()?;
    let kind = geometry.types().get(usize::from(geometry.type_of(STORED).ok()?))?;
    let sketch = Sketch {
        name: format!("A block of type {}", kind.index),
        page_bytes: config.page_bytes(),
        pages: kind.pages,
        header: geometry.header_bytes(),
        size: kind.slot_size,
        handle: 0,
        places: vec![Some(STORED); kind.slots.into()],
    };
    let slots = format!("Slots of {}", bytes(kind.slot_size.into()));
    Some(full(title, &slots, ["slot", "slots"], STORED, sketch))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Case;

    fn scenes(case: Case) -> Vec<Scene> {
        (case.part().scenes)(&Options::default())
    }

    /// What is drawn fits the pages that it is drawn on.
    #[test]
    fn every_figure_fits_its_pages() {
        for case in Case::ALL {
            let scenes = scenes(case);
            assert_eq!(scenes.is_empty(), case == Case::Locks);
            for sketch in scenes.iter().flat_map(|scene| &scene.sketches) {
                let held = sketch.header + sketch.places.len() as u32 * sketch.size;
                assert!(held <= u32::from(sketch.pages) * sketch.page_bytes, "{sketch:?}");
                let fits = |stored: &Option<u32>| stored.is_none_or(|stored| stored <= sketch.size);
                assert!(sketch.places.iter().all(fits), "{sketch:?}");
            }
        }
    }

    #[test]
    fn the_list_has_a_head_and_a_tail() {
        let scenes = scenes(Case::PartialOrdering);
        let names = |at: usize| -> Vec<&str> {
            scenes
                .get(at)
                .map(|scene| scene.sketches.iter().map(|sketch| &*sketch.name).collect())
                .unwrap_or_default()
        };
        assert_eq!(names(4), ["head: zspage 4", "second: zspage 3", "next: zspage 2", "tail: zspage 1"]);
        assert_eq!(names(7 + 4), ["head: zspage 4", "second: zspage 1", "next: zspage 2", "tail: zspage 3"]);
    }

    #[test]
    fn captions_say_what_a_place_costs() {
        let scenes = scenes(Case::Zblock);
        let captions: Vec<&str> = scenes.iter().take(2).map(|scene| scene.caption.as_str()).collect();
        assert_eq!(
            captions,
            [
                "Class 1536: 8 objects in 3 pages; an object of 1,500 bytes pays for 1,536 bytes.",
                "Slots of 1,632 bytes: 10 slots in 4 pages; an object of 1,500 bytes pays for 1,638 bytes."
            ]
        );
    }

    /// The posting's example: 3,300 bytes take a page each with 4 pages, and share 5 pages with five others.
    #[test]
    fn what_the_posting_gains() {
        let scenes = scenes(Case::MorePages);
        let places = |at: usize| {
            scenes.get(at).and_then(|scene| scene.sketches.first()).map(|one| (one.pages, one.places.len()))
        };
        assert_eq!((places(4), places(5)), (Some((1, 1)), Some((5, 6))));
    }
}
