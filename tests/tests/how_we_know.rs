//! Chapters of the guide that are made from data: "How we know", what each generation was compared with, counted in the test
//! data; the glossary; the cases. `SLABSCOPE_BLESS=1` writes them, and the table that the page shows, anew; otherwise they must be
//! as they are.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use slabscope_cases::{Case, Options, Piece, pieces, published};
use slabscope_core::slub::Generation;
use slabscope_core::tell::grouped;
use slabscope_core::zblock::Version;
use slabscope_core::zsmalloc::{Era, Geometry};
use slabscope_core::{zblock, zsmalloc};
use slabscope_scenario::parse_fragment;
use slabscope_tests::digest::Digest;
use slabscope_tests::slub::{layout_grid, order_grid};
use slabscope_tests::{data, zblock as zblocks, zsmalloc as zsmallocs};

/// What was compared of a generation, all of it equal.
#[derive(Default)]
struct Counts {
    tables: usize,
    rows: usize,
    traces: usize,
    operations: usize,
    /// Rows of tables that running kernels printed.
    measured: usize,
}

/// Digests of some kinds that belong to a generation.
fn digests(model: &str, kinds: &[&str], is_of: impl Fn(&str) -> bool) -> Vec<Digest> {
    let all = kinds.iter().flat_map(|kind| Digest::all(model, kind).unwrap());
    all.filter(|digest| is_of(&digest.tag)).collect()
}

/// Traces are told once, whether their reports or their logs were compared, or both.
fn traces(counts: &mut Counts, digests: &[Digest], text: impl Fn(&str) -> String) {
    let told: BTreeSet<(&str, &str)> =
        digests.iter().map(|digest| (digest.tag.as_str(), digest.of.as_str())).collect();
    counts.traces = told.len();
    let operations = |name: &str| text(name).lines().filter(|line| line.starts_with(['a', 'f', 'c'])).count();
    counts.operations = told.iter().map(|(_, name)| operations(name)).sum();
}

fn of_zsmalloc(generation: &str) -> Counts {
    let era = Era::from_name(generation).unwrap();
    let config = |tag: &str| zsmallocs::config_of_tag(tag).unwrap();
    let is_of = |tag: &str| config(tag).era == era;
    let mut counts = Counts::default();
    let geometry = |digest: &Digest| Geometry::new(&config(&digest.tag)).unwrap();
    let classes = digests("zsmalloc", &["classes"], is_of);
    let nominal = digests("zsmalloc", &["nominal"], is_of);
    counts.tables = classes.len() + nominal.len();
    counts.rows = classes.iter().map(|digest| geometry(digest).classes().len()).sum::<usize>()
        + nominal.iter().map(|digest| usize::from(geometry(digest).constants().size_classes)).sum::<usize>();
    if let Ok(constants) = zsmallocs::data(&format!("constants_{generation}.tsv")) {
        counts.tables += 1;
        counts.rows += constants.lines().count() - 1;
    }
    traces(&mut counts, &digests("zsmalloc", &["report", "log"], is_of), |name| {
        zsmallocs::trace(name).unwrap()
    });
    if era == Era::V6_12 {
        let dump = zsmallocs::data("real/zram_6.12.117_phase5_classes.txt").unwrap();
        let rows = dump.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
        counts.measured = rows.count();
    }
    counts
}

fn of_zblock(generation: &str) -> Counts {
    let version = Version::from_name(generation).unwrap();
    let config = |tag: &str| zblocks::config_of_tag(tag).unwrap();
    let is_of = |tag: &str| config(tag).version == version;
    let mut counts = Counts::default();
    let types = digests("zblock", &["types"], is_of);
    counts.tables = types.len();
    counts.rows = types.iter().map(|digest| zblock::block_types(&config(&digest.tag)).unwrap().len()).sum();
    let text = |name: &str| data(&format!("zblock/traces/{name}.trace")).unwrap();
    traces(&mut counts, &digests("zblock", &["report", "snapshots"], is_of), text);
    counts
}

