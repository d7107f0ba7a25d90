//! Building the page: trunk, then what trunk does not do.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use base64::Engine as _;
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest as _, Sha256};

use crate::offline;
use crate::paths::{dist, root};
use crate::places;
use crate::process::{command, run, say};
use crate::scripts::{self, Names};
use crate::setup::{self, Need};

/// Something that is loaded in one go.
pub(crate) struct Part {
    /// What it is.
    pub(crate) name: &'static str,
    /// How the names of its files begin.
    prefixes: &'static [&'static str],
    /// Bytes after gzip, at most.
    pub(crate) limit: usize,
}

/// Everything that is limited.
const PARTS: [Part; 12] = [
    Part {
        name: "first load",
        prefixes: &["slabscope-web", "index.html", "tokens-", "frame-", "controls-", "views-", "page-"],
        limit: 300_000,
    },
    Part { name: "worker that answers", prefixes: &["slabscope-answers"], limit: 100_000 },
    Part { name: "worker that reads", prefixes: &["slabscope-reader"], limit: 100_000 },
    Part { name: "worker of the case of 2008", prefixes: &["slabscope-orders"], limit: 100_000 },
    Part { name: "worker of the case of 2015", prefixes: &["slabscope-lists"], limit: 100_000 },
    Part { name: "worker of the case of 2016", prefixes: &["slabscope-chains"], limit: 100_000 },
    Part { name: "worker of the case of 2024", prefixes: &["slabscope-contention"], limit: 100_000 },
    Part { name: "worker of the case of 2025", prefixes: &["slabscope-density"], limit: 100_000 },
    Part { name: "script for other pages", prefixes: &["embed.js"], limit: 2_000 },
    Part { name: "share dialog", prefixes: &["share-", "slabscope-exporter"], limit: 160_000 },
    Part { name: "second worker", prefixes: &["slabscope-lab"], limit: 100_000 },
    Part { name: "worker", prefixes: &["slabscope-worker"], limit: 100_000 },
];

/// What the parts take, in bytes after gzip.
pub(crate) struct Sizes(pub(crate) Vec<(Part, usize)>);

impl Sizes {
    /// Fails above a limit.
    ///
    /// # Errors
    /// A part is too large.
    pub(crate) fn check(&self) -> Result<()> {
        match self.0.iter().find(|(part, size)| *size > part.limit) {
            Some((part, size)) => {
                bail!("the {} takes {size} bytes compressed, more than {}", part.name, part.limit)
            }
            None => Ok(()),
        }
    }
}

/// Builds `dist`.
///
/// # Errors
/// A tool is missing or fails.
pub(crate) fn build() -> Result<Sizes> {
    setup::ensure(&Need::PAGE)?;
    run_trunk(&[])?;
    optimise(&dist())?;
    let names = scripts::place()?;
    offline::write_manifest()?;
    let build = format!("{}+{}", env!("CARGO_PKG_VERSION"), offline::build_id()?);
    let index = dist().join("index.html");
    let page = fs::read_to_string(&index).context("trunk wrote no index.html")?;
    let page = with_names(&with_policy(&page)?, &names, &build)?;
    fs::write(&index, &page)?;
    fs::write(dist().join("embed.html"), as_embed(&page, &names)?)?;
    offline::write_worker(&build)?;
    let sizes = measure()?;
    say(&format!("{} is ready; open it with any static server, under any path", shown(&dist())));
    Ok(sizes)
}

/// Builds a page with nothing but a word, in the way of [`build`], into a folder.
///
/// # Errors
/// A tool fails.
pub(crate) fn build_empty(folder: &Path) -> Result<()> {
    let shown = folder.to_string_lossy();
    run_trunk(&["--dist", &shown, "web/empty.html"])?;
    // Trunk names the page after its source.
    let page = folder.join("empty.html");
    if page.exists() {
        fs::rename(page, folder.join("index.html"))?;
    }
    optimise(folder)
}

fn run_trunk(more: &[&str]) -> Result<()> {
    let mut trunk = command("trunk", &[&["build", "--release", "--offline"], more].concat())?;
    // Trunk 0.21 refuses the usual value of this variable.
    trunk.env_remove("NO_COLOR");
    places::without_folders(&mut trunk);
    run(trunk)
}

/// Runs the optimiser over the module in place. Trunk could, but would fail where it is missing.
fn optimise(folder: &Path) -> Result<()> {
    minify(folder)?;
    let Some(optimiser) = setup::wasm_opt() else { return Ok(()) };
    for module in files_ending(folder, ".wasm")? {
        let name = module.to_string_lossy().into_owned();
        // Rust puts the stack first, so that nothing lives in the lowest kilobyte.
        // Names for stack traces cost a third of the module.
        // Rebuilding the control flow first and optimising twice saves another half percent.
        let arguments = [
            "--flatten",
            "--rereloop",
            "--low-memory-unused",
            "-Oz",
            "-Oz",
            "--strip-debug",
            "--strip-producers",
            &name,
            "-o",
            &name,
        ];
        run(command(&optimiser.to_string_lossy(), &arguments)?)?;
    }
    Ok(())
}

/// Takes out of trunk's scripts and style sheets what only readers of them need.
fn minify(folder: &Path) -> Result<()> {
    let Some(minifier) = setup::esbuild() else { return Ok(()) };
    for file in [files_ending(folder, ".js")?, files_ending(folder, ".css")?].concat() {
        let name = file.to_string_lossy().into_owned();
        let out = format!("--outfile={name}");
        let arguments = ["--minify", "--log-level=warning", "--allow-overwrite", &out, &name];
        run(command(&minifier.to_string_lossy(), &arguments)?)?;
    }
    Ok(())
}

