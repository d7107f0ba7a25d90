//! Installing what is missing, once.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};

use crate::browser::Browser;
use crate::paths::{on_path, root, tools};
use crate::process::{cargo, command, output_of, run, say};

/// Newest trunk that the pinned Rust can build.
const TRUNK: &str = "0.21.14";

/// Release of Binaryen that understands what the pinned Rust writes; distributions have older ones.
const BINARYEN: &str = "132";

/// Release of the accessibility audit that journeys run in every view.
const AXE: &str = "4.14.1";
/// Release of esbuild, which takes blanks, comments and long names out of scripts and style sheets.
const ESBUILD: &str = "0.25.12";

/// Release of mdBook that the guide is written for.
const MDBOOK: &str = "0.5.4";

/// Release of Firefox's driver.
const GECKODRIVER: &str = "0.37.1";

/// Something a command needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// clippy and rustfmt.
    Components,
    /// The standard library for WebAssembly.
    WasmTarget,
    /// The bundler.
    Trunk,
    /// Its counterpart for the wasm-bindgen crate, and the runner of browser tests.
    WasmBindgen,
    /// The optimisers of WebAssembly and of scripts; builds go on without them, but larger.
    WasmOpt,
    /// The accessibility audit.
    Axe,
    /// A browser and its driver.
    Browser,
    /// What makes the guide.
    Book,
    /// A second browser and its driver; not every mirror has them.
    Firefox,
}

impl Need {
    /// What building and testing needs.
    pub(crate) const ALL: [Self; 8] = [
        Self::Components,
        Self::WasmTarget,
        Self::Trunk,
        Self::WasmBindgen,
        Self::WasmOpt,
        Self::Axe,
        Self::Browser,
        Self::Book,
    ];
    /// What building the page needs.
    pub(crate) const PAGE: [Self; 4] = [Self::WasmTarget, Self::Trunk, Self::WasmBindgen, Self::WasmOpt];

    fn name(self) -> &'static str {
        match self {
            Self::Components => "clippy and rustfmt",
            Self::WasmTarget => "Rust's WebAssembly target",
            Self::Trunk => "trunk",
            Self::WasmBindgen => "wasm-bindgen",
            Self::WasmOpt => "wasm-opt and esbuild",
            Self::Axe => "axe-core",
            Self::Browser => "Chromium and its driver",
            Self::Book => "mdBook",
            Self::Firefox => "Firefox and its driver",
        }
    }

    fn is_there(self) -> Result<bool> {
        Ok(match self {
            Self::Components => {
                let bin = sysroot()?.join("bin");
                bin.join("cargo-clippy").exists() && bin.join("rustfmt").exists()
            }
            Self::WasmTarget => sysroot()?.join("lib/rustlib/wasm32-unknown-unknown/lib").exists(),
            Self::Trunk => has_version("trunk", TRUNK),
            Self::WasmBindgen => {
                has_version("wasm-bindgen", &wasm_bindgen_version()?)
                    && tools().join("bin/wasm-bindgen-test-runner").exists()
            }
            Self::WasmOpt => wasm_opt().is_some() && esbuild().is_some(),
            Self::Axe => axe().exists(),
            Self::Browser => Browser::Chromium.driver().is_some() && Browser::Chromium.is_installed(),
            Self::Firefox => Browser::Firefox.driver().is_some() && Browser::Firefox.is_installed(),
            // It says "mdbook v0.5.4".
            Self::Book => has_version("mdbook", &format!("v{MDBOOK}")),
        })
    }

    fn install(self) -> Result<()> {
        match self {
            Self::Components => run(command("rustup", &["component", "add", "clippy", "rustfmt"])?),
            Self::WasmTarget => run(command("rustup", &["target", "add", "wasm32-unknown-unknown"])?),
            Self::Trunk => cargo_install("trunk", TRUNK, &["--locked"]),
            // Its own lock file names a release that not every mirror has.
            Self::WasmBindgen => cargo_install("wasm-bindgen-cli", &wasm_bindgen_version()?, &[]),
            Self::WasmOpt | Self::Axe => npm_install(),
            Self::Browser => package_install(&["chromium", "chromium-driver"]),
            Self::Firefox => {
                if !Browser::Firefox.is_installed() {
                    package_install(&["firefox-esr"])?;
                }
                if Browser::Firefox.driver().is_none() {
                    cargo_install("geckodriver", GECKODRIVER, &["--locked"])?;
                }
                Ok(())
            }
            // Without its server and its watcher, which serve.rs stands in for.
            Self::Book => cargo_install(
                "mdbook",
                MDBOOK,
                &["--locked", "--no-default-features", "--features", "search"],
            ),
        }
    }

    /// What to do when it cannot be installed from here.
    fn by_hand(self) -> String {
        match self {
            Self::Components => "rustup component add clippy rustfmt".to_owned(),
            Self::WasmTarget => "rustup target add wasm32-unknown-unknown".to_owned(),
            Self::Trunk => format!("cargo install trunk --version {TRUNK} --locked --root .tools"),
            Self::WasmBindgen => {
                "cargo install wasm-bindgen-cli --root .tools, in the version of Cargo.lock".to_owned()
            }
            Self::WasmOpt | Self::Axe => {
                format!(
                    "npm install --prefix .tools/npm binaryen@{BINARYEN} axe-core@{AXE} esbuild@{ESBUILD}"
                )
            }
            Self::Firefox => {
                "install Firefox and geckodriver, or name the driver in the variable GECKODRIVER".to_owned()
            }
            Self::Book => format!("cargo install mdbook --version {MDBOOK} --locked --root .tools"),
            Self::Browser => {
                "install Chromium and ChromeDriver, or name the driver in the variable CHROMEDRIVER"
                    .to_owned()
            }
        }
    }
}

