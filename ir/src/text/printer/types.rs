//! Types.

use super::Printer;
use crate::types::{Dimension, FloatKind, Signedness, Type, TypeKind};

impl Printer<'_> {
    /// Writes a type.
    pub fn ty(&mut self, ty: Type) {
        match ty.kind(self.context) {
            TypeKind::Integer { width, signedness } => {
                self.write(match signedness {
                    Signedness::Signless => "i",
                    Signedness::Signed => "si",
                    Signedness::Unsigned => "ui",
                });
                self.number(*width);
            }
            TypeKind::Float(kind) => self.write(float_name(*kind)),
            TypeKind::Index => self.write("index"),
            TypeKind::None => self.write("none"),
            kind => self.deeper(|printer| printer.composite(kind)),
        }
    }

    fn composite(&mut self, kind: &TypeKind) {
        match kind {
            TypeKind::Complex(element) => {
                self.write("complex<");
                self.ty(*element);
                self.write(">");
            }
            TypeKind::Function { inputs, results } => self.function_type(inputs, results),
            TypeKind::Tuple(elements) => {
                self.write("tuple<");
                self.list(elements.iter().copied(), Self::ty);
                self.write(">");
            }
            TypeKind::Vector { shape, scalable, element } => {
                self.write("vector<");
                for (dimension, &scalable) in shape.iter().zip(scalable) {
                    self.write(if scalable { "[" } else { "" });
                    self.dimension(*dimension);
                    self.write(if scalable { "]x" } else { "x" });
                }
                self.ty(*element);
                self.write(">");
            }
            TypeKind::RankedTensor { shape, element, encoding } => {
                self.write("tensor<");
                self.shape(shape);
                self.ty(*element);
                self.optional_attribute(*encoding);
                self.write(">");
            }
            TypeKind::UnrankedTensor(element) => {
                self.write("tensor<*x");
                self.ty(*element);
                self.write(">");
            }
            TypeKind::MemRef { shape, element, layout, space } => {
                self.write("memref<");
                self.shape(shape);
                self.ty(*element);
                self.optional_attribute(*layout);
                self.optional_attribute(*space);
                self.write(">");
            }
            TypeKind::UnrankedMemRef { element, space } => {
                self.write("memref<*x");
                self.ty(*element);
                self.optional_attribute(*space);
                self.write(">");
            }
            TypeKind::Opaque { dialect, body } => {
                let (dialect, body) = (dialect.as_str(self.context), body.as_str(self.context));
                self.opaque('!', dialect, body);
            }
            TypeKind::Dialect(object) => {
                self.write("!");
                self.write(object.declaration().name);
                object.print_parameters(self);
            }
            TypeKind::Integer { .. } | TypeKind::Float(_) | TypeKind::Index | TypeKind::None => {
                unreachable!("the caller prints these itself")
            }
        }
    }

    /// Writes `(inputs) -> results`.
    pub fn function_type(&mut self, inputs: &[Type], results: &[Type]) {
        self.write("(");
        self.list(inputs.iter().copied(), Self::ty);
        self.write(") -> ");
        match results {
            [single] if !matches!(single.kind(self.context), TypeKind::Function { .. }) => self.ty(*single),
            _ => {
                self.write("(");
                self.list(results.iter().copied(), Self::ty);
                self.write(")");
            }
        }
    }

    fn shape(&mut self, shape: &[Dimension]) {
        for &dimension in shape {
            self.dimension(dimension);
            self.write("x");
        }
    }

    fn dimension(&mut self, dimension: Dimension) {
        match dimension {
            Dimension::Fixed(count) => self.display(count),
            Dimension::Dynamic => self.write("?"),
        }
    }

    fn optional_attribute(&mut self, attribute: Option<crate::attributes::Attribute>) {
        if let Some(attribute) = attribute {
            self.write(", ");
            self.attribute_with(attribute, true);
        }
    }

    /// Writes a type or attribute of an unregistered dialect: with a dot if the text begins with a plain name, else in
    /// brackets.
    pub(super) fn opaque(&mut self, sigil: char, dialect: &str, body: &str) {
        self.display(sigil);
        self.write(dialect);
        if is_pretty(body) {
            self.write(".");
            self.write(body);
        } else {
            self.write("<");
            self.write(body);
            self.write(">");
        }
    }
}

/// Whether a body can be written after a dot: a name of letters, digits, dots and underscores that begins with a letter,
/// alone or followed by one pair of angle brackets to its end.
fn is_pretty(body: &str) -> bool {
    let is_name = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '.');
    let length = body.find(|character| !is_name(character)).unwrap_or(body.len());
    let rest = &body[length..];
    body.starts_with(|character: char| character.is_ascii_alphabetic())
        && (rest.is_empty() || rest.starts_with('<') && rest.ends_with('>'))
}

pub(crate) fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::F8E5M2 => "f8E5M2",
        FloatKind::F8E4M3 => "f8E4M3",
        FloatKind::F8E4M3Fn => "f8E4M3FN",
        FloatKind::F8E5M2Fnuz => "f8E5M2FNUZ",
        FloatKind::F8E4M3Fnuz => "f8E4M3FNUZ",
        FloatKind::F8E4M3B11Fnuz => "f8E4M3B11FNUZ",
        FloatKind::F8E3M4 => "f8E3M4",
        FloatKind::F6E3M2Fn => "f6E3M2FN",
        FloatKind::F6E2M3Fn => "f6E2M3FN",
        FloatKind::F4E2M1Fn => "f4E2M1FN",
        FloatKind::BF16 => "bf16",
        FloatKind::F16 => "f16",
        FloatKind::TF32 => "tf32",
        FloatKind::F32 => "f32",
        FloatKind::F64 => "f64",
        FloatKind::F80 => "f80",
        FloatKind::F128 => "f128",
    }
}
