//! What answers keep from one to the next, so that they follow a slider: how a pool wears takes some ten milliseconds, and
//! does not depend on the panel.

use slabscope_answers::account::Wear;
use slabscope_answers::input::Input;

/// Pools that are kept.
const MOST: usize = 4;

/// How pools wear, the last ones asked for last.
#[derive(Default)]
pub(crate) struct Kept(Vec<(Input, Option<Wear>)>);

impl Kept {
    /// How a pool wears; worked out once.
    pub(crate) fn wear(&mut self, input: &Input) -> Option<Wear> {
        if let Some((_, wear)) = self.0.iter().find(|(known, _)| known == input) {
            return wear.clone();
        }
        if self.0.len() == MOST {
            self.0.remove(0);
        }
        let wear = Wear::of(input);
        self.0.push((input.clone(), wear.clone()));
        wear
    }
}
