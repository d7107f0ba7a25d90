//! What the kernel's own arithmetic would never print, with the numbers that show it.

use slabscope_core::tell::counted;
use slabscope_core::zsmalloc::Geometry;

use super::guess::{Columns, Guess, class_of};
use crate::reading::{Row, Table, Warning};

/// The most rows to name that are no class of the setting; a table with more of them is simply of another one.
const FEW: usize = 5;

/// Everything in a table that does not fit together. What depends on the size of a page is left out without a
/// guess. Where rows were left out sums cannot be compared.
pub fn check(table: &Table, guess: Option<&Guess>) -> Vec<Warning> {
    let mut found = Vec::new();
    let geometry = guess.and_then(|guess| Geometry::new(&guess.config).ok());
    let groups: Vec<usize> =
        (0..table.columns().len()).filter(|at| is_group(&table.columns()[*at])).collect();
    let mut last: Option<(u64, u64)> = None;
    let mut strangers = Vec::new();
    for row in table.rows() {
        let mut warn = |text: String| found.push(Warning { line: Some(row.line()), text });
        let (class, size) = (row.get("class"), row.get("size"));
        if let (Some(class), Some(size), Some((last_class, last_size))) = (class, size, last) {
            if class == last_class {
                warn(format!("class {class} is there twice"));
            } else if (class > last_class) != (size > last_size) {
                warn(format!(
                    "class {class} has {size} bytes, class {last_class} {last_size}: sizes rise with the class"
                ));
            }
        }
        last = class.zip(size);
        own_numbers(&row, &groups, &mut warn);
        if let Some(geometry) = &geometry {
            match class_of(geometry, class, size) {
                Some(class) => {
                    let page = u64::from(geometry.config().page_bytes());
                    against_class(&row, class.pages.into(), class.objects.into(), page, &mut warn);
                }
                None => strangers.push(row),
            }
        }
    }
    if let (Some(guess), true) = (guess, strangers.len() <= FEW) {
        for row in strangers {
            let (class, size) = (row.get("class").unwrap_or(0), row.get("size").unwrap_or(0));
            let text = format!(
                "class {class} of {size} bytes is no class of that setting (era {}, at most {} pages per zspage)",
                guess.config.era.name(),
                guess.config.max_pages
            );
            found.push(Warning { line: Some(row.line()), text });
        }
    }
    if table.totals_printed() && !table.is_elided() && !table.is_empty() {
        for (column, printed) in table.totals() {
            let sum = table.sum(column);
            if sum != *printed {
                let text = format!("Total says {printed} for {column}, the rows add up to {sum}");
                found.push(Warning { line: None, text });
            }
        }
    }
    found
}

fn is_group(name: &str) -> bool {
    matches!(name, "almost_full" | "almost_empty") || name.ends_with('%')
}

/// What needs no more than the row.
fn own_numbers(row: &Row<'_>, groups: &[usize], warn: &mut dyn FnMut(String)) {
    let class = row.get("class").unwrap_or(0);
    let (allocated, used) = (row.get("obj_allocated"), row.get("obj_used"));
    if let (Some(allocated), Some(used)) = (allocated, used)
        && used > allocated
    {
        warn(format!("class {class} has {used} objects in {allocated} places"));
    }
    let (Some(pages), Some(per)) = (row.get("pages_used"), row.get("pages_per_zspage")) else { return };
    if per == 0 || pages % per != 0 {
        return warn(format!("{pages} pages are no whole number of zspages of {per}"));
    }
    let zspages = pages / per;
    let grouped = groups.iter().filter_map(|at| row.int(*at)).fold(0, u64::saturating_add);
    if grouped > zspages {
        warn(format!("the groups hold {grouped} zspages, but {pages} pages make {zspages} of {per} pages"));
    }
}

