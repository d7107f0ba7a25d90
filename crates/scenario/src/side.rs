//! One column of values: what is set, and the defaults of everything else.

use std::collections::BTreeMap;

use crate::choice::Allocator;
use crate::notice::{Notice, NoticeKind};
use crate::param::{Fit, Key, Value};
use crate::table::PARAMS;

/// The values of one scenario. Only what differs from its default is stored, so that a value which was
/// never touched follows the defaults of another allocator or era, and equal states are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Side {
    set: BTreeMap<Key, Value>,
}

/// Copies of parameters. One after the other, because a map that is collected is sorted by a sort of its own, which weighs
/// kilobytes in WebAssembly.
fn copied<'a>(pairs: impl Iterator<Item = (&'a Key, &'a Value)>) -> BTreeMap<Key, Value> {
    let mut set = BTreeMap::new();
    set.extend(pairs.map(|(key, value)| (*key, value.clone())));
    set
}

impl Side {
    /// The value in force: the one set, or the default.
    pub fn get(&self, key: Key) -> Value {
        self.set.get(&key).cloned().unwrap_or_else(|| (key.param().default)(self))
    }

    /// True if nothing else was chosen.
    pub fn is_default(&self, key: Key) -> bool {
        !self.set.contains_key(&key)
    }

    /// The allocator.
    pub fn allocator(&self) -> Allocator {
        match self.get(Key::Allocator) {
            Value::Choice(name) => Allocator::from_name(name).unwrap_or(Allocator::Zsmalloc),
            _ => Allocator::Zsmalloc,
        }
    }

    /// A number, or 0 where it is left open.
    pub fn number(&self, key: Key) -> u64 {
        match self.get(key) {
            Value::Number(number) => number,
            _ => 0,
        }
    }

    /// The link name of a choice, or the text; empty where there is none.
    pub fn text(&self, key: Key) -> String {
        match self.get(key) {
            Value::Choice(name) => name.to_owned(),
            Value::Text(text) => text.to_string(),
            _ => String::new(),
        }
    }

    /// Sets a value. Values that make no sense with it (the era of another allocator) go back to their
    /// defaults; all others stay.
    ///
    /// # Errors
    /// Says why the value is not allowed, or that the key means nothing for this allocator; nothing is
    /// changed then.
    pub fn set(&mut self, key: Key, value: Value, fit: Fit) -> Result<(), Notice> {
        let param = key.param();
        self.check_applies(key, &value.to_string())?;
        let value = param.fit(self, value, fit)?;
        self.set.insert(key, value);
        self.normalise();
        Ok(())
    }

    /// Sets a value from the text of a link or a form. `Some` is something to tell about how it was read.
    ///
    /// # Errors
    /// As for [`Side::set`].
    pub fn set_text(&mut self, key: Key, text: &str) -> Result<Option<Notice>, Notice> {
        self.check_applies(key, text)?;
        let parsed = key.param().parse(self, text)?;
        self.set.insert(key, parsed.value);
        self.normalise();
        Ok(parsed.note.map(|note| Notice::new(NoticeKind::Understood, key.name(), text, note)))
    }

    /// Back to the default.
    pub fn reset(&mut self, key: Key) {
        self.set.remove(&key);
        self.normalise();
    }

    /// The keys that compared scenarios may differ in.
    pub(crate) fn compared(&self) -> Self {
        let set = self.set.iter().filter(|(key, _)| key.param().is_compared());
        Self { set: copied(set) }
    }

    /// The same with the compared keys of another, and without its own.
    pub(crate) fn with_compared(&self, other: &Self) -> Self {
        let kept = self.set.iter().filter(|(key, _)| !key.param().is_compared());
        let taken = other.set.iter().filter(|(key, _)| key.param().is_compared());
        let mut side = Self { set: copied(kept.chain(taken)) };
        side.normalise();
        side
    }

    fn check_applies(&self, key: Key, value: &str) -> Result<(), Notice> {
        let allocator = self.allocator();
        if key.param().allocators.contains(&allocator) {
            return Ok(());
        }
        let reason = format!("means nothing for {}; it is left out", allocator.label());
        Err(Notice::new(NoticeKind::NotApplicable, key.name(), value, reason))
    }

    /// Drops what doesn't apply, isn't allowed any more or equals its default. Defaults and lists depend
    /// only on keys before, so one pass in their order is enough.
    fn normalise(&mut self) {
        for param in &PARAMS {
            let Some(value) = self.set.remove(&param.key) else { continue };
            let fits = param.allocators.contains(&self.allocator())
                && param.fit(self, value.clone(), Fit::Exact).is_ok();
            if fits && value != (param.default)(self) {
                self.set.insert(param.key, value);
            }
        }
    }
}
