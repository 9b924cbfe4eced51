//! The macros that declare operations, types and attributes.
//!
//! One declaration gives the static description that generic code reads (verifier, parser, printer, reference page),
//! the typed view with its accessors, and the builder.

mod definition;
mod expand;
mod fields;
mod format;
mod keyword;
mod operation;
mod rules;
#[cfg(test)]
mod testing;

use proc_macro::TokenStream;

/// Declares an operation: see the crate `fermata_ir` for the shape.
///
/// Arguments: `name = "dialect.operation"`, `traits = [PURE, ..]`, `interfaces = [Fold, ..]`, `rules = [..]`,
/// `format = ".."`. Fields: `#[operand]`, `#[result]`, `#[property]`, `#[region]`, `#[successor]`, each with
/// `variadic` or `optional` in parentheses where that makes sense, properties also with `default = expression`,
/// operands and single results with `only` if their constraint has just one type. A field's type is its constraint;
/// `AnyRegion` and `AnyBlock` stand where there is none.
///
/// From it come the view with an accessor for each field, `build` (`create_body` for an operation that is isolated
/// from above), and a setter for each property.
#[proc_macro_attribute]
pub fn operation(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::finish(operation::expand(arguments.into(), item.into()))
}

/// Declares a type: `name = "dialect.type"`, and optionally `verify = path` and `destructure = path`.
///
/// Its fields are the parameters, in the order of the text: `!dialect.type<a, b>`. The last one may be an `Option`; it
/// and the comma before it are left out if it is `None`.
#[proc_macro_attribute]
pub fn type_definition(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::finish(definition::expand(definition::Kind::Type, arguments.into(), item.into()))
}

/// Declares an attribute: `name = "dialect.attribute"`, and optionally `verify = path` and `typed = path`.
///
/// As for types, its fields are the parameters.
#[proc_macro_attribute]
pub fn attribute_definition(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::finish(definition::expand(definition::Kind::Attribute, arguments.into(), item.into()))
}

/// Makes a fieldless enumeration a parameter written as a keyword: the variant's name in snake case.
///
/// With `#[keyword(attribute = "dialect.name")]` the enumeration is also an attribute of its own and can be the type
/// of a property: `#dialect.name<keyword>` in the generic form, the bare keyword in the custom form.
#[proc_macro_derive(Keyword, attributes(keyword))]
pub fn keyword(item: TokenStream) -> TokenStream {
    expand::finish(keyword::expand(item.into()))
}
