//! The XIR dialect: SSA on a control-flow graph, close to LLVM, with total semantics.
//!
//! * [`semantics`]: what every scalar operation computes, as functions on bits.
//! * [`types`], [`layout`]: the types, and where their values lie in memory.
//! * [`ops`]: the operations, one declaration each, by family.
//! * [`constant`]: constants as bits and back.
//! * [`interfaces`]: what may be asked of the operations.
//! * [`fold`]: what is known without executing them.

pub mod attributes;
mod canonical;
pub mod constant;
pub mod constraints;
mod dialect;
mod expand;
pub mod fold;
pub mod interfaces;
pub mod layout;
pub mod ops;
pub mod semantics;
pub mod types;

pub use dialect::XirDialect;
pub use expand::expand_operations;
