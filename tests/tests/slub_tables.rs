//! Orders, layouts and limits of SLUB against tables of right answers, and against running kernels.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use slabscope_core::slub::{
    Generation, LayoutFlags, OrderParams, calculate_order, cpu_partial_objects, layout, min_partial,
};
use slabscope_formats::slub_tables::{answer_layouts, answer_orders};
use slabscope_tests::digest::Digest;
use slabscope_tests::slub::{layout_grid, order_grid};
use slabscope_tests::{data, golden};

/// Rows as maps from their column names.
fn rows(text: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap().split('\t').collect();
    lines.map(|line| columns.iter().copied().zip(line.split('\t')).collect()).collect()
}

fn number<T: std::str::FromStr>(row: &BTreeMap<&str, &str>, column: &str) -> T {
    row[column].parse().ok().unwrap()
}

fn orders(generation: Generation, input: &str) -> String {
    let mut out = Vec::new();
    answer_orders(generation, input.as_bytes(), &mut out).unwrap();
    without_heading(out)
}

fn layouts(generation: Generation, input: &str) -> String {
    let mut out = Vec::new();
    answer_layouts(generation, input.as_bytes(), &mut out).unwrap();
    without_heading(out)
}

fn without_heading(out: Vec<u8>) -> String {
    String::from_utf8(out).unwrap().split_once('\n').unwrap().1.to_owned()
}

#[test]
fn orders_of_the_grid_have_their_digests() {
    let digests = Digest::all("slub", "orders").unwrap();
    assert_eq!(digests.len(), 15);
    for digest in digests {
        let (name, page_shift) = digest.tag.split_once("_s").unwrap();
        let ours = orders(Generation::from_name(name).unwrap(), &order_grid(page_shift.parse().unwrap()));
        assert!(digest.is_of(&ours), "{}", digest.tag);
    }
}

#[test]
fn layouts_of_the_grid_have_their_digests() {
    let digests = Digest::all("slub", "layout").unwrap();
    assert_eq!(digests.len(), 2);
    for digest in digests {
        let ours = layouts(Generation::from_name(&digest.tag).unwrap(), &layout_grid());
        assert!(digest.is_of(&ours), "{}", digest.tag);
    }
}

/// Compares answers with a table that has three columns for each generation; a table without them has defaults
/// in the columns of parameters.
fn check_orders(text: &str) -> usize {
    let mut compared = 0;
    for row in rows(text) {
        let given = |column| row.get(column).copied();
        let (objects, low, high) = (given("min_objects"), given("min_order"), given("max_order"));
        let input = [
            row["page_shift"],
            row["cpus"],
            objects.unwrap_or("0"),
            low.unwrap_or("0"),
            high.unwrap_or("3"),
            row["size"],
        ]
        .join("\t");
        for generation in Generation::ALL {
            let column = |name: &str| row[format!("{name}_{}", generation.name()).as_str()];
            let theirs = format!("{input}\t{}\t{}\t{}\n", column("order"), column("objs"), column("waste"));
            assert_eq!(orders(generation, &input), theirs, "{}", generation.name());
            compared += 1;
        }
    }
    compared
}

fn check_layouts(text: &str) -> usize {
    let mut compared = 0;
    for row in rows(text) {
        let input = [row["object_size"], row["align_arg"], row["flags"]].join("\t");
        for (generation, columns) in [
            (Generation::V2_6_26, &["align", "inuse", "offset", "size"][..]),
            (Generation::RfcOrder, &["align", "inuse", "offset", "size"][..]),
            (Generation::Modern, &["align", "inuse", "offset", "red_left_pad", "size"][..]),
        ] {
            let name = if generation == Generation::Modern { "modern" } else { "2.6.26" };
            let theirs = columns.iter().map(|column| row[format!("{column}_{name}").as_str()]);
            let theirs = theirs.fold(input.clone(), |line, value| line + "\t" + value) + "\n";
            assert_eq!(layouts(generation, &input), theirs, "{}", generation.name());
            compared += 1;
        }
    }
    compared
}

