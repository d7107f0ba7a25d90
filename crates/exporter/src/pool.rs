//! What the Pool view gives: memory over time, the classes in use, and the operations as a trace.

use slabscope_core::pool::Pool as _;
use slabscope_core::tell::{capital, grouped};
use slabscope_core::{zblock, zsmalloc};
use slabscope_formats::replay::{Output, ReplayError, replay_zblock, replay_zsmalloc};
use slabscope_formats::trace::write_trace;
use slabscope_lab::document::Sheet;
use slabscope_scenario::{Allocator, Key, Scenario, Selection, Value};
use slabscope_worker::close::close_up;
use slabscope_worker::protocol::{Close, Follow, Setup, Slot};
use slabscope_worker::quantity::{self, Panel};
use slabscope_worker::run::Run;

use crate::origin::Origin;
use crate::over_time::over_time;
use crate::source::Maker;
use crate::spans::span_drawing;
use crate::table::row;
use crate::title;

/// A run, recorded to its end.
pub(crate) struct PoolFiles {
    scenario: Scenario,
    run: Run,
}

impl PoolFiles {
    /// Of a scenario.
    ///
    /// # Errors
    /// The configuration is impossible.
    pub(crate) fn new(scenario: &Scenario) -> Result<Self, String> {
        let side = scenario.side(0);
        // What a link only names is in the page that was given it, not in the link.
        let data = match scenario.get(Key::Data) {
            Value::Text(data) => Some(data),
            _ => None,
        };
        let mut run = Run::new(&Setup::new(&side.any_config(), &side.workload(), data))?;
        while !run.timeline.record(u32::MAX).done() {}
        Ok(Self { scenario: scenario.clone(), run })
    }

    fn step(&self) -> u32 {
        u32::try_from(self.scenario.number(Key::At)).unwrap_or(u32::MAX)
    }

    /// A row for each class that holds something after the step of the link.
    fn in_use(&mut self) -> Sheet {
        let step = self.run.timeline.seek(self.step());
        let terms = self.run.terms();
        let caption = format!("{}, after operation {}", title(&self.scenario), grouped(step.into()));
        let spans = capital(terms.spans);
        let mut sheet =
            Sheet::new(&caption, &["Size", &spans, "Pages", "Objects", "Places", "Pages to regain"]);
        for class in self.run.timeline.pool().classes().into_iter().filter(|class| class.spans > 0) {
            let pages = u64::from(class.spans) * u64::from(class.pages_per_span);
            let numbers = [class.spans.into(), pages, class.objects, class.capacity, class.freeable_pages];
            sheet.push(row(class.size.to_string(), &numbers));
        }
        sheet
    }

    /// Everything that is drawn over time, in numbers.
    fn series(&self, rows: usize) -> Sheet {
        let mut rows = quantity::table(&self.run, rows).into_iter();
        Sheet {
            caption: title(&self.scenario),
            columns: rows.next().unwrap_or_default(),
            rows: rows.collect(),
        }
    }

    fn panel(&self, stem: &str) -> Option<Panel> {
        Panel::all(&self.run).into_iter().find(|panel| panel.stem == stem)
    }

    /// The operations, with a report at their end.
    fn trace(&self, origin: &Origin) -> String {
        let mut text = format!("# {}\n# {}\n", title(&self.scenario), origin.line()).into_bytes();
        // Writing to memory cannot fail.
        let _ = write_trace(self.run.timeline.ops(), &mut text);
        text.extend_from_slice(b"s\n");
        String::from_utf8_lossy(&text).into_owned()
    }

