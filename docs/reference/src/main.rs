//! Writes the reference pages.

use std::fs;
use std::io;
use std::process::ExitCode;

use fermata_reference::{folder, pages};

fn main() -> ExitCode {
    match write() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write the pages to {}: {error}", folder().display());
            ExitCode::FAILURE
        }
    }
}

fn write() -> io::Result<()> {
    fs::create_dir_all(folder())?;
    for (name, text) in pages() {
        fs::write(folder().join(name), text)?;
    }
    Ok(())
}
