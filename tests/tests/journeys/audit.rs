//! Every view in both themes under axe-core, and what only keys can do.

use serde_json::{Value, json};

use super::Page;

/// Links to what is looked at.
const VIEWS: [&str; 10] = [
    "view=geometry",
    "view=geometry&a=zblock",
    "view=geometry&a=slub",
    "view=pool&n=3000&at=2000",
    "view=pool&n=3000&at=2500&a=zblock&sel=z1",
    "view=pool&n=3000&at=3000&c=1000",
    "view=data",
    "view=compare&n=4000&2.seed=2",
    "view=locks",
    "view=cases",
];

impl Page {
    /// What axe-core finds wrong with the page as it is.
    async fn faults(&self) -> Vec<String> {
        let axe = std::env::var("SLABSCOPE_AXE").expect("run by cargo xtask test journeys");
        let axe = std::fs::read_to_string(axe).expect("axe-core was installed by setup");
        self.run(&axe).await;
        let found = self
            .client
            .execute_async(
                "const done = arguments[arguments.length - 1];
                 axe.run(document, { resultTypes: ['violations'] }).then(result => done(result.violations.map(fault =>
                     fault.id + ': ' + fault.nodes.map(node => node.target.join(' ') + ' (' + node.failureSummary.split('\\n').slice(1, 2).join('') + ')').join('; '))));",
                Vec::new(),
            )
            .await
            .unwrap();
        let found = found.as_array().expect("a list").iter();
        found.filter_map(Value::as_str).map(str::to_owned).collect()
    }
}

#[tokio::test]
async fn nothing_is_wrong_with_any_view_in_either_theme() {
    let page = Page::open(1280, 800).await;
    let mut faults = Vec::new();
    for theme in ["light", "dark"] {
        for view in VIEWS {
            page.go(&format!("#v=1&{view}&theme={theme}")).await;
            page.until("a sentence", "return document.querySelector('.say, .intake, .document') !== null")
                .await;
            page.run("document.querySelectorAll('details').forEach(part => part.open = true)").await;
            if view.contains("pool") {
                page.until("a moment", "return document.querySelectorAll('.map-table tbody tr').length > 3")
                    .await;
            }
            if view.contains("compare") || view.contains("locks") {
                page.until("a table", "return document.querySelectorAll('.sheet tbody tr').length > 3").await;
            }
            faults.extend(page.faults().await.into_iter().map(|fault| format!("{view} {theme}: {fault}")));
        }
        page.click("[data-act=commands]").await;
        page.until("the list", "return document.querySelectorAll('dialog[open] kbd').length > 5").await;
        faults.extend(page.faults().await.into_iter().map(|fault| format!("commands {theme}: {fault}")));
        page.keys(&['\u{e00c}']).await;
    }
    assert_eq!(faults, [""; 0]);
    page.close().await;
}

#[tokio::test]
async fn the_list_of_commands_finds_runs_and_gives_the_focus_back() {
    let page = Page::open(1280, 800).await;
    page.go("#v=1&view=pool&n=3000&c=1000").await;
    page.until("an empty pool", "return document.querySelector('.say')?.textContent.includes('empty')").await;
    page.run("document.querySelector('.scrub').focus()").await;
    page.press_with_control("k").await;
    page.until("the list", "return document.querySelector('dialog').open").await;
    page.until("the field has the focus", "return document.activeElement.type === 'search'").await;
    page.wait("dialog input[type=search]").await.send_keys("Next compaction").await.unwrap();
    page.until(
        "one command",
        "return document.querySelectorAll('.commands button:not([hidden])').length === 1",
    )
    .await;
    page.keys(&['\u{e007}']).await;
    page.until(
        "a compaction",
        "return document.querySelector('.events h2')?.textContent.startsWith('Compaction')",
    )
    .await;
    assert_eq!(page.run("return document.querySelector('dialog').open").await, json!(false));
    assert_eq!(page.run("return document.activeElement.className").await, json!("scrub"));
    page.run("document.activeElement.blur()").await;
    page.keys(&['?']).await;
    page.until("the list again", "return document.querySelector('dialog').open").await;
    page.keys(&['\u{e00c}']).await;
    page.until("closed", "return !document.querySelector('dialog').open").await;
    // Letters can be switched off, and stay off.
    page.keys(&['c']).await;
    page.until("Compare", "return location.hash.includes('view=compare')").await;
    page.keys(&['?']).await;
    page.click("dialog input[type=checkbox]").await;
    page.keys(&['\u{e00c}']).await;
    page.client.refresh().await.unwrap();
    page.wait("main").await;
    page.keys(&['p', '?']).await;
    assert_eq!(page.run("return document.querySelector('dialog').open").await, json!(false));
    assert!(page.hash().await.contains("view=compare"));
    page.close().await;
}

#[tokio::test]
async fn the_keyboard_reaches_everything_and_is_never_caught() {
    let page = Page::open(1280, 800).await;
    page.go("#v=1&view=pool&n=3000&at=1500").await;
    page.until("step 1500", "return document.querySelector('[data-now]')?.textContent.startsWith('1,500:')")
        .await;
    page.run("document.activeElement.blur()").await;
    let mut seen = Vec::new();
    for _ in 0..120 {
        page.keys(&['\u{e004}']).await;
        let at = page.run("const at = document.activeElement; return at === document.body ? 'end' : at.tagName + '.' + at.className + '#' + at.id").await;
        seen.push(at.as_str().unwrap().to_owned());
        if seen.len() > 5 && seen.last().is_some_and(|at| at == "end") {
            break;
        }
    }
    for part in ["map-frame", "scrub", "INPUT", "SELECT", "tab"] {
        assert!(seen.iter().any(|at| at.contains(part)), "{part}: {seen:?}");
    }
    assert!(seen.iter().any(|at| at == "end"), "the focus leaves the page: {seen:?}");
    page.close().await;
}

