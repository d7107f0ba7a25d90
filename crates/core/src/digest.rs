//! FNV-1a with 64 bits: the digest of operation logs, of links and of golden files.

use std::fmt;

/// A running FNV-1a-64 over bytes or formatted text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv1a64(u64);

impl Fnv1a64 {
    const OFFSET_BASIS: u64 = 14_695_981_039_346_656_037;
    const PRIME: u64 = 1_099_511_628_211;

    /// The digest of nothing.
    pub const fn new() -> Self {
        Self(Self::OFFSET_BASIS)
    }

    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(Self::PRIME);
        }
    }

    /// The digest so far. Print it with `{:016x}`; a link carries the first eight digits.
    pub const fn value(self) -> u64 {
        self.0
    }

    /// The digest of one piece of text.
    pub fn of(text: &str) -> u64 {
        let mut digest = Self::new();
        digest.update(text.as_bytes());
        digest.value()
    }
}

impl Default for Fnv1a64 {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Write for Fnv1a64 {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.update(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Fnv1a64;

    #[test]
    fn published_vectors() {
        assert_eq!(Fnv1a64::of(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(Fnv1a64::of("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(Fnv1a64::of("foobar"), 0x8594_4171_f739_67e8);
    }
}
