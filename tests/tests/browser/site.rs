//! A copy of the built page on a server of its own, which can be changed and shut down: what a deployment does.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

// The server of `cargo xtask serve`.
#[path = "../../../crates/xtask/src/http.rs"]
mod http;

use http::Found;

/// A served copy; server and copy go when it is dropped.
pub(crate) struct Site {
    folder: PathBuf,
    server: http::Server,
    /// Its address.
    pub(crate) url: String,
}

impl Site {
    /// Serves a copy of the built page under a path, in the way of hosts that leave `index.html` and the endings of
    /// other pages out of addresses.
    pub(crate) fn new(name: &str) -> Self {
        let built = PathBuf::from(std::env::var("SLABSCOPE_DIST").expect("run by cargo xtask test journeys"));
        let folder = std::env::temp_dir().join(format!("slabscope-{name}-{}", std::process::id()));
        copy(&built, &folder);
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
        let served = folder.clone();
        let find = move |url: &str| {
            let path = url.split(['?', '#']).next()?.strip_prefix("/app/")?;
            let path = match path {
                "" => "index.html",
                "embed" => "embed.html",
                "index.html" => return Some(Found::Elsewhere("/app/".to_owned())),
                "embed.html" => return Some(Found::Elsewhere("/app/embed".to_owned())),
                path => path,
            };
            Some(Found::File(fs::read(served.join(path)).ok()?, http::media_type(path)))
        };
        let server = http::Server::start(listener, find).expect("it starts");
        let url = format!("http://127.0.0.1:{}/app/", server.port());
        Self { folder, server, url }
    }

    /// Changes a file.
    pub(crate) fn change(&self, file: &str, change: impl FnOnce(String) -> String) {
        let path = self.folder.join(file);
        let text = fs::read_to_string(&path).expect("a file of the page");
        fs::write(&path, change(text)).expect("it can be written");
    }

    /// Nobody answers any more.
    pub(crate) fn shut_down(&mut self) {
        self.server.stop();
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        // A copy that stays in the folder of temporary files does no harm.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder for temporary files");
    for entry in fs::read_dir(from).expect("the page is built") {
        let entry = entry.expect("it can be listed");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("it can be copied");
        }
    }
}
