//! The worker's desk: the run that was asked for last, and what is drawn of it.

use slabscope_charts::map::cells::Touched;
use slabscope_charts::map::layout::Rect;
use slabscope_charts::theme::Role;
use slabscope_core::pool::{Event, ObjectId, Pool as _, SpanId};
use slabscope_core::tell::grouped;
use slabscope_core::timeline::{Direction, Filter, Interest, MarkKind};

use crate::moment;
use crate::picture::{Picture, Place};
use crate::plate::Plate;
use crate::protocol::{Answer, Follow, Goal, Link, Moment, Over, Request, Scroll, Show, Surface};
use crate::quantity::{Panel, csv, figures};
use crate::run::Run;
use crate::words::{self, capital};

/// Operations that are recorded between two looks at what the page wants: some milliseconds.
const SLICE: u32 = 50_000;
/// Operations over which a picture is changed cell by cell.
const NEAR: u32 = 2_000;
/// Events of what is followed that are told.
const PAST: usize = 16;

/// What is worth stopping at.
const INTERESTING: [Interest; 4] =
    [Interest::SpanCreated, Interest::SpanFreed, Interest::Compacted, Interest::FirstHuge];

/// What a request leads to.
#[derive(Debug)]
pub enum Reply {
    /// An answer at once.
    Now(Answer),
    /// The pictures have to be drawn anew.
    Redraw,
    /// Nothing to say.
    Nothing,
    /// A moment has to be shown when nothing else waits.
    Later,
}

/// The run and its picture.
#[derive(Debug, Default)]
pub struct Desk {
    run: Option<Run>,
    wanted: Option<Show>,
    shown: Option<(Show, Moment)>,
    /// What lies at the map's left and upper edge, in CSS pixels.
    corner: (f64, f64),
    picture: Option<Picture>,
    strip: Option<Plate>,
    plot: Option<Plate>,
    /// What the pointer is over, on a picture or in a text.
    looked_at: Link,
    /// The step that the pointer is at on the plot.
    pointer: Option<u32>,
}

impl Desk {
    /// Takes a request.
    pub fn take(&mut self, request: &Request) -> Reply {
        match *request {
            Request::Canvas(_) => {
                self.picture = None;
                Reply::Later
            }
            Request::Run(ref setup) => {
                *self = Self { wanted: self.wanted, ..Self::default() };
                match Run::new(setup) {
                    Ok(run) => {
                        let cast = run.cast();
                        self.run = Some(run);
                        Reply::Now(Answer::Started(Box::new(cast)))
                    }
                    Err(why) => Reply::Now(Answer::Refused(why)),
                }
            }
            Request::Show(show) => {
                self.wanted = Some(show);
                Reply::Later
            }
            Request::Scroll(scroll) => {
                self.scroll(scroll);
                Reply::Later
            }
            Request::Jump { from, to, forward } => Reply::Now(Answer::Jumped(self.jump(from, to, forward))),
            Request::At { on: Surface::Map, point, chosen } => self.at(point, chosen),
            Request::At { point, chosen, .. } => self.at_step(point, chosen),
            Request::Drag { on: Surface::Map, from, by } => {
                self.drag(from, by);
                Reply::Later
            }
            Request::Drag { from, by, .. } => self.at_step(Some((from.0 + by.0, 0.0)), true),
            Request::Look(link) => {
                self.looked_at = link;
                Reply::Redraw
            }
            Request::Csv => self.run.as_ref().map_or(Reply::Nothing, |run| Reply::Now(Answer::Csv(csv(run)))),
            Request::Neighbour { forward } => {
                let from = self.followed();
                let next = self.picture.as_ref().and_then(|picture| picture.neighbour(from, forward));
                Reply::Now(Answer::Chosen(next.map_or(Follow::Operation, |span| Follow::Span(span.0))))
            }
        }
    }

    fn scroll(&mut self, scroll: Scroll) {
        let Some(picture) = &self.picture else { return };
        let (left, top) = self.corner;
        let (left, top) = match scroll {
            Scroll::By(right, down) => (left + f64::from(right), top + f64::from(down)),
            Scroll::To(to) => (left, to.into()),
            Scroll::Pages(pages) => (left, top + picture.visible() * f64::from(pages)),
        };
        if left.is_finite() && top.is_finite() {
            self.corner = (left.max(0.0).min(picture.rightmost()), top.max(0.0).min(picture.lowest()));
        }
    }

