//! What does not fit together in files of /sys/kernel/slab.

use slabscope_core::tell::grouped;

use crate::reading::Table;

/// Objects that do not fit their places, places that do not fit their slabs.
pub(super) fn oddities(table: &Table) -> Vec<(u32, String)> {
    let mut said = Vec::new();
    for row in table.rows() {
        let name = row.text("name").unwrap_or("the cache");
        let get = |column: &str| row.get(column);
        if let (Some(object), Some(place)) = (get("object_size"), get("slab_size"))
            && object > place
        {
            said.push((
                row.line(),
                format!("{name}: objects of {object} bytes do not fit places of {place}"),
            ));
        }
        if let (Some(objects), Some(total)) = (get("objects"), get("total_objects"))
            && objects > total
        {
            said.push((
                row.line(),
                format!("{name}: {} objects in {} places", grouped(objects), grouped(total)),
            ));
        }
        if let (Some(size), Some(order), Some(count)) = (get("slab_size"), get("order"), get("objs_per_slab"))
            && order <= 10
            && count.saturating_mul(size) > (1 << 16) << order
        {
            said.push((
                row.line(),
                format!(
                    "{name}: {count} objects of {size} bytes do not fit order {order} with pages of any size"
                ),
            ));
        }
    }
    said
}
