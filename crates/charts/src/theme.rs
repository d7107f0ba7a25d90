//! Colours of every picture, by what they stand for. The page's style sheet has the same under the
//! same names; a test compares them.

/// A colour as red, green, blue.
pub type Rgb = [u8; 3];

/// What a colour stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Ground of pictures.
    Paper,
    /// Lines that only group.
    Line,
    /// Outlines.
    Edge,
    /// Text.
    Ink,
    /// Secondary text.
    Ink2,
    /// Axis labels.
    Ink3,
    /// Selection and the cursor.
    Accent,
    /// Ground of what is selected.
    AccentSoft,
    /// Bytes requested.
    Data,
    /// Handles.
    Handle,
    /// Rounding up to the class.
    Rounding,
    /// Behind the last object.
    Tail,
    /// Places without an object.
    Empty,
    /// Headers of blocks and red zones.
    Header,
    /// Chains of one page.
    Pages1,
    /// Of two.
    Pages2,
    /// Of three.
    Pages3,
    /// Of four and more.
    Pages4,
    /// A zspage with one object as large as itself.
    Huge,
}

struct Entry {
    role: Role,
    token: &'static str,
    light: u32,
    dark: u32,
}

const fn entry(role: Role, token: &'static str, light: u32, dark: u32) -> Entry {
    Entry { role, token, light, dark }
}

const TABLE: [Entry; 19] = [
    entry(Role::Paper, "paper", 0xffffff, 0x101417),
    entry(Role::Line, "line", 0xdadfe4, 0x2b3239),
    entry(Role::Edge, "edge", 0x808a95, 0x727d89),
    entry(Role::Ink, "ink", 0x15191e, 0xe9ecef),
    entry(Role::Ink2, "ink-2", 0x434b55, 0xb6bec7),
    entry(Role::Ink3, "ink-3", 0x616a75, 0x949ea9),
    entry(Role::Accent, "accent", 0x0b5cad, 0x6cb4fa),
    entry(Role::AccentSoft, "accent-soft", 0xe2edf8, 0x17314b),
    entry(Role::Data, "use-data", 0xc8d0d9, 0x46515d),
    entry(Role::Handle, "use-handle", 0x1f83b8, 0x5ab4e5),
    entry(Role::Rounding, "use-rounding", 0xd98200, 0xf0a63a),
    entry(Role::Tail, "use-tail", 0xc2410c, 0xf07b4c),
    entry(Role::Empty, "use-empty", 0x17805f, 0x3fb68d),
    entry(Role::Header, "use-header", 0xa6517f, 0xd98bb4),
    entry(Role::Pages1, "pages-1", 0xe4e8ed, 0x29303a),
    entry(Role::Pages2, "pages-2", 0xbcc7d3, 0x445163),
    entry(Role::Pages3, "pages-3", 0x8fa0b3, 0x68798e),
    entry(Role::Pages4, "pages-4", 0x5f7388, 0x98a9bd),
    entry(Role::Huge, "full-huge", 0x6d5a44, 0xb59a78),
];

/// Fullness from empty to full. Lightness changes steadily, so that the order survives colour
/// blindness and print; in the dark it runs the other way, so that full stands out in both.
const FULLNESS: [(u32, u32); 12] = [
    (0xe6dec6, 0x3d3724),
    (0xdcc078, 0x77602c),
    (0xc9b867, 0x756a31),
    (0xaeb26b, 0x788442),
    (0x8eaa78, 0x698d57),
    (0x6fa088, 0x5e9870),
    (0x539495, 0x58a28b),
    (0x418ba0, 0x5caba5),
    (0x34769d, 0x6bb5bf),
    (0x2d6499, 0x83c0d6),
    (0x294f8d, 0xa3cfe8),
    (0x24366e, 0xcfe2f8),
];

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Dark on light.
    #[default]
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// The colour of a role.
    pub fn colour(self, role: Role) -> Rgb {
        let entry = TABLE.iter().find(|entry| entry.role == role);
        entry.map_or([0; 3], |entry| self.pick(entry.light, entry.dark))
    }

    /// The colour of fullness group `group` of `groups`.
    pub fn fullness(self, group: usize, groups: usize) -> Rgb {
        let last = FULLNESS.len() - 1;
        let step = (group * last).checked_div(groups.saturating_sub(1)).unwrap_or(last).min(last);
        let (light, dark) = FULLNESS[step];
        self.pick(light, dark)
    }

    /// The colour of text on a ground: whichever of ink and paper stands out more.
    pub fn text_on(self, ground: Rgb) -> Role {
        // How light adds up lies between squares and cubes; a twentieth of white is added, as the guidelines on
        // contrast do.
        let linear = |channel: u8| {
            let channel = u64::from(channel);
            channel * channel * (18 * 255 + 7 * channel) / (25 * 255)
        };
        let light = |[red, green, blue]: Rgb| 2 * linear(red) + 7 * linear(green) + linear(blue) + 32_512;
        let (ground, ink, paper) =
            (light(ground), light(self.colour(Role::Ink)), light(self.colour(Role::Paper)));
        // Halfway between the two by ratio.
        if (ground * ground > ink * paper) == (paper > ink) { Role::Ink } else { Role::Paper }
    }

    /// Every colour with the name of its token, without the dashes in front.
    pub fn tokens(self) -> Vec<(String, Rgb)> {
        const NAMES: [u8; 12] = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 99, 100];
        let named = TABLE.iter().map(|entry| (entry.token.to_owned(), self.pick(entry.light, entry.dark)));
        let fullness = NAMES.iter().zip(FULLNESS);
        named
            .chain(fullness.map(|(name, (light, dark))| (format!("full-{name}"), self.pick(light, dark))))
            .collect()
    }

    const fn pick(self, light: u32, dark: u32) -> Rgb {
        let [_, red, green, blue] = match self {
            Self::Light => light.to_be_bytes(),
            Self::Dark => dark.to_be_bytes(),
        };
        [red, green, blue]
    }
}
