//! Small data that a link carries: a stream of operations or a distribution of sizes, packed.
//!
//! `z1.` and base64url without padding. The first byte says what it is; then come numbers of seven bits a byte, lowest
//! first. Sizes: for each range its beginning less that of the range before, its width less 1 and its objects.
//! Operations: four times a number, and the kind: 0 allocates so many bytes, 1 frees that object, 2 compacts, 3
//! reports. An allocated object gets the number that was freed last, or else the next one. The rules of the models are
//! in the page in any case, so that this takes less of a first load than any general compression, and is as short.

use std::fmt;

use slabscope_core::digest::Fnv1a64;
use slabscope_core::ops::{Op, Ops};
use slabscope_core::pool::ObjectId;
use slabscope_core::workload::Measured;

/// How data begins that is carried in full.
const WHOLE: &str = "z1.";
/// How data begins that is named only.
const NAMED: &str = "f1.";

/// Longest data that a link carries, in bytes: longer ones are named only.
pub const LONGEST_IN_LINK: usize = 6 << 10;

/// What is played instead of a workload of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Carried {
    /// A stream of operations.
    Stream(Ops),
    /// Sizes, for the shape of any workload.
    Sizes(Measured),
}

const SIZES: u8 = 0;
const STREAM: u8 = 1;

/// Why data cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarriedError {
    /// The link names a file that is not here.
    NotHere,
    /// It is not of the form, was cut, or holds nothing.
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

/// What a link says of packed data: all of it where it is short, otherwise a digest.
pub fn in_link(data: &str) -> String {
    if data.len() <= LONGEST_IN_LINK {
        return data.to_owned();
    }
    format!("{NAMED}{:08x}", Fnv1a64::of(data) >> 32)
}

/// Sizes, packed.
pub fn pack_sizes(sizes: &Measured) -> String {
    let mut bytes = vec![SIZES];
    let mut before = 0;
    for (from, to, count) in sizes.ranges() {
        number((from - before).into(), &mut bytes);
        number((to - from).into(), &mut bytes);
        number(count, &mut bytes);
        before = from;
    }
    text(&bytes)
}

/// Operations, packed under dense numbers. Frees of objects that are not live are left out.
pub fn pack_stream(ops: &Ops) -> String {
    let mut bytes = vec![STREAM];
    let mut numbers = Numbers::default();
    // The number under which each object of the stream is unpacked.
    let mut unpacked: Vec<Option<u32>> = Vec::new();
    for op in ops.iter() {
        let (kind, value) = match op {
            Op::Alloc { object, size } => {
                let place = object.0 as usize;
                if place >= unpacked.len() {
                    unpacked.resize(place + 1, None);
                }
                // An object that is allocated again without a free is another one.
                unpacked[place] = Some(numbers.take());
                (0, size)
            }
            Op::Free { object } => {
                let Some(object) = unpacked.get_mut(object.0 as usize).and_then(Option::take) else {
                    continue;
                };
                numbers.give_back(object);
                (1, object)
            }
            Op::Compact => (2, 0),
            Op::Report => (3, 0),
        };
        number(u64::from(value) << 2 | kind, &mut bytes);
    }
    text(&bytes)
}

/// What packed data plays.
///
/// # Errors
/// It is only named, damaged, or empty.
pub fn carried(data: &str) -> Result<Carried, CarriedError> {
    if data.starts_with(NAMED) {
        return Err(CarriedError::NotHere);
    }
    unpack(data).ok_or(CarriedError::Damaged)
}

fn unpack(data: &str) -> Option<Carried> {
    let bytes = bytes(data.strip_prefix(WHOLE)?)?;
    let (kind, mut rest) = bytes.split_first()?;
    if *kind == SIZES {
        let (mut ranges, mut from) = (Vec::new(), 0u32);
        while !rest.is_empty() {
            from = from.checked_add(u32::try_from(next(&mut rest)?).ok()?)?;
            let to = from.checked_add(u32::try_from(next(&mut rest)?).ok()?)?;
            ranges.push((from, to, next(&mut rest)?));
        }
        return Measured::new(&ranges).map(Carried::Sizes);
    }
    let mut ops = Ops::new();
    let mut numbers = Numbers::default();
    while *kind == STREAM && !rest.is_empty() {
        let word = next(&mut rest)?;
        let value = u32::try_from(word >> 2).ok()?;
        ops.push(match word & 3 {
            0 if value <= Ops::MAX_SIZE => Op::Alloc { object: ObjectId(numbers.take()), size: value },
            1 if numbers.give_back(value) => Op::Free { object: ObjectId(value) },
            2 => Op::Compact,
            3 => Op::Report,
            _ => return None,
        });
    }
    (!ops.is_empty()).then_some(Carried::Stream(ops))
}

