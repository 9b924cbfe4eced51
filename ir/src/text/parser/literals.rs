//! Numbers.

use super::{ParseResult, Parser, TokenKind};
use crate::attributes::Attribute;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::text::float::parse_decimal;
use crate::types::{FloatKind, Signedness, Type, TypeKind};

impl Parser<'_, '_> {
    /// The value of an integer token; nothing if it does not fit in 128 bits.
    pub(super) fn integer_token(&self) -> Option<u128> {
        let text = self.token_text();
        match text.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        }
    }

    /// Reads a number, with a minus sign before it or not, and its type: `5`, `-5 : i8`, `1.5 : f32`, `0x7F800000 :
    /// f32`. Without a type it is an `i64` or an `f64`.
    pub(super) fn number_attribute(&mut self) -> ParseResult<Attribute> {
        let start = self.span();
        let negative = self.eat("-");
        let token = self.token;
        if !matches!(token.kind, TokenKind::Integer | TokenKind::Float) {
            return Err(self.expected("a number after '-'"));
        }
        self.advance();
        let is_float = token.kind == TokenKind::Float;
        let ty = if self.eat(":") {
            self.parse_type()?
        } else if is_float {
            Type::float(self.context, FloatKind::F64)
        } else {
            Type::integer(self.context, 64)
        };
        let span = self.span_from(start);
        self.number_of_type(self.text_of(token), is_float, negative, ty, span)
    }

    /// A number as an attribute of a type.
    pub(super) fn number_of_type(
        &mut self,
        text: &str,
        is_float: bool,
        negative: bool,
        ty: Type,
        span: Span,
    ) -> ParseResult<Attribute> {
        match *ty.kind(self.context) {
            TypeKind::Float(kind) if is_float => match parse_decimal(text, negative, kind) {
                Some(bits) => Ok(Attribute::float_bits(self.context, bits, ty)),
                None => {
                    let message = format!("decimal numbers of type '{}' are not read", self.type_text(ty));
                    let diagnostic = Diagnostic::error("float-literal", span, message);
                    Err(self.report(diagnostic.help("write the bits in hexadecimal, such as 0x3C")))
                }
            },
            TypeKind::Float(kind) => self.float_bits(text, negative, kind, ty, span),
            TypeKind::Integer { .. } | TypeKind::Index if is_float => Err(self.error(
                span,
                "float-literal",
                format!("'{text}' is no integer, but its type is '{}'", self.type_text(ty)),
            )),
            TypeKind::Integer { width, signedness } => {
                self.integer_of_width(text, negative, width, signedness, ty, span)
            }
            TypeKind::Index => self.integer_of_width(text, negative, 64, Signedness::Signless, ty, span),
            _ => {
                let message = format!("a number cannot have the type '{}'", self.type_text(ty));
                Err(self.error(span, "number-type", message))
            }
        }
    }

    fn float_bits(
        &mut self,
        text: &str,
        negative: bool,
        kind: FloatKind,
        ty: Type,
        span: Span,
    ) -> ParseResult<Attribute> {
        let bits = text.strip_prefix("0x").and_then(|digits| u128::from_str_radix(digits, 16).ok());
        match bits {
            Some(bits) if !negative && (kind.width() == 128 || bits >> kind.width() == 0) => {
                Ok(Attribute::float_bits(self.context, bits, ty))
            }
            Some(_) => {
                let message = format!(
                    "the bits of a '{}' are a hexadecimal number of {} bits without sign",
                    self.type_text(ty),
                    kind.width()
                );
                Err(self.error(span, "float-literal", message))
            }
            None => {
                let message = format!("'{text}' is an integer, but its type is '{}'", self.type_text(ty));
                let diagnostic = Diagnostic::error("float-literal", span, message);
                Err(self.report(diagnostic.help(format!("write it with a point: {text}.0"))))
            }
        }
    }

    fn integer_of_width(
        &mut self,
        text: &str,
        negative: bool,
        width: u32,
        signedness: Signedness,
        ty: Type,
        span: Span,
    ) -> ParseResult<Attribute> {
        if width > 128 {
            let message = "integers of more than 128 bits can be types but not constants";
            return Err(self.error(span, "number-range", message));
        }
        let magnitude = match text.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16).ok(),
            None => text.parse::<u128>().ok(),
        };
        let hexadecimal = text.starts_with("0x");
        let fits = magnitude.is_some_and(|magnitude| {
            let unsigned_limit = 1_u128.checked_shl(width).map_or(u128::MAX, |limit| limit - 1);
            let signed_limit = if width == 0 { 0 } else { 1_u128 << (width - 1) };
            match (signedness, negative) {
                (Signedness::Unsigned, true) => magnitude == 0,
                (_, true) => magnitude <= signed_limit,
                (Signedness::Signed, false) if !hexadecimal => magnitude < signed_limit.max(1),
                _ => magnitude <= unsigned_limit,
            }
        });
        let Some(magnitude) = magnitude.filter(|_| fits) else {
            let message = format!("the number is out of the range of '{}'", self.type_text(ty));
            return Err(self.error(span, "number-range", message));
        };
        let value = if negative { (magnitude as i128).wrapping_neg() } else { magnitude as i128 };
        Ok(Attribute::integer(self.context, value, ty))
    }
}
