//! Integers of a fixed type as properties: written without their type.

use crate::attributes::{Attribute, AttributeKind};
use crate::context::Context;
use crate::operation::AttributeConstraint;
use crate::text::{ParseResult, Parser, Printer};
use crate::types::{Signedness, TypeKind};

macro_rules! integer_attributes {
    ($($(#[$meta:meta])* $name:ident: $value:ty, $width:literal, $signedness:ident, $description:literal, $parse:ident;)*) => {$(
        $(#[$meta])*
        pub struct $name;

        impl AttributeConstraint for $name {
            type Value<'c> = $value;
            const DESCRIPTION: &'static str = $description;

            fn decode(context: &Context, attribute: Attribute) -> Option<$value> {
                match *attribute.kind(context) {
                    AttributeKind::Integer { value, ty } => {
                        let expected = TypeKind::Integer { width: $width, signedness: Signedness::$signedness };
                        (*ty.kind(context) == expected).then(|| <$value>::try_from(value).ok()).flatten()
                    }
                    _ => None,
                }
            }

            fn encode(context: &Context, value: $value) -> Attribute {
                let ty = context.intern_type(TypeKind::Integer { width: $width, signedness: Signedness::$signedness });
                Attribute::integer(context, i128::from(value), ty)
            }

            fn starts(parser: &Parser<'_, '_>) -> bool {
                parser.at_number()
            }

            fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Attribute> {
                let value: $value = parser.$parse()?;
                Ok(Self::encode(parser.context(), value))
            }

            fn print(attribute: Attribute, printer: &mut Printer<'_>) {
                match Self::decode(printer.context(), attribute) {
                    Some(value) => printer.display(value),
                    None => printer.attribute(attribute),
                }
            }
        }
    )*};
}

integer_attributes! {
    /// A signless 32-bit integer.
    I32Attribute: i32, 32, Signless, "32-bit integer (i32)", parse_signed;
    /// A signless 64-bit integer.
    I64Attribute: i64, 64, Signless, "64-bit integer (i64)", parse_signed;
    /// An unsigned 32-bit integer.
    U32Attribute: u32, 32, Unsigned, "unsigned 32-bit integer (ui32)", parse_unsigned;
    /// An unsigned 64-bit integer.
    U64Attribute: u64, 64, Unsigned, "unsigned 64-bit integer (ui64)", parse_unsigned;
}
