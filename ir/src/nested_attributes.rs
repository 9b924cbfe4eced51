//! Walks through the types and attributes that are in others.

use rustc_hash::FxHashSet;

use crate::attributes::{Attribute, AttributeKind};
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
        Nested::Type(ty) => in_type(ty.kind(context), callback),
        Nested::Attribute(attribute) => in_attribute(context, attribute.kind(context), callback),
    }
}

fn in_type(kind: &TypeKind, callback: &mut dyn FnMut(Nested)) {
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
        TypeKind::Dialect(object) => {
            let mut found = Vec::new();
            let collected = std::cell::RefCell::new(&mut found);
            object.visit_parameters(&mut |ty| collected.borrow_mut().push(Nested::Type(ty)), &mut |attribute| {
                collected.borrow_mut().push(Nested::Attribute(attribute))
            });
            found.into_iter().for_each(callback);
        }
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
        AttributeKind::Dialect(object) => {
            let mut found = Vec::new();
            let collected = std::cell::RefCell::new(&mut found);
            object.visit_parameters(&mut |ty| collected.borrow_mut().push(Nested::Type(ty)), &mut |attribute| {
                collected.borrow_mut().push(Nested::Attribute(attribute))
            });
            found.into_iter().for_each(callback);
        }
    }
}
