//! What the Geometry view gives: plots, one span drawn, and the table.

use slabscope_charts::order_map::OrderMap;
use slabscope_charts::plot::{Plot, Style};
use slabscope_charts::svg::{document, svg};
use slabscope_charts::zspage::SpanPicture;
use slabscope_charts::{zblock as block_plots, zsmalloc as class_plots};
use slabscope_core::tell::{grouped, tenths};
use slabscope_core::{slub, zblock, zsmalloc};
use slabscope_formats::zblock_tables::{TYPE_COLUMNS, type_rows};
use slabscope_formats::zsmalloc_tables::{CLASS_COLUMNS, class_rows, write_tsv};
use slabscope_formats::zsmalloc_text::write_classes;
use slabscope_lab::document::Sheet;
use slabscope_scenario::{Allocator, Key, Plot as Kind, Scenario, Value};

use crate::origin::Origin;
use crate::source::Maker;
use crate::title;

/// CSS pixels of plots.
const PLOT: (f64, f64) = (720.0, 320.0);
/// CSS pixels across one span.
const SPAN: f64 = 640.0;
/// The size that is drawn when the link names none, in bytes; the view shows the same.
const FIRST_SIZE: u32 = 1568;

/// The geometry of one of the allocators.
enum Model {
    Classes(zsmalloc::Geometry),
    Types(zblock::Geometry),
    Caches(slub::Geometry, slub::Config),
}

/// A geometry and what is looked at in it.
pub(crate) struct Geometry {
    scenario: Scenario,
    model: Model,
    /// Bytes of the request that is taken apart.
    size: u32,
}

impl Geometry {
    /// Of a scenario.
    ///
    /// # Errors
    /// The configuration is impossible.
    pub(crate) fn new(scenario: &Scenario) -> Result<Self, String> {
        let side = scenario.side(0);
        let model = match scenario.allocator() {
            Allocator::Zsmalloc => Model::Classes(
                zsmalloc::Geometry::new(&side.zsmalloc_config()).map_err(|error| error.to_string())?,
            ),
            Allocator::Zblock => {
                Model::Types(zblock::Geometry::new(&side.zblock_config()).map_err(|error| error.to_string())?)
            }
            Allocator::Slub => {
                let config = side.slub_config();
                Model::Caches(slub::Geometry::new(&config).map_err(|error| error.to_string())?, config)
            }
        };
        let size = match scenario.get(Key::Size) {
            Value::Number(size) => u32::try_from(size).unwrap_or(u32::MAX),
            _ => FIRST_SIZE,
        };
        Ok(Self { scenario: scenario.clone(), model, size: size.clamp(1, side.page_bytes()) })
    }

    fn plot(&self) -> Plot {
        match &self.model {
            Model::Classes(current) => {
                let text = self.scenario.text(Key::Also);
                let geometry = |max_pages: u8| {
                    zsmalloc::Geometry::new(&zsmalloc::Config { max_pages, ..*current.config() }).ok()
                };
                let also: Vec<_> =
                    text.split(',').filter_map(|part| part.parse().ok()).filter_map(geometry).collect();
                match Kind::from_name(&self.scenario.text(Key::Plot)) {
                    Some(Kind::Cost) => class_plots::cost(current, &also),
                    Some(Kind::Crossing) => class_plots::crossing(current, &also),
                    _ => class_plots::loss(current, &also, &[]),
                }
            }
            Model::Types(geometry) => block_plots::loss(geometry),
            Model::Caches(..) => Plot::default(),
        }
    }

    /// The map of orders, for a size that the view would look at.
    fn orders(&self, config: &slub::Config) -> OrderMap {
        let page = self.scenario.side(0).page_bytes();
        let most = (page * 2).max(config.object_size.next_multiple_of(8));
        OrderMap { params: config.order_params(8), most, highest: config.max_order.min(10) }
    }

    /// One span with objects of the size that is looked at.
    fn span(&self) -> Result<SpanPicture, String> {
        let page_bytes = self.scenario.side(0).page_bytes();
        let base = SpanPicture { page_bytes, ..SpanPicture::default() };
        match &self.model {
            Model::Classes(geometry) => {
                let cost = geometry.cost(self.size).map_err(|error| error.to_string())?;
                let class = &geometry.classes()[cost.class];
                let selected = (0..class.objects).find(|&at| class.crosses(at, page_bytes)).unwrap_or(0);
                let span = SpanPicture { pages: class.pages, size: class.size, handle: cost.handle, ..base };
                Ok(span.full(class.objects, self.size, selected))
            }
            Model::Types(geometry) => {
                let at = geometry.type_of(self.size).map_err(|error| error.to_string())?;
                let kind = &geometry.types()[usize::from(at)];
                let header = geometry.header_bytes();
                let span = SpanPicture { pages: kind.pages, header, size: kind.slot_size, ..base };
                Ok(span.full(kind.slots, self.size, 0))
            }
            Model::Caches(_, config) => {
                let size = if config.object_size > 0 { config.object_size } else { self.size };
                let params = config.order_params(size.next_multiple_of(8));
                let answer = slub::calculate_order(&params).map_err(|error| error.to_string())?;
                let pages = 1u16.checked_shl(answer.order.into()).unwrap_or(u16::MAX).min(16);
                let shown = answer.objects.min((u32::from(pages) * page_bytes).div_ceil(params.size));
                let span = SpanPicture { pages, size: params.size, ..base };
                Ok(span.full(u16::try_from(shown).unwrap_or(u16::MAX), params.size, 0))
            }
        }
    }

