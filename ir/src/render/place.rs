//! Where a diagnostic is, for people.

use crate::context::Context;
use crate::diagnostic::Place;
use crate::location::{Location, LocationKind};
use crate::source::Span;

/// A place as it is shown.
pub(super) struct Resolved {
    /// `file:line:column`, or that nothing is known.
    pub(super) text: String,
    /// The range in the source texts, if the place is in one of them.
    pub(super) span: Option<Span>,
    /// What the location says of a place that is not known otherwise.
    pub(super) name: Option<String>,
}

/// Locations nest as deep as somebody builds them; a message shows so many steps.
const MOST_STEPS: usize = 64;

/// Resolves a place. The callers of a call site go to `calls`, innermost first.
pub(super) fn resolve(context: &Context, place: Place, calls: &mut Vec<Resolved>) -> Resolved {
    match place {
        Place::Span(span) => at_span(context, span),
        Place::Location(location) => at_location(context, location, calls),
    }
}

fn at_span(context: &Context, span: Span) -> Resolved {
    let text = match context.sources().file_at(span.start) {
        Some(file) => {
            let (line, column) = file.line_and_column(span.start);
            position(file.name(), line, column)
        }
        None => "<unknown>:0".to_owned(),
    };
    Resolved { text, span: Some(span), name: None }
}

fn position(file: &str, line: u32, column: u32) -> String {
    let mut text = String::new();
    super::printable(file, true, &mut text);
    format!("{text}:{line}:{column}")
}

/// Follows names, fusions and call sites to the places they lead to: the innermost first, its callers after it.
fn at_location(context: &Context, location: Location, calls: &mut Vec<Resolved>) -> Resolved {
    let mut pending = vec![location];
    let mut first = None;
    let mut steps = 0;
    while let Some(next) = pending.pop() {
        let resolved = leaf(context, next, &mut pending, &mut steps);
        if first.is_none() {
            first = Some(resolved);
        } else {
            calls.push(resolved);
        }
        if steps >= MOST_STEPS {
            break;
        }
    }
    first.expect("at least one location was pending")
}

fn leaf(context: &Context, mut current: Location, callers: &mut Vec<Location>, steps: &mut usize) -> Resolved {
    let mut outermost = None;
    while *steps < MOST_STEPS {
        *steps += 1;
        match current.kind(context) {
            LocationKind::Source { position: start } => {
                let span = current.span(context).unwrap_or(Span { start, end: start });
                return at_span(context, span);
            }
            LocationKind::FileLineColumn { file, line, column } => {
                return Resolved { text: position(file.as_str(context), line, column), span: None, name: None };
            }
            LocationKind::Name { name, child } => {
                outermost.get_or_insert(name);
                current = child;
            }
            LocationKind::CallSite { callee, caller } => {
                callers.push(caller);
                current = callee;
            }
            LocationKind::Fused { locations, .. } => {
                let known = locations.iter().copied().find(|&location| location != Location::UNKNOWN);
                current = known.unwrap_or(Location::UNKNOWN);
            }
            LocationKind::Unknown => break,
        }
    }
    let name = outermost.map(|name| format!("loc({:?})", name.as_str(context)));
    Resolved { text: "<unknown>:0".to_owned(), span: None, name }
}
