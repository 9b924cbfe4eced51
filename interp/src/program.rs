//! The functions of a module.

use fermata_coro::{Graph, Node};
use fermata_ir::{Body, Context, OpRef};
use rustc_hash::FxHashMap;

/// What is run: functions by name, and the graphs of split coroutines.
pub(crate) struct Program<'m> {
    pub(crate) context: &'m Context,
    functions: FxHashMap<&'m str, &'m Body>,
    /// For each split coroutine, the symbol of the continuation of each token.
    graphs: FxHashMap<&'m str, FxHashMap<u32, &'m str>>,
}

impl<'m> Program<'m> {
    pub(crate) fn new(context: &'m Context, module: &'m Body) -> Self {
        let mut program = Self { context, functions: FxHashMap::default(), graphs: FxHashMap::default() };
        for op in module.all_ops() {
            if let Some(function) = module.nested(op) {
                let name = function.properties(function.root()).get(context, "sym_name");
                if let Some(name) = name.and_then(|name| name.string_value(context)) {
                    program.functions.insert(name, function);
                }
            } else if let Some(graph) = OpRef::new(context, module, op).cast::<Graph<'_>>() {
                let nodes = module.ops_inside(op).into_iter();
                let nodes = nodes.filter_map(|node| OpRef::new(context, module, node).cast::<Node<'_>>());
                let nodes = nodes.filter_map(|node| {
                    let continuation = node.continuation().symbol_value(context)?.root;
                    Some((node.token(), continuation.as_str(context)))
                });
                program.graphs.insert(graph.root(), nodes.collect());
            }
        }
        program
    }

    pub(crate) fn function(&self, name: &str) -> Option<&'m Body> {
        self.functions.get(name).copied()
    }

    /// The continuations of a split coroutine by token.
    pub(crate) fn graph(&self, coroutine: &str) -> Option<&FxHashMap<u32, &'m str>> {
        self.graphs.get(coroutine)
    }
}

/// The kind of operation that a function is.
pub(crate) fn kind<'c>(context: &'c Context, function: &Body) -> &'c str {
    function.operation_name(function.root()).as_str(context)
}

/// Types of the parameters of a function that has a body.
pub(crate) fn parameters(function: &Body) -> Vec<fermata_ir::Type> {
    let entry = function.regions(function.root()).first().and_then(|&region| function.entry_block(region));
    let arguments = entry.map_or(&[][..], |entry| function.arguments(entry));
    arguments.iter().map(|&argument| function.value_type(argument)).collect()
}
