//! Check lines that nothing reads.
//!
//! FileCheck reports a prefix that no line uses; a line whose prefix no FileCheck uses is text to it. So a misspelt
//! directive beside a good one would pass for ever. Here each line of comment that looks like a directive must be one.

use std::collections::BTreeSet;

use crate::Refusal;
use crate::command::{Pipeline, ShellCommand};
use crate::directives::DIRECTIVE_NAMES;

const SUFFIXES: [&str; 6] = ["-NEXT", "-SAME", "-NOT", "-DAG", "-LABEL", "-EMPTY"];

/// Checks the check lines of a file against the FileCheck commands of its RUN lines.
pub(crate) fn verify_check_lines(source: &str, pipelines: &[Pipeline]) -> Result<(), Refusal> {
    let mut prefixes = BTreeSet::new();
    for pipeline in pipelines {
        for command in pipeline.commands.iter().filter(|command| command.words[0] == "FileCheck") {
            if command.negated {
                return Err(Refusal::new(pipeline.line, "`not FileCheck` passes without a check line; use CHECK-NOT"));
            }
            let own = prefixes_of(command);
            if reads_own_file(command) {
                for prefix in &own {
                    require_positive_line(source, prefix, pipeline.line)?;
                }
            }
            prefixes.extend(own);
        }
    }
    for (index, text) in source.lines().enumerate() {
        if let Some(message) = suspicion(text, &prefixes) {
            return Err(Refusal::new(index + 1, message));
        }
    }
    Ok(())
}

fn prefixes_of(command: &ShellCommand) -> Vec<String> {
    let mut prefixes = Vec::new();
    let mut words = command.words[1..].iter();
    while let Some(word) = words.next() {
        let option = word.trim_start_matches('-');
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (option, None),
        };
        if word.starts_with('-') && matches!(name, "check-prefix" | "check-prefixes") {
            let list = value.or_else(|| words.next().map(String::as_str)).unwrap_or_default();
            prefixes.extend(list.split(',').map(str::to_owned));
        }
    }
    if prefixes.is_empty() {
        prefixes.push("CHECK".to_owned());
    }
    prefixes
}

fn reads_own_file(command: &ShellCommand) -> bool {
    command.words[1..].iter().any(|word| word == "%s")
}

/// A prefix with CHECK-NOT lines alone would accept any output, an empty one excepted.
fn require_positive_line(source: &str, prefix: &str, run_line: usize) -> Result<(), Refusal> {
    let mut negative = false;
    for text in source.lines() {
        match directive_suffix(text, prefix) {
            Some("-NOT") => negative = true,
            Some(_) => return Ok(()),
            None => {}
        }
    }
    let message = match negative {
        true => format!("all lines of prefix {prefix} are {prefix}-NOT, so they say nothing about what must be there"),
        false => format!("FileCheck reads this file with prefix {prefix}, and no line has it"),
    };
    Err(Refusal::new(run_line, message))
}

/// The suffix (maybe empty) of the first directive of this prefix in a line, found anywhere as FileCheck does.
fn directive_suffix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    text.match_indices(prefix).find_map(|(at, _)| {
        let starts_word = !text[..at].ends_with(|before: char| before.is_ascii_alphanumeric() || "-_".contains(before));
        let rest = &text[at + prefix.len()..];
        let end = rest.find([':', '{'])?;
        (starts_word && is_suffix(&rest[..end])).then_some(&rest[..end])
    })
}

fn is_suffix(text: &str) -> bool {
    let count = text.strip_prefix("-COUNT-").is_some_and(|count| count.parse::<u32>().is_ok());
    text.is_empty() || count || SUFFIXES.contains(&text)
}

