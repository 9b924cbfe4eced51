//! The interfaces that generic analyses and passes speak.
//!
//! Each is declared with [`interface!`](crate::interface!): a trait for the dialect that implements it, and a model
//! that generic code asks an operation for.

mod branch;
mod control_flow;
mod effects;
mod fold;
mod function;
mod memory_slot;
mod syntax;

pub use branch::{edit_forwarded_operands, passed_value, set_forwarded_operands, successor_operands};
pub use control_flow::{
    BranchInterface, BranchModel, LoopInterface, LoopModel, RegionBranchInterface, RegionBranchModel, RegionPoint,
    RegionSuccessor, SuccessorOperands, SuspendPointInterface, SuspendPointModel,
};
pub use effects::{
    EffectKind, MemoryEffect, MemoryEffectsInterface, MemoryEffectsModel, is_erasable_alone, is_speculatable,
    is_trivially_dead, memory_effects, only_ends_region, would_be_dead_if_unused,
};
pub use fold::{ConstantScopeInterface, ConstantScopeModel, FoldInterface, FoldModel, FoldResult, constant_value};
pub use function::{CallInterface, CallModel, Callee, FunctionInterface, FunctionModel};
pub use memory_slot::{
    DestructurableAccessInterface, DestructurableAccessModel, DestructurableAllocationInterface,
    DestructurableAllocationModel, MemorySlot, PartSlots, PromotableAccessInterface, PromotableAccessModel,
    PromotableAllocationInterface, PromotableAllocationModel, PromotedAccess, SlotAccess,
};
pub use syntax::{SyntaxInterface, SyntaxModel, VerifyInterface, VerifyModel};
