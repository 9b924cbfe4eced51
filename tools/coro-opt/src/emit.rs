//! The forms of output that only Fermata's own tool has.

use std::io::Write;

use fermata_coro::FrameLayout;
use fermata_ir::diagnostic::Diagnostic;
use fermata_ir::text::PrintOptions;
use fermata_ir::{Body, Context, Diagnostics, OpRef};
use fermata_lowering::{CompileError, OptimizationLevel, emit_llvm, emit_object};
use fermata_opt::{EmitFailure, Emitter};

/// LLVM IR for the host.
pub(crate) struct LlvmEmitter;

impl Emitter for LlvmEmitter {
    fn name(&self) -> &'static str {
        "llvm"
    }

    fn description(&self) -> &'static str {
        "Optimized LLVM IR of the kernels, for the host"
    }

    fn emit(
        &self,
        context: &Context,
        module: &Body,
        _print: PrintOptions,
        output: &mut dyn Write,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), EmitFailure> {
        let text = emit_llvm(context, module, OptimizationLevel::O2, diagnostics);
        let text = text.map_err(|error| refuse(module, &error, diagnostics))?;
        Ok(output.write_all(text.as_bytes())?)
    }
}

/// An object file for the host.
pub(crate) struct ObjectEmitter;

impl Emitter for ObjectEmitter {
    fn name(&self) -> &'static str {
        "obj"
    }

    fn description(&self) -> &'static str {
        "An object file with a function for each kernel, for the host"
    }

    fn emit(
        &self,
        context: &Context,
        module: &Body,
        _print: PrintOptions,
        output: &mut dyn Write,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), EmitFailure> {
        let object = emit_object(context, module, OptimizationLevel::O2, diagnostics);
        let object = object.map_err(|error| refuse(module, &error, diagnostics))?;
        Ok(output.write_all(&object)?)
    }
}

/// What the module has no code for has been reported; what LLVM says has not.
fn refuse(module: &Body, error: &CompileError, diagnostics: &mut Diagnostics) -> EmitFailure {
    if let CompileError::Llvm(_) = error {
        let location = module.location(module.root());
        diagnostics.report(Diagnostic::error("llvm", location, error.to_string()));
    }
    EmitFailure::Refused
}

/// A line for each frame.
pub(crate) struct FrameReportEmitter;

impl Emitter for FrameReportEmitter {
    fn name(&self) -> &'static str {
        "frame-report"
    }

    fn description(&self) -> &'static str {
        "A line for each frame layout: its bytes and its slots"
    }

    fn emit(
        &self,
        context: &Context,
        module: &Body,
        _print: PrintOptions,
        output: &mut dyn Write,
        _diagnostics: &mut Diagnostics,
    ) -> Result<(), EmitFailure> {
        let layouts =
            module.all_ops().into_iter().filter_map(|op| OpRef::new(context, module, op).cast::<FrameLayout<'_>>());
        for layout in layouts {
            let (bytes, slots) = (u64::from(layout.words()) * 4, layout.slots().len());
            writeln!(output, "@{}: {bytes} bytes, {slots} slots", layout.sym_name())?;
        }
        Ok(())
    }
}
