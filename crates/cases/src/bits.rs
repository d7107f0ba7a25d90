//! The two packed forms in which sizes and operations are kept: numbers as text, operations as bits.

use slabscope_core::ops::{Op, Ops};
use slabscope_core::pool::ObjectId;

/// The 64 digits, those of Base64 in their order.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Reads numbers of variable length, as source maps write them: five bits to a digit, lowest first, and a sixth that
/// says that more follow. Blanks and line ends do not count. `None` if anything else is found, or a number does not fit.
pub(crate) fn numbers(text: &[u8]) -> Option<Vec<u32>> {
    let (mut found, mut number, mut shift) = (Vec::new(), 0u64, 0);
    for &byte in text.iter().filter(|byte| !byte.is_ascii_whitespace()) {
        let digit = DIGITS.iter().position(|&digit| digit == byte)? as u64;
        number |= (digit & 31) << shift;
        if digit & 32 == 0 {
            found.push(u32::try_from(number).ok()?);
            (number, shift) = (0, 0);
        } else {
            shift += 5;
            if shift > 30 {
                return None;
            }
        }
    }
    (shift == 0).then_some(found)
}

/// Reads operations: bit 0 and a size less one in twelve bits, or bit 1 and which of the live objects is freed, in as
/// many bits as are needed to tell them apart; lowest bits first. Objects are numbered in the order of allocation;
/// the last of the live ones takes the place of a freed one. `None` where nothing is live to free.
pub(crate) fn operations(bytes: &[u8], count: usize) -> Option<Ops> {
    let mut at = 0usize;
    let mut take = |bits: u32| {
        let value = (0..bits).try_fold(0u32, |value, bit| {
            let byte = bytes.get((at + bit as usize) / 8)?;
            Some(value | u32::from(byte >> ((at + bit as usize) % 8) & 1) << bit)
        })?;
        at += bits as usize;
        Some(value)
    };
    let (mut ops, mut live, mut next) = (Ops::new(), Vec::<u32>::new(), 0);
    for _ in 0..count {
        ops.push(if take(1)? == 0 {
            live.push(next);
            next += 1;
            Op::Alloc { object: ObjectId(next - 1), size: take(12)? + 1 }
        } else {
            let last = live.len().checked_sub(1)?;
            let which = take(usize::BITS - last.leading_zeros())? as usize;
            if which > last {
                return None;
            }
            Op::Free { object: ObjectId(live.swap_remove(which)) }
        });
    }
    Some(ops)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_length() {
        assert_eq!(numbers(b"A f\nhB/"), None, "the last one goes on");
        assert_eq!(numbers(b"A f\nhB"), Some(vec![0, 31, 33]));
        assert_eq!(numbers(b"A!"), None);
        assert_eq!(numbers(b"///////D"), None, "too long");
        assert_eq!(numbers(b""), Some(Vec::new()));
    }

    #[test]
    fn operations_and_their_ends() {
        // Sizes 1 and 2; then the second of the two is freed, and the only one left, for which no bits are needed.
        let bits = [0, 0b0100_0000, 0, 0b0001_1100];
        let ops: Option<Vec<Op>> = operations(&bits, 4).map(|ops| ops.iter().collect());
        let alloc = |object, size| Op::Alloc { object: ObjectId(object), size };
        let free = |object| Op::Free { object: ObjectId(object) };
        assert_eq!(ops, Some(vec![alloc(0, 1), alloc(1, 2), free(1), free(0)]));
        assert_eq!(operations(&[0, 0b0100_0000, 0, 0b0011_1100], 5), None, "nothing is left to free");
        assert_eq!(operations(&bits[..1], 1), None, "the bits end");
    }
}
