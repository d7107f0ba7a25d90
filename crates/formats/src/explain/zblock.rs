//! Which versions of zblock have a table's types, and what does not add up in it.

use slabscope_core::zblock::{Config, Geometry, Version};

use crate::reading::Table;

/// Which versions have these types, and what does not add up.
pub(super) fn explain(table: &mut Table, guesses: bool) {
    let mut said = Vec::new();
    for row in table.rows() {
        let get = |name| row.get(name).unwrap_or(0);
        let product = get("blocks").saturating_mul(get("pages"));
        if product != get("total") {
            said.push((
                row.line(),
                format!(
                    "{} blocks of {} pages are {product} pages, not {}",
                    get("blocks"),
                    get("pages"),
                    get("total")
                ),
            ));
        }
    }
    for (line, text) in said {
        table.warn(Some(line), text);
    }
    if !guesses {
        return;
    }
    let candidates = candidates(table);
    match &candidates[..] {
        [] => table.tell("no version of zblock has these types".to_owned()),
        [one] => {
            table.set_era(Some(one.version.name()));
            table.tell(format!(
                "its types are those of {} with {} KiB pages, and of no other",
                one.version.name(),
                one.page_bytes() >> 10
            ));
        }
        [first, ..] => {
            if candidates.iter().all(|other| other.version == first.version) {
                table.set_era(Some(first.version.name()));
            }
            let names: Vec<String> = candidates
                .iter()
                .map(|one| format!("{} with {} KiB pages", one.version.name(), one.page_bytes() >> 10))
                .collect();
            table.tell(format!("its types are those of {}", names.join(", ")));
        }
    }
}

/// The settings whose block types have these pages. A table with fewer types than a version has is an excerpt.
fn candidates(table: &Table) -> Vec<Config> {
    let mut found = Vec::new();
    for version in Version::ALL.into_iter().filter(|version| version.rules().debugfs) {
        for page_shift in Config::PAGE_SHIFTS {
            let config = Config { version, page_shift };
            let Ok(geometry) = Geometry::new(&config) else { continue };
            let types = geometry.types();
            let is_type = |kind: u64, pages: u64| {
                let kind = usize::try_from(kind).ok().and_then(|kind| types.get(kind));
                kind.is_some_and(|kind| u64::from(kind.pages) == pages)
            };
            if table
                .rows()
                .all(|row| is_type(row.get("type").unwrap_or(u64::MAX), row.get("pages").unwrap_or(0)))
            {
                found.push(config);
            }
        }
    }
    // A whole file tells more: then the number of types is that of the version.
    let whole =
        |config: &Config| Geometry::new(config).is_ok_and(|geometry| geometry.types().len() == table.len());
    if found.iter().any(whole) {
        found.retain(whole);
    }
    found
}
