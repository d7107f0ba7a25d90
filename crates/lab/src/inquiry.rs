//! Tables that were read, and answers to what is asked of them.

use slabscope_answers::input::Machine;
use slabscope_core::tell::capital;
use slabscope_core::zsmalloc::Era;
use slabscope_formats::{Table, explain};
use slabscope_worker::protocol::decode;

use crate::answering::answer;
use crate::document::{Block, Document};
use crate::memory::Wears;
use crate::play::sizes_of;
use crate::reading::named;
use crate::task::{AnswerTask, Override};

/// Tables to answer for.
pub(crate) struct Inquiry {
    /// As the reader sent them.
    sent: Vec<u8>,
    tables: Vec<Table>,
    /// What they tell of themselves.
    told: Document,
}

impl Inquiry {
    /// For tables that the reader sent.
    ///
    /// # Errors
    /// They are of a reader of another build.
    pub(crate) fn new(sent: &[u8]) -> Result<Self, String> {
        let mut tables: Vec<Table> = decode(sent).ok_or("reader and answers are of different builds")?;
        let known: Vec<_> =
            tables.iter().map(|table| (table.evidence().len(), table.warnings().len())).collect();
        explain(&mut tables);
        let told = tables.iter().zip(known).flat_map(|(table, known)| told(table, known)).collect();
        Ok(Self { sent: sent.to_vec(), tables, told })
    }

    /// True if the tables are these.
    pub(crate) fn is_of(&self, sent: &[u8]) -> bool {
        self.sent == sent
    }

    /// The answers.
    pub(crate) fn document(&self, task: &AnswerTask, wears: &mut Wears) -> Document {
        let asked = task.asked.and_then(|asked| asked.config().ok());
        let mut document = answer(&self.tables, &machine(task.machine), asked.as_ref(), wears);
        self.tables.iter().for_each(|table| document.extend(sizes_of(table)));
        document.extend(self.told.iter().cloned());
        document
    }
}

/// What a table tells beyond so many sentences and warnings, which the reader told.
fn told(table: &Table, (evidence, warnings): (usize, usize)) -> Document {
    let sentences = table.evidence().iter().skip(evidence);
    let found: Document = sentences
        .map(|sentence| Block::Text(format!("{}.", capital(sentence))))
        .chain(table.warnings().iter().skip(warnings).map(|warning| Block::Warning(warning.to_string())))
        .collect();
    if found.is_empty() {
        return found;
    }
    let title = Block::Title(format!("What {} tells of itself", named(table)));
    std::iter::once(title).chain(found).collect()
}

/// What the reader of the page set, over what is inferred.
fn machine(known: Override) -> Machine {
    let era = known.era.and_then(|place| Era::ALL.get(usize::from(place)).copied());
    Machine { era, max_pages: known.max_pages, page_shift: known.page_shift, ..Machine::default() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use slabscope_core::model::AnyConfig;
    use slabscope_core::zsmalloc::{Bits, Config};
    use slabscope_formats::read;
    use slabscope_worker::protocol::{Allocator, encode};

    use super::*;

    const CLASSES: &str =
        " class  size almost_full almost_empty obj_allocated   obj_used pages_used pages_per_zspage freeable
   100  1632           0            3            15          8          6                2        2
   254  4096           0            0             7          7          7                1        0
";

    fn document(text: &str, machine: Override) -> Document {
        let task = AnswerTask { tables: encode(&read(text).tables()), machine, asked: None };
        Inquiry::new(&task.tables).unwrap().document(&task, &mut Wears::new(1))
    }

    #[test]
    fn the_parts_of_a_pool_add_up() {
        let bytes: Vec<u64> = document(CLASSES, Override::default())
            .iter()
            .filter_map(|block| match block {
                Block::Parts(parts) => Some(parts.iter().map(|part| part.bytes).sum()),
                _ => None,
            })
            .collect();
        // What was written, what the pool holds, what lies outside.
        assert_eq!(bytes.get(1), Some(&(13 * 4096)));
    }

    #[test]
    fn what_is_known_better_is_taken_and_told() {
        let text = |machine| {
            let all = document(CLASSES, machine);
            let found = all.iter().filter_map(|block| match block {
                Block::Text(text) => Some(text.clone()),
                _ => None,
            });
            found.collect::<Vec<_>>().join(" ")
        };
        let place = Era::ALL.iter().position(|era| *era == Era::V4_5).unwrap() as u8;
        let own = text(Override::default());
        let other = text(Override { era: Some(place), ..Override::default() });
        assert!(own.contains("6.1") && other.contains("4.5") && own != other, "{own}\n{other}");
    }

    #[test]
    fn sizes_and_slabinfo_are_answered_too() {
        let sizes = document("1000 50\n2000 30\n2500 9\n3000 5\n", Override::default());
        assert!(sizes.iter().any(|block| matches!(block, Block::Plot(_))));
        let slabinfo = "slabinfo - version: 2.1\n# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab> : tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs> <num_slabs> <sharedavail>\ntalk_cache   100 128 256 16 1 : tunables 0 0 0 : slabdata 8 8 0\n";
        let found = document(slabinfo, Override::default());
        assert!(matches!(&found[0], Block::Say(_, pages, ..) if pages == "8 pages"), "{:?}", found[0]);
    }

    #[test]
    fn tables_are_kept_for_another_question() {
        let sent = encode(&read(CLASSES).tables());
        let kept = Inquiry::new(&sent).unwrap();
        assert!(kept.is_of(&sent) && !kept.is_of(&sent[1..]));
        for max_pages in [None, Some(4)] {
            let machine = Override { max_pages, ..Override::default() };
            let task = AnswerTask { tables: sent.clone(), machine, asked: None };
            assert_eq!(kept.document(&task, &mut Wears::new(1)), document(CLASSES, machine));
        }
    }

    #[test]
    fn the_panel_is_followed_in_all_that_it_has() {
        let usual = Config::default_for(Era::V6_12);
        let followed = |config: Config| {
            let asked = Some(Allocator::new(&AnyConfig::Zsmalloc(config)));
            let tables = encode(&read(CLASSES).tables());
            let task = AnswerTask { tables, machine: Override::default(), asked };
            let all = Inquiry::new(&task.tables).unwrap().document(&task, &mut Wears::new(1));
            let told = all.into_iter().find_map(|block| match block {
                Block::Text(text) if text.contains("as the panel has it") => Some(text),
                _ => None,
            });
            told.unwrap()
        };
        let own = followed(usual);
        for (config, said) in [
            (Config { bits: Bits::B32, phys_bits: 32, ..usual }, "max pages 8, 32 bits, as"),
            (Config { phys_bits: 56, ..usual }, "max pages 8, physical addresses of 56 bits, as"),
            (Config { class_delta: Some(256), ..usual }, "max pages 8, class delta 256, as"),
        ] {
            let told = followed(config);
            assert!(told.contains(said) && !own.contains(said), "{told}");
        }
        // Wide classes take more: the setting is not only named.
        let pages = |text: &str| text.split("as the panel has it: ").nth(1).unwrap().to_owned();
        let wide = Config { class_delta: Some(4096), ..usual };
        assert_ne!(pages(&followed(wide)), pages(&own));
    }

    #[test]
    fn other_bytes_are_refused() {
        assert!(Inquiry::new(&[255; 9]).is_err());
    }
}
