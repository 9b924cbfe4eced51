//! `coro-split`: a coroutine becomes continuations.
//!
//! **Input.** A coroutine with a certificate that matches it and a frame layout. **Output.** One continuation for each
//! scope, the frame layout, and the graph of what follows what. The coroutine and the certificate are gone.
//!
//! **Invariant.** Whatever path execution takes, a continuation finds in the frame every atom that its node lists as
//! live, because each suspension that leads there has either stored it or left it where it was.
//!
//! **Complexity.** Linear in the sizes of the scopes. Each continuation is built apart, from the unchanged coroutine.

mod continuation;
mod frame_access;
mod graph;

use fermata_ir::{Attribute, Body, Context};

use crate::coro::analysis::{CoroutineAnalysis, Recipes};
use crate::coro::color::Place;
use continuation::Source;

pub(crate) use graph::build_graph;

/// The symbol of the continuation that starts at a token.
pub(crate) fn continuation_symbol(coroutine: &str, token: u32) -> String {
    format!("{coroutine}.{token}")
}

/// The continuations of a coroutine called `name`, one for each scope in order.
pub(crate) fn continuations(
    context: &Context,
    coroutine: &Body,
    name: &str,
    analysis: &CoroutineAnalysis,
    places: &[Place],
    layout: Attribute,
) -> Vec<Body> {
    let recipes = Recipes::new(context, coroutine);
    let transfers = analysis.transfers.iter().enumerate();
    let transfer_index = transfers.map(|(index, transfer)| ((transfer.from, transfer.suspend), index)).collect();
    let recipes = &recipes;
    let source = Source { context, coroutine, name, analysis, recipes, transfer_index, places, layout };
    let scopes = analysis.scopes.iter().enumerate();
    scopes.map(|(index, scope)| continuation::build(&source, index, &continuation_symbol(name, scope.token))).collect()
}
