//! Files are written as a whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Writes a file so that nobody sees a part of it: to a new file beside it, which then takes its name. What is not a
/// regular file, such as a pipe or a device, is written to directly.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Ok(metadata) if !metadata.is_file() => return fs::OpenOptions::new().write(true).open(path)?.write_all(bytes),
        Ok(metadata) if metadata.permissions().readonly() => {
            return Err(io::Error::from(io::ErrorKind::PermissionDenied));
        }
        _ => {}
    }
    // A link goes on to lead to the file that it led to.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    if let Ok(metadata) = fs::metadata(&target) {
        builder.permissions(metadata.permissions());
    } else {
        builder.permissions(new_file_permissions());
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// What the system says about an error, without its number and the names of files that are ours alone.
pub(crate) fn describe(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// What a new file gets, before the user's mask is applied.
#[cfg(unix)]
fn new_file_permissions() -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    fs::Permissions::from_mode(0o666)
}

#[cfg(test)]
mod tests {
    use super::write_file;
    use std::fs;

    #[test]
    fn files_are_replaced_and_devices_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        write_file(&path, b"one").unwrap();
        write_file(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
        write_file(std::path::Path::new("/dev/null"), b"three").unwrap();
        assert!(write_file(folder.path(), b"four").is_err());
        assert!(write_file(&folder.path().join("missing/out"), b"five").is_err());
    }
}
