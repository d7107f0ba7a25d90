//! Where an export comes from, which every one of them says.

use slabscope_charts::theme::Theme;
use slabscope_lab::document::{Block, READ_FROM};

/// The link that leads back, and what made the export.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// A whole address.
    pub link: String,
    /// Version and digest of the build.
    pub build: String,
    /// Colours of drawings.
    pub theme: Theme,
    /// What the page says about the picture.
    pub caption: String,
    /// What was read, where a file of the reader's was: its name, length and digest.
    pub file: String,
}

impl Origin {
    /// `about` has a line each for the build, `light` or `dark`, the caption, and the name of a file that was read; all
    /// may be missing.
    pub fn new(link: &str, about: &str) -> Self {
        let mut lines = about.lines();
        let build = lines.next().unwrap_or_default().to_owned();
        let theme = if lines.next() == Some("dark") { Theme::Dark } else { Theme::Light };
        let mut next = || lines.next().unwrap_or_default().to_owned();
        Self { link: link.to_owned(), build, theme, caption: next(), file: next() }
    }

    /// "Slabscope 0.1.0+1f2e", the name alone where the build is not known.
    pub fn program(&self) -> String {
        if self.build.is_empty() { "Slabscope".to_owned() } else { format!("Slabscope {}", self.build) }
    }

    /// With what the documents say of the file that was read.
    pub fn read_from(mut self, shown: &[Block]) -> Self {
        let text = |block: &Block| match block {
            Block::Text(text) => {
                text.strip_prefix(READ_FROM).map(|what| what.trim_end_matches('.').to_owned())
            }
            _ => None,
        };
        if let Some(what) = shown.iter().find_map(text).filter(|_| !self.file.is_empty()) {
            self.file = format!("{}, {what}", self.file);
        }
        self
    }

    /// One line of it all, for a comment.
    pub fn line(&self) -> String {
        let line = format!("{}: {}", self.program(), self.link);
        if self.file.is_empty() { line } else { format!("{line} (read from {})", self.file) }
    }
}
