//! The state of the page: one to four columns of values and what was not understood.

use std::str::FromStr;

use crate::choice::{Allocator, View};
use crate::notice::Notice;
use crate::param::{Fit, Key, Value};
use crate::side::Side;
use crate::table::PARAMS;

/// Everything that a link says. The first side also holds the keys of the page (view, step, theme ...);
/// further sides are there to be compared with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scenario {
    pub(crate) first: Side,
    pub(crate) others: Vec<Side>,
    /// Parts of a link that this version doesn't know, as they were written.
    pub(crate) unknown: Vec<String>,
}

impl Scenario {
    /// Most scenarios that are compared, the first included.
    pub const MOST_SIDES: usize = 4;

    /// The value in force.
    pub fn get(&self, key: Key) -> Value {
        self.first.get(key)
    }

    /// Sets a value of the first side.
    ///
    /// # Errors
    /// Why it is not allowed; nothing is changed then. A number that is [`Fit::Clamped`] always is allowed.
    pub fn set(&mut self, key: Key, value: Value, fit: Fit) -> Result<(), Notice> {
        self.first.set(key, value, fit)
    }

    /// Sets a value of the first side from text. `Some` is something to tell about how it was read.
    ///
    /// # Errors
    /// As for [`Scenario::set`].
    pub fn set_text(&mut self, key: Key, text: &str) -> Result<Option<Notice>, Notice> {
        self.first.set_text(key, text)
    }

    /// A number of the first side, or 0 where it is left open.
    pub fn number(&self, key: Key) -> u64 {
        self.first.number(key)
    }

    /// The link name of a choice, or a text, of the first side; empty where there is none.
    pub fn text(&self, key: Key) -> String {
        self.first.text(key)
    }

    /// Back to the default.
    pub fn reset(&mut self, key: Key) {
        self.first.reset(key);
    }

    /// The view.
    pub fn view(&self) -> View {
        View::from_name(&self.text(Key::View)).unwrap_or(View::Geometry)
    }

    /// The allocator of the first side.
    pub fn allocator(&self) -> Allocator {
        self.first.allocator()
    }

    /// What is followed in the pool.
    pub fn selection(&self) -> Option<Selection> {
        self.text(Key::Selected).parse().ok()
    }

    /// All sides, the first included.
    pub fn sides(&self) -> impl ExactSizeIterator<Item = &Side> + DoubleEndedIterator {
        let count = 1 + self.others.len();
        (0..count).map(|index| self.side(index))
    }

    /// A side, counted from 0; the first if there is no such side.
    pub fn side(&self, index: usize) -> &Side {
        index.checked_sub(1).and_then(|other| self.others.get(other)).unwrap_or(&self.first)
    }

    /// A side to change, counted from 0.
    pub fn side_mut(&mut self, index: usize) -> Option<&mut Side> {
        match index.checked_sub(1) {
            None => Some(&mut self.first),
            Some(other) => self.others.get_mut(other),
        }
    }

    /// Adds a side equal to the first and gives its number, unless there are [`Self::MOST_SIDES`].
    pub fn add_side(&mut self) -> Option<usize> {
        if self.others.len() + 1 >= Self::MOST_SIDES {
            return None;
        }
        self.others.push(self.first.compared());
        Some(self.others.len())
    }

    /// Removes a side other than the first; those behind it move up.
    pub fn remove_side(&mut self, index: usize) {
        if let Some(other) = index.checked_sub(1)
            && other < self.others.len()
        {
            self.others.remove(other);
        }
    }

    /// Exchanges the first side with another.
    pub fn swap_side(&mut self, index: usize) {
        if let Some(other) = index.checked_sub(1).and_then(|other| self.others.get_mut(other)) {
            let first = self.first.with_compared(other);
            *other = std::mem::replace(&mut self.first, first).compared();
        }
    }

    /// Makes another side equal to the first.
    pub fn copy_to_side(&mut self, index: usize) {
        if let Some(other) = index.checked_sub(1).and_then(|other| self.others.get_mut(other)) {
            *other = self.first.compared();
        }
    }

    /// The scenario as it would be if a side were its first, in the same view: what a form shows of that side.
    pub fn seen_from(&self, index: usize) -> Self {
        let first = if index == 0 { self.first.clone() } else { self.first.with_compared(self.side(index)) };
        Self { first, ..self.clone() }
    }

    /// What tells the sides apart, one text for each: "era=4.2 mp=4".
    pub fn differences(&self) -> Vec<String> {
        let differs = |param: &&crate::param::Param| {
            param.is_compared() && self.sides().any(|side| side.get(param.key) != self.first.get(param.key))
        };
        let params: Vec<_> = PARAMS.iter().filter(differs).collect();
        let named = self.sides().map(|side| {
            let applies = params.iter().filter(|param| param.allocators.contains(&side.allocator()));
            let mut text = String::new();
            for param in applies {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(param.name);
                text.push('=');
                text.push_str(&side.get(param.key).to_string());
            }
            text
        });
        named.collect()
    }

    /// Parts of the link that this version doesn't know.
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }
}

/// What a reader follows in a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Selection {
    /// An object, by its number in the stream.
    Object(u32),
    /// A zspage, block or slab.
    Span(u32),
}

impl std::fmt::Display for Selection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Object(number) => write!(f, "o{number}"),
            Self::Span(number) => write!(f, "z{number}"),
        }
    }
}

impl FromStr for Selection {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FORM: &str = "o or z and a number, as in o17";
        let kind = text.chars().next().ok_or(FORM)?;
        let digits = &text[kind.len_utf8()..];
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(FORM);
        }
        let number = digits.parse().map_err(|_| FORM)?;
        match kind {
            'o' => Ok(Self::Object(number)),
            'z' => Ok(Self::Span(number)),
            _ => Err(FORM),
        }
    }
}
