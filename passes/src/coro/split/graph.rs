//! The graph of a split coroutine.

use std::borrow::Cow;

use fermata_coro::{Edge, Export, Graph, Node, Suspend};
use fermata_ir::attributes::DialectAttribute;
use fermata_ir::{Attribute, Body, Builder, Context, OpId, OpRef, OperationView};

use super::continuation_symbol;
use crate::coro::analysis::{CoroutineAnalysis, Transfer};
use crate::coro::color::Place;

/// Creates the graph at the builder's insertion point.
pub(crate) fn build_graph(
    builder: &mut Builder<'_>,
    coroutine: &Body,
    name: &str,
    analysis: &CoroutineAnalysis,
    places: &[Place],
    layout: Attribute,
) -> OpId {
    let context = builder.context();
    let graph = Graph::build(builder, &format!("{name}.graph"), name, layout);
    let region = builder.body().regions(graph)[0];
    let block = builder.create_block(region, &[]);
    builder.at_end(block);
    for scope in &analysis.scopes {
        let continuation = Attribute::symbol(context, &continuation_symbol(name, scope.token));
        let (live, loads) = (slots(&scope.live), slots(&scope.loads));
        Node::build(builder, scope.token, &scope.name, continuation, live, loads);
    }
    for transfer in &analysis.transfers {
        let (from, to) = (analysis.scopes[transfer.from].token, analysis.scopes[transfer.to].token);
        let stores = slots(&transfer.stores);
        let exports = exports(context, coroutine, analysis, places, transfer);
        let suspend = OpRef::new(context, coroutine, transfer.suspend);
        let extensions = suspend.property("extensions").and_then(|list| list.array_elements(context)).unwrap_or(&[]);
        builder.set_location(suspend.location());
        Edge::build(builder, from, to, stores, &exports, extensions);
    }
    graph
}

fn slots(atoms: &[u32]) -> Cow<'static, [i32]> {
    atoms.iter().map(|&atom| atom as i32).collect()
}

/// The exports of a suspension by where they are; one that is taken apart gives one entry for each atom, its name
/// followed by the indices that lead to it.
fn exports(
    context: &Context,
    coroutine: &Body,
    analysis: &CoroutineAnalysis,
    places: &[Place],
    transfer: &Transfer,
) -> Vec<Attribute> {
    let suspend = Suspend::from_ref_unchecked(OpRef::new(context, coroutine, transfer.suspend));
    let mut exports = Vec::new();
    for ((name, _), item) in suspend.named_exports().zip(&transfer.designated) {
        for atom in analysis.ranges[item].clone() {
            let (place, atom) = (places[atom as usize], &analysis.atoms[atom as usize]);
            let path: String = atom.path.iter().map(|index| format!(".{index}")).collect();
            let export = Export { name: format!("{name}{path}"), word: place.word, bit: place.bit, ty: atom.ty };
            exports.push(export.intern(context));
        }
    }
    exports
}