fn of_slub(generation: &str) -> Counts {
    let generation = Generation::from_name(generation).unwrap();
    let mut counts = Counts::default();
    let of = |tag: &str| tag.split("_s").next() == Some(generation.name());
    for digest in digests("slub", &["orders"], of) {
        let (_, page_shift) = digest.tag.split_once("_s").unwrap();
        counts.tables += 1;
        counts.rows += order_grid(page_shift.parse().unwrap()).lines().count();
    }
    for _ in digests("slub", &["layout"], of) {
        counts.tables += 1;
        counts.rows += layout_grid().lines().count();
    }
    let real = data("slub/real.tsv").unwrap();
    counts.measured = real.lines().filter(|line| line.split('\t').next() == Some(generation.name())).count();
    counts
}

/// Every generation of every model is in the table, once.
fn all_generations() -> BTreeSet<(String, String)> {
    let one = |model: &str, name: &str| (model.to_owned(), name.to_owned());
    let zsmalloc = zsmalloc::Era::ALL.into_iter().map(|era| one("zsmalloc", era.name()));
    let zblock = zblock::Version::ALL.into_iter().map(|version| one("zblock", version.name()));
    let slub = Generation::ALL.into_iter().map(|generation| one("slub", generation.name()));
    zsmalloc.chain(zblock).chain(slub).collect()
}

const COLUMNS: [&str; 9] = [
    "model",
    "generation",
    "kind of evidence",
    "tables",
    "their rows",
    "traces",
    "their operations",
    "rows of running kernels",
    "with what it was compared",
];

/// The table, cell by cell.
fn table() -> Vec<[String; COLUMNS.len()]> {
    let provenance = data("provenance.tsv").unwrap();
    let row = |line: &str| {
        let [model, generation, kind, what]: [&str; 4] =
            line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let counts = match model {
            "zsmalloc" => of_zsmalloc(generation),
            "zblock" => of_zblock(generation),
            _ => of_slub(generation),
        };
        assert!(counts.rows + counts.operations > 0, "nothing was compared of {model} {generation}");
        assert_eq!(kind.contains("measured"), counts.measured > 0, "{model} {generation}");
        let Counts { tables, rows, traces, operations, measured } = counts;
        let number = |count: usize| if count == 0 { "-".to_owned() } else { grouped(count as u64) };
        [
            model.to_owned(),
            generation.to_owned(),
            kind.to_owned(),
            number(tables),
            number(rows),
            number(traces),
            number(operations),
            number(measured),
            what.to_owned(),
        ]
    };
    provenance.lines().skip(1).map(row).collect()
}

fn markdown(columns: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = format!("| {} |\n|{}\n", columns.join(" | "), "---|".repeat(columns.len()));
    for row in rows {
        text += &format!("| {} |\n", row.join(" | ").replace("<<", "&lt;&lt;"));
    }
    text
}

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Compares with a file of the repository, or writes it.
fn check(path: &str, text: &str) {
    let file = root(path);
    if std::env::var_os("SLABSCOPE_BLESS").is_some() {
        std::fs::write(&file, text).unwrap();
    }
    let there = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        there == text,
        "{path} is stale: SLABSCOPE_BLESS=1 cargo test -p slabscope-tests --test how_we_know"
    );
}

const MADE: &str = "<!-- Made by tests/tests/how_we_know.rs; SLABSCOPE_BLESS=1 cargo test -p slabscope-tests --test how_we_know writes it anew. -->";

#[test]
fn every_generation_says_what_it_was_compared_with() {
    let rows = table();
    let told: BTreeSet<(String, String)> = rows.iter().map(|row| (row[0].clone(), row[1].clone())).collect();
    assert_eq!(told.len(), rows.len(), "a generation stands twice");
    assert_eq!(told, all_generations());
    let lines = rows.iter().map(|row| row.join("\t") + "\n");
    check("crates/cases/data/evidence.tsv", &(COLUMNS.join("\t") + "\n" + &lines.collect::<String>()));
    let chapter = format!(
        "# How we know\n\n{MADE}\n\n\
         Every model is held against right answers, byte for byte; the tests that do so run with every change. What the answers are worth \
         depends on where they come from:\n\n\
         * *compiled*: the kernel's own code, compiled for user space, made them.\n\
         * *measured*: a running kernel printed them.\n\
         * *model*: models that were written apart from each other from the source agree on them.\n\
         * *reconstructed*, *inferred*: the source itself could not be had; the last column says what stands for it.\n\n\
         The counts are those of the repository's test data, all of which agrees. Whoever has the full data compares with more of it.\n\n{}\n\
         The class delta of the 2026 proposal is known as a rule only; nothing was compared with it. How well predictions meet running \
         machines is told in [Against reality](accuracy.md); the published results, in [The cases](cases.md).\n",
        markdown(&COLUMNS, rows.iter().map(|row| row.to_vec()))
    );
    check("docs/src/how-we-know.md", &chapter);
}

