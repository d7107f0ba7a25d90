//! The browser's driver as a child process.

use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};

use crate::setup;

/// A running driver, stopped when dropped.
pub(crate) struct Driver {
    child: Child,
    /// Where it listens.
    pub(crate) url: String,
}

/// Starts ChromeDriver on a free port and waits until it answers.
///
/// # Errors
/// There is none, or it does not start.
pub(crate) fn start() -> Result<Driver> {
    let program =
        setup::chromedriver().ok_or_else(|| anyhow!("ChromeDriver is missing: cargo xtask setup"))?;
    let port = free_port()?;
    let child = Command::new(&program)
        .arg(format!("--port={port}"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("ChromeDriver cannot be started")?;
    let driver = Driver { child, url: format!("http://127.0.0.1:{port}") };
    let deadline = Instant::now() + Duration::from_secs(60);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if Instant::now() > deadline {
            bail!("ChromeDriver does not answer");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(driver)
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> Result<u16> {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).context("no port is free")?;
    Ok(listener.local_addr()?.port())
}
