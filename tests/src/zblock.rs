//! Configurations of the zblock suites.

use slabscope_core::zblock::{Config, Version};

/// `mm0508_s12` as a configuration.
pub fn config_of_tag(tag: &str) -> Option<Config> {
    let (version, page_shift) = tag.split_once("_s")?;
    Some(Config { version: Version::from_name(version)?, page_shift: page_shift.parse().ok()? })
}

/// Every configuration that exists.
pub fn all_configs() -> Vec<Config> {
    let shifts = Config::PAGE_SHIFTS;
    let all =
        Version::ALL.into_iter().flat_map(|version| shifts.map(|page_shift| Config { version, page_shift }));
    all.filter(|config| config.check().is_ok()).collect()
}
