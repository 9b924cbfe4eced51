//! Symbols: operations with names, the tables that hold them, and references to them.
//!
//! A *symbol table* is an operation with the trait `SYMBOL_TABLE`; the operations directly in its regions that have the
//! trait `SYMBOL` and a name are its symbols. A reference is looked up in the table nearest around the operation that
//! makes it, and nowhere else, as in MLIR; each further name of a nested reference in the table that the symbol before
//! is.
//!
//! * [`SymbolTables`] answers questions about all tables of a body and of those nested in it.
//! * [`SymbolTable`] is one table, kept up to date while symbols are added with names of their own.
//! * [`References`] collects what operations mention, however deep in attributes and types.
//! * [`rename_symbol`] renames a symbol with all that mentions it.
//! * [`CallGraph`] says which functions of a table call which.

mod call_graph;
mod references;
mod rename;
mod table;
mod tables;

pub use call_graph::{CallGraph, FunctionId};
pub use references::References;
pub use rename::{RenameError, rename_symbol};
pub use table::SymbolTable;
pub use tables::{DuplicateSymbol, ResolvedSymbol, SymbolTables, TableId, Unresolved};

use crate::attributes::AttributeKind;
use crate::body::{Body, OpId};
use crate::context::Context;
use crate::identifier::Identifier;
use crate::operation::{OpRef, OperationTraits};

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

/// Whether a symbol can only be referred to from within its table. One that does not say is public.
pub fn is_private(op: OpRef<'_>) -> bool {
    op.property(SYMBOL_VISIBILITY).and_then(|value| value.string_value(op.context)) == Some("private")
}

/// The operations directly in the regions of a table that are symbols, in order of the text.
fn symbols_in<'a>(context: &'a Context, body: &'a Body, table: OpId) -> impl Iterator<Item = (Identifier, OpId)> + 'a {
    let blocks = body.regions(table).iter().flat_map(|&region| body.blocks(region));
    let ops = blocks.flat_map(|block| body.ops(block));
    ops.filter_map(|op| Some((symbol_name(context, body, op)?, op)))
}
