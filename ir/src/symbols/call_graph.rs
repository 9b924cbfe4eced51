//! Which functions of a symbol table call which.

use rustc_hash::FxHashMap;

use super::{is_private, symbol_name};
use crate::analysis::graph::{EdgeGraph, Node, StronglyConnectedComponents};
use crate::body::{Body, OpId};
use crate::context::Context;
use crate::identifier::Identifier;
use crate::interfaces::{CallModel, Callee, FunctionModel};
use crate::operation::OpRef;

/// A function of a [`CallGraph`], by its place in the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FunctionId(usize);

/// The functions directly in a symbol table with the calls in their bodies, as they are at one moment.
///
/// Calls through values and of functions of other tables are no edges. Made in time linear in the operations.
pub struct CallGraph {
    functions: Vec<Function>,
    by_name: FxHashMap<Identifier, FunctionId>,
    components: StronglyConnectedComponents,
}

struct Function {
    anchor: OpId,
    is_private: bool,
    calls: Vec<(OpId, FunctionId)>,
    call_count: usize,
}

impl CallGraph {
    /// The graph of the table that is the root of `table`.
    pub fn new(context: &Context, table: &Body) -> Self {
        let mut functions = Vec::new();
        let mut by_name = FxHashMap::default();
        let blocks = table.regions(table.root()).iter().flat_map(|&region| table.blocks(region));
        for anchor in blocks.flat_map(|block| table.ops(block)) {
            let Some(body) = table.nested(anchor) else { continue };
            let root = OpRef::new(context, body, body.root());
            if root.interface::<FunctionModel>().is_none() {
                continue;
            }
            if let Some(name) = symbol_name(context, body, body.root()) {
                by_name.entry(name).or_insert(FunctionId(functions.len()));
            }
            functions.push(Function { anchor, is_private: is_private(root), calls: Vec::new(), call_count: 0 });
        }
        let mut edges = Vec::new();
        for caller in 0..functions.len() {
            let body = table.nested(functions[caller].anchor).expect("a function owns a body");
            for op in body.all_ops() {
                let name = called_name(OpRef::new(context, body, op));
                if let Some(&callee) = name.and_then(|name| by_name.get(&name)) {
                    functions[caller].calls.push((op, callee));
                    functions[callee.0].call_count += 1;
                    edges.push((Node::new(caller), Node::new(callee.0)));
                }
            }
        }
        let graph = EdgeGraph::new(functions.len(), Vec::new(), &edges);
        Self { functions, by_name, components: StronglyConnectedComponents::new(&graph) }
    }

    /// The functions, callees before callers; those that call each other side by side.
    pub fn callees_first(&self) -> impl Iterator<Item = FunctionId> + '_ {
        let components = 0..self.components.count();
        components.flat_map(|component| self.components.members(component)).map(|node| FunctionId(node.index()))
    }

    /// The function of a name.
    pub fn lookup(&self, name: Identifier) -> Option<FunctionId> {
        self.by_name.get(&name).copied()
    }

    /// The operation in the table that owns the function's body.
    pub fn anchor(&self, function: FunctionId) -> OpId {
        self.functions[function.0].anchor
    }

    /// The calls in a function of functions of the table, in textual order.
    pub fn calls(&self, function: FunctionId) -> &[(OpId, FunctionId)] {
        &self.functions[function.0].calls
    }

    /// Whether only the table can refer to a function.
    pub fn is_private(&self, function: FunctionId) -> bool {
        self.functions[function.0].is_private
    }

    /// Number of calls of a function in the table.
    pub fn call_count(&self, function: FunctionId) -> usize {
        self.functions[function.0].call_count
    }

    /// Functions that call each other in a circle have the same number; callees have smaller ones than callers.
    pub fn component(&self, function: FunctionId) -> usize {
        self.components.component(Node::new(function.0))
    }

    /// Whether a function calls itself, directly or through others.
    pub fn is_recursive(&self, function: FunctionId) -> bool {
        let own = self.component(function);
        self.components.members(own).len() > 1 || self.calls(function).iter().any(|&(_, callee)| callee == function)
    }
}

fn called_name(op: OpRef<'_>) -> Option<Identifier> {
    match (op.interface::<CallModel>()?.callee)(op)? {
        Callee::Symbol(symbol) if symbol.nested.is_empty() => Some(symbol.root),
        _ => None,
    }
}
