//! The four rows of the posting, and what they say for the same number of objects.

use slabscope_core::slub::{OrderParams, explain};

use crate::figure::say;
use crate::published;
use crate::{Case, Row, Step, Unit};

use super::{KERNELS, POSTED, Posted, order, pages, pages_per_object};

fn posted(cache: &Posted, kernel: &str, metric: &str) -> Option<f64> {
    published::mean(Case::SlubOrder, &format!("{} {kernel}", cache.name), metric)
}

/// Slabs of a posted row when all but the last are full.
fn packed(cache: &Posted, kernel: &str, each: f64) -> Option<f64> {
    posted(cache, kernel, "objects").map(|objects| (objects / each).ceil())
}

/// How many rows have just the slabs that their objects need, and how many slabs the others have more.
pub(super) fn slabs_against_the_rule(cpus: u32) -> (usize, f64) {
    let rows =
        POSTED.iter().flat_map(|cache| KERNELS.map(|(kernel, generation)| (cache, kernel, generation)));
    let more: Vec<f64> = rows
        .filter_map(|(cache, kernel, generation)| {
            let each = f64::from(order(generation, cpus, cache.size)?.objects);
            Some(posted(cache, kernel, "slabs")? - packed(cache, kernel, each)?)
        })
        .collect();
    (more.iter().filter(|&&more| more == 0.0).count(), more.iter().sum())
}

pub(super) fn step(cpus: u32) -> Step {
    let mut rows = Vec::new();
    let mut with_room = Vec::new();
    for cache in &POSTED {
        for (kernel, generation) in KERNELS {
            let Some(answer) = order(generation, cpus, cache.size) else { continue };
            let name = format!("{} {kernel}", cache.name);
            let row = |metric, unit| Row::new(&name, metric, unit);
            let theirs = |metric| posted(cache, kernel, metric);
            let each = f64::from(answer.objects);
            let (objects, slabs) = (theirs("objects"), theirs("slabs"));
            let packed = packed(cache, kernel, each);
            rows.push(row("order", Unit::Count).predicted(f64::from(answer.order)));
            rows.push(
                row("pages_per_slab", Unit::Pages)
                    .published(theirs("pages_per_slab"))
                    .predicted(pages(&answer)),
            );
            rows.push(
                row("objects_per_slab", Unit::Objects)
                    .predicted(each)
                    .note(format!("{} bytes each, {} left over", cache.size, answer.waste)),
            );
            rows.push(
                row("slabs", Unit::Spans).published(slabs).predicted(packed).note("all slabs full but one"),
            );
            rows.push(
                row("pages", Unit::Pages)
                    .published(theirs("pages"))
                    .predicted(packed.map(|slabs| slabs * pages(&answer))),
            );
            let free = |slabs: Option<f64>| Some(slabs? * each - objects?);
            rows.push(
                row("free_slots", Unit::Objects)
                    .published(free(slabs))
                    .predicted(free(packed))
                    .note("published: its slabs times objects of a slab, less its objects"),
            );
            let more = slabs.zip(packed).map(|(slabs, packed)| slabs - packed).filter(|&more| more > 0.0);
            if let (Some(more), Some(free)) = (more, free(slabs)) {
                let row = row("slabs_with_room_at_least", Unit::Spans);
                rows.push(row.predicted(more).note("published slabs that full ones would make unnecessary"));
                with_room.push(format!(
                    "{name} has {} slabs more than full ones would be, with {} free slots in all",
                    say(more, 0),
                    say(free, 0)
                ));
            }
            let per_object = |pages: Option<f64>| Some(pages? / objects?);
            rows.push(
                row("pages_per_object", Unit::Ratio)
                    .published(per_object(theirs("pages")))
                    .predicted(pages_per_object(&answer))
                    .digits(5)
                    .note("ours: all slabs full"),
            );
        }
    }
    let text = format!(
        "{} With at most 3 CPUs the kernel asks for 8 or 12 objects a slab and takes the first order that wastes at most a \
         sixteenth, then an eighth, then a quarter. The patch looks at what is left over: half an object or more, and the next \
         order is taken, which holds twice as many objects and one. {}.",
        POSTED.map(|cache| why(cpus, &cache)).join(" "),
        with_room.join("; ")
    );
    Step { title: "The four rows of the posting", text, rows, plots: Vec::new() }
}

/// How the patched kernel comes to its order, in a sentence.
fn why(cpus: u32, cache: &Posted) -> String {
    let params = OrderParams { generation: KERNELS[1].1, cpus, size: cache.size, ..OrderParams::default() };
    let told = explain(&params);
    let (Some(first), Ok(last)) = (told.one_more_than.and_then(|order| params.slab(order)), told.result)
    else {
        return String::new();
    };
    format!(
        "A slab of {} has order {} with {} objects of {} bytes, and {} bytes left over; patched it has order {} with {} objects \
         and {} bytes left over.",
        cache.name, first.order, first.objects, cache.size, first.waste, last.order, last.objects, last.waste
    )
}

pub(super) fn same_objects(cpus: u32) -> Step {
    let mut rows = Vec::new();
    for cache in &POSTED {
        let answers = KERNELS.map(|(_, generation)| order(generation, cpus, cache.size));
        let [Some(before), Some(after)] = answers else { continue };
        let change = (pages_per_object(&after) / pages_per_object(&before) - 1.0) * 100.0;
        let theirs = |kernel| Some(posted(cache, kernel, "pages")? / posted(cache, kernel, "objects")?);
        let [was, is] = KERNELS.map(|(kernel, _)| theirs(kernel));
        rows.push(
            Row::new(cache.name, "pages_per_object_change_percent", Unit::Percent)
                .published(was.zip(is).map(|(was, is)| (is / was - 1.0) * 100.0))
                .predicted(change)
                .note("published: pages by objects of either run, slabs with room included"),
        );
    }
    let dentry = &POSTED[1];
    let [before, after] = KERNELS.map(|(kernel, _)| posted(dentry, kernel, "objects"));
    let answers = KERNELS.map(|(_, generation)| order(generation, cpus, dentry.size));
    let mut text = String::new();
    if let ([Some(with), Some(patched)], Some(before), Some(after)) = (answers, before, after) {
        let published = |metric| published::mean(Case::SlubOrder, dentry.name, metric);
        let extra = before - after;
        let extra_pages = extra * pages_per_object(&patched);
        let packed = |objects: f64| (objects / f64::from(patched.objects)).ceil() * pages(&patched);
        let saved = (before / f64::from(with.objects)).ceil() * pages(&with) - packed(before);
        rows.push(
            Row::new(dentry.name, "pages_of_the_extra_objects", Unit::Pages)
                .published(published("pages_of_the_extra_objects"))
                .predicted(extra_pages)
                .note("objects of the first run less those of the second, by pages per object of the patched kernel"),
        );
        rows.push(
            Row::new(dentry.name, "pages_saved_by_its_account", Unit::Pages)
                .published(published("pages_saved_by_its_account"))
                .predicted(saved)
                .note("ours: the objects of the first run in full slabs of either order"),
        );
        text = format!(
            "The two runs hold different numbers of objects, so their pages cannot be compared as they are. The patched run has \
             {} dentries fewer; these would take {} pages more, as the posting says, and {} pages are saved for the same \
             objects.",
            say(extra, 0),
            say(extra_pages, 0),
            say(saved, 0)
        );
    }
    Step { title: "For the same objects", text, rows, plots: Vec::new() }
}
