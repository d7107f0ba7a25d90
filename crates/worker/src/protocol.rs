//! What the page and the worker say to each other.
//!
//! A message is an array whose first item is one of these as bytes; a canvas or a file that goes along is
//! its second. Lengths are in CSS pixels.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

pub use crate::setup::{Allocator, Setup, Stream};

/// What the page asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// The canvas that comes along is this picture's from now on.
    Canvas(Surface),
    /// The run of a pool. The run before is dropped.
    Run(Setup),
    /// A moment of the run, drawn and told. Of several that wait only the last is answered.
    Show(Show),
    /// The next step at which something happens.
    Jump {
        /// Steps after or before this one.
        from: u32,
        /// What is looked for.
        to: Goal,
        /// Later or earlier.
        forward: bool,
    },
    /// Other parts of the map come into sight.
    Scroll(Scroll),
    /// A picture is dragged from a point by so much.
    Drag {
        /// Which.
        on: Surface,
        /// Where the pointer went down.
        from: (f32, f32),
        /// To the right and down.
        by: (f32, f32),
    },
    /// What lies at a point of a picture: pressed if `chosen`, or only hovered over.
    At {
        /// Which.
        on: Surface,
        /// The point; `None` when the pointer left.
        point: Option<(f32, f32)>,
        /// True for a press.
        chosen: bool,
    },
    /// The pointer or the focus is on a text about this.
    Look(Link),
    /// All quantities over time as comma-separated values.
    Csv,
    /// The bar after or before the one that is followed.
    Neighbour {
        /// After or before.
        forward: bool,
    },
}

/// A picture that the worker draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Surface {
    /// The map.
    #[default]
    Map,
    /// Pages over time, above the time axis.
    Strip,
    /// One of the plots over time.
    Plot,
}

/// What a text is about, or where it leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Link {
    /// Nothing to look at.
    #[default]
    None,
    /// A span, and the one that it gave objects to or took them from.
    Span(u32, Option<u32>),
    /// A step.
    Step(u32),
    /// The class whose objects have so many bytes.
    Class(u32),
}

/// How the map is moved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Scroll {
    /// To the right and down by so much.
    By(f32, f32),
    /// This lies at the upper edge.
    To(f32),
    /// Down by so much of what is in sight.
    Pages(f32),
}

/// What a jump looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Goal {
    /// Any of the next four.
    Interesting,
    /// A span that is made.
    Made,
    /// A span that is given back.
    Freed,
    /// A compaction.
    Compaction,
    /// The first object in a huge class.
    Huge,
    /// An event of this span.
    Span(u32),
}

/// What is followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Follow {
    /// Whatever the operation touches.
    #[default]
    Operation,
    /// A span by its number.
    Span(u32),
    /// The span in which an object lies.
    Object(u32),
}

/// Everything that a picture of a moment depends on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Show {
    /// The step.
    pub step: u32,
    /// What is followed.
    pub follow: Follow,
    /// What part of the map is in sight, and how it is arranged.
    pub sight: Sight,
    /// Width and height of the map.
    pub size: (f32, f32),
    /// Those of the strip.
    pub strip: (f32, f32),
    /// Those of the plot.
    pub plot: (f32, f32),
    /// Which plot: its place among those of the cast.
    pub panel: u8,
    /// The range that is looped.
    pub range: Option<(u32, u32)>,
    /// Device pixels per CSS pixel.
    pub scale: f32,
    /// Light on dark.
    pub dark: bool,
    /// Whether the map's table is wanted.
    pub table: bool,
    /// Which page of the operation's events is wanted.
    pub events_page: u32,
    /// Leaves out what nobody can follow while it plays: the operations before and next, the digest, and bringing
    /// what is followed into sight.
    pub brief: bool,
}

/// What part of the map is in sight.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sight {
    /// Where bars go.
    pub arrangement: Arrangement,
    /// What their colour says.
    pub colouring: Colouring,
    /// 1 is the natural size.
    pub zoom: f32,
}

impl Default for Sight {
    fn default() -> Self {
        Self { arrangement: Arrangement::default(), colouring: Colouring::default(), zoom: 1.0 }
    }
}

/// Where bars go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Arrangement {
    /// Rows by class, largest first, and columns by group.
    #[default]
    BySize,
    /// The same, most pages to regain first.
    ByRegain,
    /// Rows by class, and in each the groups' lists one after the other, head first.
    Lists,
    /// Cells of one size in the order in which the pool keeps its spans.
    Flat,
}

impl Arrangement {
    /// All, with the word for a picker.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::BySize, "By size"),
        (Self::ByRegain, "By pages to regain"),
        (Self::Lists, "In list order"),
        (Self::Flat, "Overview"),
    ];
}

/// What a bar's colour says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Colouring {
    /// How full it is.
    #[default]
    Fullness,
    /// How long ago it was made, against all that live.
    Age,
    /// Its class, small to large.
    Class,
    /// Whether compaction of its class would return pages.
    Freeable,
}

impl Colouring {
    /// All, with the word for a picker.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Fullness, "Fullness"),
        (Self::Age, "Age"),
        (Self::Class, "Class"),
        (Self::Freeable, "Freeable"),
    ];
}

