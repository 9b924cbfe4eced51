//! What must hold of every `.xir` file of the repository that is valid input, whatever else it tests:
//!
//! * coro-opt's generic form is, byte for byte, what mlir-opt prints of it;
//! * generic and custom form read back to the same module, locations included;
//! * printing is canonical, and the same in each run and with any number of threads.
//!
//! A file is taken as invalid only where its RUN lines say so: by `not`, `--verify-diagnostics` or `--split-input-file`.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};
use std::sync::{Arc, OnceLock};

use fermata_test_runner::{Feature, Toolbox, find_tests, llvm_prefix, repository_root};
use libtest_mimic::{Arguments, Failed, Trial};

/// The programs, built by the first trial that runs.
struct Programs {
    root: PathBuf,
    tools: OnceLock<Result<Toolbox, String>>,
}

/// One file in the forms that the programs print.
struct Printer<'a> {
    coro_opt: PathBuf,
    mlir_opt: Option<PathBuf>,
    /// Options that the file needs to be read.
    options: Vec<&'static str>,
    scratch: &'a Path,
}

/// Options of RUN lines that say how a file is to be read.
const READING_OPTIONS: [&str; 2] = ["--allow-unregistered-dialect", "--split-input-file"];

/// Words of RUN lines that announce invalid input.
const MARKS_OF_INVALID_INPUT: [&str; 3] = ["not %coro-opt", "--verify-diagnostics", "--split-input-file"];

const GENERIC: &str = "--print-op-generic";
const LOCATIONS: &str = "--print-debuginfo";

impl Programs {
    fn tools(&self) -> Result<&Toolbox, Failed> {
        let built = self.tools.get_or_init(|| Toolbox::with_own_tools(llvm_prefix(), &self.root));
        built.as_ref().map_err(Failed::from)
    }

    fn check(&self, file: &Path) -> Result<(), Failed> {
        let tools = self.tools()?;
        let path = self.root.join(file);
        let source = fs::read(&path)?;
        let source = String::from_utf8_lossy(&source);
        let run_lines: Vec<_> = source.lines().filter(|line| line.contains("RUN:")).collect();
        let says = |words: &&str| run_lines.iter().any(|line| line.contains(words));
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("round_trip").join(file);
        fs::create_dir_all(&scratch)?;
        let printer = Printer {
            coro_opt: tools.program("coro-opt")?,
            mlir_opt: tools.has(Feature::MlirOpt).then(|| tools.llvm_program("mlir-opt")).transpose()?,
            options: READING_OPTIONS.into_iter().filter(says).collect(),
            scratch: &scratch,
        };
        if !run_lines.iter().any(|line| line.contains("%s")) {
            // Its input is not the file itself.
            return Ok(());
        }
        let first = printer.run_coro_opt(&path, &[GENERIC])?;
        match first.status.code() {
            Some(0) => printer.check(&path, &text(&first)?).map_err(Failed::from),
            Some(1) if MARKS_OF_INVALID_INPUT.iter().any(says) => Ok(()),
            _ => Err(Failed::from(format!("{}\n{}", first.status, String::from_utf8_lossy(&first.stderr)))),
        }
    }
}

