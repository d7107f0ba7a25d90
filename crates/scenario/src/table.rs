//! The table of parameters: one row per link key, in the order of links.

use slabscope_core::workload::{Kind as WorkloadKind, SizeDist};

use crate::choice::{Allocator, Case, Choice, Locking, Plot, Theme, Ui, View};
use crate::generation;
use crate::link::VERSION;
use crate::param::{Group, Key, Kind, Param, Parsed, Scale, Value};
use crate::side::Side;
use crate::text;

/// Every parameter, in the order of [`Key`].
pub static PARAMS: [Param; Key::COUNT] = [
    Param {
        label: "Link version",
        help: "Which version of the link's rules is used. Older ones are converted.",
        kind: number(1, VERSION, 1),
        default: |_| Value::Number(VERSION),
        ..row(Key::Version, "v", Group::Link)
    },
    Param {
        label: "View",
        help: "The tab of the page.",
        kind: choice(|_| View::CHOICES.to_vec()),
        default: |_| Value::Choice(View::Geometry.name()),
        ..row(Key::View, "view", Group::Page)
    },
    Param {
        label: "Allocator",
        help: "The allocator that is modelled.",
        kind: choice(|_| Allocator::CHOICES.to_vec()),
        default: |_| Value::Choice(Allocator::Zsmalloc.name()),
        ..row(Key::Allocator, "a", Group::Allocator)
    },
    Param {
        label: "Era",
        help: "The generation of the allocator: kernels whose rules are the same. A kernel version is accepted too.",
        kind: Kind::Choice { list: eras, other: other_era },
        default: |side| Value::Choice(generation::default_name(side.allocator())),
        ..row(Key::Era, "era", Group::Allocator)
    },
    Param {
        label: "Page shift",
        help: "A page has 2 to this power bytes: 12 is 4 KiB, 14 is 16 KiB, 16 is 64 KiB.",
        kind: number(12, 16, 1),
        default: |_| Value::Number(12),
        ..row(Key::PageShift, "ps", Group::Settings)
    },
    Param {
        label: "Max pages per zspage",
        unit: "pages",
        help: "The longest chain of pages that a zspage may have (CONFIG_ZSMALLOC_CHAIN_SIZE; fixed at 4 before 6.3).",
        kind: number(1, 16, 1),
        default: |side| Value::Number(generation::rules(side).default_max_pages.into()),
        allocators: ZSMALLOC,
        ..row(Key::MaxPages, "mp", Group::Settings)
    },
    Param {
        label: "Bits per long",
        unit: "bits",
        help: "Whether the kernel is a 32-bit or a 64-bit one. It sets the size of a handle.",
        kind: number(32, 64, 32),
        default: |_| Value::Number(64),
        allocators: ZSMALLOC,
        ..row(Key::Bits, "b", Group::Settings)
    },
    Param {
        label: "Physical address bits",
        unit: "bits",
        help: "MAX_POSSIBLE_PHYSMEM_BITS: how many bits a page frame number needs, and so how many are left to number objects.",
        kind: number(32, 64, 1),
        default: phys_bits,
        allocators: ZSMALLOC,
        ..row(Key::PhysBits, "pb", Group::Settings)
    },
    Param {
        label: "Class delta",
        unit: "bytes",
        help: "Distance between size classes. Kernels use a 256th of a page; a 2026 proposal uses 16 bytes at every page size.",
        kind: open_number(8, 65_536, 8, "a 256th of a page"),
        default: |_| Value::Auto,
        allocators: ZSMALLOC,
        ..row(Key::ClassDelta, "d", Group::Settings)
    },
    Param {
        label: "CPUs",
        help: "How many CPUs the kernel found: more CPUs ask for more objects per slab.",
        kind: number(1, 8192, 1),
        default: |_| Value::Number(8),
        allocators: SLUB,
        ..row(Key::Cpus, "cpu", Group::Settings)
    },
    Param {
        label: "Min objects",
        unit: "objects",
        help: "slab_min_objects: how many objects a slab should hold. Automatic: from the number of CPUs.",
        kind: open_number(1, 65_535, 1, "from the number of CPUs"),
        default: |_| Value::Auto,
        allocators: SLUB,
        ..row(Key::MinObjects, "mo", Group::Settings)
    },
    Param {
        label: "Min order",
        help: "slab_min_order: a slab has at least 2 to this power pages.",
        kind: number(0, 10, 1),
        default: |_| Value::Number(0),
        allocators: SLUB,
        ..row(Key::MinOrder, "mino", Group::Settings)
    },
    Param {
        label: "Max order",
        help: "slab_max_order: a slab should have at most 2 to this power pages.",
        kind: number(0, 10, 1),
        default: |_| Value::Number(3),
        allocators: SLUB,
        ..row(Key::MaxOrder, "maxo", Group::Settings)
    },
    Param {
        label: "Object size",
        unit: "bytes",
        help: "Size of the objects of the cache that is watched. Automatic: the kmalloc caches instead, each with its size.",
        kind: Kind::Integer {
            min: 1,
            max: 1 << 20,
            step: 1,
            scale: Scale::Log,
            auto: Some("the kmalloc caches"),
        },
        default: |_| Value::Auto,
        allocators: SLUB,
        ..row(Key::ObjectSize, "osz", Group::Settings)
    },
    Param {
        label: "Workload",
        help: "The shape of the stream of operations.",
        kind: choice(|_| WorkloadKind::ALL.iter().map(|kind| entry(kind.name(), kind.label())).collect()),
        default: |_| Value::Choice(WorkloadKind::Phases.name()),
        views: PLAYED,
        ..row(Key::Workload, "w", Group::Workload)
    },
    Param {
        label: "Sizes",
        help: "Where the sizes of the requests come from: even, or measured on compressed pages of real programs.",
        kind: choice(|_| SizeDist::ALL.iter().map(|dist| entry(dist.name(), dist.label())).collect()),
        default: |side| {
            let shift = u8::try_from(side.number(Key::PageShift)).unwrap_or(12);
            Value::Choice(SizeDist::ProcLzo.for_page_shift(shift).name())
        },
        allocators: COMPRESSED,
        views: PLAYED,
        ..row(Key::SizeDist, "dist", Group::Workload)
    },
    Param {
        label: "Seed",
        help: "Start of the random numbers: the same seed gives the same operations everywhere.",
        kind: number(0, MOST_EXACT, 1),
        default: |_| Value::Number(42),
        views: SEEDED,
        ..row(Key::Seed, "seed", Group::Workload)
    },
    Param {
        label: "Operations",
        help: "Length of the stream.",
        kind: log_number(1, 10_000_000),
        default: |_| Value::Number(9000),
        views: SEEDED,
        ..row(Key::Operations, "n", Group::Workload)
    },
    Param {
        label: "Live objects",
        unit: "objects",
        help: "How many objects the workload aims to keep.",
        kind: log_number(1, 1_000_000),
        default: |_| Value::Number(1500),
        views: PLAYED,
        ..row(Key::Live, "live", Group::Workload)
    },
    Param {
        label: "Compact every",
        unit: "operations",
        help: "Every so many operations the whole pool is compacted (SLUB: all caches are shrunk). 0: never.",
        kind: number(0, 10_000_000, 1),
        default: |_| Value::Number(0),
        allocators: COMPACTED,
        views: PLAYED,
        ..row(Key::CompactEvery, "c", Group::Workload)
    },
    Param {
        label: "Locking",
        help: "Which locks an operation takes.",
        kind: choice(|_| Locking::CHOICES.to_vec()),
        default: |_| Value::Choice(Locking::ClassRw.name()),
        views: LOCKS,
        ..row(Key::Locking, "lk", Group::Locks)
    },
    Param {
        label: "Threads",
        help: "Threads that compress, allocate and free at the same time.",
        kind: number(1, 256, 1),
        default: |_| Value::Number(8),
        views: LOCKS,
        ..row(Key::Threads, "th", Group::Locks)
    },
    Param {
        label: "Pools",
        help: "Over how many pools objects are spread where the scheme has several.",
        kind: number(1, 1024, 1),
        default: |_| Value::Number(32),
        views: LOCKS,
        ..row(Key::Pools, "pools", Group::Locks)
    },
    Param {
        label: "Skew",
        unit: "percent",
        help: "How unequal the traffic of the size classes is: the exponent of a Zipf law times 100. 0: all the same.",
        kind: number(0, 200, 5),
        default: |_| Value::Number(100),
        views: LOCKS,
        ..row(Key::Skew, "skew", Group::Locks)
    },
    Param {
        label: "Step",
        help: "How many operations of the stream have been played; in a case, the position of its figure.",
        kind: number(0, 10_000_000, 1),
        default: |_| Value::Number(0),
        views: STEPPED,
        ..row(Key::At, "at", Group::Page)
    },
    Param {
        label: "Selection",
        help: "What is followed: o and the number of an object, or z and that of a zspage, block or slab.",
        kind: Kind::Text { most_bytes: 11, canonical: text::selection },
        views: PLAYED,
        ..row(Key::Selected, "sel", Group::Page)
    },
    Param {
        label: "Data in the link",
        help: "What is played instead of a workload of ours: operations or sizes, packed (z1. and base64url), or what names data too large for a link (f1.).",
        kind: Kind::Text { most_bytes: 8192, canonical: text::data },
        ..row(Key::Data, "t", Group::Page)
    },
    Param {
        label: "Theme",
        help: "Colours of the page.",
        kind: choice(|_| Theme::CHOICES.to_vec()),
        default: |_| Value::Choice(Theme::Auto.name()),
        ..row(Key::Theme, "theme", Group::Page)
    },
    Param {
        label: "Around the figure",
        help: "How much is shown around an embedded figure.",
        kind: choice(|_| Ui::CHOICES.to_vec()),
        default: |_| Value::Choice(Ui::Controls.name()),
        ..row(Key::Ui, "ui", Group::Page)
    },
    Param {
        label: "Result digest",
        help: "First eight hexadecimal digits of the result's digest: readers are told when it is another one now.",
        kind: Kind::Text { most_bytes: 8, canonical: text::digest },
        ..row(Key::Digest, "h", Group::Link)
    },
    Param {
        label: "Inspected size",
        unit: "bytes",
        help: "The request whose class the Geometry view takes apart.",
        kind: open_number(1, 1 << 20, 1, "none"),
        views: GEOMETRY,
        ..row(Key::Size, "size", Group::Page)
    },
    Param {
        label: "Compared max pages",
        help: "Further max pages that are drawn for comparison, separated by commas.",
        kind: Kind::Text { most_bytes: 40, canonical: text::max_pages_list },
        allocators: ZSMALLOC,
        views: GEOMETRY,
        ..row(Key::Also, "also", Group::Page)
    },
    Param {
        label: "Plot",
        help: "What is drawn against the object size.",
        kind: choice(|_| Plot::CHOICES.to_vec()),
        default: |_| Value::Choice(Plot::Loss.name()),
        views: GEOMETRY,
        ..row(Key::Plot, "plot", Group::Page)
    },
    Param {
        label: "Case",
        help: "The published result that is worked out again.",
        kind: choice(|_| Case::CHOICES.to_vec()),
        default: |_| Value::Choice(Case::MorePages.name()),
        views: CASES,
        ..row(Key::Case, "case", Group::Page)
    },
    Param {
        label: "Assumptions",
        help: "Assumptions of the case with other values than the usual: name:value, separated by commas.",
        kind: Kind::Text { most_bytes: 200, canonical: text::assumptions },
        views: CASES,
        ..row(Key::Assumed, "set", Group::Page)
    },
    Param {
        label: "Locked parameters",
        help: "Keys that readers of an embedded figure cannot change, separated by commas.",
        kind: Kind::Text { most_bytes: 120, canonical: text::keys },
        ..row(Key::Lock, "lock", Group::Page)
    },
];

