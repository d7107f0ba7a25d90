//! Numbers as kernels, tools and people write them.

/// A whole number in decimal digits alone; `None` above the largest `u64`.
pub(crate) fn int(word: &str) -> Option<u64> {
    let (number, rest) = leading_int(word)?;
    rest.is_empty().then_some(number)
}

/// The whole number at the start of a word, and what follows it.
pub(crate) fn leading_int(word: &str) -> Option<(u64, &str)> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let mut number = 0u64;
    for byte in word.get(..digits)?.bytes() {
        number = number.checked_mul(10)?.checked_add(u64::from(byte - b'0'))?;
    }
    (digits > 0).then(|| (number, &word[digits..]))
}

/// What a unit such as `K` or `MiB` counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kilo {
    /// 1000, as the kernel's `slabinfo` tool.
    Decimal,
    /// 1024, as all others.
    Binary,
}

/// A number with a unit, in whole units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Amount {
    /// The number times its unit, rounded down.
    pub(crate) value: u64,
    /// True if digits were cut when it was printed: it has a unit above 1.
    pub(crate) rounded: bool,
}

/// `903.8M`, `2.3GiB`, `8k`, `4096`, `4096B`.
pub(crate) fn amount(word: &str, kilo: Kilo) -> Option<Amount> {
    let (whole, rest) = leading_int(word)?;
    let (tenths, places, rest) = match rest.strip_prefix('.') {
        Some(rest) => {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            // Four places are more than any of these tools prints.
            let (kept, _) = leading_int(&rest[..digits.min(4)])?;
            (kept, digits.min(4) as u32, &rest[digits..])
        }
        None => (0, 0, rest),
    };
    let unit = unit(rest, kilo)?;
    let scale = 10u64.pow(places);
    // Units end at 2^50, so that the rest times at most 10^4 fits.
    let fraction = (unit / scale).checked_mul(tenths)? + unit % scale * tenths / scale;
    let value = whole.checked_mul(unit)?.checked_add(fraction)?;
    Some(Amount { value, rounded: unit > 1 })
}

fn unit(name: &str, kilo: Kilo) -> Option<u64> {
    let Some(letter) = name.bytes().next() else { return Some(1) };
    let power = match letter.to_ascii_uppercase() {
        b'B' => return (name.len() == 1).then_some(1),
        b'K' => 1,
        b'M' => 2,
        b'G' => 3,
        b'T' => 4,
        b'P' => 5,
        _ => return None,
    };
    let base: u64 = match kilo {
        Kilo::Decimal => 1000,
        Kilo::Binary => 1024,
    };
    matches!(&name[1..], "" | "i" | "B" | "b" | "iB" | "ib").then(|| base.pow(power))
}

/// `1,234,567` or `1'234'567`: groups of three behind the first.
pub(crate) fn has_thousands_marks(word: &str) -> bool {
    let mark = word.bytes().find(|byte| !byte.is_ascii_digit());
    let Some(mark @ (b',' | b'\'')) = mark else { return false };
    let mut groups = word.split(char::from(mark));
    let first = groups.next().unwrap_or_default();
    let is_group = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    (1..=3).contains(&first.len())
        && is_group(first)
        && groups.all(|group| group.len() == 3 && is_group(group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_digits_alone() {
        for (word, number) in [
            ("0", Some(0)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("", None),
            ("+5", None),
            ("-5", None),
            ("5x", None),
        ] {
            assert_eq!(int(word), number, "{word}");
        }
    }

    #[test]
    fn units_are_read_in_both_kilos() {
        for (word, kilo, value) in [
            ("903.8M", Kilo::Binary, Some(947_702_988)),
            ("2.3G", Kilo::Binary, Some(2_469_606_195)),
            ("1.6M", Kilo::Decimal, Some(1_600_000)),
            ("8GiB", Kilo::Binary, Some(8 << 30)),
            ("0.06K", Kilo::Binary, Some(61)),
            ("45906648K", Kilo::Binary, Some(47_008_407_552)),
            ("17B", Kilo::Binary, Some(17)),
            ("17", Kilo::Binary, Some(17)),
            ("1.123456789M", Kilo::Decimal, Some(1_123_400)),
            ("99999999999P", Kilo::Binary, None),
            ("5x", Kilo::Binary, None),
            ("5Ki.", Kilo::Binary, None),
            ("1.G", Kilo::Binary, None),
            (".5G", Kilo::Binary, None),
        ] {
            assert_eq!(amount(word, kilo).map(|amount| amount.value), value, "{word}");
        }
        assert_eq!(amount("17", Kilo::Binary).map(|amount| amount.rounded), Some(false));
        assert_eq!(amount("1K", Kilo::Binary).map(|amount| amount.rounded), Some(true));
    }

    #[test]
    fn thousands_are_groups_of_three() {
        for word in ["1,234", "12,345,678", "1'234"] {
            assert!(has_thousands_marks(word), "{word}");
        }
        for word in ["1234", "1,23", "1234,567", ",123", "1,234,", "1,234.5", "a,bcd", "1,234'567"] {
            assert!(!has_thousands_marks(word), "{word}");
        }
    }
}
