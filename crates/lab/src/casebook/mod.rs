//! The cases: each worked out slice by slice, and told as a document.

mod fetch;
mod figure;
mod sheets;

use slabscope_cases::{Case, Data, Options, Part, Run};

use crate::desk::{Desk, Step, Tell};
use crate::document::{Block, Document};
use crate::kept::Kept;
use crate::task::CaseTask;

/// What is known is shown again after so many thousandths.
const SHOWN_EVERY: u16 = 200;

/// What running a case takes, where a worker has it.
pub(crate) type Shelf = fn(Case) -> Option<&'static Part>;

/// How a file becomes a document under a title.
type Show = fn(&str, &[u8]) -> Document;

/// Files to look things up in: name, sentence, file, and how it is shown.
const TABLES: [(&str, &str, &str, Show); 2] = [
    ("glossary", "Words, plain first and exact after", "glossary.tsv", sheets::terms),
    (
        "evidence",
        "How we know: what each model was compared with, all of it equal",
        "evidence.tsv",
        sheets::table,
    ),
];

/// Cases in hand and done.
pub(crate) struct Casebook {
    shelf: Shelf,
    /// Gets a file.
    fetch: fn(&str) -> Result<Vec<u8>, String>,
    data: Data,
    work: Option<Work>,
    /// A place in [`TABLES`].
    table: Option<usize>,
    done: Kept<CaseTask, Document>,
}

/// Documents that are kept for whoever goes back to a setting.
const KEPT: usize = 8;

impl Casebook {
    /// With nothing in hand, of the cases that the worker has.
    pub(crate) const fn new(shelf: Shelf) -> Self {
        Self { shelf, fetch: fetch::fetch, data: Data::new(), work: None, table: None, done: Kept::new(KEPT) }
    }
}

/// A case in hand.
struct Work {
    task: CaseTask,
    part: &'static Part,
    case: Case,
    options: Options,
    unused: Vec<String>,
    /// Files that are still to be had.
    wanted: Vec<String>,
    run: Option<Run>,
    shown: Option<u16>,
}

impl Desk for Casebook {
    type Task = CaseTask;

    fn take(&mut self, task: &CaseTask, _: Option<Vec<u8>>, _: Tell) -> Result<(), String> {
        let CaseTask(name, assumed) = task;
        self.work = None;
        self.table = TABLES.iter().position(|(table, ..)| table == name);
        if self.table.is_some() {
            return Ok(());
        }
        let part =
            Case::from_name(name).and_then(self.shelf).ok_or_else(|| format!("There is no case {name}"))?;
        let case = part.case;
        let (options, unused) = Options::parse(case, if assumed == "auto" { "" } else { assumed });
        let wanted = (part.needs)().into_iter().filter(|file| self.data.file(file).is_err()).collect();
        self.work =
            Some(Work { task: task.clone(), part, case, options, unused, wanted, run: None, shown: None });
        Ok(())
    }

    fn step(&mut self) -> Option<Step> {
        if let Some((_, title, file, show)) = self.table.take().and_then(|at| TABLES.get(at)) {
            return Some(
                (self.fetch)(file).map_or_else(Step::Failed, |content| Step::Done(show(title, &content))),
            );
        }
        let work = self.work.as_mut()?;
        if let Some(document) = self.done.get(&work.task) {
            self.work = None;
            return Some(Step::Done(document));
        }
        let step = work.step(self.fetch, &mut self.data);
        match &step {
            Step::Failed(_) => self.work = None,
            Step::Done(document) => {
                self.done.keep(work.task.clone(), document.clone());
                self.work = None;
            }
            _ => {}
        }
        Some(step)
    }
}

