//! The suspension point.

use fermata_ir::attributes::Dictionary;
use fermata_ir::body::OperationState;
use fermata_ir::constraints::{AnyType, ArrayAttribute, StringAttribute};
use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::{
    BranchInterface, BranchModel, SuccessorOperands, SuspendPointInterface, SuspendPointModel, SyntaxInterface,
    SyntaxModel, VerifyInterface, VerifyModel,
};
use fermata_ir::operation::AttributeConstraint;
use fermata_ir::text::{ParseResult, Parser, Printer};
use fermata_ir::{Attribute, OpId, OpRef, OperationView, ValueId, operation};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::extension::{Binding, Extension};
use crate::function::Func;
use crate::token::{TOKEN_DONE, TOKEN_ENTRY, Token};

/// Suspends the coroutine, which resumes, perhaps in another thread, at the successor.
///
/// * `token` is a number of the program's choice, unique in the coroutine; 0 and 4294967295 are taken.
/// * `exports` are values that a scheduler may read by name while the coroutine waits.
/// * `bindings` are the values that extensions read; `extensions` lists what is asked of the boundary, in order.
/// * Leading arguments of the resume block receive what extensions write, in the order of the bindings' argument
///   indices; the operands after `to` are forwarded to the arguments after those.
///
/// ```mlir
/// coro.suspend token(1) name("shade") exports("hint" = %material : i32) to ^bb2(%depth : i32)
/// coro.suspend token(2) bindings(%x : f32)
///     extensions([#coro.extension<"com.example.net", 1, false, reject,
///                 [#coro.binding<"x", read_write, resumed, 0, 0>], {}>]) to ^bb3
/// ```
#[operation(
    name = "coro.suspend",
    traits = [TERMINATOR],
    interfaces = [Branch, SuspendPoint, Syntax, Verify],
)]
pub struct Suspend {
    #[operand(variadic)]
    exports: AnyType,
    #[operand(variadic)]
    bindings: AnyType,
    #[operand(variadic)]
    resume_operands: AnyType,
    #[property]
    token: Token,
    #[property(optional)]
    name: StringAttribute,
    #[property(optional)]
    export_names: ArrayAttribute,
    #[property(optional)]
    extensions: ArrayAttribute,
    #[successor]
    resume: AnyBlock,
}

const EXPORTS: usize = 0;
const BINDINGS: usize = 1;
const RESUME_OPERANDS: usize = 2;

impl<'a> Suspend<'a> {
    /// The name as text; empty if there is none.
    #[must_use]
    pub fn label(&self) -> &'a str {
        let op = self.op();
        op.property("name").and_then(|name| name.string_value(op.context)).unwrap_or("")
    }

    /// Names and values of the exports.
    pub fn named_exports(&self) -> impl Iterator<Item = (&'a str, ValueId)> + use<'a> {
        let op = self.op();
        let names = op.property("export_names").and_then(|names| names.array_elements(op.context)).unwrap_or(&[]);
        let names = names.iter().map(move |name| name.string_value(op.context).unwrap_or(""));
        names.zip(op.operand_group(EXPORTS).map(move |index| op.operand(index)))
    }

    /// The extensions in order.
    pub fn extension_list(&self) -> impl Iterator<Item = &'a Extension> + use<'a> {
        let op = self.op();
        let list = op.property("extensions").and_then(|list| list.array_elements(op.context)).unwrap_or(&[]);
        list.iter().filter_map(move |extension| extension.downcast(op.context))
    }

    /// The values that extensions read, by binding index.
    pub fn binding_operands(&self) -> impl ExactSizeIterator<Item = ValueId> + use<'a> {
        let op = self.op();
        op.operand_group(BINDINGS).map(move |index| op.operand(index))
    }

    /// The values that exports and extensions read: the leading operands.
    pub fn designated_operands(&self) -> impl ExactSizeIterator<Item = ValueId> + use<'a> {
        let op = self.op();
        (0..op.operand_group(BINDINGS).end).map(move |index| op.operand(index))
    }

    /// How many leading arguments of the resume block extensions write.
    #[must_use]
    pub fn produced_count(&self) -> usize {
        produced_count(self.op())
    }
}

