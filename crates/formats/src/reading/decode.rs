//! Bytes as text: other encodings, mail encodings, and what is no text at all.

use std::borrow::Cow;

/// Why bytes are no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotText {
    what: &'static str,
    advice: &'static str,
}

impl std::fmt::Display for NotText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, not text: {}", self.what, self.advice)
    }
}

impl std::error::Error for NotText {}

/// How files begin that people drop by mistake.
const KNOWN: [(&[u8], &str, &str); 9] = [
    (b"\x1f\x8b", "gzip", "unpack it first"),
    (b"PK\x03\x04", "a zip archive", "unpack it first"),
    (b"\xfd7zXZ\0", "xz", "unpack it first"),
    (b"\x28\xb5\x2f\xfd", "zstd", "unpack it first"),
    (b"BZh", "bzip2", "unpack it first"),
    (b"PERFILE2", "a recording of perf", "drop what perf script prints of it"),
    (b"\x17\x08\x44tracing", "a recording of trace-cmd", "drop what trace-cmd report prints of it"),
    (b"\x89PNG", "a picture", "drop the text that it shows"),
    (b"%PDF", "a PDF", "drop the text that it shows"),
];

/// The text of a file: UTF-8, or UTF-16 as some shells write it. Bytes that are neither become marks. Mail in
/// quoted-printable and texts with `\n` written out are unfolded, so that lines are lines.
///
/// # Errors
/// It is an archive, a recording or a picture.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, NotText> {
    if let Some(&(_, what, advice)) = KNOWN.iter().find(|known| bytes.starts_with(known.0)) {
        return Err(NotText { what, advice });
    }
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)),
        _ => String::from_utf8_lossy(bytes),
    };
    if is_quoted_printable(&text) {
        return Ok(Cow::Owned(unquote(&text)));
    }
    if !text.trim_end().contains('\n') && text.matches("\\n").count() >= 2 {
        return Ok(Cow::Owned(text.replace("\\r", "").replace("\\n", "\n").replace("\\t", "\t")));
    }
    Ok(text)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Lines that end in `=` and go on below, and `=20` or `=3D` for what they cannot hold.
fn is_quoted_printable(text: &str) -> bool {
    let soft = text.lines().filter(|line| line.ends_with('=') && line.len() > 60 && line.len() <= 76).count();
    soft >= 1 && (soft >= 3 || text.contains("=20") || text.contains("=3D"))
}

fn unquote(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        let hex = |byte: &u8| char::from(*byte).to_digit(16);
        match (first, after) {
            (b'=', [b'\n', after @ ..] | [b'\r', b'\n', after @ ..]) => rest = after,
            (b'=', [high, low, after @ ..]) if hex(high).is_some() && hex(low).is_some() => {
                bytes.push((hex(high).unwrap_or(0) * 16 + hex(low).unwrap_or(0)) as u8);
                rest = after;
            }
            _ => bytes.push(*first),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn encodings_are_unfolded() {
        let wide: Vec<u8> = "a\n\u{e9}".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&[&[0xff, 0xfe], &wide[..]].concat()).unwrap(), "a\n\u{e9}");
        let wide: Vec<u8> = "a".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(decode(&[&[0xfe, 0xff], &wide[..]].concat()).unwrap(), "a");
        assert_eq!(decode(b"a\xff").unwrap(), "a\u{fffd}");
        assert_eq!(decode(b"a\\n1\\t2\\r\\n").unwrap(), "a\n1\t2\n");
        let line = "x".repeat(70);
        assert_eq!(
            decode(format!("{line}=\ny=20=3D=C3=A9\n").as_bytes()).unwrap(),
            format!("{line}y =\u{e9}\n")
        );
        assert_eq!(decode(b"a=\nb").unwrap(), "a=\nb");
    }

    #[test]
    fn what_is_no_text_gets_advice() {
        assert_eq!(decode(b"\x1f\x8b\x08").unwrap_err().to_string(), "gzip, not text: unpack it first");
        assert!(decode(b"PERFILE2xyz").unwrap_err().to_string().contains("perf script"));
    }
}