    fn jump(&mut self, from: u32, to: Goal, forward: bool) -> Option<u32> {
        let filter = match to {
            Goal::Interesting => Filter::of(&INTERESTING),
            Goal::Made => Filter::of(&[Interest::SpanCreated]),
            Goal::Freed => Filter::of(&[Interest::SpanFreed]),
            Goal::Compaction => Filter::of(&[Interest::Compacted]),
            Goal::Huge => Filter::of(&[Interest::FirstHuge]),
            Goal::Span(id) => Filter::span(SpanId(id)),
        };
        let direction = if forward { Direction::Forward } else { Direction::Backward };
        self.run.as_mut()?.timeline.next_interesting(from, filter, direction)
    }

    /// A drag on the column beside the map moves what is in sight of it as fast as the pointer.
    fn drag(&mut self, from: (f32, f32), by: (f32, f32)) {
        let Some(picture) = &self.picture else { return };
        let scroll = match picture.mini(f64::from(from.0), f64::from(from.1 + by.1)) {
            Some(top) => Scroll::To(top as f32),
            None => Scroll::By(-by.0, -by.1),
        };
        self.scroll(scroll);
    }

    fn at(&mut self, point: Option<(f32, f32)>, chosen: bool) -> Reply {
        let at = |(x, y): (f32, f32)| (f64::from(x), f64::from(y));
        let picture = self.picture.as_ref().zip(point.map(at));
        if let (true, Some(top)) = (chosen, picture.and_then(|(picture, (x, y))| picture.mini(x, y))) {
            self.scroll(Scroll::To(top as f32));
            return Reply::Later;
        }
        let hit = picture.and_then(|(picture, (x, y))| picture.hit(x, y));
        if chosen {
            let object =
                self.picture().zip(point.map(at)).zip(hit).and_then(|(((picture, run), (x, _)), span)| {
                    picture.object_at(run, span, x).map(|object| Follow::Object(object.0))
                });
            let span = hit.map_or(Follow::Operation, |span| Follow::Span(span.0));
            return Reply::Now(Answer::Chosen(object.unwrap_or(span)));
        }
        let link = hit.map_or(Link::None, |span| Link::Span(span.0, None));
        if self.looked_at == link {
            return Reply::Nothing;
        }
        self.looked_at = link;
        Reply::Now(Answer::Over(hit.and_then(|id| self.describe(id))))
    }

    /// The pointer is on a plot: what can be read there, or, if it is pressed, the step.
    fn at_step(&mut self, point: Option<(f32, f32)>, chosen: bool) -> Reply {
        self.pointer = self.plot.as_ref().zip(point).map(|(plot, (x, _))| plot.step_at(x));
        if chosen {
            return Reply::Now(Answer::Jumped(self.pointer));
        }
        let panel = usize::from(self.wanted.map_or(0, |show| show.panel));
        let read = self
            .pointer
            .zip(self.run.as_ref())
            .and_then(|(step, run)| Some(figures(run, Panel::all(run).get(panel)?, step)));
        Reply::Now(Answer::Read(read))
    }

    fn describe(&self, id: SpanId) -> Option<Over> {
        let run = self.run.as_ref()?;
        let span = run.timeline.pool().span(id)?;
        let (terms, size) = (run.terms(), run.size_of(span.class));
        let words = format!(
            "{} {}: {} of {} objects, {} {}",
            capital(terms.span),
            id.0,
            span.used,
            span.capacity,
            terms.class,
            grouped(size.into())
        );
        Some(Over { words, span: id.0, size })
    }

    /// True if what happened to what was chosen is worth looking up.
    pub(crate) fn has_past(&self) -> bool {
        self.wanted.is_some_and(|wanted| !wanted.brief && wanted.follow != Follow::Operation)
    }

