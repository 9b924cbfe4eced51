//! A dialect with functions and passes that note what happens.

use fermata_ir::analysis::{Analyses, Analysis};
use fermata_ir::body::OperationState;
use fermata_ir::constraints::SymbolName;
use fermata_ir::operation::{
    Arity, AttributeRule, OperationDeclaration, Presence, PropertyDeclaration, RegionDeclaration,
};
use fermata_ir::pass::{
    KeywordOption, Pass, PassManager, PassOptions, PassOutcome, PassPipeline, PassRegistry, PassResult, PassTarget,
    RunOptions, RunReport, WrongAnchor,
};
use fermata_ir::{
    Attribute, Body, Builder, Context, Diagnostic, Diagnostics, Dialect, DialectRegistry, Location, OpId,
    OperationName, OperationTraits,
};

pub(crate) struct TestDialect;

const fn declaration(name: &'static str, traits: OperationTraits) -> OperationDeclaration {
    OperationDeclaration {
        name,
        documentation: "",
        traits,
        operands: &[],
        results: &[],
        properties: PROPERTIES,
        regions: &[RegionDeclaration { name: "body", arity: Arity::Variadic, documentation: "" }],
        successors: &[],
        rules: &[],
        format: None,
        interfaces: &[],
    }
}

const PROPERTIES: &[PropertyDeclaration] = &[PropertyDeclaration {
    name: "sym_name",
    rule: AttributeRule::of::<SymbolName>(),
    presence: Presence::Optional,
    documentation: "",
}];

const ISOLATED: OperationTraits = OperationTraits::ISOLATED_FROM_ABOVE.union(OperationTraits::NO_TERMINATOR);

static FUNCTION: OperationDeclaration = declaration("t.func", ISOLATED);
static KERNEL: OperationDeclaration = declaration("t.kernel", ISOLATED);
static SCOPE: OperationDeclaration = declaration("t.scope", OperationTraits::empty());

impl Dialect for TestDialect {
    fn namespace(&self) -> &'static str {
        "t"
    }
    fn documentation(&self) -> &'static str {
        ""
    }
    fn operations(&self) -> &'static [&'static OperationDeclaration] {
        static OPERATIONS: &[&OperationDeclaration] = &[&FUNCTION, &KERNEL, &SCOPE];
        OPERATIONS
    }
}

pub(crate) fn context() -> Context {
    let mut registry = DialectRegistry::new();
    registry.register(&TestDialect);
    Context::new(registry)
}

/// An isolated operation of a name with one block, and its symbol.
pub(crate) fn isolated(context: &Context, name: &str, symbol: &str) -> Body {
    let mut body = Body::new(context.operation_name(name), Location::name(context, symbol, Location::UNKNOWN), 1);
    let block = body.create_block(&[]);
    body.append_block(body.regions(body.root())[0], block);
    body.set_property(context, body.root(), "sym_name", Some(Attribute::string(context, symbol)));
    body
}

/// Puts a body at the end of another one.
pub(crate) fn insert(context: &Context, outer: &mut Body, inner: Body) -> OpId {
    let block = outer.entry_block(outer.regions(outer.root())[0]).unwrap();
    Builder::new(context, outer).at_end(block).create_anchor(inner)
}

/// Puts an operation with no operands at the end of a body.
pub(crate) fn insert_op(context: &Context, body: &mut Body, name: &str) -> OpId {
    let block = body.entry_block(body.regions(body.root())[0]).unwrap();
    let state = OperationState::new(context.operation_name(name), Location::UNKNOWN);
    Builder::new(context, body).at_end(block).create(state)
}

pub(crate) fn symbol<'c>(context: &'c Context, body: &Body) -> &'c str {
    let name = body.properties(body.root()).get(context, "sym_name");
    name.and_then(|name| name.string_value(context)).unwrap_or("?")
}

/// A module of functions with these names.
pub(crate) fn module_of(context: &Context, names: &[&str]) -> Body {
    let mut module = isolated(context, "builtin.module", "m");
    for name in names {
        let function = isolated(context, "t.func", name);
        insert(context, &mut module, function);
    }
    module
}

