//! `dense<...>` and `array<...>`.

use super::{ParseResult, Parser, TokenKind};
use crate::attributes::{ArrayElement, Attribute, AttributeKind, DenseArray};
use crate::source::Span;
use crate::text::lexer::Token;
use crate::types::{Dimension, FloatKind, Signedness, Type, TypeKind};

/// One element as written.
struct Element {
    token: Token,
    negative: bool,
    span: Span,
}

impl Parser<'_, '_> {
    /// Reads what follows `dense`: elements, then the type.
    pub(super) fn dense_attribute(&mut self) -> ParseResult<Attribute> {
        let start = self.span();
        self.expect("<")?;
        let mut elements = Vec::new();
        let mut shape = Vec::new();
        if self.is_kind(TokenKind::String) {
            return Err(
                self.expected("elements in brackets (dense elements as a string of hexadecimal bytes are not read)")
            );
        }
        let is_empty = self.at(">");
        if !is_empty {
            shape = self.nested(|parser| parser.dense_level(&mut elements))?;
        }
        self.expect(">")?;
        self.expect(":")?;
        let type_span = self.span();
        let ty = self.parse_type()?;
        let (dimensions, element) = self.dense_type(ty, type_span)?;
        self.check_shape(&shape, elements.len(), &dimensions, start)?;
        let mut attributes = Vec::with_capacity(elements.len());
        for written in &elements {
            attributes.push(self.dense_element(written, element)?);
        }
        if attributes.len() > 1 && attributes.iter().all(|&attribute| attribute == attributes[0]) {
            attributes.truncate(1);
        }
        Ok(self.context.intern_attribute(AttributeKind::DenseElements { ty, elements: attributes.into() }))
    }

    /// The dimensions and the element type of the type of dense elements.
    fn dense_type(&mut self, ty: Type, span: Span) -> ParseResult<(Vec<u64>, Type)> {
        let shaped = match ty.kind(self.context) {
            TypeKind::Vector { shape, element, .. } | TypeKind::RankedTensor { shape, element, .. } => {
                let fixed = shape.iter().map(|dimension| match dimension {
                    Dimension::Fixed(count) => Some(*count),
                    Dimension::Dynamic => None,
                });
                fixed.collect::<Option<Vec<u64>>>().map(|dimensions| (dimensions, *element))
            }
            _ => None,
        };
        shaped.ok_or_else(|| {
            self.error(span, "dense-type", "the type of dense elements is a vector or tensor of fixed dimensions")
        })
    }

    fn check_shape(&mut self, written: &[u64], count: usize, expected: &[u64], start: Span) -> ParseResult<()> {
        let is_splat = written.is_empty() && count == 1;
        let total = expected.iter().try_fold(1_u64, |product, &dimension| product.checked_mul(dimension));
        let is_empty = count == 0 && total == Some(0);
        if is_splat || is_empty || written == expected {
            return Ok(());
        }
        let span = self.span_from(start);
        let message = format!("the elements have the shape {written:?}, but the type has {expected:?}");
        Err(self.error(span, "dense-shape", message))
    }

    /// Reads an element or a bracketed list and gives its shape.
    fn dense_level(&mut self, elements: &mut Vec<Element>) -> ParseResult<Vec<u64>> {
        if !self.at("[") {
            let start = self.span();
            let negative = self.eat("-");
            let token = self.token;
            let is_bool = self.at_keyword("true") || self.at_keyword("false");
            if !is_bool && !matches!(token.kind, TokenKind::Integer | TokenKind::Float) {
                return Err(self.expected("an element: a number, true or false"));
            }
            self.advance();
            let span = self.span_from(start);
            elements.push(Element { token, negative, span });
            return Ok(Vec::new());
        }
        let start = self.span();
        let mut count = 0;
        let mut inner: Option<Vec<u64>> = None;
        let mut ragged = false;
        self.nested(|parser| {
            parser.comma_list("[", "]", |parser| {
                let shape = parser.dense_level(elements)?;
                count += 1;
                ragged |= inner.as_ref().is_some_and(|inner| *inner != shape);
                inner = Some(shape);
                Ok(())
            })
        })?;
        if ragged {
            let span = self.span_from(start);
            return Err(self.error(span, "dense-shape", "the lists at one level must have the same length"));
        }
        let mut shape = vec![count];
        shape.extend(inner.unwrap_or_default());
        Ok(shape)
    }

    fn dense_element(&mut self, written: &Element, ty: Type) -> ParseResult<Attribute> {
        let text = self.text_of(written.token);
        match text {
            "true" | "false" if ty.integer_width(self.context) == Some(1) => {
                Ok(Attribute::integer(self.context, i128::from(text == "true"), ty))
            }
            "true" | "false" => {
                Err(self.error(written.span, "number-type", "true and false are elements of type 'i1'"))
            }
            _ => {
                let is_float = written.token.kind == TokenKind::Float;
                self.number_of_type(text, is_float, written.negative, ty, written.span)
            }
        }
    }

    /// Reads what follows `array`.
    pub(super) fn array_attribute(&mut self) -> ParseResult<Attribute> {
        self.expect("<")?;
        let span = self.span();
        let ty = self.parse_type()?;
        let Some(element) = array_element(ty.kind(self.context)) else {
            let message = "the elements of 'array' are i1, i8, i16, i32, i64, f32 or f64";
            return Err(self.error(span, "array-type", message));
        };
        let mut values = Vec::new();
        if self.eat(":") {
            loop {
                values.push(self.array_value(ty)?);
                if !self.eat(",") {
                    break;
                }
            }
        }
        self.expect(">")?;
        let array = DenseArray { element, values: values.into() };
        Ok(self.context.intern_attribute(AttributeKind::DenseArray(array)))
    }

    fn array_value(&mut self, ty: Type) -> ParseResult<i128> {
        let start = self.span();
        let negative = self.eat("-");
        let token = self.token;
        let is_bool = self.at_keyword("true") || self.at_keyword("false");
        if !is_bool && !matches!(token.kind, TokenKind::Integer | TokenKind::Float) {
            return Err(self.expected("a number"));
        }
        self.advance();
        let span = self.span_from(start);
        let attribute = self.dense_element(&Element { token, negative, span }, ty)?;
        Ok(match *attribute.kind(self.context) {
            AttributeKind::Integer { value, .. } => value,
            AttributeKind::Float { bits, .. } => bits as i128,
            _ => unreachable!("an element is a number of the array's type"),
        })
    }
}

fn array_element(kind: &TypeKind) -> Option<ArrayElement> {
    Some(match *kind {
        TypeKind::Integer { width, signedness: Signedness::Signless } => match width {
            1 => ArrayElement::I1,
            8 => ArrayElement::I8,
            16 => ArrayElement::I16,
            32 => ArrayElement::I32,
            64 => ArrayElement::I64,
            _ => return None,
        },
        TypeKind::Float(FloatKind::F32) => ArrayElement::F32,
        TypeKind::Float(FloatKind::F64) => ArrayElement::F64,
        _ => return None,
    })
}
