//! A browser at the built page, as the journeys use it.

#![allow(dead_code, reason = "each suite of journeys uses a part")]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use fantoccini::actions::{InputSource as _, KeyAction, KeyActions, MouseActions, PointerAction};
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use serde_json::{Value, json};
use url::Url;

/// A browser at the page.
pub(crate) struct Page {
    pub(crate) client: Client,
    /// Address of the built page, its path included.
    pub(crate) base: String,
    _session: Session,
}

/// Ends a browser also after a journey that failed: Firefox's driver has one at a time.
struct Session {
    driver: String,
    id: String,
}

impl Drop for Session {
    fn drop(&mut self) {
        let address = self.driver.trim_start_matches("http://");
        let Ok(mut stream) = TcpStream::connect(address) else { return };
        let request =
            format!("DELETE /session/{} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n", self.id);
        // One that is closed already is no concern; the answer tells that it ended.
        let _ = stream.write_all(request.as_bytes()).and_then(|()| stream.read(&mut [0; 64]));
    }
}

impl Page {
    pub(crate) async fn open(width: u32, height: u32) -> Self {
        Self::open_as(width, height, false).await
    }

    /// Opens a browser of a reader who wants less motion.
    pub(crate) async fn open_still(width: u32, height: u32) -> Self {
        Self::open_as(width, height, true).await
    }