/// Puts the content policy into the page. Trunk's loader is an inline script, so the policy names its
/// hash.
fn with_policy(page: &str) -> Result<String> {
    let hashes: String = inline_scripts(page)
        .map(|script| {
            let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(script));
            format!(" 'sha256-{hash}'")
        })
        .collect();
    let policy = format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{hashes}; style-src 'self'; \
         img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; font-src 'self'; \
         manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'"
    );
    let head = page.find("<head>").ok_or_else(|| anyhow!("index.html has no <head>"))? + "<head>".len();
    let (before, after) = page.split_at(head);
    Ok(format!("{before}<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">{after}"))
}

/// Contents of the scripts that stand in the page itself.
fn inline_scripts(page: &str) -> impl Iterator<Item = &str> {
    page.match_indices("<script").filter_map(|(start, _)| {
        let tag = &page[start..];
        let open_end = tag.find('>')?;
        if tag[..open_end].contains(" src=") {
            return None;
        }
        let body = &tag[open_end + 1..];
        Some(&body[..body.find("</script")?])
    })
}

/// The page with what trunk knows nothing of, and its build.
fn with_names(page: &str, names: &Names, build: &str) -> Result<String> {
    let workers = &names.workers;
    let page = with_attribute(page, &format!("data-build=\"{build}\" data-workers=\"./{workers}\""))?;
    let manifest = offline::MANIFEST;
    with_head(&page, &format!("<link rel=\"manifest\" href=\"./{manifest}\">{}", script(&names.page)))
}

/// The page for frames: the same files, marked, so that it starts as a figure, and with what speaks to the page
/// around it instead of the manifest of an app.
fn as_embed(page: &str, names: &Names) -> Result<String> {
    let manifest = format!("<link rel=\"manifest\" href=\"./{}\">", offline::MANIFEST);
    let page = with_attribute(&page.replacen(&manifest, "", 1), "data-mode=\"embed\"")?;
    with_head(&page, &script(&names.framed))
}

fn script(name: &str) -> String {
    format!("<script type=\"module\" src=\"./{name}\"></script>")
}

fn with_attribute(page: &str, attribute: &str) -> Result<String> {
    if !page.contains("<html ") {
        bail!("index.html has no <html> with a language");
    }
    Ok(page.replacen("<html ", &format!("<html {attribute} "), 1))
}

fn with_head(page: &str, more: &str) -> Result<String> {
    let end = page.find("</head>").ok_or_else(|| anyhow!("index.html has no </head>"))?;
    let (before, after) = page.split_at(end);
    Ok(format!("{before}{more}{after}"))
}

/// Sizes of what is loaded, as a table.
pub(crate) fn measure() -> Result<Sizes> {
    say(&format!("{:>10} {:>10}", "bytes", "gzip -9"));
    let mut sizes = Vec::new();
    for part in PARTS {
        let mut whole = 0;
        for ending in [".wasm", ".js", ".css", ".html"] {
            for file in files_ending(&dist(), ending)? {
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                if !part.prefixes.iter().any(|prefix| name.starts_with(prefix)) {
                    continue;
                }
                let content = fs::read(&file)?;
                let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
                encoder.write_all(&content)?;
                let size = encoder.finish()?.len();
                whole += size;
                say(&format!("{:>10} {size:>10}  {name}", content.len()));
            }
        }
        say(&format!("{:>10} {whole:>10}  {}, of at most {}", "", part.name, part.limit));
        sizes.push((part, whole));
    }
    Ok(Sizes(sizes))
}

/// Files of a built page, the workers' folder included, the guide not.
fn files_ending(folder: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    let files = offline::relative_files(folder).context("dist is missing: cargo xtask build")?;
    let wanted = |name: &String| name.ends_with(ending) && !name.starts_with("guide/");
    Ok(files.into_iter().filter(wanted).map(|name| folder.join(name)).collect())
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const PAGE: &str = "<!doctype html><html lang=\"en\"><head><script src=\"a.js\"></script><script type=\"module\">go()</script></head></html>";

    #[test]
    fn the_policy_names_the_hash_of_the_inline_script_only() {
        let page = with_policy(PAGE).unwrap();
        assert!(page.starts_with("<!doctype html><html lang=\"en\"><head><meta http-equiv="));
        assert_eq!(page.matches("sha256-").count(), 1);
        // printf 'go()' | openssl dgst -sha256 -binary | base64
        assert!(page.contains("'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw='"), "{page}");
    }

    #[test]
    fn the_embed_is_the_page_with_a_mark_and_a_script_and_no_manifest() {
        let names = Names {
            page: "page-1.js".to_owned(),
            framed: "framed-2.js".to_owned(),
            workers: "w-3/".to_owned(),
        };
        let page = with_names(PAGE, &names, "1.0.0+4").unwrap();
        assert!(
            page.starts_with("<!doctype html><html data-build=\"1.0.0+4\" data-workers=\"./w-3/\" lang"),
            "{page}"
        );
        assert!(
            page.contains("rel=\"manifest\"") && page.contains("./page-1.js") && !page.contains("framed")
        );
        let embed = as_embed(&page, &names).unwrap();
        assert!(embed.contains("data-mode=\"embed\"") && embed.contains("./framed-2.js"), "{embed}");
        assert!(!embed.contains("manifest"), "{embed}");
        assert!(as_embed("<html><head>", &names).is_err());
    }
}
