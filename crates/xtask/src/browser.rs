//! Browsers to test in, and their drivers as child processes.

use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;

use crate::paths::{on_path, tools};
use crate::setup::Need;

/// A browser to test in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Browser {
    /// The one that journeys are written in
    Chromium,
    /// A second one, which tests go without where it cannot be had
    Firefox,
}

impl Browser {
    /// How the command line and the journeys call it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox",
        }
    }

    /// What has to be installed for it.
    pub(crate) const fn need(self) -> Need {
        match self {
            Self::Chromium => Need::Browser,
            Self::Firefox => Need::Firefox,
        }
    }

    /// The variable that names its driver.
    pub(crate) const fn driver_variable(self) -> &'static str {
        match self {
            Self::Chromium => "CHROMEDRIVER",
            Self::Firefox => "GECKODRIVER",
        }
    }

    /// Its driver: the one of the variable, or on the path, or among the project's tools.
    pub(crate) fn driver(self) -> Option<PathBuf> {
        let name = match self {
            Self::Chromium => "chromedriver",
            Self::Firefox => "geckodriver",
        };
        let own = tools().join("bin").join(name);
        let named = std::env::var_os(self.driver_variable()).map(PathBuf::from);
        named.or_else(|| on_path(&[name])).or_else(|| own.exists().then_some(own))
    }

    /// True if the browser itself is there.
    pub(crate) fn is_installed(self) -> bool {
        let names: &[&str] = match self {
            Self::Chromium => {
                &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
            }
            Self::Firefox => &["firefox", "firefox-esr"],
        };
        on_path(names).is_some()
    }
}

/// A running driver, stopped when dropped.
pub(crate) struct Driver {
    child: Child,
    /// Where it listens.
    pub(crate) url: String,
}

/// Starts the driver of a browser on a free port and waits until it answers.
///
/// # Errors
/// There is none, or it does not start.
pub(crate) fn start(which: Browser) -> Result<Driver> {
    let program = which
        .driver()
        .ok_or_else(|| anyhow!("the driver of {} is missing: cargo xtask setup", which.name()))?;
    let port = free_port()?;
    let child = Command::new(&program)
        .arg(format!("--port={port}"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("{} cannot be started", program.display()))?;
    let driver = Driver { child, url: format!("http://127.0.0.1:{port}") };
    let deadline = Instant::now() + Duration::from_secs(60);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if Instant::now() > deadline {
            bail!("{} does not answer", program.display());
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
