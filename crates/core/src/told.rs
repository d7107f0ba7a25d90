//! Numbers read back from the words of [`tell`](crate::tell): what is shown is sorted, drawn and written for programs.

/// A number as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told<'a> {
    /// Its value in hundredths; further decimals are cut off.
    pub hundredths: i64,
    /// Its letters: a sign, digits that may be grouped by commas, and decimals.
    pub letters: &'a str,
    /// What follows it.
    pub rest: &'a str,
}

/// The number that a text begins with. Signs are the hyphen and the minus sign; commas stand between groups of three.
pub fn leading(text: &str) -> Option<Told<'_>> {
    let unsigned = text.strip_prefix(['-', '\u{2212}']).unwrap_or(text);
    let bytes = unsigned.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = digits(0);
    if end == 0 {
        return None;
    }
    if end <= 3 {
        while bytes.get(end) == Some(&b',') && digits(end + 1) == 3 {
            end += 4;
        }
    }
    let whole = end;
    if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    let shifted = |value: i64, digit: u8| value.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
    let kept = bytes[..whole].iter().filter(|byte| **byte != b',');
    // Two decimals, or zeros in their place.
    let decimals = bytes[whole..end].iter().skip(1).chain(b"00").take(2);
    let value = kept.chain(decimals).fold(0, |value, digit| shifted(value, *digit));
    let (letters, rest) = text.split_at(text.len() - unsigned.len() + end);
    Some(Told { hundredths: if unsigned.len() < text.len() { -value } else { value }, letters, rest })
}

/// The value in hundredths of a text that is a number and nothing else.
pub fn number(text: &str) -> Option<i64> {
    leading(text).filter(|told| told.rest.is_empty()).map(|told| told.hundredths)
}

/// A text that is a number and nothing else, as programs write it: without separators and with a hyphen for a sign.
/// Digits with zeros in front are a name.
pub fn plain(text: &str) -> Option<String> {
    leading(text).filter(|told| told.rest.is_empty())?;
    let digits = text.trim_start_matches(['-', '\u{2212}']);
    let is_name = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    (!is_name).then(|| text.replace('\u{2212}', "-").replace(',', ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tell::{grouped, hundredths, tenths};

    #[test]
    fn what_is_told_is_read_back() {
        for value in [0, 7, 99, 100, 12_345, 99_999, 100_000, 123_456_789, -5, -100, -123_456] {
            let exact = f64::from(value) / 100.0;
            assert_eq!(number(&hundredths(exact)), Some(value.into()), "{exact}");
            let tenths = tenths(f64::from(value / 10) / 10.0);
            assert_eq!(number(&tenths), Some(i64::from(value / 10 * 10)), "{tenths}");
        }
        assert_eq!(number(&grouped(u64::MAX)), Some(i64::MAX), "beyond the range is the end of it");
    }

    #[test]
    fn the_beginning_of_a_text_is_its_number() {
        let split = |text| leading(text).map(|told| (told.hundredths, told.letters, told.rest));
        assert_eq!(split("\u{2212}50 (\u{2212}25.0 %)"), Some((-5_000, "\u{2212}50", " (\u{2212}25.0 %)")));
        assert_eq!(split("1,632 bytes"), Some((163_200, "1,632", " bytes")));
        assert_eq!(split("3.149"), Some((314, "3.149", "")));
        assert_eq!(split("4,16"), Some((400, "4", ",16")), "a list");
        assert_eq!(split("1234,567"), Some((123_400, "1234", ",567")), "no groups of three");
        assert_eq!(split("1."), Some((100, "1", ".")));
        for text in ["", "-", "\u{2212}", "same", ",5", ".5", "kmalloc-64", "+3"] {
            assert_eq!(leading(text), None, "{text}");
        }
    }

    #[test]
    fn programs_get_plain_numbers() {
        let is = |text| plain(text).unwrap_or_default();
        assert_eq!(
            ["1,234", "\u{2212}5.25", "0", "-0.5", "1632"].map(is),
            ["1234", "-5.25", "0", "-0.5", "1632"]
        );
        for text in ["", "4,16", "007", "1.", "5 %", "-", "1,234,5", "00"] {
            assert_eq!(plain(text), None, "{text}");
        }
    }
}
