//! Bytes made from good ones by many small damages, for every reader and for the link codec, on stable Rust.
//!
//! A target takes any bytes and panics where something does not hold. Its seeds are the fixtures of the suites; a
//! seeded generator damages them, so that a run is repeated by its seed. What fails is written out and belongs into
//! `testdata/fuzz`, where every run of the tests tries it again.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use slabscope_core::digest::Fnv1a64;
use slabscope_core::rng::Rng;

/// Something that takes any bytes.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Panics where something does not hold.
    pub run: fn(&[u8]),
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Inputs that were tried.
    pub runs: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// The slowest, and how long it took.
    pub slowest: (String, Duration),
    /// Those that failed: the target, the reason, and where the input was written to.
    pub failures: Vec<String>,
}

/// Longest input that is made, in bytes.
const LONGEST: usize = 64 << 10;
/// Longest time for one of them, on a busy machine and without optimisation.
const SLOWEST: Duration = Duration::from_secs(5);
/// A run ends after so many failures.
const ENOUGH: usize = 10;

/// Tries damaged seeds on every target in turn until the time is over.
pub fn fuzz(targets: &[Target], seeds: &[Vec<u8>], seed: u64, time: Duration, folder: &Path) -> Report {
    let mut report = Report::default();
    let mut rng = Rng::new(seed);
    let start = Instant::now();
    while start.elapsed() < time && report.failures.len() < ENOUGH {
        let input = damaged(seeds, &mut rng);
        for target in targets {
            try_one(target, &input, folder, &mut report);
        }
    }
    report
}

/// Tries one input on one target.
pub fn try_one(target: &Target, input: &[u8], folder: &Path, report: &mut Report) {
    let start = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    let took = start.elapsed();
    report.runs += 1;
    report.bytes += input.len() as u64;
    if took > report.slowest.1 {
        report.slowest = (target.name.to_owned(), took);
    }
    let why = match result {
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
        }
        Ok(()) if took > SLOWEST => format!("{} bytes took {took:?}", input.len()),
        Ok(()) => return,
    };
    let file = written(folder, target.name, input);
    report.failures.push(format!("{}: {why}\n  input: {}", target.name, file.display()));
}

/// Writes an input out.
fn written(folder: &Path, name: &str, input: &[u8]) -> PathBuf {
    let mut digest = Fnv1a64::new();
    digest.update(input);
    let file = folder.join(format!("{name}-{:016x}", digest.value()));
    // Where nothing can be written the reason is told all the same.
    let _ = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, input));
    file
}

/// Numbers at the ends of ranges, and words that readers look for.
const WORDS: [&str; 32] = [
    "0",
    "1",
    "-1",
    "4096",
    "65536",
    "4294967295",
    "4294967296",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999",
    "1.5",
    "3.7K",
    "1e9",
    "class",
    "size",
    "Total",
    "...",
    "\u{a0}",
    "\u{feff}",
    "\u{1b}[31m",
    "> ",
    "| ",
    "+",
    "-",
    "\r\n",
    "\t",
    ":",
    "=20",
    "# cat /sys/block/zram0/mm_stat\n",
    "\u{fffd}",
    "[    0.123456] ",
];

/// A seed with one to eight damages.
fn damaged(seeds: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut input = any(seeds, rng).to_vec();
    for _ in 0..=rng.below(8) {
        damage(&mut input, seeds, rng);
        input.truncate(LONGEST);
    }
    input
}

fn any<'a>(seeds: &'a [Vec<u8>], rng: &mut Rng) -> &'a [u8] {
    seeds.get(rng.below(seeds.len() as u32) as usize).map_or(&[], Vec::as_slice)
}

/// Two places, in order.
fn range(len: usize, rng: &mut Rng) -> (usize, usize) {
    let (a, b) = (rng.below(len as u32 + 1) as usize, rng.below(len as u32 + 1) as usize);
    (a.min(b), a.max(b))
}

/// The line that a place is in, its end included.
fn line(input: &[u8], at: usize) -> (usize, usize) {
    let start = input[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let end = input[at..].iter().position(|byte| *byte == b'\n').map_or(input.len(), |end| at + end + 1);
    (start, end)
}

fn damage(input: &mut Vec<u8>, seeds: &[Vec<u8>], rng: &mut Rng) {
    let at = rng.below(input.len() as u32 + 1) as usize;
    let (from, to) = range(input.len(), rng);
    let (start, end) = line(input, at);
    match rng.below(12) {
        0 => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << rng.below(8);
            }
        }
        1 => input.insert(at, rng.below(256) as u8),
        2 => drop(input.drain(from..to.min(from + 40))),
        3 => {
            let word = WORDS[rng.below(WORDS.len() as u32) as usize];
            drop(input.splice(at..at, word.bytes()));
        }
        // Another word in the place of one.
        4 | 5 => {
            let word = WORDS[rng.below(WORDS.len() as u32) as usize];
            let is_word = |byte: &u8| !byte.is_ascii_whitespace();
            let first = input[..at].iter().rposition(|byte| !is_word(byte)).map_or(0, |at| at + 1);
            let last = at + input[at..].iter().take_while(|byte| is_word(byte)).count();
            drop(input.splice(first..last, word.bytes()));
        }
        // A line gone, twice, many times, or elsewhere.
        6 => drop(input.drain(start..end)),
        7 => {
            let copy = input[start..end].repeat(1 + rng.below(3) as usize);
            drop(input.splice(end..end, copy));
        }
        8 => {
            let copy: Vec<u8> = input.drain(start..end).collect();
            let to = line(input, rng.below(input.len() as u32 + 1) as usize).0;
            drop(input.splice(to..to, copy));
        }
        // A part of another seed.
        9 => {
            let other = any(seeds, rng);
            let (from, to) = range(other.len(), rng);
            let part = other[from..to].to_vec();
            drop(input.splice(at..at, part));
        }
        // Every line with something in front.
        10 => {
            let word = WORDS[rng.below(WORDS.len() as u32) as usize].as_bytes();
            let lines: Vec<&[u8]> = input.split_inclusive(|byte| *byte == b'\n').collect();
            *input = lines.iter().flat_map(|line| [word, line].concat()).collect();
        }
        _ => input.truncate(at),
    }
}

/// Every file below a folder, in order.
///
/// # Errors
/// A folder cannot be read.
pub fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    found.sort();
    Ok(found)
}
