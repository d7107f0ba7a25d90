//! One file that opens from disk: pictures, tables and the link, without scripts. It is light or dark as the reader's
//! other pages are, so each picture is in it twice.

use slabscope_charts::svg::{colour, escape};
use slabscope_charts::theme::{Role, Theme};
use slabscope_core::told::leading;
use slabscope_lab::document::{Block, MOST_ROWS, Sheet};

use crate::items::items;
use crate::origin::Origin;

/// Bytes of a cell from which on it is a sentence.
const SENTENCE: usize = 32;
/// Most rows of a table that is not folded.
const UNFOLDED: usize = 120;

/// A page from top to bottom.
pub(crate) struct Page<'a> {
    origin: &'a Origin,
    body: String,
    /// The first sentence, which is what the page is called by.
    said: Option<String>,
}

impl<'a> Page<'a> {
    /// An empty page.
    pub(crate) const fn new(origin: &'a Origin) -> Self {
        Self { origin, body: String::new(), said: None }
    }

    fn element(&mut self, tag: &str, text: &str) {
        let text = escape(text);
        // What follows a blank is an attribute.
        let end = tag.split(' ').next().unwrap_or(tag);
        self.body.push_str(&format!("<{tag}>{text}</{end}>\n"));
    }

    /// What stands above a picture.
    pub(crate) fn name(&mut self, name: &str) {
        self.element("h3", name);
    }

    /// A picture in both themes.
    ///
    /// # Errors
    /// The drawing's.
    pub(crate) fn picture(
        &mut self,
        draw: &mut dyn FnMut(Theme) -> Result<String, String>,
    ) -> Result<(), String> {
        for (class, theme) in [("light", Theme::Light), ("dark", Theme::Dark)] {
            let drawing = draw(theme)?;
            self.body.push_str(&format!("<figure class=\"{class}\">\n{drawing}</figure>\n"));
        }
        Ok(())
    }

    /// A table.
    pub(crate) fn table(&mut self, sheet: &Sheet) {
        // A column that is mostly numbers stands at the right, one of words at the left; one of sentences has room.
        let is_long =
            |at: usize| sheet.rows.iter().any(|row| row.get(at).is_some_and(|cell| cell.len() > SENTENCE));
        let is_number =
            |row: &&Vec<String>, at: usize| row.get(at).is_some_and(|cell| leading(cell).is_some());
        let numbers = |at: usize| sheet.rows.iter().filter(|row| is_number(row, at)).count();
        let classes: Vec<&str> = (0..sheet.columns.len())
            .map(|at| match numbers(at) * 2 > sheet.rows.len() {
                _ if is_long(at) => " class=\"t\"",
                true => " class=\"n\"",
                false => "",
            })
            .collect();
        let cells = |cells: &[String], tag: &str| {
            let mut out = String::from("<tr>");
            for (cell, class) in cells.iter().zip(&classes) {
                out.push_str(&format!("<{tag}{class}>{}</{tag}>", escape(cell)));
            }
            out + "</tr>\n"
        };
        let caption = escape(&sheet.caption);
        let head = cells(&sheet.columns, "th");
        let rows = sheet.rows.iter().map(|row| cells(row, "td")).collect::<String>();
        let table = format!(
            "<div>\n<table>\n<caption>{caption}</caption>\n<thead>{head}</thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
        );
        if sheet.rows.len() > UNFOLDED {
            self.folded(&format!("{}, {} rows", sheet.caption, sheet.rows.len()), &table);
        } else {
            self.body.push_str(&table);
        }
    }

    fn folded(&mut self, title: &str, body: &str) {
        let title = escape(title);
        self.body.push_str(&format!("<details><summary>{title}</summary>\n{body}</details>\n"));
    }

