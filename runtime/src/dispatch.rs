//! Dispatches: one run of a kernel over a grid.

use std::fmt;

use crate::buffer::Buffer;
use crate::encode::Value;

/// An argument of a kernel.
pub enum Argument<'a> {
    /// A value.
    Value(&'a Value),
    /// A buffer, which the kernel may write.
    Buffer(&'a mut Buffer),
}

/// How a kernel is run.
#[derive(Clone, Copy)]
pub struct Dispatch<'a> {
    /// Points of the grid in each direction.
    pub size: [u32; 3],
    /// How many threads of the host to use; all cores if not given.
    pub threads: Option<usize>,
    /// Is told how many blocks are done, from any thread.
    pub progress: Option<&'a (dyn Fn(u64) + Sync)>,
}

impl Dispatch<'_> {
    /// A dispatch over a grid, on all cores.
    #[must_use]
    pub fn new(size: [u32; 3]) -> Self {
        Self { size, threads: None, progress: None }
    }
}

/// Why a kernel could not be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DispatchError {
    /// There are too many or too few arguments.
    ArgumentCount {
        /// How many the kernel has.
        expected: usize,
        /// How many were given.
        found: usize,
    },
    /// An argument is not of the parameter's type.
    ArgumentType {
        /// Which argument.
        index: usize,
        /// The parameter's type.
        expected: String,
    },
}

impl fmt::Display for DispatchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ArgumentCount { expected, found } => {
                write!(formatter, "the kernel has {expected} arguments, but {found} were given")
            }
            Self::ArgumentType { index, expected } => {
                write!(formatter, "argument {index} of the kernel is of type '{expected}', but another kind was given")
            }
        }
    }
}

impl std::error::Error for DispatchError {}
