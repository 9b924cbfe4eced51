//! The builtin dialect: `builtin.module`.

use crate::dialect::Dialect;
use crate::operation::{Arity, OperationDeclaration, OperationTraits, RegionDeclaration};

/// The builtin dialect; every context knows it.
pub struct BuiltinDialect;

impl Dialect for BuiltinDialect {
    fn namespace(&self) -> &'static str {
        "builtin"
    }
    fn documentation(&self) -> &'static str {
        "Modules. The builtin types and attributes are MLIR's and need no prefix."
    }
    fn operations(&self) -> &'static [&'static OperationDeclaration] {
        static OPERATIONS: &[&OperationDeclaration] = &[&MODULE];
        OPERATIONS
    }
}

static MODULE: OperationDeclaration = OperationDeclaration {
    name: "builtin.module",
    documentation: "A module: one block of operations, and the symbol table of their names.",
    traits: OperationTraits::ISOLATED_FROM_ABOVE
        .union(OperationTraits::SYMBOL_TABLE)
        .union(OperationTraits::SYMBOL)
        .union(OperationTraits::SINGLE_BLOCK)
        .union(OperationTraits::NO_TERMINATOR)
        .union(OperationTraits::GRAPH_REGION),
    operands: &[],
    results: &[],
    properties: &[],
    regions: &[RegionDeclaration { name: "body", arity: Arity::One }],
    successors: &[],
    rules: &[],
    format: None,
    interfaces: &[],
};
