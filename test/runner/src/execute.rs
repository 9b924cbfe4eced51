//! Runs a pipeline.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Output kept for a failure's report; the rest is read and dropped.
const KEPT_OUTPUT_BYTES: u64 = 256 * 1024;

/// The status of a Rust program that panicked.
const PANIC_STATUS: i32 = 101;

/// A command ready to run.
#[derive(Debug)]
pub(crate) struct ResolvedCommand {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    /// Whether failure is what the test wants.
    pub(crate) negated: bool,
    pub(crate) redirections: Vec<ResolvedRedirection>,
}

/// Where output goes; files relative to the working folder.
#[derive(Debug)]
pub(crate) enum ResolvedRedirection {
    OutputTo(PathBuf),
    ErrorsTo(PathBuf),
    ErrorsToOutput,
}

/// Runs the commands of a pipeline at once, each reading what the one before writes.
///
/// # Errors
///
/// A report that says which command failed, and how, with the output that went nowhere else.
pub(crate) fn run_pipeline(commands: &[ResolvedCommand], folder: &Path, limit: Duration) -> Result<(), String> {
    let deadline = Instant::now() + limit;
    let (reader, capture) = io::pipe().map_err(|error| format!("no pipe: {error}"))?;
    let captured = drain(reader);
    let mut children = Vec::with_capacity(commands.len());
    let spawned = spawn_all(commands, folder, capture, &mut children);
    let mut problems = Vec::new();
    if let Err(problem) = spawned {
        problems.push(problem);
        stop(&mut children);
    }
    for (command, index) in commands.iter().zip(0..children.len()) {
        let problem = match wait_until(&mut children[index], deadline) {
            Ok(Some(status)) => judge(command, status),
            Ok(None) => {
                stop(&mut children);
                Some(format!("{} still ran after {} s and was stopped", name_of(command), limit.as_secs()))
            }
            Err(error) => Some(format!("{}: {error}", name_of(command))),
        };
        problems.extend(problem);
    }
    if problems.is_empty() {
        return Ok(());
    }
    let output = captured.recv_timeout(Duration::from_secs(2)).unwrap_or_default();
    let output = String::from_utf8_lossy(&output);
    Err(format!("{}\n{}", problems.join("\n"), output.trim_end()).trim_end().to_owned())
}

fn spawn_all(
    commands: &[ResolvedCommand],
    folder: &Path,
    capture: PipeWriter,
    children: &mut Vec<Child>,
) -> Result<(), String> {
    let mut input: Option<PipeReader> = None;
    for (index, command) in commands.iter().enumerate() {
        let stdin = input.take().map_or_else(Stdio::null, Stdio::from);
        let output = if index + 1 == commands.len() {
            capture.try_clone().map(Sink::Pipe)
        } else {
            io::pipe().map(|(reader, writer)| {
                input = Some(reader);
                Sink::Pipe(writer)
            })
        };
        let child = output
            .and_then(|output| spawn(command, folder, stdin, output, &capture))
            .map_err(|error| format!("{} does not run: {error}", name_of(command)))?;
        children.push(child);
    }
    Ok(())
}

fn spawn(
    command: &ResolvedCommand,
    folder: &Path,
    stdin: Stdio,
    output: Sink,
    capture: &PipeWriter,
) -> io::Result<Child> {
    let mut output = output;
    let mut errors = Sink::Pipe(capture.try_clone()?);
    for redirection in &command.redirections {
        match redirection {
            ResolvedRedirection::OutputTo(path) => output = Sink::File(File::create(folder.join(path))?),
            ResolvedRedirection::ErrorsTo(path) => errors = Sink::File(File::create(folder.join(path))?),
            ResolvedRedirection::ErrorsToOutput => errors = output.try_clone()?,
        }
    }
    Command::new(&command.program)
        .args(&command.arguments)
        .current_dir(folder)
        .env_remove("FILECHECK_OPTS")
        .env("NO_COLOR", "1")
        .stdin(stdin)
        .stdout(output.into_stdio())
        .stderr(errors.into_stdio())
        .spawn()
}

enum Sink {
    Pipe(PipeWriter),
    File(File),
}

impl Sink {
    fn try_clone(&self) -> io::Result<Self> {
        match self {
            Self::Pipe(pipe) => pipe.try_clone().map(Self::Pipe),
            Self::File(file) => file.try_clone().map(Self::File),
        }
    }

    fn into_stdio(self) -> Stdio {
        match self {
            Self::Pipe(pipe) => Stdio::from(pipe),
            Self::File(file) => Stdio::from(file),
        }
    }
}

/// Reads a pipe to its end on a thread of its own, so that no writer ever waits.
fn drain(mut reader: PipeReader) -> Receiver<Vec<u8>> {
    let (sender, receiver) = sync_channel(1);
    thread::spawn(move || {
        let mut kept = Vec::new();
        let complete = reader.by_ref().take(KEPT_OUTPUT_BYTES).read_to_end(&mut kept);
        if complete.is_ok() && io::copy(&mut reader, &mut io::sink()).is_ok_and(|dropped| dropped > 0) {
            kept.extend_from_slice(b"\n[the rest is left out]");
        }
        // Nobody listens after a success.
        sender.send(kept).ok();
    });
    receiver
}

/// Waits for a program to end; `None` where the deadline came first.
fn wait_until(child: &mut Child, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

fn stop(children: &mut [Child]) {
    for child in children {
        // It may have ended by itself meanwhile; either way it is gone after the wait.
        child.kill().ok();
        child.wait().ok();
    }
}

fn judge(command: &ResolvedCommand, status: ExitStatus) -> Option<String> {
    let name = name_of(command);
    match (status.code(), command.negated) {
        (Some(PANIC_STATUS), _) => Some(format!("{name} panicked (exit status {PANIC_STATUS})")),
        (Some(0), true) => Some(format!("{name} succeeded, and `not` wants it to fail")),
        (Some(0), false) | (Some(_), true) => None,
        (Some(code), false) => Some(format!("{name} failed (exit status {code})")),
        (None, _) => Some(format!("{name} was ended by signal {}", status.signal().unwrap_or_default())),
    }
}

fn name_of(command: &ResolvedCommand) -> String {
    let name = command.program.file_name().map_or_else(OsString::new, OsString::from);
    format!("`{}`", name.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(program: &str, arguments: &[&str]) -> ResolvedCommand {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        ResolvedCommand { program: PathBuf::from(program), arguments, negated: false, redirections: Vec::new() }
    }

    fn run(commands: &[ResolvedCommand], limit: Duration) -> Result<(), String> {
        run_pipeline(commands, &std::env::temp_dir(), limit)
    }

    #[test]
    fn a_program_that_hangs_is_stopped() {
        let start = Instant::now();
        let report = run(&[command("sleep", &["60"]), command("cat", &[])], Duration::from_millis(200)).unwrap_err();
        assert!(report.contains("`sleep` still ran"), "{report}");
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn output_is_kept_up_to_a_limit() {
        let report =
            run(&[command("sh", &["-c", "yes | head -c 9000000; exit 3"])], Duration::from_secs(60)).unwrap_err();
        assert!(report.starts_with("`sh` failed (exit status 3)\ny\n"), "{}", &report[..100]);
        assert!(report.ends_with("[the rest is left out]"));
        assert!((report.len() as u64) < KEPT_OUTPUT_BYTES + 200);
    }

    #[test]
    fn a_program_that_does_not_start_ends_the_others() {
        let report = run(&[command("yes", &[]), command("/does/not/exist", &[])], Duration::from_secs(60)).unwrap_err();
        assert!(report.contains("`exist` does not run"), "{report}");
    }
}
