//! zblock traces against the golden data.

#![allow(clippy::unwrap_used)]

use slabscope_core::zblock::{Config, Geometry, Pool, Version};
use slabscope_formats::replay::{Output, replay_zblock};
use slabscope_tests::golden;

fn replay(config: &Config, trace: &str) -> String {
    let pool = Pool::new(Geometry::new(config).unwrap());
    let mut out = Vec::new();
    replay_zblock(pool, trace.as_bytes(), Output::Report, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn without_operations(text: &str) -> String {
    let kept = text.split_inclusive('\n').filter(|line| !line.starts_with("a\t") && !line.starts_with("f\t"));
    kept.collect()
}

fn first_difference(ours: &str, theirs: &str) -> String {
    let pair = ours.lines().zip(theirs.lines()).enumerate().find(|(_, (ours, theirs))| ours != theirs);
    pair.map_or_else(
        || format!("{} lines against {}", ours.lines().count(), theirs.lines().count()),
        |(line, (ours, theirs))| format!("line {}:\n{ours}\n{theirs}", line + 1),
    )
}

#[test]
fn every_golden_trace_byte_for_byte() {
    let Some(folder) = std::env::var_os("SLABSCOPE_GOLDEN") else { return };
    let expected = std::path::PathBuf::from(folder).join("zblock/traces/expected");
    let (mut files, mut lines, mut operations, mut bytes) = (0, 0, 0, 0);
    let mut paths: Vec<_> = std::fs::read_dir(expected).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap().to_str().unwrap();
        let fields: Vec<&str> = name.split('.').collect();
        let page: u32 = fields[2].parse().unwrap();
        let version = Version::from_name(fields[1]).unwrap();
        let config = Config { version, page_shift: page.ilog2() as u8 };
        let theirs = std::fs::read_to_string(&path).unwrap();
        let mut ours = replay(&config, &golden(&format!("zblock/traces/{}.trace", fields[0])).unwrap());
        if theirs.starts_with('S') {
            ours = without_operations(&ours);
        }
        assert!(ours == theirs, "{name}: {}", first_difference(&ours, &theirs));
        files += 1;
        bytes += theirs.len();
        lines += theirs.lines().count();
        operations += theirs.lines().filter(|line| line.starts_with(['a', 'f'])).count();
    }
    eprintln!("{files} files, {lines} lines, {operations} of them operations, {bytes} bytes");
}
