//! Texts that say which faults are on which lines.

use fermata_ir::diagnostic::Place;
use fermata_ir::text::{ParseOptions, parse_module};
use fermata_ir::verifier::{VerifyOptions, verify};
use fermata_ir::{Body, Context, Diagnostics, Location};

use crate::dialect::context;

/// Code and line of a fault.
pub(crate) type Found = (u32, String);

pub(crate) fn parse(context: &Context, text: &str) -> Body {
    let file = context.sources().add("test.mlir", text).expect("a test's text is small");
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let mut diagnostics = Diagnostics::new();
    let body = parse_module(context, file, &options, &mut diagnostics);
    body.unwrap_or_else(|| panic!("the text is not accepted: {:#?}", diagnostics.as_slice()))
}

pub(crate) fn faults(context: &Context, body: &Body, options: &VerifyOptions) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    verify(context, body, options, &mut diagnostics);
    diagnostics
}

/// Line of a place in the test's text, 0 if it has none.
pub(crate) fn line(context: &Context, place: Place) -> u32 {
    let position = match place {
        Place::Span(span) => Some(span.start),
        Place::Location(location) => Location::position(location, context),
    };
    let file = |position| context.sources().file_at(position).map(|file| file.line_and_column(position).0);
    position.and_then(file).unwrap_or(0)
}

/// Parses a text, verifies it, and compares what is found with the comments `// error: code, code` at the ends of its
/// lines. Checks that more threads and checked links change nothing.
pub(crate) fn check(text: &str) -> Diagnostics {
    check_with(text, VerifyOptions { allow_unregistered: true, ..VerifyOptions::default() })
}

pub(crate) fn check_with(text: &str, options: VerifyOptions) -> Diagnostics {
    let context = context();
    let body = parse(&context, text);
    let diagnostics = faults(&context, &body, &options);
    let found: Vec<Found> = diagnostics
        .as_slice()
        .iter()
        .map(|diagnostic| (line(&context, diagnostic.place), diagnostic.code.to_owned()))
        .collect();
    let expected: Vec<Found> = (1..).zip(text.lines()).flat_map(|(line, text)| expected_on(line, text)).collect();
    assert_eq!(found, expected, "{:#?}", diagnostics.as_slice());
    for (parallel, check_links) in [(true, false), (false, true)] {
        assert_eq!(diagnostics, faults(&context, &body, &VerifyOptions { parallel, check_links, ..options }));
    }
    diagnostics
}

fn expected_on(line: u32, text: &str) -> Vec<Found> {
    match text.split_once("// error: ") {
        Some((_, codes)) => codes.split(", ").map(|code| (line, code.trim().to_owned())).collect(),
        None => Vec::new(),
    }
}
