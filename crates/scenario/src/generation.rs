//! The generations of each allocator as entries of a picker.

use slabscope_core::slub::Generation;
use slabscope_core::zblock::Version;
use slabscope_core::zsmalloc::{Era, Rules};

use crate::choice::{Allocator, Choice};
use crate::param::Key;
use crate::side::Side;

const fn entry(value: &'static str, label: &'static str) -> Choice {
    Choice { value, label }
}

/// Those of an allocator, in the order of its picker.
pub(crate) fn all(allocator: Allocator) -> Vec<Choice> {
    match allocator {
        Allocator::Zsmalloc => Era::ALL.iter().map(|era| entry(era.name(), era.label())).collect(),
        Allocator::Zblock => {
            Version::ALL.iter().map(|version| entry(version.name(), version.label())).collect()
        }
        Allocator::Slub => {
            Generation::ALL.iter().map(|generation| entry(generation.name(), generation.label())).collect()
        }
    }
}

/// The one that is meant where nothing is said.
pub(crate) fn default_name(allocator: Allocator) -> &'static str {
    match allocator {
        Allocator::Zsmalloc => Era::default().name(),
        Allocator::Zblock => Version::default().name(),
        Allocator::Slub => Generation::default().name(),
    }
}

/// Another way to write one, with what to tell the reader about it: a kernel version, or a name in which
/// a form turned `+` into a space.
///
/// # Errors
/// Why a kernel version has no era.
pub(crate) fn other_name(allocator: Allocator, text: &str) -> Result<Option<(&'static str, String)>, String> {
    let plus = text.replace(' ', "+");
    if let Some(found) = all(allocator).iter().find(|choice| choice.value == plus) {
        return Ok(Some((found.value, format!("read as {plus}"))));
    }
    match allocator {
        Allocator::Zsmalloc => match Era::for_kernel(text) {
            Ok(found) => Ok(Some((found.era.name(), found.to_string()))),
            Err(error) => Err(error.to_string()),
        },
        Allocator::Zblock | Allocator::Slub => Ok(None),
    }
}

/// The rules of zsmalloc that a side follows.
pub(crate) fn rules(side: &Side) -> &'static Rules {
    Era::from_name(&side.text(Key::Era)).unwrap_or_default().rules()
}
