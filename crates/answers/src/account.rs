//! What a model says, what the machine holds, what compaction leaves: one pool in three figures.

use slabscope_core::tell::bytes;
use slabscope_core::whatif::{Worn, wear, wear_until};
use slabscope_core::zsmalloc::{ConfigError, Geometry};

use crate::input::Input;
use crate::percent;

/// A pool's memory in the order in which people meet it. Bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account {
    /// Objects times their share of a zspage: what a table of costs adds up to.
    pub model: u64,
    /// Room in the last zspage of each class, which no order of objects avoids.
    pub last_zspages: u64,
    /// Room that frees have left and that compaction returns.
    pub freeable: u64,
    /// Room that compaction does not return, though fewer zspages would do: none from 4.3 on in a quiet pool.
    pub kept: u64,
}

impl Account {
    /// From a class table; `None` from a list of sizes, which holds nothing.
    pub fn of(input: &Input) -> Option<Self> {
        let page = u64::from(input.own.page_bytes());
        let held = input.held_pages?.saturating_mul(page);
        let mut shares = 0.0;
        let (mut packed, mut freeable) = (0u64, 0u64);
        for class in &input.classes {
            let each = u64::from(class.zspage_objects).max(1);
            shares += class.objects as f64 * f64::from(class.zspage_pages) / each as f64;
            let zspages = class.objects.div_ceil(each);
            packed = packed.saturating_add(zspages.saturating_mul(class.zspage_pages.into()));
            freeable = freeable.saturating_add(class.freeable);
        }
        let packed = packed.saturating_mul(page).min(held);
        let model = ((shares * page as f64).round() as u64).min(packed);
        let freeable = freeable.saturating_mul(page).min(held - packed);
        Some(Self { model, last_zspages: packed - model, freeable, kept: held - packed - freeable })
    }

    /// What the machine holds.
    pub const fn machine(&self) -> u64 {
        self.after_compaction().saturating_add(self.freeable)
    }

    /// What it holds once compaction is done.
    pub const fn after_compaction(&self) -> u64 {
        self.model.saturating_add(self.last_zspages).saturating_add(self.kept)
    }

    /// The parts with their names; they add up to what the machine holds.
    pub const fn parts(&self) -> [(&'static str, u64); 4] {
        [
            ("objects, each with its share of a zspage", self.model),
            ("room in the last zspage of each class", self.last_zspages),
            ("room left by frees, which compaction returns", self.freeable),
            ("room left by frees, which stays", self.kept),
        ]
    }
}

impl Account {
    /// The figures in their order and what lies between them, in sentences without their full stop.
    pub fn sentences(&self) -> Vec<String> {
        let above = |more: u64, less: u64| match percent::change(less, more) {
            Some(change) => format!("{} %", percent::text(change)),
            None => "-".to_owned(),
        };
        let (model, machine, after) = (self.model, self.machine(), self.after_compaction());
        let mut all = vec![
            format!(
                "a table of costs says {} for these objects, the machine holds {}, {} more",
                bytes(model),
                bytes(machine),
                above(machine, model)
            ),
            format!(
                "compaction returns {} and leaves {}, {} above the table: {} in the last zspage of each class",
                bytes(self.freeable),
                bytes(after),
                above(after, model),
                bytes(self.last_zspages)
            ),
        ];
        if self.kept > 0 {
            all.push(format!(
                "{} more would fit in fewer zspages, but this kernel does not move them",
                bytes(self.kept)
            ));
        }
        all
    }
}

/// How a pool of these sizes wears: a pool that was filled without a gap, from which a share of the objects was freed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wear {
    /// The share freed at random in percent, pages held then and pages that would do, in thousandths of the latter.
    pub curve: Vec<(u8, u64)>,
    /// The share that leads to the fragmentation of the input, and that pool; `None` if no frees do.
    pub like_now: Option<(u8, Worn)>,
}

impl Wear {
    /// Wears a pool in steps. Takes some ten milliseconds. `None` from a list of sizes or of an impossible setting.
    pub fn of(input: &Input) -> Option<Self> {
        let like_now = worn_like(input).ok()?;
        let held = input.held_pages.filter(|held| *held > 0)?;
        let geometry = Geometry::new(&input.own).ok()?;
        let at = |percent: u8| {
            let worn = wear(&geometry, &input.population, percent, MOST_OBJECTS / 4);
            (percent, worn.pages.saturating_mul(1000) / worn.packed.max(1))
        };
        (held >= input.packed.expected)
            .then(|| Self { curve: (0..10).map(|step| at(step * 10)).collect(), like_now })
    }

