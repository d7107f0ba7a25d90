//! The state of the page and the only way to change it.

use std::rc::Rc;
use std::sync::Arc;

use slabscope_lab::document::Offer;
use slabscope_scenario::{Fit, Key, Notice, Scenario, Value, View, parse_fragment};
use yew::Reducible;

/// What the address bar does with a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum History {
    /// A new entry: back undoes the change.
    Push,
    /// The current entry is rewritten: one of many steps of a drag, or the cursor in time.
    Replace,
    /// The change came from the address.
    Keep,
}

/// Everything the page shows that a link does not name a place for on its own.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    /// What a link names.
    pub(crate) scenario: Scenario,
    /// What the reader has to be told.
    pub(crate) notices: Vec<Notice>,
    /// What the address bar does with the last change.
    pub(crate) history: History,
    /// What was offered last and may be too large for a link.
    pub(crate) offered: Option<Rc<Offer>>,
}

/// A change. Values from a drag are brought into range; values that were typed, picked or linked are
/// taken exactly or refused with a notice.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Command {
    /// A text that was typed or picked.
    Enter(Key, String),
    /// A number from a drag; `first` is true for the first of one.
    Slide {
        /// The parameter.
        key: Key,
        /// The number.
        number: u64,
        /// True when the drag begins.
        first: bool,
    },
    /// Back to the default.
    Reset(Key),
    /// Back to the defaults of everything that a panel shows.
    ResetAll(Vec<Key>),
    /// A change of the side of this number; only values can be changed so.
    On(usize, Box<Command>),
    /// One more side, equal to the first.
    AddSide,
    /// One less.
    RemoveSide(usize),
    /// The first side and this one change places.
    SwapSide(usize),
    /// This side becomes equal to the first.
    CopyToSide(usize),
    /// A link.
    Open(String),
    /// A link that was chosen in the page: back returns from it.
    Go(String),
    /// What was made of the reader's data is taken to a view.
    Play(Rc<Offer>, View),
    /// A notice was read.
    Dismiss(usize),
}

impl State {
    /// The state of a link.
    pub(crate) fn of_link(link: &str) -> Self {
        let (scenario, notices) = parse_fragment(link);
        Self { scenario, notices, history: History::Replace, offered: None }
    }

    /// What is played instead of a workload of ours: what the link carries, or what it names if that is here.
    pub(crate) fn played(&self) -> Option<Arc<str>> {
        let Value::Text(link) = self.scenario.get(Key::Data) else { return None };
        let offered = self.offered.as_ref().filter(|offer| *offer.link == *link);
        Some(offered.map_or(link, |offer| offer.data.as_str().into()))
    }

    /// The view in front.
    pub(crate) fn view(&self) -> View {
        self.scenario.view()
    }
}

impl Reducible for State {
    type Action = Command;

