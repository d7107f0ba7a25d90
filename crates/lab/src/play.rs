//! What of a text the Pool view can play: a trace as it is, the sizes of a histogram or of a pool for a workload.

use slabscope_core::tell::{bytes, counted, grouped};
use slabscope_core::workload::Measured;
use slabscope_formats::carried::{in_link, pack_sizes, pack_stream};
use slabscope_formats::classes::guess;
use slabscope_formats::events::read_ops;
use slabscope_formats::sizes::{class_sizes, sizes};
use slabscope_formats::{Format, Table};

use crate::document::{Block, Document, Offer};

/// Most operations that are played.
const MOST_STEPS: usize = 5_000_000;
/// Most objects that a workload made of sizes keeps live.
const MOST_LIVE: u64 = 20_000;

/// What can be played of a table of sizes, and what was left out of it.
pub(crate) fn sizes_of(table: &Table) -> Document {
    match table.format() {
        Format::SizeHistogram => match sizes(table) {
            Ok(found) => {
                let told = found.warnings.iter().map(|warning| Block::Warning(warning.to_string()));
                told.chain([workload(&found.measured, Vec::new())]).collect()
            }
            Err(why) => vec![Block::Warning(format!("It cannot be played: {why}"))],
        },
        Format::ZsmallocClasses => pool(table).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The operations of a trace.
pub(crate) fn trace(text: &str) -> Option<Block> {
    let mut found = read_ops(text.as_bytes()).ok()?;
    let left = found.ops.len().saturating_sub(MOST_STEPS);
    found.ops.truncate(MOST_STEPS);
    if found.ops.is_empty() {
        return None;
    }
    let mut said = format!(
        "{}, at most {} live at once",
        counted(found.ops.len() as u64, "operation", "operations"),
        grouped(found.summary.peak_live)
    );
    if left > 0 {
        said += &format!("; the last {} are left out", grouped(left as u64));
    }
    let set = vec![("n".to_owned(), found.ops.len().to_string())];
    Some(play(&said, set, pack_stream(&found.ops)))
}

/// The objects of a pool, in a pool of the setting that it was taken for.
fn pool(table: &Table) -> Option<Block> {
    let found = guess(table)?;
    let measured = class_sizes(table, &found)?;
    let config = found.config;
    let set = [
        ("a", "zsmalloc".to_owned()),
        ("era", config.era.name().to_owned()),
        ("ps", config.page_shift.to_string()),
        ("mp", config.max_pages.to_string()),
        ("b", config.bits.count().to_string()),
    ];
    Some(workload(&measured, set.map(|(key, value)| (key.to_owned(), value)).to_vec()))
}

/// Allocations and frees around as many objects as were counted, or as many as are watched with ease.
fn workload(measured: &Measured, mut set: Vec<(String, String)>) -> Block {
    let live = measured.total().clamp(1, MOST_LIVE);
    for (key, value) in [("w", "churn".to_owned()), ("live", live.to_string()), ("n", (live * 6).to_string())]
    {
        set.push((key.to_owned(), value));
    }
    let (least, most) = measured.range();
    let said = format!(
        "A workload with these sizes: {} to {}, {} on average, {} live",
        grouped(least.into()),
        bytes(most.into()),
        bytes(measured.mean_bytes()),
        grouped(live)
    );
    play(&said, set, pack_sizes(measured))
}

fn play(said: &str, mut set: Vec<(String, String)>, data: String) -> Block {
    let link = in_link(&data);
    let named = if link == data { "" } else { "; too large for a link, which will only name it" };
    for (key, value) in [("at", "0"), ("sel", "auto"), ("t", &link)] {
        set.push((key.to_owned(), value.to_owned()));
    }
    Block::Play(Offer { text: format!("{said}{named}."), set, link, data })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use slabscope_formats::carried::{Carried, carried};
    use slabscope_formats::read;

    use super::*;

    fn offered(text: &str) -> (Offer, Carried) {
        let paste = read(text);
        let block = sizes_of(&paste.tables()[0]).pop().or_else(|| trace(text));
        let Some(Block::Play(offer)) = block else { panic!("an offer") };
        let played = carried(&offer.data).unwrap();
        (offer, played)
    }

    fn value<'a>(offer: &'a Offer, key: &str) -> &'a str {
        offer.set.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value)
    }

    #[test]
    fn a_trace_of_the_kernel_is_played_with_dense_numbers() {
        let text = "x-1 [0] .... 1.0: kmalloc: call_site=f ptr=0xa0 bytes_req=100 bytes_alloc=128\nx-1 [0] .... 1.2: kmalloc: call_site=f ptr=0xb0 bytes_req=50 bytes_alloc=64\nx-1 [0] .... 1.3: kfree: call_site=f ptr=0xa0\n";
        let (offer, played) = offered(text);
        let Carried::Stream(ops) = played else { panic!("a stream") };
        assert_eq!((ops.len(), ops.name(1), value(&offer, "n")), (3, Some(1), "3"));
        assert_eq!(value(&offer, "t"), offer.data);
    }

    #[test]
    fn sizes_become_a_workload() {
        let (offer, played) = offered("size,count\n100,2\n3000,4\n");
        assert!(matches!(played, Carried::Sizes(sizes) if sizes.total() == 6));
        assert_eq!(["w", "live", "n"].map(|key| value(&offer, key)), ["churn", "6", "36"]);
        assert!(offer.text.contains("100 to 3,000 bytes"), "{}", offer.text);
    }

    #[test]
    fn a_pool_is_played_under_its_own_setting() {
        let (offer, played) = offered(
            " class  size almost_full almost_empty obj_allocated   obj_used pages_used pages_per_zspage freeable
   100  1632           0            3            15          8          6                2        2
   254  4096           0            0             7          7          7                1        0
",
        );
        assert_eq!(["a", "era", "ps", "live"].map(|key| value(&offer, key)), ["zsmalloc", "6.1", "12", "15"]);
        let Carried::Sizes(sizes) = played else { panic!("sizes") };
        assert_eq!(
            sizes.ranges().map(|range| (range.1, range.2)).collect::<Vec<_>>(),
            [(1624, 8), (4096, 7)]
        );
    }
}
