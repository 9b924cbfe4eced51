//! A tool with a small dialect and passes that do what a test asks for.

use std::ffi::OsString;

use fermata_ir::constraints::SymbolName;
use fermata_ir::operation::{
    Arity, AttributeRule, OperationDeclaration, Presence, PropertyDeclaration, RegionDeclaration,
};
use fermata_ir::pass::{Pass, PassOptions, PassOutcome, PassRegistry, PassResult, PassTarget};
use fermata_ir::{Attribute, Context, Diagnostic, Dialect, DialectRegistry, OperationTraits};
use fermata_opt::{Streams, Tool};

struct TestDialect;

static FUNCTION: OperationDeclaration = OperationDeclaration {
    name: "t.func",
    documentation: "",
    traits: OperationTraits::ISOLATED_FROM_ABOVE.union(OperationTraits::NO_TERMINATOR).union(OperationTraits::SYMBOL),
    operands: &[],
    results: &[],
    properties: &[PropertyDeclaration {
        name: "sym_name",
        rule: AttributeRule::of::<SymbolName>(),
        presence: Presence::Optional,
        documentation: "",
    }],
    regions: &[RegionDeclaration { name: "body", arity: Arity::One, documentation: "" }],
    successors: &[],
    rules: &[],
    format: None,
    interfaces: &[],
};

impl Dialect for TestDialect {
    fn namespace(&self) -> &'static str {
        "t"
    }
    fn documentation(&self) -> &'static str {
        ""
    }
    fn operations(&self) -> &'static [&'static OperationDeclaration] {
        static OPERATIONS: &[&OperationDeclaration] = &[&FUNCTION];
        OPERATIONS
    }
}

fn symbol<'c>(context: &'c Context, target: &PassTarget<'_>) -> &'c str {
    let body = target.body();
    let name = body.properties(body.root()).get(context, "sym_name");
    name.and_then(|name| name.string_value(context)).unwrap_or("")
}

/// Sets an attribute, or does something else on the operation of a name.
#[derive(Clone, Default)]
struct Mark {
    value: String,
    /// Symbols of the operations on which to fail, to panic, to warn, to break the IR, to do nothing.
    fail: String,
    panic: String,
    warn: String,
    corrupt: String,
    skip: String,
}

impl Pass for Mark {
    fn name(&self) -> &'static str {
        "mark"
    }
    fn description(&self) -> &'static str {
        "Sets an attribute"
    }
    fn clone_pass(&self) -> Box<dyn Pass> {
        Box::new(self.clone())
    }
    fn options(&mut self) -> PassOptions<'_> {
        PassOptions::new()
            .with("value", &mut self.value, "its value")
            .with("fail", &mut self.fail, "symbol of the operation to refuse")
            .with("panic", &mut self.panic, "symbol of the operation to panic on")
            .with("warn", &mut self.warn, "symbol of the operation to warn about")
            .with("corrupt", &mut self.corrupt, "symbol of the operation to break")
            .with("skip", &mut self.skip, "symbol of the operation to leave alone")
    }
    fn run(&self, target: &mut PassTarget<'_>) -> PassResult {
        let context = target.context();
        let name = symbol(context, target);
        let location = target.op().location();
        let is = |option: &str| !option.is_empty() && option == name;
        if is(&self.panic) {
            panic!("out of luck with {name}");
        }
        if is(&self.skip) {
            return Ok(PassOutcome::Unchanged);
        }
        let root = target.body().root();
        let value = Attribute::string(context, &self.value);
        target.body_mut().set_attribute(context, root, "t.mark", Some(value));
        target.statistic("operations marked", 1);
        if is(&self.fail) {
            return Err(target.fail(Diagnostic::error("refused", location, format!("'{name}' is refused"))));
        }
        if is(&self.warn) {
            target.diagnostics().report(Diagnostic::warning("odd", location, format!("'{name}' is odd")));
        }
        if is(&self.corrupt) {
            target.body_mut().set_property(context, root, "sym_name", Some(Attribute::unit(context)));
        }
        Ok(PassOutcome::Changed)
    }
}

/// What a call did.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Output {
    pub(crate) status: u8,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Calls the tool with these arguments and this standard input.
pub(crate) fn call(arguments: &[&str], input: &str) -> Output {
    call_bytes(arguments, input.as_bytes())
}

pub(crate) fn call_bytes(arguments: &[&str], mut input: &[u8]) -> Output {
    let mut dialects = DialectRegistry::new();
    dialects.register(&TestDialect);
    let mut passes = PassRegistry::new();
    fermata_ir::passes::register_passes(&mut passes);
    passes.register(|| Box::new(Mark::default()));
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let streams = Streams { stdin: &mut input, stdout: &mut stdout, stderr: &mut stderr, stderr_is_terminal: false };
    let arguments = std::iter::once("t-opt").chain(arguments.iter().copied()).map(OsString::from);
    let status = Tool::new("t-opt", "Tests the driver").dialects(dialects).passes(passes).run(arguments, streams);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the tool writes UTF-8");
    Output { status, stdout: text(stdout), stderr: text(stderr) }
}

/// Asserts that a text holds all of these, in this order.
#[track_caller]
pub(crate) fn holds(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => panic!("'{part}' is not where it should be in:\n{text}"),
        }
    }
}

/// A module of two functions.
pub(crate) const TWO: &str = "module @m {\n  \"t.func\"() <{sym_name = \"a\"}> ({\n  ^bb0:\n  }) : () -> ()\n  \
                              \"t.func\"() <{sym_name = \"b\"}> ({\n  ^bb0:\n  }) : () -> ()\n}\n";
