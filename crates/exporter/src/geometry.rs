//! What the Geometry view gives: plots, one span drawn, and the table.

use slabscope_charts::order_map::OrderMap;
use slabscope_charts::plot::{Plot, Style, axes, draw, draw_cursor};
use slabscope_charts::shown;
use slabscope_charts::svg::document;
use slabscope_charts::theme::Role;
use slabscope_charts::zspage::SpanPicture;
use slabscope_charts::{zblock as block_plots, zsmalloc as class_plots};
use slabscope_core::tell::{grouped, hundredths, tenths};
use slabscope_core::{slub, zblock, zsmalloc};
use slabscope_formats::zblock_tables::{TYPE_COLUMNS, type_rows};
use slabscope_formats::zsmalloc_tables::{
    CLASS_COLUMNS, CONSTANT_COLUMNS, class_rows, constants_row, write_tsv,
};
use slabscope_formats::zsmalloc_text::write_classes;
use slabscope_lab::document::{Block, Document, Sheet};
use slabscope_scenario::{Allocator, Key, Plot as Kind, Scenario, Value};

use crate::origin::Origin;
use crate::source::Maker;
use crate::spans::span_drawing;
use crate::table::row;
use crate::title;

/// CSS pixels of plots.
const PLOT: (f64, f64) = (720.0, 320.0);

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
    /// Where the reader's own sizes are.
    own: Vec<(f32, f32)>,
}

impl Geometry {
    /// Of a scenario, and what was told of the reader's own sizes in it.
    ///
    /// # Errors
    /// The configuration is impossible.
    pub(crate) fn new(scenario: &Scenario, own: &Document) -> Result<Self, String> {
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
            _ => shown::FIRST_SIZE,
        };
        let most = match &model {
            Model::Caches(_, config) => OrderMap::most(config),
            Model::Classes(_) | Model::Types(_) => side.page_bytes(),
        };
        let own = sizes(own);
        Ok(Self { scenario: scenario.clone(), model, size: size.clamp(1, most), own })
    }

    fn kind(&self) -> Kind {
        Kind::from_name(&self.scenario.text(Key::Plot)).unwrap_or(Kind::Loss)
    }

    fn plot(&self) -> Plot {
        let plot = match &self.model {
            Model::Classes(current) => {
                let text = self.scenario.text(Key::Also);
                let geometry = |max_pages: u8| {
                    zsmalloc::Geometry::new(&zsmalloc::Config { max_pages, ..*current.config() }).ok()
                };
                let also: Vec<_> =
                    text.split(',').filter_map(|part| part.parse().ok()).filter_map(geometry).collect();
                match self.kind() {
                    Kind::Cost => class_plots::cost(current, &also),
                    Kind::Crossing => class_plots::crossing(current, &also),
                    _ => class_plots::loss_marked(current, &also),
                }
            }
            Model::Types(geometry) => block_plots::loss(geometry),
            Model::Caches(..) => Plot::default(),
        };
        Plot { own: self.own.clone(), ..plot }
    }

    /// The value of the plot at the size that is looked at, where it has one.
    fn value(&self) -> Option<f64> {
        match &self.model {
            Model::Classes(geometry) => {
                let cost = geometry.cost(self.size).ok()?;
                match self.kind() {
                    Kind::Cost => Some(cost.paid()),
                    Kind::Loss => Some(cost.lost()),
                    _ => None,
                }
            }
            Model::Types(geometry) => {
                let kind = geometry.types().get(usize::from(geometry.type_of(self.size).ok()?))?;
                Some(block_plots::lost(geometry, kind, self.size))
            }
            Model::Caches(..) => None,
        }
    }

    /// One span with objects of the size that is looked at.
    fn span(&self) -> Result<SpanPicture, String> {
        Ok(match &self.model {
            Model::Classes(geometry) => shown::zspage(geometry, self.size),
            Model::Types(geometry) => shown::block(geometry, self.size),
            Model::Caches(_, config) => {
                let page = self.scenario.side(0).page_bytes();
                let params = shown::orders(config, self.size).params;
                let answer = slub::calculate_order(&params).map_err(|error| error.to_string())?;
                shown::slab(page, &params, &answer)
            }
        })
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
                    let mut cells = row(class.size.to_string(), &numbers.map(u64::from));
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
                    let mut cells = row(kind.slot_size.to_string(), &numbers.map(u64::from));
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
                    let mut cells = row(cache.name(config), &numbers.map(u64::from));
                    cells.push(percent(cache.waste, u32::from(cache.pages) * page));
                    sheet.push(cells);
                }
                sheet
            }
        }
    }

    /// The series that the plot or the map shows: of each class or type its smallest and its largest request, between
    /// which all is straight, or every size that a slab is sought for.
    fn by_size(&self) -> Sheet {
        let caption = format!("{}, by size", title(&self.scenario));
        match &self.model {
            Model::Classes(geometry) => {
                let columns = ["Size", "Class", "Paid", "Lost", "Handle", "Rounding", "Tail"];
                let mut sheet = Sheet::new(&caption, &columns);
                let ends = (0..geometry.classes().len()).filter_map(|position| geometry.requests(position));
                for size in ends.flat_map(|(from, to)| [from, to]) {
                    let Ok(cost) = geometry.cost(size) else { continue };
                    sheet.push(vec![
                        grouped(size.into()),
                        geometry.classes()[cost.class].size.to_string(),
                        hundredths(cost.paid()),
                        hundredths(cost.lost()),
                        cost.handle.to_string(),
                        grouped(cost.rounding.into()),
                        hundredths(cost.tail),
                    ]);
                }
                sheet
            }
            Model::Types(geometry) => {
                let mut sheet = Sheet::new(&caption, &["Size", "Slot", "Lost"]);
                for kind in geometry.types() {
                    for size in [kind.min_size, kind.max_size] {
                        let lost = hundredths(block_plots::lost(geometry, kind, size));
                        sheet.push(vec![grouped(size.into()), kind.slot_size.to_string(), lost]);
                    }
                }
                sheet
            }
            Model::Caches(_, config) => {
                let map = shown::orders(config, self.size);
                let mut sheet = Sheet::new(&caption, &["Size", "Order", "Objects", "Lost"]);
                for size in (8..=map.most).step_by(8) {
                    let Ok(answer) = slub::calculate_order(&map.of_size(size)) else { continue };
                    let numbers = [answer.order.into(), answer.objects.into(), answer.waste.into()];
                    sheet.push(row(grouped(size.into()), &numbers));
                }
                sheet
            }
        }
    }

    /// What follows from the settings, by the names that the command line has for it.
    fn constants(&self) -> Sheet {
        let mut sheet =
            Sheet::new(&format!("Constants, {}", self.scenario.side(0).describe()), &["Constant", "Value"]);
        if let Model::Classes(geometry) = &self.model {
            let row = constants_row(geometry.config());
            CONSTANT_COLUMNS
                .iter()
                .zip(row)
                .for_each(|(name, value)| sheet.push(vec![(*name).to_owned(), value]));
        }
        sheet
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
                return std::iter::once(&sheet.columns)
                    .chain(&sheet.rows)
                    .map(|row| row.join("\t") + "\n")
                    .collect();
            }
        };
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// Where a reader's sizes lie: the first line of what is plotted of them.
fn sizes(document: &Document) -> Vec<(f32, f32)> {
    let plot =
        document.iter().find_map(|block| if let Block::Plot(plot) = block { Some(plot) } else { None });
    plot.and_then(|plot| plot.lines.first()).map(|line| line.points.clone()).unwrap_or_default()
}

