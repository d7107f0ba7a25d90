//! The desk told, drawn and pressed on.

#![allow(clippy::unwrap_used, clippy::panic)]

use slabscope_core::model::{AnyConfig, Model};
use slabscope_core::{slub, workload, zblock, zsmalloc};

use super::*;
use crate::protocol::{Allocator, Arrangement, Follow, Setup, Sight, Slot, decode, encode};

fn setup(model: Model, operations: u32) -> Setup {
    let config = match model {
        Model::Zsmalloc => AnyConfig::Zsmalloc(zsmalloc::Config::default_for(zsmalloc::Era::default())),
        Model::Zblock => AnyConfig::Zblock(zblock::Config::default_for(zblock::Version::default())),
        Model::Slub => AnyConfig::Slub(slub::Config::default_for(slub::Generation::default())),
    };
    let stream = workload::Spec {
        kind: workload::Kind::Phases,
        dist: workload::SizeDist::ProcLzo,
        fixed_size: None,
        seed: 1,
        operations,
        live: 1000,
        compact_every: 500,
    };
    Setup::new(&config, &stream, None)
}

fn started(model: Model, operations: u32) -> Desk {
    let mut desk = Desk::default();
    let request = Request::Run(setup(model, operations));
    assert!(matches!(desk.take(&request), Reply::Now(Answer::Started(_))));
    while desk.record().is_some() {}
    desk
}

fn show(step: u32) -> Show {
    Show {
        step,
        follow: Follow::Operation,
        sight: Sight::default(),
        size: (900.0, 400.0),
        strip: (900.0, 70.0),
        plot: (300.0, 200.0),
        panel: 0,
        range: None,
        scale: 1.0,
        dark: false,
        table: true,
        events_page: 0,
        brief: false,
    }
}

fn moment(desk: &mut Desk, show: Show) -> Moment {
    assert!(matches!(desk.take(&Request::Show(show)), Reply::Later));
    desk.show().unwrap().clone()
}

#[test]
fn a_moment_tells_what_the_pool_holds() {
    for &model in Model::ALL {
        let mut desk = started(model, 4000);
        let told = moment(&mut desk, show(2999));
        assert_eq!(told.step, 2999);
        let objects: u64 = told.table.iter().map(|row| row.objects).sum();
        let pages: u64 = told.table.iter().map(|row| row.pages).sum();
        assert_eq!((told.sums.obj_used, told.sums.pages_used), (objects, pages), "{model:?}");
        let spans: u32 = told.table.iter().flat_map(|row| &row.groups).sum();
        assert_eq!(told.spans, spans);
        let close = told.close.unwrap();
        let used = close.slots.iter().filter(|slot| matches!(slot, Slot::Used(..))).count();
        assert!(close.note.starts_with(&format!("{used} of {} places", close.slots.len())), "{close:?}");
        assert!(told.say.more.starts_with("Operation 2,999: "), "{}", told.say.more);
        assert_eq!(told.digest.len(), 8);
    }
}

#[test]
fn a_step_behind_the_end_is_the_end() {
    let mut desk = started(Model::Zsmalloc, 100);
    assert_eq!(moment(&mut desk, show(u32::MAX)).step, 100);
    assert_eq!(moment(&mut desk, show(0)).say.strong, "empty");
}

#[test]
fn an_impossible_pool_is_refused_with_the_reason() {
    let mut desk = Desk::default();
    let mut impossible = setup(Model::Zsmalloc, 1);
    let Allocator::Zsmalloc { bits, .. } = &mut impossible.allocator else { panic!("zsmalloc") };
    *bits = 32;
    let Reply::Now(Answer::Refused(why)) = desk.take(&Request::Run(impossible)) else { panic!("refused") };
    assert!(why.contains("40"), "{why}");
    assert!(desk.show().is_none() && desk.record().is_none());
}

#[test]
fn going_on_in_the_overview_gives_the_picture_of_going_there() {
    let flat =
        |step| Show { sight: Sight { arrangement: Arrangement::Flat, ..Sight::default() }, ..show(step) };
    let mut desk = started(Model::Zsmalloc, 20000);
    let mut afresh = started(Model::Zsmalloc, 20000);
    for step in (0..20_000).step_by(700) {
        moment(&mut desk, flat(step));
        afresh.picture = None;
        moment(&mut afresh, flat(step));
        let [kept, whole] = [&desk, &afresh].map(|desk| desk.picture().unwrap().0.pixels.clone());
        assert!(kept == whole, "step {step}");
    }
}

