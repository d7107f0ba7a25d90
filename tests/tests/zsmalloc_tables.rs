//! Class tables and constants of zsmalloc against those of compiled kernels.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used)]

use slabscope_core::zsmalloc::{Config, Geometry};
use slabscope_formats::zsmalloc_tables::{class_rows, constants_row};
use slabscope_tests::digest::Digest;
use slabscope_tests::golden;
use slabscope_tests::zsmalloc::{config_of_tag, data};

const TABLES: [&str; 3] = ["4.5", "6.6", "6.12"];

fn geometry(tag: &str) -> Geometry {
    Geometry::new(&config_of_tag(tag).unwrap()).unwrap()
}

fn join(row: &[u32]) -> String {
    row.iter().map(ToString::to_string).collect::<Vec<_>>().join("\t")
}

fn classes(tag: &str) -> String {
    class_rows(&geometry(tag)).iter().map(|row| join(row) + "\n").collect()
}

/// Every class index with its own choice of pages and the class it merged into.
fn nominal(tag: &str) -> String {
    let geometry = geometry(tag);
    let max_pages = geometry.config().max_pages;
    let mut text = "index\tnominal_size\tnominal_pages\tnominal_objs\tmerged_into\tclass_size\tpages_per_zspage\tobjs_per_zspage\thuge\twaste\n".to_owned();
    for index in 0..geometry.constants().size_classes {
        let size = geometry.nominal(index);
        let candidates = geometry.candidates(size, max_pages);
        let chosen = candidates.iter().find(|candidate| candidate.chosen).unwrap();
        let class = geometry.classes()[geometry.position_of_index(index).unwrap()];
        text += &join(&[
            index.into(),
            size,
            chosen.pages.into(),
            chosen.objects,
            class.index.into(),
            class.size,
            class.pages.into(),
            class.objects.into(),
            class.huge.into(),
            class.waste,
        ]);
        text.push('\n');
    }
    text
}

#[test]
fn every_class_table_has_its_digest() {
    let digests = Digest::all("zsmalloc", "classes").unwrap();
    for row in &digests {
        assert!(row.is_of(&classes(&row.tag)), "classes of {} differ from the kernel's", row.tag);
    }
    assert_eq!(digests.len(), 768);
}

#[test]
fn every_nominal_table_has_its_digest() {
    let digests = Digest::all("zsmalloc", "nominal").unwrap();
    for row in &digests {
        assert!(row.is_of(&nominal(&row.tag)), "indices of {} differ from the kernel's", row.tag);
    }
    assert_eq!(digests.len(), 13);
    let tag = "e6.12_b64_p52_s12_m8";
    assert_eq!(nominal(tag), data(&format!("expected/{tag}/nominal.tsv")).unwrap());
}

#[test]
fn every_row_of_constants() {
    for era in TABLES {
        let text = data(&format!("constants_{era}.tsv")).unwrap();
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            let tag = format!("e{era}_b{}_p{}_s{}_m{}", fields[0], fields[1], fields[2], fields[3]);
            let row = constants_row(&config_of_tag(&tag).unwrap());
            assert_eq!(row.join("\t"), fields[4..].join("\t"), "{tag}");
        }
        assert_eq!(text.lines().count(), 469);
    }
}

#[test]
fn distinct_classes_for_each_max_pages() {
    // The table of the kernel's documentation has the first row; kernels that ship it make the second.
    let rows = [
        ("6.1", [30, 42, 57, 69, 86, 93, 112, 123, 140, 143, 159, 164, 180, 183, 188, 191]),
        ("6.12", [30, 42, 57, 69, 86, 94, 110, 119, 136, 141, 153, 159, 173, 179, 186, 192]),
    ];
    for (era, expected) in rows {
        for (max_pages, classes) in (1..).zip(expected) {
            let tag = format!("e{era}_b64_p52_s12_m{max_pages}");
            assert_eq!(geometry(&tag).classes().len(), classes, "{tag}");
        }
    }
}

#[test]
fn where_huge_objects_begin() {
    for (max_pages, low, size) in
        [(1, 2064, 0), (4, 3280, 3257), (5, 3424, 3401), (6, 3520, 3497), (8, 3648, 3625), (16, 3856, 3833)]
    {
        for era in ["4.5", "6.12"] {
            let geometry = geometry(&format!("e{era}_b64_p46_s12_m{max_pages}"));
            assert_eq!(geometry.huge_low_nominal(), Some(low), "{era}, {max_pages} pages");
            assert_eq!(geometry.huge_class_size(), size, "{era}, {max_pages} pages");
        }
    }
}

/// The look-up as the kernel writes it, for every request of configurations whose smallest size is odd.
#[test]
fn every_request_finds_the_class_of_its_index() {
    for tag in [
        "e6.12_b64_p52_s12_m8",
        "e6.12_b64_p52_s16_m16",
        "e4.2_b64_p46_s13_m4",
        "e6.6_b32_p36_s12_m9",
        "e6.6_b32_p34_s12_m9",
        "e6.12_b32_p34_s12_m9",
        "e6.12_b32_p40_s12_m15",
        "e6.6_b32_p40_s12_m8",
    ] {
        for class_delta in [None, Some(16), Some(24), Some(4096)] {
            let config = Config { class_delta, ..config_of_tag(tag).unwrap() };
            let geometry = Geometry::new(&config).unwrap();
            let constants = geometry.constants();
            let (page, largest) = (constants.max_alloc, u32::from(constants.size_classes) - 1);
            let mut served = vec![None; geometry.classes().len()];
            for request in 1..=page {
                let above = (request + constants.handle_bytes).saturating_sub(constants.min_alloc);
                let index = above.div_ceil(constants.class_delta).min(largest) as u16;
                let position = geometry.position_of_index(index).unwrap();
                assert_eq!(geometry.class_of(request), Ok(position), "{tag} {class_delta:?} {request}");
                let (from, _) = served[position].unwrap_or((request, request));
                served[position] = Some((from, request));
            }
            for (position, served) in served.iter().enumerate() {
                assert_eq!(geometry.requests(position), *served, "{tag} {class_delta:?} class {position}");
            }
            for refused in [0, page + 1, page + 100, u32::MAX] {
                assert!(geometry.class_of(refused).is_err(), "{tag} {refused}");
            }
        }
    }
}

#[test]
fn every_golden_class_row() {
    for era in TABLES {
        let Some(text) = golden(&format!("zsmalloc/classes_{era}.tsv")) else { return };
        let mut tables: Vec<(String, String)> = Vec::new();
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            let tag = format!("e{era}_b{}_p{}_s{}_m{}", fields[0], fields[1], fields[2], fields[3]);
            if tables.last().is_none_or(|(last, _)| *last != tag) {
                tables.push((tag, String::new()));
            }
            tables.last_mut().unwrap().1 += &(fields[4..].join("\t") + "\n");
        }
        for (tag, rows) in &tables {
            assert_eq!(classes(tag), *rows, "{tag}");
        }
    }
}
