//! The tool: what it knows, and its start and end.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use fermata_ir::pass::{PassInfo, PassRegistry};
use fermata_ir::{Context, DialectRegistry};

use crate::arguments::Arguments;
use crate::emit::{Emitter, TextEmitter};
use crate::normalize::with_two_dashes;
use crate::pipeline::PassFlag;
use crate::session::Session;

/// All is well.
pub(crate) const GOOD: u8 = 0;
/// The input was wrong.
pub(crate) const WRONG_INPUT: u8 = 1;
/// The call was wrong.
pub(crate) const WRONG_CALL: u8 = 2;

/// Stack of the thread that works. Nesting of the input is limited, but some of what limits it is an option.
const STACK_BYTES: usize = 512 << 20;

/// What a tool reads from and writes to.
pub struct Streams<'a> {
    /// Read if the input is `-`.
    pub stdin: &'a mut (dyn Read + Send),
    /// Gets the output if that is `-`, and lists.
    pub stdout: &'a mut (dyn Write + Send),
    /// Gets messages and reports.
    pub stderr: &'a mut (dyn Write + Send),
    /// Whether messages may be coloured where the user leaves it open.
    pub stderr_is_terminal: bool,
}

/// An optimizer: a driver with dialects, passes and forms of output.
pub struct Tool {
    name: &'static str,
    about: &'static str,
    dialects: DialectRegistry,
    passes: PassRegistry,
    emitters: Vec<Box<dyn Emitter>>,
}

impl Tool {
    /// A tool of this name with the builtin dialect, no passes, and text as output.
    pub fn new(name: &'static str, about: &'static str) -> Self {
        Self {
            name,
            about,
            dialects: DialectRegistry::new(),
            passes: PassRegistry::new(),
            emitters: vec![Box::new(TextEmitter)],
        }
    }

    /// Sets the dialects.
    #[must_use]
    pub fn dialects(mut self, dialects: DialectRegistry) -> Self {
        self.dialects = dialects;
        self
    }

    /// Sets the passes and pipelines. Each is also an option, `--NAME[=OPTIONS]`.
    #[must_use]
    pub fn passes(mut self, passes: PassRegistry) -> Self {
        self.passes = passes;
        self
    }

    /// Adds a form of output.
    #[must_use]
    pub fn emitter(mut self, emitter: impl Emitter + 'static) -> Self {
        self.emitters.push(Box::new(emitter));
        self
    }

    /// Runs the tool as a program: with the program's arguments, on its standard streams.
    pub fn main(self) -> ExitCode {
        let name = self.name;
        std::panic::set_hook(Box::new(move |info| {
            // The message of a panic goes to the user once, with its place; what follows is a diagnostic.
            let place = info.location().map_or(String::new(), |location| format!(" at {location}"));
            let payload = info.payload();
            let text = payload.downcast_ref::<&str>().copied();
            let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
            let _ = writeln!(io::stderr(), "{name}: internal error{place}: {text}");
        }));
        let arguments: Vec<OsString> = std::env::args_os().collect();
        let work = move || {
            let streams = Streams {
                stdin: &mut io::stdin(),
                stdout: &mut io::stdout(),
                stderr: &mut io::stderr(),
                stderr_is_terminal: io::stderr().is_terminal(),
            };
            self.run(arguments, streams)
        };
        let worker = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES).spawn(work);
        match worker.map(|worker| worker.join()) {
            Ok(Ok(status)) => ExitCode::from(status),
            // The hook has told about the panic.
            Ok(Err(_)) => ExitCode::from(WRONG_INPUT),
            Err(error) => {
                let _ = writeln!(io::stderr(), "{name}: error: cannot start a thread: {error}");
                ExitCode::from(WRONG_INPUT)
            }
        }
    }

    /// Runs the tool and gives its exit status. The first argument is the name of the program.
    pub fn run(self, arguments: impl IntoIterator<Item = OsString>, streams: Streams<'_>) -> u8 {
        let command = self.command();
        let is_long = |name: &str| {
            command
                .get_arguments()
                .any(|arg| arg.get_long() == Some(name) || arg.get_all_aliases().is_some_and(|all| all.contains(&name)))
        };
        let arguments = with_two_dashes(arguments, is_long);
        let matches = match command.clone().try_get_matches_from(arguments) {
            Ok(matches) => matches,
            Err(error) => return report_usage(&error, streams),
        };
        let parsed = match Arguments::from_arg_matches(&matches) {
            Ok(parsed) => parsed,
            Err(error) => return report_usage(&error, streams),
        };
        let flags = self.pass_flags(&matches);
        let form = matches.get_one::<String>("emit").map_or("xir", String::as_str).to_owned();
        let emitter = self.emitters.iter().find(|emitter| emitter.name() == form);
        let emitter = emitter.expect("the command line takes the names of emitters only");
        let context = Context::new(self.dialects);
        let passes = &self.passes;
        let stderr = streams.stderr;
        let mut session =
            Session::new(self.name, &context, passes, &**emitter, &parsed, flags, streams.stderr_is_terminal);
        let outcome = catch_unwind(AssertUnwindSafe(|| session.run(streams.stdin, streams.stdout, stderr)));
        // A panic outside passes; the hook, if there is one, has told about it.
        outcome.unwrap_or(WRONG_INPUT)
    }

    fn command(&self) -> Command {
        let forms: Vec<clap::builder::PossibleValue> = self
            .emitters
            .iter()
            .map(|emitter| clap::builder::PossibleValue::new(emitter.name()).help(emitter.description()))
            .collect();
        let emit = Arg::new("emit")
            .long("emit")
            .value_name("FORM")
            .default_value("xir")
            .value_parser(PossibleValuesParser::new(forms))
            .help("What to write")
            .help_heading("Output");
        let flag = |info: &PassInfo, heading: &'static str| {
            Arg::new(info.name)
                .long(info.name)
                .action(ArgAction::Append)
                .value_name("OPTIONS")
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("")
                .help(info.description)
                .help_heading(heading)
        };
        let passes = self.passes.infos();
        let pipelines = self.passes.pipeline_infos();
        Arguments::augment_args(Command::new(self.name))
            .about(self.about)
            .version(env!("CARGO_PKG_VERSION"))
            .arg(emit)
            .args(passes.iter().map(|info| flag(info, "Passes, in the order in which they are to run")))
            .args(pipelines.iter().map(|info| flag(info, "Pipelines")))
    }

    /// The passes and pipelines given as options, in order of appearance.
    fn pass_flags(&self, matches: &ArgMatches) -> Vec<PassFlag> {
        let mut flags: Vec<(usize, PassFlag)> = Vec::new();
        for name in self.passes.all_names() {
            let values = matches.get_many::<String>(name).into_iter().flatten();
            let indices = matches.indices_of(name).into_iter().flatten();
            flags.extend(
                indices.zip(values).map(|(index, options)| (index, PassFlag { name, options: options.clone() })),
            );
        }
        flags.sort_by_key(|(index, _)| *index);
        flags.into_iter().map(|(_, flag)| flag).collect()
    }
}

/// Shows help, the version, or what is wrong with the call.
fn report_usage(error: &clap::Error, streams: Streams<'_>) -> u8 {
    let text = error.render();
    let stream: &mut dyn Write = if error.use_stderr() { streams.stderr } else { streams.stdout };
    // Who closed the stream does not want to see it.
    let _ = if streams.stderr_is_terminal { write!(stream, "{}", text.ansi()) } else { write!(stream, "{text}") };
    if error.use_stderr() { WRONG_CALL } else { GOOD }
}
