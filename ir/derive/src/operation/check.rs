//! What is declared must make sense together.

use syn::{Ident, Path};

use super::Operation;
use crate::fields::Arity;

/// Finds contradictions between the arguments and the fields.
pub(super) fn check(operation: &Operation) -> syn::Result<()> {
    let item = &operation.item;
    if !item.generics.params.is_empty() {
        return Err(syn::Error::new_spanned(&item.generics, "an operation has no generic parameters"));
    }
    check_name(operation)?;
    if let Some(twice) = repeated(&operation.traits) {
        return Err(syn::Error::new(twice.span(), format!("the trait {twice} is given twice")));
    }
    let interfaces: Vec<Ident> = operation.interfaces.iter().filter_map(last_of).cloned().collect();
    if let Some(twice) = repeated(&interfaces) {
        return Err(syn::Error::new(twice.span(), format!("the interface {twice} is given twice")));
    }
    if let (Some(format), Some(syntax)) = (&operation.format, interfaces.iter().find(|name| *name == "Syntax")) {
        let mut error = syn::Error::new(format.span(), "an operation has a `format` or the interface Syntax, not both");
        error.combine(syn::Error::new(syntax.span(), "the other is here"));
        return Err(error);
    }
    operation.traits.iter().try_for_each(|name| check_trait(operation, name))?;
    if !operation.fields.successors.is_empty() && !operation.has_trait("TERMINATOR") {
        let name = &operation.fields.successors[0].name;
        return Err(syn::Error::new(name.span(), "an operation that has successors needs the trait TERMINATOR"));
    }
    Ok(())
}

fn last_of(path: &Path) -> Option<&Ident> {
    path.segments.last().map(|segment| &segment.ident)
}

fn repeated(names: &[Ident]) -> Option<&Ident> {
    names.iter().enumerate().find(|(index, name)| names[..*index].contains(name)).map(|(_, name)| name)
}

fn check_name(operation: &Operation) -> syn::Result<()> {
    let name = operation.name.value();
    let is_part = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_lowercase())
            && part.chars().all(|one| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '_')
    };
    if name.contains('.') && name.split('.').all(is_part) {
        return Ok(());
    }
    let message = "an operation's name is `dialect.name`, of lower-case letters, digits and underscores";
    Err(syn::Error::new(operation.name.span(), message))
}

/// What a trait says about the fields must hold.
fn check_trait(operation: &Operation, name: &Ident) -> syn::Result<()> {
    let fields = &operation.fields;
    let error = |message: &str| Err(syn::Error::new(name.span(), message));
    let has_property = |key: &str| fields.properties.iter().any(|property| property.name == key);
    let one_result = matches!(&fields.results[..], [single] if single.arity == Arity::One);
    match name.to_string().as_str() {
        "ISOLATED_FROM_ABOVE"
            if !(fields.operands.is_empty() && fields.results.is_empty() && fields.successors.is_empty()) =>
        {
            error("an operation that is isolated from above has no operands, results or successors")
        }
        "CONSTANT_LIKE" if !(fields.operands.is_empty() && one_result && has_property("value")) => {
            error("a constant has no operands, one result, and the property `value`")
        }
        "SYMBOL" if !has_property("sym_name") => error("a symbol has the property `sym_name`"),
        "COMMUTATIVE" if fields.operands.len() < 2 && fields.operands.iter().all(|group| group.arity == Arity::One) => {
            error("an operation with fewer than two operands has nothing to exchange")
        }
        "INVOLUTION" | "IDEMPOTENT"
            if !(one_result && matches!(&fields.operands[..], [single] if single.arity == Arity::One)) =>
        {
            error("an operation that can be applied to its own result has one operand and one result")
        }
        "RETURN_LIKE" if !operation.has_trait("TERMINATOR") => error("RETURN_LIKE needs the trait TERMINATOR"),
        "SINGLE_BLOCK" | "NO_TERMINATOR" | "GRAPH_REGION" | "SYMBOL_TABLE" if fields.regions.is_empty() => {
            error("this trait is about regions, and there are none")
        }
        _ => Ok(()),
    }
}
