//! Optimizing, compiling and calling.

use std::fmt;

use fermata_ir::diagnostic::Diagnostics;
use fermata_ir::{Body, Context};
use inkwell::context::Context as LlvmContext;
use inkwell::execution_engine::ExecutionEngine;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{CodeModel, FileType, InitializationConfig, RelocMode, Target, TargetMachine};

use crate::host::{Block, KernelFunction};
use crate::lower::lower;

/// How much LLVM optimizes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum OptimizationLevel {
    /// Not at all.
    O0,
    /// A little.
    O1,
    /// As a rule.
    #[default]
    O2,
    /// As much as it can.
    O3,
}

impl OptimizationLevel {
    fn pipeline(self) -> &'static str {
        match self {
            // Kernels are inlined into their entry whatever the level.
            Self::O0 => "always-inline",
            Self::O1 => "default<O1>",
            Self::O2 => "default<O2>",
            Self::O3 => "default<O3>",
        }
    }

    fn code_generation(self) -> inkwell::OptimizationLevel {
        match self {
            Self::O0 => inkwell::OptimizationLevel::None,
            Self::O1 => inkwell::OptimizationLevel::Less,
            Self::O2 => inkwell::OptimizationLevel::Default,
            Self::O3 => inkwell::OptimizationLevel::Aggressive,
        }
    }
}

/// Why code could not be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompileError {
    /// The module holds what the host has no code for; it has been reported.
    Unsupported,
    /// LLVM could not do it.
    Llvm(String),
}

impl fmt::Display for CompileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported => formatter.write_str("the module holds what the host has no code for"),
            Self::Llvm(message) => write!(formatter, "LLVM: {message}"),
        }
    }
}

impl std::error::Error for CompileError {}

fn llvm_error(message: impl fmt::Display) -> CompileError {
    CompileError::Llvm(message.to_string())
}

fn host_machine(level: OptimizationLevel) -> Result<TargetMachine, CompileError> {
    Target::initialize_native(&InitializationConfig::default()).map_err(llvm_error)?;
    let triple = TargetMachine::get_default_triple();
    let target = Target::from_triple(&triple).map_err(llvm_error)?;
    let (cpu, features) = (TargetMachine::get_host_cpu_name(), TargetMachine::get_host_cpu_features());
    let machine = target.create_target_machine(
        &triple,
        &cpu.to_string_lossy(),
        &features.to_string_lossy(),
        level.code_generation(),
        RelocMode::PIC,
        CodeModel::JITDefault,
    );
    machine.ok_or_else(|| llvm_error("there is no code generator for this host"))
}

fn optimized<'l>(
    context: &Context,
    body: &Body,
    llvm: &'l LlvmContext,
    level: OptimizationLevel,
    diagnostics: &mut Diagnostics,
) -> Result<(Module<'l>, TargetMachine), CompileError> {
    let machine = host_machine(level)?;
    let module = lower(context, body, llvm, "fermata", diagnostics).ok_or(CompileError::Unsupported)?;
    module.set_triple(&machine.get_triple());
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    module.run_passes(level.pipeline(), &machine, PassBuilderOptions::create()).map_err(llvm_error)?;
    Ok((module, machine))
}

/// The text of the optimized LLVM module.
///
/// # Errors
/// If the module holds what the host has no code for, or LLVM fails.
pub fn emit_llvm(
    context: &Context,
    body: &Body,
    level: OptimizationLevel,
    diagnostics: &mut Diagnostics,
) -> Result<String, CompileError> {
    let llvm = LlvmContext::create();
    let (module, _) = optimized(context, body, &llvm, level, diagnostics)?;
    Ok(module.print_to_string().to_string())
}

/// The bytes of an object file with one function for each kernel; see [`crate::host`].
///
/// # Errors
/// If the module holds what the host has no code for, or LLVM fails.
pub fn emit_object(
    context: &Context,
    body: &Body,
    level: OptimizationLevel,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<u8>, CompileError> {
    let llvm = LlvmContext::create();
    let (module, machine) = optimized(context, body, &llvm, level, diagnostics)?;
    let buffer = machine.write_to_memory_buffer(&module, FileType::Object).map_err(llvm_error)?;
    Ok(buffer.as_slice().to_vec())
}

/// A module compiled for this process.
pub struct HostProgram<'l> {
    engine: ExecutionEngine<'l>,
}

impl<'l> HostProgram<'l> {
    /// Compiles all kernels of a module.
    ///
    /// # Errors
    /// If the module holds what the host has no code for, or LLVM fails.
    pub fn compile(
        context: &Context,
        body: &Body,
        llvm: &'l LlvmContext,
        level: OptimizationLevel,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, CompileError> {
        let (module, _) = optimized(context, body, llvm, level, diagnostics)?;
        let engine = module.create_jit_execution_engine(level.code_generation()).map_err(llvm_error)?;
        Ok(Self { engine })
    }

    /// The kernel of a name, if there is one.
    #[must_use]
    pub fn kernel(&self, name: &str) -> Option<HostKernel<'_>> {
        let address = self.engine.get_function_address(name).ok()?;
        #[allow(unsafe_code, reason = "the address is that of a function which `build_host_entry` made with this type")]
        let function = unsafe { std::mem::transmute::<usize, KernelFunction>(address) };
        Some(HostKernel { function, program: std::marker::PhantomData })
    }
}

/// A compiled kernel. It lives no longer than its program, and may be called from many threads.
#[derive(Clone, Copy)]
pub struct HostKernel<'p> {
    function: KernelFunction,
    program: std::marker::PhantomData<&'p ()>,
}

impl HostKernel<'_> {
    /// Runs all threads of one block.
    ///
    /// # Safety
    /// `arguments` must point at as many addresses as the kernel has arguments, each of what the [host interface]
    /// (crate::host) says for its type, valid until the call returns. Blocks that run at the same time may race on
    /// buffers only as far as the kernel's semantics allow.
    #[allow(unsafe_code, reason = "calls compiled code, which trusts its caller's addresses")]
    pub unsafe fn run_block(&self, arguments: &[*const u8], block: &Block) {
        // SAFETY: the caller vouches for the addresses.
        unsafe { (self.function)(arguments.as_ptr(), block) }
    }
}
