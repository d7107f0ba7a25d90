//! Class tables and constants of zsmalloc against those of compiled kernels.

#![allow(clippy::unwrap_used)]

use slabscope_core::zsmalloc::{Bits, Config, Constants, Era, Geometry};
use slabscope_tests::golden;

fn config(era: Era, fields: &[&str]) -> Config {
    let number = |index: usize| fields[index].parse::<u8>().unwrap();
    Config {
        era,
        bits: Bits::from_count(fields[0].parse().unwrap()).unwrap(),
        phys_bits: number(1),
        page_shift: number(2),
        max_pages: number(3),
        class_delta: None,
    }
}

fn class_rows(config: &Config) -> Vec<String> {
    let geometry = Geometry::new(config).unwrap();
    geometry
        .classes()
        .iter()
        .map(|class| {
            format!(
                "{}\t{}\t{}\t{}\t{}\t{}\t{}",
                class.index,
                class.size,
                class.pages,
                class.objects,
                u8::from(class.huge),
                class.waste,
                class.lowest_index
            )
        })
        .collect()
}

fn constants_row(config: &Config) -> String {
    let (pfn_bits, index_bits) = Constants::location_bits(config);
    match Geometry::new(config) {
        Ok(geometry) => {
            let constants = geometry.constants();
            let low = geometry.huge_low_nominal().unwrap_or(0);
            format!(
                "{pfn_bits}\t{index_bits}\t{}\t{}\t{}\t{}\t{}\t{low}\tok",
                constants.min_alloc,
                constants.class_delta,
                constants.size_classes,
                geometry.classes().len(),
                geometry.huge_class_size(),
            )
        }
        Err(_) => format!("{pfn_bits}\t{index_bits}\t-\t-\t-\t-\t-\t-\tinvalid"),
    }
}

#[test]
fn every_golden_class_row() {
    for era in ["4.5", "6.6", "6.12"] {
        let Some(text) = golden(&format!("zsmalloc/classes_{era}.tsv")) else { return };
        let era = Era::from_name(era).unwrap();
        let mut groups: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
        for line in text.lines().skip(1) {
            let cut = line.match_indices('\t').nth(3).unwrap().0;
            let key: Vec<&str> = line[..cut].split('\t').collect();
            match groups.last_mut() {
                Some((last, lines)) if *last == key => lines.push(&line[cut + 1..]),
                _ => groups.push((key, vec![&line[cut + 1..]])),
            }
        }
        for (key, lines) in &groups {
            assert_eq!(class_rows(&config(era, key)), *lines, "{} {key:?}", era.name());
        }
        println!(
            "classes {}: {} configurations, {} rows",
            era.name(),
            groups.len(),
            text.lines().count() - 1
        );
    }
}

#[test]
fn every_golden_constant() {
    for era in ["4.5", "6.6", "6.12"] {
        let Some(text) = golden(&format!("zsmalloc/constants_{era}.tsv")) else { return };
        let era = Era::from_name(era).unwrap();
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            assert_eq!(constants_row(&config(era, &fields)), fields[4..].join("\t"), "{} {line}", era.name());
        }
        println!("constants {}: {} rows", era.name(), text.lines().count() - 1);
    }
}
