//! Diagnostics that a test expects, written as comments in its text.
//!
//! ```text
//! "t.op"(%a) : (i32) -> ()   // expected-error {{a part of the message}}
//! // expected-warning @+1 {{for the next line}}
//! // expected-note @below {{for the next line that is no such comment}}
//! // expected-remark-re @above {{with {{reg[a-z]*}} expressions}}
//! // expected-error @unknown {{at no place in the text}}
//! ```
//!
//! The syntax is that of `mlir-opt --verify-diagnostics`: one expectation a line, the text between the outermost double
//! braces, which end the line. An expectation is met by one diagnostic, of its severity and on its line, whose message
//! contains its text. All expectations must be met, and nothing else may be reported. Notes count as diagnostics of
//! their own; those without a place need not be expected. Help is not looked at.

mod pattern;
mod scan;

#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::context::Context;
use crate::diagnostic::{Diagnostic, Diagnostics, Place, Severity};
use crate::location::{Location, LocationKind};
use crate::render::severity_word;
use crate::source::{SourceFile, Span};
use pattern::Pattern;

/// What a text, or a part of one, expects.
pub struct Expectations<'f> {
    file: &'f SourceFile,
    list: Vec<Expectation>,
}

struct Expectation {
    severity: Severity,
    /// 1-based; nothing for a place outside of the text.
    line: Option<u32>,
    pattern: Pattern,
    span: Span,
    met: bool,
}

impl<'f> Expectations<'f> {
    /// Reads the comments in `range`, offsets in the text of `file`. What only looks like one is an error.
    pub fn read(file: &'f SourceFile, range: Range<usize>, diagnostics: &mut Diagnostics) -> Self {
        Self { file, list: scan::scan(file, range, diagnostics) }
    }

    /// Compares with what was reported. The result holds an error for each difference, so it is empty if all is as
    /// expected.
    pub fn check(mut self, context: &Context, reported: &Diagnostics) -> Diagnostics {
        let mut differences = Diagnostics::new();
        for diagnostic in reported.as_slice() {
            self.meet(context, diagnostic.severity, diagnostic.place, &diagnostic.message, &mut differences);
            for note in &diagnostic.notes {
                match note.place {
                    Some(place) => self.meet(context, Severity::Note, place, &note.message, &mut differences),
                    None => {
                        let line = self.line_of(context, diagnostic.place);
                        if let Some(found) = self.find(Severity::Note, line, &note.message) {
                            self.list[found].met = true;
                        }
                    }
                }
            }
        }
        for missed in self.list.iter().filter(|expectation| !expectation.met) {
            let message =
                format!("expected {} \"{}\" was not produced", severity_word(missed.severity), missed.pattern.text());
            differences.report(Diagnostic::error("expected-diagnostic", missed.span, message));
        }
        differences
    }

    fn meet(
        &mut self,
        context: &Context,
        severity: Severity,
        place: Place,
        message: &str,
        differences: &mut Diagnostics,
    ) {
        let line = self.line_of(context, place);
        if let Some(found) = self.find(severity, line, message) {
            self.list[found].met = true;
            return;
        }
        let word = severity_word(severity);
        let near = self.list.iter_mut().find(|one| !one.met && one.line == line && one.pattern.matches(message));
        differences.report(match near {
            Some(near) => {
                // Said once: it is not reported as missing as well.
                near.met = true;
                let expected = severity_word(near.severity);
                let message = format!("'{word}' diagnostic emitted when expecting a '{expected}'");
                Diagnostic::error("unexpected-diagnostic", near.span, message)
            }
            None => Diagnostic::error("unexpected-diagnostic", place, format!("unexpected {word}: {message}")),
        });
    }

    /// The expectation that a message meets; of several the first.
    fn find(&self, severity: Severity, line: Option<u32>, message: &str) -> Option<usize> {
        let meets = |one: &Expectation| {
            !one.met && one.severity == severity && one.line == line && one.pattern.matches(message)
        };
        self.list.iter().position(meets)
    }

    /// The line of a place in this text.
    fn line_of(&self, context: &Context, place: Place) -> Option<u32> {
        match place {
            Place::Span(span) => self.line_at(span.start),
            Place::Location(location) => match location.position(context) {
                Some(position) => self.line_at(position),
                None => self.written_line(context, location),
            },
        }
    }

    fn line_at(&self, position: u32) -> Option<u32> {
        let end = self.file.start() as usize + self.file.text().len();
        let inside = (self.file.start() as usize..=end).contains(&(position as usize));
        inside.then(|| self.file.line_and_column(position).0)
    }

    /// The line of a location that the text itself spells out, with this file's name.
    fn written_line(&self, context: &Context, location: Location) -> Option<u32> {
        let mut pending = vec![location];
        while let Some(location) = pending.pop() {
            match location.kind(context) {
                LocationKind::FileLineColumn { file, line, .. } if file.as_str(context) == self.file.name() => {
                    return Some(line);
                }
                LocationKind::Name { child, .. } => pending.push(child),
                LocationKind::CallSite { callee, caller } => pending.extend([caller, callee]),
                LocationKind::Fused { locations, .. } => pending.extend(locations.iter().rev()),
                LocationKind::FileLineColumn { .. } | LocationKind::Source { .. } | LocationKind::Unknown => {}
            }
        }
        None
    }
}

/// The parts of a text between lines that are `marker`, blanks around it aside; the whole text without a marker.
#[must_use]
pub fn split_input(text: &str, marker: Option<&str>) -> Vec<Range<usize>> {
    let marker = marker.map(str::trim).filter(|marker| !marker.is_empty());
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in marker.iter().flat_map(|_| text.split_inclusive('\n')) {
        if Some(line.trim()) == marker {
            parts.push(start..at);
            start = at + line.len();
        }
        at += line.len();
    }
    parts.push(start..text.len());
    parts
}
