//! Configurations and traces of the zsmalloc suites.

use std::io;

use slabscope_core::zsmalloc::{Bits, Config, Era};

/// `e6.12_b64_p52_s12_m8` as a configuration.
pub fn config_of_tag(tag: &str) -> Option<Config> {
    let mut fields = tag.split('_');
    let era = Era::from_name(fields.next()?.strip_prefix('e')?)?;
    let mut number = |letter| fields.next()?.strip_prefix(letter)?.parse::<u8>().ok();
    Some(Config {
        era,
        bits: Bits::from_count(number('b')?.into())?,
        phys_bits: number('p')?,
        page_shift: number('s')?,
        max_pages: number('m')?,
        class_delta: None,
    })
}

/// A file of the repository's zsmalloc data.
///
/// # Errors
/// It is not there.
pub fn data(path: &str) -> io::Result<String> {
    crate::data(&format!("zsmalloc/{path}"))
}

/// The text of a trace by its name.
///
/// # Errors
/// There is no such trace.
pub fn trace(name: &str) -> io::Result<String> {
    let derived = |operations: usize| -> io::Result<String> {
        let long = data("traces/p06_100k.trace")?;
        let kept = long.lines().filter(|line| !line.starts_with('#') && *line != "c").take(operations);
        Ok(kept.chain(["s"]).flat_map(|line| [line, "\n"]).collect())
    };
    match name {
        "p07_nocompact" => derived(16_000),
        "p09_100k_nocompact" => derived(usize::MAX),
        _ => data(&format!("traces/{name}.trace")),
    }
}