#[test]
fn what_is_pressed_on_is_followed() {
    let mut desk = started(Model::Zsmalloc, 4000);
    let told = moment(&mut desk, show(2999));
    let id = SpanId(told.followed.unwrap());
    let rect = desk.picture().unwrap().0.place(id).unwrap();
    let point = Some(((rect.x + 1.0) as f32, (rect.y + 1.0) as f32));
    let Reply::Now(Answer::Chosen(chosen)) =
        desk.take(&Request::At { on: Surface::Map, point, chosen: true })
    else {
        panic!("chosen")
    };
    assert_eq!(chosen, Follow::Span(id.0));
    let over = desk.take(&Request::At { on: Surface::Map, point, chosen: false });
    let Reply::Now(Answer::Over(Some(Over { words, span, .. }))) = over else { panic!("over") };
    assert!(words.starts_with(&format!("Zspage {}: ", id.0)), "{words}");
    assert_eq!(span, id.0);
}

#[test]
fn an_object_that_is_large_enough_is_pressed_by_itself() {
    let mut desk = started(Model::Zsmalloc, 4000);
    let near = Show { sight: Sight { zoom: 24.0, ..Sight::default() }, ..show(2999) };
    let told = moment(&mut desk, near);
    let close = told.close.unwrap();
    let (index, object) = close
        .slots
        .iter()
        .enumerate()
        .find_map(|(index, slot)| match slot {
            Slot::Used(object, _, _) => Some((index, *object)),
            Slot::Free(_) => None,
        })
        .unwrap();
    let rect = desk.picture().unwrap().0.place(SpanId(told.followed.unwrap())).unwrap();
    let width = rect.width / close.slots.len() as f64;
    let (x, y) = ((rect.x + (index as f64 + 0.4) * width) as f32, (rect.y + 4.0) as f32);
    let point = Some((x, y));
    let Reply::Now(Answer::Chosen(chosen)) =
        desk.take(&Request::At { on: Surface::Map, point, chosen: true })
    else {
        panic!("chosen")
    };
    assert_eq!(chosen, Follow::Object(object));
    moment(&mut desk, Show { follow: chosen, ..near });
    let (picture, run) = desk.picture().unwrap();
    let place = picture.object_place(run, desk.object().unwrap()).unwrap();
    assert!(place.x <= f64::from(x) && f64::from(x) <= place.x + place.width);
}

#[test]
fn what_is_looked_at_is_marked_where_it_began() {
    let mut desk = started(Model::Zsmalloc, 4000);
    let told = moment(&mut desk, show(2999));
    let id = told.followed.unwrap();
    let born = desk.picture().unwrap().1.timeline.pool().span(SpanId(id)).unwrap().born;
    let lines = |desk: &Desk| desk.plate(Surface::Strip).unwrap().1.len();
    let before = lines(&desk);
    for (link, step) in [(Link::Span(id, None), Some(born)), (Link::Step(12), Some(12)), (Link::None, None)] {
        desk.take(&Request::Look(link));
        assert_eq!(desk.moment_looked_at(), step);
        assert_eq!(lines(&desk), before + usize::from(step.is_some()));
    }
    desk.take(&Request::Look(Link::Class(told.close.unwrap().size)));
    assert!(desk.moment_looked_at().is_some_and(|step| step <= born));
}

#[test]
fn a_step_looked_at_marks_the_span_that_it_changed() {
    let mut desk = started(Model::Zsmalloc, 4000);
    let told = moment(&mut desk, show(2999));
    desk.take(&Request::Look(Link::Step(2999)));
    assert_eq!(desk.changed().map(|id| id.0), told.followed);
    desk.take(&Request::Look(Link::None));
    assert_eq!(desk.changed(), None);
    let over = |point| Request::At { on: Surface::Plot, point, chosen: false };
    desk.take(&over(Some((130.0, 50.0))));
    let step = desk.pointer.unwrap();
    let changed = desk.changed();
    assert_eq!(moment(&mut desk, show(step)).followed.map(SpanId), changed);
    assert!(changed.is_some(), "no compaction at step {step}");
    desk.take(&over(None));
    assert_eq!(desk.changed(), None);
}