impl Work {
    fn step(&mut self, fetch: fn(&str) -> Result<Vec<u8>, String>, data: &mut Data) -> Step {
        if self.shown.is_none() {
            // The question, what was published and the figure need no run.
            self.shown = Some(0);
            return Step::Partly(self.head(), Some(0));
        }
        if let Some(file) = self.wanted.pop() {
            return match fetch(&file) {
                Ok(content) => {
                    data.insert(&file, content);
                    Step::Going(0)
                }
                Err(why) => Step::Failed(why),
            };
        }
        let Some(run) = &mut self.run else {
            return match (self.part.start)(&self.options, data) {
                Ok(run) => {
                    self.run = Some(run);
                    Step::Going(0)
                }
                Err(why) => Step::Failed(why.to_string()),
            };
        };
        let progress = run.advance();
        let done = (u64::from(progress.done) * 1000 / u64::from(progress.total.max(1))) as u16;
        if progress.is_done() {
            return Step::Done(self.whole());
        }
        if self.shown.is_some_and(|shown| done >= shown + SHOWN_EVERY) {
            self.shown = Some(done);
            return Step::Partly(self.so_far(), Some(done));
        }
        Step::Going(done)
    }

    /// Before anything is known.
    fn head(&self) -> Document {
        let case = self.case;
        let mut document = vec![Block::Say(
            format!("{}: ", case.year()),
            case.title().to_owned(),
            String::new(),
            case.question().to_owned(),
        )];
        document.extend(self.asked());
        document.push(Block::Sheet(sheets::published(case)));
        document.extend(sheets::sources(case));
        document
    }

    /// What was asked to be different, what of that is not used, how it works, and the figure where it needs no run.
    fn asked(&self) -> Document {
        let mut document: Document = self.unused.iter().cloned().map(Block::Warning).collect();
        document.extend(figure::prose(self.part.explained));
        document.extend(figure::scenes((self.part.scenes)(&self.options)));
        document.push(Block::Title("Assumptions".to_owned()));
        document.push(Block::Controls(controls(self.case, &self.options)));
        document
    }

    /// In the middle of it: figures that are not known yet are missing.
    fn so_far(&self) -> Document {
        let mut document = self.head();
        if let Some(run) = &self.run {
            document.pop();
            document.retain(|block| !matches!(block, Block::Sheet(_)));
            document.push(Block::Sheet(sheets::beside(&run.outcome())));
            document.extend(sheets::sources(self.case));
        }
        document
    }

    fn whole(&self) -> Document {
        let Some(run) = &self.run else { return Vec::new() };
        let outcome = run.outcome();
        let case = self.case;
        let (first, rest) = first_sentence(&outcome.finding);
        let mut document = vec![
            Block::Say(String::new(), first.to_owned(), String::new(), rest.to_owned()),
            Block::Text(format!("Asked in {}: {}", case.year(), case.question())),
        ];
        document.extend(self.asked());
        document.extend(figure::lanes(&outcome));
        document.push(Block::Sheet(sheets::beside(&outcome)));
        document.extend(sheets::sources(case));
        document.extend(sheets::steps(&outcome));
        let changed = self.options.text(case);
        let sets: String = changed
            .split(',')
            .filter(|change| !change.is_empty())
            .map(|change| format!(" --set {}", change.replace(':', "=")))
            .collect();
        document.push(Block::Title("The same from the command line".to_owned()));
        document.push(Block::Mono(format!("slabscope case {}{sets} --format text", case.name())));
        document
    }
}

/// A text up to the end of its first sentence, and what follows.
fn first_sentence(text: &str) -> (&str, &str) {
    let end = text.find(". ").map_or(text.len(), |end| end + 1);
    (text.get(..end).unwrap_or(text), text.get(end..).unwrap_or_default().trim_start())
}

