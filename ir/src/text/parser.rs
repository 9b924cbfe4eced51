//! The parser.

use std::marker::PhantomData;

/// Something could not be parsed; the diagnostic has been reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseFailure;

/// The outcome of parsing something.
pub type ParseResult<T> = Result<T, ParseFailure>;

/// Reads a text into a body.
pub struct Parser<'c, 'd> {
    marker: PhantomData<(&'c (), &'d ())>,
}
