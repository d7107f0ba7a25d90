//! What a bar's colour says.

use slabscope_core::pool::{Pool, SpanView};

use crate::theme::{Rgb, Role, Theme};

/// What a bar's colour says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colouring {
    /// How full it is.
    #[default]
    Fullness,
    /// How long ago it was made: the paler, the older.
    Age,
    /// Its class: the paler, the smaller its objects.
    Class,
    /// Whether compaction of its class would return pages.
    Freeable,
}

/// What is drawn over a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Nothing.
    Plain,
    /// Lines far apart.
    Hatched,
    /// Lines close together.
    Dense,
    /// Dots.
    Dotted,
}

/// Colours of the map as `0xAABBGGRR`, the byte order of an RGBA buffer read as little-endian words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Ground.
    pub paper: u32,
    /// Outline of a bar that is not full.
    pub edge: u32,
    /// Line between rows and columns.
    pub line: u32,
    /// Ground of the selected row.
    pub selected_row: u32,
    /// Fill by group, in the order of the pool's group names.
    pub groups: Vec<u32>,
    /// Fill of spans that hold one object as large as themselves.
    pub huge: u32,
    /// From little to much.
    ramp: Vec<u32>,
    freeable: u32,
    plain: u32,
}

/// Steps of the ramp for ages and classes.
const RAMP: usize = 12;

impl Palette {
    /// The colours of a theme for a pool with so many groups.
    pub fn new(theme: Theme, groups: usize) -> Self {
        let word = |[red, green, blue]: Rgb| u32::from_le_bytes([red, green, blue, 0xff]);
        let role = |role| word(theme.colour(role));
        let ramp = |steps: usize| (0..steps).map(|step| word(theme.fullness(step, steps))).collect();
        Self {
            paper: role(Role::Paper),
            edge: role(Role::Edge),
            line: role(Role::Line),
            selected_row: role(Role::AccentSoft),
            groups: ramp(groups),
            huge: role(Role::Huge),
            ramp: ramp(RAMP),
            freeable: role(Role::Empty),
            plain: role(Role::Data),
        }
    }

    fn step(&self, part: u64, whole: u64) -> u32 {
        let last = self.ramp.len().saturating_sub(1) as u64;
        let at = (part * last).checked_div(whole).unwrap_or(last).min(last);
        self.ramp.get(at as usize).copied().unwrap_or(self.edge)
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct ClassTint {
    rank: u16,
    huge: bool,
    freeable: bool,
}

/// Colours for the spans of a pool at a moment.
#[derive(Debug)]
pub struct Tints<'a> {
    /// The colours.
    pub palette: &'a Palette,
    colouring: Colouring,
    now: u32,
    ranks: u16,
    classes: Vec<ClassTint>,
}

impl<'a> Tints<'a> {
    /// For a pool as it is now.
    pub fn new<P: Pool>(palette: &'a Palette, colouring: Colouring, pool: &P) -> Self {
        let totals = pool.classes();
        let last = totals.last().map_or(0, |class| usize::from(class.class) + 1);
        let mut classes = vec![ClassTint::default(); last];
        for (rank, class) in totals.iter().enumerate() {
            classes[usize::from(class.class)] = ClassTint {
                rank: rank as u16,
                huge: class.objects_per_span == 1,
                freeable: class.freeable_pages > 0,
            };
        }
        Self { palette, colouring, now: pool.operations(), ranks: totals.len() as u16, classes }
    }

    /// The colour of a span.
    pub fn of(&self, span: &SpanView) -> u32 {
        let class = self.classes.get(usize::from(span.class)).copied().unwrap_or_default();
        match self.colouring {
            Colouring::Fullness if class.huge => self.palette.huge,
            Colouring::Fullness => {
                self.palette.groups.get(usize::from(span.group)).copied().unwrap_or(self.palette.edge)
            }
            Colouring::Age => self.palette.step(span.born.into(), self.now.into()),
            Colouring::Class => self.palette.step(class.rank.into(), self.ranks.saturating_sub(1).into()),
            Colouring::Freeable if class.freeable && span.used < span.capacity => self.palette.freeable,
            Colouring::Freeable => self.palette.plain,
        }
    }

    /// The pattern over that colour: what is freeable is dotted, what is young or large is hatched, so that neither
    /// is known by its colour alone.
    pub fn pattern(&self, span: &SpanView) -> Pattern {
        let class = self.classes.get(usize::from(span.class)).copied().unwrap_or_default();
        let upper = |part: u64, whole: u64| {
            if part * 3 >= whole * 2 {
                Pattern::Dense
            } else if part * 3 >= whole {
                Pattern::Hatched
            } else {
                Pattern::Plain
            }
        };
        match self.colouring {
            Colouring::Fullness => Pattern::Plain,
            Colouring::Age => upper(span.born.into(), self.now.into()),
            Colouring::Class => upper(class.rank.into(), self.ranks.into()),
            Colouring::Freeable if class.freeable && span.used < span.capacity => Pattern::Dotted,
            Colouring::Freeable => Pattern::Plain,
        }
    }

    /// True if spans of a class hold one object.
    pub fn is_huge(&self, class: u16) -> bool {
        self.classes.get(usize::from(class)).is_some_and(|class| class.huge)
    }
}
