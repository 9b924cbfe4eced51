//! The types and attributes that are in others: walks through them, and copies with some of them replaced.

mod replace;

use rustc_hash::FxHashSet;

pub use replace::{NestedReplacer, map_direct};

use crate::attributes::{Attribute, AttributeKind, Dictionary};
use crate::context::Context;
use crate::location::LocationKind;
use crate::types::{Type, TypeKind};

/// A type or an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Nested {
    /// A type.
    Type(Type),
    /// An attribute.
    Attribute(Attribute),
}

impl From<Type> for Nested {
    fn from(ty: Type) -> Self {
        Self::Type(ty)
    }
}

impl From<Attribute> for Nested {
    fn from(attribute: Attribute) -> Self {
        Self::Attribute(attribute)
    }
}

/// What becomes of the types and attributes among the parameters of a dialect's type or attribute. To only look at
/// them, give back what was given.
pub trait ParameterMap {
    /// What a type becomes.
    fn ty(&mut self, ty: Type) -> Type;

    /// What an attribute becomes.
    fn attribute(&mut self, attribute: Attribute) -> Attribute;

    /// What a dictionary becomes.
    fn dictionary(&mut self, dictionary: Dictionary) -> Dictionary;
}

/// Calls back for each parameter and changes none.
struct Visitor<'a> {
    context: &'a Context,
    callback: &'a mut dyn FnMut(Nested),
}

impl ParameterMap for Visitor<'_> {
    fn ty(&mut self, ty: Type) -> Type {
        (self.callback)(Nested::Type(ty));
        ty
    }
    fn attribute(&mut self, attribute: Attribute) -> Attribute {
        (self.callback)(Nested::Attribute(attribute));
        attribute
    }
    fn dictionary(&mut self, dictionary: Dictionary) -> Dictionary {
        for &(_, attribute) in dictionary.entries(self.context) {
            (self.callback)(Nested::Attribute(attribute));
        }
        dictionary
    }
}

/// Calls back for a type or attribute and for all that is in it, however deep, each once. What is nested in a thing
/// comes before the thing. Linear in what is visited; no recursion.
pub fn for_each_nested(context: &Context, outermost: impl Into<Nested>, mut callback: impl FnMut(Nested)) {
    let mut seen = FxHashSet::default();
    let mut pending = vec![(outermost.into(), false)];
    while let Some((nested, is_open)) = pending.pop() {
        if is_open {
            callback(nested);
            continue;
        }
        if !seen.insert(nested) {
            continue;
        }
        let start = pending.len();
        pending.push((nested, true));
        for_each_direct(context, nested, &mut |inner| pending.push((inner, false)));
        pending[start + 1..].reverse();
    }
}

/// Calls back for what is directly in a type or attribute, in order.
pub fn for_each_direct(context: &Context, nested: Nested, callback: &mut dyn FnMut(Nested)) {
    match nested {
        Nested::Type(ty) => in_type(context, ty.kind(context), callback),
        Nested::Attribute(attribute) => in_attribute(context, attribute.kind(context), callback),
    }
}

fn in_type(context: &Context, kind: &TypeKind, callback: &mut dyn FnMut(Nested)) {
    match kind {
        TypeKind::Integer { .. } | TypeKind::Float(_) | TypeKind::Index | TypeKind::None | TypeKind::Opaque { .. } => {}
        TypeKind::Complex(element) | TypeKind::Vector { element, .. } | TypeKind::UnrankedTensor(element) => {
            callback(Nested::Type(*element));
        }
        TypeKind::Function { inputs, results } => {
            inputs.iter().chain(results).for_each(|&ty| callback(Nested::Type(ty)));
        }
        TypeKind::Tuple(elements) => elements.iter().for_each(|&ty| callback(Nested::Type(ty))),
        TypeKind::RankedTensor { element, encoding, .. } => {
            callback(Nested::Type(*element));
            encoding.iter().for_each(|&attribute| callback(Nested::Attribute(attribute)));
        }
        TypeKind::MemRef { element, layout, space, .. } => {
            callback(Nested::Type(*element));
            layout.iter().chain(space).for_each(|&attribute| callback(Nested::Attribute(attribute)));
        }
        TypeKind::UnrankedMemRef { element, space } => {
            callback(Nested::Type(*element));
            space.iter().for_each(|&attribute| callback(Nested::Attribute(attribute)));
        }
        TypeKind::Dialect(object) => drop(object.map_parameters(&mut Visitor { context, callback })),
    }
}

fn in_attribute(context: &Context, kind: &AttributeKind, callback: &mut dyn FnMut(Nested)) {
    match kind {
        AttributeKind::Unit | AttributeKind::Symbol(_) | AttributeKind::DenseArray(_) => {}
        AttributeKind::Integer { ty, .. } | AttributeKind::Float { ty, .. } | AttributeKind::Type(ty) => {
            callback(Nested::Type(*ty));
        }
        AttributeKind::String { ty, .. } | AttributeKind::Verbatim { ty, .. } | AttributeKind::Opaque { ty, .. } => {
            ty.iter().for_each(|&ty| callback(Nested::Type(ty)));
        }
        AttributeKind::Array(elements) => {
            elements.iter().for_each(|&attribute| callback(Nested::Attribute(attribute)));
        }
        AttributeKind::Dictionary(dictionary) => {
            dictionary.entries(context).iter().for_each(|&(_, attribute)| callback(Nested::Attribute(attribute)));
        }
        AttributeKind::DenseElements { ty, elements } => {
            callback(Nested::Type(*ty));
            elements.iter().for_each(|&attribute| callback(Nested::Attribute(attribute)));
        }
        AttributeKind::Location(location) => {
            if let LocationKind::Fused { metadata: Some(metadata), .. } = location.kind(context) {
                callback(Nested::Attribute(metadata));
            }
        }
        AttributeKind::Dialect(object) => drop(object.map_parameters(&mut Visitor { context, callback })),
    }
}