    fn reduce(self: Rc<Self>, command: Command) -> Rc<Self> {
        let mut next = (*self).clone();
        match command {
            Command::Enter(key, text) => {
                let result = next.scenario.set_text(key, &text);
                next.notices = match result {
                    Ok(note) => note.into_iter().collect(),
                    Err(notice) => vec![notice],
                };
                next.history = if key.is_transient() { History::Replace } else { History::Push };
            }
            Command::Slide { key, number, first } => {
                if let Err(notice) = next.scenario.set(key, Value::Number(number), Fit::Clamped) {
                    next.notices = vec![notice];
                }
                next.history = if first && !key.is_transient() { History::Push } else { History::Replace };
            }
            Command::Reset(key) => {
                next.scenario.reset(key);
                next.history = History::Push;
            }
            Command::ResetAll(keys) => {
                keys.into_iter().for_each(|key| next.scenario.reset(key));
                next.history = History::Push;
            }
            Command::On(index, change) => {
                next.history = History::Push;
                if let Some(side) = next.scenario.side_mut(index) {
                    let done = match *change {
                        Command::Enter(key, text) => side.set_text(key, &text).map(drop),
                        Command::Slide { key, number, first } => {
                            next.history = if first { History::Push } else { History::Replace };
                            side.set(key, Value::Number(number), Fit::Clamped)
                        }
                        Command::Reset(key) => {
                            side.reset(key);
                            Ok(())
                        }
                        Command::ResetAll(keys) => {
                            keys.into_iter().for_each(|key| side.reset(key));
                            Ok(())
                        }
                        _ => Ok(()),
                    };
                    next.notices = done.err().into_iter().collect();
                }
            }
            Command::AddSide => {
                next.scenario.add_side();
                next.history = History::Push;
            }
            Command::RemoveSide(index) => {
                next.scenario.remove_side(index);
                next.history = History::Push;
            }
            Command::SwapSide(index) => {
                next.scenario.swap_side(index);
                next.history = History::Push;
            }
            Command::CopyToSide(index) => {
                next.scenario.copy_to_side(index);
                next.history = History::Push;
            }
            Command::Open(link) => {
                let Self { scenario, notices, .. } = Self::of_link(&link);
                next = Self { scenario, notices, history: History::Keep, ..next };
            }
            Command::Go(link) => {
                let Self { scenario, notices, .. } = Self::of_link(&link);
                next = Self { scenario, notices, history: History::Push, ..next };
            }
            Command::Play(offer, view) => {
                for (key, text) in &offer.set {
                    if let Some(key) = Key::from_name(key) {
                        // Values of the worker's are of this build.
                        let _ = next.scenario.set_text(key, text);
                    }
                }
                // The name of a view is always one.
                let _ = next.scenario.set_text(Key::View, view.name());
                next.history = History::Push;
                next.offered = Some(offer);
            }
            Command::Dismiss(index) => {
                if index < next.notices.len() {
                    next.notices.remove(index);
                }
                next.history = History::Keep;
            }
        }
        if next.history != History::Keep && next.scenario != self.scenario {
            // The digest was that of the result that the link was made for.
            next.scenario.reset(Key::Digest);
        }
        // The same Rc tells Yew that nothing has to be drawn.
        if next == *self { self } else { Rc::new(next) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(commands: &[Command]) -> Rc<State> {
        commands.iter().fold(Rc::new(State::of_link("")), |state, command| state.reduce(command.clone()))
    }

    #[test]
    fn a_drag_is_one_entry_and_is_brought_into_range() {
        let slide = |number, first| Command::Slide { key: Key::MaxPages, number, first };
        assert_eq!(after(&[slide(5, true)]).history, History::Push);
        let state = after(&[slide(5, true), slide(99, false)]);
        assert_eq!((state.history, state.scenario.number(Key::MaxPages)), (History::Replace, 16));
        assert!(state.notices.is_empty());
    }

    #[test]
    fn a_typed_value_out_of_range_is_refused_with_its_name() {
        let state = after(&[Command::Enter(Key::MaxPages, "99".to_owned())]);
        assert_eq!(state.scenario.number(Key::MaxPages), 8);
        assert_eq!(state.notices.len(), 1);
        assert_eq!(state.notices[0].key, "mp");
    }

    #[test]
    fn a_link_is_opened_without_touching_history() {
        let state = after(&[Command::Open("#v=1&mp=4&zzz=1".to_owned())]);
        assert_eq!((state.history, state.scenario.number(Key::MaxPages)), (History::Keep, 4));
        assert_eq!(state.notices.len(), 1, "the unknown key is named");
    }

    #[test]
    fn an_offer_is_played_and_a_link_to_it_finds_it_again() {
        let set = [("n", "70"), ("t", "f1.0badcafe")];
        let offer = Offer {
            text: String::new(),
            set: set.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec(),
            link: "f1.0badcafe".to_owned(),
            data: "z1.AAAA".to_owned(),
        };
        let state = after(&[Command::Play(Rc::new(offer), View::Pool)]);
        assert_eq!((state.view(), state.scenario.number(Key::Operations)), (View::Pool, 70));
        assert_eq!(state.played().as_deref(), Some("z1.AAAA"));
        let away = state.clone().reduce(Command::Open("#v=1&t=z1.BBBB".to_owned()));
        assert_eq!(away.played().as_deref(), Some("z1.BBBB"));
        let back = away.reduce(Command::Open(format!("#{}", state.scenario.to_fragment())));
        assert_eq!(back.played().as_deref(), Some("z1.AAAA"));
        assert_eq!(
            after(&[Command::Open("#t=f1.00000000".to_owned())]).played().as_deref(),
            Some("f1.00000000")
        );
    }

    #[test]
    fn a_digest_lasts_as_long_as_its_scenario() {
        let open = Command::Open("#v=1&mp=4&h=00ff00ff".to_owned());
        let state = after(&[open.clone(), Command::Dismiss(0)]);
        assert_eq!(state.scenario.to_fragment(), "v=1&mp=4&h=00ff00ff");
        let state = after(&[open, Command::Enter(Key::MaxPages, "5".to_owned())]);
        assert_eq!(state.scenario.to_fragment(), "v=1&mp=5");
    }

    #[test]
    fn what_a_panel_shows_is_reset_and_nothing_else() {
        let open = || Command::Open("view=compare&mp=4&theme=dark&2.mp=5&2.ps=14".to_owned());
        let reset = || Command::ResetAll(vec![Key::MaxPages, Key::PageShift]);
        let state = after(&[open(), reset()]);
        assert_eq!(state.scenario.to_fragment(), "v=1&view=compare&theme=dark&2.ps=14&2.mp=5");
        let state = after(&[open(), Command::On(1, Box::new(reset()))]);
        assert_eq!(state.scenario.to_fragment(), "v=1&view=compare&mp=4&theme=dark&2.mp=8");
    }
}
