//! The contract of `slabscope whatif` and `slub-whatif`: columns, formats, exit status, order of many files.

#![allow(clippy::unwrap_used)]

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const MAX_4: &str = "whatif/2016_max4_classes.txt";
const MAX_8: &str = "whatif/2016_max8_classes.txt";

fn data(file: &str) -> String {
    format!("{}/../../tests/testdata/{file}", env!("CARGO_MANIFEST_DIR"))
}

fn slabscope(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_slabscope"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // One that ends without reading closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Standard output as cells, the heading first; nothing may stand on standard error.
fn table(arguments: &[&str], input: &str) -> Vec<Vec<String>> {
    let output = slabscope(arguments, input);
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""), "{arguments:?}");
    let cells = |line: &str| line.split('\t').map(str::to_owned).collect();
    text(&output.stdout).lines().map(cells).collect()
}

#[test]
fn the_rows_of_a_table_have_the_columns_of_the_contract() {
    let rows = table(&["whatif", &data(MAX_4)], "");
    let columns = "allocator era page_shift max_pages pages_low pages_expected pages_high bytes_expected \
        change_percent pages_churned partial_zspages_max assumption";
    assert_eq!(rows[0].join(" "), columns);
    assert_eq!(rows.len(), 1 + 16 + 1);
    assert!(rows.iter().all(|row| row.len() == 12));
    let own = "zsmalloc 6.1 12 4 450456 450456 450456 1845067776 0.00 450722 65 -";
    assert_eq!(rows[4].join(" "), own);
    assert_eq!(rows[17][..4], ["zblock", "mm0508", "12", "-"]);
}

#[test]
fn settings_are_chosen_by_lists_ranges_and_models() {
    let names = |arguments: &[&str]| -> Vec<String> {
        let rows = table(&[&["whatif"], arguments].concat(), "44 7\n3000 9\n");
        rows[1..].iter().map(|row| row[..4].join(" ")).collect()
    };
    assert_eq!(
        names(&["-", "--max-pages", "4,6-7", "--allocator", "zsmalloc"]),
        ["zsmalloc 6.12 12 4", "zsmalloc 6.12 12 6", "zsmalloc 6.12 12 7"]
    );
    assert_eq!(
        names(&["-", "--models", "zblock:v4,zsmalloc:4.2", "--page-shift", "12,14", "--max-pages", "4"]),
        ["zblock v4 12 -", "zblock v4 14 -", "zsmalloc 4.2 12 4", "zsmalloc 4.2 14 4"]
    );
}

#[test]
fn a_list_of_sizes_is_exact() {
    for row in &table(&["whatif", "-"], "size,count\n44,768\n1620,6\n4096,5\n")[1..] {
        assert_eq!((&row[4], &row[6], row[9].as_str()), (&row[5], &row[5], "-"), "{row:?}");
    }
}

#[test]
fn what_does_not_exist_has_no_row_and_a_warning() {
    let output = slabscope(&["whatif", "-", "--page-shift", "13", "--max-pages", "8"], "44 7\n");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout).lines().count(), 2);
    let warning = text(&output.stderr);
    assert!(warning.starts_with("slabscope: no row for zblock mm0508, page shift 13: "), "{warning}");
    assert_eq!(warning.lines().count(), 1);
}

#[test]
fn many_files_are_answered_in_order() {
    let (four, eight) = (data(MAX_4), data(MAX_8));
    let files = [&four, &eight, &eight, &four, &four, &eight].map(String::as_str);
    let arguments =
        [&["whatif", "--format", "json", "--max-pages", "8", "--allocator", "zsmalloc"], &files[..]];
    let output = slabscope(&arguments.concat(), "");
    let rows: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let named: Vec<&str> = rows.iter().map(|row| row["file"].as_str().unwrap()).collect();
    assert_eq!(named, files);
    assert_eq!(rows[0]["pages_expected"], 433_728);
    assert_eq!(rows[0]["change_percent"], -3.71);
    assert_eq!(rows[1]["assumption"], Value::Null);
    let rows = table(&[&["whatif", "--max-pages", "8", "--allocator", "zsmalloc"], &files[..2]].concat(), "");
    assert_eq!(rows[1], [format!("# {four}")]);
    assert_eq!(rows[3], [format!("# {eight}")]);
}

