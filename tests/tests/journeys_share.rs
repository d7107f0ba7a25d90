//! Journeys about what leaves the page: figures in other people's pages, links, exports, a page without a network.

#![cfg(all(feature = "browser", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod browser;
#[path = "browser/site.rs"]
mod site;

use serde_json::{Value, json};

use browser::Page;
use site::Site;

/// Opens someone else's page, on another origin, with a figure in it, and waits until that listens.
async fn host(page: &Page, scenario: &str) {
    let hosts = std::env::var("SLABSCOPE_HOSTS").expect("run by cargo xtask test journeys");
    page.client.goto(&format!("{hosts}page.html?{}", page.base)).await.unwrap();
    page.until("the element", "return customElements.get('slab-scope') !== undefined").await;
    page.run(&format!(
        "const figure = document.createElement('slab-scope'); figure.setAttribute('scenario', '{scenario}');
         document.body.append(figure); window.figure = figure;
         window.at = (id) => heard.find((one) => one.id === id);"
    ))
    .await;
    page.until("it is ready", "return heard.some((one) => one.type === 'ready')").await;
    page.until("it answers", "return heard.some((one) => one.type === 'pong')").await;
}

/// Sends a message as it is, and gives what comes back with this id.
async fn reply(page: &Page, message: &str, id: &str) -> Value {
    page.run(&format!("figure.firstChild.contentWindow.postMessage({message}, '*')")).await;
    page.until(&format!("an answer to {message}"), &format!("return at({id}) !== undefined")).await;
    page.run(&format!("return at({id})")).await
}

#[tokio::test]
async fn a_figure_on_another_origin_answers_its_page() {
    let page = Page::open(1000, 800).await;
    host(&page, "view=pool&n=500&at=100").await;
    page.until("a height", "return heard.some((one) => one.type === 'height')").await;
    page.until(
        "the frame has it",
        "const height = heard.findLast((one) => one.type === 'height').height; return figure.firstChild.clientHeight === height && height > 200",
    )
    .await;
    let origin = page.run("return new URL(figure.firstChild.src).origin !== location.origin").await;
    assert_eq!(origin, json!(true));
    let entries = page.run("return history.length").await;

    let head = "source: 'slabscope', v: 1";
    page.until(
        "it was played to 100",
        "return figure.send('get', {id: 'g'}), at('g')?.summary.step === 100 || void heard.splice(0)",
    )
    .await;
    let state = page.run("return at('g')").await;
    assert_eq!(state["type"], "state");
    assert_eq!(state["fragment"], "v=1&view=pool&n=500&at=100");
    assert!(state["summary"]["pages_used"].as_u64().unwrap() > 0, "{state}");
    assert!(state["summary"]["obj_used"].as_u64() <= state["summary"]["obj_allocated"].as_u64(), "{state}");
    assert_eq!(state["summary"]["steps"], 500);

    let state = reply(&page, &format!("{{{head}, type: 'seek', step: 400, id: 7}}"), "7").await;
    assert_eq!((&state["type"], &state["summary"]["step"]), (&json!("state"), &json!(400)));
    assert_eq!(state["fragment"], "v=1&view=pool&n=500&at=400");
    let set = format!("{{{head}, type: 'set', fragment: 'v=1&view=pool&mp=4&n=300&at=200', id: 'set'}}");
    let state = reply(&page, &set, "'set'").await;
    assert_eq!(state["fragment"], "v=1&view=pool&mp=4&n=300&at=200");
    page.until(
        "its own link follows",
        "return heard.some((one) => one.type === 'state' && one.summary.steps === 300)",
    )
    .await;
    page.run("heard.splice(0); figure.send('play')").await;
    page.until("it plays and tells", "return heard.filter((one) => one.type === 'event').length > 2").await;
    page.run("figure.send('pause', {id: 'p'})").await;
    page.until("it pauses", "return at('p') !== undefined").await;
    page.run("figure.setAttribute('scenario', 'v=1&mp=99')").await;
    page.until(
        "a bad value is told",
        "return heard.some((one) => one.type === 'error' && one.reason.startsWith('mp=99'))",
    )
    .await;
    assert_eq!(page.run("return history.length").await, entries, "the history is the page's");
    page.close().await;
}

