//! Suspend extensions: what a boundary asks of schedulers, graph transforms and observers.
//!
//! The normalized descriptor of seed 000: schema, version, annotation flag, fallback, bindings, typed attributes in
//! canonical order. A suspension holds a list of them, in the order in which they execute. This module gives them
//! their place in text, storage and verifier.

use fermata_ir::attributes::AttributeKind;
use fermata_ir::text::{ParseResult, Parser, Printer};
use fermata_ir::types::Signedness;
use fermata_ir::{Attribute, Context, Dictionary, Keyword, Parameter, Type, TypeKind, attribute_definition};
use rustc_hash::FxHashSet;

/// How an operand of an extension takes part in the data flow of the coroutine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Keyword)]
pub enum Access {
    /// Its value at the boundary is read.
    Read,
    /// The extension defines it before the coroutine resumes.
    Write,
    /// Both: the old value is read, a new one defined.
    ReadWrite,
}

impl Access {
    /// Whether the old value is read.
    #[must_use]
    pub fn reads(self) -> bool {
        self != Self::Write
    }

    /// Whether a new value is defined.
    #[must_use]
    pub fn writes(self) -> bool {
        self != Self::Read
    }
}

/// When a consumer needs an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Keyword)]
pub enum Lifetime {
    /// While lowering, or at once at the suspension edge.
    Boundary,
    /// It must stay readable while the continuation waits.
    Queued,
    /// An inserted stage uses it right before the coroutine resumes.
    Resumed,
}

/// What happens if nobody handles an extension.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Keyword)]
pub enum Fallback {
    /// It is dropped.
    Ignore,
    /// It is dropped with a warning.
    Warn,
    /// It is an error.
    Reject,
}

/// An index into a list of a suspension, or nothing: `3` or `none`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BindingIndex(pub Option<u32>);

impl Parameter for BindingIndex {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Self> {
        if parser.optional_keyword("none") { Ok(Self(None)) } else { u32::parse(parser).map(|index| Self(Some(index))) }
    }

    fn print(&self, printer: &mut Printer<'_>) {
        match self.0 {
            Some(index) => index.print(printer),
            None => printer.write("none"),
        }
    }
}

/// One operand of an extension: `#coro.binding<"key", read, queued, 0, none>`.
///
/// `operand` is an index into the binding operands of the suspension: the value read. `argument` is an index into
/// the leading arguments of the resume block: the value written.
#[attribute_definition(name = "coro.binding", verify = verify_binding)]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Binding {
    /// Name, unique in the extension.
    pub name: String,
    /// How it takes part in the data flow.
    pub access: Access,
    /// When it is needed.
    pub lifetime: Lifetime,
    /// The value that is read.
    pub operand: BindingIndex,
    /// The argument that is written.
    pub argument: BindingIndex,
}

fn verify_binding(binding: &Binding, _context: &Context) -> Result<(), String> {
    if binding.name.is_empty() {
        return Err("the name of a binding must not be empty".into());
    }
    if binding.access.reads() != binding.operand.0.is_some() {
        let rule = if binding.access.reads() { "must name the operand it reads" } else { "must not name an operand" };
        return Err(format!("binding \"{}\" {rule}", binding.name));
    }
    if binding.access.writes() != binding.argument.0.is_some() {
        let rule =
            if binding.access.writes() { "must name the argument it writes" } else { "must not name an argument" };
        return Err(format!("binding \"{}\" {rule}", binding.name));
    }
    Ok(())
}

/// One extension: `#coro.extension<"luisa.coro.schedule.sort", 1, true, ignore, [#coro.binding<...>], {range = 8 : ui64}>`.
#[attribute_definition(name = "coro.extension", verify = verify_extension)]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Extension {
    /// A stable, globally namespaced identifier.
    pub schema: String,
    /// Version of the descriptor schema; not 0.
    pub version: u32,
    /// Whether dropping it leaves the observable result as it is.
    pub annotation: bool,
    /// What happens if nobody handles it. Not to be inferred from `annotation`.
    pub fallback: Fallback,
    /// The operands: [`Binding`]s under unique names.
    pub bindings: Vec<Attribute>,
    /// Typed scalars and strings: `i1`, `si64`, `ui64`, `f64`, strings.
    pub attributes: Dictionary,
}

impl Extension {
    /// The bindings.
    pub fn bindings<'c>(&self, context: &'c Context) -> impl Iterator<Item = &'c Binding> {
        self.bindings.iter().filter_map(|binding| binding.downcast(context))
    }
}

fn verify_extension(extension: &Extension, context: &Context) -> Result<(), String> {
    if extension.schema.is_empty() {
        return Err("the schema of an extension must not be empty".into());
    }
    if extension.version == 0 {
        return Err(format!("extension \"{}\" must have a version of at least 1", extension.schema));
    }
    let mut names = FxHashSet::default();
    for &attribute in &extension.bindings {
        let Some(binding) = attribute.downcast::<Binding>(context) else {
            return Err(format!("every binding of extension \"{}\" must be a #coro.binding", extension.schema));
        };
        if !names.insert(&binding.name) {
            return Err(format!("extension \"{}\" has two bindings called \"{}\"", extension.schema, binding.name));
        }
    }
    for &(name, value) in extension.attributes.entries(context) {
        if !is_interchange_value(context, value) {
            let name = name.as_str(context);
            let kinds = "an i1, si64, ui64, f64 or string";
            return Err(format!("attribute \"{name}\" of extension \"{}\" must be {kinds}", extension.schema));
        }
    }
    Ok(())
}

fn is_interchange_value(context: &Context, value: Attribute) -> bool {
    let is = |ty: Type, kind: TypeKind| *ty.kind(context) == kind;
    match *value.kind(context) {
        AttributeKind::String { ty, .. } => ty.is_none(),
        AttributeKind::Float { ty, .. } => is(ty, TypeKind::Float(fermata_ir::types::FloatKind::F64)),
        AttributeKind::Integer { ty, .. } => {
            is(ty, TypeKind::Integer { width: 1, signedness: Signedness::Signless })
                || is(ty, TypeKind::Integer { width: 64, signedness: Signedness::Signed })
                || is(ty, TypeKind::Integer { width: 64, signedness: Signedness::Unsigned })
        }
        _ => false,
    }
}