/// Warns once for each run, and counts.
#[derive(Clone, Default)]
pub(crate) struct Visit {
    pub(crate) tag: String,
    pub(crate) fail_on: Option<String>,
    pub(crate) break_on: Option<String>,
}

impl Pass for Visit {
    fn name(&self) -> &'static str {
        "visit"
    }
    fn description(&self) -> &'static str {
        "Warns about everything"
    }
    fn clone_pass(&self) -> Box<dyn Pass> {
        Box::new(self.clone())
    }
    fn options(&mut self) -> PassOptions<'_> {
        PassOptions::new()
            .with("tag", &mut self.tag, "what to say")
            .with("fail-on", &mut self.fail_on, "symbol of the operation to refuse")
            .with("break-on", &mut self.break_on, "symbol of the operation to panic on")
    }
    fn run(&self, target: &mut PassTarget<'_>) -> PassResult {
        let context = target.context();
        let name = symbol(context, target.body()).to_owned();
        let location = target.op().location();
        target.statistic("operations seen", 1);
        if self.break_on.as_ref() == Some(&name) {
            panic!("no luck with {name}");
        }
        if self.fail_on.as_ref() == Some(&name) {
            return Err(target.fail(Diagnostic::error("refused", location, format!("{name} refused"))));
        }
        let message = format!("{}{name}", self.tag);
        target.diagnostics().report(Diagnostic::warning("seen", location, message));
        Ok(PassOutcome::Unchanged)
    }
}

/// Number of operations of a body.
pub(crate) struct OperationCount(pub(crate) usize);

impl Analysis for OperationCount {
    const NAME: &'static str = "operation-count";
    fn compute(analyses: &Analyses<'_>) -> Self {
        Self(analyses.body().all_ops().len())
    }
}

/// Says how many operations there are and whether that was known, and may add one.
#[derive(Clone, Default)]
pub(crate) struct Count {
    pub(crate) grow: bool,
    pub(crate) preserve: bool,
}

impl Pass for Count {
    fn name(&self) -> &'static str {
        "count"
    }
    fn description(&self) -> &'static str {
        "Counts operations"
    }
    fn clone_pass(&self) -> Box<dyn Pass> {
        Box::new(self.clone())
    }
    fn options(&mut self) -> PassOptions<'_> {
        PassOptions::new().with("grow", &mut self.grow, "whether to add an operation").with(
            "preserve",
            &mut self.preserve,
            "whether to say that the count is still right",
        )
    }
    fn run(&self, target: &mut PassTarget<'_>) -> PassResult {
        let known = target.cached_analysis::<OperationCount>().is_some();
        let count = target.analysis::<OperationCount>().0;
        let context = target.context();
        let message =
            format!("{} {count} {}", symbol(context, target.body()), if known { "known" } else { "computed" });
        target.diagnostics().report(Diagnostic::remark("count", Location::UNKNOWN, message));
        if self.grow {
            insert_op(context, target.body_mut(), "t.scope");
            if self.preserve {
                target.preserve::<OperationCount>();
            }
        }
        Ok(PassOutcome::changed_if(self.grow))
    }
}

macro_rules! anchored {
    ($name:ident $text:literal $anchor:expr) => {
        #[derive(Clone, Default)]
        pub(crate) struct $name;
        impl Pass for $name {
            fn name(&self) -> &'static str {
                $text
            }
            fn description(&self) -> &'static str {
                "Runs on one operation"
            }
            fn clone_pass(&self) -> Box<dyn Pass> {
                Box::new(self.clone())
            }
            fn anchor(&self) -> Option<&'static str> {
                Some($anchor)
            }
            fn run(&self, _target: &mut PassTarget<'_>) -> PassResult {
                Ok(PassOutcome::Unchanged)
            }
        }
    };
}
anchored!(OnFunction "on-function" "t.func");
anchored!(OnModule "on-module" "builtin.module");

#[derive(Clone, Copy, PartialEq, Default)]
pub(crate) enum Order {
    #[default]
    Up,
    Down,
}

impl KeywordOption for Order {
    const CHOICES: &'static [(&'static str, Self)] = &[("up", Self::Up), ("down", Self::Down)];
}

