//! What does not fit together in a screen of slabtop.

use slabscope_core::tell::grouped;

use crate::reading::Table;

/// Numbers of a row that cannot be together.
pub(super) fn oddities(table: &Table) -> Vec<(u32, String)> {
    let mut said = Vec::new();
    for row in table.rows() {
        let name = row.text("NAME").unwrap_or_default();
        let get = |column: &str| row.get(column).unwrap_or(0);
        let (objects, active, slabs, per_slab) = (get("OBJS"), get("ACTIVE"), get("SLABS"), get("OBJ/SLAB"));
        let mut warn = |text: String| said.push((row.line(), format!("{name}: {text}")));
        if active > objects {
            warn(format!("{} objects in use of {}", grouped(active), grouped(objects)));
        }
        let places = slabs.saturating_mul(per_slab);
        if places < objects {
            warn(format!(
                "{} slabs of {per_slab} objects are {} places, fewer than the {} objects",
                grouped(slabs),
                grouped(places),
                grouped(objects)
            ));
        }
        // Sizes are rounded to a hundredth of a K: 5 bytes up or down for each object.
        let (size, cache) = (get("OBJ SIZE"), get("CACHE SIZE"));
        if objects.saturating_mul(size.saturating_sub(6)) > cache {
            warn(format!(
                "{} objects of {} bytes need more than the {} bytes of the cache",
                grouped(objects),
                grouped(size),
                grouped(cache)
            ));
        }
    }
    said
}
