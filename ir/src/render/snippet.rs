//! Source lines with carets.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::place::Resolved;
use crate::context::Context;
use crate::diagnostic::Severity;
use crate::source::{SourceFile, Span};

/// Of a longer line only a window around the place is shown.
const LONGEST_LINE: usize = 240;

/// A note this many bytes away or less is shown in the same snippet as the message it belongs to.
const NEAR: u32 = 2000;

/// Whether a note can be a label in the snippet of the message.
pub(super) fn is_near(primary: &Resolved, note: &Resolved) -> bool {
    match (primary.span, note.span) {
        (Some(primary), Some(note)) => primary.start.abs_diff(note.start) <= NEAR,
        _ => false,
    }
}

/// Appends the lines of a place with its labels, and footers such as help.
pub(super) fn draw(
    context: &Context,
    severity: Severity,
    primary: &Resolved,
    labels: &[(Resolved, &str)],
    footers: &[(&str, &str)],
    color: bool,
    output: &mut String,
) {
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Remark => Level::INFO,
        Severity::Note => Level::NOTE,
    };
    let mut group = Group::with_level(level);
    let file = primary.span.and_then(|span| context.sources().file_at(span.start));
    let mut far = Vec::new();
    if let (Some(span), Some(file)) = (primary.span, file) {
        let mut window = Window::around(file, span);
        let mut snippet_labels = Vec::new();
        for (place, message) in labels {
            match place.span.filter(|span| window.include(file, *span)) {
                Some(span) => snippet_labels.push((span, message)),
                None => far.push((place, message)),
            }
        }
        let mut snippet = Snippet::source(window.text(file)).line_start(window.first_line(file));
        snippet = snippet.annotation(AnnotationKind::Primary.span(window.clip(file, span)));
        for (span, message) in snippet_labels {
            let label = label_text(message);
            snippet = snippet.annotation(AnnotationKind::Context.span(window.clip(file, span)).label(label));
        }
        group = group.element(snippet);
    } else {
        far.extend(labels.iter().map(|(place, message)| (place, message)));
    }
    let notes: Vec<String> = far.iter().map(|(place, message)| format!("{}: {message}", place.text)).collect();
    for note in &notes {
        group = group.element(Level::NOTE.message(label_text(note)));
    }
    for &(word, message) in footers {
        let level = if word == "help" { Level::HELP } else { Level::NOTE };
        group = group.element(level.message(label_text(message)));
    }
    if group.is_empty() {
        return;
    }
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    output.push_str(&renderer.render(&[group]));
    output.push('\n');
}

fn label_text(message: &str) -> String {
    let mut text = String::new();
    super::printable(message, false, &mut text);
    text
}

/// A part of a file that is shown: whole lines, or a part of one line that is too long.
struct Window {
    range: Range<usize>,
}

impl Window {
    fn around(file: &SourceFile, span: Span) -> Self {
        let at = (span.start - file.start()) as usize;
        let line = line_of(file.text(), at);
        if line.len() <= LONGEST_LINE {
            return Self { range: line };
        }
        let before = LONGEST_LINE / 3;
        let start = boundary(file.text(), at.saturating_sub(before).max(line.start));
        let end = boundary(file.text(), (start + LONGEST_LINE).min(line.end));
        Self { range: start..end }
    }

    /// Grows over the line of another place, if all lines in between are short enough to be shown.
    fn include(&mut self, file: &SourceFile, span: Span) -> bool {
        let Some(at) = span.start.checked_sub(file.start()).map(|at| at as usize) else { return false };
        if at > file.text().len() {
            return false;
        }
        if self.range.contains(&at) || self.range.end == at {
            return true;
        }
        let line = line_of(file.text(), at);
        if line.len() > LONGEST_LINE || line_of(file.text(), self.range.start).len() > LONGEST_LINE {
            return false;
        }
        let grown = self.range.start.min(line.start)..self.range.end.max(line.end);
        let short = file.text()[grown.clone()].split('\n').all(|line| line.len() <= LONGEST_LINE);
        if short {
            self.range = grown;
        }
        short
    }

    fn text<'a>(&self, file: &'a SourceFile) -> &'a str {
        &file.text()[self.range.clone()]
    }

    fn first_line(&self, file: &SourceFile) -> usize {
        file.line_and_column(file.start() + self.range.start as u32).0 as usize
    }

    /// The part of a span on its first line, as offsets in the window.
    fn clip(&self, file: &SourceFile, span: Span) -> Range<usize> {
        let text = self.text(file);
        let start = ((span.start - file.start()) as usize).saturating_sub(self.range.start).min(text.len());
        let start = boundary(text, start);
        let line_end = text[start..].find(['\n', '\r']).map_or(text.len(), |length| start + length);
        let length = (span.end - span.start) as usize;
        let end = boundary(text, start.saturating_add(length).min(line_end));
        start..end.max(start)
    }
}

/// The line that holds a byte, without its end.
fn line_of(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |newline| newline + 1);
    let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
    let end = if end > start && bytes[end - 1] == b'\r' { end - 1 } else { end };
    start..end.max(start)
}

/// The start of the character that a byte belongs to.
fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
