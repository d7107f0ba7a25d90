//! What a classes table tells: which kernel printed it, where its memory goes, what does not fit together.
//!
//! A [`Table`] of [`Format::ZsmallocClasses`](crate::Format::ZsmallocClasses) comes from
//! [`read`](crate::read()), which has asked [`guess()`] and [`check()`] already. Who knows better asks
//! [`guess_with`] under a [`Known`] setting.

mod check;
mod guess;
mod occupancy;

use crate::reading::Table;

pub use check::check;
pub(crate) use guess::class_of;
pub use guess::{Columns, Fit, Guess, Known, guess, guess_with};
pub use occupancy::{ClassUse, Occupancy, occupancy};

/// Writes era, evidence and warnings into a table. Without `guesses` the kernel is not looked for.
pub(crate) fn explain(table: &mut Table, guesses: bool) {
    let guess = if guesses { guess(table) } else { None };
    if let Some(guess) = &guess {
        table.set_era(Some(guess.config.era.name()));
        for sentence in guess.evidence() {
            table.tell(sentence);
        }
    } else if guesses && !table.is_empty() {
        table.tell("no known kernel has these classes".to_owned());
    }
    if let Some(text) = guess.as_ref().and_then(check::disagree) {
        table.warn(None, text);
    }
    for warning in check(table, guess.as_ref()) {
        table.warn(warning.line, warning.text);
    }
}
