//! What a tool can write.

use std::io::{self, Write};

use fermata_ir::text::PrintOptions;
use fermata_ir::{Body, Context, Diagnostics};

/// Nothing could be written.
#[derive(Debug)]
pub enum EmitFailure {
    /// The IR has no such form; the diagnostics say why.
    Refused,
    /// The output could not be written.
    Output(io::Error),
}

impl From<io::Error> for EmitFailure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// A form in which a tool writes a module: a value of `--emit`.
pub trait Emitter: Send + Sync {
    /// The value of `--emit`, in kebab case.
    fn name(&self) -> &'static str;

    /// What it writes, in one sentence without a full stop.
    fn description(&self) -> &'static str;

    /// Writes the module.
    ///
    /// # Errors
    /// If the module has no such form, or the output fails.
    fn emit(
        &self,
        context: &Context,
        module: &Body,
        print: PrintOptions,
        output: &mut dyn Write,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), EmitFailure>;
}

/// The IR as text.
pub(crate) struct TextEmitter;

impl Emitter for TextEmitter {
    fn name(&self) -> &'static str {
        "xir"
    }

    fn description(&self) -> &'static str {
        "The IR as text"
    }

    fn emit(
        &self,
        context: &Context,
        module: &Body,
        print: PrintOptions,
        output: &mut dyn Write,
        _diagnostics: &mut Diagnostics,
    ) -> Result<(), EmitFailure> {
        Ok(fermata_ir::text::print_to(context, module, &print, output)?)
    }
}
