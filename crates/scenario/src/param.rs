//! What a parameter is: its key, its kind of value and how a text becomes one.

use std::fmt;
use std::sync::Arc;

use crate::choice::{Allocator, Choice, View};
use crate::notice::{Notice, NoticeKind};
use crate::side::Side;
use crate::table::PARAMS;

/// Every link key, in the order in which links write them. New ones are added at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// `v`: version of the link.
    Version,
    /// `view`
    View,
    /// `a`: allocator.
    Allocator,
    /// `era`: generation of the allocator.
    Era,
    /// `ps`: page shift.
    PageShift,
    /// `mp`: max pages per zspage.
    MaxPages,
    /// `b`: bits per long.
    Bits,
    /// `pb`: physical address bits.
    PhysBits,
    /// `d`: size class delta.
    ClassDelta,
    /// `cpu`: CPUs in SLUB's order rule.
    Cpus,
    /// `mo`: SLUB's min objects.
    MinObjects,
    /// `mino`: SLUB's min order.
    MinOrder,
    /// `maxo`: SLUB's max order.
    MaxOrder,
    /// `osz`: object size of a SLUB cache.
    ObjectSize,
    /// `w`: kind of workload.
    Workload,
    /// `dist`: size distribution.
    SizeDist,
    /// `seed`
    Seed,
    /// `n`: operations.
    Operations,
    /// `live`: objects that the workload keeps live.
    Live,
    /// `c`: compaction every so many operations.
    CompactEvery,
    /// `lk`: locking scheme.
    Locking,
    /// `th`: threads.
    Threads,
    /// `pools`: pools that threads are spread over.
    Pools,
    /// `skew`: how unequal the size classes' traffic is.
    Skew,
    /// `at`: step of the timeline.
    At,
    /// `sel`: what is followed.
    Selected,
    /// `t`: small data carried in the link.
    Data,
    /// `theme`
    Theme,
    /// `ui`: how much of the page is shown.
    Ui,
    /// `h`: digest of the result that the link's author saw.
    Digest,
    /// `size`: object size that the Geometry view inspects.
    Size,
    /// `also`: further max pages drawn in the Geometry view.
    Also,
    /// `plot`: plot of the Geometry view.
    Plot,
    /// `case`: published result that is shown.
    Case,
    /// `set`: assumptions of the case with other values.
    Assumed,
    /// `lock`: parameters that readers of a figure cannot change.
    Lock,
}

impl Key {
    /// How many there are.
    pub const COUNT: usize = Self::Lock as usize + 1;

    /// Its row of the table.
    pub fn param(self) -> &'static Param {
        &PARAMS[self as usize]
    }

    /// The name in links.
    pub fn name(self) -> &'static str {
        self.param().name
    }

    /// The key that links write as `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        PARAMS.iter().find(|param| param.name == name).map(|param| param.key)
    }

    /// True if a change rewrites the current entry of the browser's history instead of adding one.
    pub const fn is_transient(self) -> bool {
        matches!(self, Self::At | Self::Selected | Self::Digest | Self::Size)
    }
}

/// A value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// No value of its own: automatic, or none. Written `auto`.
    Auto,
    /// A whole number.
    Number(u64),
    /// An entry of a list, by its link name.
    Choice(&'static str),
    /// A text in its canonical form.
    Text(Arc<str>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str(AUTO),
            Self::Number(number) => write!(f, "{number}"),
            Self::Choice(text) => f.write_str(text),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// How links write [`Value::Auto`].
pub const AUTO: &str = "auto";

/// What a value may be.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A whole number `min`, `min + step` ... `max`.
    Integer {
        /// Smallest.
        min: u64,
        /// Largest.
        max: u64,
        /// Distance between allowed numbers.
        step: u64,
        /// How a slider spreads them.
        scale: Scale,
        /// What it means to leave the value open, if that is possible ("automatic", "none").
        auto: Option<&'static str>,
    },
    /// An entry of a list that may depend on the values before it.
    Choice {
        /// The list.
        list: fn(&Side) -> Vec<Choice>,
        /// Other ways to write an entry, with what to tell the reader about it.
        other: fn(&Side, &str) -> Result<Option<Parsed>, String>,
    },
    /// A text.
    Text {
        /// Most bytes.
        most_bytes: usize,
        /// Its canonical form, or why it can't be.
        canonical: fn(&str) -> Result<String, &'static str>,
    },
}

/// How a slider spreads the numbers of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By their logarithm: a step goes to the next of 1, 2, 5, 10, 20 ...
    Log,
}

/// A text that became a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The value.
    pub value: Value,
    /// Something to tell the reader about how it was understood.
    pub note: Option<String>,
}

/// Who sets a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// A link, a file, a program or a typed number: a value that is not allowed is an error.
    Exact,
    /// A drag: a number that is not allowed becomes the nearest one that is.
    Clamped,
}

/// Section of the parameter panel and of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Which allocator, which generation.
    Allocator,
    /// Its settings.
    Settings,
    /// The stream of operations.
    Workload,
    /// The locking model.
    Locks,
    /// Where the reader is and what is shown.
    Page,
    /// About the link itself.
    Link,
}

impl Group {
    /// All, in the order of the panel.
    pub const ALL: [Self; 6] =
        [Self::Allocator, Self::Settings, Self::Workload, Self::Locks, Self::Page, Self::Link];

