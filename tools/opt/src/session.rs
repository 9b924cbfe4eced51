//! One run of the tool.

use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use fermata_ir::expected::split_input;
use fermata_ir::nearest::nearest;
use fermata_ir::pass::{PassManager, PassRegistry, Statistics, Timing};
use fermata_ir::render::{RenderOptions, render};
use fermata_ir::source::{SourceFile, Span};
use fermata_ir::{Context, Diagnostic, Diagnostics};

use crate::arguments::Arguments;
use crate::emit::Emitter;
use crate::input::{Input, NotText, not_text};
use crate::output::{describe, write_file};
use crate::pipeline::{PassFlag, PassSource};
use crate::reports;
use crate::tool::{GOOD, WRONG_CALL, WRONG_INPUT};

/// The call was wrong, or nothing can be done; the user has been told.
pub(crate) struct Abort(pub(crate) u8);

/// What one run works with.
pub(crate) struct Session<'s> {
    pub(crate) tool: &'s str,
    pub(crate) context: &'s Context,
    pub(crate) passes: &'s PassRegistry,
    pub(crate) emitter: &'s dyn Emitter,
    pub(crate) arguments: &'s Arguments,
    flags: Vec<PassFlag>,
    pub(crate) color: bool,
    pub(crate) times: Times,
    pub(crate) statistics: Statistics,
    /// A reproducer of a failure has been written.
    pub(crate) reproduced: bool,
}

/// Where the time went, over all parts of the input.
#[derive(Default)]
pub(crate) struct Times {
    pub(crate) parser: Duration,
    pub(crate) pipeline: Timing,
    pub(crate) output: Duration,
}

impl<'s> Session<'s> {
    pub(crate) fn new(
        tool: &'s str,
        context: &'s Context,
        passes: &'s PassRegistry,
        emitter: &'s dyn Emitter,
        arguments: &'s Arguments,
        flags: Vec<PassFlag>,
        color: bool,
    ) -> Self {
        Self {
            tool,
            context,
            passes,
            emitter,
            arguments,
            flags,
            color,
            times: Times::default(),
            statistics: Statistics::default(),
            reproduced: false,
        }
    }

    pub(crate) fn run(&mut self, stdin: &mut dyn Read, stdout: &mut dyn Write, stderr: &mut (dyn Write + Send)) -> u8 {
        match self.run_to_end(stdin, stdout, stderr) {
            Ok(status) => status,
            Err(Abort(status)) => status,
        }
    }

    fn run_to_end(
        &mut self,
        stdin: &mut dyn Read,
        stdout: &mut dyn Write,
        stderr: &mut (dyn Write + Send),
    ) -> Result<u8, Abort> {
        if let Some(list) = self.list() {
            return self.write_output(Path::new("-"), list.as_bytes(), stdout, stderr).map(|()| GOOD);
        }
        let start = Instant::now();
        let source = self.pass_source(stderr)?;
        let input = Input::read(&self.arguments.input, stdin).map_err(|message| self.fail(&message, stderr))?;
        let file = self.decode(input, stderr)?;

        let mut output = Vec::new();
        let mut good = true;
        let marker = self.arguments.input_options.split_input_file.as_deref();
        for (index, range) in split_input(file.text(), marker).into_iter().enumerate() {
            if index > 0 {
                output.extend_from_slice(self.arguments.output.output_split_marker.as_bytes());
                output.push(b'\n');
            }
            let outcome = self.run_part(file, range, &source, stderr)?;
            output.extend(outcome.output);
            good &= outcome.good;
        }
        self.report(start.elapsed(), stderr);
        if good || self.arguments.input_options.split_input_file.is_some() {
            self.write_output(&self.arguments.output.output, &output, stdout, stderr)?;
        }
        Ok(if good { GOOD } else { WRONG_INPUT })
    }

    /// What the user asked to be listed instead of a run.
    fn list(&self) -> Option<String> {
        let reports = &self.arguments.reports;
        if reports.show_dialects {
            return Some(reports::dialects(self.context));
        }
        reports.list_passes.map(|format| reports::passes(self.passes, format))
    }