#[tokio::test]
async fn a_range_is_looped_and_moved_by_keys() {
    let page = Page::open(1280, 800).await;
    page.go("#v=1&view=pool&n=3000&at=1000").await;
    page.until("step 1000", "return document.querySelector('[data-now]')?.textContent.startsWith('1,000:')")
        .await;
    page.run("document.activeElement.blur()").await;
    page.keys(&['i', '\u{e014}', '\u{e014}', '\u{e014}', '\u{e014}', 'o']).await;
    let range = "[...document.querySelectorAll('.loop-end')].map(end => Number(end.value))";
    page.until("a range of four", &format!("return String({range}) === '1000,1004'")).await;
    page.click("button[aria-label='Play']").await;
    for _ in 0..20 {
        let at = page.run("return Number(document.querySelector('.scrub').value)").await.as_u64().unwrap();
        assert!((1000..=1004).contains(&at), "{at}");
    }
    page.click("button[aria-label='Pause']").await;
    page.run("document.querySelector('.loop-end').focus()").await;
    page.run("document.querySelector('.loop-end').dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', shiftKey: true, bubbles: true, cancelable: true}))").await;
    page.until("its end is a hundredth further", &format!("return String({range}) === '1000,1034'")).await;
    page.close().await;
}

#[tokio::test]
async fn plot_map_table_and_text_show_the_same() {
    let page = Page::open(1280, 800).await;
    page.go("#v=1&view=pool&n=3000&at=2000").await;
    page.until("figures", "return document.querySelectorAll('.list dd').length > 2").await;
    page.until("the step", "return document.querySelector('[data-now]')?.textContent.startsWith('2,000:')")
        .await;
    let pages = page.run("return document.querySelector('.say').textContent.split(' ')[0]").await;
    page.until(
        "the figures agree with the sentence",
        &format!("return [...document.querySelectorAll('.right .list dd')].some(value => value.textContent === {pages})"),
    )
    .await;
    // A press in the middle of the plot goes to the middle of the run.
    let width = page.run("return document.querySelector('.over-time canvas').clientWidth / 2").await;
    page.point(".over-time canvas", (width.as_f64().unwrap(), 60.0)).await;
    // A pixel is ten operations wide.
    let near = "return [...document.querySelectorAll('.right .fine')].some(line => {
        const [, step] = /^After operation ([0-9,]+)$/.exec(line.textContent) ?? [];
        return Math.abs(Number(step?.replaceAll(',', '')) - 1500) <= 10;
    })";
    page.until("it reads there", near).await;
    // What is pointed at on the map is marked in the table.
    page.run("document.querySelector('.map-table').open = true").await;
    page.until("rows", "return document.querySelectorAll('.map-table tbody tr').length > 3").await;
    page.until(
        "the table gives room again",
        "return document.querySelector('.map-frame canvas').getBoundingClientRect().height > 150",
    )
    .await;
    let marked = "return document.querySelectorAll('.map-table tr.over').length === 1";
    let mut places = (0..400).map(|step| (95.0 + f64::from(step % 77 * 7), 46.0 + f64::from(step / 77 * 19)));
    while page.run(marked).await != json!(true) {
        page.point(".map-frame canvas", places.next().expect("a row is marked")).await;
        // The worker answers.
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    // All of it can be had as a file.
    page.run("HTMLAnchorElement.prototype.click = function () { window.saved = this.href; };
              [...document.querySelectorAll('.right button')].find(it => it.textContent.includes('CSV')).click();").await;
    page.until(
        "a file",
        r"return /^data:text\/csv,%23%20Slabscope%20\d[^\n]*%23v%3D1[^\n]*%0A%22Operation%22%2C/.test(window.saved)",
    )
    .await;
    assert_eq!(
        page.run("return decodeURIComponent(window.saved).trim().split('\\n').length").await,
        json!(1502),
        "a comment, the names and 1,500 operations"
    );
    page.close().await;
}

#[tokio::test]
async fn whoever_wants_less_motion_gets_two_steps_a_second_and_nothing_is_said_while_it_plays() {
    let page = Page::open_still(1280, 800).await;
    page.go("#v=1&view=pool&n=3000&at=100").await;
    page.until("step 100", "return document.querySelector('[data-now]')?.textContent.startsWith('100:')")
        .await;
    let said = "document.querySelector('.pool-head [aria-live]').textContent";
    page.until("it says so", &format!("return {said}.startsWith('Operation 100:')")).await;
    page.click("button[aria-label='Play']").await;
    tokio::time::sleep(std::time::Duration::from_millis(2200)).await;
    let at = page.run("return Number(document.querySelector('.scrub').value)").await.as_u64().unwrap();
    assert!((102..=105).contains(&at), "{at}");
    assert_eq!(page.run(&format!("return {said}")).await, json!(""));
    page.click("button[aria-label='Pause']").await;
    page.until("it is said again", &format!("return {said}.startsWith('Operation ')")).await;
    page.close().await;
}
