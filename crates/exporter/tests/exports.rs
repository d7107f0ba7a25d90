//! Every file that every view gives: it can be made, it is of its format, and it says where it comes from.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::Value;
use slabscope_exporter::{Origin, answer, digest, file};
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

fn list(fragment: &str) -> Vec<(String, String)> {
    let lines = answer("list", fragment, "", "").unwrap();
    lines
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .map(|(name, label)| (name.into(), label.into()))
        .collect()
}

fn make(name: &str, fragment: &str) -> String {
    answer(name, fragment, LINK, ABOUT).unwrap_or_else(|why| panic!("{name} of {fragment}: {why}"))
}

#[test]
fn every_file_that_is_offered_can_be_made_and_says_its_origin() {
    for fragment in VIEWS {
        let files = list(fragment);
        assert!(files.len() >= 6, "{fragment}: {files:?}");
        for (name, _) in files {
            let text = make(&name, fragment);
            let (_, ending) = name.rsplit_once('.').unwrap();
            // What a kernel or the command line prints has no room for a word of ours.
            let is_verbatim =
                ["classes-kernel.txt", "expected.txt", "log.txt"].contains(&name.as_str()) || ending == "tsv";
            assert_eq!(
                text.contains("0.1.0+1f2e") && text.contains("example.org"),
                !is_verbatim,
                "{name}: {text}"
            );
            match ending {
                "svg" => assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"), "{name}"),
                "html" => {
                    assert!(
                        text.contains("<svg ") && text.contains("<td>") && text.contains("A sentence"),
                        "{name}"
                    );
                    assert!(!text.contains("<script") && !text.contains("src="), "{name} loads nothing");
                }
                "json" => {
                    let json: Value = serde_json::from_str(&text).unwrap();
                    assert!(
                        json["rows"].as_array().unwrap().iter().all(|row| row.as_object().unwrap().len() > 4)
                    );
                }
                "txt" if !is_verbatim => {
                    let wide = text
                        .lines()
                        .filter(|line| line.chars().count() > 72 && !line.contains("example.org"));
                    assert_eq!(wide.collect::<Vec<_>>(), [""; 0], "{name}");
                }
                _ => assert!(text.lines().count() > 5, "{name}: {text}"),
            }
        }
    }
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
    let trace = file(&scenario, "scenario.trace", &Origin::default()).unwrap();
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
    for name in ["nothing.svg", "plot", "plot.doc", "zspage.html", "format.doc", ""] {
        assert_eq!(answer(name, "v=1", "", ""), Err(format!("There is no export called {name}")), "{name}");
    }
    assert!(
        answer("plot.svg", "v=1&era=4.5&b=32&pb=40&mp=16", "", "").is_err(),
        "this kernel does not build"
    );
    assert!(answer("plot.svg", "v=1&view=data", "", "").unwrap_err().contains("Your data"));
    assert!(
        answer("over-time.svg", "v=1&view=pool&t=f1.00000000", "", "").is_err(),
        "what is only named is not here"
    );
    assert!(answer("scenario.trace", "v=1&view=pool&t=z1.AZADwD4BAg", "", "").is_ok(), "what is carried is");
    assert_eq!(answer("list", "v=1&view=data", "", "").as_deref(), Ok(""));
}