    /// The passes that the call names. Mistakes in them are mistakes in the call.
    fn pass_source(&mut self, stderr: &mut dyn Write) -> Result<PassSource, Abort> {
        let arguments = self.arguments;
        let printing = &arguments.printing;
        for name in printing.print_ir_before.iter().chain(&printing.print_ir_after) {
            if !name.is_empty() && !self.passes.names().any(|known| known == name) {
                let near = nearest(name, self.passes.names()).map(|near| format!("; did you mean '{near}'?"));
                let message = format!("there is no pass '{name}' to print IR at{}", near.unwrap_or_default());
                return Err(self.wrong_call(&message, stderr));
            }
        }
        let flags = std::mem::take(&mut self.flags);
        let reproducer = arguments.input_options.run_reproducer;
        let Some(pipeline) = &arguments.pipeline.pass_pipeline else {
            if reproducer && !flags.is_empty() {
                return Err(self.wrong_call("'--run-reproducer' can't be used with pass options", stderr));
            }
            let source = PassSource::Flags(flags);
            // Mistakes are found now, before anything is read.
            self.manager(&source, "builtin.module", stderr).ok_or(Abort(WRONG_CALL))?;
            return Ok(source);
        };
        if !flags.is_empty() {
            let message = "'--pass-pipeline' option can't be used with individual pass options";
            return Err(self.wrong_call(message, stderr));
        }
        if reproducer {
            return Err(self.wrong_call("'--run-reproducer' can't be used with '--pass-pipeline'", stderr));
        }
        let manager = self.parse_pipeline("<pass pipeline>", pipeline, stderr).ok_or(Abort(WRONG_CALL))?;
        Ok(PassSource::Pipeline(manager))
    }

    pub(crate) fn manager(&self, source: &PassSource, root: &str, stderr: &mut dyn Write) -> Option<PassManager> {
        let mut diagnostics = Diagnostics::new();
        let manager = source.manager(self.context, self.passes, root, &mut diagnostics);
        self.show(&diagnostics, stderr);
        manager
    }

    fn parse_pipeline(&self, name: &str, text: &str, stderr: &mut dyn Write) -> Option<PassManager> {
        let source = match self.context.sources().add(name, text) {
            Ok(source) => source,
            Err(error) => {
                self.fail(&error.to_string(), stderr);
                return None;
            }
        };
        let mut diagnostics = Diagnostics::new();
        let manager = PassManager::parse(self.context, self.passes, source, &mut diagnostics);
        self.show(&diagnostics, stderr);
        manager
    }

    /// The input as a source text. What is not UTF-8 is refused, with the place.
    fn decode(&self, input: Input, stderr: &mut dyn Write) -> Result<&'s SourceFile, Abort> {
        let context = self.context;
        let text = match String::from_utf8(input.bytes) {
            Ok(text) => text,
            Err(error) => {
                let NotText { shown, at, message } = not_text(error.as_bytes(), error.utf8_error().valid_up_to());
                let file = context.sources().add(input.name, shown);
                let file = file.map_err(|error| self.fail(&error.to_string(), stderr))?;
                let start = file.start() + at as u32;
                let end = (start + char::REPLACEMENT_CHARACTER.len_utf8() as u32)
                    .min(file.start() + file.text().len() as u32);
                let mut diagnostics = Diagnostics::new();
                diagnostics.report(Diagnostic::error("not-text", Span { start, end }, message));
                self.show(&diagnostics, stderr);
                return Err(Abort(WRONG_INPUT));
            }
        };
        context.sources().add(input.name, text).map_err(|error| self.fail(&error.to_string(), stderr))
    }

    fn report(&self, total: Duration, stderr: &mut dyn Write) {
        let reports = &self.arguments.reports;
        if reports.pass_statistics {
            let layout = reports.pass_statistics_display;
            self.write_message(&reports::statistics(&self.statistics, layout, reports.output_format), stderr);
        }
        if reports.timing {
            let mut timing = Timing::new();
            timing.add("Parser", self.times.parser);
            timing.append(self.times.pipeline.clone());
            timing.add("Output", self.times.output);
            self.write_message(&reports::timing(&timing, total, reports.timing_display, reports.output_format), stderr);
        }
    }

    /// Writes the output, or a list.
    fn write_output(
        &self,
        path: &Path,
        bytes: &[u8],
        stdout: &mut dyn Write,
        stderr: &mut dyn Write,
    ) -> Result<(), Abort> {
        if path != Path::new("-") {
            return write_file(path, bytes).map_err(|error| {
                self.fail(&format!("cannot open output file '{}': {}", path.display(), describe(&error)), stderr)
            });
        }
        match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
            // Who closed the stream has seen enough.
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                Err(self.fail(&format!("cannot write to standard output: {}", describe(&error)), stderr))
            }
            _ => Ok(()),
        }
    }

    /// Shows diagnostics.
    pub(crate) fn show(&self, diagnostics: &Diagnostics, stderr: &mut dyn Write) {
        let text = render(self.context, diagnostics, RenderOptions { color: self.color, ..RenderOptions::default() });
        self.write_message(&text, stderr);
    }

    /// Writes to standard error. Who closed it does not want to know.
    pub(crate) fn write_message(&self, text: &str, stderr: &mut dyn Write) {
        let _ = stderr.write_all(text.as_bytes());
    }

    /// Says what went wrong outside the IR.
    pub(crate) fn fail(&self, message: &str, stderr: &mut dyn Write) -> Abort {
        self.write_message(&format!("{}: error: {message}\n", self.tool), stderr);
        Abort(WRONG_INPUT)
    }

    fn wrong_call(&self, message: &str, stderr: &mut dyn Write) -> Abort {
        self.fail(message, stderr);
        Abort(WRONG_CALL)
    }
}
