//! A static server for the built page, on this machine only.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

use anyhow::{Result, anyhow, bail};
use tiny_http::{Header, Request, Response, Server};

use crate::paths::dist;
use crate::process::say;

/// Ports tried after the one asked for.
const TRIES: u16 = 20;

/// Serves `dist` until the program is stopped.
///
/// # Errors
/// There is nothing to serve or no free port.
pub(crate) fn run(port: u16) -> Result<()> {
    if !dist().join("index.html").exists() {
        bail!("dist is empty: run cargo xtask build");
    }
    let (server, port) = (port..=port.saturating_add(TRIES))
        .find_map(|port| Some((Server::http(("127.0.0.1", port)).ok()?, port)))
        .ok_or_else(|| anyhow!("no port from {port} on is free"))?;
    say(&format!("Slabscope is at http://127.0.0.1:{port}/ (stop with Ctrl+C)"));
    for request in server.incoming_requests() {
        answer(request, &dist(), "/");
    }
    Ok(())
}

/// A server in the background, stopped when dropped.
pub(crate) struct Background {
    server: Arc<Server>,
    thread: Option<JoinHandle<()>>,
    /// Its address, the path it serves included.
    pub(crate) url: String,
}

/// Serves a folder under a path, on a free port.
///
/// # Errors
/// No port is free.
pub(crate) fn background(folder: PathBuf, under: &'static str) -> Result<Background> {
    let server = Server::http(("127.0.0.1", 0)).map_err(|error| anyhow!("no server: {error}"))?;
    let port = server.server_addr().to_ip().map(|address| address.port()).unwrap_or_default();
    let server = Arc::new(server);
    let serving = Arc::clone(&server);
    let thread = std::thread::spawn(move || {
        for request in serving.incoming_requests() {
            answer(request, &folder, under);
        }
    });
    Ok(Background { server, thread: Some(thread), url: format!("http://127.0.0.1:{port}{under}") })
}

impl Drop for Background {
    fn drop(&mut self) {
        self.server.unblock();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn answer(request: Request, folder: &Path, under: &str) {
    let found = file_of(request.url(), folder, under).and_then(|path| Some((fs::read(&path).ok()?, path)));
    // A client that went away is no concern of the server.
    let _ = match found {
        Some((content, path)) => {
            let mut response = Response::from_data(content);
            for (name, value) in [("Content-Type", media_type(&path)), ("Cache-Control", "no-cache")] {
                if let Ok(header) = Header::from_bytes(name, value) {
                    response.add_header(header);
                }
            }
            request.respond(response)
        }
        None => request.respond(Response::from_string("not here\n").with_status_code(404)),
    };
}

/// The file that a request means; never one outside the folder.
fn file_of(url: &str, folder: &Path, under: &str) -> Option<PathBuf> {
    let path = url.split(['?', '#']).next()?.strip_prefix(under)?;
    let path =
        if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() };
    let relative = Path::new(&path);
    relative.components().all(|part| matches!(part, Component::Normal(_))).then(|| folder.join(relative))
}

fn media_type(path: &Path) -> &'static str {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("json" | "webmanifest") => "application/json",
        Some("png") => "image/png",
        _ => "text/plain; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_stay_inside_the_folder() {
        let folder = Path::new("dist");
        let file = |url| file_of(url, folder, "/sub/dir/");
        assert_eq!(file("/sub/dir/"), Some(folder.join("index.html")));
        assert_eq!(file("/sub/dir/a.js?x=1"), Some(folder.join("a.js")));
        for outside in ["/", "/sub/dir/../secret", "/sub/dir//etc/passwd", "/other/a.js"] {
            assert_eq!(file(outside), None, "{outside}");
        }
    }
}