#[test]
fn rows_of_orders() {
    let compared = check_orders(&data("slub/orders.tsv").unwrap());
    assert!(compared > 3000, "{compared}");
}

#[test]
fn rows_of_layouts() {
    let compared = check_layouts(&data("slub/layout.tsv").unwrap());
    assert!(compared > 2000, "{compared}");
}

#[test]
fn every_golden_order() {
    let (Some(first), Some(second)) = (golden("slub/slub_orders.tsv"), golden("slub/slub_orders_params.tsv"))
    else {
        return;
    };
    eprintln!("{} orders, {} with other parameters", check_orders(&first), check_orders(&second));
}

#[test]
fn every_golden_layout() {
    let Some(text) = golden("slub/slub_layout.tsv") else { return };
    eprintln!("{} layouts", check_layouts(&text));
}

/// A cache of a running kernel against the model.
fn check_real(row: &BTreeMap<&str, &str>, parameters: &BTreeMap<&str, &str>, is_kmalloc: bool) {
    let generation = Generation::from_name(parameters["era"]).unwrap();
    let (mut flags, mut has_debugging) = (LayoutFlags::NONE, false);
    for name in row["flags"].split('|') {
        has_debugging |= ["RED_ZONE", "POISON", "STORE_USER", "SANITY", "TRACE"].contains(&name);
        flags = match name {
            "RED_ZONE" => flags.with(LayoutFlags::REDZONE),
            // These cost no bytes.
            "RECLAIM" | "DMA" | "SANITY" | "TRACE" => flags,
            name => flags.with(LayoutFlags::parse(name).unwrap()),
        };
    }
    if is_kmalloc {
        flags = flags.with(LayoutFlags::KMALLOC);
    }
    let place = layout(generation, number(row, "object_size"), number(row, "align"), flags).unwrap();
    assert_eq!((place.size, place.align), (number(row, "slab_size"), number(row, "align")), "{row:?}");
    let answer = calculate_order(&OrderParams {
        generation,
        page_shift: 12,
        cpus: number(parameters, "cpus"),
        min_objects: number(parameters, "min_objects"),
        min_order: number(parameters, "min_order"),
        max_order: number(parameters, "max_order"),
        size: place.size,
    });
    let answer = answer.unwrap();
    assert_eq!(
        (answer.order, answer.objects),
        (number(row, "order"), number(row, "objs_per_slab")),
        "{row:?}"
    );
    assert_eq!(min_partial(generation, place.size), number::<u32>(row, "min_partial"), "{row:?}");
    let kept = if has_debugging { 0 } else { cpu_partial_objects(generation, 4096, place.size) };
    assert_eq!(kept, number::<u32>(row, "cpu_partial"), "{row:?}");
}

#[test]
fn caches_of_running_kernels() {
    let text = data("slub/real.tsv").unwrap();
    let rows = rows(&text);
    assert!(rows.len() > 500);
    for row in &rows {
        check_real(row, row, row["kmalloc"] == "yes");
    }
}

#[test]
fn every_cache_of_running_kernels() {
    let (Some(boots), Some(caches)) = (golden("real/slub_boots.tsv"), golden("real/slub_real.tsv")) else {
        return;
    };
    let mut parameters = BTreeMap::new();
    for mut boot in rows(&boots) {
        boot.insert("cpus", boot["cpus_in_rule"]);
        parameters.insert((boot["kernel"], boot["boot"]), boot);
    }
    let caches = rows(&caches);
    for row in &caches {
        let is_kmalloc = ["kmalloc-", "dma-kmalloc-"].iter().any(|start| row["cache"].starts_with(start));
        check_real(row, &parameters[&(row["kernel"], row["boot"])], is_kmalloc);
    }
    eprintln!("{} boots, {} caches", parameters.len(), caches.len());
}
