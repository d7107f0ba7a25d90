//! Every file that every view gives: it can be made, it is of its format, and it says where it comes from.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::Value;
use slabscope_exporter::{Origin, answer, digest, file};
use slabscope_lab::document::{
    Block, Document, Doing, FREE, Fate, Lanes, LineNote, LinePlot, Part, PartKind, PlotLine, Segment, Sheet,
};
use slabscope_scenario::parse_fragment;

const LINK: &str = "https://example.org/s/#v=1";
const ABOUT: &str = "0.1.0+1f2e\nlight\nA sentence";

const VIEWS: [&str; 6] = [
    "v=1&also=4",
    "v=1&a=zblock",
    "v=1&a=slub",
    "v=1&view=pool&n=400&live=100&c=150&at=300",
    "v=1&view=pool&a=zblock&n=400&at=300",
    "v=1&view=pool&a=slub&n=400&at=300",
];

fn list(fragment: &str, shown: &Document) -> Vec<(String, String)> {
    let lines = answer("list", fragment, "", "", shown).unwrap();
    lines
        .lines()
        .map(|line| match line.split('\t').collect::<Vec<_>>()[..] {
            [name, label, form] => (name.to_owned(), format!("{label}: {form}")),
            _ => panic!("{line}"),
        })
        .collect()
}

fn make(name: &str, fragment: &str) -> String {
    of_document(name, fragment, &Document::new())
}

fn of_document(name: &str, fragment: &str, shown: &Document) -> String {
    answer(name, fragment, LINK, ABOUT, shown).unwrap_or_else(|why| panic!("{name} of {fragment}: {why}"))
}

/// Holds a file against its format, and against what each must say.
fn check(name: &str, text: &str) {
    let (_, ending) = name.rsplit_once('.').unwrap();
    // What a kernel or the command line prints has no room for a word of ours.
    let is_verbatim = ["classes-kernel.txt", "expected.txt", "log.txt"].contains(&name) || ending == "tsv";
    assert_eq!(text.contains("0.1.0+1f2e") && text.contains("example.org"), !is_verbatim, "{name}: {text}");
    match ending {
        "svg" => {
            assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"), "{name}");
            assert!(text.contains("<path ") || text.contains("<rect "), "{name}: {text}");
        }
        "html" => {
            assert!(text.contains("<svg ") && text.contains("<td"), "{name}");
            assert!(
                text.contains("prefers-color-scheme:dark") && text.contains("<a href=\"https://example.org")
            );
            let light = text.matches("<figure class=\"light\"").count();
            assert_eq!(light, text.matches("<figure class=\"dark\"").count(), "{name}");
            for loaded in ["<script", "src=", "<link", "style=", "@import"] {
                assert!(!text.contains(loaded), "{name} has {loaded}");
            }
            let elsewhere = text.match_indices("url(").find(|(at, _)| !text[*at..].starts_with("url(#"));
            assert_eq!(elsewhere, None, "{name}: patterns are in the file itself");
        }
        "json" => {
            let json: Value = serde_json::from_str(text).unwrap();
            let rows = json["rows"].as_array().unwrap();
            assert!(!rows.is_empty() && rows.iter().all(|row| row.as_object().unwrap().len() > 1), "{name}");
        }
        "txt" if !is_verbatim => {
            let wide = text.lines().filter(|line| line.chars().count() > 72 && !line.contains("example.org"));
            assert_eq!(wide.collect::<Vec<_>>(), [""; 0], "{name}");
        }
        _ => assert!(text.lines().count() > 2, "{name}: {text}"),
    }
}

#[test]
fn every_file_that_is_offered_can_be_made_and_says_its_origin() {
    for fragment in VIEWS {
        let files = list(fragment, &Document::new());
        assert!(files.len() >= 6, "{fragment}: {files:?}");
        files.iter().for_each(|(name, _)| check(name, &make(name, fragment)));
        let html = make("figure.html", fragment);
        assert!(html.contains("A sentence") && html.contains("<h1>"), "{fragment}");
    }
}

