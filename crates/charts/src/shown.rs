//! What the view of a geometry draws of one size, the same in the page and in files.

use slabscope_core::slub::{Config, OrderAnswer, OrderParams};
use slabscope_core::{zblock, zsmalloc};

use crate::order_map::OrderMap;
use crate::zspage::SpanPicture;

/// The size that is looked at when none was chosen, in bytes.
pub const FIRST_SIZE: u32 = 1568;

/// A zspage full of objects of a size; the first that crosses a page is the one worth looking at. Empty for a size that
/// no class takes.
pub fn zspage(geometry: &zsmalloc::Geometry, size: u32) -> SpanPicture {
    let Ok(cost) = geometry.cost(size) else { return SpanPicture::default() };
    let class = &geometry.classes()[cost.class];
    let page_bytes = geometry.config().page_bytes();
    let selected = (0..class.objects).find(|&index| class.crosses(index, page_bytes)).unwrap_or(0);
    SpanPicture {
        page_bytes,
        pages: class.pages,
        size: class.size,
        handle: cost.handle,
        ..SpanPicture::default()
    }
    .full(class.objects, size, selected)
}

/// A block full of objects of a size. Empty for a size that no type takes.
pub fn block(geometry: &zblock::Geometry, size: u32) -> SpanPicture {
    let kind = geometry.type_of(size).ok().and_then(|at| geometry.types().get(usize::from(at)));
    let Some(kind) = kind else { return SpanPicture::default() };
    SpanPicture {
        page_bytes: geometry.config().page_bytes(),
        pages: kind.pages,
        header: geometry.header_bytes(),
        size: kind.slot_size,
        ..SpanPicture::default()
    }
    .full(kind.slots, size, 0)
}

/// Pages of a slab that are drawn.
const DRAWN_PAGES: u16 = 16;

/// The slab that a search for its order gave.
pub fn slab(page_bytes: u32, params: &OrderParams, answer: &OrderAnswer) -> SpanPicture {
    let pages = 1u16.checked_shl(answer.order.into()).unwrap_or(u16::MAX).min(DRAWN_PAGES);
    let shown = answer.objects.min((u32::from(pages) * page_bytes).div_ceil(params.size));
    SpanPicture { page_bytes, pages, size: params.size, ..SpanPicture::default() }.full(
        u16::try_from(shown).unwrap_or(u16::MAX),
        params.size,
        0,
    )
}

/// The map of orders for who looks at a size; its own size is that, or the object's where the cache has one.
pub fn orders(config: &Config, asked: u32) -> OrderMap {
    let size = if config.object_size > 0 { config.object_size } else { asked };
    OrderMap::new(config, size.saturating_add(7) & !7)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use slabscope_core::slub::calculate_order;
    use slabscope_core::zsmalloc::Era;

    use super::*;

    #[test]
    fn a_span_holds_what_its_geometry_says() {
        let geometry = zsmalloc::Geometry::new(&zsmalloc::Config::default_for(Era::V6_12)).unwrap();
        let picture = zspage(&geometry, FIRST_SIZE);
        assert_eq!((picture.size, picture.handle, picture.slots.len()), (1584, 8, 18));
        assert_eq!(zspage(&geometry, 9999), SpanPicture::default());
        let geometry = zblock::Geometry::new(&zblock::Config::default_for(zblock::Version::Mm0508)).unwrap();
        let picture = block(&geometry, FIRST_SIZE);
        assert!(picture.size >= FIRST_SIZE && picture.header > 0 && !picture.slots.is_empty());
        assert_eq!(block(&geometry, 9999), SpanPicture::default());
    }

    #[test]
    fn the_map_reaches_to_the_order_that_is_taken() {
        let config = Config { object_size: 700, max_order: 1, ..Config::default() };
        let map = orders(&config, 1568);
        let answer = calculate_order(&map.params).unwrap();
        assert_eq!((map.params.size, map.most), (704, 8192));
        assert!(map.highest >= answer.order.max(1));
        let picture = slab(4096, &map.params, &answer);
        assert_eq!((picture.slots.len() as u32, picture.pages), (answer.objects, 1 << answer.order));
        assert_eq!(orders(&Config::default(), 1565).params.size, 1568);
    }
}
