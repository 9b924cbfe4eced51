//! Runs a program and reads off what it used.

use std::process::{Command, Stdio};
use std::time::Duration;

use wait4::Wait4;

/// What one run of a program took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usage {
    /// In user mode and in the kernel, of all threads.
    pub(crate) cpu: Duration,
    /// Greatest resident memory, in bytes.
    pub(crate) peak_memory: u64,
}

/// Runs a command to its end; its errors are shown.
///
/// The kernel counts this process's own peak in the child's, since the child begins as its copy: stay small.
pub(crate) fn measure(command: &mut Command) -> Result<Usage, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
    let used = child.and_then(|mut child| child.wait4()).map_err(|error| format!("{name}: {error}"))?;
    if !used.status.success() {
        return Err(format!("{name}: {}", used.status));
    }
    Ok(Usage { cpu: used.rusage.utime + used.rusage.stime, peak_memory: used.rusage.maxrss })
}

/// The median; of an even number the lower of the middle two.
pub(crate) fn median<T: Copy + Ord>(values: impl IntoIterator<Item = T>) -> Option<T> {
    let mut values: Vec<_> = values.into_iter().collect();
    values.sort_unstable();
    values.get(values.len().saturating_sub(1) / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median([5, 1, 3]), Some(3));
        assert_eq!(median([4, 1, 3, 2]), Some(2));
        assert_eq!(median([0_u8; 0]), None);
    }

    #[test]
    fn usage_is_that_of_the_child() {
        let used =
            measure(Command::new("sh").args(["-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"])).unwrap();
        assert!(used.cpu > Duration::from_millis(1) && used.peak_memory > 100_000);
        assert!(measure(&mut Command::new("false")).is_err());
        assert!(measure(&mut Command::new("/does/not/exist")).is_err());
    }
}
