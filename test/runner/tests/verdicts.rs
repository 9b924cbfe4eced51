//! The runner's own tests: files that must fail and files that must pass, and LLVM's lit on the same files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use fermata_test_runner::{Toolbox, Verdict, llvm_prefix, repository_root, run_lit, run_test_file};

/// What the report of a file that must fail says, and whether lit fails it too.
struct MustFail {
    file: &'static str,
    report: &'static str,
    lit: Lit,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Lit {
    FailsToo,
    /// lit lets it through (or skips it), and that is why this runner is stricter.
    IsLenient,
}

const fn fails(file: &'static str, report: &'static str) -> MustFail {
    MustFail { file, report, lit: Lit::FailsToo }
}

const fn fails_here(file: &'static str, report: &'static str) -> MustFail {
    MustFail { file, report, lit: Lit::IsLenient }
}

const MUST_FAIL: &[MustFail] = &[
    fails_here("cat-without-file", "`cat` without a file"),
    fails("empty-output", "is empty"),
    fails("failure-before-pipe", "`print-then-fail` failed (exit status 1)"),
    fails_here("foreign-directive", "lit reads `UNSUPPORTED:`"),
    fails_here("misspelt-line", "did you mean `CHECK-NEXT`?"),
    fails("misspelt-prefix", "with prefix CHEKC, and no line has it"),
    fails("misspelt-suffix", "did you mean `CHECK-NEXT`?"),
    fails("missing-program", "`does-not-exist` does not run"),
    fails("no-check-line", "with prefix CHECK, and no line has it"),
    fails("no-run-line", "no RUN line"),
    fails_here("only-check-not", "CHECK-NOT"),
    fails("open-continuation", "ends in `\\`"),
    fails_here("panic-under-not", "`print-then-panic` panicked"),
    fails_here("pattern", "`*` is not understood"),
    fails("second-line-fails", "`false` failed (exit status 1)"),
    fails_here("sequence", "`&` is not understood"),
    fails("signal-before-pipe", "`print-then-die` was ended by signal 11"),
    fails_here("signal-under-not", "`print-then-die` was ended by signal 11"),
    fails("success-under-not", "`cat` succeeded"),
    fails_here("tool-without-percent", "write `%mlir-opt`"),
    fails_here("undeclared-requirement", "needs a line `REQUIRES: mlir-opt`"),
    fails("unexpected-pass", "XFAIL"),
    fails_here("unknown-feature", "`mlir-optt` is no feature"),
    fails_here("unknown-program", "`bash` is no program"),
    fails_here("unknown-substitution", "`%unknown`"),
    fails_here("unread-prefix", "no FileCheck of this file reads prefix SECOND"),
    fails_here("variable", "`$` is not understood"),
    fails("wrong-check", "expected string not found"),
    fails("wrong-order", "`FileCheck` failed"),
];

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("verdicts").join(name)
}

fn files_of(folder: &str) -> Vec<PathBuf> {
    let relative = Path::new("test/runner").join(folder);
    let entries = fs::read_dir(repository_root().join(&relative)).expect("the folder is part of the repository");
    let names = entries.map(|entry| entry.expect("the folder is readable").file_name());
    let mut files: Vec<_> = names.filter(|name| name != "Inputs").map(|name| relative.join(name)).collect();
    files.sort();
    files
}

fn run(file: &Path, scratch_name: &str, tools: &Toolbox) -> Verdict {
    let name = file.file_name().expect("the listing names files");
    run_test_file(&repository_root().join(file), &scratch(scratch_name).join(name), tools)
}

#[test]
fn files_that_must_fail_fail_for_the_right_reason() {
    let tools = Toolbox::without_own_tools(llvm_prefix());
    let present: BTreeSet<_> = files_of("must-fail").iter().map(|path| stem(path)).collect();
    let listed: BTreeSet<_> = MUST_FAIL.iter().map(|test| test.file.to_owned()).collect();
    assert_eq!(present, listed);
    for test in MUST_FAIL {
        let file = Path::new("test/runner/must-fail").join(test.file).with_extension("xir");
        match run(&file, "must-fail", &tools) {
            Verdict::Failed(report) => assert!(report.contains(test.report), "{}: {report}", test.file),
            other => panic!("{}: {other:?}", test.file),
        }
    }
}

#[test]
fn files_that_must_pass_pass() {
    let tools = Toolbox::without_own_tools(llvm_prefix());
    for file in files_of("must-pass") {
        assert_eq!(run(&file, "must-pass", &tools), Verdict::Passed, "{}", file.display());
    }
}

#[test]
fn lit_gives_the_same_verdicts() {
    let tools = Toolbox::without_own_tools(llvm_prefix());
    let (failing, passing) = (files_of("must-fail"), files_of("must-pass"));
    let all = [failing.as_slice(), passing.as_slice()].concat();
    let lit = run_lit(&repository_root(), &all, &scratch("lit"), &tools).expect("lit runs");
    for file in &passing {
        assert_eq!(lit.contradiction(file, &Verdict::Passed), None);
    }
    for test in MUST_FAIL {
        let file = Path::new("test/runner/must-fail").join(test.file).with_extension("xir");
        let contradiction = lit.contradiction(&file, &Verdict::Failed(String::new()));
        let lit_verdict = if contradiction.is_none() { Lit::FailsToo } else { Lit::IsLenient };
        assert!(lit_verdict == test.lit, "{}: lit says {:?}", test.file, lit.code(&file));
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().expect("the listing names files").to_string_lossy().into_owned()
}