/// Why a line of comment looks like a directive that nothing reads.
fn suspicion(text: &str, prefixes: &BTreeSet<String>) -> Option<String> {
    let comment = text.trim_start().strip_prefix("//")?.trim_start();
    let end = comment.find(|c: char| !(c.is_ascii_alphanumeric() || "-_".contains(c))).unwrap_or(comment.len());
    let (word, rest) = comment.split_at(end);
    let ends_as_directive = rest.starts_with(':') || rest.starts_with("{LITERAL}:");
    if let Some(prefix) = prefixes.iter().find(|prefix| word.strip_prefix(prefix.as_str()).is_some_and(is_suffix)) {
        // A short prefix alone may be a word of prose.
        let surely_meant = word != prefix || prefix.contains("CHECK");
        let colon_missing = !ends_as_directive && (rest.is_empty() || rest.starts_with([' ', '\t']));
        return (surely_meant && colon_missing)
            .then(|| format!("`{word}` is the prefix {prefix} with no colon after it"));
    }
    let prose = word.chars().any(char::is_lowercase) && !prefixes.contains(base_of(&word.to_ascii_uppercase()));
    if !ends_as_directive || prose || word == "COM" || DIRECTIVE_NAMES.contains(&word) {
        return None;
    }
    let directives = prefixes.iter().map(String::as_str).chain(DIRECTIVE_NAMES);
    if let Some(near) = directives.flat_map(with_suffixes).find(|known| is_near(&word.to_ascii_uppercase(), known)) {
        return Some(format!("`{word}` is no directive; did you mean `{near}`?"));
    }
    let base = base_of(word);
    (base != word || base == "CHECK")
        .then(|| format!("`{word}` looks like a check line, and no FileCheck of this file reads prefix {base}"))
}

/// The word without a directive's suffix.
fn base_of(word: &str) -> &str {
    let at_suffix = word.char_indices().map(|(at, _)| at).find(|&at| at > 0 && is_suffix(&word[at..]));
    at_suffix.map_or(word, |at| &word[..at])
}

fn with_suffixes(prefix: &str) -> impl Iterator<Item = String> {
    std::iter::once("").chain(SUFFIXES).map(move |suffix| format!("{prefix}{suffix}"))
}

/// Whether a word is so close to a directive that a slip of the finger explains it.
fn is_near(word: &str, directive: &str) -> bool {
    let allowed = (directive.len() / 3).min(2);
    strsim::osa_distance(word, directive) <= allowed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse_pipeline;
    use crate::directives::parse_directives;

    fn verify(source: &str) -> Result<(), String> {
        let directives = parse_directives(source).unwrap();
        let pipelines: Vec<_> = directives.run_lines.iter().map(|run| parse_pipeline(run).unwrap()).collect();
        verify_check_lines(source, &pipelines).map_err(|refusal| refusal.message)
    }

    const RUN: &str = "// RUN: cat %s | FileCheck %s\n";

    #[test]
    fn ordinary_files_pass() {
        let all = "// CHECK: a\n// CHECK-NEXT: a\n// CHECK-COUNT-2: b\n// CHECK{LITERAL}: c\n// CHECK-NOT: d\n// COM: CHECK: e\n";
        assert_eq!(verify(&format!("{RUN}{all}// NOTE: a remark\n// The end: it is near.\n// See RFC: 1\n")), Ok(()));
        let prefixes =
            "// RUN: cat %s | FileCheck %s --check-prefixes=A,B-C -check-prefix D\n// A: x\n// B-C: y\n// D-DAG: z\n";
        assert_eq!(verify(prefixes), Ok(()));
        assert_eq!(verify("// RUN: cat %s\n// A comment: nothing to check.\n"), Ok(()));
        assert_eq!(verify("// RUN: cat %s | FileCheck %S/other\n"), Ok(()));
    }

    #[test]
    fn lines_that_nothing_reads_are_found() {
        for slip in [
            "CHCEK: b",
            "CHEKC-NEXT: b",
            "CHECK-NXT: b",
            "CHECK_NEXT: b",
            "CHECK b",
            "CHECK-NEXT b",
            "check: b",
            "CHECKX: b",
            "RNU: b",
        ] {
            let source = format!("{RUN}// CHECK: a\n// {slip}\n");
            assert!(verify(&source).is_err(), "accepted: {slip}");
        }
        assert!(verify("// RUN: cat %s | FileCheck %s --check-prefix=A\n// A: b\n// CHECK: c\n").is_err());
        assert!(verify("// RUN: cat %s\n// CHECK-LABEL: c\n").is_err());
        assert!(verify("// RUN: cat %s | FileCheck %s --check-prefix=OPT\n// OPT: a\n// O2-NEXT: b\n").is_err());
    }

    #[test]
    fn checks_that_cannot_fail_are_found() {
        assert!(verify(RUN).unwrap_err().contains("no line has it"));
        assert!(verify(&format!("{RUN}// CHECK-NOT: a\n")).unwrap_err().contains("CHECK-NOT"));
        assert!(verify("// RUN: cat %s | not FileCheck %s\n// CHECK: a\n").unwrap_err().contains("not FileCheck"));
    }
}
