//! A small static server for this machine: a thread for each connection, one request for each.
//!
//! Browsers open several connections at once and keep some idle. Servers with a pool of threads may leave a request
//! waiting behind an idle one, which stops a page for ever.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// What is at an address.
pub(crate) enum Found {
    /// A content, and its media type.
    File(Vec<u8>, &'static str),
    /// Another address.
    #[allow(dead_code, reason = "only sites of journeys have some")]
    Elsewhere(String),
}

/// A running server; it ends when it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    stops: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Answers `GET` with what `find` gives for a path with its query.
    ///
    /// # Errors
    /// The listener has no address.
    pub(crate) fn start(
        listener: TcpListener,
        find: impl Fn(&str) -> Option<Found> + Send + Sync + 'static,
    ) -> std::io::Result<Self> {
        let address = listener.local_addr()?;
        let stops = Arc::new(AtomicBool::new(false));
        let (told, find) = (Arc::clone(&stops), Arc::new(find));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if told.load(Ordering::SeqCst) {
                    break;
                }
                let find = Arc::clone(&find);
                // A client that went away is no concern of the server.
                std::thread::spawn(move || answer(stream, &*find).ok());
            }
        });
        Ok(Self { address, stops, thread: Some(thread) })
    }

    /// Its port.
    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// Ends it: nobody answers any more.
    pub(crate) fn stop(&mut self) {
        let Some(thread) = self.thread.take() else { return };
        self.stops.store(true, Ordering::SeqCst);
        // It waits for a connection; this is the last one.
        if TcpStream::connect(self.address).is_ok() {
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

fn answer(stream: TcpStream, find: &dyn Fn(&str) -> Option<Found>) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let mut words = first.split(' ');
    let path = words.next().filter(|method| *method == "GET").and(words.next());
    let (status, content, kind) = match path.and_then(find) {
        Some(Found::File(content, kind)) => ("200 OK".to_owned(), content, kind),
        Some(Found::Elsewhere(to)) => {
            (format!("308 Permanent Redirect\r\nLocation: {to}"), Vec::new(), "text/plain")
        }
        None => ("404 Not Found".to_owned(), b"not here\n".to_vec(), "text/plain"),
    };
    let mut stream = reader.into_inner();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\nConnection: close\r\n\r\n",
        content.len()
    )?;
    stream.write_all(&content)
}

/// The media type of a file by its name.
pub(crate) fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("json" | "webmanifest") => "application/json",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        _ => "text/plain; charset=utf-8",
    }
}
