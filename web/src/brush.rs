//! A canvas as what plotters draws on. plotters' own backend would bring the printing of floating-point numbers into the
//! page, for the alpha of its colours, and would measure text, which the charts leave to [`crate::canvas`].

use std::convert::Infallible;
use std::f64::consts::TAU;

use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use crate::canvas::{context, css};

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// A canvas and its context.
pub(crate) struct Brush {
    canvas: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
}

impl Brush {
    /// For a canvas; `None` if it has no context of the kind.
    pub(crate) fn new(canvas: &HtmlCanvasElement) -> Option<Self> {
        Some(Self { canvas: canvas.clone(), context: context(canvas)? })
    }

    /// Fills or strokes what `path` lays down.
    fn ink(
        &self,
        colour: BackendColor,
        stroke_width: Option<u32>,
        path: &mut dyn FnMut(&CanvasRenderingContext2d),
    ) {
        let context = &self.context;
        let (red, green, blue) = colour.rgb;
        let css = css([red, green, blue]);
        context.set_global_alpha(colour.alpha);
        context.begin_path();
        path(context);
        match stroke_width {
            None => {
                context.set_fill_style_str(&css);
                context.fill();
            }
            Some(width) => {
                context.set_stroke_style_str(&css);
                context.set_line_width(width.into());
                context.stroke();
            }
        }
        context.set_global_alpha(1.0);
    }

    fn lines(
        &self,
        colour: BackendColor,
        stroke_width: Option<u32>,
        points: &mut dyn Iterator<Item = (f64, f64)>,
    ) -> Drawn {
        // The first line of a path begins where it ends.
        self.ink(colour, stroke_width, &mut |context| points.for_each(|(x, y)| context.line_to(x, y)));
        Ok(())
    }
}

const fn exact((x, y): BackendCoord) -> (f64, f64) {
    (x as f64, y as f64)
}

/// The width of a line, or `None` for an area.
fn stroke<S: BackendStyle>(style: &S, fill: bool) -> Option<u32> {
    (!fill).then(|| style.stroke_width())
}

impl DrawingBackend for Brush {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        (self.canvas.width(), self.canvas.height())
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, colour: BackendColor) -> Drawn {
        let (x, y) = exact(point);
        self.ink(colour, None, &mut |context| context.rect(x, y, 1.0, 1.0));
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        // Upright and level lines lie on pixels, not between them.
        let (aside, above) =
            (f64::from(u8::from(from.0 == to.0)) / 2.0, f64::from(u8::from(from.1 == to.1)) / 2.0);
        let mut ends = [from, to].into_iter().map(|end| (f64::from(end.0) - aside, f64::from(end.1) - above));
        self.lines(style.color(), stroke(style, false), &mut ends)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let ((left, top), (right, bottom)) = (exact(from), exact(to));
        self.ink(style.color(), stroke(style, fill), &mut |context| {
            context.rect(left, top, right - left, bottom - top)
        });
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.lines(style.color(), stroke(style, false), &mut path.into_iter().map(exact))
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let (x, y) = exact(centre);
        self.ink(style.color(), stroke(style, fill), &mut |context| {
            // A circle of a positive radius is one.
            let _ = context.arc(x, y, radius.into(), 0.0, TAU);
        });
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.lines(style.color(), None, &mut path.into_iter().map(exact))
    }

    /// The charts give their texts back instead.
    fn draw_text<S: BackendTextStyle>(&mut self, _: &str, _: &S, _: BackendCoord) -> Drawn {
        Ok(())
    }
}
