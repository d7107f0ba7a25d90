//! The packed form in which sizes are kept: numbers as text.

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
}
