//! Canonical forms of the values that are texts.

use crate::param::Key;
use crate::scenario::Selection;
use crate::table::PARAMS;

/// What is followed: see [`Selection`].
pub(crate) fn selection(text: &str) -> Result<String, &'static str> {
    text.parse::<Selection>().map(|selection| selection.to_string())
}

/// Data in full, or eight digits that name it: see `carried` of the formats.
pub(crate) fn data(text: &str) -> Result<String, &'static str> {
    const FORM: &str = "z1. followed by base64url, or f1. followed by eight hexadecimal digits";
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    match text.split_once('.') {
        Some(("z1", body)) if !body.is_empty() && body.bytes().all(plain) => Ok(text.to_owned()),
        Some(("f1", body)) => digest(body).map(|digits| format!("f1.{digits}")).map_err(|_| FORM),
        _ => Err(FORM),
    }
}

/// Eight lower-case hexadecimal digits.
pub(crate) fn digest(text: &str) -> Result<String, &'static str> {
    if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        Ok(text.to_ascii_lowercase())
    } else {
        Err("eight hexadecimal digits")
    }
}

/// Numbers 1 to 16, ascending, each once.
pub(crate) fn max_pages_list(text: &str) -> Result<String, &'static str> {
    let mut pages = Vec::new();
    for part in text.split(',') {
        match part.parse::<u32>() {
            Ok(number @ 1..=16) => pages.push(number),
            _ => return Err("numbers from 1 to 16, separated by commas"),
        }
    }
    slabscope_core::ranked::distinct(&mut pages);
    let pages: Vec<String> = pages.iter().map(u32::to_string).collect();
    Ok(pages.join(","))
}

/// Names and values, in the order of names. Whether a case has such an assumption is for it to say.
pub(crate) fn assumptions(text: &str) -> Result<String, &'static str> {
    const FORM: &str = "name:value, separated by commas";
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split(',') {
        let (name, value) = part.split_once(':').ok_or(FORM)?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if name.is_empty() || value.is_empty() || !name.bytes().chain(value.bytes()).all(plain) {
            return Err(FORM);
        }
        let at = parts.iter().take_while(|other| **other < part).count();
        parts.insert(at, part);
    }
    Ok(parts.join(","))
}

/// Link keys in the order of the table, each once.
pub(crate) fn keys(text: &str) -> Result<String, &'static str> {
    let asked: Vec<&str> = text.split(',').collect();
    if asked.iter().any(|name| Key::from_name(name).is_none()) {
        return Err("link keys, separated by commas");
    }
    let named = PARAMS.iter().map(|param| param.name).filter(|name| asked.contains(name));
    Ok(named.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::{assumptions, data, digest, keys, max_pages_list, selection};

    #[test]
    fn canonical_forms() {
        assert_eq!(selection("o007").as_deref(), Ok("o7"));
        assert_eq!(digest("00FFab12").as_deref(), Ok("00ffab12"));
        assert_eq!(max_pages_list("16,4,4").as_deref(), Ok("4,16"));
        assert_eq!(data("z1.aZ-_").as_deref(), Ok("z1.aZ-_"));
        assert_eq!(data("f1.00FFab12").as_deref(), Ok("f1.00ffab12"));
        assert_eq!(
            assumptions("threads:64,sizes:libs_4k_lzo").as_deref(),
            Ok("sizes:libs_4k_lzo,threads:64")
        );
        assert_eq!(keys("seed,a,seed").as_deref(), Ok("a,seed"));
    }

    #[test]
    fn what_is_not_of_the_form_is_refused() {
        for text in ["", "o", "o+1", "x1", "\u{e9}1", "o99999999999"] {
            assert!(selection(text).is_err(), "{text}");
        }
        for text in ["", "a", "a:", ":1", "a:1,", "a:1,b", "a:1:2", "a:-1"] {
            assert!(assumptions(text).is_err(), "{text}");
        }
        assert!(digest("123").is_err() && digest("1234567g").is_err());
        assert!(max_pages_list("0").is_err() && max_pages_list("4,,5").is_err());
        assert!(keys("").is_err() && keys("a,nonsense").is_err());
        assert!(data("z1.").is_err() && data("z1.a=").is_err() && data("z2.a").is_err());
        assert!(data("f1.12").is_err() && data("").is_err());
    }
}
