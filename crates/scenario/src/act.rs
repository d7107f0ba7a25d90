//! The one table of commands: what can be done by key or by name.
//!
//! The page's key handler, its list of commands, the tooltips of its buttons and the chapter on the keyboard all
//! read it, so that a key is written down once.

/// Something a reader can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table has a label for each")]
pub enum Act {
    Play,
    By(i32),
    Start,
    End,
    Followed(bool),
    Event(bool),
    NextMade,
    NextFreed,
    NextCompaction,
    NextHuge,
    LoopFrom,
    LoopTo,
    Loop,
    Speed(bool),
    Neighbour(bool),
    Zoom(i32),
    Pan(i32, i32),
    Page(i32),
    Arrange,
    Colour,
    Unfollow,
    Allocator(u8),
    View(u8),
    CopyLink,
    Theme,
    Commands,
}

/// Where a command works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The time of the Pool view.
    Time,
    /// The map of the Pool view; its keys work while the map has the focus.
    Map,
    /// Everywhere.
    Page,
}

impl Section {
    /// All, in the order in which they are listed, with their names.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Time, "Time"), (Self::Map, "Map, while it has the focus"), (Self::Page, "Page")];
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What it does.
    pub act: Act,
    /// Where it works.
    pub section: Section,
    /// What it does in words.
    pub label: &'static str,
    /// Its key as it is shown and looked up: "Shift \u{2190}", "Ctrl k", "["; empty if it has none.
    pub keys: &'static str,
}

const fn entry(section: Section, keys: &'static str, act: Act, label: &'static str) -> Entry {
    Entry { act, section, label, keys }
}

use Section::{Map, Page, Time};

/// All commands.
pub const ACTS: [Entry; 47] = [
    entry(Time, "Space", Act::Play, "Play or pause"),
    entry(Time, "\u{2190}", Act::By(-1), "Step back"),
    entry(Time, "\u{2192}", Act::By(1), "Step forward"),
    entry(Time, "Shift \u{2190}", Act::By(-10), "Ten steps back"),
    entry(Time, "Shift \u{2192}", Act::By(10), "Ten steps forward"),
    entry(Time, "Home", Act::Start, "To the start"),
    entry(Time, "End", Act::End, "To the end, and follow it while it is recorded"),
    entry(Time, "[", Act::Event(false), "Previous notable event"),
    entry(Time, "]", Act::Event(true), "Next notable event"),
    entry(Time, ",", Act::Followed(false), "Previous event of what is selected"),
    entry(Time, ".", Act::Followed(true), "Next event of what is selected"),
    entry(Time, "n", Act::NextMade, "Next zspage, block or slab made"),
    entry(Time, "f", Act::NextFreed, "Next zspage, block or slab given back"),
    entry(Time, "k", Act::NextCompaction, "Next compaction"),
    entry(Time, "h", Act::NextHuge, "Next first object in a huge class"),
    entry(Time, "i", Act::LoopFrom, "Loop from here"),
    entry(Time, "o", Act::LoopTo, "Loop up to here"),
    entry(Time, "r", Act::Loop, "Loop on or off"),
    entry(Time, "<", Act::Speed(false), "Slower"),
    entry(Time, ">", Act::Speed(true), "Faster"),
    entry(Map, "\u{2191}", Act::Neighbour(false), "Select the bar before"),
    entry(Map, "\u{2193}", Act::Neighbour(true), "Select the bar after"),
    entry(Map, "+", Act::Zoom(1), "Zoom in"),
    entry(Map, "-", Act::Zoom(-1), "Zoom out"),
    entry(Map, "0", Act::Zoom(0), "Natural size"),
    entry(Map, "w", Act::Pan(0, -1), "Move up"),
    entry(Map, "a", Act::Pan(-1, 0), "Move left"),
    entry(Map, "s", Act::Pan(0, 1), "Move down"),
    entry(Map, "d", Act::Pan(1, 0), "Move right"),
    entry(Map, "PageUp", Act::Page(-1), "A screen up"),
    entry(Map, "PageDown", Act::Page(1), "A screen down"),
    entry(Map, "", Act::Arrange, "Next arrangement"),
    entry(Map, "", Act::Colour, "Next colouring"),
    entry(Map, "Esc", Act::Unfollow, "Select nothing: follow the operations"),
    entry(Page, "1", Act::Allocator(0), "zsmalloc"),
    entry(Page, "2", Act::Allocator(1), "zblock"),
    entry(Page, "3", Act::Allocator(2), "SLUB"),
    entry(Page, "g", Act::View(0), "Geometry"),
    entry(Page, "p", Act::View(1), "Pool"),
    entry(Page, "y", Act::View(2), "Your data"),
    entry(Page, "c", Act::View(3), "Compare"),
    entry(Page, "", Act::View(4), "Locks"),
    entry(Page, "", Act::View(5), "Cases"),
    entry(Page, "l", Act::CopyLink, "Copy the link"),
    entry(Page, "t", Act::Theme, "Other colours: light, dark, as the system"),
    entry(Page, "?", Act::Commands, "Keys and commands"),
    entry(Page, "Ctrl k", Act::Commands, "The same"),
];