fn produced_count(op: OpRef<'_>) -> usize {
    let list = op.property("extensions").and_then(|list| list.array_elements(op.context)).unwrap_or(&[]);
    let extensions = list.iter().filter_map(|extension| extension.downcast::<Extension>(op.context));
    let written =
        extensions.flat_map(|extension| extension.bindings(op.context)).filter_map(|binding| binding.argument.0);
    written.map(|index| index as usize + 1).max().unwrap_or(0)
}

impl BranchInterface for Suspend<'_> {
    fn successor_operands(op: OpRef<'_>, _index: usize) -> SuccessorOperands {
        SuccessorOperands { produced: produced_count(op), forwarded: op.operand_group(RESUME_OPERANDS) }
    }
}

impl SuspendPointInterface for Suspend<'_> {
    fn resume_successor(_op: OpRef<'_>) -> usize {
        0
    }
}

impl VerifyInterface for Suspend<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        let mut error = |code: &'static str, message: String| {
            diagnostics.report(Diagnostic::error(code, op.location(), format!("'coro.suspend' op {message}")));
        };
        if !op.parent().is_some_and(|parent| Func::matches(parent)) {
            error("misplaced-suspend", "must be directly in the body of a 'coro.func'".into());
        }
        let token = op.property("token").and_then(|token| Token::decode(op.context, token));
        if token.is_some_and(|token| token == TOKEN_ENTRY || token == TOKEN_DONE) {
            error("reserved-token", "token 0 means the entry and 4294967295 the end; choose another".into());
        }
        verify_exports(op, &mut error);
        verify_extensions(op, &mut error);
    }
}

fn verify_exports(op: OpRef<'_>, error: &mut impl FnMut(&'static str, String)) {
    let names = op.property("export_names").and_then(|names| names.array_elements(op.context)).unwrap_or(&[]);
    let exports = op.operand_group(EXPORTS).len();
    if names.len() != exports {
        error("export-names", format!("has {exports} exports but {} export names", names.len()));
    }
    let mut seen = FxHashSet::default();
    for name in names {
        match name.string_value(op.context) {
            None | Some("") => error("export-names", "every export name must be a string that is not empty".into()),
            Some(name) if !seen.insert(name) => error("export-names", format!("exports two values as \"{name}\"")),
            Some(_) => {}
        }
    }
}

fn verify_extensions(op: OpRef<'_>, error: &mut impl FnMut(&'static str, String)) {
    let list = op.property("extensions").and_then(|list| list.array_elements(op.context)).unwrap_or(&[]);
    let operands = op.operand_group(BINDINGS).len();
    let mut used = vec![false; operands];
    let mut written: FxHashSet<u32> = FxHashSet::default();
    let mut schemas: FxHashMap<&str, usize> = FxHashMap::default();
    for extension in list {
        let Some(extension) = extension.downcast::<Extension>(op.context) else {
            error("extension-kind", "every element of 'extensions' must be a #coro.extension".into());
            continue;
        };
        *schemas.entry(&extension.schema).or_default() += 1;
        if schemas[&*extension.schema] == 2 {
            error("duplicate-schema", format!("has two extensions of schema \"{}\"", extension.schema));
        }
        for binding in extension.bindings(op.context) {
            verify_binding(binding, extension, &mut used, &mut written, error);
        }
    }
    for index in used.iter().enumerate().filter(|(_, used)| !**used).map(|(index, _)| index) {
        error("unused-binding", format!("binding operand {index} is used by no extension"));
    }
    let count = produced_count(op) as u32;
    for index in (0..count).filter(|index| !written.contains(index)) {
        error("unwritten-argument", format!("argument {index} of the resume block is written by no extension"));
    }
}

