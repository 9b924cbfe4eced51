//! Fuzzes one target for a while: `cargo run --release -p fermata-fuzz -- TARGET SECONDS [SEED]`, or runs it on one
//! file: `cargo run -p fermata-fuzz -- TARGET FILE`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use fermata_fuzz::{Corpus, Finding, Limits, TARGETS, Target, fuzz, target};

const TIME_PER_INPUT: Duration = Duration::from_secs(20);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, what, rest @ ..] = &*arguments else {
        return usage();
    };
    let Some(target) = target(name) else {
        return usage();
    };
    if Path::new(what).is_file() {
        return run_file(target, Path::new(what));
    }
    let seed = match rest {
        [] => Some(0),
        [seed] => seed.parse().ok(),
        _ => None,
    };
    let (Ok(seconds), Some(seed)) = (what.parse(), seed) else {
        return usage();
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let folders = ["test", "examples", "fuzz/findings"].map(|folder| root.join(folder));
    let corpus = Corpus::new(target, &folders.each_ref().map(PathBuf::as_path));
    println!("{name}: {} texts to start from, {seconds} seconds, seed {seed}", corpus.len());
    let limits = Limits { inputs: u64::MAX, time: Duration::from_secs(seconds), time_per_input: TIME_PER_INPUT };
    match fuzz(target, corpus, seed, limits) {
        Ok(count) => {
            println!("{name}: {count} inputs, nothing found");
            ExitCode::SUCCESS
        }
        Err(finding) => report(target, &finding, &root.join("fuzz/findings")),
    }
}

fn run_file(target: Target, path: &Path) -> ExitCode {
    match std::fs::read(path).map(|input| (target.run)(&input)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(message)) => {
            println!("{message}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("cannot read {}: {error}", path.display());
            ExitCode::from(2)
        }
    }
}

/// Keeps the input, so that the next run starts with it.
fn report(target: Target, finding: &Finding, folder: &Path) -> ExitCode {
    println!("{}: {}", target.name, finding.message);
    let sum = finding
        .input
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let path = folder.join(format!("{}-{sum:016x}.xir", target.name));
    match std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, &finding.input)) {
        Ok(()) => println!("the input is in {}", path.display()),
        Err(error) => println!("the input cannot be kept: {error}\n{}", String::from_utf8_lossy(&finding.input)),
    }
    ExitCode::FAILURE
}

fn usage() -> ExitCode {
    eprintln!("usage: fermata-fuzz TARGET SECONDS [SEED]\n       fermata-fuzz TARGET FILE\n\ntargets:");
    for target in TARGETS {
        eprintln!("  {:16} {}", target.name, target.description);
    }
    ExitCode::from(2)
}