/// What the worker answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// It listens.
    Ready,
    /// What does not change during the run that was asked for.
    Started(Box<Cast>),
    /// There is no such run.
    Refused(String),
    /// So many operations can be visited.
    Recorded(u32),
    /// A moment.
    Shown(Box<Moment>),
    /// Where a jump leads; `None` if nothing is there.
    Jumped(Option<u32>),
    /// What was pressed on, or the neighbour of what is followed.
    Chosen(Follow),
    /// What the pointer is over on the map.
    Over(Option<Over>),
    /// Quantities where the pointer is on the plot; `None` when it left.
    Read(Option<Figures>),
    /// What happened to the span that was chosen.
    Past(List),
    /// What was asked for as comma-separated values.
    Csv(String),
}

/// What the pointer is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Over {
    /// It in words.
    pub words: String,
    /// The span's number.
    pub span: u32,
    /// Bytes of an object of its class.
    pub size: u32,
}

/// Quantities at a step, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// Which step.
    pub title: String,
    /// Names and values.
    pub values: Vec<(String, String)>,
}

/// What does not change during a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cast {
    /// Operations.
    pub steps: u32,
    /// What the allocator calls one span.
    pub span: String,
    /// What it calls several.
    pub spans: String,
    /// What stands before the name of a class.
    pub class: String,
    /// Names of the groups that are shown.
    pub groups: Vec<String>,
    /// Groups that are not shown come before those.
    pub first_group: u8,
    /// Spans of one object are drawn in a colour of their own.
    pub has_huge: bool,
    /// There is compaction.
    pub compacts: bool,
    /// Bytes of a page.
    pub page_bytes: u32,
    /// Names of the plots over time.
    pub panels: Vec<String>,
}

/// A sentence: its end is in `rest`, the part that matters most in `strong`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Say {
    /// What comes first.
    pub lead: String,
    /// What matters most.
    pub strong: String,
    /// What follows.
    pub rest: String,
    /// A second, smaller line.
    pub more: String,
}

/// The pool after a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// The step; the last one recorded if that comes before what was asked for.
    pub step: u32,
    /// The sentence over the map.
    pub say: Say,
    /// The operations before, now and next in a few words.
    pub headlines: [String; 3],
    /// The number of the span that is followed.
    pub followed: Option<u32>,
    /// It close up, if it is there.
    pub close: Option<Close>,
    /// What the operation did.
    pub events: List,
    /// Quantities over time, as they are here.
    pub figures: Figures,
    /// The map's table, if it was asked for.
    pub table: Vec<ClassRow>,
    /// Spans on the map.
    pub spans: u32,
    /// What lies at the map's upper edge.
    pub top: f32,
    /// The most that can.
    pub lowest: f32,
    /// Whether there is more to the left or right of what is in sight.
    pub wide: bool,
    /// Milliseconds that telling and drawing took.
    pub took: f32,
    /// Memory of the worker, in MiB.
    pub memory: u32,
    /// First digits of the digest of the log up to here, in hexadecimal.
    pub digest: String,
    /// Sums, as messages to a host page report them.
    pub sums: Sums,
}

/// Sums over a pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    /// Pages held.
    pub pages_used: u64,
    /// Objects that fit.
    pub obj_allocated: u64,
    /// Objects live.
    pub obj_used: u64,
}

/// A span close up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Close {
    /// "Zspage 17".
    pub title: String,
    /// Its class and group.
    pub subtitle: String,
    /// How full it is, its place in its list, and since when.
    pub note: String,
    /// Pages it takes.
    pub pages: u16,
    /// Bytes in front of its first place.
    pub header: u32,
    /// Bytes of an object.
    pub size: u32,
    /// Its places.
    pub slots: Vec<Slot>,
    /// "Class 1632".
    pub class_title: String,
    /// Spans and pages of the class.
    pub class_note: String,
    /// Spans of the class in each group that has some.
    pub groups: Vec<(String, u32)>,
}

/// A place of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Slot {
    /// An object: its number, bytes requested, and the operation that allocated it.
    Used(u32, u32, u32),
    /// Free, and so many free places are handed out before it where that is known.
    Free(Option<u16>),
}

/// Something to read line by line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct List {
    /// What it is.
    pub title: String,
    /// A sum, and the rule behind it.
    pub note: String,
    /// One page of the lines, and what each is about.
    pub lines: Vec<(String, Link)>,
    /// How many come before those.
    pub before: u32,
    /// How many there are.
    pub total: u32,
}

/// Events told at once.
pub const EVENTS_PAGE: u32 = 40;

/// A class that has spans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassRow {
    /// Bytes of an object.
    pub size: u32,
    /// Spans of each group that is shown.
    pub groups: Vec<u32>,
    /// Objects live.
    pub objects: u64,
    /// Objects that fit.
    pub capacity: u64,
    /// Pages held.
    pub pages: u64,
    /// Pages that compaction would return.
    pub freeable: u64,
}

/// An answer of a worker.
pub trait Signal {
    /// True for the first one: it listens.
    fn is_ready(&self) -> bool;

    /// True for something to read that can be taken away from the page.
    fn is_taken(&self) -> bool {
        false
    }
}

impl Signal for Answer {
    fn is_ready(&self) -> bool {
        *self == Self::Ready
    }
}

/// A message as bytes.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    // Nothing in these messages has a length that is not known before, which is all that could fail.
    postcard::to_allocvec(message).unwrap_or_default()
}

/// A message from bytes; `None` if they are not one.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}
