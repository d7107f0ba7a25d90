//! A moment of a run as the page shows it, but for the map.

use slabscope_core::pool::{Pool as _, SlotView, SpanView};
use slabscope_core::tell::{capital, counted, grouped};

use crate::close::followed;
use crate::protocol::{ClassRow, Close, Moment, Show, Slot, Sums};
use crate::quantity::{Panel, figures};
use crate::run::Run;
use crate::words;

/// Puts the run at a step and tells about it. What was told about a neighbour of it is not looked up again.
pub(crate) fn moment(run: &mut Run, show: &Show, last: Option<&Moment>) -> Moment {
    let step = run.timeline.seek(show.step);
    let applied = run.timeline.events_of(step).cloned();
    let happened = words::outcome(run, step, applied.as_ref());
    let followed = followed(run, show.follow, applied.as_ref().and_then(words::touched));
    let now = words::headline(run, step);
    let now = if step == 0 { "Start: the pool is empty".to_owned() } else { now };
    let (mut before, mut next, mut digest) = Default::default();
    if !show.brief {
        digest = format!("{:08x}", run.timeline.digest_at(step).unwrap_or_default() >> 32);
        let headline = |step: u32| {
            let known = last.filter(|last| last.step == step).map(|last| last.headlines[1].clone());
            known.unwrap_or_else(|| words::headline(run, step))
        };
        before = step.checked_sub(1).map(headline).unwrap_or_default();
        next = headline(step.saturating_add(1));
    }
    let totals = run.timeline.pool().totals();
    let figures = Panel::all(run)
        .get(usize::from(show.panel))
        .map_or_else(Default::default, |panel| figures(run, panel, step));
    Moment {
        step,
        say: words::sentence(run, happened),
        headlines: [before, now, next],
        followed: followed.map(|span| span.0),
        close: followed.and_then(|id| run.timeline.pool().span(id)).map(|span| close(run, &span)),
        events: words::events(run, applied.as_ref(), show.events_page),
        figures,
        table: if show.table { table(run) } else { Vec::new() },
        digest,
        sums: Sums { pages_used: totals.pages, obj_allocated: totals.capacity, obj_used: totals.objects },
        ..Moment::default()
    }
}

/// A span in words and places.
pub(crate) fn close(run: &Run, span: &SpanView) -> Close {
    let pool = run.timeline.pool();
    let terms = run.terms();
    let size = run.size_of(span.class);
    let name = |group: usize| run.groups().get(group).copied().unwrap_or_default().replace('_', " ");
    let list = pool.group_list(span.class, span.group);
    let place = list.iter().position(|other| other.id == span.id).map_or_else(String::new, |place| {
        format!(", {} of {} in its list", grouped(place as u64 + 1), grouped(list.len() as u64))
    });
    let totals = pool.classes().into_iter().find(|totals| totals.class == span.class).unwrap_or_default();
    let pages = u64::from(totals.spans) * u64::from(totals.pages_per_span);
    let groups = pool.group_counts(span.class).into_iter().enumerate();
    Close {
        title: format!("{} {}", capital(terms.span), span.id.0),
        subtitle: format!("{} {size}, {}", terms.class, name(span.group.into())),
        note: format!(
            "{} of {} places in use{place}; made by operation {}",
            span.used,
            span.capacity,
            grouped(span.born.into())
        ),
        pages: span.pages,
        header: pool.header_bytes(),
        size,
        slots: pool.slots(span.key).iter().map(slot).collect(),
        class_title: format!("{} {size}", capital(terms.class)),
        class_note: format!(
            "{}, {}",
            counted(totals.spans.into(), terms.span, terms.spans),
            counted(pages, "page", "pages")
        ),
        groups: groups.filter(|(_, count)| *count > 0).map(|(group, count)| (name(group), count)).collect(),
    }
}

const fn slot(slot: &SlotView) -> Slot {
    match *slot {
        SlotView::Used { object, size, born } => Slot::Used(object.0, size, born),
        SlotView::Free { next } => Slot::Free(next),
    }
}

fn table(run: &Run) -> Vec<ClassRow> {
    let pool = run.timeline.pool();
    let in_use = pool.classes().into_iter().filter(|class| class.spans > 0);
    in_use
        .map(|class| ClassRow {
            size: class.size,
            groups: pool.group_counts(class.class).into_iter().skip(run.first_group().into()).collect(),
            objects: class.objects,
            capacity: class.capacity,
            pages: u64::from(class.spans) * u64::from(class.pages_per_span),
            freeable: class.freeable_pages,
        })
        .collect()
}
