use super::*;
use crate::dialect::DialectRegistry;

/// Checks a text against reports given as severity, line (0 for an unknown place) and message, and lists the
/// differences as line and message.
fn check(text: &str, reports: &[(Severity, u32, &str)]) -> Vec<(u32, String)> {
    let context = Context::new(DialectRegistry::new());
    let file = context.sources().add("t.mlir", text).expect("a test's text is small");
    let mut reported = Diagnostics::new();
    for &(severity, line, message) in reports {
        let place = match line {
            0 => Place::Location(Location::UNKNOWN),
            _ => Place::Span(start_of_line(file, line)),
        };
        let diagnostic = Diagnostic::error("c", place, message);
        reported.report(Diagnostic { severity, ..diagnostic });
    }
    let mut differences = Diagnostics::new();
    let expectations = Expectations::read(file, 0..text.len(), &mut differences);
    differences.extend(expectations.check(&context, &reported));
    let line = |diagnostic: &Diagnostic| match diagnostic.place {
        Place::Span(span) => file.line_and_column(span.start).0,
        Place::Location(_) => 0,
    };
    differences.as_slice().iter().map(|one| (line(one), one.message.clone())).collect()
}

fn start_of_line(file: &SourceFile, line: u32) -> Span {
    let before: usize = file.text().split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
    let start = file.start() + before as u32;
    Span { start, end: start }
}

const ERROR: Severity = Severity::Error;

#[test]
fn what_is_expected_is_no_difference() {
    let text = "\
a // expected-error {{one}}
// expected-error @+1 {{two}}
b
// expected-warning@below {{three}}
  // expected-note @below {{four}}

c
d // not expected
// expected-remark @above {{five}}
// expected-remark-re@-2 {{s{{i+}}x [.]}}
// expected-error @unknown {{seven {{}} and}}
";
    let reports = [
        (ERROR, 1, "xonex"),
        (ERROR, 3, "two"),
        (Severity::Warning, 6, "three"),
        (Severity::Note, 6, "four"),
        (Severity::Remark, 8, "five"),
        (Severity::Remark, 8, "siiix [.]"),
        (ERROR, 0, "seven {{}} and"),
    ];
    assert_eq!(check(text, &reports), []);
}

#[test]
fn differences_are_told_apart() {
    let text = "a // expected-error {{one}}\nb\n";
    let difference = |line, message: &str| (line, message.to_owned());
    assert_eq!(check(text, &[]), [difference(1, "expected error \"one\" was not produced")]);
    assert_eq!(
        check(text, &[(ERROR, 2, "one")]),
        [difference(2, "unexpected error: one"), difference(1, "expected error \"one\" was not produced")]
    );
    assert_eq!(
        check(text, &[(Severity::Warning, 1, "one")]),
        [difference(1, "'warning' diagnostic emitted when expecting a 'error'")]
    );
    assert_eq!(check(text, &[(ERROR, 1, "one"), (ERROR, 1, "one")]), [difference(1, "unexpected error: one")]);
    assert_eq!(check("", &[(ERROR, 0, "m")]), [difference(0, "unexpected error: m")]);
}

#[test]
fn malformed_comments_are_errors() {
    for text in [
        "// expected-error",
        "// expected-error {one}",
        "// expected-error {{one}} and more",
        "// expected-error @left {{one}}",
        "// expected-error @+ {{one}}",
        "// expected-error-re {{a{{b}}",
        "// expected-error-re {{a{{[}}}}",
    ] {
        assert_eq!(check(text, &[]).len(), 1, "{text}");
    }
    for text in ["\"expected-error\"", "// unexpected", "// expected-eror {{x}}", "expected-error {{x"] {
        assert_eq!(check(text, &[]), [], "{text}");
    }
}

#[test]
fn lines_outside_of_the_text_are_not_met() {
    for text in
        ["// expected-error @-5 {{a}}", "// expected-error @+99999999999 {{a}}", "// expected-error @below {{a}}"]
    {
        let differences = check(text, &[(ERROR, 0, "a")]);
        assert_eq!(differences.len(), 2, "{text}");
    }
}

#[test]
fn parts_of_a_text_know_their_true_lines() {
    let text = "a\n// -----\n// expected-error @+1 {{x}}\nb\n";
    let parts = split_input(text, Some("// -----"));
    assert_eq!(parts, [0..2, 11..text.len()]);
    let context = Context::new(DialectRegistry::new());
    let file = context.sources().add("t.mlir", text).expect("a test's text is small");
    let mut diagnostics = Diagnostics::new();
    let mut reported = Diagnostics::new();
    reported.report(Diagnostic::error("c", start_of_line(file, 4), "x"));
    for (part, reported) in parts.into_iter().zip([Diagnostics::new(), reported]) {
        let expectations = Expectations::read(file, part, &mut diagnostics);
        assert_eq!(expectations.check(&context, &reported), Diagnostics::new());
    }
    assert!(!diagnostics.has_errors());
}

#[test]
fn notes_are_diagnostics_too() {
    let context = Context::new(DialectRegistry::new());
    let text = "a // expected-error {{e}}\nb // expected-note {{n}}\nc\n";
    let file = context.sources().add("t.mlir", text).expect("a test's text is small");
    let diagnostic = Diagnostic::error("c", start_of_line(file, 1), "e")
        .note(start_of_line(file, 2), "n")
        .note(Location::file_line_column(&context, "t.mlir", 3, 1), "m")
        .remark_note("need not be expected");
    let mut reported = Diagnostics::new();
    reported.report(diagnostic);
    let expectations = Expectations::read(file, 0..text.len(), &mut Diagnostics::new());
    let differences = expectations.check(&context, &reported);
    let messages: Vec<&str> = differences.as_slice().iter().map(|one| &*one.message).collect();
    assert_eq!(messages, ["unexpected note: m"]);
}

#[test]
fn only_lines_that_are_the_marker_split() {
    let text = "a\n// -----\nb // -----\n  // ----- \r\n// ----- no\nc";
    let parts: Vec<&str> = split_input(text, Some("// -----")).into_iter().map(|range| &text[range]).collect();
    assert_eq!(parts, ["a\n", "b // -----\n", "// ----- no\nc"]);
    assert_eq!(&text[split_input(text, None)[0].clone()], text);
    assert!(split_input("", Some("//"))[0].is_empty());
}
