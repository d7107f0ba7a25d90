//! What does not fit together in the list of the tool `slabinfo`.

use slabscope_core::tell::grouped;

use crate::reading::Table;
use crate::reading::numbers::int;

/// Rows whose objects do not fit their space or slabs.
pub(super) fn oddities(table: &Table) -> Vec<(u32, String)> {
    let mut said = Vec::new();
    for row in table.rows() {
        let name = row.text("Name").unwrap_or_default();
        let (Some(objects), Some(size)) = (row.get("Objects"), row.get("Objsize")) else { continue };
        let bytes = objects.saturating_mul(size);
        // The space is rounded down to a tenth of its unit.
        if let Some(space) = row.get("Space")
            && bytes > space.saturating_add(space / 10).saturating_add(1000)
        {
            said.push((
                row.line(),
                format!(
                    "{name}: {} objects of {size} bytes need {} bytes, more than the space of {}",
                    grouped(objects),
                    grouped(bytes),
                    grouped(space)
                ),
            ));
        }
        let slabs: Option<Vec<u64>> =
            row.text("Slabs/Part/Cpu").and_then(|text| text.split('/').map(int).collect());
        if let (Some([slabs, partial, cpu]), Some(per_slab)) = (slabs.as_deref(), row.get("O/S")) {
            let places = slabs.saturating_add(*cpu).saturating_mul(per_slab);
            if places < objects {
                said.push((row.line(), format!("{name}: {slabs} and {cpu} slabs of {per_slab} objects are {} places, fewer than the {} objects", grouped(places), grouped(objects))));
            }
            if *partial > slabs.saturating_add(*cpu) {
                said.push((
                    row.line(),
                    format!("{name}: {partial} slabs are partly used of {slabs} and {cpu}"),
                ));
            }
        }
    }
    said
}