impl Printer<'_> {
    fn check(&self, file: &Path, generic: &str) -> Result<(), String> {
        let custom = self.print(file, &[])?;
        let located = self.print(file, &[GENERIC, LOCATIONS])?;
        let custom_located = self.print(file, &[LOCATIONS])?;
        let generic_file = self.store("generic", generic)?;
        let custom_file = self.store("custom", &custom)?;
        let located_file = self.store("located", &located)?;
        let custom_located_file = self.store("custom-located", &custom_located)?;
        self.same("two runs differ", generic, &self.print(file, &[GENERIC])?)?;
        self.same("one thread and many differ", generic, &self.print(file, &[GENERIC, "-j1"])?)?;
        self.same("the custom form is not canonical", &custom, &self.print(&custom_file, &[])?)?;
        self.same("the custom form reads back as another module", generic, &self.print(&custom_file, &[GENERIC])?)?;
        self.same("the generic form reads back as another module", &custom, &self.print(&generic_file, &[])?)?;
        self.same("the generic form is not canonical", generic, &self.print(&generic_file, &[GENERIC])?)?;
        let read_back = self.print(&located_file, &[GENERIC, LOCATIONS])?;
        self.same("the generic form loses locations", &located, &read_back)?;
        let read_back = self.print(&custom_located_file, &[GENERIC, LOCATIONS])?;
        self.same("the custom form loses locations", &located, &read_back)?;
        let Some(mlir_opt) = &self.mlir_opt else { return Ok(()) };
        let upstream = ["--allow-unregistered-dialect", "--mlir-print-op-generic"];
        let printed = run(mlir_opt, &generic_file, &self.upstream_options(&upstream))?;
        self.same("mlir-opt prints the generic form differently", generic, &printed)?;
        let with_locations = [upstream.as_slice(), &["--mlir-print-debuginfo", "--mlir-print-local-scope"]].concat();
        let printed = run(mlir_opt, &located_file, &self.upstream_options(&with_locations))?;
        self.same("mlir-opt prints the generic form with locations differently", &located, &printed)
    }

    /// mlir-opt has an option of its own to read a file in parts.
    fn upstream_options<'a>(&self, options: &[&'a str]) -> Vec<&'a str> {
        let split = self.options.contains(&"--split-input-file").then_some("--split-input-file");
        options.iter().copied().chain(split).collect()
    }

    fn run_coro_opt(&self, file: &Path, options: &[&str]) -> Result<Output, String> {
        output_of(&self.coro_opt, file, &[self.options.as_slice(), options].concat())
    }

    fn print(&self, file: &Path, options: &[&str]) -> Result<String, String> {
        run(&self.coro_opt, file, &[self.options.as_slice(), options].concat())
    }

    fn store(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let path = self.scratch.join(name).with_extension("xir");
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }

    /// Complains at the first line that differs.
    fn same(&self, complaint: &str, expected: &str, found: &str) -> Result<(), String> {
        if expected == found {
            return Ok(());
        }
        let (mut expected_lines, mut found_lines) = (expected.lines(), found.lines());
        let mut number = 0;
        loop {
            number += 1;
            let (expected, found) = (expected_lines.next(), found_lines.next());
            if expected != found || expected.is_none() {
                let end = "(the end, or other line breaks)";
                let (expected, found) = (expected.unwrap_or(end), found.unwrap_or(end));
                return Err(format!(
                    "{complaint}, line {number}:\n  {expected}\n  {found}\nsee {}",
                    self.scratch.display()
                ));
            }
        }
    }
}

fn output_of(program: &Path, file: &Path, options: &[&str]) -> Result<Output, String> {
    let mut command = Command::new(program);
    command.args(options).arg(file).stdin(Stdio::null());
    command.output().map_err(|error| format!("{}: {error}", program.display()))
}

fn run(program: &Path, file: &Path, options: &[&str]) -> Result<String, String> {
    let output = output_of(program, file, options)?;
    if !output.status.success() {
        let name = program.file_name().unwrap_or(OsStr::new("?")).to_string_lossy();
        let call = format!("{name} {} {}", options.join(" "), file.display());
        return Err(format!("{call}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    text(&output)
}

fn text(output: &Output) -> Result<String, String> {
    String::from_utf8(output.stdout.clone()).map_err(|error| format!("the output is not UTF-8: {error}"))
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let programs = Arc::new(Programs { root: repository_root(), tools: OnceLock::new() });
    let files = match find_tests(&programs.root) {
        Ok(files) => files,
        Err(error) => {
            eprintln!("cannot search for tests: {error}");
            return ExitCode::FAILURE;
        }
    };
    let inputs = files.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "xir"));
    let trials = inputs.map(|file| {
        let programs = Arc::clone(&programs);
        Trial::test(file.display().to_string(), move || programs.check(&file))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}
