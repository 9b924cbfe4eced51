//! Words that several checks share.

use crate::context::Context;
use crate::operation::{OpRef, OperandDeclaration};
use crate::text::type_to_string;
use crate::types::Type;

/// A type as a message shows it.
pub(super) fn type_text(context: &Context, ty: Type) -> String {
    format!("'{}'", type_to_string(context, ty))
}

/// Types in a row, for messages.
pub(super) fn type_list(context: &Context, types: impl Iterator<Item = Type>) -> String {
    let texts: Vec<String> = types.map(|ty| type_text(context, ty)).collect();
    format!("({})", texts.join(", "))
}

/// `1 operand`, `2 operands`
pub(super) fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// `a`, `a and b`, `a, b and c`
pub(super) fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [single] => single.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `operand #1 ('rhs')`, or without the name if the declaration gives none.
pub(super) fn numbered(kind: &str, index: usize, group: &OperandDeclaration) -> String {
    if group.name.is_empty() { format!("{kind} #{index}") } else { format!("{kind} #{index} ('{}')", group.name) }
}

/// The start of each message about an operation, and what is wrong with it.
pub(super) fn about(op: OpRef<'_>, what: &str) -> String {
    format!("'{}' op {what}", op.name_str())
}
