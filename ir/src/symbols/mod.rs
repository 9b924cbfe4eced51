//! Symbols: operations with names, the tables that hold them, and references to them.
//!
//! A *symbol table* is an operation with the trait `SYMBOL_TABLE`; the operations directly in its regions that have the
//! trait `SYMBOL` and a name are its symbols. A reference is looked up in the table nearest around the operation that
//! makes it, and nowhere else, as in MLIR; each further name of a nested reference in the table that the symbol before
//! is.
//!
//! [`SymbolTables`] answers questions about all tables of a body and of those nested in it.

mod tables;

pub use tables::{DuplicateSymbol, ResolvedSymbol, SymbolTables, TableId, Unresolved};

use crate::attributes::AttributeKind;
use crate::body::{Body, OpId};
use crate::context::Context;
use crate::identifier::Identifier;
use crate::operation::OperationTraits;

/// Key of the property that holds a symbol's name.
pub const SYMBOL_NAME: &str = "sym_name";

/// Key of the property that holds a symbol's visibility.
pub const SYMBOL_VISIBILITY: &str = "sym_visibility";

/// The name of an operation, if it is a symbol that has one.
pub fn symbol_name(context: &Context, body: &Body, op: OpId) -> Option<Identifier> {
    if !body.operation_name(op).traits(context).contains(OperationTraits::SYMBOL) {
        return None;
    }
    match *body.properties(op).get(context, SYMBOL_NAME)?.kind(context) {
        AttributeKind::String { value, .. } => Some(value),
        _ => None,
    }
}
