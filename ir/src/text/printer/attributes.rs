//! Attributes.

use super::Printer;
use crate::attributes::{ArrayElement, Attribute, AttributeKind, DenseArray, Dictionary, SymbolRef};
use crate::text::float;
use crate::text::quote::is_bare_name;
use crate::types::{Dimension, FloatKind, Signedness, Type, TypeKind};

impl Printer<'_> {
    /// Writes an attribute, with its type if it has one.
    pub fn attribute(&mut self, attribute: Attribute) {
        self.attribute_with(attribute, false);
    }

    /// Writes an attribute; `elide` leaves out the types `i64` and `f64`, which a reader takes if none is written.
    pub(super) fn attribute_with(&mut self, attribute: Attribute, elide: bool) {
        match attribute.kind(self.context) {
            AttributeKind::Unit => self.write("unit"),
            AttributeKind::Integer { value, ty } => self.integer(*value, *ty, elide),
            AttributeKind::Float { bits, ty } => {
                let kind = ty.float_kind(self.context);
                self.float(*bits, kind.unwrap_or(FloatKind::F128));
                if !(elide && kind == Some(FloatKind::F64)) {
                    self.colon_type(*ty);
                }
            }
            AttributeKind::String { value, ty } => {
                let text = value.as_str(self.context);
                self.string(text);
                if let Some(ty) = ty {
                    self.colon_type(*ty);
                }
            }
            AttributeKind::Type(ty) => self.ty(*ty),
            AttributeKind::Symbol(symbol) => self.symbol_ref(symbol),
            AttributeKind::DenseArray(array) => self.dense_array(array),
            kind => self.deeper(|printer| printer.composite_attribute(kind)),
        }
    }

    fn composite_attribute(&mut self, kind: &AttributeKind) {
        match kind {
            AttributeKind::Array(elements) => {
                self.write("[");
                self.list(elements.iter().copied(), |printer, element| printer.attribute_with(element, true));
                self.write("]");
            }
            AttributeKind::Dictionary(dictionary) => self.dictionary(*dictionary),
            AttributeKind::DenseElements { ty, elements } => self.dense_elements(*ty, elements),
            AttributeKind::Verbatim { keyword, body, ty } => {
                let (keyword, body) = (keyword.as_str(self.context), body.as_str(self.context));
                self.write(keyword);
                self.write("<");
                self.write(body);
                self.write(">");
                if let Some(ty) = ty {
                    self.colon_type(*ty);
                }
            }
            AttributeKind::Location(location) => self.location(*location),
            AttributeKind::Opaque { dialect, body, ty } => {
                let (dialect, body) = (dialect.as_str(self.context), body.as_str(self.context));
                self.opaque('#', dialect, body);
                if let Some(ty) = ty {
                    self.colon_type(*ty);
                }
            }
            AttributeKind::Dialect(object) => {
                self.write("#");
                self.write(object.declaration().name);
                object.print_parameters(self);
            }
            _ => unreachable!("the caller prints the simple kinds itself"),
        }
    }

    fn colon_type(&mut self, ty: Type) {
        self.write(" : ");
        self.ty(ty);
    }

    fn integer(&mut self, value: i128, ty: Type, elide: bool) {
        match *ty.kind(self.context) {
            TypeKind::Integer { width: 1, signedness: Signedness::Signless } => {
                return self.write(if value == 0 { "false" } else { "true" });
            }
            TypeKind::Integer { width: 128, signedness: Signedness::Unsigned } => self.display(value as u128),
            _ => self.display(value),
        }
        let is_i64 = matches!(ty.kind(self.context), TypeKind::Integer { width: 64, signedness: Signedness::Signless });
        if !(elide && is_i64) {
            self.colon_type(ty);
        }
    }

    fn float(&mut self, bits: u128, kind: FloatKind) {
        float::print(bits, kind, &mut self.output);
    }

    /// Writes `@a::@b`.
    pub fn symbol_ref(&mut self, symbol: &SymbolRef) {
        let context = self.context;
        self.symbol(symbol.root.as_str(context));
        for name in &symbol.nested {
            self.write("::");
            self.symbol(name.as_str(context));
        }
    }

    /// Writes `{key = value, ...}`.
    pub fn dictionary(&mut self, dictionary: Dictionary) {
        let context = self.context;
        self.write("{");
        self.list(dictionary.entries(context), |printer, &(key, value)| {
            let key = key.as_str(context);
            if is_bare_name(key) {
                printer.write(key)
            } else {
                printer.string(key)
            }
            if !matches!(value.kind(context), AttributeKind::Unit) {
                printer.write(" = ");
                printer.attribute(value);
            }
        });
        self.write("}");
    }

    fn dense_array(&mut self, array: &DenseArray) {
        let element = match array.element {
            ArrayElement::I1 => "i1",
            ArrayElement::I8 => "i8",
            ArrayElement::I16 => "i16",
            ArrayElement::I32 => "i32",
            ArrayElement::I64 => "i64",
            ArrayElement::F32 => "f32",
            ArrayElement::F64 => "f64",
        };
        self.write("array<");
        self.write(element);
        if !array.values.is_empty() {
            self.write(": ");
            self.list(array.values.iter().copied(), |printer, value| match array.element {
                ArrayElement::I1 => printer.write(if value == 0 { "false" } else { "true" }),
                ArrayElement::F32 => printer.float(value as u128, FloatKind::F32),
                ArrayElement::F64 => printer.float(value as u128, FloatKind::F64),
                _ => printer.display(value),
            });
        }
        self.write(">");
    }

    fn dense_elements(&mut self, ty: Type, elements: &[Attribute]) {
        let dimensions: Vec<u64> = match ty.kind(self.context) {
            TypeKind::Vector { shape, .. } | TypeKind::RankedTensor { shape, .. } => {
                let fixed = |dimension: &Dimension| match *dimension {
                    Dimension::Fixed(count) => count,
                    Dimension::Dynamic => 0,
                };
                shape.iter().map(fixed).collect()
            }
            _ => Vec::new(),
        };
        self.write("dense<");
        match elements {
            [] => {}
            [splat] => self.bare_element(*splat),
            _ => self.dense_level(&dimensions, elements),
        }
        self.write(">");
        self.colon_type(ty);
    }

    fn dense_level(&mut self, dimensions: &[u64], elements: &[Attribute]) {
        let Some((&count, inner)) = dimensions.split_first() else {
            return elements.iter().for_each(|&element| self.bare_element(element));
        };
        self.write("[");
        let size = elements.len().checked_div(count as usize).unwrap_or(0).max(1);
        self.list(elements.chunks(size), |printer, part| printer.dense_level(inner, part));
        self.write("]");
    }

    fn bare_element(&mut self, element: Attribute) {
        match *element.kind(self.context) {
            AttributeKind::Integer { value, ty } if ty.integer_width(self.context) == Some(1) => {
                self.write(if value == 0 { "false" } else { "true" });
            }
            AttributeKind::Integer { value, .. } => self.display(value),
            AttributeKind::Float { bits, ty } => {
                self.float(bits, ty.float_kind(self.context).unwrap_or(FloatKind::F128));
            }
            _ => self.attribute(element),
        }
    }
}
