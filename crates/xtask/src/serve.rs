//! Serving the built page, on this machine only.

use std::fs;
use std::net::TcpListener;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};

use crate::http::{Found, Server, media_type};
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
    let listener = (port..=port.saturating_add(TRIES))
        .find_map(|port| TcpListener::bind(("127.0.0.1", port)).ok())
        .ok_or_else(|| anyhow!("no port from {port} on is free"))?;
    let server = serving(listener, dist(), "/")?;
    say(&format!("Slabscope is at http://127.0.0.1:{}/ (stop with Ctrl+C)", server.port()));
    loop {
        std::thread::park();
    }
}

/// A server in the background, stopped when dropped.
pub(crate) struct Background {
    _server: Server,
    /// Its address, the path it serves included.
    pub(crate) url: String,
}

/// Serves a folder under a path, on a free port.
///
/// # Errors
/// No port is free.
pub(crate) fn background(folder: PathBuf, under: &'static str) -> Result<Background> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).context("no port is free")?;
    let server = serving(listener, folder, under)?;
    let url = format!("http://127.0.0.1:{}{under}", server.port());
    Ok(Background { _server: server, url })
}

fn serving(listener: TcpListener, folder: PathBuf, under: &'static str) -> Result<Server> {
    let find = move |url: &str| {
        let path = file_of(url, &folder, under)?;
        Some(Found::File(fs::read(&path).ok()?, media_type(&path.to_string_lossy())))
    };
    Server::start(listener, find).context("the server does not start")
}

/// The file that a request means; never one outside the folder.
fn file_of(url: &str, folder: &Path, under: &str) -> Option<PathBuf> {
    let path = url.split(['?', '#']).next()?.strip_prefix(under)?;
    let path =
        if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() };
    let relative = Path::new(&path);
    relative.components().all(|part| matches!(part, Component::Normal(_))).then(|| folder.join(relative))
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
