//! The textual form: MLIR's generic form, and custom forms.
//!
//! The parser recovers from errors and goes on, so that one run reports all independent mistakes of a file; it gives
//! a body only if there was none. The printer's generic form is byte for byte what `mlir-opt` 19 prints.

mod assembly;
mod float;
mod function;
mod lexer;
mod parameter;
mod parser;
mod printer;
mod quote;
mod stack;

pub use function::{parse_function, print_function};
pub use parameter::{Parameter, ParameterDeclaration};
pub use parser::{
    FileMetadata, ParseFailure, ParseOptions, ParseResult, Parsed, Parser, UnresolvedOperand, parse_file, parse_module,
};
pub use printer::{PrintOptions, Printer, attribute_to_string, print_module, print_to, type_to_string};
