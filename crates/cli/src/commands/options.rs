//! Options that say which allocator is meant and how it is built.

use slabscope_core::zsmalloc::{Bits, Config, Era};

use crate::fail::Failure;

/// A modelled allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Allocator {
    /// zram's and zswap's allocator
    Zsmalloc,
    /// The proposed zswap backend
    Zblock,
}

/// Which allocator, and how it is built.
#[derive(Debug, clap::Args)]
pub(crate) struct Setting {
    /// The allocator
    #[arg(long, value_enum, default_value = "zsmalloc")]
    pub(crate) allocator: Allocator,
    /// Generation, or for zsmalloc a kernel version [default: 6.12; zblock: mm0508]
    #[arg(long, value_name = "ERA")]
    pub(crate) era: Option<String>,
    #[command(flatten)]
    pub(crate) zsmalloc: Zsmalloc,
}

/// How a zsmalloc is built. What is left open is what that era's kernel has on x86-64.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Zsmalloc {
    /// Bits of a word: 32 or 64 [default: 64]
    #[arg(long, value_name = "BITS")]
    bits: Option<u64>,
    /// Bits of a physical address [default: 46 up to era 6.1, then 52; 32 on 32 bit]
    #[arg(long, value_name = "BITS")]
    phys_bits: Option<u8>,
    /// PAGE_SHIFT, 12 to 16; zblock: 12, 14 or 16
    #[arg(long, value_name = "SHIFT", default_value_t = 12)]
    pub(crate) page_shift: u8,
    /// Most pages of a zspage, 1 to 16 [default: 4 up to era 6.1, then 8]
    #[arg(long, value_name = "PAGES")]
    max_pages: Option<u8>,
    /// Bytes between size classes, instead of a 256th of a page
    #[arg(long, value_name = "BYTES")]
    class_delta: Option<u32>,
}

impl Zsmalloc {
    /// Names of the options given that only zsmalloc has.
    pub(crate) fn only_zsmalloc(&self) -> impl Iterator<Item = &'static str> {
        let given = [
            ("--bits", self.bits.is_some()),
            ("--phys-bits", self.phys_bits.is_some()),
            ("--max-pages", self.max_pages.is_some()),
            ("--class-delta", self.class_delta.is_some()),
        ];
        given.into_iter().filter(|&(_, is_given)| is_given).map(|(name, _)| name)
    }
}

impl Setting {
    /// The zsmalloc configuration that is meant. A kernel version says on standard error which era it is.
    ///
    /// # Errors
    /// The era or the word size is unknown.
    pub(crate) fn zsmalloc(&self) -> Result<Config, Failure> {
        let era = match &self.era {
            None => Era::default(),
            Some(name) => match Era::from_name(name) {
                Some(era) => era,
                None => {
                    let found = Era::for_kernel(name).map_err(|error| unknown_era(&error.to_string()))?;
                    eprintln!("slabscope: {found}");
                    found.era
                }
            },
        };
        let mut config = Config::default_for(era);
        let given = &self.zsmalloc;
        if let Some(count) = given.bits {
            config.bits = Bits::from_count(count)
                .ok_or_else(|| Failure::Input(format!("bits {count}: 32 or 64 is possible")))?;
            if config.bits == Bits::B32 {
                config.phys_bits = 32;
            }
        }
        config.phys_bits = given.phys_bits.unwrap_or(config.phys_bits);
        config.page_shift = given.page_shift;
        config.max_pages = given.max_pages.unwrap_or(config.max_pages);
        config.class_delta = given.class_delta;
        Ok(config)
    }
}

fn unknown_era(why: &str) -> Failure {
    let names: Vec<&str> = Era::ALL.iter().map(|era| era.name()).collect();
    Failure::Input(format!("era: {why}; eras are {}", names.join(", ")))
}

/// Says on standard error which of the options given an allocator has no use for.
pub(crate) fn ignore<'a>(allocator: &str, options: impl IntoIterator<Item = &'a str>) {
    for option in options {
        eprintln!("slabscope: {allocator} has no {option}; ignored");
    }
}
