//! What can be read, how to get it from a machine, and what that costs.

use slabscope_core::tell::capital;
use slabscope_formats::capture::CAPTURES;

use crate::document::{Block, Document};

/// Every format with its commands.
pub(crate) fn document() -> Document {
    let mut document = Vec::new();
    for capture in &CAPTURES {
        document.push(Block::Title(capital(capture.format.label())));
        document.push(Block::Text(format!("{}.", capture.what)));
        for command in capture.commands {
            document.push(Block::Mono(command.line.to_owned()));
            document.push(Block::Text(format!("{}.", command.cost)));
        }
    }
    document
}
