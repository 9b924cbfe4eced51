//! Finds the test files.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Folders whose files are tests.
const SUITES: [&str; 2] = ["test", "examples"];

/// Folders that are not searched: the runner's own, and files that tests only read.
const EXCLUDED: [&str; 2] = ["runner", "Inputs"];

/// The workspace's folder.
pub fn repository_root() -> PathBuf {
    let manifest_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest_folder.ancestors().nth(2).unwrap_or(manifest_folder).to_owned()
}

/// Every test file of the repository, relative to its root, in order of name.
///
/// # Errors
///
/// When a folder cannot be read.
pub fn find_tests(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut pending: Vec<PathBuf> =
        SUITES.iter().map(PathBuf::from).filter(|suite| root.join(suite).is_dir()).collect();
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let name = entry.file_name();
            let path = folder.join(&name);
            if entry.file_type()?.is_dir() {
                if !EXCLUDED.iter().any(|excluded| name == *excluded) {
                    pending.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "xir" || extension == "test") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
