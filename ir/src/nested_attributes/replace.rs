//! Copies of types and attributes with some of what is in them replaced.

use rustc_hash::FxHashMap;

use super::{Nested, ParameterMap, for_each_nested};
use crate::attributes::{Attribute, AttributeKind, Dictionary};
use crate::context::Context;
use crate::location::{Location, LocationKind};
use crate::types::{Type, TypeKind};

/// Replaces types and attributes wherever they are in others, and remembers what became of each.
pub struct NestedReplacer<'c, F> {
    context: &'c Context,
    replace: F,
    known: FxHashMap<Nested, Nested>,
}

impl<'c, F: FnMut(Nested) -> Nested> NestedReplacer<'c, F> {
    /// A replacer that asks `replace` what each type or attribute becomes, once what is in it has been replaced. It
    /// must give a type for a type and an attribute for an attribute.
    pub fn new(context: &'c Context, replace: F) -> Self {
        Self { context, replace, known: FxHashMap::default() }
    }

    /// What a type or attribute becomes. Linear in what is in it; no recursion.
    pub fn replace(&mut self, outermost: impl Into<Nested>) -> Nested {
        let outermost = outermost.into();
        if let Some(&known) = self.known.get(&outermost) {
            return known;
        }
        let (context, known, replace) = (self.context, &mut self.known, &mut self.replace);
        // What is nested in a thing comes before the thing, so it is known by then.
        for_each_nested(context, outermost, |nested| {
            if !known.contains_key(&nested) {
                let inner = map_direct(context, nested, &mut Known { context, known });
                let replaced = replace(inner);
                known.insert(nested, replaced);
            }
        });
        self.known[&outermost]
    }

    /// What a type becomes.
    ///
    /// # Panics
    /// If `replace` gives an attribute for a type.
    pub fn ty(&mut self, ty: Type) -> Type {
        type_in(self.replace(ty))
    }

    /// What an attribute becomes.
    ///
    /// # Panics
    /// If `replace` gives a type for an attribute.
    pub fn attribute(&mut self, attribute: Attribute) -> Attribute {
        attribute_in(self.replace(attribute))
    }

    /// What a dictionary becomes. Its keys stay.
    ///
    /// # Panics
    /// If `replace` gives a type for an attribute.
    pub fn dictionary(&mut self, dictionary: Dictionary) -> Dictionary {
        map_entries(self.context, dictionary, |attribute| self.attribute(attribute))
    }
}

fn type_in(nested: Nested) -> Type {
    match nested {
        Nested::Type(ty) => ty,
        Nested::Attribute(_) => panic!("a type is replaced by a type"),
    }
}

fn attribute_in(nested: Nested) -> Attribute {
    match nested {
        Nested::Attribute(attribute) => attribute,
        Nested::Type(_) => panic!("an attribute is replaced by an attribute"),
    }
}

fn map_entries(context: &Context, dictionary: Dictionary, mut map: impl FnMut(Attribute) -> Attribute) -> Dictionary {
    let mut changed = false;
    let entries: Vec<_> = dictionary
        .entries(context)
        .iter()
        .map(|&(key, value)| {
            let mapped = map(value);
            changed |= mapped != value;
            (key, mapped)
        })
        .collect();
    if changed { Dictionary::new(context, &entries) } else { dictionary }
}

/// Gives what is known.
struct Known<'a> {
    context: &'a Context,
    known: &'a FxHashMap<Nested, Nested>,
}

impl Known<'_> {
    fn get(&self, nested: Nested) -> Nested {
        self.known.get(&nested).copied().unwrap_or(nested)
    }
}

impl ParameterMap for Known<'_> {
    fn ty(&mut self, ty: Type) -> Type {
        type_in(self.get(Nested::Type(ty)))
    }
    fn attribute(&mut self, attribute: Attribute) -> Attribute {
        attribute_in(self.get(Nested::Attribute(attribute)))
    }
    fn dictionary(&mut self, dictionary: Dictionary) -> Dictionary {
        map_entries(self.context, dictionary, |attribute| attribute_in(self.get(Nested::Attribute(attribute))))
    }
}

/// A type or attribute with what is directly in it put through `map`.
pub fn map_direct(context: &Context, nested: Nested, map: &mut dyn ParameterMap) -> Nested {
    match nested {
        Nested::Type(ty) => map_type(context, ty, map).into(),
        Nested::Attribute(attribute) => map_attribute(context, attribute, map).into(),
    }
}

fn map_type(context: &Context, ty: Type, map: &mut dyn ParameterMap) -> Type {
    let mut kind = ty.kind(context).clone();
    match &mut kind {
        TypeKind::Integer { .. } | TypeKind::Float(_) | TypeKind::Index | TypeKind::None | TypeKind::Opaque { .. } => {
            return ty;
        }
        TypeKind::Complex(element) | TypeKind::Vector { element, .. } | TypeKind::UnrankedTensor(element) => {
            *element = map.ty(*element);
        }
        TypeKind::Function { inputs, results } => {
            inputs.iter_mut().chain(results).for_each(|ty| *ty = map.ty(*ty));
        }
        TypeKind::Tuple(elements) => elements.iter_mut().for_each(|ty| *ty = map.ty(*ty)),
        TypeKind::RankedTensor { element, encoding, .. } => {
            *element = map.ty(*element);
            encoding.iter_mut().for_each(|attribute| *attribute = map.attribute(*attribute));
        }
        TypeKind::MemRef { element, layout, space, .. } => {
            *element = map.ty(*element);
            layout.iter_mut().chain(space).for_each(|attribute| *attribute = map.attribute(*attribute));
        }
        TypeKind::UnrankedMemRef { element, space } => {
            *element = map.ty(*element);
            space.iter_mut().for_each(|attribute| *attribute = map.attribute(*attribute));
        }
        TypeKind::Dialect(object) => *object = object.map_parameters(map),
    }
    context.intern_type(kind)
}

fn map_attribute(context: &Context, attribute: Attribute, map: &mut dyn ParameterMap) -> Attribute {
    let mut kind = attribute.kind(context).clone();
    match &mut kind {
        AttributeKind::Unit | AttributeKind::Symbol(_) | AttributeKind::DenseArray(_) => return attribute,
        AttributeKind::Integer { ty, value } => return Attribute::integer(context, *value, map.ty(*ty)),
        AttributeKind::Float { ty, .. } | AttributeKind::Type(ty) => *ty = map.ty(*ty),
        AttributeKind::String { ty, .. } | AttributeKind::Verbatim { ty, .. } | AttributeKind::Opaque { ty, .. } => {
            ty.iter_mut().for_each(|ty| *ty = map.ty(*ty));
        }
        AttributeKind::Array(elements) => elements.iter_mut().for_each(|inner| *inner = map.attribute(*inner)),
        AttributeKind::Dictionary(dictionary) => *dictionary = map.dictionary(*dictionary),
        AttributeKind::DenseElements { ty, elements } => {
            *ty = map.ty(*ty);
            elements.iter_mut().for_each(|inner| *inner = map.attribute(*inner));
        }
        AttributeKind::Location(location) => {
            let LocationKind::Fused { metadata: Some(metadata), locations } = location.kind(context) else {
                return attribute;
            };
            *location = Location::fused(context, Some(map.attribute(metadata)), &locations);
        }
        AttributeKind::Dialect(object) => *object = object.map_parameters(map),
    }
    context.intern_attribute(kind)
}
