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
        let worker = page.run("return document.querySelector('.map-frame').dataset.memory").await;
        println!("page-worker {}", worker.as_str().unwrap_or("?"));
    }
    let heap = page.run("return performance.memory.usedJSHeapSize / 1048576").await;
    println!("page-memory {:.1}", heap.as_f64().unwrap_or(0.0));
    page.client.close().await.unwrap();
}

/// Makes a trace of kmalloc events of 50 MB, with nothing of it in a task of the page's own.
const MAKE_FILE: &str = "
    const line = i => `  x-1 [000] .... ${i}.000001: kmalloc: call_site=__alloc_skb+0x7c/0x180 ptr=0x${(i % 90000 + 4096).toString(16)} bytes_req=${i % 4000 + 1} bytes_alloc=4096 gfp_flags=GFP_KERNEL\\n`;
    const lines = Array.from({length: 20000}, (_, i) => line(i)).join('');
    window.file = new File(Array(Math.ceil(50 * 1048576 / lines.length)).fill(lines), 'trace.txt');
    return window.file.size";

const DROP_FILE: &str = "
    const data = new DataTransfer();
    data.items.add(window.file);
    document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}))";

#[tokio::test]
#[ignore = "measures: cargo xtask bench"]
async fn a_large_file_is_read_beside_the_main_thread() {
    let page = Page::open(1280, 800).await;
    page.go("#v=1&view=data").await;
    let size = page.run(MAKE_FILE).await.as_u64().unwrap();
    assert!(size >= 50 << 20, "{size}");
    // What making it took is not counted.
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    page.run(WATCH.replace(", buffered: true", "").as_str()).await;
    page.run(DROP_FILE).await;
    page.until("progress", "return document.querySelector('progress')?.value > 0").await;
    page.until("its rows", "return document.body.innerText.includes('First 2,000 of')").await;
    page.until("all of it", "return document.querySelector('progress') === null").await;
    let tasks = page.run("return [window.tasks.length, Math.max(0, ...window.tasks)]").await;
    println!("page-tasks a dropped file of 50 MB | {} | {:.0}", tasks[0], tasks[1].as_f64().unwrap_or(0.0));
    // One that is made on purpose is seen, so that none is no mistake of the watch.
    page.run("setTimeout(() => { const end = performance.now() + 80; while (performance.now() < end); })")
        .await;
    page.until("a long task", &format!("return window.tasks.length > {}", tasks[0])).await;
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
