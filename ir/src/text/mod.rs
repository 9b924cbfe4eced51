//! The textual form.

mod parser;
mod printer;

pub use parser::{ParseFailure, ParseResult, Parser};
pub use printer::Printer;