/// Sees to it that everything is there; without the second browser things go on, and that is said.
///
/// # Errors
/// Something else cannot be installed.
pub(crate) fn all() -> Result<()> {
    ensure(&Need::ALL)?;
    if let Err(why) = ensure(&[Need::Firefox]) {
        say(&format!("setup: tests go without the second browser: {why:#}"));
    }
    Ok(())
}

/// Sees to it that everything in `needs` is there.
///
/// # Errors
/// Something cannot be installed; the error says what to do by hand.
pub(crate) fn ensure(needs: &[Need]) -> Result<()> {
    let mut missing = Vec::new();
    for &need in needs {
        if !need.is_there()? {
            missing.push(need);
        }
    }
    for (index, need) in missing.iter().enumerate() {
        say(&format!("setup {} of {}: {}", index + 1, missing.len(), need.name()));
        let start = Instant::now();
        let installed = need.install();
        let there = need.is_there()?;
        match (installed, need) {
            (Ok(()), _) if there => {
                say(&format!("setup: {} is ready after {} s", need.name(), start.elapsed().as_secs()));
            }
            (result, Need::WasmOpt) => {
                let why = result.err().map_or_else(String::new, |error| format!(" ({error:#})"));
                say(&format!(
                    "setup: no wasm-opt or no esbuild{why}; the page is built without it and is larger. By hand: {}",
                    need.by_hand()
                ));
            }
            (result, _) => {
                let why = result.err().unwrap_or_else(|| anyhow!("it is still missing"));
                bail!("{} could not be installed: {why:#}\nBy hand: {}", need.name(), need.by_hand());
            }
        }
    }
    Ok(())
}

/// The optimiser that setup installed.
pub(crate) fn wasm_opt() -> Option<PathBuf> {
    from_npm("wasm-opt")
}

/// The minifier that setup installed.
pub(crate) fn esbuild() -> Option<PathBuf> {
    from_npm("esbuild")
}

fn from_npm(name: &str) -> Option<PathBuf> {
    let path = tools().join("npm/node_modules/.bin").join(name);
    path.exists().then_some(path)
}

/// The script of the accessibility audit.
pub(crate) fn axe() -> PathBuf {
    tools().join("npm/node_modules/axe-core/axe.min.js")
}

fn sysroot() -> Result<PathBuf> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    output_of(Path::new(&rustc), &["--print", "sysroot"])
        .map(PathBuf::from)
        .ok_or_else(|| anyhow!("rustc does not say where its files are"))
}

fn has_version(tool: &str, version: &str) -> bool {
    output_of(&tools().join("bin").join(tool), &["--version"])
        .is_some_and(|said| said.split_whitespace().any(|word| word == version))
}

/// Version of the wasm-bindgen crate in `Cargo.lock`; the tool must have the same.
fn wasm_bindgen_version() -> Result<String> {
    let lock = fs::read_to_string(root().join("Cargo.lock")).context("Cargo.lock cannot be read")?;
    lock.split("[[package]]")
        .find(|package| package.contains("name = \"wasm-bindgen\"\n"))
        .and_then(|package| package.lines().find_map(|line| line.strip_prefix("version = ")))
        .map(|version| version.trim_matches('"').to_owned())
        .ok_or_else(|| anyhow!("Cargo.lock names no wasm-bindgen"))
}

/// Installs a program of ours into `.tools`. These tools run for seconds: compiling them fast matters
/// more than how fast they are.
fn cargo_install(name: &str, version: &str, more: &[&str]) -> Result<()> {
    let folder = tools();
    let root = folder.to_string_lossy();
    let build = folder.join("build");
    let build = build.to_string_lossy();
    let mut arguments =
        vec!["install", name, "--version", version, "--root", &root, "--target-dir", &build, "--force"];
    arguments.extend(more);
    let mut install = cargo(&arguments)?;
    install
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env_remove("CARGO_TARGET_DIR");
    run(install)
}

fn npm_install() -> Result<()> {
    let Some(npm) = on_path(&["npm"]) else { bail!("npm is not on the path") };
    let folder = tools().join("npm");
    fs::create_dir_all(&folder)?;
    // All at once: npm removes what it was not asked for.
    let packages = [format!("binaryen@{BINARYEN}"), format!("axe-core@{AXE}"), format!("esbuild@{ESBUILD}")];
    let prefix = folder.to_string_lossy().into_owned();
    let mut arguments = vec!["install", "--prefix", &prefix, "--no-audit", "--no-fund", "--no-save"];
    arguments.extend(packages.iter().map(String::as_str));
    run(command(&npm.to_string_lossy(), &arguments)?)
}

fn package_install(packages: &[&str]) -> Result<()> {
    if on_path(&["apt-get"]).is_none() {
        bail!("there is no apt-get here");
    }
    let is_root = output_of(Path::new("id"), &["-u"]).as_deref() == Some("0");
    let apt = |arguments: &[&str]| {
        let mut words = if is_root { vec!["apt-get"] } else { vec!["sudo", "apt-get"] };
        words.extend(arguments);
        let mut apt = command(words[0], &words[1..])?;
        apt.env("DEBIAN_FRONTEND", "noninteractive");
        run(apt)
    };
    apt(&["update", "-q"])?;
    let mut install = vec!["install", "-q", "-y", "--no-install-recommends"];
    install.extend(packages);
    apt(&install)
}
