//! Small data that a link carries: a trace or a distribution of sizes as text, compressed.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use slabscope_core::digest::Fnv1a64;
use slabscope_core::ops::Ops;
use slabscope_core::workload::Measured;

use crate::sizes::read_sizes_text;
use crate::trace::read_trace;

/// How data begins that is carried in full.
const WHOLE: &str = "z1.";
/// How data begins that is named only.
const NAMED: &str = "f1.";

/// Longest data that a link carries, in bytes: longer ones are named only.
pub const LONGEST_IN_LINK: usize = 6 << 10;

/// Longest text that is unpacked, in bytes.
const LONGEST_TEXT: usize = 64 << 20;

/// What is played instead of a workload of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Carried {
    /// A stream of operations.
    Stream(Ops),
    /// Sizes, for the shape of any workload.
    Sizes(Measured),
}

/// Why data cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarriedError {
    /// The link names a file that is not here.
    NotHere,
    /// It is not of the form, was cut, or holds something else.
    Damaged,
}

impl fmt::Display for CarriedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotHere => {
                "the link names a file of its author's that is too large to be in it (t=f1.): drop that file in Your data and play it from there"
            }
            Self::Damaged => "the data in the link (t=z1.) cannot be unpacked: it was cut or changed on its way",
        })
    }
}

impl std::error::Error for CarriedError {}

/// A text, compressed.
pub fn pack(text: &str) -> String {
    let mut data = WHOLE.to_owned();
    URL_SAFE_NO_PAD.encode_string(compress_to_vec(text.as_bytes(), 9), &mut data);
    data
}

/// What a link says of data: all of it where it is short, otherwise a digest.
pub fn in_link(data: &str) -> String {
    if data.len() <= LONGEST_IN_LINK {
        return data.to_owned();
    }
    let digest = Fnv1a64::of(data);
    format!("{NAMED}{:08x}", digest >> 32)
}

/// The text of packed data.
///
/// # Errors
/// It is only named, or damaged.
pub fn unpack(data: &str) -> Result<String, CarriedError> {
    if data.starts_with(NAMED) {
        return Err(CarriedError::NotHere);
    }
    let body = data.strip_prefix(WHOLE).ok_or(CarriedError::Damaged)?;
    let bytes = URL_SAFE_NO_PAD.decode(body).map_err(|_| CarriedError::Damaged)?;
    let text = decompress_to_vec_with_limit(&bytes, LONGEST_TEXT).map_err(|_| CarriedError::Damaged)?;
    String::from_utf8(text).map_err(|_| CarriedError::Damaged)
}

/// What packed data plays.
///
/// # Errors
/// It is only named, damaged, or neither a trace nor a distribution.
pub fn carried(data: &str) -> Result<Carried, CarriedError> {
    let text = unpack(data)?;
    if let Some(sizes) = read_sizes_text(&text) {
        return Ok(Carried::Sizes(sizes));
    }
    match read_trace(text.as_bytes()) {
        Ok(ops) if !ops.is_empty() => Ok(Carried::Stream(ops)),
        _ => Err(CarriedError::Damaged),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::sizes::sizes_text;

    #[test]
    fn traces_and_sizes_come_back() {
        let trace = "a 0 100\na 1 2000\nf 0\nc\na 0 7\n";
        let Ok(Carried::Stream(ops)) = carried(&pack(trace)) else { unreachable!() };
        assert_eq!(ops, read_trace(trace.as_bytes()).unwrap());
        let sizes = Measured::new(&[(100, 100, 2), (300, 400, 6)]).unwrap();
        assert_eq!(carried(&pack(&sizes_text(&sizes))), Ok(Carried::Sizes(sizes)));
    }

    #[test]
    fn links_made_before_are_read_for_ever() {
        // "a 0 100\nf 0\n"
        let Ok(Carried::Stream(ops)) = carried("z1.S1QwUDA0MOBKUzDgAgA") else { unreachable!() };
        assert_eq!(ops.len(), 2);
    }

    #[test]
    fn only_short_data_is_in_a_link() {
        let short = pack("a 0 100\n");
        assert_eq!(in_link(&short), short);
        let long: String = (0..20_000u64).map(|i| format!("a {i} {}\n", i * i * 7919 % 4093 + 1)).collect();
        let named = in_link(&pack(&long));
        assert!(named.len() == 11 && named.starts_with("f1."), "{named}");
        assert_eq!(carried(&named), Err(CarriedError::NotHere));
    }

    #[test]
    fn damage_is_told() {
        for data in
            ["", "z1.", "z1.!!", "z1.AAAA", "z2.AAAA", &pack(""), &pack("prose"), &pack("from,to,count\n")]
        {
            assert_eq!(carried(data), Err(CarriedError::Damaged), "{data}");
        }
        let whole = pack(&"a 0 100\nf 0\n".repeat(50));
        assert_eq!(carried(&whole[..whole.len() - 4]), Err(CarriedError::Damaged));
        // A megabyte of zeros a thousand times over does not become a gigabyte.
        let bomb = compress_to_vec(&vec![b'\n'; LONGEST_TEXT + 1], 9);
        assert_eq!(unpack(&format!("z1.{}", URL_SAFE_NO_PAD.encode(bomb))), Err(CarriedError::Damaged));
    }
}
