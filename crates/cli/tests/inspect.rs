//! The contract of `slabscope inspect`: what it prints, in which order, and with which status it ends.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::{Value, json};

const CLASSES: &str =
    " class  size almost_full almost_empty obj_allocated   obj_used pages_used pages_per_zspage freeable
...
   100  1632           0            3            15          8          6                2        2
   107  1744           0            0             7          7          3                3
   254  4096           0            0             7          7          7                1        0

 Total               0            3            22         15         13                         2
";
const MM_STAT: &str = "# cat /sys/block/zram0/mm_stat\n81920 40000 45056 0 45056 1 0 0 0\n";

/// A folder of this test run that is gone at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("slabscope-inspect-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap_or_else(|error| eprintln!("{error}"));
    }
}

fn inspect(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_slabscope")).arg("inspect").args(args).output().unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_table_is_a_line_of_json() {
    let folder = Folder::new("json");
    let file = folder.file("both.txt", format!("{CLASSES}{MM_STAT}"));
    let output = inspect(&["--format", "json", &file]);
    assert_eq!(output.status.code(), Some(0));
    let [classes, mm_stat] = &lines(&output)[..] else { panic!("two tables") };
    for (table, format) in [(classes, "zsmalloc-classes"), (mm_stat, "zram-mm_stat")] {
        assert_eq!((&table["file"], &table["format"]), (&json!(file), &json!(format)));
        let keys: Vec<&String> = table.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["era", "file", "format", "rows", "skipped", "totals", "warnings"]);
    }
    assert_eq!(classes["era"], "6.1");
    assert_eq!(classes["rows"].as_array().unwrap().len(), 2);
    assert_eq!(
        classes["rows"][0],
        json!({"class": 100, "size": 1632, "almost_full": 0, "almost_empty": 3, "obj_allocated": 15,
               "obj_used": 8, "pages_used": 6, "pages_per_zspage": 2, "freeable": 2})
    );
    assert_eq!(classes["totals"]["pages_used"], 13);
    assert_eq!(
        classes["skipped"],
        json!([
            {"line": 2, "text": "...", "why": "rows were left out here"},
            {"line": 4, "text": "   107  1744           0            0             7          7          3                3", "why": "8 fields where the heading has 9"},
        ])
    );
    assert_eq!((&mm_stat["era"], &mm_stat["skipped"]), (&Value::Null, &json!([])));
    assert_eq!(mm_stat["rows"][0]["orig_data_size"], 81920);
}

#[test]
fn text_names_era_evidence_sums_and_what_was_left_out() {
    let folder = Folder::new("text");
    let output = inspect(&[&folder.file("classes", CLASSES)]);
    let text = String::from_utf8(output.stdout).unwrap();
    for part in [
        "zsmalloc classes, 2 rows",
        "taken for era 6.1",
        "2 of 2 rows are classes of era 6.1 with 4 KiB pages",
        "total, as printed: almost_full 0, almost_empty 3",
        "13 pages hold 15 objects in 22 places",
        "compaction would return 2 pages",
        "line 4 skipped: 8 fields where the heading has 9",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn files_are_told_in_their_order_and_a_bad_one_stops_none() {
    let folder = Folder::new("many");
    let mut files: Vec<String> = (0..40)
        .map(|index| folder.file(&format!("{index}"), CLASSES.repeat(if index % 7 == 0 { 200 } else { 1 })))
        .collect();
    files.insert(20, folder.file("prose", "nothing of the kind\n"));
    let args: Vec<&str> = ["--format", "json"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let output = inspect(&args);
    let mut told: Vec<String> =
        lines(&output).iter().map(|table| table["file"].as_str().unwrap().to_owned()).collect();
    told.dedup();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(told, files);
    let bad = files.remove(20);
    let line = lines(&output).into_iter().find(|line| line["file"] == bad.as_str()).unwrap();
    assert_eq!((&line["format"], &line["rows"]), (&Value::Null, &json!([])));
    assert!(line["error"].as_str().unwrap().contains("nothing recognised; nearest is "), "{line}");
    let format = line["nearest"].as_str().unwrap();
    assert!(line["error"].as_str().unwrap().contains(format), "{line}");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with(&format!("slabscope: {bad}: nothing recognised; nearest is ")), "{error}");
    assert_eq!(error.lines().count(), 1);
}

#[test]
fn many_bad_files_are_a_line_of_json_each_and_one_on_standard_error() {
    let folder = Folder::new("fleet");
    let mut files: Vec<String> = (0..9).map(|index| folder.file(&format!("{index}"), "prose\n")).collect();
    files.push(folder.0.join("missing").to_string_lossy().into_owned());
    let args: Vec<&str> = ["--format", "json"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let output = inspect(&args);
    let lines = lines(&output);
    assert!(lines.iter().map(|line| line["file"].as_str().unwrap()).eq(files.iter().map(String::as_str)));
    assert_eq!(lines[9]["nearest"], Value::Null);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), error.lines().count()), (Some(1), 1));
    assert!(error.ends_with("; and 6 more bad of 10 files\n"), "{error}");
}

#[test]
fn what_cannot_be_read_says_why() {
    let folder = Folder::new("bad");
    let large = folder.0.join("large");
    std::fs::File::create(&large).unwrap().set_len((100 << 20) + 1).unwrap();
    for (file, said) in [
        (large.to_string_lossy().into_owned(), "larger than the limit of 100 MB (104,857,600 bytes)"),
        (folder.file("archive.gz", b"\x1f\x8b\x08\0"), "gzip, not text: unpack it first"),
        (folder.file("empty", ""), "the text is empty"),
        (folder.file("io_stat", "0 0 0 131072\n"), "nearest is zram-mm_stat: line 1: 4 numbers"),
        (folder.0.join("missing").to_string_lossy().into_owned(), "missing: "),
    ] {
        let output = inspect(&[&file]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{file}");
        assert!(error.contains(said), "{said}: {error}");
    }
    assert_eq!(inspect(&[]).status.code(), Some(2));
    assert_eq!(inspect(&["--format", "tsv", "x"]).status.code(), Some(2));
}
