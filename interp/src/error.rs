//! How a run may end early.

use std::fmt;

use fermata_ir::Location;

/// What went wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The program stopped itself: a failed assertion, an unreachable place, a trapping access.
    Trap(String),
    /// The program broke a promise that it made: an unchecked access out of bounds, a false assumption.
    BrokenPromise(String),
    /// The run took more steps than allowed.
    StepLimit,
    /// The module holds what the interpreter does not run.
    Unsupported(String),
    /// The call does not fit the module: no such kernel, arguments of other types.
    BadCall(String),
}

/// An error with the place where it happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InterpreterError {
    /// What went wrong.
    pub kind: ErrorKind,
    /// The operation that was executed.
    pub location: Location,
}

impl InterpreterError {
    pub(crate) fn new(kind: ErrorKind, location: Location) -> Self {
        Self { kind, location }
    }
}

impl fmt::Display for InterpreterError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::Trap(message) => write!(formatter, "the program stopped: {message}"),
            ErrorKind::BrokenPromise(message) => write!(formatter, "the program broke its promise: {message}"),
            ErrorKind::StepLimit => formatter.write_str("the run took more steps than allowed"),
            ErrorKind::Unsupported(message) | ErrorKind::BadCall(message) => formatter.write_str(message),
        }
    }
}

impl std::error::Error for InterpreterError {}
