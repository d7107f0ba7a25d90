//! One file that opens from disk: pictures, tables and the link, without scripts.

use slabscope_charts::svg::escape;
use slabscope_charts::theme::{Role, Theme};
use slabscope_lab::document::Sheet;
use slabscope_scenario::Scenario;

use crate::origin::Origin;
use crate::source::{Maker, Source, sources};
use crate::title;

/// The page of a scenario.
///
/// # Errors
/// A picture cannot be drawn.
pub(crate) fn page(scenario: &Scenario, maker: &mut dyn Maker, origin: &Origin) -> Result<String, String> {
    let title = escape(&title(scenario));
    let mut body = String::new();
    for source in sources(scenario.view(), scenario.allocator()) {
        match *source {
            Source::Picture(stem, _) => {
                body.push_str("<figure>");
                body.push_str(maker.picture(stem, origin)?.trim_end());
                body.push_str("</figure>\n");
            }
            Source::Table(stem, _) => table(&mut body, &maker.table(stem)?),
            Source::Text(..) | Source::Page => {}
        }
    }
    let colour = |role: Role| {
        let [red, green, blue] = Theme::colour(origin.theme, role);
        format!("#{red:02x}{green:02x}{blue:02x}")
    };
    let (link, caption) = (escape(&origin.link), escape(&origin.caption));
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta name=\"generator\" content=\"{}\">\n<title>{title}</title>\n<style>\
         body{{margin:2em auto;max-width:60em;padding:0 1em;font:15px/1.5 sans-serif;background:{};color:{}}}\
         figure{{margin:1em 0;overflow:auto}}table{{border-collapse:collapse;font-variant-numeric:tabular-nums}}\
         caption{{text-align:left;font-weight:600;padding:.5em 0}}th,td{{text-align:right;padding:.1em .7em;border-bottom:1px solid {}}}\
         th:first-child,td:first-child{{text-align:left}}a{{color:{}}}</style>\n</head>\n<body>\n\
         <h1>{title}</h1>\n<p>{caption}</p>\n{body}<p><a href=\"{link}\">{link}</a><br>{}</p>\n</body>\n</html>\n",
        escape(&origin.program()),
        colour(Role::Paper),
        colour(Role::Ink),
        colour(Role::Line),
        colour(Role::Accent),
        escape(&origin.program()),
    ))
}

fn table(out: &mut String, sheet: &Sheet) {
    let row = |cells: &[String], tag: &str| {
        let cells = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    out.push_str(&format!("<table>\n<caption>{}</caption>\n<thead>", escape(&sheet.caption)));
    out.push_str(&row(&sheet.columns, "th"));
    out.push_str("</thead>\n<tbody>\n");
    sheet.rows.iter().for_each(|cells| out.push_str(&row(cells, "td")));
    out.push_str("</tbody>\n</table>\n");
}
