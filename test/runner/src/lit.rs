//! LLVM's lit, the second opinion.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::test_file::Verdict;
use crate::tools::Toolbox;

/// What lit said of each file, by path relative to the repository.
#[derive(Debug)]
pub struct LitVerdicts(BTreeMap<PathBuf, String>);

impl LitVerdicts {
    /// lit's own word for a file: `PASS`, `FAIL`, `XFAIL`, `XPASS`, `UNSUPPORTED`, `UNRESOLVED`.
    pub fn code(&self, file: &Path) -> Option<&str> {
        self.0.get(file).map(String::as_str)
    }

    /// How lit's verdict on a file contradicts ours, if it does.
    pub fn contradiction(&self, file: &Path, own: &Verdict) -> Option<String> {
        let code = self.code(file).unwrap_or("nothing");
        let agrees = match own {
            Verdict::Passed => matches!(code, "PASS" | "XFAIL"),
            Verdict::Failed(_) => matches!(code, "FAIL" | "XPASS" | "UNRESOLVED" | "TIMEOUT"),
            Verdict::Skipped(_) => code == "UNSUPPORTED",
        };
        let own = match own {
            Verdict::Passed => "passed",
            Verdict::Failed(_) => "failed",
            Verdict::Skipped(_) => "skipped",
        };
        (!agrees).then(|| format!("{}: {own} here, lit says {code}", file.display()))
    }

    /// The files that lit found.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.0.keys().map(PathBuf::as_path)
    }
}

/// Runs lit on folders or files relative to the repository's root; it writes beneath `scratch`.
///
/// # Errors
///
/// When lit does not run or its report cannot be read. Failing tests are no error.
pub fn run_lit(root: &Path, paths: &[PathBuf], scratch: &Path, tools: &Toolbox) -> Result<LitVerdicts, String> {
    fs::create_dir_all(scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let report = scratch.join("report.json");
    // A stale report must not be taken for a new one.
    fs::remove_file(&report).ok();
    let parameter = |name: &str, path: &Path| format!("-D{name}={}", path.display());
    let mut command = Command::new("python3");
    command
        .arg(tools.llvm_prefix().join("build/utils/lit/lit.py"))
        .args(["--quiet", "--ignore-fail", "--order=lexical", "--output"])
        .arg(&report)
        .arg(parameter("llvm_prefix", tools.llvm_prefix()))
        .arg(parameter("output_folder", scratch));
    if let Some(folder) = tools.own_programs_folder() {
        command.arg(parameter("tools_folder", folder));
    }
    let output = command
        .args(paths)
        .current_dir(root)
        .env_remove("FILECHECK_OPTS")
        .env_remove("LIT_OPTS")
        .output()
        .map_err(|error| format!("python3 does not run: {error}"))?;
    let report = fs::read_to_string(&report).map_err(|_| {
        format!("lit wrote no report ({}):\n{}", output.status, String::from_utf8_lossy(&output.stderr).trim_end())
    })?;
    parse_report(&report).map(LitVerdicts)
}

/// lit names a test `suite :: path`; our suites bear the names of their folders.
fn parse_report(report: &str) -> Result<BTreeMap<PathBuf, String>, String> {
    let report: Value = serde_json::from_str(report).map_err(|error| format!("lit's report: {error}"))?;
    let tests = report.get("tests").and_then(Value::as_array).ok_or("lit's report holds no tests")?;
    let verdict = |test: &Value| {
        let (suite, path) = test.get("name")?.as_str()?.split_once(" :: ")?;
        Some((Path::new(suite).join(path), test.get("code")?.as_str()?.to_owned()))
    };
    tests.iter().map(|test| verdict(test).ok_or_else(|| format!("lit's report: {test}"))).collect()
}
