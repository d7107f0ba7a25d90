//! Kernel command lines with options of the slab allocators, zswap and zram.

use super::pairs::{Records, number_or_text};
use crate::reading::format::Format;
use crate::reading::numbers::int;
use crate::reading::sheet::{Sheet, Verdict};
use crate::reading::table::{Table, Value};

/// Beginnings of the options that matter here.
const OURS: [&str; 7] = ["slub_", "slab_", "zswap.", "zram.", "zsmalloc.", "slab=", "slub="];

/// Options without a value that many command lines have: with them a line is one, and no sentence.
const FLAGS: [&str; 12] = [
    "ro",
    "rw",
    "quiet",
    "splash",
    "debug",
    "nosmp",
    "nomodeset",
    "noapic",
    "single",
    "slub_nomerge",
    "slab_nomerge",
    "slub_debug",
];

/// What may stand in front of a command line.
const LEADS: [&str; 5] = [
    "Kernel command line:",
    "Command line:",
    "GRUB_CMDLINE_LINUX_DEFAULT=",
    "GRUB_CMDLINE_LINUX=",
    "Boot command line:",
];

/// The options of a line.
fn options(text: &str) -> (bool, impl Iterator<Item = &str> + Clone) {
    let lead = LEADS.iter().find_map(|lead| text.find(lead).map(|at| &text[at + lead.len()..]));
    let rest = lead.unwrap_or(text).trim_matches(['"', '\'', ' ']);
    (lead.is_some(), rest.split_ascii_whitespace())
}

fn is_ours(word: &str) -> bool {
    OURS.iter().any(|start| word.starts_with(start)) && word.len() > 6
}

fn is_option(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or(word);
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    is_name && (word.contains('=') || FLAGS.contains(&word))
}

/// Finds a table for each command line.
pub(crate) fn read(sheet: &mut Sheet<'_>) -> Verdict {
    let mut found = false;
    let mut near = None;
    for at in 0..sheet.len() {
        let Some(line) = sheet.data(at) else { continue };
        let (led, words) = options(line.text);
        let told = led || line.path.contains("cmdline") || line.text.starts_with("BOOT_IMAGE=");
        let ours = words.clone().filter(|word| is_ours(word)).count();
        let count = words.clone().count();
        let fits = words.clone().filter(|word| is_option(word)).count();
        if ours == 0 && !told {
            continue;
        }
        // A sentence about an option has more words than options.
        let is_line = fits > 0 && (told || fits * 3 >= count * 2);
        if !is_line {
            near = near.or(Some(line.number));
            continue;
        }
        let mut records = Records::default();
        records.begin(line.number);
        let mut twice = Vec::new();
        for word in words {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            // The kernel takes the last; so does the row.
            if records.has(name) {
                twice.push(format!("{name} is given twice; the kernel takes the last one it reads"));
            }
            records.replace(name, if value.is_empty() { Value::Blank } else { number_or_text(value) });
        }
        let mut table = records.table(Format::Cmdline);
        table.set_title(sheet.title(at));
        for text in twice {
            table.warn(Some(line.number), text);
        }
        check(&mut table, ours, line.number);
        let id = sheet.add(table, at);
        sheet.row(at, id);
        found = true;
    }
    if found {
        return Verdict::Mine;
    }
    match near {
        Some(_) => Verdict::near(
            1,
            near,
            "an option of the allocators is named, but the line is a sentence and no command line".to_owned(),
        ),
        None => Verdict::far("no line has options such as slub_max_order=0"),
    }
}

/// Options that are numbers.
const NUMBERS: [&str; 6] = [
    "slub_max_order",
    "slab_max_order",
    "slub_min_order",
    "slab_min_order",
    "slub_min_objects",
    "slab_min_objects",
];

/// Options that cancel or contradict each other.
fn check(table: &mut Table, ours: usize, line: u32) {
    if ours == 0 {
        table.warn(Some(line), "no option of an allocator is set: the defaults hold".to_owned());
    }
    let option = |names: [&str; 2]| {
        let row = table.rows().next()?;
        names.iter().find_map(|name| row.get(name))
    };
    let least = option(["slub_min_order", "slab_min_order"]);
    let most = option(["slub_max_order", "slab_max_order"]);
    let mut said = Vec::new();
    if let (Some(least), Some(most)) = (least, most)
        && least > most
    {
        said.push(format!("min_order {least} is above max_order {most}: Linux 6.12 lets the later of the two win, 6.1 takes {least} for every cache"));
    }
    if let Some(most) = most
        && most > 10
    {
        said.push(format!("max_order {most} is cut to 10, the largest order that there is"));
    }
    let percent = table.rows().next().and_then(|row| row.get("zswap.max_pool_percent"));
    if let Some(percent) = percent.filter(|percent| *percent > 100) {
        said.push(format!("zswap.max_pool_percent is {percent}: 0 to 100 is possible"));
    }
    for name in NUMBERS {
        let text = table.rows().next().and_then(|row| row.text(name)).filter(|text| int(text).is_none());
        if let Some(text) = text {
            said.push(format!(
                "{name} is \u{201c}{}\u{201d}, which is no number, or too large",
                text.chars().take(24).collect::<String>()
            ));
        }
    }
    for text in said {
        table.warn(Some(line), text);
    }
}