#[tokio::test]
async fn hostile_messages_are_refused_or_ignored() {
    let page = Page::open(1000, 800).await;
    host(&page, "view=pool&n=500&at=100").await;
    let bad = [
        ("v: 2, type: 'get'", "v:"),
        ("v: 1, type: 'open'", "type:"),
        ("v: 1, type: '__proto__'", "type:"),
        ("v: 1, type: 'constructor'", "type:"),
        ("v: 1, type: {}", "type:"),
        ("v: 1, type: 'seek'", "seek: step"),
        ("v: 1, type: 'seek', step: -1", "seek: step"),
        ("v: 1, type: 'seek', step: 1.5", "seek: step"),
        ("v: 1, type: 'seek', step: '4'", "seek: step"),
        ("v: 1, type: 'seek', step: NaN", "seek: step"),
        ("v: 1, type: 'set', fragment: 5", "set: fragment"),
        ("v: 1, type: 'set', fragment: 'x'.repeat(20000)", "set: fragment"),
        ("v: 1, type: 'get', url: 'https://example.org/'", "get has no field url"),
        ("v: 1, type: 'set', fragment: 'v=1', src: 'x'", "set has no field src"),
    ];
    for (index, (fields, reason)) in bad.iter().enumerate() {
        let id = 100 + index;
        let answer =
            reply(&page, &format!("{{source: 'slabscope', {fields}, id: {id}}}"), &id.to_string()).await;
        assert_eq!(answer["type"], "error", "{fields}: {answer}");
        assert!(answer["reason"].as_str().unwrap().starts_with(reason), "{fields}: {answer}");
    }
    let id = "{source: 'slabscope', v: 1, type: 'get', id: {a: 1}}";
    page.run(&format!("heard.splice(0); figure.firstChild.contentWindow.postMessage({id}, '*')")).await;
    page.until(
        "a bad id is refused",
        "return heard.some((one) => one.type === 'error' && one.reason.startsWith('id:'))",
    )
    .await;
    // What is no message of ours, and what another window sends, is not even answered.
    for message in [
        "null",
        "7",
        "'get'",
        "[]",
        "{v: 1, type: 'get', id: 1}",
        "{source: 'slabscop', v: 1, type: 'get', id: 1}",
    ] {
        page.run(&format!("heard.splice(0); figure.firstChild.contentWindow.postMessage({message}, '*')"))
            .await;
    }
    page.run(
        "heard.splice(0);
         const other = document.createElement('iframe');
         other.srcdoc = `<script>parent.frames[0].postMessage({source: 'slabscope', v: 1, type: 'seek', step: 9, id: 'other'}, '*')</${'script'}>`;
         other.onload = () => setTimeout(() => figure.send('get', {id: 'last'}), 300);
         document.body.append(other);",
    )
    .await;
    page.until("the page is answered", "return at('last') !== undefined").await;
    assert_eq!(page.run("return at('last').fragment").await, "v=1&view=pool&n=500&at=100");
    assert_eq!(
        page.run("return heard.some((one) => one.id === 'other' || one.id === 1)").await,
        json!(false)
    );
    page.close().await;
}

#[tokio::test]
async fn a_figure_shows_what_its_link_asks_for_and_keeps_what_it_locks() {
    let page = Page::open(1000, 800).await;
    for (ui, dock, panel) in
        [("", 1, 0), ("&ui=controls", 1, 0), ("&ui=min", 0, 0), ("&ui=full&lock=a,mp", 1, 1)]
    {
        page.go(&format!("embed.html#v=1&view=pool&n=300{ui}")).await;
        page.client.refresh().await.unwrap();
        page.wait("[data-sums]").await;
        for (css, count) in [(".dock", dock), (".left", panel), (".bar", 0), (".embed-foot", 1)] {
            let found = page.run(&format!("return document.querySelectorAll('{css}').length")).await;
            assert_eq!(found, json!(count), "{css} with {ui}");
        }
    }
    page.close().await;
    let page = Page::open(1000, 800).await;
    host(&page, "view=pool&n=300&ui=full&lock=a,mp").await;
    page.client.enter_frame(0).await.unwrap();
    let locked =
        |key: &str| format!("return document.querySelector('.left [data-key={key}]')?.inert === true");
    page.until("it is locked", &locked("mp")).await;
    page.until("this too", &locked("a")).await;
    assert_eq!(page.run(&locked("seed")).await, json!(false));
    page.close().await;
}