/// What the class says of a row: places of the pages, pages to regain, bytes of the objects.
fn against_class(row: &Row<'_>, pages: u64, objects: u64, page: u64, warn: &mut dyn FnMut(String)) {
    let (Some(allocated), Some(used)) = (row.get("obj_allocated"), row.get("obj_used")) else { return };
    if let Some(held) = row.get("pages_used") {
        let zspages = held / pages.max(1);
        let places = zspages.saturating_mul(objects);
        if held % pages.max(1) == 0 && places != allocated {
            warn(format!(
                "{held} pages are {zspages} zspages of {objects} objects, which makes {places} places, not {allocated}"
            ));
        }
        let bytes = used.saturating_mul(row.get("size").unwrap_or(0));
        if bytes > held.saturating_mul(page) {
            warn(format!("{used} objects need {bytes} bytes, but {held} pages of {page} bytes are held"));
        }
    }
    if let Some(freeable) = row.get("freeable").or_else(|| row.get("compact")) {
        let own = (allocated.saturating_sub(used) / objects.max(1)).saturating_mul(pages);
        if own != freeable {
            warn(format!(
                "{freeable} pages are called freeable, but {allocated} places less {used} objects make {own}: whole zspages of {} and {}",
                counted(objects, "object", "objects"),
                counted(pages, "page", "pages")
            ));
        }
    }
}

/// The columns of a table and the era that its class table fits, where these disagree.
pub(super) fn disagree(guess: &Guess) -> Option<String> {
    let usual = match guess.columns {
        Columns::Tenths => ["6.6", "6.12"],
        Columns::QuartersFreeable => ["6.1", "6.1"],
        Columns::Quarters | Columns::Bare => ["4.5", "4.5"],
    };
    let era = guess.config.era.name();
    (!usual.contains(&era)).then(|| {
        format!("the columns are those of Linux {}, the classes those of era {era}: 6.3, or a kernel with changes of its own", guess.columns.kernels())
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::{Format, read};

    fn warnings(rows: &str) -> Vec<String> {
        let heading = "class size almost_full almost_empty obj_allocated obj_used pages_used pages_per_zspage freeable\n";
        let paste = read(&format!("{heading}{rows}"));
        let table = paste.first(Format::ZsmallocClasses).unwrap();
        table.warnings().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_table_of_a_kernel_fits_together() {
        assert_eq!(
            warnings("100 1632 0 3 15 8 6 2 2\n254 4096 0 0 7 7 7 1 0\nTotal 0 3 22 15 13 2\n"),
            [""; 0]
        );
    }

    #[test]
    fn each_contradiction_is_told_with_its_numbers() {
        for (rows, said) in [
            ("100 1632 0 3 15 16 6 2 0\n", "line 2: class 100 has 16 objects in 15 places"),
            ("100 1632 0 3 15 8 7 2 2\n", "line 2: 7 pages are no whole number of zspages of 2"),
            (
                "100 1632 0 3 16 8 6 2 2\n",
                "line 2: 6 pages are 3 zspages of 5 objects, which makes 15 places, not 16",
            ),
            (
                "100 1632 0 3 15 8 6 2 4\n",
                "line 2: 4 pages are called freeable, but 15 places less 8 objects make 2: whole zspages of 5 objects and 2 pages",
            ),
            ("100 1632 1 3 15 8 6 2 2\n", "line 2: the groups hold 4 zspages, but 6 pages make 3 of 2 pages"),
            ("100 1632 0 0 0 0 0 2 0\n100 1632 0 0 0 0 0 2 0\n", "line 3: class 100 is there twice"),
            (
                "107 1632 0 0 0 0 0 2 0\n100 1744 0 0 0 0 0 3 0\n254 4096 0 0 0 0 0 1 0\n",
                "line 3: class 100 has 1744 bytes, class 107 1632: sizes rise with the class",
            ),
            (
                "254 4096 0 0 7 7 7 1 0\n95 1557 0 0 0 0 0 1 0\n",
                "line 3: class 95 of 1557 bytes is no class of that setting (era 6.1, at most 4 pages per zspage)",
            ),
            (
                "254 4096 0 0 7 7 7 1 0\nTotal 0 0 7 7 8 0\n",
                "Total says 8 for pages_used, the rows add up to 7",
            ),
        ] {
            assert!(warnings(rows).iter().any(|warning| warning == said), "{said}: {:?}", warnings(rows));
        }
    }
}
