//! The answer sheet of the guide: every command in it prints what stands below it, every link in it is understood.
//!
//! `SLABSCOPE_BLESS=1 cargo test -p slabscope --test answers_chapter` writes the output of the commands anew; read the
//! difference before committing it.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn chapters() -> [PathBuf; 2] {
    ["answers.md", "fleets.md"].map(|name| root().join("docs/src").join(name))
}

/// What a command prints, run by a shell in the folder of test data.
fn output(command: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_slabscope"));
    let mut path = binary.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(env::var_os("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    // The heading of a table is cut where `head` ends.
    shell
        .args(["-c", command])
        .current_dir(root().join("tests/testdata"))
        .env("PATH", path)
        .env("LC_ALL", "C");
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{command}: {output:?}");
    assert!(output.stderr.is_empty(), "{command}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.trim().is_empty(), "{command} prints nothing");
    text.lines().map(|line| format!("{}\n", line.trim_end().replace('\t', " "))).collect()
}

/// The chapter with the output that its commands have now.
fn with_output(chapter: &str) -> (String, usize) {
    let (mut text, mut commands, mut inside) = (String::new(), 0, false);
    for line in chapter.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        }
        match line.strip_prefix("$ ") {
            Some(command) if inside => {
                text += &format!("{line}\n{}", output(command));
                commands += 1;
            }
            // Output of before.
            _ if inside && line != "```console" => {}
            _ => text += &format!("{line}\n"),
        }
    }
    (text, commands)
}

#[test]
fn commands_print_what_stands_below_them() {
    for file in chapters() {
        let chapter = std::fs::read_to_string(&file).unwrap();
        let (now, commands) = with_output(&chapter);
        assert!(commands > 0, "{}", file.display());
        if env::var_os("SLABSCOPE_BLESS").is_some() {
            std::fs::write(&file, &now).unwrap();
        } else {
            assert_eq!(now, chapter, "{}", file.display());
        }
    }
}

#[test]
fn links_are_understood_without_a_notice() {
    let mut links = 0;
    for file in chapters() {
        let chapter = std::fs::read_to_string(&file).unwrap();
        for rest in chapter.split("](../").skip(1) {
            let link = rest.split(')').next().unwrap();
            let fragment = link.trim_start_matches('#');
            let output = Command::new(env!("CARGO_BIN_EXE_slabscope")).args(["link", link]).output().unwrap();
            let said = String::from_utf8(output.stdout).unwrap();
            let lines: Vec<&str> = said.lines().collect();
            // The canonical link, the scenario and no notice; written canonically.
            assert_eq!((lines.len(), lines[0]), (2, fragment), "{link}: {said}");
            links += 1;
        }
    }
    assert!(links >= 20, "{links}");
}

#[test]
fn every_question_has_an_answer() {
    let chapter = std::fs::read_to_string(root().join("docs/src/answers.md")).unwrap();
    let numbers: Vec<usize> = chapter
        .lines()
        .filter_map(|line| line.strip_prefix("### ")?.split_once('.')?.0.parse().ok())
        .collect();
    assert_eq!(numbers, (1..=45).collect::<Vec<_>>());
    for section in chapter.split("\n### ").skip(1) {
        let has_more = section.contains("](../#")
            || section.contains("```console")
            || section.contains("**Not answered");
        assert!(has_more, "{}", section.lines().next().unwrap());
    }
}
