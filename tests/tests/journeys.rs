//! Journeys through the built page in a real browser.
//!
//! `cargo xtask test journeys` serves the page under a sub-path and starts the driver; both addresses
//! come in by environment variables.

#![cfg(all(feature = "browser", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod browser;

use std::time::Duration;

use serde_json::{Value, json};

#[path = "journeys/audit.rs"]
mod audit;
#[path = "journeys/budgets.rs"]
mod budgets;
#[path = "journeys/crashes.rs"]
mod crashes;

use browser::Page;

const HUGE: &str = "[data-constant='Huge from, bytes']";

#[tokio::test]
async fn the_huge_border_moves_with_max_pages() {
    let page = Page::open(1280, 800).await;
    page.go("").await;
    assert_eq!(page.text(HUGE).await, "3,625");
    for (pages, border) in [("4", "3,257"), ("16", "3,833"), ("5", "3,401")] {
        page.enter("#p-mp", pages).await;
        page.until(border, &format!("return document.querySelector({HUGE:?}).textContent === {border:?}"))
            .await;
        assert_eq!(page.hash().await, format!("#v=1&mp={pages}"));
    }
    page.client.back().await.unwrap();
    page.until(
        "back to 16 pages",
        &format!("return document.querySelector({HUGE:?}).textContent === '3,833'"),
    )
    .await;
    page.client.forward().await.unwrap();
    page.until(
        "forward to 5 pages",
        &format!("return document.querySelector({HUGE:?}).textContent === '3,401'"),
    )
    .await;
    page.enter("#p-mp", "99").await;
    page.wait("[data-key='mp'] [role='alert']").await;
    page.close().await;
}

#[tokio::test]
async fn a_pool_is_played_scrubbed_and_linked() {
    let page = Page::open(1280, 800).await;
    page.go("#v=1&view=pool&n=3000").await;
    page.until("an empty pool", "return document.querySelector('.say').textContent.includes('empty')").await;
    page.click("button[aria-label='Play']").await;
    page.until("playing moves on", "return Number(document.querySelector('.scrub').value) > 20").await;
    page.click("button[aria-label='Pause']").await;
    page.enter(".scrub", "2000").await;
    page.until("step 2000", "return document.querySelector('[data-now]').textContent.startsWith('2,000:')")
        .await;
    let there = page.text(".say").await;
    page.enter(".scrub", "700").await;
    page.until("step 700", "return document.querySelector('[data-now]').textContent.startsWith('700:')")
        .await;
    page.run("document.activeElement.blur()").await;
    page.keys(&['\u{e014}', '\u{e014}', '\u{e012}']).await;
    page.until(
        "right, right, left",
        "return document.querySelector('[data-now]').textContent.startsWith('701:')",
    )
    .await;
    page.enter(".scrub", "2000").await;
    page.until(
        "step 2000 again",
        "return document.querySelector('[data-now]').textContent.startsWith('2,000:')",
    )
    .await;
    assert_eq!(page.text(".say").await, there, "a step is the same from either side");
    page.until("the link has the step", "return location.hash.includes('at=2000')").await;
    let link = page.hash().await;
    let tab = page.client.new_window(true).await.unwrap().handle;
    page.client.switch_to_window(tab).await.unwrap();
    page.go(&link).await;
    page.until(
        "the same state",
        "return document.querySelector('[data-now]')?.textContent.startsWith('2,000:')",
    )
    .await;
    assert_eq!(page.text(".say").await, there);
    assert_eq!(page.hash().await, link);
    page.close().await;
}

#[tokio::test]
async fn every_view_of_every_allocator_says_something() {
    let page = Page::open(1280, 800).await;
    for allocator in ["zsmalloc", "zblock", "slub"] {
        page.go(&format!("#v=1&view=pool&n=400&at=150&a={allocator}")).await;
        page.until("step 150", "return document.querySelector('[data-now]').textContent.startsWith('150:')")
            .await;
        page.click("button[aria-label='Step forward']").await;
        page.until("a step on", "return document.querySelector('[data-now]').textContent.startsWith('151:')")
            .await;
        page.click("button[aria-label='Step back']").await;
        page.until("and back", "return document.querySelector('[data-now]').textContent.startsWith('150:')")
            .await;
        for view in ["compare&n=4000&2.seed=2", "locks"] {
            page.go(&format!("#v=1&view={view}&a={allocator}")).await;
            page.until(
                "a sentence",
                "return (document.querySelector('.say strong')?.textContent ?? '') !== ''",
            )
            .await;
            page.until("a table", "return document.querySelectorAll('.sheet tbody tr').length > 3").await;
        }
    }
    page.close().await;
}

