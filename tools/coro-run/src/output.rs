//! Where buffers are written.

use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;

use fermata_runtime::{Buffer, Number};

use crate::{npy, picture};

/// Where and in which form a buffer is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// A NumPy file.
    Npy(PathBuf),
    /// A picture as large as the grid.
    Png(PathBuf),
    /// Text on standard output, a line for each element.
    Text,
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let extension = text.rsplit_once('.').map(|(_, extension)| extension);
        match (text, extension) {
            ("-", _) => Ok(Self::Text),
            (_, Some("npy")) => Ok(Self::Npy(text.into())),
            (_, Some("png")) => Ok(Self::Png(text.into())),
            _ => Err(format!("'{text}' is no output: expected a .npy file, a .png file or '-'")),
        }
    }
}

/// Writes a buffer.
pub(crate) fn write(target: &Target, name: &str, buffer: &Buffer, grid: [u32; 3]) -> Result<(), String> {
    match target {
        Target::Npy(path) => npy::write(path, buffer),
        Target::Png(path) => picture::write(path, buffer, grid[0], grid[1]),
        Target::Text => {
            let mut output = std::io::stdout().lock();
            write_text(&mut output, name, buffer).map_err(|error| format!("cannot write to standard output: {error}"))
        }
    }
}

fn write_text(output: &mut dyn Write, name: &str, buffer: &Buffer) -> std::io::Result<()> {
    writeln!(output, "{name}:")?;
    for index in 0..buffer.count() {
        let numbers = buffer.get(index).into_iter().map(|number| match number {
            Number::Integer(value) => value.to_string(),
            Number::Float(value) => value.to_string(),
        });
        writeln!(output, "{}", numbers.collect::<Vec<_>>().join(" "))?;
    }
    output.flush()
}
