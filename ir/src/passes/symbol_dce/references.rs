//! Where operations mention symbols.

use rustc_hash::FxHashSet;

use crate::attributes::{AttributeKind, Dictionary, SymbolRef};
use crate::context::Context;
use crate::identifier::Identifier;
use crate::nested_attributes::{Nested, for_each_direct};
use crate::operation::OpRef;
use crate::types::TypeKind;

/// Collects the symbols that operations mention anywhere in their attributes and types.
pub(super) struct References<'c> {
    context: &'c Context,
    symbols: Vec<SymbolRef>,
    names: Vec<Identifier>,
    seen: FxHashSet<Nested>,
    pending: Vec<Nested>,
}

impl<'c> References<'c> {
    pub(super) fn new(context: &'c Context) -> Self {
        Self { context, symbols: vec![], names: vec![], seen: FxHashSet::default(), pending: vec![] }
    }

    /// References with the names that stand in texts nobody has parsed.
    pub(super) fn into_parts(self) -> (Vec<SymbolRef>, Vec<Identifier>) {
        (self.symbols, self.names)
    }

    /// Adds what an operation itself mentions, and the types of its results and of the arguments of its blocks.
    pub(super) fn add_op(&mut self, op: OpRef<'_>) {
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
        match nested {
            Nested::Attribute(attribute) => match attribute.kind(self.context) {
                AttributeKind::Symbol(symbol) => self.symbols.push(symbol.clone()),
                AttributeKind::Verbatim { body, .. } | AttributeKind::Opaque { body, .. } => self.add_text(*body),
                _ => {}
            },
            Nested::Type(ty) => {
                if let TypeKind::Opaque { body, .. } = ty.kind(self.context) {
                    self.add_text(*body);
                }
            }
        }
        for_each_direct(self.context, nested, &mut |inner| self.pending.push(inner));
    }

    /// Every name after an `@`, in quotes or not.
    fn add_text(&mut self, text: Identifier) {
        let mut rest = text.as_str(self.context);
        while let Some(at) = rest.find('@') {
            rest = &rest[at + 1..];
            let name = match rest.strip_prefix('"') {
                Some(quoted) => quoted.split('"').next().unwrap_or(""),
                None => {
                    let is_end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '-'));
                    rest.split(is_end).next().unwrap_or("")
                }
            };
            self.names.push(self.context.identifier(name));
        }
    }
}
