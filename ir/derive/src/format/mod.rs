//! Declarative custom forms: the format string, its checks, and the static data that it becomes.
//!
//! A format is a sequence of
//!
//! | piece | stands for |
//! |---|---|
//! | `` `word` `` or `` `,` `` | itself |
//! | `$name` | an operand, property, region or successor group |
//! | `$successor($operands)` | a successor with the operands forwarded to it |
//! | `type($name)` | the types of an operand or result group |
//! | `operands` | all operands |
//! | `functional-type` | `(operand types) -> result types` |
//! | `attr-dict`, `attr-dict-with-keyword` | properties and attributes that have no place of their own |
//! | `( pieces with one $name^ )?` | the pieces if what the anchor names is there |
//!
//! A format is refused if something would not be written, if a type could not be known when it is read back, or if a
//! reader with one token of lookahead could not tell what comes next.

mod ambiguity;
mod check;
mod reader;
#[cfg(test)]
mod tests;
mod tokens;

use proc_macro2::TokenStream;
use quote::quote;
use syn::LitStr;

use crate::fields::{Fields, Place};
use crate::rules::Rule;

/// One piece of a format.
pub(crate) enum Element {
    Literal(String),
    Operand(usize),
    Property(usize),
    Region(usize),
    Successor { successor: usize, operands: Option<usize> },
    OperandTypes(usize),
    ResultTypes(usize),
    AllOperands,
    FunctionalType,
    AttributeDictionary { keyword: bool },
    Group { anchor: Place, elements: Vec<Element> },
}

/// Parses and checks a format and gives it as static data.
pub(crate) fn expand(
    format: &LitStr,
    fields: &Fields,
    rules: &[Rule],
    is_terminator: bool,
) -> syn::Result<TokenStream> {
    let elements = reader::read(format, fields)?;
    let at_format = |message: String| syn::Error::new(format.span(), message);
    check::check(&elements, fields, rules).map_err(at_format)?;
    ambiguity::check(&elements, fields, is_terminator).map_err(at_format)?;
    let elements = tokens::tokens(&elements);
    Ok(quote!(&[#(#elements),*]))
}
