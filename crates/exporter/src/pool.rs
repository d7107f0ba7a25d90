//! What the Pool view gives: memory over time, the classes in use, and the operations as a trace.

use slabscope_charts::lines::{Line, plot};
use slabscope_charts::plot::{Plot, Style};
use slabscope_charts::svg::svg;
use slabscope_core::pool::Pool as _;
use slabscope_core::tell::{capital, grouped};
use slabscope_core::timeline::Sample;
use slabscope_core::{zblock, zsmalloc};
use slabscope_formats::replay::{Output, ReplayError, replay_zblock, replay_zsmalloc};
use slabscope_formats::trace::write_trace;
use slabscope_lab::document::Sheet;
use slabscope_scenario::{Allocator, Key, Scenario, Value};
use slabscope_worker::protocol::Setup;
use slabscope_worker::run::Run;

use crate::origin::Origin;
use crate::source::Maker;
use crate::title;

/// CSS pixels of the drawing.
const SIZE: (f64, f64) = (720.0, 240.0);
/// Most rows of sums over time.
const ROWS: usize = 500;

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

    /// Memory over time: what the pool holds, and what of it is data.
    fn lines(&self) -> Plot {
        let page = f64::from(self.run.page_bytes);
        let samples = self.run.timeline.series();
        let line = |name: &str, value: &dyn Fn(&Sample) -> f64| Line {
            name: name.to_owned(),
            points: samples.iter().map(|one| (one.step.into(), value(one))).collect(),
        };
        let lines = [
            line("pages used", &|one| one.totals.pages as f64),
            line("pages of data", &|one| one.totals.bytes as f64 / page),
        ];
        plot(&lines, "pages, by operation")
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
            let mut cells = vec![class.size.to_string()];
            cells.extend(numbers.map(grouped));
            sheet.push(cells);
        }
        sheet
    }

    fn series(&self) -> Sheet {
        let columns = ["Step", "Pages", "Peak", "Objects", "Places", "Bytes"];
        let mut sheet = Sheet::new(&title(&self.scenario), &columns);
        let samples = self.run.timeline.series();
        // More rows than anyone reads are thinned evenly; the end stays.
        let every = samples.len().div_ceil(ROWS).max(1);
        let mut shown: Vec<_> = samples.iter().rev().step_by(every).collect();
        shown.reverse();
        for sample in shown {
            let sums = &sample.totals;
            let numbers = [sums.pages, sums.pages_peak, sums.objects, sums.capacity, sums.bytes];
            let mut cells = vec![grouped(sample.step.into())];
            cells.extend(numbers.map(grouped));
            sheet.push(cells);
        }
        sheet
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

impl Maker for PoolFiles {
    fn picture(&mut self, _: &str, origin: &Origin) -> Result<String, String> {
        let (width, height) = SIZE;
        let title = format!("{}. {}", title(&self.scenario), origin.line());
        let style = Style { width, height, scale: 1.0, theme: origin.theme };
        svg(&self.lines(), &style, &title).map_err(|error| error.to_string())
    }

    fn table(&mut self, stem: &str) -> Result<Sheet, String> {
        Ok(if stem == "in-use" { self.in_use() } else { self.series() })
    }

    fn text(&mut self, stem: &str, origin: &Origin) -> Result<String, String> {
        match stem {
            "expected" => self.replayed(Output::Report, origin),
            "log" => self.replayed(Output::Log, origin),
            _ => Ok(self.trace(origin)),
        }
    }
}