#[tokio::test]
async fn tab_reaches_every_control_and_leaves_again() {
    const TAB: char = '\u{e004}';
    let page = Page::open(1280, 800).await;
    for view in ["geometry", "geometry&a=zblock", "geometry&a=slub", "pool&n=400&at=150", "data", "locks"] {
        // Tab starts where a page was left; a new one starts at its top.
        page.client.goto("about:blank").await.unwrap();
        page.go(&format!("#v=1&view={view}")).await;
        page.until("a sentence", "return document.querySelector('.say') !== null").await;
        page.run("document.activeElement.blur(); window.reached = new Set();").await;
        // Behind the last control comes the page itself or the first again; a trap leaves some unreached.
        let next = "const at = document.activeElement, seen = window.reached.has(at);
                    window.reached.add(at); return seen || at === document.body;";
        for _ in 0..90 {
            page.keys(&[TAB]).await;
            if page.run(next).await == json!(true) {
                break;
            }
        }
        let missed = page
            .run(
                "const all = document.querySelectorAll('button, a[href], input, select, textarea, summary');
                 return [...all].filter(it => it.offsetParent !== null && !it.disabled && it.tabIndex >= 0
                     && !window.reached.has(it)).map(it => it.outerHTML.slice(0, 80));",
            )
            .await;
        assert_eq!(missed, json!([]), "{view}");
    }
    page.close().await;
}

/// A small file of the form that 6.4 and later print.
const CLASSES: &str = " class  size       10%       20%       30%       40%       50%       60%       70%       80%       90%       99%      100% obj_allocated   obj_used pages_used pages_per_zspage freeable
    94  1536         0         0         0         2         0         0         0         0         0         0         4            48         38         18                3        3
   100  1632         0         0         0         0         0         0         1         0         0         0         7            40         38         16                2        0
   ...
   254  4096         0         0         0         0         0         0         0         0         0         0         9             9          9          9                1        0
";

#[tokio::test]
async fn a_pasted_file_is_shown_with_its_skipped_line() {
    let page = Page::open(1280, 800).await;
    page.go("#v=1&view=data").await;
    page.paste(CLASSES).await;
    page.wait("[data-waterfall]").await;
    let account = page.text("main").await;
    assert!(account.contains("3 rows, 1 line skipped"), "{account}");
    assert!(account.contains("3 of 3 rows are classes of era 6.12"), "{account}");
    assert!(account.contains(&slabscope_core::tell::grouped(43 * 4096)), "{account}");
    page.enter("#paste", "no table here").await;
    page.wait(".trouble").await;
    page.close().await;
}

/// Drops a trace of kmalloc events of some 25 MB on the page. What it takes of the main thread: `budgets.rs`.
const DROP_TRACE: &str = "
    const lines = [];
    for (let i = 0; i < 200000; i++) lines.push(`  x-1 [000] .... ${i}.000001: kmalloc: call_site=__alloc_skb+0x7c/0x180 ptr=0x${(i + 4096).toString(16)} bytes_req=${i % 4000 + 1} bytes_alloc=4096 gfp_flags=GFP_KERNEL\\n`);
    const file = new File(lines, 'trace.txt');
    const data = new DataTransfer();
    data.items.add(file);
    document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
    return file.size";