#[test]
fn bad_input_says_what_it_is_not_and_the_rest_is_answered() {
    let output = slabscope(&["whatif", "-", &data(MAX_4)], "hello\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout).lines().count(), 1 + 1 + 17);
    let why = text(&output.stderr);
    assert!(why.starts_with("slabscope: standard input: neither a zsmalloc classes file"), "{why}");
    assert_eq!(why.lines().count(), 1);
    for (arguments, status) in [
        (&["whatif", "-", "--max-pages", "x"][..], 2),
        (&["whatif", "-", "--models", "slub"], 2),
        (&["whatif", "-", "--models", "zblock", "--era", "v4"], 2),
        (&["whatif"], 2),
        (&["whatif", "-", "--era", "3.0"], 1),
        (&["whatif", "-", "--max-pages", "17", "--allocator", "zsmalloc"], 1),
        (&["whatif", "/nonexistent"], 1),
        (&["slub-whatif", "/nonexistent"], 1),
        (&["slub-whatif", "-"], 1),
    ] {
        let output = slabscope(arguments, "44 7\n");
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        assert!(output.stderr.starts_with(if status == 1 { b"slabscope: " } else { b"error: " }));
    }
}

#[test]
fn the_text_has_costs_parts_and_advice() {
    let output = slabscope(&["whatif", "--format", "text", &data(MAX_4)], "");
    let said = text(&output.stdout);
    for part in [
        "69 of 69 rows are classes of era 6.1",
        "pages_of_one_allocation",
        "z3fold: at least ",
        "class rounding",
        "zspage descriptors",
        "after compaction",
        "Advice: take max pages 7 in place of 4: 3.39 % fewer pages",
        "Apply:  #define ZS_MAX_PAGES_PER_ZSPAGE 7 (mm/zsmalloc.c)",
    ] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
}

#[test]
fn slabinfo_is_answered_cache_by_cache_with_sums() {
    let file = data("whatif/slabinfo_6.12_default.txt");
    let rows = table(&["slub-whatif", "--max-order", "0,3", &file], "");
    assert_eq!(rows.len(), 1 + 2 * (51 + 1));
    assert!(rows.iter().all(|row| row.len() == 22));
    let task = rows.iter().find(|row| row[6] == "task_struct").unwrap();
    assert_eq!(task[..18].join(" "), "modern 12 2 0 0 0 task_struct 8448 87 90 3 3 240 2 1 348 360 360");
    let unchanged = rows.last().unwrap();
    assert_eq!((unchanged[6].as_str(), unchanged[20].as_str()), ("total", "0.00"));
    assert_eq!(unchanged[12], unchanged[16]);
    let output =
        slabscope(&["slub-whatif", "--cmdline", "quiet slub_max_order=1", "--format", "text", &file], "");
    assert!(text(&output.stdout).contains("boot with slub_max_order=1"));
    let hint = slabscope(&["whatif", &file], "");
    assert!(text(&hint.stderr).contains("slub-whatif"));
}

/// What is read is what `inspect` reads: text of any encoding, and nothing that is no text.
#[test]
fn encodings_are_those_of_inspect() {
    let plain = std::fs::read_to_string(data(MAX_4)).unwrap();
    let wide: Vec<u8> = [0xfeff].into_iter().chain(plain.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let folder = std::env::temp_dir().join(format!("slabscope-encodings-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (utf16, gzip) = (folder.join("utf16.txt"), folder.join("classes.gz"));
    std::fs::write(&utf16, wide).unwrap();
    std::fs::write(&gzip, b"\x1f\x8b\x08\0\0\0\0\0").unwrap();
    let (utf16, gzip) = (utf16.to_str().unwrap(), gzip.to_str().unwrap());
    assert_eq!(table(&["whatif", utf16], ""), table(&["whatif", &data(MAX_4)], ""));
    for command in ["whatif", "slub-whatif", "inspect"] {
        let output = slabscope(&[command, gzip], "");
        let why = text(&output.stderr);
        assert!(output.status.code() == Some(1) && why.contains("gzip"), "{command}: {why}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
