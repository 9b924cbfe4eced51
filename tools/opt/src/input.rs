//! Reading and splitting the input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::output::describe;

/// Larger files are refused before they fill the memory: positions in source texts have 31 bits.
const LARGEST_INPUT: u64 = (1 << 31) - 4;

/// What a file holds.
pub(crate) struct Input {
    /// The name that messages show.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Input {
    /// Reads a file, or `stdin` for `-`.
    pub(crate) fn read(path: &Path, stdin: &mut dyn Read) -> Result<Self, String> {
        let fail = |error: &io::Error| format!("cannot open input file '{}': {}", path.display(), describe(error));
        let name = if path == Path::new("-") { "<stdin>".to_owned() } else { path.display().to_string() };
        let bytes = if path == Path::new("-") {
            read_limited(stdin)
        } else {
            let mut file = File::open(path).map_err(|error| fail(&error))?;
            if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
                return Err(format!("cannot open input file '{}': it is a folder", path.display()));
            }
            read_limited(&mut file)
        };
        let bytes = bytes.map_err(|error| fail(&error))?;
        Ok(Self { name, bytes })
    }
}

fn read_limited(source: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LARGEST_INPUT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_INPUT {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it holds more than 2 GiB"));
    }
    Ok(bytes)
}

/// What of a file that is not text is shown: the line with the first byte that is not UTF-8, as far as that goes.
pub(crate) struct NotText {
    /// The lines up to that byte, and some of what follows, with a replacement for what is no character.
    pub(crate) shown: String,
    /// Where the byte is in it, if something is shown.
    pub(crate) at: usize,
    /// What is wrong.
    pub(crate) message: String,
}

/// So much after a byte that is not UTF-8 is shown.
const SHOWN_AFTER: usize = 40;

/// Says where the bytes of a file stop to be text.
pub(crate) fn not_text(bytes: &[u8], at: usize) -> NotText {
    let message = format!("the file is not UTF-8 text: byte 0x{:02X} at offset {at}", bytes[at]);
    if bytes[..at].contains(&0) {
        // Nobody reads a binary file by its lines.
        return NotText { shown: String::new(), at: 0, message };
    }
    let rest = &bytes[at..bytes.len().min(at + SHOWN_AFTER)];
    let rest = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let shown = String::from_utf8_lossy(&bytes[..at]) + String::from_utf8_lossy(rest);
    NotText { shown: shown.into_owned(), at, message }
}
