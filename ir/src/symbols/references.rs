//! Where operations mention symbols.

use rustc_hash::FxHashSet;

use crate::attributes::{AttributeKind, Dictionary, SymbolRef};
use crate::context::Context;
use crate::identifier::Identifier;
use crate::nested_attributes::{Nested, for_each_direct};
use crate::operation::OpRef;
use crate::types::TypeKind;

/// Collects the symbols that operations mention anywhere in their attributes and types, in the parameters of dialect
/// attributes and types too. What is in the text of an attribute or type of an unregistered dialect is found by its
/// `@`, and may be a name in any table.
pub struct References<'c> {
    context: &'c Context,
    symbols: Vec<SymbolRef>,
    names: Vec<Identifier>,
    seen: FxHashSet<Nested>,
    pending: Vec<Nested>,
}

impl<'c> References<'c> {
    /// No references yet.
    pub fn new(context: &'c Context) -> Self {
        Self { context, symbols: vec![], names: vec![], seen: FxHashSet::default(), pending: vec![] }
    }

    /// The references so far, and the names that stand in texts nobody has parsed.
    pub fn into_parts(self) -> (Vec<SymbolRef>, Vec<Identifier>) {
        (self.symbols, self.names)
    }

    /// Adds what an operation itself mentions, and the types of its results and of the arguments of its blocks.
    pub fn add_op(&mut self, op: OpRef<'_>) {
        self.add_dictionary(op.properties());
        self.add_dictionary(op.attributes());
        self.pending.extend(op.results().map(|result| Nested::Type(op.type_of(result))));
        for &region in op.regions() {
            let arguments = op.body.blocks(region).flat_map(|block| op.body.arguments(block));
            self.pending.extend(arguments.map(|&argument| Nested::Type(op.type_of(argument))));
        }
        while let Some(nested) = self.pending.pop() {
            if self.seen.insert(nested) {
                self.visit(nested);
            }
        }
    }

    fn add_dictionary(&mut self, dictionary: Dictionary) {
        self.pending.extend(dictionary.entries(self.context).iter().map(|&(_, value)| Nested::Attribute(value)));
    }

    fn visit(&mut self, nested: Nested) {
        if let Nested::Attribute(attribute) = nested
            && let AttributeKind::Symbol(symbol) = attribute.kind(self.context)
        {
            self.symbols.push(symbol.clone());
        }
        if let Some(text) = unparsed_text(self.context, nested) {
            self.names.extend(names_in_text(text.as_str(self.context)).map(|name| self.context.identifier(name)));
        }
        for_each_direct(self.context, nested, &mut |inner| self.pending.push(inner));
    }
}

/// The text of a type or attribute that is kept as it was written.
pub(super) fn unparsed_text(context: &Context, nested: Nested) -> Option<Identifier> {
    match nested {
        Nested::Attribute(attribute) => match *attribute.kind(context) {
            AttributeKind::Verbatim { body, .. } | AttributeKind::Opaque { body, .. } => Some(body),
            _ => None,
        },
        Nested::Type(ty) => match *ty.kind(context) {
            TypeKind::Opaque { body, .. } => Some(body),
            _ => None,
        },
    }
}

/// Every name after an `@`, in quotes or not.
pub(super) fn names_in_text(text: &str) -> impl Iterator<Item = &str> {
    text.split('@').skip(1).map(|rest| match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or(""),
        None => {
            let is_end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '-'));
            rest.split(is_end).next().unwrap_or("")
        }
    })
}