/// A document with a block of each kind.
fn document() -> Document {
    let text = |text: &str| text.to_owned();
    let mut sheet = Sheet::new("Pages <held>", &["Side", "Pages"]);
    sheet.push(vec![text("A & B"), text("1,234")]);
    sheet.push(vec![text("B"), text("\u{2212}5.5")]);
    let points = (0u8..200).map(|at| (f32::from(at), f32::from(at % 7) - 2.0)).collect();
    let plot = LinePlot {
        caption: text("Pages over time"),
        along: text("operation"),
        up: text("pages"),
        lines: vec![PlotLine { name: text("A"), points }],
        cursor: Some(90.0),
    };
    let part = |name: &str, kind, bytes, exact| Part { name: name.to_owned(), kind, bytes, exact };
    let lane = |wait: u64| vec![Segment(0, wait, Doing::Wait), Segment(wait, 900, Doing::Hold)];
    let lanes = Lanes { caption: text("Threads"), until: 1000, lanes: vec![lane(100), lane(700)] };
    let scene =
        |name: &str| (text(name), vec![Block::Span(text("A zspage"), vec![4096, 1, 0, 2048, 8, 900, FREE])]);
    vec![
        Block::Say(text("It takes "), text("<7> pages"), text("."), text("More of it.")),
        Block::Warning(text("Odd & ends")),
        Block::Title(text("Where it goes")),
        Block::Parts(vec![part("data", PartKind::Data, 900, true), part("tail", PartKind::Tail, 100, false)]),
        Block::Sheet(sheet.clone()),
        Block::Sheet(sheet),
        Block::Plot(plot),
        Block::Lanes(lanes),
        Block::Prose(vec![
            (text("See "), String::new()),
            (text("this"), text("#v=1&mp=4")),
            (text("there"), text("1")),
        ]),
        Block::Controls(vec![vec![text("Limit"), text("5"), text("4"), text("l.")]]),
        Block::Scenes(vec![scene("First"), scene("Second")]),
        Block::Text(text("Read from 9 bytes, FNV-1a digest 5.")),
        Block::Mono(text("echo 1 > /sys")),
        Block::Lines(vec![LineNote { number: 1, text: text("a secret"), fate: Fate::Used, why: None }]),
    ]
}

#[test]
fn everything_in_a_document_can_be_taken_away() {
    let shown = document();
    for view in ["compare", "locks", "cases", "data"] {
        let fragment = format!("v=1&view={view}&at=1");
        let files = list(&fragment, &shown);
        let count = |end: &str| files.iter().filter(|(name, _)| name.ends_with(end)).count();
        assert_eq!(["svg", "csv", "json", "txt", "html"].map(count), [4, 6, 6, 6, 1], "{files:?}");
        let mut names: Vec<&String> = files.iter().map(|(name, _)| name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), files.len(), "each name is one file: {names:?}");
        files.iter().for_each(|(name, _)| check(name, &of_document(name, &fragment, &shown)));
    }
}

#[test]
fn a_page_of_a_document_reads_as_it_does_on_screen() {
    let html = of_document("figure.html", "v=1&view=data", &document());
    let file =
        answer("figure.html", "v=1&view=data", LINK, "0.1.0\ndark\n\nmy <file>.txt", &document()).unwrap();
    for said in [
        "<h1>It takes &lt;7&gt; pages.</h1>",
        "<p>More of it.</p>",
        "<p class=\"warn\">Odd &amp; ends</p>",
        "<h2>Where it goes</h2>",
        "<td class=\"n\">1,234</td>",
        "See <a href=\"https://example.org/s/#v=1&amp;mp=4\">this</a>there",
        "Limit: 5 (usually 4)",
        "<h3>1. First</h3>",
        "<h3>2. Second</h3>",
        "<pre>echo 1 &gt; /sys</pre>",
    ] {
        assert!(html.contains(said), "{said} is missing: {html}");
    }
    assert!(!html.contains("a secret"), "a reader's own lines stay with the reader");
    assert!(file.contains("Read from: my &lt;file&gt;.txt, 9 bytes, FNV-1a digest 5<br>"), "{file}");
    for name in [
        "where-it-goes-pages-held-2.csv",
        "pages-over-time.json",
        "pages-over-time.txt",
        "pages-over-time.svg",
    ] {
        let text = answer(name, "v=1&view=data", LINK, "0.1.0\nlight\n\nmy file.txt", &document()).unwrap();
        let says = text.replace('\n', " ");
        assert!(says.contains("my file.txt, 9 bytes, FNV-1a digest 5"), "{name}: {text}");
        assert!(!of_document(name, "v=1&view=data", &document()).contains("9 bytes"), "{name}: of no file");
    }
    assert_eq!(html.matches("<figure class=\"light\">").count(), 5, "both positions are in it");
}

#[test]
fn a_series_is_whole_for_programs_and_short_for_readers() {
    let lines = |name: &str| of_document(name, "v=1&view=compare", &document()).lines().count();
    assert_eq!(lines("pages-over-time.csv"), 202);
    assert!(lines("pages-over-time.txt") < 80);
    let drawing = of_document("pages-over-time.svg", "v=1&view=compare", &document());
    assert!(drawing.contains("along: operation"), "{drawing}");
}