/// The table of a scenario's geometry, which its digest is taken over.
///
/// # Errors
/// The configuration is impossible.
pub(crate) fn tsv(scenario: &Scenario) -> Result<String, String> {
    Ok(Geometry::new(scenario, &Document::new())?.exact())
}

impl Maker for Geometry {
    fn picture(&mut self, stem: &str, origin: &Origin) -> Result<String, String> {
        let title = format!("{}. {}", title(&self.scenario), origin.line());
        let theme = origin.theme;
        let drawn = match (stem, &self.model) {
            ("orders", Model::Caches(_, config)) => {
                let map = shown::orders(config, self.size);
                document(PLOT, theme, &title, &mut |root| {
                    let labels = map.draw(root, PLOT, 1.0, theme)?;
                    map.draw_cursor(root, PLOT, 1.0, theme)?;
                    Ok(labels)
                })
            }
            ("plot", _) => {
                let (plot, looked_at) = (self.plot(), (self.size.into(), self.value()));
                let style = Style { width: PLOT.0, height: PLOT.1, scale: 1.0, theme };
                document(PLOT, theme, &title, &mut |root| {
                    let labels = draw(root, &plot, &style)?;
                    draw_cursor(root, &axes(&plot, &style), &style, looked_at, Role::Accent)?;
                    Ok(labels)
                })
            }
            _ => return span_drawing(&self.span()?, theme, &title),
        };
        drawn.map_err(|error| error.to_string())
    }

    fn table(&mut self, stem: &str, _: usize) -> Result<Sheet, String> {
        Ok(match stem {
            "by-size" => self.by_size(),
            "constants" => self.constants(),
            _ => self.sheet(),
        })
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
