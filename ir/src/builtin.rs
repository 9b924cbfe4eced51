//! The builtin dialect: `builtin.module`.

use crate::attributes::{Attribute, Dictionary};
use crate::body::OpId;
use crate::constraints::{StringAttribute, SymbolName};
use crate::dialect::Dialect;
use crate::interfaces::{SyntaxInterface, SyntaxModel};
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
            Some(&region) => printer.region(region, true),
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
    interfaces: &[&SyntaxModel::of::<Module>()],
};
