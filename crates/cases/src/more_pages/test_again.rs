//! The posting's own test, computed.

use crate::figure::say;
use crate::mib::mib;
use crate::{Histogram, Line, Plot, Row, Step, Unit};

use super::{POSTED, Tables, posted, setting};

pub(super) fn step(old: &Tables, data: &Histogram, all: &Histogram) -> Step {
    let mut rows = Vec::new();
    for max_pages in POSTED {
        let published = posted(max_pages, "used_bytes");
        let row = |metric| Row::new(setting(max_pages), metric, Unit::Bytes).published(published);
        rows.push(
            row("used_bytes")
                .predicted(old.bytes(max_pages, all))
                .note("data and metadata, packed without a gap; the metadata is that of a later kernel, 6.1"),
        );
        rows.push(
            row("used_bytes_data_alone")
                .predicted(old.bytes(max_pages, data))
                .note("without the file system's metadata, which the published figure includes"),
        );
    }
    for max_pages in POSTED.into_iter().skip(1) {
        let saved = |used: &dyn Fn(u8) -> Option<f64>| Some(mib(used(4)? - used(max_pages)?));
        let name = format!("4 to {max_pages}");
        let measured = saved(&|max_pages| posted(max_pages, "used_bytes"));
        let ours = saved(&|max_pages| old.bytes(max_pages, all));
        let row = || Row::new(&name, "saved_mib", Unit::MiB).predicted(ours);
        rows.push(row().published(measured).note("published: from the means of five runs"));
        let words = posted(max_pages, "saved_in_words");
        let row = Row { metric: "saved_in_words", ..row().published(words) };
        rows.push(row.note("the posting's text says MB and means MiB"));
    }
    let compressed = posted(4, "compressed_bytes").unwrap_or(0.0);
    let text = format!(
        "The test writes files whose content is known, so the size of each of its {} compressed pages is known too: {} \
         bytes, {} % of what the posting counted. The rest is the file system's own data. Each page goes to the class of its \
         size and eight bytes of handle, and a class takes its objects divided by those of a zspage, rounded up, times the \
         zspage's pages.",
        say(data.objects() as f64, 0),
        say(data.bytes() as f64, 0),
        say(data.bytes() as f64 / compressed * 100.0, 1),
    );
    let line = |name: &str, published, of: &dyn Fn(u8) -> Option<f64>| Line {
        name: name.to_owned(),
        published,
        points: POSTED.into_iter().filter_map(|k| Some((k.into(), mib(of(4)? - of(k)?)))).collect(),
    };
    let plot = Plot {
        title: "Saved against 4 pages by the test",
        x: "most pages per zspage",
        x_by_factors: false,
        y: "MiB saved",
        lines: vec![
            line("published", true, &|k| posted(k, "used_bytes")),
            line("data and metadata", false, &|k| old.bytes(k, all)),
            line("data alone", false, &|k| old.bytes(k, data)),
        ],
    };
    Step { title: "The test again", text, rows, plots: vec![plot] }
}
