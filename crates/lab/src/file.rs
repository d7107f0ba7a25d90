//! A file read piece by piece, so that progress can be told and a new task can come between.

use js_sys::Uint8Array;
use web_sys::{Blob, FileReaderSync};

/// Largest file that is read, in bytes.
const LARGEST: f64 = 100.0 * 1024.0 * 1024.0;
/// Bytes of a piece.
const PIECE: f64 = 1024.0 * 1024.0;

/// A file of which some pieces were read.
pub(crate) struct Fetch {
    blob: Blob,
    bytes: Vec<u8>,
}

impl Fetch {
    /// Of a file, with nothing read.
    pub(crate) const fn new(blob: Blob) -> Self {
        Self { blob, bytes: Vec::new() }
    }

    /// How much was read, of a thousand.
    pub(crate) fn progress(&self) -> u16 {
        (self.bytes.len() as f64 * 1000.0 / self.blob.size().max(1.0)) as u16
    }

    /// Reads the next piece; the whole content, once there is no more.
    ///
    /// # Errors
    /// The file is too large, or the browser cannot read it.
    pub(crate) fn piece(&mut self) -> Result<Option<Vec<u8>>, String> {
        let size = self.blob.size();
        if size > LARGEST {
            return Err("The file is larger than 100 MB, which is the most that is read here".to_owned());
        }
        let from = self.bytes.len() as f64;
        if from >= size {
            return Ok(Some(std::mem::take(&mut self.bytes)));
        }
        let piece = self
            .blob
            .slice_with_f64_and_f64(from, (from + PIECE).min(size))
            .and_then(|piece| FileReaderSync::new()?.read_as_array_buffer(&piece));
        match piece {
            Ok(piece) if piece.byte_length() > 0 => {
                self.bytes.extend_from_slice(&Uint8Array::new(&piece).to_vec());
                Ok(None)
            }
            _ => Err("The browser cannot read this file".to_owned()),
        }
    }
}
