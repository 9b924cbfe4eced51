//! The XIR dialect: SSA on a control-flow graph, close to LLVM, with total semantics.
//!
//! * [`semantics`]: what every scalar operation computes, as functions on bits.
//! * [`layout`]: where values lie in memory.

pub mod layout;
pub mod semantics;