/// Largest number that every reader of JSON keeps exactly.
const MOST_EXACT: u64 = (1 << 53) - 1;

const ZSMALLOC: &[Allocator] = &[Allocator::Zsmalloc];
const SLUB: &[Allocator] = &[Allocator::Slub];
const COMPRESSED: &[Allocator] = &[Allocator::Zsmalloc, Allocator::Zblock];
const COMPACTED: &[Allocator] = &[Allocator::Zsmalloc, Allocator::Slub];
const GEOMETRY: &[View] = &[View::Geometry];
const PLAYED: &[View] = &[View::Pool, View::Compare];
const SEEDED: &[View] = &[View::Pool, View::Compare, View::Locks];
const LOCKS: &[View] = &[View::Locks];
const CASES: &[View] = &[View::Cases];
const STEPPED: &[View] = &[View::Pool, View::Compare, View::Cases];

/// What most rows have in common: no unit, open by default, for every allocator and view.
const fn row(key: Key, name: &'static str, group: Group) -> Param {
    Param {
        key,
        name,
        label: "",
        unit: "",
        help: "",
        kind: number(0, 0, 1),
        default: |_| Value::Auto,
        group,
        allocators: Allocator::ALL,
        views: View::ALL,
    }
}

const fn number(min: u64, max: u64, step: u64) -> Kind {
    Kind::Integer { min, max, step, scale: Scale::Linear, auto: None }
}

