//! Stock constraints on types.

use std::marker::PhantomData;

use super::description::Text;
use crate::context::Context;
use crate::operation::TypeConstraint;
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

/// The signless integer of `WIDTH` bits.
pub struct SignlessInteger<const WIDTH: u32>;

impl<const WIDTH: u32> TypeConstraint for SignlessInteger<WIDTH> {
    const DESCRIPTION: &'static str = const { &Text::join(&["i", Text::number(WIDTH).as_str()]) }.as_str();

    fn accepts(context: &Context, ty: Type) -> bool {
        Self::only(context) == Some(ty)
    }

    fn only(context: &Context) -> Option<Type> {
        Some(Type::integer(context, WIDTH))
    }
}

/// The types that a dialect declares as `T`.
pub struct TypeIs<T>(PhantomData<T>);

impl<T: DialectType> TypeConstraint for TypeIs<T> {
    const DESCRIPTION: &'static str = const { &Text::join(&["!", T::DECLARATION.name]) }.as_str();

    fn accepts(context: &Context, ty: Type) -> bool {
        ty.is::<T>(context)
    }
}

/// Vectors of one dimension with elements of a set.
pub struct VectorOf<E>(PhantomData<E>);

impl<E: TypeConstraint> TypeConstraint for VectorOf<E> {
    const DESCRIPTION: &'static str = const { &Text::join(&["vector of ", E::DESCRIPTION]) }.as_str();

    fn accepts(context: &Context, ty: Type) -> bool {
        ty.vector_parts(context).is_some_and(|(_, element)| E::accepts(context, element))
    }
}

/// The types of any of the sets in a tuple, such as `AnyOf<(I32, I64)>`.
pub struct AnyOf<T>(PhantomData<T>);

macro_rules! any_of {
    ($($first:ident $(, $other:ident)*;)*) => {$(
        impl<$first: TypeConstraint, $($other: TypeConstraint),*> TypeConstraint for AnyOf<($first, $($other,)*)> {
            const DESCRIPTION: &'static str =
                const { &Text::join(&[$first::DESCRIPTION, $(" or ", $other::DESCRIPTION),*]) }.as_str();

            fn accepts(context: &Context, ty: Type) -> bool {
                $first::accepts(context, ty) $(|| $other::accepts(context, ty))*
            }
        }
    )*};
}

any_of! {
    A, B;
    A, B, C;
    A, B, C, D;
    A, B, C, D, E;
    A, B, C, D, E, F;
}
