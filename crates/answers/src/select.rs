//! Which settings are asked for: lists and ranges of numbers, models by name.

use slabscope_core::model::Model;
use slabscope_core::whatif::Setting;
use slabscope_core::zblock::{self, Version};
use slabscope_core::zsmalloc::{Bits, Config, Era};

/// An allocator with its generation; what is left open follows from the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Candidate {
    /// zsmalloc; `None`: the input's own generation.
    Zsmalloc(Option<Era>),
    /// zblock.
    Zblock(Version),
}

/// The settings asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Allocators, in the order of their rows.
    pub candidates: Vec<Candidate>,
    /// Page shifts; none: the input's own.
    pub page_shifts: Vec<u8>,
    /// Most pages of a zspage, for allocators that have such a number.
    pub max_pages: Vec<u8>,
    /// Bytes between zsmalloc's size classes, where they are not those of the input.
    pub class_delta: Option<u32>,
}

impl Default for Selection {
    /// The input's own generation and page size with all max pages, and the newest zblock in C.
    fn default() -> Self {
        Self {
            candidates: vec![Candidate::Zsmalloc(None), Candidate::Zblock(Version::default())],
            page_shifts: Vec::new(),
            max_pages: Config::MAX_PAGES.collect(),
            class_delta: None,
        }
    }
}

impl Selection {
    /// Every combination, whether or not it exists.
    pub fn settings(&self, own: &Config) -> Vec<Setting> {
        let own_shift = [own.page_shift];
        let page_shifts = if self.page_shifts.is_empty() { &own_shift[..] } else { &self.page_shifts };
        let mut settings = Vec::new();
        for candidate in &self.candidates {
            for &page_shift in page_shifts {
                match *candidate {
                    Candidate::Zblock(version) => {
                        settings.push(Setting::Zblock(zblock::Config { version, page_shift }));
                    }
                    Candidate::Zsmalloc(era) => {
                        let era = era.unwrap_or(own.era);
                        let same_bits = era == own.era || own.bits == Bits::B32;
                        let phys_bits =
                            if same_bits { own.phys_bits } else { Config::default_for(era).phys_bits };
                        let class_delta = self.class_delta.or(own.class_delta);
                        settings.extend(self.max_pages.iter().map(|&max_pages| {
                            Setting::Zsmalloc(Config {
                                era,
                                phys_bits,
                                page_shift,
                                max_pages,
                                class_delta,
                                ..*own
                            })
                        }));
                    }
                }
            }
        }
        settings
    }
}

/// What a setting may be compared with beside other max pages: every other page size, every other generation as it
/// comes, every version of zblock.
pub fn relatives(own: &Config) -> Vec<Setting> {
    let page_shifts = Config::PAGE_SHIFTS.filter(|&page_shift| page_shift != own.page_shift);
    let sizes = page_shifts.map(|page_shift| Setting::Zsmalloc(Config { page_shift, ..*own }));
    let eras = Era::ALL.into_iter().filter(|&era| era != own.era).map(|era| {
        Setting::Zsmalloc(Config { page_shift: own.page_shift, bits: own.bits, ..Config::default_for(era) })
    });
    let versions = Version::ALL
        .into_iter()
        .map(|version| Setting::Zblock(zblock::Config { version, page_shift: own.page_shift }));
    sizes.chain(eras).chain(versions).collect()
}

/// Numbers in lists and ranges: "4", "4,8,16", "1..16", "4-8,16". Whether a setting has such a number is the
/// setting's affair.
///
/// # Errors
/// The part that is none.
pub fn numbers(text: &str) -> Result<Vec<u8>, String> {
    let mut all = Vec::new();
    for part in text.split(',') {
        let part = part.trim();
        let ends = part.split_once("..").or_else(|| part.split_once('-')).unwrap_or((part, part));
        let number = |end: &str| end.trim().trim_start_matches('=').parse::<u8>().ok();
        match (number(ends.0), number(ends.1)) {
            (Some(first), Some(last)) if first <= last => {
                let new: Vec<u8> = (first..=last).filter(|number| !all.contains(number)).collect();
                all.extend(new);
            }
            _ => return Err(format!("\u{201c}{part}\u{201d} is neither a number nor a range such as 4..8")),
        }
    }
    Ok(all)
}

/// Models by name: "zsmalloc", "zsmalloc:6.1", "zsmalloc:5.15,zblock:v4".
///
/// # Errors
/// The part that is none, with what is possible.
pub fn candidates(text: &str) -> Result<Vec<Candidate>, String> {
    text.split(',').map(|part| candidate(part.trim())).collect()
}

fn candidate(text: &str) -> Result<Candidate, String> {
    let (name, era) = text.split_once(':').map_or((text, None), |(name, era)| (name, Some(era)));
    match Model::from_name(name) {
        Some(Model::Zsmalloc) => era.map(zsmalloc_era).transpose().map(Candidate::Zsmalloc),
        Some(Model::Zblock) => {
            era.map(zblock_version).transpose().map(|version| Candidate::Zblock(version.unwrap_or_default()))
        }
        _ => Err(format!("\u{201c}{text}\u{201d}: zsmalloc:ERA and zblock:ERA are possible")),
    }
}

/// An era of zsmalloc, or that of a kernel version.
///
/// # Errors
/// The name is neither; says what is.
pub fn zsmalloc_era(name: &str) -> Result<Era, String> {
    let found = Era::from_name(name).map_or_else(|| Era::for_kernel(name).map(|found| found.era), Ok);
    let names = || Era::ALL.map(Era::name).join(", ");
    found.map_err(|why| format!("era: {why}; eras are {}", names()))
}

/// A version of zblock.
///
/// # Errors
/// The name is none; says what is.
pub fn zblock_version(name: &str) -> Result<Version, String> {
    Version::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Version::ALL.iter().map(|version| version.name()).collect();
        format!("era: zblock has no \u{201c}{name}\u{201d}; versions are {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges() {
        assert_eq!(numbers("1..16"), Ok((1..=16).collect()));
        assert_eq!(numbers("4-6, 16,5"), Ok(vec![4, 5, 6, 16]));
        assert_eq!(numbers("12..=14"), Ok(vec![12, 13, 14]));
        for bad in ["", "8..4", "1..", "x", "4,,8", "300", "-3"] {
            assert!(numbers(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn models_with_and_without_a_generation() {
        assert_eq!(
            candidates("zsmalloc,zsmalloc:5.15,zblock,zblock:v4"),
            Ok(vec![
                Candidate::Zsmalloc(None),
                Candidate::Zsmalloc(Some(Era::V6_1)),
                Candidate::Zblock(Version::default()),
                Candidate::Zblock(Version::V4),
            ])
        );
        for bad in ["slub", "zsmalloc:3.0", "zblock:v9", ""] {
            assert!(candidates(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn defaults_are_those_of_the_input() {
        let own = Config { page_shift: 14, max_pages: 4, ..Config::default_for(Era::V6_1) };
        let settings = Selection::default().settings(&own);
        assert_eq!(settings.len(), 17);
        assert!(settings.contains(&Setting::Zsmalloc(own)));
        assert!(settings.iter().all(|setting| setting.page_shift() == 14));
    }
}
