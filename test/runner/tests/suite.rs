//! Every test file of the repository, a test each; then LLVM's lit over the same files, whose verdicts must be the same.
//!
//! `cargo test -p fermata-test-runner --test suite -- NAME` runs the files whose path contains NAME.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, OnceLock};

use fermata_test_runner::{
    LitVerdicts, Toolbox, Verdict, find_tests, llvm_prefix, missing_feature, repository_root, run_lit, run_test_file,
};
use libtest_mimic::{Arguments, Conclusion, Failed, Trial};

/// What the trials share.
struct Suite {
    root: PathBuf,
    scratch: PathBuf,
    /// Built by the first trial that runs, so that listing the tests builds nothing.
    tools: OnceLock<Result<Toolbox, String>>,
    verdicts: Mutex<BTreeMap<PathBuf, Verdict>>,
}

impl Suite {
    fn tools(&self) -> Result<&Toolbox, Failed> {
        let built = self.tools.get_or_init(|| Toolbox::with_own_tools(llvm_prefix(), &self.root));
        built.as_ref().map_err(Failed::from)
    }

    fn run(&self, file: &Path) -> Result<(), Failed> {
        let verdict = run_test_file(&self.root.join(file), &self.scratch.join("runner").join(file), self.tools()?);
        self.verdicts.lock().expect("no trial panics while it holds the lock").insert(file.to_owned(), verdict.clone());
        match verdict {
            Verdict::Passed => Ok(()),
            Verdict::Failed(report) => Err(Failed::from(report)),
            Verdict::Skipped(feature) => Err(Failed::from(format!("requires {feature:?}, which this machine lacks"))),
        }
    }

    fn compare_with_lit(&self, files: &[PathBuf]) -> Result<(), Failed> {
        let tools = self.tools()?;
        let folders: Vec<_> =
            ["test", "examples"].map(PathBuf::from).into_iter().filter(|f| self.root.join(f).is_dir()).collect();
        let lit = run_lit(&self.root, &folders, &self.scratch.join("lit"), tools)?;
        let verdicts = self.verdicts.lock().expect("no trial panics while it holds the lock");
        let own = files.iter().map(|file| {
            let verdict = verdicts
                .get(file)
                .cloned()
                .or_else(|| missing_feature(&self.root.join(file), tools).map(Verdict::Skipped));
            (file, verdict)
        });
        let mut problems: Vec<String> = own.filter_map(|(file, verdict)| lit.contradiction(file, &verdict?)).collect();
        problems.extend(files_only_lit_found(&lit, files));
        match problems.is_empty() {
            true => Ok(()),
            false => Err(Failed::from(problems.join("\n"))),
        }
    }
}

fn files_only_lit_found(lit: &LitVerdicts, files: &[PathBuf]) -> Vec<String> {
    let unknown = lit.files().filter(|file| files.binary_search_by(|own| own.as_path().cmp(file)).is_err());
    unknown.map(|file| format!("{}: lit runs it, this runner did not find it", file.display())).collect()
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = repository_root();
    let files = match find_tests(&root) {
        Ok(files) => files,
        Err(error) => {
            eprintln!("cannot search for tests: {error}");
            return ExitCode::FAILURE;
        }
    };
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("suite");
    let suite = Arc::new(Suite { root, scratch, tools: OnceLock::new(), verdicts: Mutex::default() });
    let llvm = Toolbox::without_own_tools(llvm_prefix());
    let trials = files.iter().map(|file| {
        let (suite, path) = (Arc::clone(&suite), file.clone());
        let skipped = missing_feature(&suite.root.join(file), &llvm).is_some();
        Trial::test(file.display().to_string(), move || suite.run(&path)).with_ignored_flag(skipped)
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    let whole = arguments.filter.is_none() && arguments.skip.is_empty() && !arguments.ignored;
    if arguments.list || !whole || files.is_empty() {
        return conclusion.exit_code();
    }
    let comparison = {
        let suite = Arc::clone(&suite);
        Trial::test("lit agrees", move || suite.compare_with_lit(&files))
    };
    let agreement = libtest_mimic::run(&arguments, vec![comparison]);
    summarize(&conclusion, &agreement)
}

fn summarize(suite: &Conclusion, agreement: &Conclusion) -> ExitCode {
    let passed = suite.num_passed + agreement.num_passed;
    let failed = suite.num_failed + agreement.num_failed;
    println!("{passed} passed, {failed} failed");
    if suite.has_failed() || agreement.has_failed() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
