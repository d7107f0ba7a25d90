//! The setting that the page's panel has, for answers that follow it.
//!
//! Generations travel by their place in the list of all: page and worker are built together.

use serde::{Deserialize, Serialize};
use slabscope_answers::input::Input;
use slabscope_core::model::AnyConfig;
use slabscope_core::whatif::Setting;
use slabscope_core::{slub, zblock, zsmalloc};

/// A setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    model: u8,
    generation: u8,
    page_shift: u8,
    /// Max pages of zsmalloc, max order of SLUB.
    most: u8,
    /// Min order of SLUB.
    least: u8,
    cpus: u32,
    min_objects: u32,
}

fn place<T: PartialEq>(all: &[T], entry: &T) -> u8 {
    all.iter().position(|other| other == entry).unwrap_or(0) as u8
}

impl Asked {
    /// That of a configuration.
    pub fn new(config: &AnyConfig) -> Self {
        let none =
            Self { model: 0, generation: 0, page_shift: 0, most: 0, least: 0, cpus: 0, min_objects: 0 };
        match config {
            AnyConfig::Zsmalloc(config) => Self {
                generation: place(&zsmalloc::Era::ALL, &config.era),
                page_shift: config.page_shift,
                most: config.max_pages,
                ..none
            },
            AnyConfig::Zblock(config) => Self {
                model: 1,
                generation: place(&zblock::Version::ALL, &config.version),
                page_shift: config.page_shift,
                ..none
            },
            AnyConfig::Slub(config) => Self {
                model: 2,
                generation: place(&slub::Generation::ALL, &config.generation),
                page_shift: config.page_shift,
                most: config.max_order,
                least: config.min_order,
                cpus: config.cpus,
                min_objects: config.min_objects,
            },
        }
    }

    /// As a setting for the objects of an input; `None` for SLUB.
    pub(crate) fn setting(&self, input: &Input) -> Option<Setting> {
        let at = usize::from(self.generation);
        match self.model {
            0 => {
                let era = *zsmalloc::Era::ALL.get(at)?;
                let mut config =
                    zsmalloc::Config { page_shift: self.page_shift, max_pages: self.most, ..input.own };
                if era != input.own.era {
                    config = zsmalloc::Config {
                        page_shift: self.page_shift,
                        max_pages: self.most,
                        ..zsmalloc::Config::default_for(era)
                    };
                }
                Some(Setting::Zsmalloc(config))
            }
            1 => Some(Setting::Zblock(zblock::Config {
                version: *zblock::Version::ALL.get(at)?,
                page_shift: self.page_shift,
            })),
            _ => None,
        }
    }

    /// As a setting of SLUB; `None` for the others.
    pub(crate) fn slub(&self, now: &slub::Config) -> Option<slub::Config> {
        let generation = *slub::Generation::ALL.get(usize::from(self.generation))?;
        (self.model == 2).then_some(slub::Config {
            generation,
            page_shift: self.page_shift,
            cpus: self.cpus,
            min_objects: self.min_objects,
            min_order: self.least,
            max_order: self.most,
            ..*now
        })
    }
}
