//! What a zblock is built with.

use std::fmt;

use super::{Rules, SlotBits, Version};

/// What a zblock is built with. Words have 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Version.
    pub version: Version,
    /// `PAGE_SHIFT`.
    pub page_shift: u8,
}

impl Config {
    /// Page shifts that are modelled: 4, 16 and 64 KiB.
    pub const PAGE_SHIFTS: [u8; 3] = [12, 14, 16];

    /// A version with 4 KiB pages.
    pub const fn default_for(version: Version) -> Self {
        Self { version, page_shift: 12 }
    }

    /// Bytes of a page.
    pub const fn page_bytes(&self) -> u32 {
        1 << self.page_shift
    }

    /// Bits of a handle for the slot (`SLOT_BITS`).
    pub const fn slot_bits(&self) -> u8 {
        match self.rules().slot_bits {
            SlotBits::BySize(small, _) if self.page_shift == 12 => small,
            SlotBits::BySize(_, large) => large,
            SlotBits::ShiftLess(less) => self.page_shift.saturating_sub(less),
        }
    }

    /// Bytes of a block in front of its first slot.
    pub const fn header_bytes(&self) -> u32 {
        let rules = self.rules();
        // A bit for each value, in words of 64.
        let bitmap = if rules.header_bitmap { (1u32 << self.slot_bits()).div_ceil(64) * 8 } else { 0 };
        (rules.header_fields + bitmap).next_multiple_of(rules.header_align)
    }

    /// Checks that this combination exists and is modelled.
    ///
    /// # Errors
    /// Why it is not.
    pub const fn check(&self) -> Result<(), ConfigError> {
        let &Self { version, page_shift } = self;
        if page_shift < 12 || page_shift > 16 {
            return Err(ConfigError::PageShift(page_shift));
        }
        let rules = self.rules();
        if rules.two_page_sizes && page_shift != 12 && page_shift != 14 {
            return Err(ConfigError::DoesNotCompile { version, page_shift });
        }
        let types = self.types();
        let bits = page_shift - self.slot_bits();
        if types > 1 << bits && rules.checks_types {
            return Err(ConfigError::TooManyTypes { version, page_shift, types, bits });
        }
        if types > 1 << bits && rules.type_in_handle {
            return Err(ConfigError::HandlesOverflow { version, page_shift, types, bits });
        }
        if page_shift % 2 != 0 {
            return Err(ConfigError::PageShift(page_shift));
        }
        Ok(())
    }

    /// What the version does.
    pub const fn rules(&self) -> &'static Rules {
        self.version.rules()
    }

    /// Number of block types.
    pub(super) const fn types(&self) -> usize {
        let rules = self.rules();
        if self.page_shift == 12 { rules.small.len() } else { rules.large.len() }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::default_for(Version::default())
    }
}

/// Why a combination of version and page size does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// The page shift is not modelled.
    PageShift(u8),
    /// The source has no table for this page size.
    DoesNotCompile {
        /// Version.
        version: Version,
        /// Page shift.
        page_shift: u8,
    },
    /// The build check finds more types than a handle can tell apart.
    TooManyTypes {
        /// Version.
        version: Version,
        /// Page shift.
        page_shift: u8,
        /// Block types.
        types: usize,
        /// Bits that a handle has for them.
        bits: u8,
    },
    /// It builds, with a warning, but handles of the last types point to other addresses.
    HandlesOverflow {
        /// Version.
        version: Version,
        /// Page shift.
        page_shift: u8,
        /// Block types.
        types: usize,
        /// Bits that a handle has for them.
        bits: u8,
    },
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::PageShift(given) => {
                write!(f, "page shift {given}: zblock is modelled with 12, 14 and 16")
            }
            Self::DoesNotCompile { version, page_shift } => write!(
                f,
                "page shift {page_shift}: zblock {} has tables for 4 and 16 KiB pages (page shift 12 and 14) and does not compile with others",
                version.name()
            ),
            Self::TooManyTypes { version, page_shift, types, bits } => write!(
                f,
                "page shift {page_shift}: zblock {} has {types} block types and {bits} bits of a handle left for them, so this kernel does not build",
                version.name()
            ),
            Self::HandlesOverflow { version, page_shift, types, bits } => write!(
                f,
                "page shift {page_shift}: zblock {} has {types} block types and {bits} bits of a handle left for them, so handles of the last types would point to other blocks",
                version.name()
            ),
        }
    }
}

impl std::error::Error for ConfigError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, page_shift: u8, expected: &str) {
        let version = Version::from_name(name).unwrap_or_default();
        let told =
            Config { version, page_shift }.check().map_or_else(|why| why.to_string(), |()| String::new());
        assert!(
            if expected.is_empty() { told.is_empty() } else { told.contains(expected) },
            "{name} {page_shift}: {told}"
        );
    }

    #[test]
    fn combinations_that_do_not_exist_say_why() {
        for version in Version::ALL {
            check(version.name(), 12, "");
            check(version.name(), 14, "");
            check(version.name(), 11, "12, 14 and 16");
            check(version.name(), 17, "12, 14 and 16");
        }
        for name in ["2022", "v1", "v4", "mm0502", "mm0507", "mm0508", "rust"] {
            check(name, 16, "");
        }
        check("v2", 16, "does not compile");
        check("v3", 13, "does not compile");
        check("v4", 13, "40 block types and 5 bits");
        check("mm0502", 13, "59 block types and 5 bits");
        check("mm0508", 13, "does not build");
        check("2022", 13, "page shift 13");
        check("rust", 15, "page shift 15");
    }
}
