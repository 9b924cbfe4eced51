//! Classes of types.

use fermata_ir::types::DialectType;
use fermata_ir::{Context, Type};

use super::{AccelType, ArrayType, BindlessArrayType, BufferType, MatrixType, RayQueryType, StructType, TextureType};
use crate::semantics::ScalarType;

/// A scalar, or a vector of 2 to 4 scalars: what elementwise operations work on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ElementwiseType {
    /// The scalar, or that of each lane.
    pub scalar: ScalarType,
    /// Number of lanes of a vector; nothing for a scalar.
    pub vector: Option<u64>,
}

impl ElementwiseType {
    /// The elementwise type that `ty` is, if it is one.
    #[must_use]
    pub fn of(context: &Context, ty: Type) -> Option<Self> {
        if let Some(scalar) = ScalarType::of(context, ty) {
            return Some(Self { scalar, vector: None });
        }
        let (lanes, element) = ty.vector_parts(context)?;
        let scalar = ScalarType::of(context, element)?;
        (2..=4).contains(&lanes).then_some(Self { scalar, vector: Some(lanes) })
    }

    /// The type in a context.
    #[must_use]
    pub fn ty(self, context: &Context) -> Type {
        let scalar = self.scalar.ty(context);
        self.vector.map_or(scalar, |lanes| Type::vector(context, lanes, scalar))
    }

    /// The type of as many lanes of another scalar.
    #[must_use]
    pub const fn with_scalar(self, scalar: ScalarType) -> Self {
        Self { scalar, vector: self.vector }
    }

    /// Number of lanes; 1 for a scalar.
    #[must_use]
    pub fn lanes(self) -> u64 {
        self.vector.unwrap_or(1)
    }
}

/// Whether memory can hold values of a type. That of aggregates was checked when they were made.
#[must_use]
pub fn is_value_type(context: &Context, ty: Type) -> bool {
    ElementwiseType::of(context, ty).is_some()
        || ty.is::<MatrixType>(context)
        || ty.is::<ArrayType>(context)
        || ty.is::<StructType>(context)
}

/// Whether a type is a resource.
#[must_use]
pub fn is_resource(context: &Context, ty: Type) -> bool {
    fn is<T: DialectType>(context: &Context, ty: Type) -> bool {
        ty.is::<T>(context)
    }
    [is::<BufferType>, is::<TextureType>, is::<BindlessArrayType>, is::<AccelType>, is::<RayQueryType>]
        .iter()
        .any(|check| check(context, ty))
}