#[tokio::test]
async fn undo_and_redo_never_leave_the_page() {
    let page = Page::open(1280, 800).await;
    page.go("").await;
    for pages in ["4", "5", "6"] {
        page.enter("#p-mp", pages).await;
        page.until(pages, &format!("return location.hash === '#v=1&mp={pages}'")).await;
    }
    let press = |key: &str, shift: bool| {
        format!(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', ctrlKey: true, shiftKey: {shift}, bubbles: true}}))"
        )
    };
    for hash in ["#v=1&mp=5", "#v=1&mp=4", "", ""] {
        page.run(&press("z", false)).await;
        page.until(
            hash,
            &format!("return location.hash === '{hash}' && document.querySelector('#p-mp') !== null"),
        )
        .await;
    }
    assert_eq!(page.run("return document.querySelector('#p-mp').value").await, "8");
    for (key, shift, hash) in [
        ("z", true, "#v=1&mp=4"),
        ("y", false, "#v=1&mp=5"),
        ("Z", true, "#v=1&mp=6"),
        ("Z", true, "#v=1&mp=6"),
    ] {
        page.run(&press(key, shift)).await;
        page.until(hash, &format!("return location.hash === '{hash}'")).await;
    }
    // What the browser's own button took back is done again too.
    page.client.back().await.unwrap();
    page.until("taken back", "return location.hash === '#v=1&mp=5'").await;
    page.run(&press("y", false)).await;
    page.until("done again", "return location.hash === '#v=1&mp=6'").await;
    page.close().await;
}

#[tokio::test]
async fn a_link_whose_result_changed_says_so() {
    let page = Page::open(1280, 800).await;
    for (link, differs) in [
        ("#v=1&mp=4&h=00000000", true),
        ("#v=1&view=pool&n=9000&at=2000&h=cb1585c0", false),
        ("#v=1&view=pool&at=2000&h=cb1585c1", true),
    ] {
        page.client.goto("about:blank").await.unwrap();
        page.go(link).await;
        if differs {
            page.until(
                "it is told",
                "return document.querySelector('.toast')?.textContent.includes('another result') === true",
            )
            .await;
        } else {
            page.wait("[data-sums]").await;
            tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
            assert_eq!(page.run("return document.querySelector('.toast')").await, Value::Null);
        }
    }
    page.enter("#p-seed", "7").await;
    page.until(
        "another scenario has another result",
        "return location.hash.includes('seed=7') && !location.hash.includes('h=')",
    )
    .await;
    page.close().await;
}

/// A table of classes as a reader would paste it.
const CLASSES: &str =
    " class  size  10%  99%  100%  obj_allocated   obj_used pages_used pages_per_zspage freeable
    36   592    1    2     3             54         45          8                4        1
   254  4096    0    0     9              9          9          9                1        0
";

/// Presses everything that saves a file in the share dialog, and waits until all are there: name, type, size and content.
async fn taken(page: &Page) -> Vec<(String, String, u64, String)> {
    // What would be saved is kept here instead.
    page.run(
        "window.saved = {};
         const url = URL.createObjectURL; const blobs = new Map();
         URL.createObjectURL = (blob) => { const made = url.call(URL, blob); blobs.set(made, blob); return made; };
         HTMLAnchorElement.prototype.click = function () {
             const blob = blobs.get(this.href);
             blob.text().then((text) => saved[this.download] = [blob.type, blob.size, blob.type.startsWith('image/png') ? '' : text]);
         };",
    )
    .await;
    page.click("[data-share]").await;
    page.wait(".share-files button").await;
    page.run(
        "window.pressed = [...document.querySelectorAll('.share-files button')].filter((one) => one.textContent !== 'Copy for mail');
         pressed.forEach((button) => button.click());",
    )
    .await;
    page.until("all are there", "return Object.keys(saved).length === pressed.length").await;
    let saved = page.run("return Object.entries(saved).map(([name, file]) => [name, ...file])").await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let file = |file: &Value| (text(&file[0]), text(&file[1]), file[2].as_u64().unwrap(), text(&file[3]));
    saved.as_array().unwrap().iter().map(file).collect()
}

