//! The syntax that all functions share.
//!
//! `dialect.function private @name(%a: type, ...) -> results attributes {...} { body }`. Properties are `sym_name`,
//! `function_type`, optionally `sym_visibility`; all others are written in the dictionary. A function without a body
//! has an empty region and lists types only.

use super::parser::{ParseResult, Parser, UnresolvedOperand};
use super::printer::Printer;
use crate::attributes::{Attribute, Dictionary};
use crate::body::{OpId, RegionId};
use crate::location::Location;
use crate::operation::OpRef;
use crate::types::Type;

const PLACED: &[&str] = &["sym_name", "function_type", "sym_visibility"];

/// Reads what follows the name of a function operation. The operation has one region.
///
/// # Errors
/// If the text is something else; reported.
pub fn parse_function(parser: &mut Parser<'_, '_>) -> ParseResult<OpId> {
    parser.isolated(|parser| {
        let context = parser.context();
        let mut properties = Vec::new();
        for visibility in ["private", "nested", "public"] {
            if parser.optional_keyword(visibility) {
                properties.push((context.identifier("sym_visibility"), Attribute::string(context, visibility)));
            }
        }
        let name = parser.parse_symbol_name()?;
        properties.push((context.identifier("sym_name"), Attribute::string(context, &name)));
        let (names, inputs) = parse_parameters(parser)?;
        let results = parse_results(parser)?;
        let ty = Type::function(context, &inputs, &results);
        properties.push((context.identifier("function_type"), Attribute::type_attribute(context, ty)));
        let mut attributes = Dictionary::EMPTY;
        if parser.optional_keyword("attributes") {
            let dictionary = parser.parse_attribute_dictionary()?;
            let (inherent, discardable) = parser.split_properties(dictionary);
            properties.extend_from_slice(inherent.entries(context));
            attributes = discardable;
        }
        let region = parse_body(parser, &names, &inputs)?;
        Ok((Dictionary::new(context, &properties), attributes, vec![region]))
    })
}

/// Names and locations of the parameters that are named, and the types of all.
type Parameters<'c> = (Vec<(UnresolvedOperand<'c>, Option<Location>)>, Vec<Type>);

/// Reads `(%a: type loc(...), ...)`, where locations may be left out, or, for a declaration, `(type, ...)`.
fn parse_parameters<'c>(parser: &mut Parser<'c, '_>) -> ParseResult<Parameters<'c>> {
    let (mut names, mut types) = (Vec::new(), Vec::new());
    parser.comma_list("(", ")", |parser| {
        if parser.at_operand() {
            let name = parser.parse_operand()?;
            parser.expect(":")?;
            types.push(parser.parse_type()?);
            names.push((name, parser.optional_location()?));
        } else {
            types.push(parser.parse_type()?);
        }
        Ok(())
    })?;
    Ok((names, types))
}

fn parse_results(parser: &mut Parser<'_, '_>) -> ParseResult<Vec<Type>> {
    let mut results = Vec::new();
    if !parser.optional("->") {
        return Ok(results);
    }
    if parser.at("(") {
        parser.comma_list("(", ")", |parser| {
            results.push(parser.parse_type()?);
            Ok(())
        })?;
    } else {
        results.push(parser.parse_type()?);
    }
    Ok(results)
}

fn parse_body<'c>(
    parser: &mut Parser<'c, '_>,
    names: &[(UnresolvedOperand<'c>, Option<Location>)],
    types: &[Type],
) -> ParseResult<RegionId> {
    let span = parser.span();
    if !parser.at("{") {
        return Ok(parser.empty_region());
    }
    if names.len() != types.len() {
        return Err(parser.error(span, "parameter-names", "the parameters of a function that has a body need names"));
    }
    let arguments: Vec<_> = names.iter().map(|(name, _)| *name).zip(types.iter().copied()).collect();
    let region = parser.parse_region(&arguments)?;
    let locations = names.iter().map(|(_, location)| *location);
    parser.set_argument_locations(region, locations);
    Ok(region)
}

/// Writes what follows the name of a function operation.
pub fn print_function(op: OpRef<'_>, printer: &mut Printer<'_>) {
    let context = op.context;
    printer.write(" ");
    if let Some(visibility) = op.property("sym_visibility").and_then(|value| value.string_value(context)) {
        printer.write(visibility);
        printer.write(" ");
    }
    printer.symbol(op.property("sym_name").and_then(|name| name.string_value(context)).unwrap_or("<<unnamed>>"));
    let ty = op.property("function_type").and_then(|ty| ty.type_value(context));
    let (inputs, results) = ty.and_then(|ty| ty.function_parts(context)).unwrap_or((&[], &[]));
    let region = op.regions().first().copied();
    let entry = region.and_then(|region| op.body.entry_block(region));
    printer.write("(");
    match (region, entry) {
        (Some(region), Some(entry)) => {
            printer.prepare_region(region);
            printer.list(op.body.arguments(entry).iter().copied(), |printer, argument| {
                printer.value(argument);
                printer.write(": ");
                printer.ty(op.body.value_type(argument));
                printer.trailing_location(op.body.argument_location(argument));
            });
        }
        _ => printer.list(inputs.iter().copied(), Printer::ty),
    }
    printer.write(")");
    if !results.is_empty() {
        printer.write(" -> ");
        let single = results.len() == 1 && results[0].function_parts(context).is_none();
        if single {
            printer.ty(results[0]);
        } else {
            printer.write("(");
            printer.list(results.iter().copied(), Printer::ty);
            printer.write(")");
        }
    }
    printer.attribute_dictionary_with_keyword(op, PLACED);
    if let (Some(region), Some(_)) = (region, entry) {
        printer.write(" ");
        printer.region(region, false);
    }
}