    /// A document, with every position of its figures one below the other.
    ///
    /// # Errors
    /// A picture cannot be drawn.
    pub(crate) fn document(&mut self, document: &[Block]) -> Result<(), String> {
        let mut pictures = items(document, 0).into_iter();
        for block in document {
            match block {
                Block::Say(lead, strong, rest, more) => {
                    let sentence = format!("{lead}{strong}{rest}");
                    if self.said.is_none() {
                        self.said = Some(sentence);
                    } else {
                        self.element("h2", &sentence);
                    }
                    if !more.is_empty() {
                        self.element("p", more);
                    }
                }
                Block::Title(title) => self.element("h2", title),
                Block::Text(text) => self.element("p", text),
                Block::Mono(text) => self.element("pre", text),
                Block::Warning(text) => self.element("p class=\"warn\"", text),
                Block::Sheet(_) | Block::Plot(_) | Block::Lanes(_) | Block::Parts(_) | Block::Span(..) => {
                    let Some(item) = pictures.next() else { continue };
                    if !item.is_drawn() {
                        self.table(&item.table(MOST_ROWS));
                        continue;
                    }
                    // Parts are called by the title above them.
                    if !matches!(block, Block::Parts(_)) {
                        self.name(&item.name);
                    }
                    let line = self.origin.line();
                    self.picture(&mut |theme| item.picture(theme, &line))?;
                    if let Block::Plot(plot) = block {
                        self.element("p class=\"fine\"", &format!("Along: {}.", plot.along));
                    }
                    // What lanes show is a table of thousands of rows.
                    if !matches!(block, Block::Lanes(_)) {
                        self.body.push_str("<details><summary>As a table</summary>\n");
                        self.table(&item.table(MOST_ROWS));
                        self.body.push_str("</details>\n");
                    }
                }
                Block::Prose(pieces) => self.prose(pieces),
                Block::Scenes(scenes) => {
                    // The one that is taken on its own is among the pictures.
                    let first = scenes.first().map_or(0, |(_, shown)| items(shown, 0).len());
                    pictures.by_ref().take(first).for_each(drop);
                    for ((title, shown), number) in scenes.iter().zip(1u32..) {
                        self.element("h3", &format!("{number}. {title}"));
                        self.document(shown)?;
                    }
                }
                Block::Controls(all) => {
                    for cells in all {
                        let [label, value, usual, ..] = &cells[..] else { continue };
                        self.element("p class=\"fine\"", &format!("{label}: {value} (usually {usual})"));
                    }
                }
                Block::Lines(lines) => {
                    let text =
                        format!("The {} lines of the text that was read are not in this file.", lines.len());
                    self.element("p class=\"fine\"", &text);
                }
                // There is nothing to play it with.
                Block::Play(_) => {}
            }
        }
        Ok(())
    }

    /// Words, those that lead to a scenario with its address.
    fn prose(&mut self, pieces: &[(String, String)]) {
        let page = self.origin.link.split('#').next().unwrap_or_default();
        self.body.push_str("<p>");
        for (words, target) in pieces {
            let words = escape(words);
            if target.starts_with('#') {
                self.body
                    .push_str(&format!("<a href=\"{}\">{words}</a>", escape(&format!("{page}{target}"))));
            } else {
                self.body.push_str(&words);
            }
        }
        self.body.push_str("</p>\n");
    }

    /// The file. The title is for pages that say nothing of their own.
    pub(crate) fn finish(self, title: &str) -> String {
        let (link, program) = (escape(&self.origin.link), escape(&self.origin.program()));
        let caption = if self.said.is_some() {
            String::new()
        } else {
            format!("<p>{}</p>\n", escape(&self.origin.caption))
        };
        let heading = escape(self.said.as_deref().unwrap_or(title));
        let title = escape(title);
        let source = match self.origin.file.as_str() {
            "" => String::new(),
            file => format!("Read from: {}<br>", escape(file)),
        };
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"{program}\">\n<title>{title}</title>\n<style>\n\
             :root{{{}}}\n.dark{{display:none}}\n@media(prefers-color-scheme:dark){{:root{{{}}}.light{{display:none}}.dark{{display:block}}}}\n{STYLE}</style>\n\
             </head>\n<body>\n<h1>{heading}</h1>\n{caption}{}<p>{source}<a href=\"{link}\">{link}</a><br>{program}</p>\n</body>\n</html>\n",
            colours(Theme::Light),
            colours(Theme::Dark),
            self.body,
        )
    }
}

fn colours(theme: Theme) -> String {
    let named = [
        ("paper", Role::Paper),
        ("ink", Role::Ink),
        ("fine", Role::Ink3),
        ("line", Role::Line),
        ("accent", Role::Accent),
        ("warn", Role::Rounding),
    ];
    named.iter().map(|(name, role)| format!("--{name}:{};", colour(theme, *role))).collect()
}

/// What no theme changes.
const STYLE: &str = "body{margin:2em auto;max-width:60em;padding:0 1em;font:15px/1.5 sans-serif;background:var(--paper);color:var(--ink)}
h1{font-size:1.4em;font-weight:600}h2{font-size:1.15em;margin-top:2em}h3{font-size:1em;margin-bottom:0}
figure{margin:1em 0}svg{max-width:100%;height:auto}div,pre{overflow:auto;margin:1em 0}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}caption{text-align:left;font-weight:600;padding:.5em 0}
th,td{text-align:left;vertical-align:top;padding:.1em .7em;border-bottom:1px solid var(--line)}.n{text-align:right;white-space:nowrap}.t{min-width:16em}
a{color:var(--accent);overflow-wrap:anywhere}.fine,summary{color:var(--fine)}.warn{border-left:3px solid var(--warn);padding-left:.7em}
";
