//! What is done to one module.

use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::time::Instant;

use fermata_ir::expected::Expectations;
use fermata_ir::pass::{PassManager, ReproducerSettings, RunOptions};
use fermata_ir::source::{SourceFile, Span};
use fermata_ir::text::{FileMetadata, ParseOptions, Parsed, PrintOptions, parse_file};
use fermata_ir::verifier::{VerifyOptions, verify};
use fermata_ir::{Body, Diagnostic, Diagnostics};

use crate::emit::EmitFailure;
use crate::output::{describe, write_file};
use crate::pipeline::{PassSource, run_options};
use crate::roundtrip::check_roundtrip;
use crate::session::{Abort, Session};
use crate::tool::WRONG_CALL;

/// What became of one part of the input.
pub(crate) struct Outcome {
    pub(crate) output: Vec<u8>,
    pub(crate) good: bool,
}

/// The module was refused; the diagnostics say why.
struct Refused;

/// Why a part of the input has no output.
enum Stop {
    Refused,
    Abort(Abort),
}

impl From<Refused> for Stop {
    fn from(_: Refused) -> Self {
        Self::Refused
    }
}

impl From<Abort> for Stop {
    fn from(abort: Abort) -> Self {
        Self::Abort(abort)
    }
}

impl Session<'_> {
    /// Reads, runs and prints one part of the input.
    pub(crate) fn run_part(
        &mut self,
        file: &SourceFile,
        range: Range<usize>,
        source: &PassSource,
        stderr: &mut (dyn Write + Send),
    ) -> Result<Outcome, Abort> {
        let mut diagnostics = Diagnostics::new();
        let mut output = Vec::new();
        let accepted = match self.run_module(file, range.clone(), source, &mut output, &mut diagnostics, stderr) {
            Ok(()) => !diagnostics.has_errors(),
            Err(Stop::Refused) => false,
            Err(Stop::Abort(abort)) => return Err(abort),
        };
        if !accepted {
            output.clear();
        }
        if !self.arguments.input_options.verify_diagnostics {
            self.show(&diagnostics, stderr);
            return Ok(Outcome { output, good: accepted });
        }
        let mut mismatches = Diagnostics::new();
        let expectations = Expectations::read(file, range, &mut mismatches);
        mismatches.extend(expectations.check(self.context, &diagnostics));
        self.show(&mismatches, stderr);
        Ok(Outcome { output, good: !mismatches.has_errors() })
    }

    fn run_module(
        &mut self,
        file: &SourceFile,
        range: Range<usize>,
        source: &PassSource,
        output: &mut Vec<u8>,
        diagnostics: &mut Diagnostics,
        stderr: &mut (dyn Write + Send),
    ) -> Result<(), Stop> {
        let start = Instant::now();
        let options = ParseOptions { range: Some(range), ..self.parse_options() };
        let parsed = parse_file(self.context, file, &options, diagnostics);
        let parsed = parsed.filter(|parsed| self.is_valid(&parsed.body, diagnostics));
        self.times.parser += start.elapsed();
        let Parsed { mut body, metadata } = parsed.ok_or(Refused)?;

        let mut options = run_options(self.arguments, self.print_options());
        let manager = if self.arguments.input_options.run_reproducer {
            self.reproducer(file, metadata, &mut options, diagnostics)?
        } else {
            let root = body.operation_name(body.root()).as_str(self.context);
            self.manager(source, root, stderr).ok_or(Abort(WRONG_CALL))?
        };
        self.run_passes(manager, &mut body, &options, diagnostics, stderr)?;
        if diagnostics.has_errors() {
            return Err(Stop::Refused);
        }
        if self.arguments.pipeline.verify_roundtrip {
            check_roundtrip(self.context, &body, &self.parse_options(), diagnostics).ok_or(Refused)?;
        }
        let start = Instant::now();
        let emitted = self.emit(&body, output, diagnostics);
        self.times.output += start.elapsed();
        emitted.map_err(|failure| match failure {
            EmitFailure::Refused => Stop::Refused,
            EmitFailure::Output(error) => {
                self.fail(&format!("cannot write the output: {}", describe(&error)), stderr).into()
            }
        })
    }

    fn emit(&self, body: &Body, output: &mut Vec<u8>, diagnostics: &mut Diagnostics) -> Result<(), EmitFailure> {
        let mut print = self.print_options();
        // Custom forms print valid IR only, and nobody has checked.
        if !self.arguments.pipeline.verify_each && !self.is_valid(body, &mut Diagnostics::new()) {
            print.generic = true;
        }
        self.emitter.emit(self.context, body, print, output, diagnostics)
    }

    fn is_valid(&self, body: &Body, diagnostics: &mut Diagnostics) -> bool {
        let allow_unregistered = self.arguments.input_options.allow_unregistered_dialect;
        let errors = diagnostics.error_count();
        verify(self.context, body, &VerifyOptions { allow_unregistered, ..VerifyOptions::default() }, diagnostics);
        diagnostics.error_count() == errors
    }

    fn parse_options(&self) -> ParseOptions {
        let input = &self.arguments.input_options;
        ParseOptions {
            allow_unregistered: input.allow_unregistered_dialect,
            implicit_module: !input.no_implicit_module,
            max_nesting: input.max_nesting,
            max_region_nesting: input.max_region_nesting,
            max_errors: input.max_errors,
            ..ParseOptions::default()
        }
    }

    fn print_options(&self) -> PrintOptions {
        let output = &self.arguments.output;
        PrintOptions { generic: output.print_op_generic, debug_info: output.print_debuginfo }
    }

    /// The pipeline of a reproducer; its settings go to the options.
    fn reproducer(
        &self,
        file: &SourceFile,
        metadata: Option<FileMetadata>,
        options: &mut RunOptions,
        diagnostics: &mut Diagnostics,
    ) -> Result<PassManager, Refused> {
        let settings = match metadata.map_or(Ok(None), |metadata| ReproducerSettings::parse(&metadata)) {
            Ok(Some(settings)) => settings,
            Ok(None) => {
                let start = Span { start: file.start(), end: file.start() };
                let message = "the file holds no reproducer: no 'mlir_reproducer' in a section '{-# ... #-}'";
                diagnostics.report(Diagnostic::error("file-metadata", start, message));
                return Err(Refused);
            }
            Err(diagnostic) => {
                diagnostics.report(*diagnostic);
                return Err(Refused);
            }
        };
        if settings.disable_threading {
            options.threads = 1;
        }
        options.verify_each &= settings.verify_each;
        let source = self.context.sources().add("<reproducer pipeline>", settings.pipeline).map_err(|_| Refused)?;
        PassManager::parse(self.context, self.passes, source, diagnostics).ok_or(Refused)
    }

    fn run_passes(
        &mut self,
        mut manager: PassManager,
        body: &mut Body,
        options: &RunOptions,
        diagnostics: &mut Diagnostics,
        stderr: &mut (dyn Write + Send),
    ) -> Result<(), Abort> {
        let arguments = &self.arguments.pipeline;
        if arguments.dump_pass_pipeline {
            self.write_message(&format!("Pass Manager with {} passes:\n{manager}\n\n", manager.pass_count()), stderr);
        }
        if let Some(path) = &arguments.generate_reproducer {
            self.write_reproducer(path, &manager.reproducer(options).file(self.context, body), stderr)?;
        }
        if manager.is_empty() {
            return Ok(());
        }
        let report = manager.run(self.context, body, options, stderr, diagnostics);
        self.times.pipeline.merge(report.timing);
        self.statistics.merge(report.statistics);
        if let (Some(path), Some(text)) = (&arguments.crash_reproducer, report.reproducer)
            && !self.reproduced
        {
            self.write_reproducer(path, &text, stderr)?;
            self.reproduced = true;
            self.write_message(&format!("{}: note: reproducer written to '{}'\n", self.tool, path.display()), stderr);
        }
        Ok(())
    }

    fn write_reproducer(&self, path: &Path, text: &str, stderr: &mut dyn Write) -> Result<(), Abort> {
        write_file(path, text.as_bytes()).map_err(|error| {
            self.fail(&format!("cannot open output file '{}': {}", path.display(), describe(&error)), stderr)
        })
    }
}
