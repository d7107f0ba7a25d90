//! What commands need to know of zblock.

use slabscope_core::zblock::{Config, Version};

use super::options::{Setting, ignore};
use crate::fail::Failure;

/// The zblock configuration that is meant. Options that zblock has no use for are named on standard error.
///
/// # Errors
/// The version is unknown.
pub(crate) fn config(setting: &Setting) -> Result<Config, Failure> {
    let version = match &setting.era {
        None => Version::default(),
        Some(name) => Version::from_name(name).ok_or_else(|| unknown_version(name))?,
    };
    ignore("zblock", setting.zsmalloc.only_zsmalloc());
    Ok(Config { version, page_shift: setting.zsmalloc.page_shift })
}

fn unknown_version(name: &str) -> Failure {
    let names: Vec<&str> = Version::ALL.iter().map(|version| version.name()).collect();
    Failure::Input(format!("era: zblock has no \u{201c}{name}\u{201d}; versions are {}", names.join(", ")))
}