#[test]
fn sums_over_time_agree_with_the_pool() {
    for &model in Model::ALL {
        let mut desk = started(model, 1500);
        moment(&mut desk, show(1500));
        let Reply::Now(Answer::Csv(text)) = desk.take(&Request::Csv) else { panic!("csv") };
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1501, "a heading and every operation");
        let run = desk.run.as_ref().unwrap();
        let pool = run.timeline.pool();
        let (mut crossing, page, header) = (0u64, run.page_bytes, pool.header_bytes());
        assert_eq!(header > 0, model == Model::Zblock, "a block begins with a header");
        pool.for_each_span(&mut |span| {
            let size = run.size_of(span.class);
            pool.for_each_used(span.key, &mut |slot| {
                let from = header + u32::from(slot) * size;
                crossing += u64::from(from / page != (from + size - 1) / page);
            });
        });
        let column = lines[0].split("\",\"").position(|name| name.contains("two pages")).unwrap();
        let last: Vec<&str> = lines[1500].split(',').collect();
        assert_eq!(last[column], crossing.to_string(), "{model:?} {}", lines[0]);
        assert_eq!(last[1], pool.totals().pages.to_string());
    }
}

#[test]
fn the_past_of_what_is_followed_is_about_it() {
    let mut desk = started(Model::Zsmalloc, 4000);
    let id = moment(&mut desk, show(2999)).followed.unwrap();
    moment(&mut desk, Show { follow: Follow::Span(id), ..show(2999) });
    let Some(Answer::Past(past)) = desk.past() else { panic!("past") };
    assert!(past.title.ends_with(&format!("zspage {id}")) && !past.lines.is_empty());
    for (line, link) in &past.lines {
        assert!(line.contains(&format!("zspage {id}")) && matches!(link, Link::Step(1..=2999)), "{line}");
    }
    moment(&mut desk, show(2998));
    assert!(desk.past().is_none(), "nothing is chosen");
}

#[test]
fn a_compaction_says_by_which_rules_it_went() {
    let rules = |era: u8| {
        let mut desk = Desk::default();
        let mut setup = setup(Model::Zsmalloc, 4000);
        let Allocator::Zsmalloc { era: place, .. } = &mut setup.allocator else { panic!("zsmalloc") };
        *place = era;
        desk.take(&Request::Run(setup));
        while desk.record().is_some() {}
        let jump = Request::Jump { from: 2400, to: Goal::Compaction, forward: true };
        let Reply::Now(Answer::Jumped(Some(step))) = desk.take(&jump) else { panic!("jumped") };
        let told = moment(&mut desk, show(step));
        assert!(told.events.title.starts_with("Compaction"), "{:?}", told.events);
        let moved =
            told.events.lines.iter().filter(|(_, link)| matches!(link, Link::Span(_, Some(_)))).count();
        assert!(moved == 0 || told.events.note.contains("moved"), "{}", told.events.note);
        told.events.note
    };
    assert!(rules(0).contains("Rules of 4.2:") && rules(3).contains("Rules of 4.3"));
    assert!(rules(10).contains("Rules since 6.4:"));
}

#[test]
fn the_column_beside_the_map_and_the_plot_lead_where_they_are_pressed() {
    let mut desk = started(Model::Zsmalloc, 20_000);
    let told = moment(&mut desk, show(19_000));
    assert!(told.lowest > 0.0);
    let at = |on, x, y| Request::At { on, point: Some((x, y)), chosen: true };
    assert!(matches!(desk.take(&at(Surface::Map, 895.0, 399.0)), Reply::Later));
    let told = desk.show().unwrap();
    assert!((told.top - told.lowest).abs() < 1.0, "{} of {}", told.top, told.lowest);
    let Reply::Now(Answer::Jumped(Some(step))) = desk.take(&at(Surface::Plot, 150.0, 50.0)) else {
        panic!("jumped")
    };
    assert_eq!(step, 10_000);
    let hover = Request::At { on: Surface::Plot, point: Some((150.0, 50.0)), chosen: false };
    let Reply::Now(Answer::Read(Some(read))) = desk.take(&hover) else { panic!("read") };
    assert_eq!(read.title, "After operation 10,000");
}

#[test]
fn messages_come_back_as_they_went() {
    let mut desk = started(Model::Zsmalloc, 4000);
    let answer = Answer::Shown(Box::new(moment(&mut desk, show(2000))));
    assert_eq!(decode::<Answer>(&encode(&answer)), Some(answer));
    assert_eq!(decode::<Request>(&[255, 3, 9]), None);
    assert_eq!(decode::<Answer>(&[]), None);
}