const fn log_number(min: u64, max: u64) -> Kind {
    Kind::Integer { min, max, step: 1, scale: Scale::Log, auto: None }
}

const fn open_number(min: u64, max: u64, step: u64, auto: &'static str) -> Kind {
    Kind::Integer { min, max, step, scale: Scale::Linear, auto: Some(auto) }
}

const fn choice(list: fn(&Side) -> Vec<Choice>) -> Kind {
    Kind::Choice { list, other: |_, _| Ok(None) }
}

const fn entry(value: &'static str, label: &'static str) -> Choice {
    Choice { value, label }
}

fn eras(side: &Side) -> Vec<Choice> {
    generation::all(side.allocator())
}

fn other_era(side: &Side, text: &str) -> Result<Option<Parsed>, String> {
    let other = generation::other_name(side.allocator(), text)?;
    Ok(other.map(|(name, note)| Parsed { value: Value::Choice(name), note: Some(note) }))
}

/// 32-bit kernels without an extension address 32 bits.
fn phys_bits(side: &Side) -> Value {
    match side.number(Key::Bits) {
        32 => Value::Number(32),
        _ => Value::Number(generation::rules(side).default_phys_bits.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::PARAMS;
    use crate::param::{Fit, Key};
    use crate::side::Side;

    #[test]
    fn rows_are_in_the_order_of_their_keys_with_one_name_each() {
        for (index, param) in PARAMS.iter().enumerate() {
            assert_eq!(param.key as usize, index, "{}", param.name);
            assert_eq!(Key::from_name(param.name), Some(param.key));
            assert!(!param.label.is_empty() && param.help.ends_with('.'), "{}", param.name);
        }
    }

    #[test]
    fn every_default_is_allowed() {
        for param in &PARAMS {
            let side = Side::default();
            let default = (param.default)(&side);
            assert_eq!(param.fit(&side, default.clone(), Fit::Exact), Ok(default), "{}", param.name);
        }
    }
}
