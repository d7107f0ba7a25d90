//! Answers per second over some thousand class files, beside a reader of the same bytes.
//!
//! `cargo run --release -p slabscope-answers --example many_files [FILES] [SLABSCOPE] [FOLDER]` writes the files into a
//! temporary folder and removes them; into a folder that is named, where they stay. With the path of a built
//! `slabscope` that is measured too, on all processors.

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use std::{env, fs, process};

use slabscope_answers::input::{Machine, read_input};
use slabscope_answers::select::Selection;
use slabscope_answers::sweep::sweep;
use slabscope_core::oplog::apply;
use slabscope_core::pool::Ignore;
use slabscope_core::workload::{Kind, SizeDist, Spec};
use slabscope_core::zsmalloc::{Config, Era, Geometry, Pool};
use slabscope_formats::zsmalloc_text::write_classes;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let count: usize = arguments.next().map_or(Ok(2000), |count| count.parse())?;
    let slabscope = arguments.next();
    if let Some(folder) = arguments.next() {
        fs::create_dir_all(&folder)?;
        return measure(count, Path::new(&folder), slabscope.as_deref());
    }
    let folder = env::temp_dir().join(format!("slabscope-many-files-{}", process::id()));
    fs::create_dir_all(&folder)?;
    let result = measure(count, &folder, slabscope.as_deref());
    fs::remove_dir_all(&folder)?;
    result
}

fn measure(count: usize, folder: &Path, slabscope: Option<&str>) -> Result<(), Box<dyn Error>> {
    let files = make(count, folder)?;
    let bytes: u64 = files.iter().map(|file| fs::metadata(file).map_or(0, |meta| meta.len())).sum();
    println!("{count} files, {} KiB in all", bytes / 1024);
    let read = || -> Result<(), Box<dyn Error>> {
        files.iter().try_for_each(|file| {
            black_box(fs::read_to_string(file)?);
            Ok(())
        })
    };
    let tables = || -> Result<(), Box<dyn Error>> {
        files.iter().try_for_each(|file| {
            black_box(slabscope_formats::read(&fs::read_to_string(file)?));
            Ok(())
        })
    };
    let inputs = || -> Result<(), Box<dyn Error>> {
        files.iter().try_for_each(|file| {
            black_box(read_input(&fs::read_to_string(file)?, &Machine::default())?);
            Ok(())
        })
    };
    let answered = || -> Result<(), Box<dyn Error>> {
        files.iter().try_for_each(|file| {
            let input = read_input(&fs::read_to_string(file)?, &Machine::default())?;
            black_box(sweep(&input, &Selection::default().settings(&input.own)));
            Ok(())
        })
    };
    let command = |format: &str| -> Result<(), Box<dyn Error>> {
        let mut command = Command::new(slabscope.unwrap_or("slabscope"));
        command.args(["whatif", "--format", format]).args(&files).stdout(Stdio::null()).stderr(Stdio::null());
        if command.status()?.success() { Ok(()) } else { Err("slabscope failed".into()) }
    };
    // The first run reads what was just written; the figures are of the second.
    read()?;
    let base = seconds(read)?;
    row("read the bytes", count, base, base);
    row("and find the tables in them", count, seconds(tables)?, base);
    row("and say which kernel it was", count, seconds(inputs)?, base);
    row("and answer, one thread", count, seconds(answered)?, base);
    if slabscope.is_some() {
        for format in ["tsv", "json"] {
            row(&format!("slabscope whatif --format {format}"), count, seconds(|| command(format))?, base);
        }
    }
    Ok(())
}

fn seconds(work: impl Fn() -> Result<(), Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

fn row(what: &str, count: usize, seconds: f64, base: f64) {
    println!("{what:<34}{:>10.0} files/s {:>8.1} x reading", count as f64 / seconds, seconds / base);
}

/// Class files of pools in use, of several kernels.
fn make(count: usize, folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let kernels = [(Era::V6_1, 4), (Era::V6_12, 8), (Era::V6_12, 4), (Era::V6_6, 16)];
    let mut files = Vec::with_capacity(count);
    for (number, (era, max_pages)) in kernels.into_iter().enumerate() {
        let share = (count + kernels.len() - 1 - number) / kernels.len();
        let config = Config { max_pages, ..Config::default_for(era) };
        let mut pool = Pool::new(Geometry::new(&config)?);
        let spec = Spec {
            kind: Kind::Fragment,
            dist: SizeDist::ProcLzo,
            fixed_size: None,
            operations: u32::try_from(share)?.saturating_mul(400),
            live: 30_000,
            seed: number as u64,
            compact_every: 0,
        };
        for (index, op) in spec.ops().enumerate() {
            apply(&mut pool, op, &mut Ignore);
            if (index + 1) % 400 == 0 {
                let mut text = Vec::new();
                write_classes(&pool, &mut text)?;
                let file = folder.join(format!("{number}-{index:08}.txt"));
                fs::write(&file, text)?;
                files.push(file);
            }
        }
    }
    Ok(files)
}
