//! The lines of a test file that speak to the runner.

use crate::Refusal;
use crate::tools::Feature;

/// What a test file asks of its runner.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Directives {
    pub(crate) run_lines: Vec<RunLine>,
    /// Features that must all be there.
    pub(crate) requires: Vec<Feature>,
    pub(crate) expected_failure: ExpectedFailure,
}

/// A `RUN:` line with its continuations joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunLine {
    /// One-based line on which it begins.
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// Whether the test is known to fail.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) enum ExpectedFailure {
    #[default]
    Never,
    Always,
    /// Where one of these features is there.
    With(Vec<Feature>),
}

/// Words that lit reacts to, wherever they stand in a line.
const KEYWORDS: [(&str, Keyword); 8] = [
    ("RUN:", Keyword::Run),
    ("REQUIRES:", Keyword::Requires),
    ("XFAIL:", Keyword::ExpectedFailure),
    ("UNSUPPORTED:", Keyword::Foreign),
    ("ALLOW_RETRIES:", Keyword::Foreign),
    ("REDEFINE:", Keyword::Foreign),
    ("DEFINE:", Keyword::Foreign),
    ("END.", Keyword::Foreign),
];

#[derive(Clone, Copy)]
enum Keyword {
    Run,
    Requires,
    ExpectedFailure,
    /// Understood by lit, not by this runner.
    Foreign,
}

/// The names of the directives that the runner understands, without the colon.
pub(crate) const DIRECTIVE_NAMES: [&str; 3] = ["RUN", "REQUIRES", "XFAIL"];

/// Reads the directives of a whole file.
pub(crate) fn parse_directives(source: &str) -> Result<Directives, Refusal> {
    let mut directives = Directives::default();
    let mut continues = false;
    for (index, text) in source.lines().enumerate() {
        let line = index + 1;
        let Some((word, keyword, rest)) = first_keyword(text) else { continue };
        if continues && !matches!(keyword, Keyword::Run) {
            return Err(Refusal::new(line, format!("`{word}` interrupts a RUN line that ends in `\\`")));
        }
        match keyword {
            Keyword::Run => continues = add_run_line(&mut directives.run_lines, line, rest.trim(), continues),
            Keyword::Requires => directives.requires.extend(parse_features(line, rest)?),
            Keyword::ExpectedFailure if rest.trim() == "*" => directives.expected_failure = ExpectedFailure::Always,
            Keyword::ExpectedFailure => {
                directives.expected_failure = ExpectedFailure::With(parse_features(line, rest)?);
            }
            Keyword::Foreign => {
                return Err(Refusal::new(line, format!("lit reads `{word}`, this runner does not")));
            }
        }
    }
    match directives.run_lines.last() {
        None => Err(Refusal::new(1, "no RUN line: the file tests nothing")),
        Some(last) if continues => Err(Refusal::new(last.line, "the last RUN line ends in `\\`")),
        Some(_) => Ok(directives),
    }
}

/// Adds a line, or what continues one; says whether the next continues it.
fn add_run_line(lines: &mut Vec<RunLine>, line: usize, text: &str, continues: bool) -> bool {
    let (text, open) = match text.strip_suffix('\\') {
        Some(text) => (text, true),
        None => (text, false),
    };
    match lines.last_mut() {
        Some(last) if continues => last.text.push_str(text),
        _ => lines.push(RunLine { line, text: text.to_owned() }),
    }
    open
}

fn first_keyword(text: &str) -> Option<(&'static str, Keyword, &str)> {
    KEYWORDS
        .iter()
        .filter_map(|&(word, keyword)| text.find(word).map(|at| (at, word, keyword)))
        .min_by_key(|&(at, word, _)| (at, std::cmp::Reverse(word.len())))
        .map(|(at, word, keyword)| (word, keyword, &text[at + word.len()..]))
}

fn parse_features(line: usize, list: &str) -> Result<Vec<Feature>, Refusal> {
    list.split(',')
        .map(|name| {
            Feature::from_name(name.trim()).ok_or_else(|| {
                let known = Feature::ALL.map(Feature::name).join(", ");
                Refusal::new(line, format!("`{}` is no feature; there are {known}", name.trim()))
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(source: &str) -> String {
        parse_directives(source).expect_err("the directives are refused").message
    }

    #[test]
    fn run_lines_are_joined() {
        let directives = parse_directives("// RUN: %coro-opt %s \\\n// RUN:   | FileCheck %s\n// RUN: true\n").unwrap();
        let lines: Vec<_> = directives.run_lines.iter().map(|run| (run.line, run.text.as_str())).collect();
        assert_eq!(lines, [(1, "%coro-opt %s | FileCheck %s"), (3, "true")]);
    }

    #[test]
    fn features_and_expected_failures() {
        let directives = parse_directives("// REQUIRES: nvptx, mlir-opt\n// XFAIL: *\n// RUN: true\n").unwrap();
        assert_eq!(directives.requires, [Feature::Nvptx, Feature::MlirOpt]);
        assert_eq!(directives.expected_failure, ExpectedFailure::Always);
        let directives = parse_directives("// XFAIL: gpu\n// RUN: true\n").unwrap();
        assert_eq!(directives.expected_failure, ExpectedFailure::With(vec![Feature::Gpu]));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        assert!(refusal("").contains("no RUN line"));
        assert!(refusal("// RUN: true \\\n").contains("ends in"));
        assert!(refusal("// RUN: true \\\n// XFAIL: *\n// RUN: | true\n").contains("interrupts"));
        assert!(refusal("// REQUIRES: mlir-optt\n// RUN: true\n").contains("no feature"));
        assert!(refusal("// REQUIRES: gpu || nvptx\n// RUN: true\n").contains("no feature"));
        assert!(refusal("// UNSUPPORTED: gpu\n// RUN: true\n").contains("UNSUPPORTED:"));
        assert!(refusal("// REDEFINE: %{a} = b\n// RUN: true\n").contains("`REDEFINE:`"));
    }
}