fn verify_binding(
    binding: &Binding,
    extension: &Extension,
    used: &mut [bool],
    written: &mut FxHashSet<u32>,
    error: &mut impl FnMut(&'static str, String),
) {
    if let Some(index) = binding.operand.0 {
        match used.get_mut(index as usize) {
            Some(used) => *used = true,
            None => error(
                "binding-range",
                format!(
                    "binding \"{}\" of extension \"{}\" reads operand {index}, but there are {} binding operands",
                    binding.name,
                    extension.schema,
                    used.len()
                ),
            ),
        }
    }
    written.extend(binding.argument.0);
}

impl SyntaxInterface for Suspend<'_> {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<OpId> {
        let context = parser.context();
        let mut properties: SmallVec<[_; 5]> = SmallVec::new();
        parser.keyword("token")?;
        parser.expect("(")?;
        let token = parser.parse_unsigned::<u32>()?;
        parser.expect(")")?;
        properties.push((context.identifier("token"), Token::encode(context, token)));
        if parser.optional_keyword("name") {
            parser.expect("(")?;
            let name = parser.parse_string()?;
            parser.expect(")")?;
            properties.push((context.identifier("name"), Attribute::string(context, &name)));
        }
        let mut operands: SmallVec<[ValueId; 4]> = SmallVec::new();
        let mut names: Vec<Attribute> = Vec::new();
        if parser.optional_keyword("exports") {
            parser.comma_list("(", ")", |parser| {
                let name = parser.parse_string()?;
                names.push(Attribute::string(context, &name));
                parser.expect("=")?;
                operands.push(parse_typed_value(parser)?);
                Ok(())
            })?;
            properties.push((context.identifier("export_names"), Attribute::array(context, &names)));
        }
        let exports = operands.len();
        if parser.optional_keyword("bindings") {
            parser.comma_list("(", ")", |parser| {
                operands.push(parse_typed_value(parser)?);
                Ok(())
            })?;
        }
        let bindings = operands.len() - exports;
        if parser.optional_keyword("extensions") {
            parser.expect("(")?;
            properties.push((context.identifier("extensions"), parser.parse_attribute()?));
            parser.expect(")")?;
        }
        parser.keyword("to")?;
        let resume = parser.parse_successor()?;
        if parser.at("(") {
            parser.comma_list("(", ")", |parser| {
                operands.push(parse_typed_value(parser)?);
                Ok(())
            })?;
        }
        let forwarded = operands.len() - exports - bindings;
        let segments = Attribute::dense_i32(context, &[exports as i32, bindings as i32, forwarded as i32]);
        properties.push((context.identifier("operandSegmentSizes"), segments));
        let attributes = parser.optional_attribute_dictionary()?;
        let state = OperationState {
            operands,
            properties: Dictionary::new(context, &properties),
            attributes,
            successors: [resume].into_iter().collect(),
            ..OperationState::new(context.operation_name(Self::DECLARATION.name), parser.location())
        };
        parser.create_op(state)
    }

    fn print(op: OpRef<'_>, printer: &mut Printer<'_>) {
        let suspend = Suspend::from_ref_unchecked(op);
        printer.write(" token(");
        match op.property("token").and_then(|token| Token::decode(op.context, token)) {
            Some(token) => printer.write(&token.to_string()),
            None => printer.write("<<invalid>>"),
        }
        printer.write(")");
        if op.property("name").is_some() {
            printer.write(" name(");
            printer.string(suspend.label());
            printer.write(")");
        }
        if op.property("export_names").is_some() {
            printer.write(" exports(");
            for (index, (name, value)) in suspend.named_exports().enumerate() {
                printer.write(if index == 0 { "" } else { ", " });
                printer.string(name);
                printer.write(" = ");
                print_typed_value(op, value, printer);
            }
            printer.write(")");
        }
        print_group(op, BINDINGS, " bindings(", printer);
        if let Some(extensions) = op.property("extensions") {
            printer.write(" extensions(");
            printer.attribute(extensions);
            printer.write(")");
        }
        printer.write(" to ");
        printer.block(op.body.successor(op.id, 0));
        print_group(op, RESUME_OPERANDS, "(", printer);
        printer.attribute_dictionary(op, &["token", "name", "export_names", "extensions", "operandSegmentSizes"]);
    }
}

fn parse_typed_value(parser: &mut Parser<'_, '_>) -> ParseResult<ValueId> {
    let operand = parser.parse_operand()?;
    parser.expect(":")?;
    let ty = parser.parse_type()?;
    parser.resolve(&operand, ty)
}

fn print_group(op: OpRef<'_>, group: usize, open: &str, printer: &mut Printer<'_>) {
    let range = op.operand_group(group);
    if range.is_empty() {
        return;
    }
    printer.write(open);
    for index in range.clone() {
        printer.write(if index == range.start { "" } else { ", " });
        print_typed_value(op, op.operand(index), printer);
    }
    printer.write(")");
}

fn print_typed_value(op: OpRef<'_>, value: ValueId, printer: &mut Printer<'_>) {
    printer.value(value);
    printer.write(" : ");
    printer.ty(op.type_of(value));
}
