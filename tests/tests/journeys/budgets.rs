//! What the page takes: seeks, frames, tasks of the main thread, memory, and time until it is ready.
//!
//! `cargo xtask bench` runs these and reads what they print; a budget is reported, not enforced, since machines
//! differ.

#![allow(clippy::print_stdout, reason = "what is printed is what was measured")]

use serde_json::Value;

use super::Page;

/// Loads of the page and of an empty one, in turn.
const LOADS: usize = 20;

/// Notes tasks of more than 50 ms from now on.
const WATCH: &str = "window.tasks = []; new PerformanceObserver(list =>
    window.tasks.push(...list.getEntries().map(task => task.duration))).observe({type: 'longtask', buffered: true});";

/// Goes to steps chosen by a fixed rule. Gives the milliseconds of each from the input event until the page told of it,
/// which is when the worker has drawn it too; those until the browser has made the frame after that, half a frame of
/// waiting for the screen included; and what the worker took.
const SEEKS: &str = "const done = arguments[arguments.length - 1], scrub = document.querySelector('.scrub');
    const frame = document.querySelector('.map-frame'), most = Number(scrub.max), told = [], framed = [], drawn = [];
    let seed = 7;
    const shown = () => document.querySelector('[data-now]').textContent.split(':')[0].replaceAll(',', '');
    const go = () => {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        const to = arguments[0] > 0 ? Number(scrub.value) + arguments[0] : 1 + seed % (most - 1), start = performance.now();
        const seen = new MutationObserver(() => {
            if (shown() !== String(to)) return;
            seen.disconnect();
            told.push(performance.now() - start);
            requestAnimationFrame(() => {
                const channel = new MessageChannel();
                channel.port1.onmessage = () => {
                    framed.push(performance.now() - start);
                    drawn.push(Number(frame.dataset.drawn));
                    told.length < 60 ? setTimeout(go, 30) : done([told, framed, drawn]);
                };
                channel.port2.postMessage(0);
            });
        });
        seen.observe(document.querySelector('.dock'), {subtree: true, characterData: true, childList: true});
        scrub.value = to;
        scrub.dispatchEvent(new InputEvent('input', {bubbles: true}));
    };
    go();";

fn percentile(values: &Value, percent: usize) -> f64 {
    let mut values: Vec<f64> = values.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    values.sort_by(f64::total_cmp);
    values[(values.len() * percent).div_ceil(100) - 1]
}

async fn recorded(page: &Page) {
    for _ in 0..1200 {
        let ready = "return document.querySelector('.scrub') !== null && Number(document.querySelector('.scrub').max) > 1
            && document.querySelector('.dock progress') === null";
        if page.run(ready).await == Value::Bool(true) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("the run was never recorded");
}

#[tokio::test]
#[ignore = "measures: cargo xtask bench"]
async fn seeks_and_steps_in_the_page() {
    // The frame is larger than the map of 1280 x 720 by what stands around it.
    let page = Page::open(1900, 1010).await;
    let (live, seek, step) = ("live", 0, 1);
    for (name, link) in [
        ("1 M operations, 100,000 live", format!("w=churn&n=1000000&{live}=100000")),
        ("10 M operations, 100,000 live", format!("w=churn&n=10000000&{live}=100000")),
        // A ramp ends with few objects: at its top there are three to four of these sizes in a zspage.
        ("some 1,000 zspages", format!("w=ramp&dist=uniform&n=13000&{live}=8200&at=8200")),
        ("some 10,000 zspages", format!("w=ramp&dist=uniform&n=150000&{live}=92000&at=92000")),
    ] {
        page.go(&format!("#v=1&view=pool&{link}")).await;
        page.run(WATCH).await;
        recorded(&page).await;
        for (kind, by) in [("seek", seek), ("step", step)] {
            let times = page.client.execute_async(SEEKS, vec![by.into()]).await.unwrap();
            let spans = page.run("return document.querySelector('.map-foot').textContent.match(/([0-9,]+) [a-z]+s[.]/)?.[1]").await;
            println!(
                "page-ms {kind}, {name} | {} | {:.2} | {:.2} | {:.2} | {:.2}",
                spans.as_str().unwrap_or("?"),
                percentile(&times[0], 50),
                percentile(&times[0], 95),
                percentile(&times[1], 95),
                percentile(&times[2], 95),
            );
        }
        let tasks = page.run("return [window.tasks.length, Math.max(0, ...window.tasks)]").await;
        println!("page-tasks {name} | {} | {:.0}", tasks[0], tasks[1].as_f64().unwrap_or(0.0));
    }
    let heap = page.run("return performance.memory.usedJSHeapSize / 1048576").await;
    println!("page-memory {:.1}", heap.as_f64().unwrap_or(0.0));
    page.client.close().await.unwrap();
}

#[tokio::test]
#[ignore = "measures: cargo xtask bench"]
async fn ready_against_an_empty_page() {
    let page = Page::open(1280, 800).await;
    let empty = std::env::var("SLABSCOPE_EMPTY").expect("run by cargo xtask bench");
    let painted = "const done = arguments[arguments.length - 1];
        const look = () => {
            const paint = performance.getEntriesByName('first-contentful-paint')[0];
            paint ? done(paint.startTime) : setTimeout(look, 5);
        };
        look();";
    let (mut ours, mut bare) = (Vec::new(), Vec::new());
    for _ in 0..LOADS {
        for (url, times) in [(&page.base, &mut ours), (&empty, &mut bare)] {
            page.client.goto("about:blank").await.unwrap();
            page.client.goto(url).await.unwrap();
            times.push(page.client.execute_async(painted, Vec::new()).await.unwrap());
        }
    }
    println!("page-ready {:.1} {:.1}", percentile(&ours.into(), 50), percentile(&bare.into(), 50));
    page.client.close().await.unwrap();
}
