//! Workers that stop: the page starts them again with what was asked, but not without end.

use serde_json::json;

use crate::browser::Page;

/// Opens the page and has it keep the workers that it starts.
async fn open() -> Page {
    let page = Page::open(1280, 800).await;
    page.go("").await;
    page.run(
        "window.started = [];
         window.Worker = class extends Worker {
             constructor(...how) { super(...how); window.started.push(this); }
         };",
    )
    .await;
    page
}

async fn says(page: &Page, css: &str, words: &str) {
    let script = format!("return document.querySelector({css:?})?.textContent.includes({words:?}) ?? false");
    page.until(words, &script).await;
}

#[tokio::test]
async fn a_worker_that_stops_is_started_again_with_the_same_run() {
    let page = open().await;
    page.run("location.hash = '#v=1&view=pool&n=3000&at=2000'").await;
    says(&page, "[data-now]", "2,000:").await;
    let said = page.run("return document.querySelector('.say').textContent").await;
    let before = said.as_str().unwrap();
    for restart in 1..=3 {
        page.run("window.started.at(-1).dispatchEvent(new ErrorEvent('error'))").await;
        page.until("another worker", &format!("return window.started.length === {}", restart + 1)).await;
        says(&page, ".pool-head [role='alert']", "started again").await;
        page.enter(".scrub", "700").await;
        says(&page, "[data-now]", "700:").await;
        page.enter(".scrub", "2000").await;
        says(&page, "[data-now]", "2,000:").await;
        says(&page, ".say", before).await;
    }
    page.run("window.started.at(-1).dispatchEvent(new ErrorEvent('error'))").await;
    says(&page, ".pool-head [role='alert']", "several times").await;
    page.enter("#p-n", "2500").await;
    let other_run = "return document.querySelector('[data-sums]').dataset.sums.endsWith(' 2500')";
    page.until("a change starts it with another run", other_run).await;
    assert_eq!(page.run("return window.started.length").await, json!(5));
    page.until("nothing is said of it any more", "return !document.querySelector('.pool-head [role=alert]')")
        .await;
    page.until(
        "the map has a canvas of the new worker",
        "return document.querySelector('.map-canvas').getBoundingClientRect().height > 1",
    )
    .await;
    page.close().await;
}

#[tokio::test]
async fn a_worker_that_cannot_be_loaded_is_given_up() {
    for (hash, css) in
        [("view=pool", ".pool-head [role='alert']"), ("view=compare&2.mp=4", ".trouble[role='alert']")]
    {
        let page = open().await;
        page.run("document.documentElement.dataset.workers = 'nowhere/'").await;
        page.run(&format!("location.hash = '#v=1&{hash}'")).await;
        says(&page, css, "several times").await;
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        assert_eq!(page.run("return window.started.length").await, json!(4), "once, and three times again");
        // The console names the missing files, as it should.
        page.client.clone().close().await.unwrap();
    }
}
