//! The runner: makes inputs, runs a target on them, keeps what it fails on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use crate::{Corpus, Mutator, Target};

/// Stack of the thread that runs the target: that of a tool's.
const STACK_BYTES: usize = 512 << 20;

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// After so many inputs.
    pub inputs: u64,
    /// After so much time.
    pub time: Duration,
    /// So long may one input take before it counts as a hang.
    pub time_per_input: Duration,
}

/// An input that a target failed on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The input.
    pub input: Vec<u8>,
    /// What is wrong.
    pub message: String,
}

enum Event {
    Started(Vec<u8>),
    Failed(Finding),
    Ended(u64),
}

/// Runs a target on inputs made from a corpus; first on the corpus itself. Gives the number of inputs, or the first
/// finding. After a hang the thread that hangs is left behind.
///
/// # Errors
/// The first finding.
pub fn fuzz(target: Target, corpus: Corpus, seed: u64, limits: Limits) -> Result<u64, Box<Finding>> {
    let (sender, events) = channel();
    let work = move || run(target, &corpus, seed, limits, &sender);
    let worker = std::thread::Builder::new().name(target.name.to_owned()).stack_size(STACK_BYTES);
    let finding =
        |input: &[u8], message: &str| Box::new(Finding { input: input.to_vec(), message: message.to_owned() });
    if let Err(error) = worker.spawn(work) {
        return Err(finding(b"", &format!("cannot start a thread: {error}")));
    }
    let mut current = Vec::new();
    loop {
        match events.recv_timeout(limits.time_per_input) {
            Ok(Event::Started(input)) => current = input,
            Ok(Event::Failed(finding)) => return Err(Box::new(finding)),
            Ok(Event::Ended(count)) => return Ok(count),
            Err(RecvTimeoutError::Timeout) => return Err(finding(&current, "it takes too long")),
            Err(RecvTimeoutError::Disconnected) => return Err(finding(&current, "the thread ended early")),
        }
    }
}

fn run(target: Target, corpus: &Corpus, seed: u64, limits: Limits, events: &Sender<Event>) {
    let start = Instant::now();
    let mut mutator = Mutator::new(corpus, seed);
    let mut count = 0;
    while count < limits.inputs && start.elapsed() < limits.time {
        let input = match corpus.texts.get(count as usize) {
            Some(text) => text.clone(),
            None => mutator.next_input(),
        };
        count += 1;
        // If nobody listens any more there is nothing left to do.
        if events.send(Event::Started(input.clone())).is_err() {
            return;
        }
        let verdict = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        let message = match verdict {
            Ok(Ok(())) => continue,
            Ok(Err(message)) => message,
            Err(payload) => {
                let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
                let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
                format!("panic: {}", text.unwrap_or_default())
            }
        };
        let _ = events.send(Event::Failed(Finding { input, message }));
        return;
    }
    let _ = events.send(Event::Ended(count));
}
