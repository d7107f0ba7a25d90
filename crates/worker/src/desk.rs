//! The worker's desk: the run that was asked for last, and what is drawn of it.

use slabscope_charts::map::cells::Touched;
use slabscope_core::pool::{Pool as _, SpanId};
use slabscope_core::tell::grouped;
use slabscope_core::timeline::{Direction, Filter, Interest};

use crate::moment;
use crate::picture::{Picture, Place};
use crate::protocol::{Answer, Goal, Moment, Request, Scroll, Show};
use crate::run::Run;
use crate::series::{capital, series};

/// Operations that are recorded between two looks at what the page wants: some milliseconds.
const SLICE: u32 = 50_000;
/// Operations over which a picture is changed cell by cell.
const NEAR: u32 = 2_000;
/// Slices between two looks at the sums over time while a recording goes on.
const SERIES_EVERY: u32 = 8;

/// What is worth stopping at.
const INTERESTING: [Interest; 4] =
    [Interest::SpanCreated, Interest::SpanFreed, Interest::Compacted, Interest::FirstHuge];

/// What a request leads to.
#[derive(Debug)]
pub enum Reply {
    /// An answer at once.
    Now(Answer),
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
    hovered: Option<SpanId>,
    slices: u32,
}

impl Desk {
    /// Takes a request.
    pub fn take(&mut self, request: &Request) -> Reply {
        match *request {
            Request::Canvas => {
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
            Request::At { point, chosen } => self.at(point, chosen),
            Request::Neighbour { forward } => {
                let from = self.followed();
                let next = self.picture.as_ref().and_then(|picture| picture.neighbour(from, forward));
                Reply::Now(Answer::Chosen(next.map(|span| span.0)))
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
            self.corner = (left.clamp(0.0, picture.rightmost()), top.clamp(0.0, picture.lowest()));
        }
    }

    fn jump(&mut self, from: u32, to: Goal, forward: bool) -> Option<u32> {
        let filter = match to {
            Goal::Interesting => Filter::of(&INTERESTING),
            Goal::Span(id) => Filter::span(SpanId(id)),
        };
        let direction = if forward { Direction::Forward } else { Direction::Backward };
        self.run.as_mut()?.timeline.next_interesting(from, filter, direction)
    }

    fn at(&mut self, point: Option<(f32, f32)>, chosen: bool) -> Reply {
        let hit = point.and_then(|(x, y)| self.picture.as_ref()?.hit(x.into(), y.into()));
        if chosen {
            return Reply::Now(Answer::Chosen(hit.map(|span| span.0)));
        }
        if self.hovered == hit {
            return Reply::Nothing;
        }
        self.hovered = hit;
        Reply::Now(Answer::Over(hit.and_then(|id| self.describe(id))))
    }

    fn describe(&self, id: SpanId) -> Option<String> {
        let run = self.run.as_ref()?;
        let span = run.timeline.pool().span(id)?;
        let terms = run.terms();
        Some(format!(
            "{} {}: {} of {} objects, {} {}",
            capital(terms.span),
            id.0,
            span.used,
            span.capacity,
            terms.class,
            grouped(run.size_of(span.class).into())
        ))
    }

    /// Records a slice of the run. `None` if there is nothing to record.
    pub fn record(&mut self) -> Option<Answer> {
        let run = self.run.as_mut()?;
        if run.timeline.recorded() == run.timeline.len() {
            return None;
        }
        let progress = run.timeline.record(SLICE);
        self.slices += 1;
        let drawn = progress.done() || self.slices % SERIES_EVERY == 1;
        let lines = drawn.then(|| Box::new(series(run)));
        Some(Answer::Recorded(progress.recorded, lines))
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
        self.shown.as_ref().map(|(_, told)| told)
    }

    /// The picture, with what it is a picture of.
    pub(crate) fn picture(&self) -> Option<(&Picture, &Run)> {
        self.picture.as_ref().zip(self.run.as_ref())
    }

    /// The span that is followed in the moment shown.
    pub(crate) fn followed(&self) -> Option<SpanId> {
        self.shown.as_ref()?.1.followed.map(SpanId)
    }

    /// The span that the pointer is over.
    pub(crate) const fn hovered(&self) -> Option<SpanId> {
        self.hovered
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
        let Reply::Now(Answer::Chosen(chosen)) = desk.take(&Request::At { point, chosen: true }) else {
            panic!("chosen")
        };
        assert_eq!(chosen, Some(id.0));
        let Reply::Now(Answer::Over(Some(words))) = desk.take(&Request::At { point, chosen: false }) else {
            panic!("over")
        };
        assert!(words.starts_with(&format!("Zspage {}: ", id.0)), "{words}");
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
