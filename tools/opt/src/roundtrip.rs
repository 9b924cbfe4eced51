//! Checks that IR reads back from its own text.

use fermata_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use fermata_ir::{Body, Context, Diagnostic, Diagnostics};

const GENERIC: PrintOptions = PrintOptions { generic: true, debug_info: true };

/// Prints, reads and prints again, in the custom and in the generic form, with locations. The generic form of what was
/// read must be that of what was printed too, since a custom form may leave something out twice. Nothing if texts
/// differ or cannot be read, which is reported.
pub(crate) fn check_roundtrip(
    context: &Context,
    body: &Body,
    options: &ParseOptions,
    diagnostics: &mut Diagnostics,
) -> Option<()> {
    let meaning = print_module(context, body, &GENERIC);
    for (generic, form) in [(false, "custom"), (true, "generic")] {
        let print = PrintOptions { generic, ..GENERIC };
        let text = print_module(context, body, &print);
        let refuse = |diagnostics: &mut Diagnostics, message: String| {
            let location = body.location(body.root());
            diagnostics.report(Diagnostic::error("roundtrip", location, message));
            None
        };
        let Ok(file) = context.sources().add(format!("<{form} form>"), &*text) else {
            return refuse(diagnostics, format!("the {form} form is too large to be read back"));
        };
        let Some(again) = parse_module(context, file, options, diagnostics) else {
            return refuse(diagnostics, format!("the {form} form cannot be read back"));
        };
        let reprinted = print_module(context, &again, &print);
        let reread = print_module(context, &again, &GENERIC);
        let difference = [(&text, reprinted), (&meaning, reread)].into_iter().find(|(before, after)| *before != after);
        if let Some((before, after)) = difference {
            let (line, before, after) = first_difference(before, &after);
            let message = format!("the {form} form reads back as something else, from line {line} on");
            let diagnostic = Diagnostic::error("roundtrip", body.location(body.root()), message);
            let diagnostic = diagnostic.remark_note(format!("printed: {before}")).remark_note(format!("read: {after}"));
            diagnostics.report(diagnostic);
            return None;
        }
    }
    Some(())
}

/// Number and texts of the first line in which two texts differ.
fn first_difference<'t>(left: &'t str, right: &'t str) -> (usize, &'t str, &'t str) {
    let mut right_lines = right.lines();
    for (index, line) in left.lines().enumerate() {
        let other = right_lines.next().unwrap_or("the end");
        if line != other {
            return (index + 1, line.trim(), other.trim());
        }
    }
    (left.lines().count() + 1, "the end", right_lines.next().unwrap_or("the end").trim())
}