    /// Heading.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Allocator => "Allocator",
            Self::Settings => "Settings",
            Self::Workload => "Workload",
            Self::Locks => "Locks",
            Self::Page => "Page",
            Self::Link => "Link",
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its key.
    pub key: Key,
    /// The name in links, JSON and the reference. Never renamed.
    pub name: &'static str,
    /// Label in forms.
    pub label: &'static str,
    /// Unit of a number, or empty.
    pub unit: &'static str,
    /// One or two sentences of help.
    pub help: &'static str,
    /// What a value may be.
    pub kind: Kind,
    /// The default, given the values before it.
    pub default: fn(&Side) -> Value,
    /// Section of the panel.
    pub group: Group,
    /// Allocators it means something for.
    pub allocators: &'static [Allocator],
    /// Views it means something for.
    pub views: &'static [View],
}

impl Param {
    /// True if compared scenarios may differ in it (link prefix `2.` to `4.`).
    pub const fn is_compared(&self) -> bool {
        matches!(self.group, Group::Allocator | Group::Settings | Group::Workload | Group::Locks)
    }

    /// True if it means something for this allocator in this view.
    pub fn applies(&self, allocator: Allocator, view: View) -> bool {
        self.allocators.contains(&allocator) && self.views.contains(&view)
    }

    /// The list to pick from, given the values before it; empty for numbers and texts.
    pub fn choices(&self, side: &Side) -> Vec<Choice> {
        match self.kind {
            Kind::Choice { list, .. } => list(side),
            Kind::Integer { .. } | Kind::Text { .. } => Vec::new(),
        }
    }

    /// What the text of a link or a form means, given the values before it.
    ///
    /// # Errors
    /// Why it means nothing.
    pub fn parse(&self, side: &Side, text: &str) -> Result<Parsed, Notice> {
        let plain = |value| Ok(Parsed { value, note: None });
        match self.kind {
            Kind::Integer { auto: Some(_), .. } if text == AUTO => plain(Value::Auto),
            // Where 0 is no number of the range, it has always meant "automatic" to the kernel.
            Kind::Integer { auto: Some(_), min: 1.., .. } if text == "0" => plain(Value::Auto),
            Kind::Integer { .. } => {
                let number = parse_number(text).ok_or_else(|| self.error(text, self.needed()))?;
                plain(self.fit(side, Value::Number(number), Fit::Exact)?)
            }
            Kind::Choice { list, other } => match list(side).iter().find(|choice| choice.value == text) {
                Some(choice) => plain(Value::Choice(choice.value)),
                None => match other(side, text) {
                    Ok(Some(parsed)) => Ok(parsed),
                    Ok(None) => Err(self.error(text, self.one_of(side))),
                    Err(reason) => Err(self.error(text, reason)),
                },
            },
            Kind::Text { .. } if text.is_empty() || text == AUTO => plain(Value::Auto),
            Kind::Text { .. } => plain(self.fit(side, Value::Text(text.into()), Fit::Exact)?),
        }
    }

    /// The value as it is stored, given the values before it.
    ///
    /// # Errors
    /// Why it is not allowed; numbers that are [`Fit::Clamped`] always are.
    pub fn fit(&self, side: &Side, value: Value, fit: Fit) -> Result<Value, Notice> {
        match (self.kind, value) {
            (Kind::Integer { auto: Some(_), .. } | Kind::Text { .. }, Value::Auto) => Ok(Value::Auto),
            (Kind::Integer { min, max, step, .. }, Value::Number(number)) => {
                let near = number.clamp(min, max);
                let near = min + ((near - min + step / 2) / step * step).min((max - min) / step * step);
                match fit {
                    Fit::Exact if near != number => Err(self.error(&number.to_string(), self.needed())),
                    Fit::Exact | Fit::Clamped => Ok(Value::Number(near)),
                }
            }
            (Kind::Choice { list, .. }, Value::Choice(name)) => list(side)
                .iter()
                .find(|choice| choice.value == name)
                .map(|choice| Value::Choice(choice.value))
                .ok_or_else(|| self.error(name, self.one_of(side))),
            (Kind::Text { most_bytes, canonical }, Value::Text(text)) => {
                if text.len() > most_bytes {
                    return Err(
                        self.error(&text, format!("at most {most_bytes} bytes, these are {}", text.len()))
                    );
                }
                match canonical(&text) {
                    Ok(canonical) => Ok(Value::Text(canonical.into())),
                    Err(reason) => Err(self.error(&text, reason.to_owned())),
                }
            }
            (_, value) => {
                let what = match self.kind {
                    Kind::Integer { .. } => self.needed(),
                    Kind::Choice { .. } => self.one_of(side),
                    Kind::Text { .. } => "not a text".to_owned(),
                };
                Err(self.error(&value.to_string(), what))
            }
        }
    }

    /// The allowed values of a number in words; empty for others.
    pub fn range(&self) -> String {
        let Kind::Integer { min, max, step, auto, .. } = self.kind else { return String::new() };
        let open = match auto {
            Some(meaning) => format!(", or {AUTO} ({meaning})"),
            None => String::new(),
        };
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        match (max - min) / step {
            0 => format!("only {min}{unit}{open}"),
            1 => format!("{min} or {max}{unit}{open}"),
            _ if step == 1 => format!("a whole number from {min} to {max}{unit}{open}"),
            _ => format!("{min} to {max}{unit} in steps of {step}{open}"),
        }
    }

    fn needed(&self) -> String {
        format!("{} is needed", self.range())
    }

    fn one_of(&self, side: &Side) -> String {
        let names: Vec<&str> = self.choices(side).iter().map(|choice| choice.value).collect();
        format!("not one of {}", names.join(", "))
    }

    fn error(&self, value: &str, reason: String) -> Notice {
        Notice::new(NoticeKind::BadValue, self.name, value, reason)
    }
}

/// Digits only: no sign, no space, no separator.
fn parse_number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}
