//! Where the parts of an object lie in its place, and so how large the place is.

use std::fmt;

use super::Generation;

/// Bytes of a word and of a pointer.
const WORD: u64 = 8;

/// Bytes of a line of the CPU's cache.
const CACHE_LINE: u64 = 64;

macro_rules! flags {
    ($($(#[doc = $doc:literal])+ $NAME:ident = $bit:literal, $text:literal;)+) => {
        /// What a cache asks of its layout.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct LayoutFlags(u8);

        impl LayoutFlags {
            $($(#[doc = $doc])+ pub const $NAME: Self = Self(1 << $bit);)+

            /// Every flag with its name.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$NAME, $text),)+];
        }
    };
}

flags! {
    /// `SLAB_HWCACHE_ALIGN`: aligned to lines of the CPU's cache.
    HWCACHE = 0, "HWCACHE";
    /// `SLAB_TYPESAFE_BY_RCU`: a free object may still be read.
    RCU = 1, "RCU";
    /// `SLAB_POISON`: free objects are overwritten.
    POISON = 2, "POISON";
    /// `SLAB_RED_ZONE`: bytes beside the object are checked.
    REDZONE = 3, "REDZONE";
    /// `SLAB_STORE_USER`: who allocated and freed is recorded.
    STORE_USER = 4, "STORE_USER";
    /// Objects have a constructor.
    CTOR = 5, "CTOR";
    /// A kmalloc cache.
    KMALLOC = 6, "KMALLOC";
}

impl LayoutFlags {
    /// No flags.
    pub const NONE: Self = Self(0);

    /// These and others.
    #[must_use]
    pub const fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// True if one of `others` is among them.
    pub const fn any(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }

    /// Reads names separated by `|`, or `-`.
    ///
    /// # Errors
    /// The name that is not known.
    pub fn parse(text: &str) -> Result<Self, &str> {
        if text == "-" {
            return Ok(Self::NONE);
        }
        text.split('|').try_fold(Self::NONE, |flags, name| {
            let known = Self::ALL.iter().find(|&&(_, known)| known == name);
            known.map(|&(flag, _)| flags.with(flag)).ok_or(name)
        })
    }
}

impl fmt::Display for LayoutFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for &(flag, name) in Self::ALL {
            if self.any(flag) {
                write!(f, "{separator}{name}")?;
                separator = "|";
            }
        }
        if separator.is_empty() { f.write_str("-") } else { Ok(()) }
    }
}

/// A place for an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Alignment of places.
    pub align: u32,
    /// Bytes from the object's start to the first metadata (`inuse`).
    pub inuse: u32,
    /// Bytes from the object's start to the free pointer.
    pub offset: u32,
    /// Bytes in front of the object.
    pub red_left_pad: u32,
    /// Bytes of the place.
    pub size: u32,
}

/// Why there is no layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutError {
    /// The object size is 0.
    ZeroSize,
    /// The alignment is not a power of two.
    Align(u32),
    /// The place would have 4 GiB or more.
    TooLarge,
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ZeroSize => f.write_str("object size 0: an object has at least 1 byte"),
            Self::Align(given) => write!(f, "alignment {given}: 0 or a power of two is possible"),
            Self::TooLarge => f.write_str("such an object takes 4 GiB or more"),
        }
    }
}

impl std::error::Error for LayoutError {}

/// Lays out the objects of a cache. `align_arg` is the alignment that the cache asks for, or 0.
///
/// # Errors
/// A number is outside what is modelled.
pub fn layout(
    generation: Generation,
    object_size: u32,
    align_arg: u32,
    flags: LayoutFlags,
) -> Result<Layout, LayoutError> {
    if object_size == 0 {
        return Err(LayoutError::ZeroSize);
    }
    if align_arg != 0 && !align_arg.is_power_of_two() {
        return Err(LayoutError::Align(align_arg));
    }
    let rules = &generation.rules().layout;
    let red_zone = flags.any(LayoutFlags::REDZONE);
    let keeps_requested = rules.requested_bytes > 0 && flags.any(LayoutFlags::KMALLOC);
    let object = u64::from(object_size);
    let align = alignment(object, align_arg.into(), flags);
    let mut size = object.next_multiple_of(WORD);
    if red_zone && size == object {
        size += WORD;
    }
    let inuse = size;
    // What still reads a free object, or overwrites it, leaves no room for the pointer inside.
    let outside = flags.any(LayoutFlags::RCU.with(LayoutFlags::POISON).with(LayoutFlags::CTOR))
        || red_zone && rules.left_red_zone && object < WORD
        || red_zone && rules.requested_moves_pointer && keeps_requested && flags.any(LayoutFlags::STORE_USER);
    let offset = if outside {
        size += WORD;
        inuse
    } else if rules.middle_pointer {
        object / 2 / WORD * WORD
    } else {
        0
    };
    if flags.any(LayoutFlags::STORE_USER) {
        size += 2 * rules.track_bytes;
        size += if keeps_requested { rules.requested_bytes } else { 0 };
    }
    let mut red_left_pad = 0;
    if red_zone {
        size += WORD;
        if rules.left_red_zone {
            red_left_pad = WORD.next_multiple_of(align);
            size += red_left_pad;
        }
    }
    size = size.next_multiple_of(align);
    // Everything else is smaller than the place, but for the alignment, and that divides it.
    let narrow = |bytes: u64| u32::try_from(bytes).map_err(|_| LayoutError::TooLarge);
    Ok(Layout {
        align: narrow(align)?,
        inuse: narrow(inuse)?,
        offset: narrow(offset)?,
        red_left_pad: narrow(red_left_pad)?,
        size: narrow(size)?,
    })
}

fn alignment(object: u64, wanted: u64, flags: LayoutFlags) -> u64 {
    let mut align = wanted;
    if flags.any(LayoutFlags::HWCACHE) {
        let mut part = CACHE_LINE;
        while object <= part / 2 {
            part /= 2;
        }
        align = align.max(part);
    }
    align.max(WORD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_read_as_they_are_written() {
        for bits in 0..1 << LayoutFlags::ALL.len() {
            let flags = LayoutFlags(bits);
            assert_eq!(LayoutFlags::parse(&flags.to_string()), Ok(flags));
        }
        assert_eq!(LayoutFlags::parse("RCU|OTHER"), Err("OTHER"));
        assert_eq!(LayoutFlags::parse(""), Err(""));
    }

    #[test]
    fn a_constructor_makes_room_for_the_free_pointer() {
        // The node of the radix tree of 2008, and the dentry.
        let size = |object, flags| layout(Generation::V2_6_26, object, 0, flags).map(|layout| layout.size);
        assert_eq!(size(552, LayoutFlags::CTOR), Ok(560));
        assert_eq!(size(208, LayoutFlags::NONE), Ok(208));
    }

    #[test]
    fn extremes_do_not_overflow() {
        let all = LayoutFlags((1 << LayoutFlags::ALL.len()) - 1);
        for generation in Generation::ALL {
            assert_eq!(layout(generation, u32::MAX, 0, all), Err(LayoutError::TooLarge));
            assert_eq!(layout(generation, u32::MAX, 0, LayoutFlags::NONE), Err(LayoutError::TooLarge));
            assert!(layout(generation, 1, 1 << 31, LayoutFlags::NONE).is_ok());
            assert_eq!(layout(generation, 1, 24, all), Err(LayoutError::Align(24)));
            assert_eq!(layout(generation, 0, 0, all), Err(LayoutError::ZeroSize));
        }
    }
}
