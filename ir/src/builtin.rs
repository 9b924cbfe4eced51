//! The builtin dialect: `builtin.module`.

use crate::attributes::{Attribute, Dictionary};
use crate::body::OpId;
use crate::constraints::{StringAttribute, SymbolName};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::dialect::Dialect;
use crate::interfaces::{SyntaxInterface, SyntaxModel, VerifyInterface, VerifyModel};
use crate::operation::{OpRef, OperationDeclaration, OperationView};
use crate::text::{ParseResult, Parser, Printer};
use fermata_derive::operation;

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
        static OPERATIONS: &[&OperationDeclaration] = &[Module::DECLARATION];
        OPERATIONS
    }
}

/// A module: one block of operations, and the symbol table of their names.
///
/// ```mlir
/// module @shaders attributes {xir.target = "host"} {
///   module @inner {
///   }
/// }
/// ```
#[operation(
    name = "builtin.module",
    traits = [ISOLATED_FROM_ABOVE, SYMBOL_TABLE, SYMBOL, SINGLE_BLOCK, NO_TERMINATOR, GRAPH_REGION],
    interfaces = [Syntax, Verify],
)]
pub struct Module {
    /// Its name, if it has one.
    #[property(optional)]
    sym_name: SymbolName,
    /// `public`, `private` or `nested`; public if it is absent.
    #[property(optional)]
    sym_visibility: StringAttribute,
    /// The operations, in one block.
    #[region]
    body: AnyRegion,
}

impl SyntaxInterface for Module<'_> {
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

impl VerifyInterface for Module<'_> {
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