#[tokio::test]
async fn a_large_trace_is_read_with_progress_cancelled_and_played() {
    let page = Page::open(1280, 800).await;
    page.go("#v=1&view=geometry").await;
    let size = page.run(DROP_TRACE).await.as_u64().unwrap();
    assert!(size > 20 << 20, "{size}");
    page.until("the view of data", "return location.hash.includes('view=data')").await;
    page.until("progress", "return document.querySelector('progress')?.value > 0").await;
    page.run("document.querySelector('.document .tools button').click()").await;
    page.until("it was cancelled", "return document.body.innerText.includes('Cancelled')").await;
    page.run(DROP_TRACE).await;
    page.until("its rows", "return document.body.innerText.includes('First 2,000 of 200,000 rows')").await;
    page.until("an offer", "return [...document.querySelectorAll('button')].some(button => button.innerText == 'Play it in Pool')").await;
    page.run("[...document.querySelectorAll('button')].find(button => button.innerText == 'Play it in Pool').click()")
        .await;
    page.until(
        "the pool",
        "return location.hash.includes('view=pool') && document.querySelector('.scrub') != null",
    )
    .await;
    let hash = page.hash().await;
    assert!(hash.contains("n=200000") && hash.contains("t=f1."), "{hash}");
    page.until("the trace", "return document.querySelector('.scrub').max == '200000'").await;
    // Who has the link but not the file is told what is missing.
    page.client.refresh().await.unwrap();
    page.until("what is missing", "return document.body.innerText.includes('names a file of its author')")
        .await;
    page.close().await;
}

#[tokio::test]
async fn sizes_are_played_from_their_link_and_too_much_is_refused() {
    let page = Page::open(1280, 800).await;
    page.go("#v=1&view=data").await;
    page.until("how to get it", "return document.querySelector('aside.right pre') != null").await;
    page.enter("#paste", "size,count\n3400,60\n").await;
    page.until("an offer", "return [...document.querySelectorAll('button')].some(button => button.innerText == 'Play it in Pool')").await;
    page.run("[...document.querySelectorAll('button')].find(button => button.innerText == 'Play it in Pool').click()")
        .await;
    page.until("the pool", "return location.hash.includes('view=pool') && location.hash.includes('t=z1.')")
        .await;
    page.client.refresh().await.unwrap();
    page.until("it is played", "return document.querySelector('.scrub')?.max == '360'").await;
    page.until("it is said", "return document.body.innerText.includes('With your data')").await;
    // Geometry counts the same sizes, from the link alone. Six of 3,400 bytes lie in five pages, if eight are allowed.
    page.go(&page.hash().await.replace("view=pool", "view=geometry")).await;
    page.until("its pages", "return document.body.innerText.includes('Your 60 objects take 50 pages')").await;
    page.enter("#p-mp", "4").await;
    page.until("a page each", "return document.body.innerText.includes('Your 60 objects take 60 pages')")
        .await;
    for allocator in ["zblock", "slub"] {
        page.go(&format!("{}&a={allocator}", page.hash().await.replace("&mp=4", ""))).await;
        page.until("what they take there", "return document.body.innerText.includes('Your 60 objects take')")
            .await;
    }
    page.run("[...document.querySelectorAll('button')].find(button => button.innerText == 'Stop').click()")
        .await;
    page.until("they are gone", "return !document.body.innerText.includes('Your 60 objects')").await;
    page.go("#v=1&view=data").await;
    page.run(
        "const mega = new Uint8Array(1 << 20).fill(48); const data = new DataTransfer();
         data.items.add(new File(Array(101).fill(mega), 'large'));
         document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}))",
    )
    .await;
    page.until("the limit", "return document.body.innerText.includes('larger than 100 MB')").await;
    page.paste(&"x".repeat(5_300_000)).await;
    page.until("the file instead", "return document.body.innerText.includes('drop the file instead')").await;
    page.close().await;
}

#[tokio::test]
async fn bad_links_are_named_and_impossible_kernels_explained() {
    let page = Page::open(1280, 800).await;
    page.go("#v=1&mp=99&nonsense=1&era=3.0").await;
    page.until("three notices", "return document.querySelectorAll('.notice').length === 3").await;
    let said = page.text(".notices").await;
    for key in ["mp=99", "nonsense", "era=3.0"] {
        assert!(said.contains(key), "{said}");
    }
    page.go("#v=1&era=4.5&b=32&pb=40&mp=16").await;
    page.until(
        "the reason",
        "return document.querySelector('.trouble')?.textContent.includes('does not build') === true",
    )
    .await;
    page.close().await;
}