/// Gives objects the number that was freed last, or else the next one.
#[derive(Default)]
struct Numbers {
    free: Vec<u32>,
    /// Whether the object of each number is live.
    live: Vec<bool>,
}

impl Numbers {
    fn take(&mut self) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.live.push(false);
            self.live.len() as u32 - 1
        });
        self.live[number as usize] = true;
        number
    }

    /// False if no live object has that number.
    fn give_back(&mut self, number: u32) -> bool {
        let is_live = self.live.get_mut(number as usize).is_some_and(std::mem::take);
        if is_live {
            self.free.push(number);
        }
        is_live
    }
}

/// Appends a number, seven bits a byte.
fn number(mut value: u64, bytes: &mut Vec<u8>) {
    while value > 127 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// The number at the start of bytes, which then begin behind it.
fn next(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 127) << shift;
        if byte & 128 == 0 {
            return Some(value);
        }
    }
    None
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Bytes as base64url, behind the mark of packed data.
fn text(bytes: &[u8]) -> String {
    let mut text = WHOLE.to_owned();
    for group in bytes.chunks(3) {
        let word =
            group.iter().zip([16, 8, 0]).fold(0u32, |word, (byte, shift)| word | u32::from(*byte) << shift);
        for shift in [18u32, 12, 6, 0].into_iter().take(group.len() + 1) {
            text.push(char::from(LETTERS[(word >> shift) as usize & 63]));
        }
    }
    text
}

/// The bytes of base64url.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut word, mut bits) = (0u32, 0u32);
    for letter in text.bytes() {
        let value = LETTERS.iter().position(|other| *other == letter)? as u32;
        word = word << 6 | value;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((word >> bits) as u8);
        }
    }
    // What is left over has no bits set in a text of ours.
    (bits < 6 && word & ((1 << bits) - 1) == 0).then_some(bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::trace::read_trace;

    fn sizes() -> Measured {
        Measured::new(&[(100, 100, 2), (300, 400, 6), (4096, 4096, 1 << 40)]).unwrap()
    }

    #[test]
    fn traces_and_sizes_come_back() {
        let trace = "a 7 100\na 9 2000\nf 12345\nf 7\nc\ns\na 7 1\nf 9\nf 7\na 3 5\n";
        let plain = "a 0 100\na 1 2000\nf 0\nc\ns\na 0 1\nf 1\nf 0\na 0 5\n";
        let Ok(Carried::Stream(ops)) = carried(&pack_stream(&read_trace(trace.as_bytes()).unwrap())) else {
            unreachable!()
        };
        assert!(ops.iter().eq(read_trace(plain.as_bytes()).unwrap().iter()));
        assert_eq!(carried(&pack_sizes(&sizes())), Ok(Carried::Sizes(sizes())));
    }

    #[test]
    fn links_made_before_are_read_for_ever() {
        let Ok(Carried::Stream(ops)) = carried("z1.AZADwD4BAg") else { unreachable!() };
        let expected = read_trace(&b"a 0 100\na 1 2000\nf 0\nc\n"[..]).unwrap();
        assert!(ops.iter().eq(expected.iter()));
        let Ok(Carried::Sizes(sizes)) = carried("z1.AGQAAsgBZAY") else { unreachable!() };
        assert_eq!(sizes, Measured::new(&[(100, 100, 2), (300, 400, 6)]).unwrap());
    }

    #[test]
    fn only_short_data_is_in_a_link() {
        let short = pack_sizes(&sizes());
        assert_eq!(in_link(&short), short);
        let long = (0..20_000).map(|object| Op::Alloc { object: ObjectId(object), size: object % 4000 + 1 });
        let named = in_link(&pack_stream(&long.collect()));
        assert!(named.len() == 11 && named.starts_with("f1."), "{named}");
        assert_eq!(carried(&named), Err(CarriedError::NotHere));
    }

    #[test]
    fn damage_is_told() {
        let twice = text(&[STREAM, 4, 1, 1]);
        let zeros = text(&[STREAM, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 1]);
        for data in [
            "", "z1.", "z1.!!", "z1.A", "z2.AAAA", "z1.AA", "z1.AQ", "z1.AQE", "z1.Ag", "z1.AZ", &zeros,
            &twice,
        ] {
            assert_eq!(carried(data), Err(CarriedError::Damaged), "{data}");
        }
    }
}
