//! Texts that are read must print and read back as the same thing.

use fermata_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use fermata_ir::verifier::{VerifyOptions, verify};
use fermata_ir::{Body, Context, Diagnostics};

use crate::{Target, Verdict, as_text};

pub(crate) const TARGET: Target = Target {
    name: "text",
    description: "Reads a text; what was read prints, reads back and prints the same, in both forms",
    run,
    seeds: &[
        "module @m {\n  \"a.b\"() {x = 1 : i32} : () -> ()\n}\n",
        "%0:2 = \"a.b\"() : () -> (i32, vector<4xf32>)\n\"c.d\"(%0#1)[^bb1] ({\n^bb1(%a: i1):\n}) : (vector<4xf32>) -> ()\n",
        "#a = dense<[1, 2]> : tensor<2xi32>\n!t = tuple<i1, none>\n\"a.b\"() <{p = #a, q = @f::@g, r = [unit, 0x7FC00000 : f32]}> : () -> !t loc(\"f\":1:2)\n",
    ],
};

fn run(data: &[u8]) -> Verdict {
    let text = as_text(data);
    let context = Context::new(coro_opt::dialects());
    let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
    let Some(body) = parse(&context, &text, &options)? else {
        return Ok(());
    };
    let mut faults = Diagnostics::new();
    verify(
        &context,
        &body,
        &VerifyOptions { allow_unregistered: true, check_links: true, ..VerifyOptions::default() },
        &mut faults,
    );
    if let Some(broken) = faults.as_slice().iter().find(|fault| fault.code == "broken-link") {
        return Err(format!("the parser made a body with a broken link: {}", broken.message));
    }
    reads_back(&context, &body, PrintOptions { generic: true, debug_info: true }, &options)?;
    // Custom forms promise to print valid IR only.
    if !faults.has_errors() {
        reads_back(&context, &body, PrintOptions { generic: false, debug_info: true }, &options)?;
        reads_back(&context, &body, PrintOptions::default(), &options)?;
    }
    Ok(())
}

/// A body without diagnostics, or diagnostics without a body.
fn parse(context: &Context, text: &str, options: &ParseOptions) -> Result<Option<Body>, String> {
    let file = context.sources().add("fuzz", text).map_err(|error| error.to_string())?;
    let mut diagnostics = Diagnostics::new();
    let body = parse_module(context, file, options, &mut diagnostics);
    match (body.is_some(), diagnostics.has_errors()) {
        (true, true) => Err("a text with errors gave a body".to_owned()),
        (false, false) => Err("a text was refused without an error".to_owned()),
        _ => Ok(body),
    }
}

pub(crate) fn reads_back(context: &Context, body: &Body, print: PrintOptions, options: &ParseOptions) -> Verdict {
    let printed = print_module(context, body, &print);
    let file = context.sources().add("printed", &*printed).map_err(|error| error.to_string())?;
    let mut diagnostics = Diagnostics::new();
    let Some(again) = parse_module(context, file, options, &mut diagnostics) else {
        let first = diagnostics.as_slice().first().map_or("no message", |diagnostic| &diagnostic.message);
        return Err(format!("what was printed cannot be read ({print:?}): {first}\n{printed}"));
    };
    let reprinted = print_module(context, &again, &print);
    if reprinted != printed {
        return Err(format!("what was printed reads back as something else ({print:?}):\n{printed}\n---\n{reprinted}"));
    }
    if print.debug_info {
        let generic = PrintOptions { generic: true, ..print };
        let (before, after) = (print_module(context, body, &generic), print_module(context, &again, &generic));
        if before != after {
            return Err(format!("a custom form leaves something out:\n{printed}\n---\n{before}\n---\n{after}"));
        }
    }
    Ok(())
}
