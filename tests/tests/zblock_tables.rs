//! Block types and refused sizes of zblock against the golden tables.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use slabscope_core::pool::MallocError;
use slabscope_core::zblock::{Config, Geometry, block_types};
use slabscope_formats::zblock_tables::type_rows;
use slabscope_tests::digest::Digest;
use slabscope_tests::zblock::config_of_tag;
use slabscope_tests::{data, golden};

fn types_text(config: &Config) -> String {
    let rows = type_rows(config, &block_types(config).unwrap());
    rows.iter().map(|row| row.join("\t") + "\n").collect()
}

/// The result of a size as the golden table words it.
fn word(geometry: &Geometry, size: u32) -> &'static str {
    match geometry.lookup(size).result {
        Ok(_) => "OK",
        Err(MallocError::ZeroSize | MallocError::Invalid { .. }) => "EINVAL",
        Err(MallocError::TooLarge { .. }) => "ENOSPC",
        Err(MallocError::NoType) => "EINVAL+WARN",
        Err(MallocError::OutOfBounds) => "OOB",
        Err(MallocError::Live) => "EEXIST",
    }
}

#[test]
fn every_table_has_its_digest() {
    let rows = Digest::all("zblock", "types").unwrap();
    assert_eq!(rows.len(), 27);
    for row in rows {
        assert!(row.is_of(&types_text(&config_of_tag(&row.tag).unwrap())), "{}", row.tag);
    }
}

#[test]
fn every_size_up_to_twice_a_page() {
    let text = data("zblock/sizes.tsv").unwrap();
    let mut groups: BTreeMap<&str, BTreeMap<u32, &str>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        groups.entry(fields[0]).or_default().insert(fields[1].parse().unwrap(), fields[2]);
    }
    assert_eq!(groups.len(), 25);
    for (tag, boundaries) in &groups {
        let geometry = Geometry::new(&config_of_tag(tag).unwrap()).unwrap();
        for size in 0..2 * geometry.config().page_bytes() {
            let (_, theirs) = boundaries.range(..=size).next_back().unwrap();
            assert_eq!(word(&geometry, size), *theirs, "{tag} {size}");
        }
    }
}

#[test]
fn every_golden_block_type() {
    let Some(text) = golden("zblock/zblock_tables.tsv") else { return };
    let mut groups: BTreeMap<(&str, &str), String> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let mut fields = line.splitn(3, '\t');
        let key = (fields.next().unwrap(), fields.next().unwrap());
        *groups.entry(key).or_default() += &format!("{}\n", fields.next().unwrap());
    }
    for ((version, page), theirs) in &groups {
        let tag = format!("{version}_s{}", page.parse::<u32>().unwrap().ilog2());
        assert_eq!(types_text(&config_of_tag(&tag).unwrap()), *theirs, "{tag}");
    }
    eprintln!("{} tables, {} rows", groups.len(), text.lines().count() - 1);
}
