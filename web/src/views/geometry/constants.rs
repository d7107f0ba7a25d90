//! Constants with their formulas, and the warning where more pages raise the smallest size.

use slabscope_core::tell::grouped;
use slabscope_core::zsmalloc::{Config, Constants as Numbers, Geometry};
use yew::prelude::*;

/// What follows from the settings.
pub(super) fn constants(config: &Config) -> Html {
    let (pfn_bits, index_bits) = Numbers::location_bits(config);
    let tag = config.era.rules().tag_in_location;
    let index_formula = if tag {
        format!(
            "{} bits of a word \u{2212} {pfn_bits} of the page number \u{2212} 1 tag bit",
            config.bits.count()
        )
    } else {
        format!("{} bits of a word \u{2212} {pfn_bits} of the page number", config.bits.count())
    };
    let mut rows = vec![("OBJ_INDEX_BITS", index_bits.to_string(), index_formula)];
    if let Ok(geometry) = Geometry::new(config) {
        let numbers = geometry.constants();
        let huge = geometry.huge_class_size();
        rows.extend([
            (
                "ZS_MIN_ALLOC_SIZE",
                grouped(numbers.min_alloc.into()),
                format!(
                    "the larger of 32 and {} pages \u{00d7} {} bytes / 2^{index_bits}",
                    config.max_pages,
                    grouped(config.page_bytes().into())
                ),
            ),
            (
                "ZS_SIZE_CLASS_DELTA",
                numbers.class_delta.to_string(),
                if config.class_delta.is_some() {
                    "as set".to_owned()
                } else {
                    "a 256th of a page".to_owned()
                },
            ),
            (
                "ZS_HANDLE_SIZE",
                numbers.handle_bytes.to_string(),
                "a word, in front of every object that is not huge".to_owned(),
            ),
            (
                "Size classes",
                numbers.size_classes.to_string(),
                "(largest \u{2212} smallest) / delta, rounded up, + 1".to_owned(),
            ),
            (
                "Distinct classes",
                geometry.classes().len().to_string(),
                "after merging neighbours of equal pages and objects".to_owned(),
            ),
            (
                "Huge from, bytes",
                if huge == 0 { "none".to_owned() } else { grouped(huge.into()) },
                "largest nominal size with more than one page and object \u{2212} handle + 1".to_owned(),
            ),
        ]);
    }
    html! {
        <section class="section" aria-label="Constants">
            <h2>{ "What follows from these" }</h2>
            <dl class="list">
                for (name, value, formula) in &rows {
                    <dt key={*name} title={formula.clone()}>{ *name }</dt><dd data-constant={*name}>{ value }</dd>
                }
            </dl>
            if let Some(warning) = warning(config) {
                <p class="warn">{ warning }</p>
            }
            <details>
                <summary class="link">{ "Show the formulas" }</summary>
                <dl>
                    for (name, _, formula) in &rows {
                        <dt key={*name}>{ *name }</dt><dd class="fine">{ formula }</dd>
                    }
                </dl>
            </details>
        </section>
    }
}

/// More pages leave less of the index for each: on 32 bit with many physical bits that raises the
/// smallest size, and all smaller requests share it.
fn warning(config: &Config) -> Option<String> {
    let numbers = Numbers::new(config).ok()?;
    (numbers.min_alloc > 32).then(|| {
        format!(
            "With {} pages the index has too few bits for objects of 32 bytes: the smallest object takes {} bytes, and every smaller request pays for that.",
            config.max_pages,
            grouped(numbers.min_alloc.into())
        )
    })
}