/// One glossary: the page shows the same table.
#[test]
fn the_guide_has_the_glossary() {
    let table = std::fs::read_to_string(root("crates/cases/data/glossary.tsv")).unwrap();
    let rows = || table.lines().map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
    let columns = rows().next().unwrap();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let terms: BTreeSet<String> = rows().skip(1).map(|row| row[0].clone()).collect();
    assert_eq!(terms.len(), rows().count() - 1, "a term stands twice");
    assert!(rows().all(|row| row.len() == columns.len() && row.iter().all(|cell| !cell.is_empty())));
    let chapter = format!(
        "# Words\n\n{MADE}\n\nPlain words first, exact terms after. The page has the same table in its Cases view.\n\n{}",
        markdown(&columns, rows().skip(1))
    );
    check("docs/src/glossary.md", &chapter);
}

/// A paragraph of a case for the guide: positions of the figure become words, scenarios links to the page.
fn paragraph(text: &str) -> String {
    let told = pieces(text).into_iter().map(|piece| match piece {
        Piece::Words(words) | Piece::Scene(_, words) => words.to_owned(),
        Piece::Link(fragment, words) => format!("[{words}](../index.html#{fragment})"),
    });
    told.collect()
}

/// What the page says of each case, with the case itself below it. There are no figures of ours in the text: they are
/// computed where it is read.
#[test]
fn the_guide_has_the_cases() {
    let mut chapter = format!(
        "# The cases\n\n{MADE}\n\nFive published results, worked out again by the models: the published figures, ours beside them, the \
         difference, and why. Below each text is the case itself, which is worked out in this page when it is read. Assumptions can be \
         changed there; the link keeps them. The command line prints the same: `slabscope case NAME`, with `--set NAME=VALUE` \
         for an assumption.\n\n<script async src=\"../embed.js\"></script>\n"
    );
    for case in Case::ALL {
        chapter += &format!("\n## {}: {}\n\n{}\n", case.year(), case.title(), case.question());
        for text in case.part().explained {
            chapter += &format!("\n{}\n", paragraph(text));
        }
        chapter += "\n| assumption | what | usual |\n|---|---|---|\n";
        for assumption in case.assumptions() {
            let (_, usual) = Options::default().shown(assumption);
            chapter += &format!("| `{}` | {} | {usual} |\n", assumption.name, assumption.label);
        }
        let mut sources: Vec<&str> = Vec::new();
        for figure in published::all().filter(|figure| figure.case == case.name()) {
            let source = published::source(figure.source).unwrap();
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        chapter += &format!("\nPublished in: {}.\n", sources.join("; "));
        chapter += &format!(
            "\n<slab-scope scenario=\"view=cases&case={}\" height=\"auto\"></slab-scope>\n",
            case.name()
        );
    }
    check("docs/src/cases.md", &chapter);
}

/// Every scenario that the prose of a case leads to opens without a notice, and is what a link would be.
#[test]
fn the_prose_of_cases_leads_to_scenarios() {
    let mut links = 0;
    for case in Case::ALL {
        for piece in case.part().explained.iter().flat_map(|text| pieces(text)) {
            let Piece::Link(fragment, _) = piece else { continue };
            let (scenario, notices) = parse_fragment(&format!("#{fragment}"));
            assert!(notices.is_empty(), "{fragment}: {notices:?}");
            assert_eq!(scenario.to_fragment(), fragment);
            links += 1;
        }
    }
    assert!(links >= 15, "{links}");
}
