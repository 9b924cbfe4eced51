//! The transformations between Fermata's dialects.
//!
//! [`register_passes`] makes them known to a tool; [`CoroPipeline`] is the whole way from coroutines to callables.

mod coro;
mod pipeline;

use fermata_ir::pass::PassRegistry;

pub use coro::{CoroAnalyze, CoroColorFrame, CoroEraseSuspends, CoroMaterialize, CoroSplit};
pub use pipeline::CoroPipeline;

/// Makes all passes of this crate known.
pub fn register_passes(registry: &mut PassRegistry) {
    registry
        .register(|| Box::new(CoroAnalyze))
        .register(|| Box::new(CoroColorFrame))
        .register(|| Box::new(CoroSplit))
        .register(|| Box::new(CoroMaterialize))
        .register(|| Box::new(CoroEraseSuspends))
        .register_pipeline(|| Box::new(CoroPipeline));
}
