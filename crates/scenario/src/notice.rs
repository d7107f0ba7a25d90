//! What a reader is told about a link or a choice that did not go through as written.

use std::fmt;

/// Why there is a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// A value is not allowed; another one is used.
    BadValue,
    /// The key means nothing for the chosen allocator; it is left out.
    NotApplicable,
    /// A key that this version does not know; it is kept.
    UnknownKey,
    /// The link was made by a newer version.
    NewerVersion,
    /// A key is given more than once.
    Duplicate,
    /// The value was understood, with something to say about it (a kernel version and its rules).
    Understood,
    /// The link was made by an older version and was converted.
    Upgraded,
}

impl NoticeKind {
    /// True if what is shown differs from what was asked for.
    pub const fn is_warning(self) -> bool {
        !matches!(self, Self::Understood | Self::Upgraded)
    }
}

/// One thing to tell the reader: [`Display`](fmt::Display) gives the whole sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Why.
    pub kind: NoticeKind,
    /// The link key it is about, with its prefix (`2.mp`); empty if about the whole link.
    pub key: String,
    /// The value as given, shortened.
    pub value: String,
    /// The reason and what is done instead.
    pub reason: String,
}

impl Notice {
    /// A notice about a key and its value.
    pub fn new(kind: NoticeKind, key: &str, value: &str, reason: impl Into<String>) -> Self {
        Self { kind, key: shortened(key), value: shortened(value), reason: reason.into() }
    }

    /// The same about a key with a prefix.
    pub(crate) fn about(self, key: &str) -> Self {
        Self { key: shortened(key), ..self }
    }

    /// The same with what is done about it.
    pub(crate) fn and(self, consequence: &str) -> Self {
        Self { reason: format!("{}; {consequence}", self.reason), ..self }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.key.is_empty(), self.value.is_empty()) {
            (true, _) => write!(f, "{}", self.reason),
            (false, true) => write!(f, "{}: {}", self.key, self.reason),
            (false, false) => write!(f, "{}={}: {}", self.key, self.value, self.reason),
        }
    }
}

impl std::error::Error for Notice {}

/// A value short enough to be shown.
pub(crate) fn shortened(text: &str) -> String {
    const MOST_CHARS: usize = 40;
    match text.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Notice, NoticeKind};

    #[test]
    fn a_notice_names_key_value_and_reason() {
        let notice = Notice::new(NoticeKind::BadValue, "mp", "17", "1 to 16; 8 is used");
        assert_eq!(notice.to_string(), "mp=17: 1 to 16; 8 is used");
        let long = Notice::new(NoticeKind::BadValue, "t", &"\u{e9}".repeat(90), "too long");
        assert_eq!(long.value.chars().count(), 41);
    }
}
