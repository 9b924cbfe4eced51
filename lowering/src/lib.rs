//! XIR to LLVM.
//!
//! A module of kernels and callables becomes an LLVM module for the host: optimized, compiled in memory and called, or
//! written as an object file. What an operation computes is stated in `docs/src/semantics.md`; this crate must agree with
//! it bit for bit, so nothing of LLVM's undefined behaviour is left to reach: divisors, shift amounts, indices and
//! conversions are made safe, and new memory is zero.
//!
//! * [`lower`] builds the LLVM module.
//! * [`host`] describes how host code calls a kernel.
//! * [`HostProgram`] optimizes, compiles and calls.

mod composite;
mod control;
mod elementwise;
mod function;
pub mod host;
mod intrinsic;
mod jit;
mod lower;
mod memory;
mod types;
mod values;

pub use inkwell::context::Context as LlvmContext;
pub use jit::{CompileError, HostKernel, HostProgram, OptimizationLevel, emit_llvm, emit_object};
pub use lower::lower;