#[tokio::test]
async fn everything_that_is_offered_can_be_taken_away() {
    let page = Page::open(1280, 800).await;
    // A view, files that it must give among others, and whether its result has a digest.
    for (link, names, has_digest) in [
        (
            "#v=1&also=4",
            "plot.svg zspage-2x.png classes.csv classes-kernel.txt figure.html constants.json by-size.csv why-",
            true,
        ),
        ("#v=1&a=zblock", "block.svg types.json figure.html the-look-up.csv", true),
        ("#v=1&a=slub", "orders.svg slab-1x.png caches.txt figure.html calculate-order.csv", true),
        (
            "#v=1&view=pool&n=500&at=300",
            "over-time.svg followed.svg places.csv series.json scenario.trace map.png figure.html",
            true,
        ),
        (
            "#v=1&view=compare&n=2000&2.mp=4",
            "memory-held-over-time.svg where-the-memory-of-a side-by-side.txt -2x.png figure.html",
            false,
        ),
        ("#v=1&view=locks", "-2x.png .csv .svg figure.html", false),
        ("#v=1&view=cases&case=2008-slub-order", ".csv .json figure.html", false),
        ("#v=1&view=cases&case=2024-locks", ".csv .svg figure.html", false),
        (
            "#v=1&view=data",
            "where-the-memory-goes.svg every-setting.csv rows-of-zsmalloc-classes.txt figure.html",
            false,
        ),
    ] {
        page.client.goto("about:blank").await.unwrap();
        page.go(link).await;
        if link.ends_with("data") {
            page.enter("#paste", CLASSES).await;
            page.wait("[data-waterfall]").await;
        }
        page.until("a sentence", "return (document.querySelector('.say')?.textContent ?? '') !== ''").await;
        // A case takes its time where several browsers share a machine.
        let works = "return document.querySelector('main .document progress') !== null";
        for _ in 0..1800 {
            if page.run(works).await == json!(false) {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert_eq!(page.run(works).await, json!(false), "{link} is worked out");
        let files = taken(&page).await;
        let build = page.run("return document.documentElement.dataset.build").await;
        let build = build.as_str().unwrap();
        for wanted in names.split(' ') {
            assert!(files.iter().any(|(name, ..)| name.contains(wanted)), "{link}: no {wanted} in {files:?}");
        }
        for (name, kind, size, text) in &files {
            assert!(
                name.starts_with(&format!("slabscope-{build}-")) && *size > 100,
                "{link}: {name}, {size}"
            );
            let (_, ending) = name.rsplit_once('.').unwrap();
            let is_of = match ending {
                "png" => "image/png",
                "svg" => "image/svg+xml",
                "csv" => "text/csv",
                "json" => "application/json",
                "html" => "text/html",
                _ => "text/plain",
            };
            assert_eq!(kind, is_of, "{link}: {name}");
            assert!(!text.contains("<script") && !text.contains("javascript:"), "{link}: {name}");
            // A picture says it in its pixels, a program's output in the name only.
            let says = ["-exact.tsv", "-kernel.txt", "-expected.txt", "-log.txt", ".png"];
            if !says.iter().any(|end| name.ends_with(end)) {
                assert!(text.contains(build) && text.contains(&page.base), "{link}: {name}: {text}");
            }
            if ending == "html" {
                assert!(text.contains("<svg ") || link.contains("2008"), "{link}: {name}");
                assert!(
                    text.contains("<td") && !text.contains(" src=") && !text.contains("style="),
                    "{link}"
                );
            }
        }
        let shared = page.text(".share-link").await;
        assert!(shared.starts_with(&page.base) && shared.contains(&link[1..]), "{shared}");
        assert_eq!(shared.contains("&h="), has_digest, "{shared}");
        page.until(
            "it says what it did",
            "return document.querySelector('.share [role=status]').textContent.startsWith('Saved slabscope-')",
        )
        .await;
        page.until("the preview is a figure", "return document.querySelector('.share iframe').contentDocument?.querySelector('.embed-foot') != null").await;
    }
    page.close().await;
}

#[tokio::test]
async fn the_content_policy_is_in_force() {
    let page = Page::open(800, 600).await;
    for place in ["index.html", "embed.html"] {
        page.go(place).await;
        page.run("window.broken = []; document.addEventListener('securitypolicyviolation', (event) => broken.push(event.effectiveDirective));
            const picture = new Image(); picture.src = 'http://127.0.0.1:9/x.png'; document.body.append(picture);
            const script = document.createElement('script'); script.textContent = 'window.ran = true'; document.body.append(script);
            const style = document.createElement('p'); style.setAttribute('style', 'color: red'); document.body.append(style);
            fetch('http://127.0.0.1:9/').catch(() => {}); const form = document.createElement('form'); form.action = '/x'; document.body.append(form); try { form.submit(); } catch {}")
            .await;
        page.until(
            "each is stopped",
            "return ['img-src', 'script-src-elem', 'style-src-attr', 'connect-src', 'form-action'].every((one) => broken.includes(one))",
        )
        .await;
        assert_eq!(page.run("return window.ran === undefined").await, json!(true));
    }
    page.client.close().await.unwrap();
}

#[tokio::test]
async fn the_page_works_without_a_network_and_takes_a_new_version_when_asked() {
    let mut site = Site::new("offline");
    let page = Page::open(1000, 700).await;
    page.client.goto(&site.url).await.unwrap();
    page.run("localStorage.setItem('slabscope-offline', 'yes')").await;
    // In a frame, as a figure or whole, and as a figure alone, it keeps nothing.
    page.client.goto(&format!("{}embed.html", site.url)).await.unwrap();
    page.run("for (const name of ['index.html', 'embed.html']) document.body.append(Object.assign(document.createElement('iframe'), {src: name}))").await;
    page.until("they are there", "return [...document.querySelectorAll('iframe')].every(one => one.contentDocument?.querySelector('.say'))").await;
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    let link = "return document.querySelector('.embed-foot a').href.split('#')[0]";
    assert_eq!(page.run(link).await, json!(site.url), "to the whole page");
    let registered = "return navigator.serviceWorker.getRegistrations().then(all => all.length)";
    assert_eq!(page.run(registered).await, json!(0));
    page.visit(&site.url).await;
    page.until(
        "all is kept",
        "return navigator.serviceWorker.getRegistration().then((registration) => registration?.active?.state === 'activated')",
    )
    .await;
    // A new version of which the pages have not arrived is not kept.
    let kept = "return caches.keys().then((names) => names.length)";
    site.change("sw.js", |text| {
        text.replace("const BUILD = \"", "const BUILD = \"half-")
            .replace("const PAGE = \"", "const PAGE = \"2-")
    });
    page.visit(&site.url).await;
    let tried = "return navigator.serviceWorker.getRegistration().then(one => one.update()).then(() => 'taken', () => 'refused')";
    page.run(tried).await;
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    assert_eq!(page.run("return document.querySelector('.toast')").await, Value::Null);
    assert_eq!(page.run(kept).await, json!(1));
    // A new version: the page says another thing, and so the list of its files another digest.
    site.change("index.html", |text| text.replace("<title>Slabscope</title>", "<title>Slabscope 2</title>"));
    site.change("sw.js", |text| {
        text.replace("const BUILD = \"half-", "const BUILD = \"2-")
            .replace("const PAGE = \"2-", "const PAGE = \"")
    });
    page.visit(&site.url).await;
    page.until(
        "it is offered",
        "return document.querySelector('.toast')?.textContent.includes('new version') === true",
    )
    .await;
    assert_eq!(page.run("return document.title").await, "Slabscope", "until it is taken, the old one stays");
    page.click(".toast button").await;
    page.until("it is taken", "return document.title === 'Slabscope 2'").await;
    assert_eq!(page.run(kept).await, json!(1), "the old one is gone");
    site.shut_down();
    for view in ["pool&n=300&at=200", "compare&n=400&2.mp=4", "geometry"] {
        page.visit(&format!("{}#v=1&view={view}", site.url)).await;
        page.until("a sentence", "return (document.querySelector('.say strong')?.textContent ?? '') !== ''")
            .await;
    }
    page.click("[data-share]").await;
    page.wait(".share-files button").await;
    assert_eq!(page.run("return navigator.serviceWorker.controller !== null").await, json!(true));
    page.client.close().await.unwrap();
}
