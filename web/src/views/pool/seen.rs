//! What the worker has told about the run so far.

use std::rc::Rc;

use slabscope_worker::protocol::{Answer, Cast, Moment, Series};
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
    /// Sums over time.
    pub(super) series: Rc<Series>,
    /// The moment shown last.
    pub(super) moment: Rc<Moment>,
    /// What the pointer is over.
    pub(super) over: Option<String>,
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
            Answer::Recorded(step, series) => {
                next.recorded = *step;
                if let Some(series) = series {
                    next.series = Rc::new((**series).clone());
                }
            }
            Answer::Shown(moment) => next.moment = Rc::new((**moment).clone()),
            Answer::Over(words) => next.over.clone_from(words),
            Answer::Ready | Answer::Jumped(_) | Answer::Chosen(_) => return self,
        }
        Rc::new(next)
    }
}