    /// What happened to the span or the object that was chosen; `None` if something else is wanted by now.
    pub(crate) fn past(&mut self) -> Option<Answer> {
        let (show, told) = self.shown.as_ref()?;
        if self.wanted != Some(*show) || !self.has_past() {
            return None;
        }
        let (step, follow) = (told.step, show.follow);
        let run = self.run.as_mut()?;
        let name = match follow {
            Follow::Operation => return None,
            Follow::Span(id) => format!("{} {id}", run.terms().span),
            Follow::Object(id) => format!("object {id}"),
        };
        let wanted = |event: &Event| match follow {
            Follow::Operation => false,
            Follow::Span(id) => words::concerns(event, SpanId(id)),
            Follow::Object(id) => words::moves(event, ObjectId(id)),
        };
        let events = run.timeline.history((step, words::BACK), PAST, &wanted);
        Some(Answer::Past(words::past(run, &name, &events)))
    }

    /// Records a slice of the run. `None` if there is nothing to record.
    pub fn record(&mut self) -> Option<Answer> {
        let run = self.run.as_mut()?;
        if run.timeline.recorded() == run.timeline.len() {
            return None;
        }
        let progress = run.timeline.record(SLICE);
        self.renew_plates();
        Some(Answer::Recorded(progress.recorded))
    }

    /// Draws the pictures over time anew where they are not up to date.
    fn renew_plates(&mut self) {
        let Some((run, show)) = self.run.as_ref().zip(self.wanted.as_ref()) else { return };
        self.strip = Plate::renew(self.strip.take(), Surface::Strip, run, show);
        self.plot = Plate::renew(self.plot.take(), Surface::Plot, run, show);
    }

    /// True if a later step than the one shown is wanted.
    pub(crate) fn waits_for_more(&self) -> bool {
        self.wanted.zip(self.shown.as_ref()).is_some_and(|(wanted, (_, told))| told.step < wanted.step)
    }

    /// Tells of the moment that is wanted, and draws it. `None` if none is.
    pub fn show(&mut self) -> Option<&Moment> {
        let (run, show) = (self.run.as_mut()?, self.wanted?);
        let mut touched = Touched::default();
        let near = run.timeline.seek_onward(show.step, NEAR, &mut touched);
        let mut told = moment::moment(run, &show, self.shown.as_ref().map(|(_, told)| told));
        let before = self.shown.as_ref().map(|(before, _)| before);
        if let Some(before) = before.filter(|before| before.sight.arrangement == show.sight.arrangement) {
            // What is in the middle stays there.
            let half = self.picture.as_ref().map_or(0.0, Picture::visible) / 2.0;
            let grown = f64::from(show.sight.zoom) / f64::from(before.sight.zoom).max(0.01);
            let across = f64::from(show.size.0) / 2.0;
            let (left, top) = self.corner;
            self.corner = ((left + across) * grown - across, (top + half) * grown - half);
        }
        let looks_at = |show: &Show| (show.step, show.follow, show.sight);
        let moved = before.is_none_or(|before| looks_at(before) != looks_at(&show));
        let followed = told.followed.map(SpanId);
        let (left, top) = self.corner;
        let place = Place { left, top, followed, seek: moved && !show.brief };
        if show.size.0 >= 1.0 && show.size.1 >= 1.0 {
            let kept = self.picture.as_mut().is_some_and(|picture| {
                near && touched.0.len() <= NEAR as usize && picture.update(run, &show, &place, &touched.0)
            });
            if !kept {
                let pixels = self.picture.take().map(|picture| picture.pixels).unwrap_or_default();
                self.picture = Some(Picture::new(run, &show, &place, pixels));
            }
        }
        if let Some(picture) = &self.picture {
            let view = picture.view();
            self.corner = (view.left, view.top);
            (told.top, told.lowest) = (view.top as f32, picture.lowest() as f32);
            told.wide = picture.rightmost() > 0.0;
        }
        told.spans = u32::try_from(run.timeline.pool().totals().spans).unwrap_or(u32::MAX);
        self.shown = Some((show, told));
        self.renew_plates();
        self.shown.as_ref().map(|(_, told)| told)
    }

