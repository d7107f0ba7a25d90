//! What a caller may change of a case: its assumptions, each with a name, a range and a usual value.

use std::collections::BTreeMap;

use crate::Case;

/// Something that is not in the posting and has to be assumed, or a number of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// The name in links and on the command line: letters. Never renamed.
    pub name: &'static str,
    /// A few words for a form, with the unit.
    pub label: &'static str,
    /// What it may be.
    pub values: Values,
}

/// What an assumption may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// A whole number.
    Number {
        /// Smallest.
        min: u32,
        /// Largest.
        max: u32,
        /// What the case is told with.
        usual: u32,
    },
    /// One of these names; the case is told with the first.
    OneOf(&'static [&'static str]),
}

impl Assumption {
    pub(crate) const fn number(name: &'static str, label: &'static str, [min, max, usual]: [u32; 3]) -> Self {
        Self { name, label, values: Values::Number { min, max, usual } }
    }

    /// The seeds of what depends on chance.
    pub(crate) const fn seeds(usual: u32) -> Self {
        Self::number("seeds", "Seeds", [1, 1000, usual])
    }

    /// A number, or the place of a name in the list.
    const fn usual(&self) -> u32 {
        match self.values {
            Values::Number { usual, .. } => usual,
            Values::OneOf(_) => 0,
        }
    }

    /// A value as it is written.
    fn text(&self, value: u32) -> String {
        match self.values {
            Values::Number { .. } => value.to_string(),
            Values::OneOf(names) => names.get(value as usize).copied().unwrap_or_default().to_owned(),
        }
    }

    /// The value that is written so.
    ///
    /// # Errors
    /// What would be possible.
    fn parse(&self, text: &str) -> Result<u32, String> {
        let (found, allowed) = match self.values {
            Values::Number { min, max, .. } => {
                let number = text.parse().ok().filter(|number| (min..=max).contains(number));
                (number, format!("a whole number from {min} to {max}"))
            }
            Values::OneOf(names) => {
                let place = names.iter().position(|name| *name == text);
                (place.and_then(|place| u32::try_from(place).ok()), format!("one of {}", names.join(", ")))
            }
        };
        found.ok_or_else(|| format!("{}:{text} is not used: {allowed} is needed", self.name))
    }
}

/// The assumptions of a run that differ from the usual ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    changed: BTreeMap<&'static str, u32>,
}

impl Options {
    /// Changes one assumption of a case.
    ///
    /// # Errors
    /// The case has none of this name, or the value is not allowed; the text says what would be possible.
    pub fn set(&mut self, case: Case, name: &str, value: &str) -> Result<(), String> {
        let found = case.assumptions().iter().find(|assumption| assumption.name == name);
        let Some(assumption) = found else {
            let names: Vec<&str> = case.assumptions().iter().map(|assumption| assumption.name).collect();
            return Err(format!("{name} is no assumption of {}: it has {}", case.name(), names.join(", ")));
        };
        let value = assumption.parse(value)?;
        if value == assumption.usual() {
            self.changed.remove(assumption.name);
        } else {
            self.changed.insert(assumption.name, value);
        }
        Ok(())
    }

    /// What a text of the form `threads:64,seeds:5` says, and what in it is not used and why.
    pub fn parse(case: Case, text: &str) -> (Self, Vec<String>) {
        let (mut options, mut unused) = (Self::default(), Vec::new());
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once(':').unwrap_or((part, ""));
            unused.extend(options.set(case, name, value).err());
        }
        (options, unused)
    }

    /// The same as such a text, in the order of names; empty where nothing is changed.
    pub fn text(&self, case: Case) -> String {
        let parts = self.changed.iter().filter_map(|(name, value)| {
            let assumption = case.assumptions().iter().find(|assumption| assumption.name == *name)?;
            Some(format!("{name}:{}", assumption.text(*value)))
        });
        parts.collect::<Vec<_>>().join(",")
    }

    /// The value of an assumption as it is written, and the usual one.
    pub fn shown(&self, assumption: &Assumption) -> (String, String) {
        (assumption.text(self.get(assumption)), assumption.text(assumption.usual()))
    }

    /// The value of an assumption: the number, or the place of the name.
    pub(crate) fn get(&self, assumption: &Assumption) -> u32 {
        self.changed.get(assumption.name).copied().unwrap_or_else(|| assumption.usual())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_assumption_has_a_name_of_its_own_and_an_allowed_usual_value() {
        for case in Case::ALL {
            for (index, assumption) in case.assumptions().iter().enumerate() {
                assert!(assumption.name.bytes().all(|byte| byte.is_ascii_lowercase()), "{}", assumption.name);
                let twice = case.assumptions().iter().skip(index + 1);
                assert!(twice.filter(|other| other.name == assumption.name).count() == 0);
                assert_eq!(assumption.parse(&assumption.text(assumption.usual())), Ok(assumption.usual()));
            }
        }
    }

    #[test]
    fn texts_say_what_differs_and_name_what_is_not_used() {
        let (options, unused) =
            Options::parse(Case::Locks, "threads:64,seeds:10,sizes:libs_4k_lzo,cores:3,outside:0");
        assert_eq!(options.text(Case::Locks), "sizes:libs_4k_lzo,threads:64");
        assert_eq!(unused.len(), 2, "{unused:?}");
        assert!(unused[0].contains("cores is no assumption") && unused[0].contains("threads"));
        assert!(unused[1].contains("outside:0 is not used") && unused[1].contains("1 to 1000"));
        assert_eq!(Options::parse(Case::Locks, ""), (Options::default(), Vec::new()));
    }
}
