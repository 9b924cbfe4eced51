//! What types operands and results may have, and what properties may be.

use fermata_ir::operation::{AttributeConstraint, TypeConstraint};
use fermata_ir::text::{ParseResult, Parser, Printer};
use fermata_ir::{Attribute, AttributeKind, Context, Type};

use crate::constant::constant_type;
use crate::semantics::{IntegerWidth, ScalarType};
use crate::types::{BufferType, ElementwiseType, MatrixType, RefType, is_resource, is_value_type, part_count};

/// Declares a set of types by a test.
macro_rules! type_constraints {
    ($($(#[$meta:meta])* $name:ident = $description:literal, |$context:ident, $ty:ident| $test:expr;)*) => {$(
        $(#[$meta])*
        pub struct $name;

        impl TypeConstraint for $name {
            const DESCRIPTION: &'static str = $description;

            fn accepts($context: &Context, $ty: Type) -> bool {
                $test
            }
        }
    )*};
}

fn scalar_of(context: &Context, ty: Type) -> Option<ScalarType> {
    ElementwiseType::of(context, ty).map(|elementwise| elementwise.scalar)
}

fn is_vector(context: &Context, ty: Type) -> bool {
    ElementwiseType::of(context, ty).is_some_and(|elementwise| elementwise.vector.is_some())
}

type_constraints! {
    /// Integers, and vectors of them.
    IntegerLike = "integer or vector of 2 to 4 integers",
        |context, ty| matches!(scalar_of(context, ty), Some(ScalarType::Integer(_)));
    /// Floats, and vectors of them.
    FloatLike = "f16, f32, f64 or vector of 2 to 4 of them",
        |context, ty| matches!(scalar_of(context, ty), Some(ScalarType::Float(_)));
    /// `i1`, and vectors of it.
    BoolLike = "i1 or vector of 2 to 4 of them",
        |context, ty| scalar_of(context, ty) == Some(ScalarType::Integer(IntegerWidth::W1));
    /// Scalars, and vectors of them.
    ScalarOrVector = "scalar or vector of 2 to 4 scalars",
        |context, ty| scalar_of(context, ty).is_some();
    /// Any scalar.
    Scalar = "scalar", |context, ty| ScalarType::of(context, ty).is_some();
    /// Any integer.
    IntegerScalar = "integer", |context, ty| matches!(ScalarType::of(context, ty), Some(ScalarType::Integer(_)));
    /// Any float.
    FloatScalar = "f16, f32 or f64", |context, ty| matches!(ScalarType::of(context, ty), Some(ScalarType::Float(_)));
    /// What counts elements of a buffer.
    BufferIndex = "i32 or i64", |context, ty| matches!(ty.integer_width(context), Some(32 | 64))
        && ScalarType::of(context, ty).is_some();
    /// Any vector.
    Vector = "vector of 2 to 4 scalars", |context, ty| is_vector(context, ty);
    /// Vectors of floats.
    FloatVector = "vector of 2 to 4 floats",
        |context, ty| is_vector(context, ty) && FloatLike::accepts(context, ty);
    /// Vectors of three floats.
    FloatVector3 = "vector of 3 floats",
        |context, ty| FloatLike::accepts(context, ty) && part_count(context, ty) == Some(3);
    /// Vectors of `i1`.
    BoolVector = "vector of 2 to 4 i1", |context, ty| is_vector(context, ty) && BoolLike::accepts(context, ty);
    /// Any matrix.
    Matrix = "matrix", |context, ty| ty.is::<MatrixType>(context);
    /// What `xir.matmul` multiplies.
    MatrixOrVector = "matrix or vector of floats",
        |context, ty| Matrix::accepts(context, ty) || FloatVector::accepts(context, ty);
    /// What has parts.
    Composite = "vector, matrix, array or structure",
        |context, ty| is_value_type(context, ty) && part_count(context, ty).is_some();
    /// What has parts of one type.
    UniformComposite = "vector, matrix or array",
        |context, ty| Composite::accepts(context, ty) && crate::types::uniform_part_type(context, ty).is_some();
    /// What memory can hold.
    Value = "scalar, vector, matrix, array or structure", |context, ty| is_value_type(context, ty);
    /// Any reference.
    Reference = "reference", |context, ty| ty.is::<RefType>(context);
    /// Any buffer.
    Buffer = "buffer", |context, ty| ty.is::<BufferType>(context);
    /// What can be passed to a callable.
    Argument = "value, reference or resource",
        |context, ty| is_value_type(context, ty) || ty.is::<RefType>(context) || is_resource(context, ty);
}

/// Declares a set of one type.
macro_rules! single_types {
    ($($(#[$meta:meta])* $name:ident = $description:literal, |$context:ident| $ty:expr;)*) => {$(
        $(#[$meta])*
        pub struct $name;

        impl TypeConstraint for $name {
            const DESCRIPTION: &'static str = $description;

            fn accepts(context: &Context, ty: Type) -> bool {
                Self::only(context) == Some(ty)
            }

            fn only($context: &Context) -> Option<Type> {
                Some($ty)
            }
        }
    )*};
}

single_types! {
    /// `i1`
    Bool = "i1", |context| Type::integer(context, 1);
    /// `i32`
    Index = "i32", |context| Type::integer(context, 32);
    /// `i64`
    Count = "i64", |context| Type::integer(context, 64);
    /// Three coordinates.
    Coordinates = "vector<3xi32>", |context| Type::vector(context, 3, Type::integer(context, 32));
}

/// A constant of a value type.
pub struct Constant;

impl AttributeConstraint for Constant {
    type Value<'c> = Attribute;
    const DESCRIPTION: &'static str = "constant of a scalar, vector, matrix, array or structure";

    fn decode(context: &Context, attribute: Attribute) -> Option<Attribute> {
        constant_type(context, attribute).map(|_| attribute)
    }

    fn encode(_context: &Context, value: Attribute) -> Attribute {
        value
    }
}

/// `array<i64: ...>`: a list of numbers, in the custom form `[1, 2]`.
pub struct Numbers;

impl AttributeConstraint for Numbers {
    type Value<'c> = Vec<i64>;
    const DESCRIPTION: &'static str = "array of i64 numbers";

    fn decode(context: &Context, attribute: Attribute) -> Option<Vec<i64>> {
        use fermata_ir::attributes::ArrayElement;
        match attribute.kind(context) {
            AttributeKind::DenseArray(array) if array.element == ArrayElement::I64 => {
                Some(array.values.iter().map(|&value| value as i64).collect())
            }
            _ => None,
        }
    }

    fn encode(context: &Context, value: Vec<i64>) -> Attribute {
        use fermata_ir::attributes::{ArrayElement, DenseArray};
        let values = value.into_iter().map(i128::from).collect();
        context.intern_attribute(AttributeKind::DenseArray(DenseArray { element: ArrayElement::I64, values }))
    }

    fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<Attribute> {
        let mut numbers = Vec::new();
        parser.comma_list("[", "]", |parser| {
            numbers.push(parser.parse_signed()?);
            Ok(())
        })?;
        Ok(Self::encode(parser.context(), numbers))
    }

    fn print(attribute: Attribute, printer: &mut Printer<'_>) {
        printer.write("[");
        printer.list(Self::decode(printer.context(), attribute).unwrap_or_default(), Printer::display);
        printer.write("]");
    }
}