    /// A picture over time and what lies over its ground.
    pub(crate) fn plate(&self, on: Surface) -> Option<(&Plate, Vec<(Rect, Role)>)> {
        let plate = match on {
            Surface::Map => None,
            Surface::Strip => self.strip.as_ref(),
            Surface::Plot => self.plot.as_ref(),
        }?;
        let (show, told) = self.shown.as_ref()?;
        let pointer = self.pointer.filter(|_| on == Surface::Plot).or_else(|| self.moment_looked_at());
        Some((plate, plate.over(told.step, show.range, pointer)))
    }

    /// When what is looked at came: a span, or the first object of a class.
    fn moment_looked_at(&self) -> Option<u32> {
        let run = self.run.as_ref()?;
        match self.looked_at {
            Link::None => None,
            Link::Step(step) => Some(step),
            Link::Span(id, _) => run.timeline.pool().span(SpanId(id)).map(|span| span.born),
            Link::Class(size) => {
                let is_first =
                    |kind| matches!(kind, MarkKind::FirstInClass { class, .. } if run.size_of(class) == size);
                run.timeline.marks().iter().find(|mark| is_first(mark.kind)).map(|mark| mark.step)
            }
        }
    }

    /// The object that is followed in the moment shown.
    pub(crate) fn object(&self) -> Option<ObjectId> {
        match self.shown.as_ref()?.0.follow {
            Follow::Object(id) => Some(ObjectId(id)),
            Follow::Operation | Follow::Span(_) => None,
        }
    }

    /// The picture, with what it is a picture of.
    pub(crate) fn picture(&self) -> Option<(&Picture, &Run)> {
        self.picture.as_ref().zip(self.run.as_ref())
    }

    /// The span that is followed in the moment shown.
    pub(crate) fn followed(&self) -> Option<SpanId> {
        self.shown.as_ref()?.1.followed.map(SpanId)
    }

    /// What the pointer is over: up to two spans, or a class by the size of its objects.
    pub(crate) const fn looked_at(&self) -> Link {
        self.looked_at
    }
}

#[cfg(test)]
mod tests {
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
        let Reply::Now(Answer::Refused(why)) = desk.take(&Request::Run(impossible)) else {
            panic!("refused")
        };
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
        let point = Some(((rect.x + (index as f64 + 0.4) * width) as f32, (rect.y + 4.0) as f32));
        let Reply::Now(Answer::Chosen(chosen)) =
            desk.take(&Request::At { on: Surface::Map, point, chosen: true })
        else {
            panic!("chosen")
        };
        assert_eq!(chosen, Follow::Object(object));
        moment(&mut desk, Show { follow: chosen, ..near });
        let (picture, run) = desk.picture().unwrap();
        let place = picture.object_place(run, desk.object().unwrap()).unwrap();
        assert!(
            place.x <= f64::from(point.unwrap().0) && f64::from(point.unwrap().0) <= place.x + place.width
        );
    }

    #[test]
    fn what_is_looked_at_is_marked_where_it_began() {
        let mut desk = started(Model::Zsmalloc, 4000);
        let told = moment(&mut desk, show(2999));
        let id = told.followed.unwrap();
        let born = desk.picture().unwrap().1.timeline.pool().span(SpanId(id)).unwrap().born;
        let lines = |desk: &Desk| desk.plate(Surface::Strip).unwrap().1.len();
        let before = lines(&desk);
        for (link, step) in
            [(Link::Span(id, None), Some(born)), (Link::Step(12), Some(12)), (Link::None, None)]
        {
            desk.take(&Request::Look(link));
            assert_eq!(desk.moment_looked_at(), step);
            assert_eq!(lines(&desk), before + usize::from(step.is_some()));
        }
        desk.take(&Request::Look(Link::Class(told.close.unwrap().size)));
        assert!(desk.moment_looked_at().is_some_and(|step| step <= born));
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
            let (mut crossing, page) = (0u64, run.page_bytes);
            pool.for_each_span(&mut |span| {
                let size = run.size_of(span.class);
                pool.for_each_used(span.key, &mut |slot| {
                    let from = u32::from(slot) * size;
                    crossing += u64::from(from / page != (from + size - 1) / page);
                });
            });
            let column = lines[0].split("\",\"").position(|name| name.contains("two pages")).unwrap();
            let last: Vec<&str> = lines[1500].split(',').collect();
            assert_eq!(last[column + 1], crossing.to_string(), "{model:?} {}", lines[0]);
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
}
