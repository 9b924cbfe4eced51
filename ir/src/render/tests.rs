use super::*;
use crate::dialect::DialectRegistry;
use crate::location::Location;
use crate::source::Span;

fn context() -> Context {
    Context::new(DialectRegistry::new())
}

fn rendered(context: &Context, diagnostic: &Diagnostic) -> String {
    let mut output = String::new();
    render_one(context, diagnostic, RenderOptions::default(), &mut output);
    output
}

fn plain(context: &Context, diagnostic: &Diagnostic) -> String {
    let mut diagnostics = Diagnostics::new();
    diagnostics.report(diagnostic.clone());
    render(context, &diagnostics, RenderOptions { plain: true, color: false })
}

/// Adds a text and gives the span of the first `part` in it.
fn span_of(context: &Context, text: &str, part: &str) -> Span {
    let file = context.sources().add("dir/a.xir", text).expect("a test's text is small");
    let start = file.start() + text.find(part).expect("the part is in the text") as u32;
    Span { start, end: start + part.len() as u32 }
}

#[test]
fn notes_nearby_are_labels_and_the_rest_follows() {
    let context = context();
    let text = "%0 = \"a.b\"() : () -> i32\n\n\n\"c.d\"(%1) : (i32) -> ()\n";
    let used = span_of(&context, text, "%1");
    let defined = Span { start: used.start - 33, end: used.start - 31 };
    let diagnostic = Diagnostic::error("undefined-value", used, "no '%1'")
        .note(defined, "similar")
        .remark_note("one\ntwo")
        .help("use '%0'");
    let expected = "\
dir/a.xir:4:7: error: no '%1' [undefined-value]
  |
1 | %0 = \"a.b\"() : () -> i32
  | -- similar
...
4 | \"c.d\"(%1) : (i32) -> ()
  |       ^^
  |
  = note: one
          two
  = help: use '%0'
";
    assert_eq!(rendered(&context, &diagnostic), expected);
    let expected = "\
dir/a.xir:4:7: error: no '%1' [undefined-value]
dir/a.xir:1:1: note: similar
dir/a.xir:4:7: note: one\\ntwo
dir/a.xir:4:7: help: use '%0'
";
    assert_eq!(plain(&context, &diagnostic), expected);
}

#[test]
fn notes_far_away_and_in_other_files_are_messages_of_their_own() {
    let context = context();
    let other = span_of(&context, "first\nsecond\n", "second");
    let text = format!("start\n{}end\n", "filler filler filler\n".repeat(200));
    let start = span_of(&context, &text, "start");
    let end = Span { start: start.start + text.len() as u32 - 4, end: start.start + text.len() as u32 - 1 };
    let diagnostic = Diagnostic::warning("w", end, "far").note(start, "here").note(other, "and there");
    let expected = "\
dir/a.xir:202:1: warning: far [w]
    |
202 | end
    | ^^^
dir/a.xir:1:1: note: here
  |
1 | start
  | ^^^^^
dir/a.xir:2:1: note: and there
  |
2 | second
  | ^^^^^^
";
    assert_eq!(rendered(&context, &diagnostic), expected);
}

#[test]
fn call_sites_name_their_callers_innermost_first() {
    let context = context();
    let callee = Location::source(span_of(&context, "\"a.b\"() : () -> ()", "\"a.b\"").start);
    let inner = Location::file_line_column(&context, "lang.x", 3, 4);
    let outer = Location::name(&context, "main", Location::UNKNOWN);
    let expected = "\
dir/a.xir:1:1: error: bad [c]
lang.x:3:4: note: called from
<unknown>:0: note: loc(\"main\"): called from
";
    for location in [
        Location::call_site(&context, callee, Location::call_site(&context, inner, outer)),
        Location::call_site(&context, Location::call_site(&context, callee, inner), outer),
    ] {
        assert_eq!(plain(&context, &Diagnostic::error("c", location, "bad")), expected);
    }
}

#[test]
fn locations_say_as_much_as_they_know() {
    let context = context();
    let name = Location::name(&context, "n", Location::UNKNOWN);
    let file = Location::file_line_column(&context, "f", 1, 2);
    let fused = Location::fused(&context, None, &[Location::UNKNOWN, file, name]);
    let named = Location::name(&context, "n", file);
    let start = |location| rendered(&context, &Diagnostic::remark("c", location, "m"));
    assert_eq!(start(Location::UNKNOWN), "<unknown>:0: remark: m [c]\n");
    assert_eq!(start(name), "<unknown>:0: remark: loc(\"n\"): m [c]\n");
    assert_eq!(start(fused), "f:1:2: remark: m [c]\n");
    assert_eq!(start(named), "f:1:2: remark: m [c]\n");
}

#[test]
fn deep_locations_end() {
    let context = context();
    let mut location = Location::UNKNOWN;
    for index in 0..100_000 {
        location = Location::call_site(&context, location, Location::file_line_column(&context, "f", index, 1));
    }
    assert!(plain(&context, &Diagnostic::error("c", location, "m")).lines().count() <= 70);
}

#[test]
fn of_a_long_line_only_a_part_is_shown() {
    let context = context();
    let text = "ä".repeat(1_000_000) + "%ü" + &"ß ".repeat(1_000_000);
    let span = span_of(&context, &text, "%ü");
    let shown = rendered(&context, &Diagnostic::error("c", span, "long"));
    assert!(shown.starts_with("dir/a.xir:1:2000001: error: long [c]\n"), "{shown}");
    assert!(shown.len() < 2000, "{shown}");
    assert!(shown.contains("%ü"));
    let end = Span { start: span.start + text.len() as u32 - 2_000_000, end: u32::MAX };
    assert!(rendered(&context, &Diagnostic::error("c", end, "past the end")).len() < 2000);
}

#[test]
fn places_at_edges_are_shown() {
    let context = context();
    for text in ["", "a", "a\r\n", "\r\n\t\u{1F600}\u{301}x", "\0\u{1b}[31m"] {
        let file = context.sources().add("f", text).expect("a test's text is small");
        for start in 0..=text.len() as u32 {
            for end in start..=text.len() as u32 + 2 {
                let span = Span { start: file.start() + start, end: file.start() + end };
                let diagnostic = Diagnostic::error("c", span, "m").note(span, "n");
                let shown = rendered(&context, &diagnostic);
                assert!(!shown.contains('\u{1b}'), "{shown:?}");
            }
        }
    }
    let nowhere = Span { start: u32::MAX - 1, end: u32::MAX };
    assert_eq!(rendered(&context, &Diagnostic::error("c", nowhere, "m\u{7}")), "<unknown>:0: error: m\\u{7} [c]\n");
}

#[test]
fn colours_are_on_demand() {
    let context = context();
    let span = span_of(&context, "abc", "b");
    let mut output = String::new();
    let options = RenderOptions { plain: false, color: true };
    render_one(&context, &Diagnostic::error("c", span, "m"), options, &mut output);
    assert!(output.starts_with("\u{1b}[1mdir/a.xir:1:2:\u{1b}[0m \u{1b}[1;31merror:\u{1b}[0m "), "{output:?}");
}