/// Every assumption, with what a link says of the others.
fn controls(case: Case, options: &Options) -> Vec<Vec<String>> {
    let control = |assumption: &slabscope_cases::Assumption| {
        let (value, usual) = options.shown(assumption);
        let mut others = options.clone();
        // The usual value is always allowed.
        let _ = others.set(case, assumption.name, &usual);
        let mut before = others.text(case);
        if !before.is_empty() {
            before.push(',');
        }
        before.push_str(assumption.name);
        before.push(':');
        let mut cells = vec![assumption.label.to_owned(), value, usual, before];
        if let slabscope_cases::Values::OneOf(names) = assumption.values {
            cells.extend(names.iter().map(|&name| name.to_owned()));
        }
        cells
    };
    case.assumptions().iter().map(control).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use super::*;

    fn embedded(name: &str) -> Result<Vec<u8>, String> {
        Data::embedded().file(name).map(<[u8]>::to_vec).map_err(|why| why.to_string())
    }

    fn casebook() -> Casebook {
        Casebook { fetch: embedded, ..Casebook::new(|case| Some(case.part())) }
    }

    /// All documents of a task, the last one the result.
    fn told(casebook: &mut Casebook, name: &str, assumed: &str) -> Vec<Document> {
        casebook.take(&CaseTask(name.to_owned(), assumed.to_owned()), None, Box::new(|_| ())).unwrap();
        let mut documents = Vec::new();
        while let Some(step) = casebook.step() {
            match step {
                Step::Going(done) => assert!(done <= 1000),
                Step::Partly(document, done) => {
                    assert!(done < Some(1000));
                    documents.push(document);
                }
                Step::Done(document) => documents.push(document),
                Step::Failed(why) => panic!("{why}"),
                Step::Read(_) => panic!("no file was read"),
            }
        }
        documents
    }

    fn cells(document: &Document, column: &str) -> Vec<String> {
        let mut sheets = document.iter().filter_map(|block| match block {
            Block::Sheet(sheet) => Some(sheet),
            _ => None,
        });
        let first = sheets.find(|sheet| sheet.columns.iter().any(|name| name == column)).unwrap();
        let at = first.columns.iter().position(|name| name == column).unwrap();
        first.rows.iter().map(|row| row[at].clone()).collect()
    }

    #[test]
    fn published_figures_come_first_and_ours_join_them() {
        let mut casebook = casebook();
        let documents = told(&mut casebook, "2016-more-pages", "seeds:2");
        assert!(documents.len() > 2, "something is told on the way");
        let published = cells(&documents[0], "Published");
        assert!(published.iter().any(|cell| cell.starts_with("1,842,612,634")), "{published:?}");
        let ours = cells(documents.last().unwrap(), "Ours");
        assert!(ours.iter().any(|cell| cell.starts_with("1,845,067,776")), "{ours:?}");
        let again = told(&mut casebook, "2016-more-pages", "seeds:2");
        assert_eq!(again, [documents.last().unwrap().clone()], "it is not worked out twice");
    }

    #[test]
    fn assumptions_are_shown_with_the_rest_of_the_link() {
        let mut casebook = casebook();
        let documents = told(&mut casebook, "2008-slub-order", "cpus:16,seeds:1,nothing:1");
        let controls = documents[0].iter().find_map(|block| match block {
            Block::Controls(controls) => Some(controls.clone()),
            _ => None,
        });
        let controls = controls.unwrap();
        assert_eq!(controls[0], ["CPUs", "16", "2", "seeds:1,cpus:"]);
        assert_eq!(controls[1], ["Seeds", "1", "5", "cpus:16,seeds:"]);
        assert!(
            documents[0].iter().any(|block| matches!(block, Block::Warning(why) if why.contains("nothing")))
        );
        let end = documents.last().unwrap();
        assert_eq!(
            end.last(),
            Some(&Block::Mono(
                "slabscope case 2008-slub-order --set cpus=16 --set seeds=1 --format text".to_owned()
            ))
        );
    }

    #[test]
    fn the_glossary_and_the_evidence_are_tables() {
        let mut casebook = casebook();
        let words = told(&mut casebook, "glossary", "auto");
        assert!(words[0].contains(&Block::Title("zspage".to_owned())));
        let evidence = told(&mut casebook, "evidence", "auto");
        assert!(cells(&evidence[0], "generation").contains(&"2.6.26".to_owned()));
    }

    #[test]
    fn a_case_that_is_none_and_a_file_that_is_missing_are_named() {
        let mut casebook =
            Casebook { fetch: |name| Err(format!("no {name}")), ..Casebook::new(|case| Some(case.part())) };
        assert!(casebook.take(&CaseTask("2031".to_owned(), String::new()), None, Box::new(|_| ())).is_err());
        casebook
            .take(&CaseTask("2008-slub-order".to_owned(), "auto".to_owned()), None, Box::new(|_| ()))
            .unwrap();
        assert!(matches!(casebook.step(), Some(Step::Partly(..))));
        assert_eq!(casebook.step(), Some(Step::Failed("no caches_6.1.tsv".to_owned())));
        assert_eq!(casebook.step(), None);
    }
}