    async fn open_as(width: u32, height: u32, still: bool) -> Self {
        let driver = std::env::var("SLABSCOPE_DRIVER").expect("run by cargo xtask test journeys");
        let base = std::env::var("SLABSCOPE_PAGE").expect("run by cargo xtask test journeys");
        let capabilities =
            if is_firefox() { firefox(width, height, still) } else { chromium(width, height, still) };
        let client = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new())
            .capabilities(capabilities)
            .connect(&driver)
            .await
            .expect("the driver starts a browser");
        let id = client.session_id().await.expect("the driver answers").unwrap_or_default();
        Self { client, base, _session: Session { driver, id } }
    }

    pub(crate) async fn go(&self, path: &str) {
        self.client.goto(&format!("{}{path}", self.base)).await.unwrap();
        self.wait("main").await;
    }

    /// Opens a page of someone else's with a figure in it.
    pub(crate) async fn host(&self, hash: &str) {
        self.client.goto(&format!("{}icon-host-does-not-exist", self.base)).await.unwrap();
        self.run("document.open(); document.write('<!doctype html><title>host</title><body></body>'); document.close();")
            .await;
        let frame = format!(
            "const frame = document.createElement('iframe'); frame.width = 800; frame.height = 600;
             frame.src = '{}embed.html{hash}'; document.body.append(frame);",
            self.base
        );
        self.run(&frame).await;
    }

    pub(crate) async fn wait(&self, css: &str) -> fantoccini::elements::Element {
        let found = self.client.wait().at_most(Duration::from_secs(30)).for_element(Locator::Css(css)).await;
        found.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    pub(crate) async fn run(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.unwrap()
    }

    pub(crate) async fn text(&self, css: &str) -> String {
        self.wait(css).await.text().await.unwrap()
    }

    /// Waits until a script gives true.
    pub(crate) async fn until(&self, what: &str, script: &str) {
        for _ in 0..300 {
            if self.run(script).await == json!(true) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!(
            "never came: {what}; the page says: {}",
            self.run("return document.body.innerText.slice(0, 2000)").await
        );
    }

    pub(crate) async fn hash(&self) -> String {
        self.run("return location.hash").await.as_str().unwrap().to_owned()
    }

    pub(crate) async fn click(&self, css: &str) {
        self.wait(css).await.click().await.unwrap();
    }

    pub(crate) async fn keys(&self, keys: &[char]) {
        for &key in keys {
            let actions = KeyActions::new("keys".to_owned())
                .then(KeyAction::Down { value: key })
                .then(KeyAction::Up { value: key });
            self.client.perform_actions(actions).await.unwrap();
        }
    }

    /// Presses a key with Control.
    pub(crate) async fn press_with_control(&self, key: &str) {
        let mut actions = KeyActions::new("keys".to_owned()).then(KeyAction::Down { value: '\u{e009}' });
        for value in key.chars() {
            actions = actions.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        }
        self.client.perform_actions(actions.then(KeyAction::Up { value: '\u{e009}' })).await.unwrap();
    }

    /// Copies a text and pastes it into the page, in no field of it. Firefox lets no script make the event of a paste.
    pub(crate) async fn paste(&self, text: &str) {
        let take = "const field = document.createElement('textarea'); field.id = 'copied';
            document.body.append(field); field.value = arguments[0]; field.focus(); field.select();";
        self.client.execute(take, vec![json!(text)]).await.unwrap();
        self.press_with_control("c").await;
        self.run("document.getElementById('copied').remove()").await;
        self.press_with_control("v").await;
    }

    /// Moves the pointer to a place in an element, in CSS pixels from its upper left corner. Firefox gives pointers that
    /// a script makes no place in their element.
    pub(crate) async fn point(&self, css: &str, (x, y): (f64, f64)) {
        let corner = format!(
            "const element = document.querySelector({css:?}); element.scrollIntoView({{block: 'nearest'}});
             const box = element.getBoundingClientRect(); return [box.left, box.top];"
        );
        let corner = self.run(&corner).await;
        let at = |axis: usize, by: f64| (corner[axis].as_f64().unwrap() + by).round();
        let move_to = PointerAction::MoveTo { duration: None, x: at(0, x), y: at(1, y) };
        self.client.perform_actions(MouseActions::new("mouse".to_owned()).then(move_to)).await.unwrap();
    }

    /// Leaves the page and visits an address. To load a page again is not the same: Firefox's driver then goes around
    /// the service worker, as a reader does with Ctrl+Shift+R.
    pub(crate) async fn visit(&self, url: &str) {
        self.client.goto("about:blank").await.unwrap();
        self.client.goto(url).await.unwrap();
    }

    /// Types a number as a reader would: the value changes and the field is left.
    pub(crate) async fn enter(&self, css: &str, value: &str) {
        self.wait(css).await;
        let set = format!(
            "const field = document.querySelector({css:?}); field.value = {value:?};
             field.dispatchEvent(new Event('input', {{bubbles: true}}));
             field.dispatchEvent(new Event('change', {{bubbles: true}}));"
        );
        self.run(&set).await;
    }

    /// Closes the browser after a look at its console.
    pub(crate) async fn close(self) {
        let log = console(&self.client).await;
        assert!(log.is_empty(), "the console is not empty: {log:#?}");
        self.client.close().await.unwrap();
    }
}

/// True if the journeys run in the second browser, which has no console to ask for.
pub(crate) fn is_firefox() -> bool {
    std::env::var("SLABSCOPE_BROWSER").is_ok_and(|name| name == "firefox")
}

fn chromium(width: u32, height: u32, still: bool) -> serde_json::Map<String, Value> {
    let mut arguments = vec![
        "--headless=new".to_owned(),
        "--no-sandbox".to_owned(),
        "--disable-dev-shm-usage".to_owned(),
        "--no-first-run".to_owned(),
        "--disable-background-networking".to_owned(),
        format!("--window-size={width},{height}"),
    ];
    if still {
        arguments.push("--force-prefers-reduced-motion".to_owned());
    }
    let mut capabilities = serde_json::Map::new();
    capabilities.insert("goog:chromeOptions".to_owned(), json!({ "args": arguments }));
    capabilities.insert("goog:loggingPrefs".to_owned(), json!({ "browser": "ALL" }));
    capabilities
}

fn firefox(width: u32, height: u32, still: bool) -> serde_json::Map<String, Value> {
    let arguments = ["-headless".to_owned(), format!("--width={width}"), format!("--height={height}")];
    let preferences = json!({ "ui.prefersReducedMotion": i32::from(still) });
    let mut capabilities = serde_json::Map::new();
    capabilities.insert("moz:firefoxOptions".to_owned(), json!({ "args": arguments, "prefs": preferences }));
    capabilities
}

/// Asks for what the browser logged since it was asked last, a command that only ChromeDriver has.
#[derive(Debug)]
struct BrowserLog;

impl WebDriverCompatibleCommand for BrowserLog {
    fn endpoint(&self, base_url: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base_url.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({ "type": "browser" }).to_string()))
    }
}

/// Warnings and errors in the console.
async fn console(client: &Client) -> Vec<String> {
    if is_firefox() {
        return Vec::new();
    }
    let log = client.issue_cmd(BrowserLog).await.unwrap();
    let entries = log.as_array().cloned().unwrap_or_default();
    entries
        .iter()
        .filter(|entry| matches!(entry["level"].as_str(), Some("SEVERE" | "WARNING")))
        .map(|entry| entry["message"].as_str().unwrap_or_default().to_owned())
        // Every page without an icon file asks for one.
        .filter(|message| !message.contains("favicon"))
        .collect()
}
