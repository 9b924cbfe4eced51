//! Where operations mention symbols.

use rustc_hash::FxHashSet;

use crate::attributes::{Attribute, AttributeKind, Dictionary, SymbolRef};
use crate::context::Context;
use crate::identifier::Identifier;
use crate::location::LocationKind;
use crate::operation::OpRef;
use crate::types::{Type, TypeKind};

/// Collects the symbols that operations mention anywhere in their attributes and types.
pub(super) struct References<'c> {
    context: &'c Context,
    symbols: Vec<SymbolRef>,
    names: Vec<Identifier>,
    seen: FxHashSet<Thing>,
    pending: Vec<Thing>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Thing {
    Attribute(Attribute),
    Type(Type),
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
        op.results().for_each(|result| self.push(Thing::Type(op.type_of(result))));
        for &region in op.regions() {
            for block in op.body.blocks(region) {
                let arguments = op.body.arguments(block);
                arguments.iter().for_each(|&argument| self.push(Thing::Type(op.type_of(argument))));
            }
        }
        // Attributes and types may nest deeply, so there is no recursion.
        while let Some(thing) = self.pending.pop() {
            match thing {
                Thing::Attribute(attribute) => self.visit_attribute(attribute),
                Thing::Type(ty) => self.visit_type(ty),
            }
        }
    }

    fn push(&mut self, thing: Thing) {
        if self.seen.insert(thing) {
            self.pending.push(thing);
        }
    }

    fn add_dictionary(&mut self, dictionary: Dictionary) {
        dictionary.entries(self.context).iter().for_each(|&(_, value)| self.push(Thing::Attribute(value)));
    }

    fn visit_attribute(&mut self, attribute: Attribute) {
        match attribute.kind(self.context) {
            AttributeKind::Symbol(symbol) => self.symbols.push(symbol.clone()),
            AttributeKind::Array(elements) => {
                elements.iter().for_each(|&element| self.push(Thing::Attribute(element)));
            }
            AttributeKind::Dictionary(dictionary) => self.add_dictionary(*dictionary),
            AttributeKind::Type(ty) | AttributeKind::Integer { ty, .. } | AttributeKind::Float { ty, .. } => {
                self.push(Thing::Type(*ty));
            }
            AttributeKind::String { ty, .. } => ty.iter().for_each(|&ty| self.push(Thing::Type(ty))),
            AttributeKind::DenseElements { ty, elements } => {
                self.push(Thing::Type(*ty));
                elements.iter().for_each(|&element| self.push(Thing::Attribute(element)));
            }
            AttributeKind::Verbatim { body, ty, .. } | AttributeKind::Opaque { body, ty, .. } => {
                self.add_text(*body);
                ty.iter().for_each(|&ty| self.push(Thing::Type(ty)));
            }
            AttributeKind::Location(location) => {
                if let LocationKind::Fused { metadata: Some(metadata), .. } = location.kind(self.context) {
                    self.push(Thing::Attribute(metadata));
                }
            }
            AttributeKind::Dialect(object) => {
                let (mut types, mut attributes) = (vec![], vec![]);
                object.visit_parameters(&mut |ty| types.push(ty), &mut |attribute| attributes.push(attribute));
                types.into_iter().for_each(|ty| self.push(Thing::Type(ty)));
                attributes.into_iter().for_each(|attribute| self.push(Thing::Attribute(attribute)));
            }
            AttributeKind::Unit | AttributeKind::DenseArray(_) => {}
        }
    }

    fn visit_type(&mut self, ty: Type) {
        match ty.kind(self.context) {
            TypeKind::Complex(element) | TypeKind::UnrankedTensor(element) | TypeKind::Vector { element, .. } => {
                self.push(Thing::Type(*element));
            }
            TypeKind::Function { inputs, results } => {
                inputs.iter().chain(results).for_each(|&ty| self.push(Thing::Type(ty)));
            }
            TypeKind::Tuple(types) => types.iter().for_each(|&ty| self.push(Thing::Type(ty))),
            TypeKind::RankedTensor { element, encoding, .. } => {
                self.push(Thing::Type(*element));
                encoding.iter().for_each(|&encoding| self.push(Thing::Attribute(encoding)));
            }
            TypeKind::MemRef { element, layout, space, .. } => {
                self.push(Thing::Type(*element));
                layout.iter().chain(space).for_each(|&attribute| self.push(Thing::Attribute(attribute)));
            }
            TypeKind::UnrankedMemRef { element, space } => {
                self.push(Thing::Type(*element));
                space.iter().for_each(|&space| self.push(Thing::Attribute(space)));
            }
            TypeKind::Opaque { body, .. } => self.add_text(*body),
            TypeKind::Dialect(object) => {
                let (mut types, mut attributes) = (vec![], vec![]);
                object.visit_parameters(&mut |ty| types.push(ty), &mut |attribute| attributes.push(attribute));
                types.into_iter().for_each(|ty| self.push(Thing::Type(ty)));
                attributes.into_iter().for_each(|attribute| self.push(Thing::Attribute(attribute)));
            }
            TypeKind::Integer { .. } | TypeKind::Float(_) | TypeKind::Index | TypeKind::None => {}
        }
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
