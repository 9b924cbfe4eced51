//! Each target, for about a second, on the same inputs each time.

use std::path::Path;
use std::time::Duration;

use fermata_fuzz::{Corpus, Limits, TARGETS, fuzz};

#[test]
fn targets_find_nothing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the repository");
    for target in TARGETS {
        let corpus = Corpus::new(target, &[&root.join("test"), &root.join("examples")]);
        let limits = Limits {
            inputs: corpus.len() as u64 + 1000,
            time: Duration::from_secs(600),
            time_per_input: Duration::from_secs(60),
        };
        if let Err(finding) = fuzz(target, corpus, 1, limits) {
            panic!("{}: {}\n{}", target.name, finding.message, String::from_utf8_lossy(&finding.input));
        }
    }
}
