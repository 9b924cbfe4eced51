//! The interfaces that generic analyses and passes speak.
//!
//! Each is declared with [`interface!`](crate::interface!): a trait for the dialect that implements it, and a model
//! that generic code asks an operation for.

mod control_flow;
mod effects;
mod fold;
mod function;
mod syntax;

pub use control_flow::{
    BranchInterface, BranchModel, LoopInterface, LoopModel, RegionBranchInterface, RegionBranchModel, RegionPoint,
    RegionSuccessor, SuccessorOperands, SuspendPointInterface, SuspendPointModel,
};
pub use effects::{
    EffectKind, MemoryEffect, MemoryEffectsInterface, MemoryEffectsModel, is_speculatable, is_trivially_dead,
    memory_effects, would_be_dead_if_unused,
};
pub use fold::{FoldInterface, FoldModel, FoldResult};
pub use function::{CallInterface, CallModel, Callee, FunctionInterface, FunctionModel};
pub use syntax::{SyntaxInterface, SyntaxModel, VerifyInterface, VerifyModel};
