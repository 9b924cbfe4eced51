//! Finding the comments.

use std::ops::Range;

use super::{Expectation, Pattern};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::source::{SourceFile, Span};

const PREFIX: &str = "expected-";

const SEVERITIES: [(&str, Severity); 4] = [
    ("error", Severity::Error),
    ("warning", Severity::Warning),
    ("note", Severity::Note),
    ("remark", Severity::Remark),
];

/// A comment taken apart.
struct Designator<'t> {
    severity: Severity,
    is_expression: bool,
    line: Line,
    text: &'t str,
}

/// The line that an expectation is for.
enum Line {
    /// So many lines further on.
    Offset(i64),
    /// The last line that holds no expectation.
    Above,
    /// The next line that holds no expectation.
    Below,
    /// No line of the text.
    Unknown,
}

/// All expectations in a range of a text.
pub(super) fn scan(file: &SourceFile, range: Range<usize>, diagnostics: &mut Diagnostics) -> Vec<Expectation> {
    let mut found: Vec<Expectation> = Vec::new();
    let mut for_next_line: Vec<usize> = Vec::new();
    let first = file.line_and_column(file.start() + range.start as u32).0;
    let mut last_other_line = first;
    let mut at = range.start;
    for (number, line) in (first..).zip(file.text()[range].split('\n')) {
        let trimmed = line.trim_end();
        match find(trimmed) {
            Found::Nothing => {
                for index in for_next_line.drain(..) {
                    found[index].line = Some(number);
                }
                last_other_line = number;
            }
            Found::Malformed { offset, message } => {
                let span = span(file, at + offset, at + trimmed.len());
                let help = "write: // expected-error [@+N | @-N | @above | @below | @unknown] {{text}}";
                diagnostics.report(Diagnostic::error("malformed-expectation", span, message).help(help));
            }
            Found::Designator { offset, designator } => {
                let span = span(file, at + offset, at + trimmed.len());
                let pattern = if designator.is_expression {
                    Pattern::with_expressions(designator.text)
                } else {
                    Ok(Pattern::verbatim(designator.text))
                };
                match pattern {
                    Ok(pattern) => {
                        let line = match designator.line {
                            Line::Offset(offset) => Some(shifted(number, offset)),
                            Line::Above => Some(last_other_line),
                            Line::Below => {
                                for_next_line.push(found.len());
                                Some(number)
                            }
                            Line::Unknown => None,
                        };
                        found.push(Expectation { severity: designator.severity, line, pattern, span, met: false });
                    }
                    Err(message) => diagnostics.report(Diagnostic::error("malformed-expectation", span, message)),
                }
            }
        }
        at += line.len() + 1;
    }
    found
}

/// A line that is not in the text is met by nothing, which is then reported.
fn shifted(number: u32, offset: i64) -> u32 {
    u32::try_from(i64::from(number).saturating_add(offset)).unwrap_or(0)
}

fn span(file: &SourceFile, start: usize, end: usize) -> Span {
    Span { start: file.start() + start as u32, end: file.start() + end as u32 }
}

enum Found<'t> {
    Nothing,
    Malformed { offset: usize, message: &'static str },
    Designator { offset: usize, designator: Designator<'t> },
}

fn find(line: &str) -> Found<'_> {
    let mut malformed = None;
    for (offset, _) in line.match_indices(PREFIX) {
        let rest = &line[offset + PREFIX.len()..];
        let Some(&(word, severity)) = SEVERITIES.iter().find(|(word, _)| rest.starts_with(word)) else { continue };
        match designator(severity, &rest[word.len()..]) {
            Ok(designator) => return Found::Designator { offset, designator },
            Err(message) => {
                malformed.get_or_insert((offset, message));
            }
        }
    }
    match malformed {
        // Outside of a comment it is a part of the program, whatever it means there.
        Some((offset, message)) if line[..offset].contains("//") => Found::Malformed { offset, message },
        _ => Found::Nothing,
    }
}

fn designator(severity: Severity, rest: &str) -> Result<Designator<'_>, &'static str> {
    let (is_expression, rest) = match rest.strip_prefix("-re") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let rest = rest.trim_start_matches(' ');
    let (line, rest) = match rest.strip_prefix('@') {
        Some(rest) => place(rest)?,
        None => (Line::Offset(0), rest),
    };
    let text = rest.trim_start_matches(' ').strip_prefix("{{").ok_or("expected '{{' and a part of the message")?;
    let text = text.strip_suffix("}}").ok_or("expected '}}' at the end of the line")?;
    Ok(Designator { severity, is_expression, line, text })
}

fn place(text: &str) -> Result<(Line, &str), &'static str> {
    for (word, line) in [("above", Line::Above), ("below", Line::Below), ("unknown", Line::Unknown)] {
        if let Some(rest) = text.strip_prefix(word) {
            return Ok((line, rest));
        }
    }
    let Some(sign @ ('+' | '-')) = text.chars().next() else {
        return Err("expected a place: @+N, @-N, @above, @below or @unknown");
    };
    let digits = &text[1..];
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    let offset: i64 = digits[..length].parse().map_err(|_| "expected a number of lines after '@+' or '@-'")?;
    Ok((Line::Offset(if sign == '+' { offset } else { -offset }), &digits[length..]))
}
