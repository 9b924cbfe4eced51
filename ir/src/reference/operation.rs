//! The section of one operation.

use std::fmt::Write;

use super::markdown::{Table, from_documentation};
use super::{INFALLIBLE, syntax};
use crate::attributes::Attribute;
use crate::context::Context;
use crate::dialect::DialectRegistry;
use crate::operation::{Arity, OperandDeclaration, OperationDeclaration, Presence, ResultRule, Slot};
use crate::text::attribute_to_string;

/// Writes the section of an operation.
pub(super) fn write(page: &mut String, declaration: &OperationDeclaration) {
    write!(page, "\n### `{}`\n\n{}\n", declaration.name, from_documentation(declaration.documentation))
        .expect(INFALLIBLE);
    let has_syntax = declaration.interfaces.iter().any(|model| model.interface_name() == "SyntaxInterface");
    match declaration.format {
        Some(format) => {
            write!(page, "\n```text\n{}\n```\n", syntax::of_format(declaration, format)).expect(INFALLIBLE);
        }
        None if has_syntax => {}
        None => page.push_str("\nThe operation has only the generic form.\n"),
    }
    values(page, "operand", declaration.operands);
    values(page, "result", declaration.results);
    properties(page, declaration);
    plain(page, "region", declaration.regions.iter().map(|one| (one.name, one.arity, one.documentation)));
    plain(page, "successor", declaration.successors.iter().map(|one| (one.name, one.arity, one.documentation)));
    rules(page, declaration);
    let names = |list: Vec<String>| list.join(", ");
    let traits: Vec<String> = declaration.traits.iter_names().map(|(name, _)| format!("`{name}`")).collect();
    if !traits.is_empty() {
        write!(page, "\nTraits: {}\n", names(traits)).expect(INFALLIBLE);
    }
    let interfaces = declaration.interfaces.iter().map(|model| model.interface_name());
    let interfaces: Vec<String> =
        interfaces.map(|name| format!("`{}`", name.strip_suffix("Interface").unwrap_or(name))).collect();
    if !interfaces.is_empty() {
        write!(page, "\nInterfaces: {}\n", names(interfaces)).expect(INFALLIBLE);
    }
}

fn arity(arity: Arity, what: &str) -> String {
    match arity {
        Arity::One => what.to_owned(),
        Arity::Optional => format!("{what}, optional"),
        Arity::Variadic => format!("{what}, any number"),
    }
}

fn values(page: &mut String, kind: &str, groups: &[OperandDeclaration]) {
    if groups.is_empty() {
        return;
    }
    page.push('\n');
    let mut table = Table::new(&[kind, "type", ""]);
    for group in groups {
        let name = format!("`{}`", group.name);
        table.row([name, arity(group.arity, group.rule.description), from_documentation(group.documentation)]);
    }
    page.push_str(&table.finish());
}

fn properties(page: &mut String, declaration: &OperationDeclaration) {
    if declaration.properties.is_empty() {
        return;
    }
    page.push('\n');
    let context = Context::new(DialectRegistry::new());
    let text = |attribute: Attribute| attribute_to_string(&context, attribute);
    let mut table = Table::new(&["property", "what it is", ""]);
    for property in declaration.properties {
        let mut what = property.rule.description.to_owned();
        match property.presence {
            Presence::Required => {}
            Presence::Optional => what.push_str(", optional"),
            Presence::Default(make) => what.push_str(&format!(", by default `{}`", text(make(&context)))),
        }
        table.row([format!("`{}`", property.name), what, from_documentation(property.documentation)]);
    }
    page.push_str(&table.finish());
}

fn plain<'a>(page: &mut String, kind: &str, groups: impl ExactSizeIterator<Item = (&'a str, Arity, &'a str)>) {
    if groups.len() == 0 {
        return;
    }
    page.push('\n');
    let mut table = Table::new(&[kind, "how many", ""]);
    for (name, arity, documentation) in groups {
        let count = match arity {
            Arity::One => "one",
            Arity::Optional => "one or none",
            Arity::Variadic => "any number",
        };
        table.row([format!("`{name}`"), count.to_owned(), from_documentation(documentation)]);
    }
    page.push_str(&table.finish());
}

fn rules(page: &mut String, declaration: &OperationDeclaration) {
    if declaration.rules.is_empty() {
        return;
    }
    page.push('\n');
    let name = |slot: Slot| match slot {
        Slot::Operand(index) => format!("`{}`", declaration.operands[index].name),
        Slot::Result(index) => format!("`{}`", declaration.results[index].name),
    };
    for rule in declaration.rules {
        let text = match *rule {
            ResultRule::Same(slots) => {
                let names: Vec<String> = slots.iter().map(|&slot| name(slot)).collect();
                let (last, others) = names.split_last().expect("a rule compares at least two groups");
                format!("{} and {last} have the same type", others.join(", "))
            }
            ResultRule::Derived { target, source, description, .. } => {
                format!("the type of {} is {description} {}", name(target), name(source))
            }
            ResultRule::FromProperty { target, property } => {
                format!("the type of {} is that of `{property}`", name(target))
            }
        };
        writeln!(page, "* {text}").expect(INFALLIBLE);
    }
}
