//! Block types and refused sizes of zblock against the golden tables.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use slabscope_core::pool::MallocError;
use slabscope_core::zblock::{Config, Geometry, Version, block_types};
use slabscope_formats::zblock_tables::type_rows;
use slabscope_tests::golden;

fn config(version: &str, page: &str) -> Config {
    let page: u32 = page.parse().unwrap();
    Config { version: Version::from_name(version).unwrap(), page_shift: page.ilog2() as u8 }
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
fn every_golden_block_type() {
    let Some(text) = golden("zblock/zblock_tables.tsv") else { return };
    let mut groups: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let mut fields = line.splitn(3, '\t');
        let key = (fields.next().unwrap(), fields.next().unwrap());
        groups.entry(key).or_default().push(fields.next().unwrap());
    }
    for ((version, page), theirs) in &groups {
        let config = config(version, page);
        let ours: Vec<String> =
            type_rows(&config, &block_types(&config).unwrap()).iter().map(|row| row.join("\t")).collect();
        assert_eq!(ours, *theirs, "{version} {page}");
    }
    eprintln!("{} tables, {} rows", groups.len(), text.lines().count() - 1);
}

#[test]
fn every_size_up_to_twice_a_page() {
    let Some(text) = golden("zblock/zblock_errors.tsv") else { return };
    let mut groups: BTreeMap<(&str, &str), BTreeMap<u32, &str>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        groups.entry((fields[0], fields[1])).or_default().insert(fields[2].parse().unwrap(), fields[3]);
    }
    let mut sizes = 0;
    for ((version, page), boundaries) in &groups {
        let geometry = Geometry::new(&config(version, page)).unwrap();
        for size in 0..2 * geometry.config().page_bytes() {
            let (_, theirs) = boundaries.range(..=size).next_back().unwrap();
            assert_eq!(word(&geometry, size), *theirs, "{version} {page} {size}");
            sizes += 1;
        }
    }
    eprintln!("{} tables of boundaries, {} rows, {sizes} sizes", groups.len(), text.lines().count() - 1);
}