/// Has an option of every kind; runs its pipeline on the functions inside.
#[derive(Clone, Default)]
pub(crate) struct Everything {
    pub(crate) flag: bool,
    pub(crate) number: u32,
    pub(crate) text: String,
    pub(crate) list: Vec<String>,
    pub(crate) order: Order,
    pub(crate) pipeline: PassManager,
    pub(crate) pipelines: Vec<PassManager>,
}

impl Pass for Everything {
    fn name(&self) -> &'static str {
        "everything"
    }
    fn description(&self) -> &'static str {
        "Has options of all kinds"
    }
    fn clone_pass(&self) -> Box<dyn Pass> {
        Box::new(self.clone())
    }
    fn options(&mut self) -> PassOptions<'_> {
        PassOptions::new()
            .with("flag", &mut self.flag, "")
            .with("number", &mut self.number, "")
            .with("text", &mut self.text, "")
            .with("list", &mut self.list, "")
            .with("order", &mut self.order, "")
            .with("pipeline", &mut self.pipeline, "")
            .with("pipelines", &mut self.pipelines, "")
    }
    fn accepts(&self, context: &Context, name: OperationName) -> bool {
        name.as_str(context) != "t.kernel"
    }
    fn run(&self, target: &mut PassTarget<'_>) -> PassResult {
        target.run_pipeline(&self.pipeline)
    }
}

#[derive(Default)]
pub(crate) struct Twice {
    tag: String,
}

impl PassPipeline for Twice {
    fn name(&self) -> &'static str {
        "twice"
    }
    fn description(&self) -> &'static str {
        "Visits twice"
    }
    fn options(&mut self) -> PassOptions<'_> {
        PassOptions::new().with("tag", &mut self.tag, "what to say")
    }
    fn build(&self, _context: &Context, manager: &mut PassManager) -> Result<(), WrongAnchor> {
        for _ in 0..2 {
            manager.add(Box::new(Visit { tag: self.tag.clone(), ..Visit::default() }))?;
        }
        Ok(())
    }
}

pub(crate) fn registry() -> PassRegistry {
    let mut registry = PassRegistry::new();
    registry
        .register(|| Box::new(Visit::default()))
        .register(|| Box::new(Count::default()))
        .register(|| Box::new(OnFunction))
        .register(|| Box::new(OnModule))
        .register(|| Box::new(Everything::default()))
        .register_pipeline(|| Box::new(Twice::default()));
    registry
}

/// Reads a pipeline; the messages otherwise, each with the marked text.
pub(crate) fn parse(context: &Context, text: &str) -> Result<PassManager, Vec<String>> {
    let source = context.sources().add("pipeline", text).unwrap();
    let mut diagnostics = Diagnostics::new();
    let manager = PassManager::parse(context, &registry(), source, &mut diagnostics);
    manager.ok_or_else(|| diagnostics.into_vec().iter().map(|diagnostic| shown(context, diagnostic)).collect())
}

/// `marked text: message (help)`
pub(crate) fn shown(context: &Context, diagnostic: &Diagnostic) -> String {
    let marked = match diagnostic.place {
        fermata_ir::diagnostic::Place::Span(span) => {
            let source = context.sources().file_at(span.start).unwrap();
            let (start, end) = (span.start - source.start(), span.end - source.start());
            format!("{}@{start}: ", &source.text()[start as usize..end as usize])
        }
        fermata_ir::diagnostic::Place::Location(_) => String::new(),
    };
    let help = diagnostic.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
    format!("{marked}{}{help}", diagnostic.message)
}

/// Runs a pipeline string and gives the messages in order.
pub(crate) fn run(context: &Context, pipeline: &str, body: &mut Body, threads: usize) -> (RunReport, Vec<String>) {
    let mut manager = parse(context, pipeline).unwrap();
    let mut diagnostics = Diagnostics::new();
    let report =
        manager.run(context, body, &RunOptions { threads, ..RunOptions::default() }, &mut Vec::new(), &mut diagnostics);
    let messages = diagnostics.into_vec().into_iter().map(|diagnostic| diagnostic.message).collect();
    (report, messages)
}
