//! Percent-encoding for fragments.

/// Text with `%XX` decoded. A `%` without two hexadecimal digits stands for itself; bytes that are no
/// UTF-8 become U+FFFD. A `+` is a plus sign, as in any fragment.
pub(crate) fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, after) {
            (b'%', [high, low, after @ ..]) => match (digit(*high), digit(*low)) {
                (Some(high), Some(low)) => {
                    bytes.push(high << 4 | low);
                    rest = after;
                }
                _ => bytes.push(b'%'),
            },
            _ => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A value as links write it: everything is encoded that could end a value or that mail programs cut off.
pub(crate) fn encode(text: &str) -> String {
    escape(text, b"-._~+,:@/")
}

/// What a reader wrote, kept as it is but for characters that may not stand in an address.
pub(crate) fn sanitised(raw: &str) -> String {
    escape(raw, b"-._~+,:@/%=!$'()*;?")
}

fn escape(text: &str, plain: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || plain.contains(&byte) {
            out.push(char::from(byte));
        } else {
            const HEX: &[u8; 16] = b"0123456789ABCDEF";
            out.push('%');
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
    out
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::{decode, encode, sanitised};

    #[test]
    fn decoding_undoes_encoding() {
        for text in ["", "a b&c=d#e%f", "2.6.26+rfc-order", "\u{e9}\u{1f600}", "%41", "100%"] {
            assert_eq!(decode(&encode(text)), text);
        }
        assert_eq!(decode("%4"), "%4");
        assert_eq!(decode("%zz%41"), "%zzA");
        assert_eq!(decode("%ff"), "\u{fffd}");
    }

    #[test]
    fn sanitising_twice_changes_nothing_more() {
        let once = sanitised("x=a b%20\u{e9}#<\"");
        assert_eq!(once, "x=a%20b%20%C3%A9%23%3C%22");
        assert_eq!(sanitised(&once), once);
    }
}
