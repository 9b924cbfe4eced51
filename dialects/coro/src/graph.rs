//! The coroutine graph: which continuation follows which, and what travels in the frame.

use fermata_ir::constraints::{ArrayAttribute, DenseI32Attribute, StringAttribute, SymbolName, SymbolReference};
use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::{VerifyInterface, VerifyModel};
use fermata_ir::{OpRef, OperationView, Type, attribute_definition, operation};
use rustc_hash::FxHashSet;

use crate::token::{TOKEN_DONE, Token};

/// A value that a scheduler may read while a coroutine waits: `#coro.export<"hint", 3, 0, i32>`.
#[attribute_definition(name = "coro.export")]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Export {
    /// Name that the suspension gave it.
    pub name: String,
    /// First word in the frame.
    pub word: u32,
    /// First bit in the word.
    pub bit: u32,
    /// Type of the value.
    pub ty: Type,
}

/// The graph of a split coroutine: nodes are continuations, edges suspensions, never merged.
#[operation(
    name = "coro.graph",
    traits = [SYMBOL, SINGLE_BLOCK, NO_TERMINATOR],
    interfaces = [Verify],
    format = "$sym_name `of` $root `frame` $frame $body attr-dict-with-keyword",
)]
pub struct Graph {
    #[property]
    sym_name: SymbolName,
    #[property(optional)]
    sym_visibility: StringAttribute,
    /// Name of the coroutine.
    #[property]
    root: StringAttribute,
    /// The frame layout.
    #[property]
    frame: SymbolReference,
    #[region]
    body: AnyRegion,
}

impl VerifyInterface for Graph<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        let mut tokens = FxHashSet::default();
        let inside = op.body.ops_inside(op.id);
        for node in inside.iter().filter_map(|&id| op.at(id).cast::<Node<'_>>()) {
            if !tokens.insert(node.token()) {
                let message = format!("'coro.node' op is the second one with token {}", node.token());
                diagnostics.report(Diagnostic::error("duplicate-token", node.op().location(), message));
            }
        }
        for edge in inside.iter().filter_map(|&id| op.at(id).cast::<Edge<'_>>()) {
            for token in [edge.from(), edge.to()] {
                if !tokens.contains(&token) {
                    let message = format!("'coro.edge' op names token {token}, but no node has it");
                    diagnostics.report(Diagnostic::error("unknown-token", edge.op().location(), message));
                }
            }
        }
    }
}

/// A continuation in a graph. `live` lists the indices of the frame layout's slots that hold a value while the
/// coroutine waits for this continuation, `loads` those that the continuation reads.
#[operation(
    name = "coro.node",
    interfaces = [Verify],
    format = "$token $name $continuation `live` $live `loads` $loads attr-dict",
)]
pub struct Node {
    #[property]
    token: Token,
    /// Name of the suspension; empty for the entry.
    #[property]
    name: StringAttribute,
    #[property]
    continuation: SymbolReference,
    #[property]
    live: DenseI32Attribute,
    #[property]
    loads: DenseI32Attribute,
}

impl VerifyInterface for Node<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        let node = Node::from_ref_unchecked(op);
        if node.token() == TOKEN_DONE {
            let message = "'coro.node' op must not have the token 4294967295, which means the end";
            diagnostics.report(Diagnostic::error("reserved-token", op.location(), message));
        }
        verify_parent(op, diagnostics);
    }
}

/// A suspension in a graph: from the continuation that suspends to the one that resumes. `stores` lists the indices of
/// the slots that the first one writes on this edge.
#[operation(
    name = "coro.edge",
    interfaces = [Verify],
    format = "$from `to` $to `stores` $stores `exports` $exports `extensions` $extensions attr-dict",
)]
pub struct Edge {
    #[property]
    from: Token,
    #[property]
    to: Token,
    #[property]
    stores: DenseI32Attribute,
    /// [`Export`]s.
    #[property]
    exports: ArrayAttribute,
    /// The extensions of the suspension, in order.
    #[property]
    extensions: ArrayAttribute,
}

impl VerifyInterface for Edge<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        verify_parent(op, diagnostics);
    }
}

fn verify_parent(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
    if !op.parent().is_some_and(|parent| Graph::matches(parent)) {
        let message = format!("'{}' op must be in a 'coro.graph'", op.name_str());
        diagnostics.report(Diagnostic::error("misplaced-graph-element", op.location(), message));
    }
}
