//! SVG as what plotters draws on. Its own backend prints floating-point numbers and gives every shape an opacity, which
//! makes programs and files larger; what is drawn here lies on whole pixels.

use std::convert::Infallible;
use std::fmt::Write as _;

use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};

use crate::svg::hex;

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// Shapes are appended to a text.
#[derive(Debug)]
pub struct Pen<'a> {
    out: &'a mut String,
    size: (u32, u32),
}

impl<'a> Pen<'a> {
    /// For a drawing of so many CSS pixels.
    pub const fn new(out: &'a mut String, size: (u32, u32)) -> Self {
        Self { out, size }
    }

    /// An element up to its paint: a name and attributes.
    fn shape(&mut self, head: &str, colour: BackendColor, stroke_width: Option<u32>) {
        if colour.alpha <= 0.0 {
            return;
        }
        let paint = hex(colour.rgb.into());
        // Writing to a string cannot fail.
        let _ = match stroke_width {
            None => write!(self.out, "<{head} fill=\"{paint}\""),
            Some(width) => {
                write!(self.out, "<{head} fill=\"none\" stroke=\"{paint}\" stroke-width=\"{width}\"")
            }
        };
        if colour.alpha < 1.0 {
            let _ = write!(self.out, " opacity=\"0.{:02}\"", (colour.alpha * 100.0) as u32);
        }
        self.out.push_str("/>\n");
    }

    fn points(&mut self, name: &str, points: &[BackendCoord], colour: BackendColor, stroke: Option<u32>) {
        let mut head = format!("{name} points=\"");
        for (x, y) in points {
            // Writing to a string cannot fail.
            let _ = write!(head, "{x},{y} ");
        }
        head.truncate(head.trim_end().len());
        head.push('"');
        self.shape(&head, colour, stroke);
    }
}

/// The width of a line, or `None` for an area.
fn stroke<S: BackendStyle>(style: &S, fill: bool) -> Option<u32> {
    (!fill).then(|| style.stroke_width())
}

impl DrawingBackend for Pen<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> Drawn {
        self.shape(&format!("rect x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\""), colour, None);
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.points("polyline", &[from, to], style.color(), stroke(style, false));
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let (width, height) = (right - left, bottom - top);
        let head = format!("rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"");
        self.shape(&head, style.color(), stroke(style, fill));
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let points: Vec<BackendCoord> = path.into_iter().collect();
        self.points("polyline", &points, style.color(), stroke(style, false));
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let head = format!("circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"");
        self.shape(&head, style.color(), stroke(style, fill));
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let points: Vec<BackendCoord> = path.into_iter().collect();
        self.points("polygon", &points, style.color(), None);
        Ok(())
    }

    /// The charts give their texts back instead.
    fn draw_text<S: BackendTextStyle>(&mut self, _: &str, _: &S, _: BackendCoord) -> Drawn {
        Ok(())
    }
}