#[tokio::test]
async fn the_figure_works_in_someones_page_and_leaves_its_history_alone() {
    let page = Page::open(1000, 700).await;
    page.host("#v=1&view=pool&n=500&at=400").await;
    page.until(
        "the figure",
        "return document.querySelector('iframe').contentDocument?.querySelector('[data-now]')?.textContent.startsWith('400:')",
    )
    .await;
    let inside = "const inside = document.querySelector('iframe').contentDocument;";
    let is = |what: &str| format!("{inside} return {what}");
    assert_eq!(
        page.run(&is("inside.querySelector('.left')")).await,
        Value::Null,
        "no parameters in a figure"
    );
    let before = page.run("return history.length").await;
    page.run(&format!("{inside} inside.querySelector('button[aria-label=\"Step forward\"]').click()")).await;
    page.until("step 401", &is("inside.querySelector('[data-now]').textContent.startsWith('401:')")).await;
    assert_eq!(page.run("return history.length").await, before);
    let link = page.run(&is("inside.querySelector('.embed-foot a').href")).await;
    let link = link.as_str().unwrap();
    assert!(
        link.starts_with(&page.base) && link.contains("at=401") && !link.contains("embed.html"),
        "{link}"
    );
    page.client.close().await.unwrap();
}

#[tokio::test]
async fn a_phone_sees_everything_without_scrolling_sideways() {
    let page = Page::open(500, 844).await;
    for view in ["geometry", "pool&at=3000", "data"] {
        page.go(&format!("#v=1&view={view}")).await;
        page.until("no sideways scroll", "return document.documentElement.scrollWidth <= window.innerWidth")
            .await;
    }
    page.close().await;
}

#[tokio::test]
async fn a_figure_that_is_scrolled_away_rests() {
    let page = Page::open(1000, 700).await;
    page.host("#v=1&view=pool&n=200000").await;
    page.run(
        "const below = document.createElement('div'); below.style.height = '5000px'; document.body.append(below);",
    )
    .await;
    let step = "Number(document.querySelector('iframe').contentDocument.querySelector('.scrub').value)";
    page.until(
        "the figure",
        "return document.querySelector('iframe').contentDocument?.querySelector('.scrub') != null",
    )
    .await;
    page.run("document.querySelector('iframe').contentDocument.querySelector('button[aria-label=\"Play\"]').click()").await;
    page.until("it plays", &format!("return {step} > 20")).await;
    page.run("window.scrollTo(0, 4000)").await;
    // The browser tells within a few frames; then nothing may move any more.
    tokio::time::sleep(Duration::from_millis(700)).await;
    let rest = page.run(&format!("return {step}")).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(page.run(&format!("return {step}")).await, rest, "it moves where nobody sees it");
    page.run("window.scrollTo(0, 0)").await;
    page.until("it goes on", &format!("return {step} > {rest}")).await;
    page.client.close().await.unwrap();
}

#[tokio::test]
async fn a_case_is_worked_out_and_argued_with() {
    let page = Page::open(1280, 800).await;
    page.go("#v=1&view=cases").await;
    let row = |cell: &str| {
        format!(
            "return [...document.querySelectorAll('.sheet tbody tr')].some(row => row.textContent.startsWith('max_pages 5: used bytes') && row.textContent.includes('{cell}'))"
        )
    };
    page.until("what was published", &row("1,804,446,925")).await;
    page.until("ours beside it", &row("1,807,847,424")).await;
    page.until("the end", "return document.querySelector('.say').textContent.startsWith('Five pages')").await;
    page.run("[...document.querySelectorAll('.prose .link')].find(link => link.textContent.startsWith('six share')).click()").await;
    page.until(
        "its figure",
        "return document.querySelector('.scenes').textContent.includes('3,300 bytes, at most 5')",
    )
    .await;
    page.until("the link says so", "return location.hash === '#v=1&view=cases&at=5'").await;
    page.enter("label.field input", "0").await;
    page.until("another assumption", "return location.hash === '#v=1&view=cases&at=5&set=metadata:0'").await;
    page.until("without metadata", &row("1,790,517,248")).await;
    page.run(
        "[...document.querySelectorAll('.starts a')].find(link => link.textContent === 'Words').click()",
    )
    .await;
    page.until(
        "the glossary",
        "return [...document.querySelectorAll('.part-title')].some(title => title.textContent === 'zspage')",
    )
    .await;
    page.close().await;
}
