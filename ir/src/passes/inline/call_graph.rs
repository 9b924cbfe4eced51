//! Which functions of a symbol table call which.

use rustc_hash::FxHashMap;

use crate::body::{Body, OpId};
use crate::context::Context;
use crate::identifier::Identifier;
use crate::interfaces::{CallModel, Callee, FunctionModel};
use crate::operation::OpRef;

/// A function by its place in the table.
pub(super) type FunctionIndex = usize;

/// The functions directly in a symbol table with the calls in their bodies.
pub(super) struct CallGraph {
    functions: Vec<Function>,
    /// Callees before callers.
    order: Vec<FunctionIndex>,
}

struct Function {
    anchor: OpId,
    is_private: bool,
    /// Calls of functions of the table, in textual order.
    calls: Vec<(OpId, FunctionIndex)>,
    call_count: usize,
    /// Functions that call each other in a circle have the same number.
    component: usize,
}

impl CallGraph {
    pub(super) fn new(context: &Context, table: &Body) -> Self {
        let mut functions = Vec::new();
        let mut by_name: FxHashMap<Identifier, FunctionIndex> = FxHashMap::default();
        for anchor in table.all_ops() {
            let Some(body) = table.nested(anchor) else { continue };
            let root = OpRef::new(context, body, body.root());
            if table.parent_op(anchor) != Some(table.root()) || root.interface::<FunctionModel>().is_none() {
                continue;
            }
            let text = |key: &str| root.property(key).and_then(|value| value.string_value(context));
            if let Some(name) = text("sym_name") {
                by_name.insert(context.identifier(name), functions.len());
            }
            let is_private = text("sym_visibility") == Some("private");
            functions.push(Function { anchor, is_private, calls: vec![], call_count: 0, component: usize::MAX });
        }
        for caller in 0..functions.len() {
            let body = table.nested(functions[caller].anchor).expect("a function owns a body");
            for op in body.all_ops() {
                if let Some(&callee) = called_name(OpRef::new(context, body, op)).and_then(|name| by_name.get(&name)) {
                    functions[caller].calls.push((op, callee));
                    functions[callee].call_count += 1;
                }
            }
        }
        let mut graph = Self { functions, order: Vec::new() };
        graph.find_components();
        graph
    }

    pub(super) fn callees_first(&self) -> impl Iterator<Item = FunctionIndex> + '_ {
        self.order.iter().copied()
    }

    pub(super) fn anchor(&self, function: FunctionIndex) -> OpId {
        self.functions[function].anchor
    }

    pub(super) fn calls(&self, function: FunctionIndex) -> &[(OpId, FunctionIndex)] {
        &self.functions[function].calls
    }

    pub(super) fn is_private(&self, function: FunctionIndex) -> bool {
        self.functions[function].is_private
    }

    /// Number of calls of a function in the table, as it was.
    pub(super) fn call_count(&self, function: FunctionIndex) -> usize {
        self.functions[function].call_count
    }

    pub(super) fn component(&self, function: FunctionIndex) -> usize {
        self.functions[function].component
    }

    /// Tarjan's algorithm (1972) with an explicit stack. A component is complete only after all that it calls, which
    /// gives the order as well.
    fn find_components(&mut self) {
        let count = self.functions.len();
        let mut search =
            Search { index: vec![None; count], low: vec![0; count], on_stack: vec![false; count], stack: vec![] };
        let mut next_index = 0;
        let mut components = 0;
        for start in 0..count {
            if search.index[start].is_some() {
                continue;
            }
            let mut path: Vec<(FunctionIndex, usize)> = vec![(start, 0)];
            while let Some((function, next_call)) = path.last_mut() {
                let function = *function;
                if *next_call == 0 && search.index[function].is_none() {
                    search.enter(function, next_index);
                    next_index += 1;
                }
                if let Some(&(_, callee)) = self.functions[function].calls.get(*next_call) {
                    *next_call += 1;
                    match search.index[callee] {
                        None => path.push((callee, 0)),
                        Some(index) if search.on_stack[callee] => {
                            search.low[function] = search.low[function].min(index);
                        }
                        Some(_) => {}
                    }
                    continue;
                }
                path.pop();
                if let Some(&(caller, _)) = path.last() {
                    search.low[caller] = search.low[caller].min(search.low[function]);
                }
                if Some(search.low[function]) == search.index[function] {
                    for member in search.leave(function) {
                        self.functions[member].component = components;
                        self.order.push(member);
                    }
                    components += 1;
                }
            }
        }
    }
}

struct Search {
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<FunctionIndex>,
}

impl Search {
    fn enter(&mut self, function: FunctionIndex, index: usize) {
        self.index[function] = Some(index);
        self.low[function] = index;
        self.on_stack[function] = true;
        self.stack.push(function);
    }

    /// Takes the component that `function` was the first of.
    fn leave(&mut self, function: FunctionIndex) -> Vec<FunctionIndex> {
        let start = self.stack.iter().rposition(|&member| member == function);
        let members = self.stack.split_off(start.expect("a function is on the stack until its component is complete"));
        members.iter().for_each(|&member| self.on_stack[member] = false);
        members
    }
}

fn called_name(op: OpRef<'_>) -> Option<Identifier> {
    match (op.interface::<CallModel>()?.callee)(op)? {
        Callee::Symbol(symbol) if symbol.nested.is_empty() => Some(symbol.root),
        _ => None,
    }
}