#[test]
fn what_is_followed_is_drawn_and_what_is_gone_is_said() {
    let of = |sel: &str| format!("v=1&view=pool&n=400&at=300{sel}");
    let touched = make("followed.svg", &of(""));
    assert!(touched.contains("after operation 300") && touched.contains("data"), "{touched}");
    let id = touched.split("<title>Zspage ").nth(1).and_then(|rest| rest.split(',').next()).unwrap();
    let chosen = format!("v=1&view=pool&n=400&at=301&sel=z{id}");
    assert!(
        make("followed.svg", &chosen).contains(&format!("<title>Zspage {id},")),
        "another operation, the same span"
    );
    assert!(make("places.csv", &chosen).lines().count() > 2);
    let gone = answer("followed.svg", &of("&sel=z99999"), "", "", &Document::new());
    assert_eq!(gone, Err("No zspage is followed here, or it is gone".to_owned()));
    let names = |fragment: &str| {
        list(fragment, &Document::new()).into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert!(names(&of("")).contains(&"places.csv".to_owned()));
    assert!(
        !names(&of("&sel=z99999")).contains(&"places.csv".to_owned()),
        "what is not there is not offered"
    );
    assert!(make("figure.html", &of("&sel=z99999")).contains("<svg "), "the rest is there");
}

#[test]
fn drawings_of_sizes_are_those_of_the_view() {
    let orders = make("orders.svg", "v=1&a=slub&size=6000");
    // The accent marks what is taken, a line in ink the size that is looked at.
    let ink = "fill=\"#15191e\"";
    assert_eq!(orders.matches(ink).count(), 1, "{ink}");
    assert!(orders.contains(">8,192<"), "sizes of two pages are on the map");
    assert_ne!(orders, make("orders.svg", "v=1&a=slub&size=900"));
    let plot = make("plot.svg", "v=1&mp=4&also=8");
    for mark in ["huge from 3,257 bytes at 4 pages", "8: 3,625", "16: 3,833"] {
        assert!(plot.contains(mark), "{mark}");
    }
}

#[test]
fn what_a_pool_shows_over_time_is_drawn_panel_by_panel() {
    let pool = |allocator: &str| format!("v=1&view=pool&a={allocator}&n=400&at=300");
    let drawn = |allocator: &str| {
        let files = list(&pool(allocator), &Document::new()).into_iter();
        files.map(|(name, _)| name).filter(|name| name.ends_with(".svg")).collect::<Vec<_>>()
    };
    let common = ["over-time.svg", "utilisation.svg", "groups.svg", "objects.svg"];
    let of_zsmalloc = [&common[..], &["outside.svg", "followed.svg"]].concat();
    assert_eq!(drawn("zsmalloc"), of_zsmalloc, "only it keeps handles and descriptors elsewhere");
    assert_eq!(drawn("zblock"), [&common[..], &["followed.svg"]].concat());
    assert_eq!(drawn("slub"), [&common[..], &["followed.svg"]].concat());

    let text = make("over-time.svg", &pool("zsmalloc"));
    for said in ["Pages used", "Pages of data", "Peak, pages", ">400<"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(text.contains("x=\"539\" y=\"0\" width=\"2\""), "the step of the link is three quarters along");
    let moved = make("over-time.svg", &pool("zsmalloc").replace("at=300", "at=0"));
    assert!(moved.contains("x=\"0\" y=\"0\" width=\"2\""), "{moved}");

    let page = make("figure.html", &pool("zsmalloc"));
    let ids = page.match_indices(" id=\"").filter_map(|(at, _)| page[at + 5..].split('"').next());
    let mut ids: Vec<&str> = ids.collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert!(count > 4 && ids.len() == count, "each pattern has a name of its own: {ids:?}");
}

#[test]
fn sums_over_time_are_whole_for_programs_and_short_for_readers() {
    let fragment = "v=1&view=pool&n=3000&at=300";
    let rows = |name: &str| {
        make(name, fragment)
            .lines()
            .filter(|line| line.contains("3,000") || line.starts_with("3000,"))
            .count()
    };
    assert_eq!(rows("series.csv"), 1, "the last sample is in it");
    assert!(make("series.csv", fragment).lines().count() > 500);
    assert!(make("series.txt", fragment).lines().count() < 500, "in blocks of 64");
    assert!(make("series.csv", fragment).contains("\nOperation,Pages used,Pages of data,"));
}

#[test]
fn what_a_plot_shows_is_a_series_too() {
    let rows = |name: &str, fragment: &str| {
        let json: Value = serde_json::from_str(&make(name, fragment)).unwrap();
        json["rows"].as_array().unwrap().clone()
    };
    let sizes = rows("by-size.json", "v=1&mp=4");
    let huge = sizes.iter().find(|row| row["Size"] == 3257).unwrap();
    assert_eq!((&huge["Class"], &huge["Paid"], &huge["Lost"]), (&4096.into(), &4096.into(), &839.into()));
    let orders = rows("by-size.json", "v=1&a=slub&mino=8");
    assert_eq!((orders.len(), &orders[1023]["Size"]), (1024, &8192.into()));
    let ends = rows("by-size.json", "v=1&a=zblock");
    assert_eq!((&ends[0]["Size"], ends.len() % 2), (&1.into(), 0));
    let constants = rows("constants.json", "v=1");
    assert!(
        constants.iter().any(|row| row["Constant"] == "min_alloc" && row["Value"] == 32),
        "{constants:?}"
    );
}

#[test]
fn numbers_of_a_table_are_those_of_the_model() {
    let json: Value = serde_json::from_str(&make("classes.json", "v=1&mp=4")).unwrap();
    let class = json["rows"].as_array().unwrap().iter().find(|row| row["Class"] == 1632).unwrap();
    assert_eq!((&class["Pages"], &class["Objects"]), (&2.into(), &5.into()));
    let csv = make("classes.csv", "v=1&mp=4");
    assert_eq!(csv.lines().nth(1), Some("Class,Index,From,To,Pages,Objects,Lost,\"Lost, %\",Crossing"));
}

#[test]
fn an_exported_trace_replays_to_what_is_exported_beside_it() {
    let fragment = "v=1&view=pool&n=400&live=100&c=150&era=4.5";
    let (scenario, _) = parse_fragment(fragment);
    let trace = file(&scenario, "scenario.trace", &Origin::default(), &Document::new()).unwrap();
    let geometry = slabscope_core::zsmalloc::Geometry::new(&scenario.side(0).zsmalloc_config()).unwrap();
    let mut text = Vec::new();
    let pool = slabscope_core::zsmalloc::Pool::new(geometry);
    let report = slabscope_formats::replay::Output::Report;
    slabscope_formats::replay::replay_zsmalloc(pool, trace.as_bytes(), report, &mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), make("expected.txt", fragment));
    assert_eq!(trace.lines().filter(|line| *line == "c").count(), 2);
}

#[test]
fn digests_are_of_the_result_and_not_of_how_it_is_shown() {
    let of = |fragment: &str| digest(&parse_fragment(fragment).0);
    assert_eq!(of("v=1&view=pool&n=400&at=100"), of("v=1&view=pool&n=500&at=100&theme=dark&sel=z1"));
    assert_ne!(of("v=1&view=pool&n=400&at=100"), of("v=1&view=pool&n=400&at=101"));
    assert_eq!(of("v=1"), of("v=1&size=99&plot=cost"));
    assert_ne!(of("v=1"), of("v=1&mp=4"));
    assert_eq!(of("v=1&view=locks"), None);
    // Digests stand in links that people keep: these are never changed, unless a model is corrected.
    assert_eq!(of("v=1").as_deref(), Some("b2852455"));
    assert_eq!(of("v=1&view=pool&at=2000").as_deref(), Some("cb1585c0"));
}

#[test]
fn what_is_not_offered_is_refused_with_its_name() {
    let none = Document::new();
    for name in ["nothing.svg", "plot", "plot.doc", "zspage.html", "format.doc", ""] {
        assert_eq!(
            answer(name, "v=1", "", "", &none),
            Err(format!("There is no export called {name}")),
            "{name}"
        );
    }
    assert!(
        answer("plot.svg", "v=1&era=4.5&b=32&pb=40&mp=16", "", "", &none).is_err(),
        "this kernel does not build"
    );
    assert!(answer("figure.html", "v=1&view=data", "", "", &none).is_err(), "nothing is shown");
    assert!(
        answer("over-time.svg", "v=1&view=pool&t=f1.00000000", "", "", &none).is_err(),
        "what is only named is not here"
    );
    assert!(
        answer("scenario.trace", "v=1&view=pool&t=z1.AZADwD4BAg", "", "", &none).is_ok(),
        "what is carried is"
    );
    assert_eq!(answer("list", "v=1&view=data", "", "", &none).as_deref(), Ok(""));
}
