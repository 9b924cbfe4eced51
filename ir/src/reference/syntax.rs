//! Custom forms in words.

use crate::operation::{Arity, FormatElement, OperationDeclaration, Slot};
use crate::text::ParameterDeclaration;

/// The custom form of an operation as one line: what stands for itself in backticks, parts by name, what may be left
/// out in parentheses with a question mark.
pub(super) fn of_format(declaration: &OperationDeclaration, format: &[FormatElement]) -> String {
    let mut pieces: Vec<String> = Vec::new();
    if let [first, rest @ ..] = declaration.results {
        let mut results = format!("%{}", result(first.name, first.arity));
        for group in rest {
            results.push_str(&format!(", %{}", result(group.name, group.arity)));
        }
        pieces.push(format!("{results} ="));
    }
    pieces.push(format!("`{}`", declaration.name));
    elements(declaration, format, &mut pieces);
    pieces.join(" ")
}

fn result(name: &str, arity: Arity) -> String {
    format!("{name}{}", mark(arity))
}

/// `?` if there is one or none, `...` if there are any number.
fn mark(arity: Arity) -> &'static str {
    match arity {
        Arity::One => "",
        Arity::Optional => "?",
        Arity::Variadic => "...",
    }
}

fn elements(declaration: &OperationDeclaration, format: &[FormatElement], pieces: &mut Vec<String>) {
    for element in format {
        let operand = |group: usize| {
            let group = &declaration.operands[group];
            format!("%{}{}", group.name, mark(group.arity))
        };
        pieces.push(match *element {
            FormatElement::Literal(literal) => format!("`{literal}`"),
            FormatElement::Operands(group) => operand(group),
            FormatElement::AllOperands => {
                (0..declaration.operands.len()).map(operand).collect::<Vec<_>>().join(" `,` ")
            }
            FormatElement::Types(slot) => {
                let group = match slot {
                    Slot::Operand(group) => &declaration.operands[group],
                    Slot::Result(group) => &declaration.results[group],
                };
                format!("type(%{}{})", group.name, mark(group.arity))
            }
            FormatElement::FunctionalType => "(operand types) -> (result types)".to_owned(),
            FormatElement::Property(index) => declaration.properties[index].name.to_owned(),
            FormatElement::AttributeDictionary { keyword: false } => "{attributes}?".to_owned(),
            FormatElement::AttributeDictionary { keyword: true } => "(`attributes` {attributes})?".to_owned(),
            FormatElement::Successors { successor, operands } => {
                let group = &declaration.successors[successor];
                let block = format!("^{}{}", group.name, mark(group.arity));
                match operands {
                    Some(operands) => {
                        format!(
                            "{block} (`(` %{name} : type(%{name}), ... `)`)?",
                            name = declaration.operands[operands].name
                        )
                    }
                    None => block,
                }
            }
            FormatElement::Regions(group) => {
                let group = &declaration.regions[group];
                format!("{{{}{}}}", group.name, mark(group.arity))
            }
            FormatElement::Group { elements: inner, .. } => {
                let mut pieces = Vec::new();
                elements(declaration, inner, &mut pieces);
                format!("({})?", pieces.join(" "))
            }
        });
    }
}

/// What stands behind the name of a type or attribute.
pub(super) fn of_parameters(parameters: &[ParameterDeclaration]) -> String {
    let mut text = String::new();
    for (index, parameter) in parameters.iter().enumerate() {
        let before = if index == 0 { "<" } else { ", " };
        if parameter.is_optional && index == 0 {
            return format!("(<{}>)?", parameter.name);
        }
        if parameter.is_optional {
            text.push_str(&format!("({before}{})?", parameter.name));
        } else {
            text.push_str(&format!("{before}{}", parameter.name));
        }
    }
    text + ">"
}
