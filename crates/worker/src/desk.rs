//! The worker's desk: the run that was asked for last, and what is drawn of it.

use slabscope_charts::map::cells::Touched;
use slabscope_charts::map::layout::Rect;
use slabscope_charts::theme::Role;
use slabscope_core::pool::{Event, ObjectId, Pool as _, SpanId};
use slabscope_core::tell::{capital, grouped};
use slabscope_core::timeline::{Direction, Filter, Interest, MarkKind};

use crate::moment;
use crate::picture::{Picture, Place};
use crate::plate::Plate;
use crate::protocol::{Answer, Follow, Goal, Link, Moment, Over, Request, Scroll, Show, Surface};
use crate::quantity::{Panel, csv, figures};
use crate::run::Run;
use crate::words;

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
    /// The span that the operation of the step looked at changed.
    changed: Option<SpanId>,
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
                self.changed = if let Link::Step(step) = link { self.changed_at(step) } else { None };
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
        self.pointer = self.plot.as_ref().zip(point).map(|(plot, (x, _))| plot.frame.step_at(x.into()));
        if chosen {
            return Reply::Now(Answer::Jumped(self.pointer));
        }
        self.changed = self.pointer.and_then(|step| self.changed_at(step));
        let panel = usize::from(self.wanted.map_or(0, |show| show.panel));
        let read = self
            .pointer
            .zip(self.run.as_ref())
            .and_then(|(step, run)| Some(figures(run, Panel::all(run).get(panel)?, step)));
        Reply::Now(Answer::Read(read))
    }

    fn changed_at(&mut self, step: u32) -> Option<SpanId> {
        self.run.as_mut()?.timeline.events_of(step).and_then(words::touched)
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

    /// The span that the operation changed which the pointer is over, on the plot or in a text. It may be gone.
    pub(crate) const fn changed(&self) -> Option<SpanId> {
        self.changed
    }

    /// What the pointer is over: up to two spans, or a class by the size of its objects.
    pub(crate) const fn looked_at(&self) -> Link {
        self.looked_at
    }
}

#[cfg(test)]
mod tests;