    fn replayed(&self, output: Output, origin: &Origin) -> Result<String, String> {
        let trace = self.trace(origin);
        let side = self.scenario.side(0);
        let mut text = Vec::new();
        let result: Result<(), ReplayError> = match self.scenario.allocator() {
            Allocator::Zsmalloc => {
                let geometry =
                    zsmalloc::Geometry::new(&side.zsmalloc_config()).map_err(|error| error.to_string())?;
                replay_zsmalloc(zsmalloc::Pool::new(geometry), trace.as_bytes(), output, &mut text)
            }
            Allocator::Zblock => {
                let geometry =
                    zblock::Geometry::new(&side.zblock_config()).map_err(|error| error.to_string())?;
                replay_zblock(zblock::Pool::new(geometry), trace.as_bytes(), output, &mut text)
            }
            Allocator::Slub => return Err("SLUB has no replay".to_owned()),
        };
        result.map_err(|error| error.to_string())?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

/// The digest of the operations up to the step of a link.
///
/// # Errors
/// The configuration is impossible.
pub(crate) fn digest(scenario: &Scenario) -> Result<u64, String> {
    let mut files = PoolFiles::new(scenario)?;
    let step = files.step().min(files.run.timeline.len());
    Ok(files.run.timeline.digest_at(step).unwrap_or_default())
}

impl PoolFiles {
    /// The span that the link follows, or that the operation touches.
    fn followed(&mut self) -> Option<Close> {
        let follow = match self.scenario.selection() {
            Some(Selection::Span(id)) => Follow::Span(id),
            Some(Selection::Object(id)) => Follow::Object(id),
            _ => Follow::Operation,
        };
        let step = self.step();
        close_up(&mut self.run, step, follow)
    }

    fn span(&mut self, origin: &Origin) -> Result<String, String> {
        let Some(close) = self.followed() else { return Err(self.gone()) };
        let object = match self.scenario.selection() {
            Some(Selection::Object(id)) => Some(id),
            _ => None,
        };
        let step = grouped(self.step().min(self.run.timeline.len()).into());
        let title = format!(
            "{}, {}, after operation {step}: {}. {}",
            close.title,
            close.subtitle,
            close.note,
            origin.line()
        );
        span_drawing(&close.picture(self.run.page_bytes, object), origin.theme, &title)
    }

    fn gone(&self) -> String {
        format!("No {} is followed here, or it is gone", self.run.terms().span)
    }

    /// The places of the span that is followed.
    fn places(&mut self) -> Result<Sheet, String> {
        let Some(close) = self.followed() else { return Err(self.gone()) };
        let caption = format!("{}, {}: {}", close.title, close.subtitle, close.note);
        let mut sheet = Sheet::new(&caption, &["Place", "Object", "Bytes", "Since", "Free places before"]);
        for (place, slot) in (0u32..).zip(&close.slots) {
            let [object, size, since, before] = match *slot {
                Slot::Used(object, size, since) => [Some(object), Some(size), Some(since), None],
                Slot::Free(before) => [None, None, None, before.map(u32::from)],
            };
            let cell = |number: Option<u32>| number.map_or_else(String::new, |number| grouped(number.into()));
            sheet.push(vec![place.to_string(), cell(object), cell(size), cell(since), cell(before)]);
        }
        Ok(sheet)
    }
}

impl Maker for PoolFiles {
    fn has(&mut self, stem: &str) -> bool {
        match stem {
            "followed" | "places" => self.followed().is_some(),
            "outside" => self.panel(stem).is_some(),
            _ => true,
        }
    }

    fn picture(&mut self, stem: &str, origin: &Origin) -> Result<String, String> {
        if stem == "followed" {
            return self.span(origin);
        }
        let panel = self.panel(stem).ok_or_else(|| format!("Nothing called {stem} is drawn of this pool"))?;
        let title = format!("{}: {}. {}", title(&self.scenario), panel.name, origin.line());
        Ok(over_time(&self.run, &panel, self.step(), origin.theme, &title))
    }

    fn table(&mut self, stem: &str, rows: usize) -> Result<Sheet, String> {
        match stem {
            "in-use" => Ok(self.in_use()),
            "places" => self.places(),
            _ => Ok(self.series(rows)),
        }
    }

    fn text(&mut self, stem: &str, origin: &Origin) -> Result<String, String> {
        match stem {
            "expected" => self.replayed(Output::Report, origin),
            "log" => self.replayed(Output::Log, origin),
            _ => Ok(self.trace(origin)),
        }
    }
}
