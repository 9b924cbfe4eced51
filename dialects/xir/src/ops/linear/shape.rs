//! Scalars, vectors and matrices by their lanes.

use fermata_ir::{Attribute, Context, Type};

use crate::constant;
use crate::semantics::{FloatFormat, ScalarType};
use crate::types::{ElementwiseType, MatrixType};

/// A scalar, a vector or a matrix, whose lanes are values of some kind: bits, or values of the IR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape<V> {
    /// One value.
    Scalar(V),
    /// Lanes.
    Vector(Vec<V>),
    /// Columns of lanes.
    Matrix(Vec<Vec<V>>),
}

impl<V: Copy> Shape<V> {
    /// The scalar.
    pub(super) fn scalar(&self) -> Option<V> {
        if let Self::Scalar(value) = self { Some(*value) } else { None }
    }

    /// The lanes of a vector.
    pub(super) fn vector(&self) -> Option<&[V]> {
        if let Self::Vector(lanes) = self { Some(lanes) } else { None }
    }

    /// The lanes of a vector of three.
    pub(super) fn vector3(&self) -> Option<[V; 3]> {
        self.vector()?.try_into().ok()
    }

    /// The columns of a matrix.
    pub(super) fn matrix(&self) -> Option<&[Vec<V>]> {
        if let Self::Matrix(columns) = self { Some(columns) } else { None }
    }
}

impl Shape<u64> {
    /// The bits of a constant.
    #[must_use]
    pub fn of_constant(context: &Context, constant: Attribute) -> Option<Self> {
        let ty = constant::constant_type(context, constant)?;
        if ty.is::<MatrixType>(context) {
            let columns = constant::parts(context, constant, 4)?;
            let lanes = |column: &Attribute| Some(constant::lanes(context, *column)?.into_vec());
            return columns.iter().map(lanes).collect::<Option<_>>().map(Self::Matrix);
        }
        let lanes = constant::lanes(context, constant)?;
        Some(match ElementwiseType::of(context, ty)?.vector {
            Some(_) => Self::Vector(lanes.into_vec()),
            None => Self::Scalar(lanes[0]),
        })
    }

    /// The constant of a type with these bits; nothing if they do not fit the type.
    #[must_use]
    pub fn to_constant(&self, context: &Context, ty: Type) -> Option<Attribute> {
        let elementwise = |ty: Type, lanes: &[u64]| {
            let ty = ElementwiseType::of(context, ty).filter(|ty| ty.lanes() == lanes.len() as u64)?;
            Some(constant::lanes_attribute(context, ty, lanes))
        };
        match self {
            Self::Scalar(bits) => elementwise(ty, &[*bits]),
            Self::Vector(lanes) => elementwise(ty, lanes),
            Self::Matrix(columns) => {
                let column = ty.downcast::<MatrixType>(context)?.column(context);
                let parts: Vec<Attribute> =
                    columns.iter().map(|lanes| elementwise(column, lanes)).collect::<Option<_>>()?;
                constant::aggregate(context, ty, &parts)
            }
        }
    }
}

/// The format of the lanes of a float, a vector of floats or a matrix.
pub(super) fn lane_format(context: &Context, ty: Type) -> Option<FloatFormat> {
    let scalar = match ty.downcast::<MatrixType>(context) {
        Some(matrix) => ScalarType::of(context, matrix.element)?,
        None => ElementwiseType::of(context, ty)?.scalar,
    };
    scalar.float()
}
