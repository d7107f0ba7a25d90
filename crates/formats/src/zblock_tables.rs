//! Block types of zblock as rows of text.

use slabscope_core::zblock::{BlockType, Config};

/// Columns of a block type.
pub const TYPE_COLUMNS: [&str; 12] = [
    "type",
    "slot_size",
    "slots",
    "pages",
    "order",
    "slot_bits",
    "header",
    "waste_per_block",
    "min_size",
    "max_size",
    "bytes_per_slot",
    "ascending",
];

/// The block types of a configuration, one text for each of [`TYPE_COLUMNS`]. `order` is `-` where pages need
/// not be a power of two; `bytes_per_slot` is a block's bytes over its slots.
pub fn type_rows(config: &Config, types: &[BlockType]) -> Vec<[String; 12]> {
    let by_order = config.rules().pages_by_order;
    let ascending = types.is_sorted_by(|before, after| before.slot_size < after.slot_size);
    let row = |kind: &BlockType| {
        let block = u32::from(kind.pages) * config.page_bytes();
        [
            kind.index.to_string(),
            kind.slot_size.to_string(),
            kind.slots.to_string(),
            kind.pages.to_string(),
            if by_order { kind.pages.ilog2().to_string() } else { "-".to_owned() },
            config.slot_bits().to_string(),
            config.header_bytes().to_string(),
            kind.waste.to_string(),
            kind.min_size.to_string(),
            kind.max_size.to_string(),
            millionths(block.into(), kind.slots.into()),
            u8::from(ascending).to_string(),
        ]
    };
    types.iter().map(row).collect()
}

/// A quotient with six decimals, to the nearest; of two equally near the even one.
fn millionths(number: u64, by: u64) -> String {
    let (whole, rest) = (number * 1_000_000 / by, number * 1_000_000 % by);
    let up = 2 * rest > by || (2 * rest == by && whole % 2 == 1);
    let rounded = whole + u64::from(up);
    format!("{}.{:06}", rounded / 1_000_000, rounded % 1_000_000)
}
