//! A test file from its text to its verdict.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::Refusal;
use crate::checks::verify_check_lines;
use crate::command::{Pipeline, Redirection, ShellCommand, parse_pipeline};
use crate::directives::{Directives, ExpectedFailure, RunLine, parse_directives};
use crate::execute::{ResolvedCommand, ResolvedRedirection, run_pipeline};
use crate::substitution::Substitutions;
use crate::tools::{Feature, Toolbox};

/// The longest that one RUN line may take.
const PIPELINE_LIMIT: Duration = Duration::from_secs(120);

/// What became of a test file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every RUN line did what it should, or a known failure failed.
    Passed,
    /// It did not; the report is for a person.
    Failed(String),
    /// This machine lacks a feature that the file requires.
    Skipped(Feature),
}

/// Runs one test file. `scratch` is a folder that belongs to this file alone; what it holds is removed first.
pub fn run_test_file(file: &Path, scratch: &Path, tools: &Toolbox) -> Verdict {
    let prepared = match prepare(file, scratch, tools) {
        Ok(prepared) => prepared,
        Err(Refusal { line, message }) => return Verdict::Failed(format!("{}:{line}: {message}", file.display())),
    };
    if let Some(&missing) = prepared.directives.requires.iter().find(|&&feature| !tools.has(feature)) {
        return Verdict::Skipped(missing);
    }
    let failure = run_prepared(file, scratch, &prepared);
    let expected = match &prepared.directives.expected_failure {
        ExpectedFailure::Never => false,
        ExpectedFailure::Always => true,
        ExpectedFailure::With(features) => features.iter().any(|&feature| tools.has(feature)),
    };
    match (failure, expected) {
        (Some(report), false) => Verdict::Failed(report),
        (None, true) => Verdict::Failed(format!("{}: passes, though XFAIL says that it fails", file.display())),
        (None, false) | (Some(_), true) => Verdict::Passed,
    }
}

/// The first feature that a file requires and this machine lacks.
pub fn missing_feature(file: &Path, tools: &Toolbox) -> Option<Feature> {
    let source = fs::read(file).ok()?;
    let directives = parse_directives(&String::from_utf8_lossy(&source)).ok()?;
    directives.requires.into_iter().find(|&feature| !tools.has(feature))
}

struct Prepared {
    directives: Directives,
    pipelines: Vec<(RunLine, Vec<ResolvedCommand>)>,
}

/// Understands the whole file before anything of it runs.
fn prepare(file: &Path, scratch: &Path, tools: &Toolbox) -> Result<Prepared, Refusal> {
    let source = fs::read(file).map_err(|error| Refusal::new(1, format!("cannot read the file: {error}")))?;
    let source = String::from_utf8_lossy(&source);
    let directives = parse_directives(&source)?;
    let parsed = directives.run_lines.iter().map(parse_pipeline).collect::<Result<Vec<_>, _>>()?;
    verify_check_lines(&source, &parsed)?;
    verify_requirements(&directives, &parsed)?;
    let temporary = scratch.join("tmp");
    let folder = file.parent().unwrap_or(Path::new("."));
    let substitutions = Substitutions { tools, file, folder, temporary: &temporary };
    // A missing tool excuses a file that requires it, so nothing is resolved for a file that will be skipped.
    let runnable = directives.requires.iter().all(|&feature| tools.has(feature));
    let mut pipelines = Vec::new();
    for (run, pipeline) in directives.run_lines.iter().zip(&parsed).filter(|_| runnable) {
        let commands = pipeline.commands.iter().map(|command| resolve(command, &substitutions));
        let commands = commands.collect::<Result<Vec<_>, _>>().map_err(|message| Refusal::new(run.line, message))?;
        pipelines.push((run.clone(), commands));
    }
    Ok(Prepared { directives, pipelines })
}

/// A test that runs mlir-opt must say so, or it fails only on machines that lack it.
fn verify_requirements(directives: &Directives, pipelines: &[Pipeline]) -> Result<(), Refusal> {
    let uses_mlir = |pipeline: &&Pipeline| pipeline.commands.iter().any(|command| command.words[0] == "%mlir-opt");
    match pipelines.iter().find(uses_mlir) {
        Some(pipeline) if !directives.requires.contains(&Feature::MlirOpt) => {
            Err(Refusal::new(pipeline.line, "`%mlir-opt` needs a line `REQUIRES: mlir-opt`"))
        }
        _ => Ok(()),
    }
}

fn resolve(command: &ShellCommand, substitutions: &Substitutions<'_>) -> Result<ResolvedCommand, String> {
    let expand_path = |path: &String| substitutions.expand(path).map(PathBuf::from);
    let redirections = command.redirections.iter().map(|redirection| match redirection {
        Redirection::OutputTo(path) => expand_path(path).map(ResolvedRedirection::OutputTo),
        Redirection::ErrorsTo(path) => expand_path(path).map(ResolvedRedirection::ErrorsTo),
        Redirection::ErrorsToOutput => Ok(ResolvedRedirection::ErrorsToOutput),
    });
    Ok(ResolvedCommand {
        program: substitutions.program(&command.words)?,
        arguments: command.words[1..].iter().map(|word| substitutions.expand(word)).collect::<Result<_, _>>()?,
        negated: command.negated,
        redirections: redirections.collect::<Result<_, _>>()?,
    })
}

/// Runs the lines in order up to the first that fails, and reports that one.
fn run_prepared(file: &Path, scratch: &Path, prepared: &Prepared) -> Option<String> {
    if let Err(error) = empty_folder(scratch) {
        return Some(format!("{}: {error}", scratch.display()));
    }
    prepared.pipelines.iter().find_map(|(run, commands)| {
        let problem = run_pipeline(commands, scratch, PIPELINE_LIMIT).err()?;
        Some(format!("{}:{}: RUN: {}\n{problem}", file.display(), run.line, run.text))
    })
}

fn empty_folder(folder: &Path) -> std::io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)
}
