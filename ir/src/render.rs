//! Diagnostics as text.
//!
//! A message begins with `file:line:column: severity: message [code]`, which editors and tools find, and goes on as
//! `rustc`'s do: the source line with carets, notes about places nearby as labels in it, notes about other places as
//! messages of their own, and help. The snippets are drawn by the `annotate-snippets` crate.
//!
//! Only what is shown is looked at: of a long line a window around the place, of a range over several lines the first.

mod place;
mod snippet;

#[cfg(test)]
mod tests;

use std::fmt::Write;

use crate::context::Context;
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use place::Resolved;

/// How diagnostics are shown.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct RenderOptions {
    /// One line for each message, note and help, without source lines.
    pub plain: bool,
    /// With the escape sequences of terminals for colours.
    pub color: bool,
}

/// What is said of the callers in a call site.
const CALLED_FROM: &str = "called from";

/// The text of all diagnostics in a list, in its order.
#[must_use]
pub fn render(context: &Context, diagnostics: &Diagnostics, options: RenderOptions) -> String {
    let mut output = String::new();
    for diagnostic in diagnostics.as_slice() {
        render_one(context, diagnostic, options, &mut output);
    }
    output
}

/// Appends the text of one diagnostic, which ends in a newline.
pub fn render_one(context: &Context, diagnostic: &Diagnostic, options: RenderOptions, output: &mut String) {
    let mut calls = Vec::new();
    let primary = place::resolve(context, diagnostic.place, &mut calls);
    let mut notes: Vec<(Resolved, &str)> = calls.into_iter().map(|place| (place, CALLED_FROM)).collect();
    for note in &diagnostic.notes {
        let Some(place) = note.place else { continue };
        let mut calls = Vec::new();
        notes.push((place::resolve(context, place, &mut calls), &note.message));
        notes.extend(calls.into_iter().map(|place| (place, CALLED_FROM)));
    }
    headline(&primary, diagnostic.severity, &diagnostic.message, diagnostic.code, options, output);
    if options.plain {
        for (place, message) in notes {
            headline(&place, Severity::Note, message, "", options, output);
        }
        for note in diagnostic.notes.iter().filter(|note| note.place.is_none()) {
            plain_line(&primary.text, "note", &note.message, output);
        }
        if let Some(help) = &diagnostic.help {
            plain_line(&primary.text, "help", help, output);
        }
        return;
    }
    let (near, far): (Vec<_>, Vec<_>) = notes.into_iter().partition(|(place, _)| snippet::is_near(&primary, place));
    let footers = diagnostic.notes.iter().filter(|note| note.place.is_none()).map(|note| ("note", &*note.message));
    let footers: Vec<(&str, &str)> = footers.chain(diagnostic.help.as_deref().map(|help| ("help", help))).collect();
    snippet::draw(context, diagnostic.severity, &primary, &near, &footers, options.color, output);
    for (place, message) in far {
        headline(&place, Severity::Note, message, "", options, output);
        snippet::draw(context, Severity::Note, &place, &[], &[], options.color, output);
    }
}

fn plain_line(place: &str, word: &str, message: &str, output: &mut String) {
    output.push_str(place);
    output.push_str(": ");
    output.push_str(word);
    output.push_str(": ");
    printable(message, true, output);
    output.push('\n');
}

/// The word for a severity in messages.
#[must_use]
pub fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Remark => "remark",
        Severity::Note => "note",
    }
}

fn headline(
    place: &Resolved,
    severity: Severity,
    message: &str,
    code: &str,
    options: RenderOptions,
    output: &mut String,
) {
    const BOLD: &str = "\x1b[1m";
    const RESET: &str = "\x1b[0m";
    let color = match severity {
        Severity::Error => "\x1b[1;31m",
        Severity::Warning => "\x1b[1;33m",
        Severity::Remark => "\x1b[1;34m",
        Severity::Note => "\x1b[1;36m",
    };
    let (bold, color, reset) = if options.color { (BOLD, color, RESET) } else { ("", "", "") };
    let word = severity_word(severity);
    let _ = write!(output, "{bold}{}:{reset} {color}{word}:{reset} {bold}", place.text);
    if let Some(name) = &place.name {
        let _ = write!(output, "{name}: ");
    }
    printable(message, options.plain, output);
    output.push_str(reset);
    if !code.is_empty() {
        let _ = write!(output, " [{code}]");
    }
    output.push('\n');
}

/// Appends a message with what would upset a terminal, or a tool that reads lines, written as escapes.
fn printable(message: &str, one_line: bool, output: &mut String) {
    for character in message.trim_end_matches('\n').chars() {
        match character {
            '\n' if one_line => output.push_str("\\n"),
            '\n' | '\t' => output.push(character),
            _ if character.is_control() => output.extend(character.escape_default()),
            _ => output.push(character),
        }
    }
}
