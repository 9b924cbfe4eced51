//! Stock constraints on types and attributes.

use std::marker::PhantomData;

use crate::attributes::{ArrayElement, Attribute, AttributeKind, Dictionary, SymbolRef};
use crate::context::Context;
use crate::operation::{AttributeConstraint, TypeConstraint};
use crate::text::{ParseResult, Parser, Printer};
use crate::types::{DialectType, FloatKind, Signedness, Type, TypeKind};

macro_rules! type_sets {
    ($($(#[$meta:meta])* $name:ident: $description:literal, $accepts:expr;)*) => {$(
        $(#[$meta])*
        pub struct $name;

        impl TypeConstraint for $name {
            const DESCRIPTION: &'static str = $description;

            fn accepts(context: &Context, ty: Type) -> bool {
                let accepts: fn(&Context, Type) -> bool = $accepts;
                accepts(context, ty)
            }
        }
    )*};
}

macro_rules! single_types {
    ($($(#[$meta:meta])* $name:ident: $description:literal, $make:expr;)*) => {$(
        $(#[$meta])*
        pub struct $name;

        impl TypeConstraint for $name {
            const DESCRIPTION: &'static str = $description;

            fn accepts(context: &Context, ty: Type) -> bool {
                Self::only(context) == Some(ty)
            }

            fn only(context: &Context) -> Option<Type> {
                let make: fn(&Context) -> Type = $make;
                Some(make(context))
            }
        }
    )*};
}

type_sets! {
    /// Every type.
    AnyType: "any type", |_, _| true;
    /// A signless integer of any width.
    AnyInteger: "signless integer", |context, ty| {
        matches!(ty.kind(context), TypeKind::Integer { signedness: Signedness::Signless, .. })
    };
    /// Any floating-point type.
    AnyFloat: "floating-point number", |context, ty| ty.float_kind(context).is_some();
    /// A signless integer, or a vector of them.
    IntegerLike: "signless integer or vector of them", |context, ty| {
        AnyInteger::accepts(context, element_or_self(context, ty))
    };
    /// A floating-point number, or a vector of them.
    FloatLike: "floating-point number or vector of them", |context, ty| {
        AnyFloat::accepts(context, element_or_self(context, ty))
    };
    /// A boolean, or a vector of them.
    BooleanLike: "i1 or vector of i1", |context, ty| {
        element_or_self(context, ty).integer_width(context) == Some(1)
    };
    /// A vector of one fixed dimension.
    AnyVector: "vector of one dimension", |context, ty| ty.vector_parts(context).is_some();
    /// A function type.
    FunctionType: "function type", |context, ty| ty.function_parts(context).is_some();
}

single_types! {
    /// `i1`
    I1: "i1", |context| Type::integer(context, 1);
    /// `i8`
    I8: "i8", |context| Type::integer(context, 8);
    /// `i16`
    I16: "i16", |context| Type::integer(context, 16);
    /// `i32`
    I32: "i32", |context| Type::integer(context, 32);
    /// `i64`
    I64: "i64", |context| Type::integer(context, 64);
    /// `f32`
    F32: "f32", |context| Type::float(context, FloatKind::F32);
    /// `f64`
    F64: "f64", |context| Type::float(context, FloatKind::F64);
    /// `index`
    Index: "index", Type::index_type;
}

/// The element type of a vector of one dimension; any other type itself.
pub fn element_or_self(context: &Context, ty: Type) -> Type {
    ty.vector_parts(context).map_or(ty, |(_, element)| element)
}

/// The types that a dialect declares as `T`.
pub struct TypeIs<T>(PhantomData<T>);

impl<T: DialectType> TypeConstraint for TypeIs<T> {
    const DESCRIPTION: &'static str = T::DECLARATION.name;

    fn accepts(context: &Context, ty: Type) -> bool {
        ty.is::<T>(context)
    }
}

/// The types of either set. The description is that of the first set: give the pair a constraint of its own if its
/// messages should name both.
pub struct Either<A, B>(PhantomData<(A, B)>);

impl<A: TypeConstraint, B: TypeConstraint> TypeConstraint for Either<A, B> {
    const DESCRIPTION: &'static str = A::DESCRIPTION;

    fn accepts(context: &Context, ty: Type) -> bool {
        A::accepts(context, ty) || B::accepts(context, ty)
    }
}

/// Vectors of one dimension with elements of a set.
pub struct VectorOf<E>(PhantomData<E>);

impl<E: TypeConstraint> TypeConstraint for VectorOf<E> {
    const DESCRIPTION: &'static str = "vector";

    fn accepts(context: &Context, ty: Type) -> bool {
        ty.vector_parts(context).is_some_and(|(_, element)| E::accepts(context, element))
    }
}

/// Any attribute.
pub struct AnyAttribute;

impl AttributeConstraint for AnyAttribute {
    type Value<'c> = Attribute;
    const DESCRIPTION: &'static str = "any attribute";

    fn decode(_context: &Context, attribute: Attribute) -> Option<Attribute> {
        Some(attribute)
    }

    fn encode(_context: &Context, value: Attribute) -> Attribute {
        value
    }
}

/// A number or dense elements: an attribute that has a type.
pub struct TypedAttribute;

impl AttributeConstraint for TypedAttribute {
    type Value<'c> = Attribute;
    const DESCRIPTION: &'static str = "attribute that has a type";

    fn decode(context: &Context, attribute: Attribute) -> Option<Attribute> {
        let is_type = attribute.type_value(context).is_some();
        (!is_type && crate::operation::type_of_attribute(context, attribute).is_some()).then_some(attribute)
    }

    fn encode(_context: &Context, value: Attribute) -> Attribute {
        value
    }
}

/// A type.
pub struct TypeAttribute;

impl AttributeConstraint for TypeAttribute {
    type Value<'c> = Type;
    const DESCRIPTION: &'static str = "type";

    fn decode(context: &Context, attribute: Attribute) -> Option<Type> {
        attribute.type_value(context)
    }

    fn encode(context: &Context, value: Type) -> Attribute {
        Attribute::type_attribute(context, value)
    }

    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Attribute> {
        let ty = parser.parse_type()?;
        Ok(Attribute::type_attribute(parser.context(), ty))
    }
}

/// A string.
pub struct StringAttribute;

impl AttributeConstraint for StringAttribute {
    type Value<'c> = &'c str;
    const DESCRIPTION: &'static str = "string";

    fn decode(context: &Context, attribute: Attribute) -> Option<&str> {
        attribute.string_value(context)
    }

    fn encode(context: &Context, value: &str) -> Attribute {
        Attribute::string(context, value)
    }

    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Attribute> {
        let text = parser.parse_string()?;
        Ok(Attribute::string(parser.context(), &text))
    }
}

/// The name of a symbol: a string that is not empty, written `@name`.
pub struct SymbolName;

impl AttributeConstraint for SymbolName {
    type Value<'c> = &'c str;
    const DESCRIPTION: &'static str = "symbol name (a string that is not empty)";

    fn decode(context: &Context, attribute: Attribute) -> Option<&str> {
        attribute.string_value(context).filter(|name| !name.is_empty())
    }

    fn encode(context: &Context, value: &str) -> Attribute {
        Attribute::string(context, value)
    }

    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Attribute> {
        let name = parser.parse_symbol_name()?;
        Ok(Attribute::string(parser.context(), &name))
    }

    fn print(attribute: Attribute, printer: &mut Printer<'_>) {
        match attribute.string_value(printer.context()) {
            Some(name) => printer.symbol(name),
            None => printer.attribute(attribute),
        }
    }
}

/// A reference to a symbol.
pub struct SymbolReference;

impl AttributeConstraint for SymbolReference {
    type Value<'c> = Attribute;
    const DESCRIPTION: &'static str = "symbol reference";

    fn decode(context: &Context, attribute: Attribute) -> Option<Attribute> {
        attribute.symbol_value(context).map(|_| attribute)
    }

    fn encode(_context: &Context, value: Attribute) -> Attribute {
        value
    }

    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Attribute> {
        let symbol: SymbolRef = parser.parse_symbol_ref()?;
        Ok(parser.context().intern_attribute(AttributeKind::Symbol(symbol)))
    }
}

/// A flag: `unit` if it is set, absent if not.
pub struct UnitFlag;

impl AttributeConstraint for UnitFlag {
    type Value<'c> = ();
    const DESCRIPTION: &'static str = "unit";

    fn decode(context: &Context, attribute: Attribute) -> Option<()> {
        matches!(attribute.kind(context), AttributeKind::Unit).then_some(())
    }

    fn encode(context: &Context, (): ()) -> Attribute {
        Attribute::unit(context)
    }
}

/// `true` or `false`.
pub struct BoolAttribute;

impl AttributeConstraint for BoolAttribute {
    type Value<'c> = bool;
    const DESCRIPTION: &'static str = "true or false";

    fn decode(context: &Context, attribute: Attribute) -> Option<bool> {
        attribute.bool_value(context)
    }

    fn encode(context: &Context, value: bool) -> Attribute {
        Attribute::bool(context, value)
    }
}

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

/// An integer of any type.
pub struct IntegerAttribute;

impl AttributeConstraint for IntegerAttribute {
    type Value<'c> = Attribute;
    const DESCRIPTION: &'static str = "integer";

    fn decode(context: &Context, attribute: Attribute) -> Option<Attribute> {
        attribute.integer_value(context).map(|_| attribute)
    }

    fn encode(_context: &Context, value: Attribute) -> Attribute {
        value
    }
}

/// `[a, b, ...]`
pub struct ArrayAttribute;

impl AttributeConstraint for ArrayAttribute {
    type Value<'c> = &'c [Attribute];
    const DESCRIPTION: &'static str = "array";

    fn decode(context: &Context, attribute: Attribute) -> Option<&[Attribute]> {
        attribute.array_elements(context)
    }

    fn encode(context: &Context, value: &[Attribute]) -> Attribute {
        Attribute::array(context, value)
    }
}

/// `array<i32: 1, 2>`
pub struct DenseI32Attribute;

impl AttributeConstraint for DenseI32Attribute {
    type Value<'c> = std::borrow::Cow<'c, [i32]>;
    const DESCRIPTION: &'static str = "array of i32 (array<i32: ...>)";

    fn decode(context: &Context, attribute: Attribute) -> Option<std::borrow::Cow<'_, [i32]>> {
        Some(std::borrow::Cow::Owned(attribute.dense_i32_values(context)?.collect()))
    }

    fn encode(context: &Context, value: std::borrow::Cow<'_, [i32]>) -> Attribute {
        Attribute::dense_i32(context, &value)
    }

    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Attribute> {
        let mut values: Vec<i32> = Vec::new();
        parser.comma_list("[", "]", |parser| {
            values.push(parser.parse_signed()?);
            Ok(())
        })?;
        Ok(Attribute::dense_i32(parser.context(), &values))
    }

    fn print(attribute: Attribute, printer: &mut Printer<'_>) {
        match attribute.kind(printer.context()) {
            AttributeKind::DenseArray(array) if array.element == ArrayElement::I32 => {
                printer.write("[");
                printer.list(array.values.iter().copied(), |printer, value| printer.display(value));
                printer.write("]");
            }
            _ => printer.attribute(attribute),
        }
    }
}

/// `{key = value, ...}`
pub struct DictionaryAttribute;

impl AttributeConstraint for DictionaryAttribute {
    type Value<'c> = Dictionary;
    const DESCRIPTION: &'static str = "dictionary";

    fn decode(context: &Context, attribute: Attribute) -> Option<Dictionary> {
        match *attribute.kind(context) {
            AttributeKind::Dictionary(dictionary) => Some(dictionary),
            _ => None,
        }
    }

    fn encode(context: &Context, value: Dictionary) -> Attribute {
        Attribute::dictionary(context, value)
    }
}