    /// What the fragmentation of now amounts to, without a full stop.
    pub fn sentence(&self) -> Option<String> {
        let (share, worn) = self.like_now.filter(|(share, _)| *share > 0)?;
        let back = match percent::change(worn.packed, worn.compacted)? {
            0 => "perfect packing".to_owned(),
            over => format!("{} % above perfect packing", percent::text(over)),
        };
        Some(format!(
            "frees explain it: a pool of these sizes that was filled without a gap is as fragmented once {share} % of its objects are freed at random, and compaction brings it back to {back}"
        ))
    }
}

/// How such a pool comes about: the share of objects in percent that is freed at random from a pool that was filled
/// without a gap, until it is as fragmented, and that pool. Takes some ten milliseconds. `None` from a list of
/// sizes, or where no frees do it.
///
/// # Errors
/// The input's setting does not exist.
pub fn worn_like(input: &Input) -> Result<Option<(u8, Worn)>, ConfigError> {
    let geometry = Geometry::new(&input.own)?;
    let Some(held) = input.held_pages.filter(|_| input.packed.expected > 0) else { return Ok(None) };
    let thousandths = (held as f64 * 1000.0 / input.packed.expected as f64).round() as u64;
    Ok(wear_until(&geometry, &input.population, thousandths, MOST_OBJECTS))
}

/// Objects of the pool that is worn.
const MOST_OBJECTS: u32 = 40_000;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::input::{Machine, read_input};

    const TABLE: &str = "class size almost_full almost_empty obj_allocated obj_used pages_used pages_per_zspage freeable\n \
        100 1632 0 0 15000 9999 6000 2 2000\n 202 3264 0 0 5 3 4 4 0\n 254 4096 0 0 700 700 700 1 0\n";

    #[test]
    fn the_parts_add_up_to_what_the_machine_holds() {
        let input = read_input(TABLE, &Machine::default()).unwrap();
        let account = Account::of(&input).unwrap();
        assert_eq!(account.machine(), 6704 * 4096);
        assert_eq!(account.after_compaction(), 4704 * 4096);
        assert_eq!(account.parts().iter().map(|part| part.1).sum::<u64>(), account.machine());
        // One object short of 2000 zspages of 5, and two of one zspage of 5.
        let objects = (9999.0 * 2.0 / 5.0 + 3.0 * 4.0 / 5.0 + 700.0) * 4096.0_f64;
        assert_eq!((account.model, account.kept), (objects.round() as u64, 0));
    }

    #[test]
    fn the_three_figures_are_told_in_their_order() {
        let input = read_input(TABLE, &Machine::default()).unwrap();
        let said = Account::of(&input).unwrap().sentences().join("; ");
        assert!(
            said.contains(
                "says 19,259,392 bytes for these objects, the machine holds 27,459,584 bytes, 42.58 % more"
            ),
            "{said}"
        );
        assert!(
            said.contains("compaction returns 8,192,000 bytes and leaves 19,267,584 bytes, 0.04 % above"),
            "{said}"
        );
        let wear = Wear::of(&input).unwrap();
        assert!(
            wear.curve.is_sorted_by_key(|point| point.0) && wear.curve[6].1 > wear.curve[1].1,
            "{wear:?}"
        );
        assert_eq!(wear.curve[0].1, 1000);
        assert!(wear.sentence().is_some_and(|said| said.contains("freed at random")), "{wear:?}");
    }

    #[test]
    fn frees_explain_the_fragmentation() {
        let input = read_input(TABLE, &Machine::default()).unwrap();
        let (percent, worn) = worn_like(&input).unwrap().unwrap();
        let held = worn.pages as f64 / worn.packed as f64;
        assert!((held - 6704.0 / 4704.0).abs() < 0.03, "{percent} {worn:?}");
        assert!(worn.compacted < worn.pages);
        assert_eq!(worn_like(&read_input("44 1\n", &Machine::default()).unwrap()), Ok(None));
        assert_eq!(Account::of(&read_input("44 1\n", &Machine::default()).unwrap()), None);
    }
}
