//! What the worker has told about the run so far.

use std::rc::Rc;

use slabscope_worker::protocol::{Answer, Cast, Figures, List, Moment, Over};
use yew::Reducible;

/// Answers, as far as they are shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Seen {
    /// What does not change during the run.
    pub(super) cast: Option<Rc<Cast>>,
    /// Why there is no run.
    pub(super) refused: Option<String>,
    /// The last step that can be visited.
    pub(super) recorded: u32,
    /// The moment shown last.
    pub(super) moment: Rc<Moment>,
    /// What the pointer is over on the map.
    pub(super) over: Option<Over>,
    /// Quantities where the pointer is on the plot.
    pub(super) read: Option<Figures>,
    /// What happened to what was chosen.
    pub(super) past: Rc<List>,
}

impl Reducible for Seen {
    type Action = Rc<Answer>;

    fn reduce(self: Rc<Self>, answer: Rc<Answer>) -> Rc<Self> {
        let mut next = (*self).clone();
        match &*answer {
            Answer::Started(cast) => {
                next = Self { cast: Some(Rc::new((**cast).clone())), ..Self::default() };
            }
            Answer::Refused(why) => next = Self { refused: Some(why.clone()), ..Self::default() },
            // What a run said that was started for an earlier view: without its cast it cannot be shown.
            _ if self.cast.is_none() => return self,
            Answer::Recorded(step) => next.recorded = *step,
            Answer::Shown(moment) => next.moment = Rc::new((**moment).clone()),
            Answer::Over(over) => next.over.clone_from(over),
            Answer::Read(read) => next.read.clone_from(read),
            Answer::Past(past) => next.past = Rc::new(past.clone()),
            Answer::Ready | Answer::Jumped(_) | Answer::Chosen(_) | Answer::Csv(_) => return self,
        }
        Rc::new(next)
    }
}
