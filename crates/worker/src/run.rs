//! A run: a timeline of the scenario's pool and stream, and what does not change over it.

use std::sync::Arc;

use slabscope_core::model::{AnyConfig, AnyPool, Model};
use slabscope_core::pool::Pool as _;
use slabscope_core::tell::{Teller, Terms};
use slabscope_core::timeline::Timeline;
use slabscope_core::zsmalloc::Compacting;

use crate::protocol::Cast;
use crate::quantity::Panel;
use crate::setup::Setup;

/// Memory for copies of the pool, and for those of a long run, which lie further apart.
const SNAPSHOT_BYTES: [usize; 2] = [64 << 20, 144 << 20];
/// Operations from which a run is long.
const LONG: usize = 2_000_000;

/// A timeline and what does not change over it.
#[derive(Debug)]
pub struct Run {
    /// The pool at any step.
    pub timeline: Timeline<AnyPool>,
    model: Model,
    groups: &'static [&'static str],
    /// Bytes of an object of each class, ascending by class.
    sizes: Vec<(u16, u32)>,
    /// Bytes of a page.
    pub page_bytes: u32,
    /// Bytes of a handle that every object but the only one of its span starts with.
    pub handle_bytes: u32,
    /// Bytes of the descriptor of a zspage, where it has one.
    pub descriptor_bytes: Option<u32>,
    /// Pages of the longest span.
    pub longest: u16,
    /// How zsmalloc compacts.
    pub compacting: Option<Compacting>,
}

impl Run {
    /// The run of a setup, with nothing recorded.
    ///
    /// # Errors
    /// The configuration is impossible; the text says why.
    pub fn new(setup: &Setup) -> Result<Self, String> {
        let config = setup.config()?;
        let (compacting, descriptor_bytes) = match &config {
            AnyConfig::Zsmalloc(config) => (Some(config.era.rules().compacting), config.descriptor_bytes()),
            AnyConfig::Zblock(_) | AnyConfig::Slub(_) => (None, None),
        };
        let pool = config.pool().map_err(|error| error.to_string())?;
        let (model, groups) = (pool.model(), pool.group_names());
        let classes = pool.classes();
        let ops = Arc::new(setup.ops()?);
        let bytes = SNAPSHOT_BYTES[usize::from(ops.len() >= LONG)];
        let mut timeline = Timeline::new(pool, ops, bytes);
        timeline.count_crossing(setup.page_bytes());
        Ok(Self {
            model,
            groups,
            sizes: classes.iter().map(|class| (class.class, class.size)).collect(),
            page_bytes: setup.page_bytes(),
            handle_bytes: setup.handle_bytes(),
            longest: classes.iter().map(|class| class.pages_per_span).max().unwrap_or(1),
            compacting,
            descriptor_bytes,
            timeline,
        })
    }

    /// What the page has to know about it.
    pub fn cast(&self) -> Cast {
        let terms = self.terms();
        let shown = self.groups.iter().skip(self.first_group().into());
        Cast {
            steps: self.timeline.len(),
            span: terms.span.to_owned(),
            spans: terms.spans.to_owned(),
            class: terms.class.to_owned(),
            groups: shown.map(|name| name.replace('_', " ")).collect(),
            first_group: self.first_group(),
            has_huge: self.has_huge(),
            compacts: self.model != Model::Zblock,
            page_bytes: self.page_bytes,
            panels: Panel::all(self).into_iter().map(|panel| panel.name).collect(),
        }
    }

    /// What the allocator calls its parts.
    pub const fn terms(&self) -> &'static Terms {
        Terms::of(self.model)
    }

    /// The allocator.
    pub(crate) const fn model(&self) -> Model {
        self.model
    }

    /// Names of the groups.
    pub const fn groups(&self) -> &'static [&'static str] {
        self.groups
    }

    /// Bytes of an object of a class.
    pub fn size_of(&self, class: u16) -> u32 {
        self.sizes.binary_search_by_key(&class, |entry| entry.0).map_or(0, |at| self.sizes[at].1)
    }

    /// The first group worth a column: zsmalloc's group 0 is the empty one, which holds nothing here.
    pub fn first_group(&self) -> u8 {
        u8::from(self.has_huge())
    }

    /// True if spans of a single object are drawn in a colour of their own.
    pub fn has_huge(&self) -> bool {
        self.model == Model::Zsmalloc
    }

    /// Speaks about a pool of this run.
    pub fn tell<T>(&self, say: impl FnOnce(&Teller<'_>) -> T) -> T {
        let size_of = |class: u16| self.size_of(class);
        say(&Teller { terms: self.terms(), groups: self.groups, size_of: &size_of })
    }
}