/// The command of a key. The map's keys count only there, where they come before others.
pub fn of_key(keys: &str, on_map: bool) -> Option<Act> {
    let find = |map: bool| ACTS.iter().find(|entry| entry.keys == keys && (entry.section == Map) == map);
    let entry = if on_map { find(true).or_else(|| find(false)) } else { find(false) };
    entry.map(|entry| entry.act)
}

/// What a command does in words, which is also what its button is called.
pub fn label(act: Act) -> &'static str {
    ACTS.iter().find(|entry| entry.act == act).map_or("", |entry| entry.label)
}

/// What is shown beside a button for a command: its words and its key.
pub fn tip(act: Act) -> String {
    ACTS.iter().find(|entry| entry.act == act).map_or_else(String::new, |entry| {
        let mut tip = entry.label.to_owned();
        if !entry.keys.is_empty() {
            tip.push_str(" (");
            tip.push_str(entry.keys);
            tip.push(')');
        }
        tip
    })
}

/// The same for a pool that calls `span` what the table calls a zspage, block or slab.
pub fn tip_of_pool(act: Act, span: &str) -> String {
    let (before, any) = ("Next ", "zspage, block or slab");
    let tip = tip(act);
    match tip.strip_prefix(before).and_then(|rest| rest.strip_prefix(any)) {
        Some(rest) => [before, span, rest].concat(),
        None => tip,
    }
}

/// The table as Markdown, for the chapter on the keyboard.
pub fn acts_markdown() -> String {
    let mut text = String::new();
    for (section, name) in Section::ALL {
        text.push_str(&format!("## {name}\n\n| key | what it does |\n|---|---|\n"));
        for entry in ACTS.iter().filter(|entry| entry.section == section) {
            let keys = entry.keys.split(' ').filter(|key| !key.is_empty());
            let keys: Vec<String> = keys.map(|key| format!("<kbd>{}</kbd>", shown(key))).collect();
            text.push_str(&format!("| {} | {} |\n", keys.join(" "), entry.label));
        }
        text.push('\n');
    }
    text
}

/// A key as HTML shows it.
fn shown(key: &str) -> &str {
    match key {
        "<" => "&lt;",
        ">" => "&gt;",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::{Allocator, View};

    #[test]
    fn no_key_has_two_meanings_in_one_place() {
        for (at, entry) in ACTS.iter().enumerate().filter(|(_, entry)| !entry.keys.is_empty()) {
            let mut others = ACTS[at + 1..].iter().filter(|other| other.keys == entry.keys);
            assert!(others.all(|other| (other.section == Map) != (entry.section == Map)), "{}", entry.keys);
            assert_eq!(of_key(entry.keys, entry.section == Map), Some(entry.act));
        }
    }

    #[test]
    fn every_view_and_allocator_has_its_command() {
        for (at, view) in View::ALL.iter().enumerate() {
            assert_eq!(label(Act::View(at as u8)), view.label());
        }
        for (at, allocator) in Allocator::ALL.iter().enumerate() {
            assert_eq!(label(Act::Allocator(at as u8)), allocator.label());
        }
    }

    #[test]
    fn the_keys_of_the_map_need_its_focus() {
        assert_eq!((of_key("w", false), of_key("w", true)), (None, Some(Act::Pan(0, -1))));
        assert_eq!((of_key("n", true), of_key("Alt n", true)), (Some(Act::NextMade), None));
        assert_eq!(tip(Act::By(-1)), "Step back (\u{2190})");
        assert_eq!(tip(Act::Arrange), "Next arrangement");
        assert_eq!(tip_of_pool(Act::NextMade, "slab"), "Next slab made (n)");
        assert_eq!(tip_of_pool(Act::NextFreed, "block"), "Next block given back (f)");
    }
}