    fn sheet(&self) -> Sheet {
        let page = self.scenario.side(0).page_bytes();
        let percent = |waste: u32, bytes: u32| tenths(100.0 * f64::from(waste) / f64::from(bytes.max(1)));
        let caption = title(&self.scenario);
        match &self.model {
            Model::Classes(geometry) => {
                let columns =
                    ["Class", "Index", "From", "To", "Pages", "Objects", "Lost", "Lost, %", "Crossing"];
                let mut sheet = Sheet::new(&caption, &columns);
                for (position, class) in geometry.classes().iter().enumerate() {
                    let (from, to) = geometry.requests(position).unwrap_or_default();
                    let bytes = u32::from(class.pages) * page;
                    let numbers =
                        [class.index.into(), from, to, class.pages.into(), class.objects.into(), class.waste];
                    let mut cells = vec![class.size.to_string()];
                    cells.extend(numbers.map(|number| grouped(number.into())));
                    cells.push(percent(class.waste, bytes));
                    cells.push(class.crossing(page).to_string());
                    sheet.push(cells);
                }
                sheet
            }
            Model::Types(geometry) => {
                let columns = ["Slot", "Type", "From", "To", "Pages", "Objects", "Lost", "Lost, %"];
                let mut sheet = Sheet::new(&caption, &columns);
                for kind in geometry.types() {
                    let lost = kind.waste + geometry.header_bytes();
                    let (pages, slots) = (kind.pages.into(), kind.slots.into());
                    let numbers = [kind.index.into(), kind.min_size, kind.max_size, pages, slots, lost];
                    let mut cells = vec![kind.slot_size.to_string()];
                    cells.extend(numbers.map(|number| grouped(number.into())));
                    cells.push(percent(lost, u32::from(kind.pages) * page));
                    sheet.push(cells);
                }
                sheet
            }
            Model::Caches(geometry, config) => {
                let columns = ["Cache", "Object", "Size", "Pages", "Objects", "Lost", "Lost, %"];
                let mut sheet = Sheet::new(&caption, &columns);
                for cache in geometry.caches() {
                    let (pages, objects) = (cache.pages.into(), cache.objects.into());
                    let numbers = [cache.object_size, cache.size, pages, objects, cache.waste];
                    let mut cells = vec![cache.name(config)];
                    cells.extend(numbers.map(|number| grouped(number.into())));
                    cells.push(percent(cache.waste, u32::from(cache.pages) * page));
                    sheet.push(cells);
                }
                sheet
            }
        }
    }

    /// The table as the command line prints it; where it has none, as it is shown.
    fn exact(&self) -> String {
        let mut text = Vec::new();
        // Writing to memory cannot fail.
        let _ = match &self.model {
            Model::Classes(geometry) => write_tsv(&CLASS_COLUMNS, class_rows(geometry), &mut text),
            Model::Types(geometry) => {
                write_tsv(&TYPE_COLUMNS, type_rows(geometry.config(), geometry.types()), &mut text)
            }
            Model::Caches(..) => {
                let sheet = self.sheet();
                write_tsv(
                    &sheet.columns.iter().map(String::as_str).collect::<Vec<_>>(),
                    sheet.rows,
                    &mut text,
                )
            }
        };
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// The table of a scenario's geometry, which its digest is taken over.
///
/// # Errors
/// The configuration is impossible.
pub(crate) fn tsv(scenario: &Scenario) -> Result<String, String> {
    Ok(Geometry::new(scenario)?.exact())
}

impl Maker for Geometry {
    fn picture(&mut self, stem: &str, origin: &Origin) -> Result<String, String> {
        let title = format!("{}. {}", title(&self.scenario), origin.line());
        let (width, height) = PLOT;
        let drawn = match (stem, &self.model) {
            ("orders", Model::Caches(_, config)) => {
                let map = self.orders(config);
                document(PLOT, origin.theme, &title, |root| map.draw(root, PLOT, 1.0, origin.theme))
            }
            ("plot", _) => {
                svg(&self.plot(), &Style { width, height, scale: 1.0, theme: origin.theme }, &title)
            }
            _ => {
                let span = self.span()?;
                let size = (SPAN, span.height());
                document(size, origin.theme, &title, |root| span.draw(root, SPAN, 1.0, origin.theme))
            }
        };
        drawn.map_err(|error| error.to_string())
    }

    fn table(&mut self, _: &str) -> Result<Sheet, String> {
        Ok(self.sheet())
    }

    fn text(&mut self, stem: &str, _: &Origin) -> Result<String, String> {
        match (stem, &self.model) {
            ("classes-kernel", Model::Classes(geometry)) => {
                let mut text = Vec::new();
                // Writing to memory cannot fail.
                let _ = write_classes(&zsmalloc::Pool::new(geometry.clone()), &mut text);
                Ok(String::from_utf8_lossy(&text).into_owned())
            }
            _ => Ok(self.exact()),
        }
    }
}
