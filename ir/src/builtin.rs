//! The builtin dialect: `builtin.module`.

use crate::attributes::{Attribute, Dictionary};
use crate::body::OpId;
use crate::constraints::{StringAttribute, SymbolName};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::dialect::Dialect;
use crate::interfaces::{SyntaxInterface, SyntaxModel, VerifyInterface, VerifyModel};
use crate::operation::{
    Arity, AttributeRule, OpRef, OperationDeclaration, OperationTraits, Presence, PropertyDeclaration,
    RegionDeclaration,
};
use crate::text::{ParseResult, Parser, Printer};

/// The builtin dialect; every context knows it.
pub struct BuiltinDialect;

impl Dialect for BuiltinDialect {
    fn namespace(&self) -> &'static str {
        "builtin"
    }
    fn documentation(&self) -> &'static str {
        "Modules. The builtin types and attributes are MLIR's and need no prefix."
    }
    fn operations(&self) -> &'static [&'static OperationDeclaration] {
        static OPERATIONS: &[&OperationDeclaration] = &[&MODULE];
        OPERATIONS
    }
}

/// `builtin.module`.
struct Module;

impl SyntaxInterface for Module {
    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<OpId> {
        parser.isolated(|parser| {
            let context = parser.context();
            let mut properties = Vec::new();
            if parser.at_symbol() {
                let name = parser.parse_symbol_name()?;
                properties.push((context.identifier("sym_name"), Attribute::string(context, &name)));
            }
            let mut attributes = Dictionary::EMPTY;
            if parser.optional_keyword("attributes") {
                let (inherent, discardable) = {
                    let dictionary = parser.parse_attribute_dictionary()?;
                    parser.split_properties(dictionary)
                };
                properties.extend_from_slice(inherent.entries(context));
                attributes = discardable;
            }
            let region = parser.parse_block_region()?;
            Ok((Dictionary::new(context, &properties), attributes, vec![region]))
        })
    }

    fn print(op: OpRef<'_>, printer: &mut Printer<'_>) {
        if let Some(name) = op.property("sym_name").and_then(|name| name.string_value(op.context)) {
            printer.write(" ");
            printer.symbol(name);
        }
        printer.attribute_dictionary_with_keyword(op, &["sym_name"]);
        printer.write(" ");
        match op.regions().first() {
            Some(&region) => printer.block_region(region),
            None => printer.write("{}"),
        }
    }
}

static MODULE: OperationDeclaration = OperationDeclaration {
    name: "builtin.module",
    documentation: "A module: one block of operations, and the symbol table of their names.",
    traits: OperationTraits::ISOLATED_FROM_ABOVE
        .union(OperationTraits::SYMBOL_TABLE)
        .union(OperationTraits::SYMBOL)
        .union(OperationTraits::SINGLE_BLOCK)
        .union(OperationTraits::NO_TERMINATOR)
        .union(OperationTraits::GRAPH_REGION),
    operands: &[],
    results: &[],
    properties: &[
        PropertyDeclaration { name: "sym_name", rule: AttributeRule::of::<SymbolName>(), presence: Presence::Optional },
        PropertyDeclaration {
            name: "sym_visibility",
            rule: AttributeRule::of::<StringAttribute>(),
            presence: Presence::Optional,
        },
    ],
    regions: &[RegionDeclaration { name: "body", arity: Arity::One }],
    successors: &[],
    rules: &[],
    format: None,
    interfaces: &[&SyntaxModel::of::<Module>(), &VerifyModel::of::<Module>()],
};

impl VerifyInterface for Module {
    /// As MLIR has it: a module has its block, and what is added to it names the dialect that understands it.
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        if op.regions().iter().any(|&region| op.body.entry_block(region).is_none()) {
            let message = "'builtin.module' op must have a block";
            diagnostics.report(Diagnostic::error("single-block", op.location(), message));
        }
        for (key, _) in op.attributes().entries(op.context) {
            let key = key.as_str(op.context);
            if !key.contains('.') {
                let message = format!("'builtin.module' op has an attribute '{key}' without the prefix of a dialect");
                let help = format!("write it as 'dialect.{key}'");
                diagnostics.report(Diagnostic::error("attribute-prefix", op.location(), message).help(help));
            }
        }
    }
}
