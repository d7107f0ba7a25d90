//! What a slabinfo says of its allocator, and what does not fit together in it.

use slabscope_core::tell::{counted, grouped};

use crate::reading::Table;

/// Sums, evidence and warnings of a table of slabinfo.
pub(super) fn explain(table: &mut Table) {
    let mut said: Vec<(u32, String)> = Vec::new();
    let mut pages = 0u64;
    let mut tunables = false;
    let place = |name: &str| table.column(name);
    let [active, total, size, per_slab, slab_pages] =
        ["active_objs", "num_objs", "objsize", "objperslab", "pagesperslab"].map(place);
    let [active_slabs, slabs, limit] = ["active_slabs", "num_slabs", "limit"].map(place);
    for row in table.rows() {
        let get = |place: Option<usize>| place.and_then(|place| row.int(place));
        let name = row.text("name").unwrap_or_default();
        let mut warn = |text: String| said.push((row.line(), format!("{name}: {text}")));
        tunables |= get(limit).is_some_and(|limit| limit > 0);
        pages = pages.saturating_add(get(slabs).unwrap_or(0).saturating_mul(get(slab_pages).unwrap_or(0)));
        if let (Some(active), Some(total)) = (get(active), get(total))
            && active > total
        {
            warn(format!("{} objects in use of {}", grouped(active), grouped(total)));
        }
        if let (Some(active), Some(all)) = (get(active_slabs), get(slabs))
            && active > all
        {
            warn(format!("{} slabs in use of {}", grouped(active), grouped(all)));
        }
        if let (Some(total), Some(per_slab @ 1..), Some(slabs)) = (get(total), get(per_slab), get(slabs)) {
            let places = slabs.saturating_mul(per_slab);
            if places != total {
                warn(format!(
                    "{} slabs of {per_slab} objects are {} places, not {}",
                    grouped(slabs),
                    grouped(places),
                    grouped(total)
                ));
            }
        }
        if let (Some(per_slab), Some(size), Some(slab_pages)) = (get(per_slab), get(size), get(slab_pages)) {
            let bytes = per_slab.saturating_mul(size);
            // The largest page of a kernel: above it no page size explains the row.
            if bytes > slab_pages.saturating_mul(1 << 16) {
                warn(format!(
                    "{per_slab} objects of {size} bytes do not fit {} of any size",
                    counted(slab_pages, "page", "pages")
                ));
            }
        }
    }
    for (line, text) in said {
        table.warn(Some(line), text);
    }
    if table.column("limit").is_some() {
        table.tell(if tunables {
            "tunables are in use, or were edited: SLAB has them, SLUB prints 0".to_owned()
        } else {
            "all tunables are 0: SLUB, or SLAB with nothing to tune".to_owned()
        });
    }
    page_size(table);
    let sums = ["active_objs", "num_objs", "active_slabs", "num_slabs"];
    let mut totals: Vec<(String, u64)> = sums
        .iter()
        .filter(|name| table.column(name).is_some())
        .map(|name| ((*name).to_owned(), table.sum(name)))
        .collect();
    if table.column("num_slabs").is_some() {
        totals.push(("pages".to_owned(), pages));
    }
    table.set_totals(totals, false);
}

/// The smallest page that every cache fits into.
fn page_size(table: &mut Table) {
    let need = table.rows().filter_map(|row| {
        let bytes = row.get("objperslab")?.checked_mul(row.get("objsize")?)?;
        Some(bytes.div_ceil(row.get("pagesperslab").filter(|pages| *pages > 0)?))
    });
    let Some(need) = need.max().filter(|need| (1..=1 << 16).contains(need)) else { return };
    let page = need.next_power_of_two().max(4096);
    table.tell(format!(
        "the fullest slab needs {} bytes of each page: pages have at least {} KiB",
        grouped(need),
        page >> 10
    ));
}
