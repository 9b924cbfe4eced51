//! Operations on vectors of floats.

use fermata_ir::interfaces::FoldModel;
use fermata_ir::operation;

use super::Shape;
use super::expand::implement_composed;
use crate::attributes::FastMath;
use crate::constraints::{FloatScalar, FloatVector, FloatVector3};
use crate::interfaces::ExpandModel;
use crate::semantics::composite::{cross, distance, dot, length, normalize};
use crate::types::uniform_part_type;

/// The sum of the products of the lanes of two vectors, added up from the first lane to the last.
///
/// ```mlir
/// %0 = xir.dot %u, %v : vector<3xf32>
/// ```
#[operation(
    name = "xir.dot",
    traits = [PURE, COMMUTATIVE],
    interfaces = [Fold, Expand],
    rules = [same(left, right), derived(result from left, uniform_part_type, "the type of the lanes of")],
    format = "$left `,` $right attr-dict `:` type($left)",
)]
pub struct Dot {
    #[operand]
    left: FloatVector,
    #[operand]
    right: FloatVector,
    #[result]
    result: FloatScalar,
    /// What the front end allows.
    #[property(optional)]
    fastmath: FastMath,
}

implement_composed!(Dot, |arithmetic, operands| {
    let [left, right] = operands else { return None };
    Some(Shape::Scalar(dot(arithmetic, left.vector()?, right.vector()?)))
});

/// The cross product: `(x1 y2 - x2 y1, x2 y0 - x0 y2, x0 y1 - x1 y0)`, each product and difference rounded.
///
/// ```mlir
/// %0 = xir.cross %u, %v : vector<3xf32>
/// ```
#[operation(
    name = "xir.cross",
    traits = [PURE],
    interfaces = [Fold, Expand],
    rules = [same(left, right, result)],
    format = "$left `,` $right attr-dict `:` type($result)",
)]
pub struct Cross {
    #[operand]
    left: FloatVector3,
    #[operand]
    right: FloatVector3,
    #[result]
    result: FloatVector3,
    /// What the front end allows.
    #[property(optional)]
    fastmath: FastMath,
}

implement_composed!(Cross, |arithmetic, operands| {
    let [left, right] = operands else { return None };
    Some(Shape::Vector(cross(arithmetic, left.vector3()?, right.vector3()?).to_vec()))
});

/// The square root of a vector's dot product with itself.
///
/// ```mlir
/// %0 = xir.length %v : vector<3xf32>
/// ```
#[operation(
    name = "xir.length",
    traits = [PURE],
    interfaces = [Fold, Expand],
    rules = [derived(result from operand, uniform_part_type, "the type of the lanes of")],
    format = "$operand attr-dict `:` type($operand)",
)]
pub struct Length {
    #[operand]
    operand: FloatVector,
    #[result]
    result: FloatScalar,
    /// What the front end allows.
    #[property(optional)]
    fastmath: FastMath,
}

implement_composed!(Length, |arithmetic, operands| {
    let [operand] = operands else { return None };
    Some(Shape::Scalar(length(arithmetic, operand.vector()?)))
});

/// The length of the difference of two vectors.
///
/// ```mlir
/// %0 = xir.distance %u, %v : vector<3xf32>
/// ```
#[operation(
    name = "xir.distance",
    traits = [PURE],
    interfaces = [Fold, Expand],
    rules = [same(left, right), derived(result from left, uniform_part_type, "the type of the lanes of")],
    format = "$left `,` $right attr-dict `:` type($left)",
)]
pub struct Distance {
    #[operand]
    left: FloatVector,
    #[operand]
    right: FloatVector,
    #[result]
    result: FloatScalar,
    /// What the front end allows.
    #[property(optional)]
    fastmath: FastMath,
}

implement_composed!(Distance, |arithmetic, operands| {
    let [left, right] = operands else { return None };
    Some(Shape::Scalar(distance(arithmetic, left.vector()?, right.vector()?)))
});

/// Each lane of a vector divided by the vector's length. Zero vectors become NaNs.
///
/// ```mlir
/// %0 = xir.normalize %v : vector<3xf32>
/// ```
#[operation(
    name = "xir.normalize",
    traits = [PURE],
    interfaces = [Fold, Expand],
    rules = [same(operand, result)],
    format = "$operand attr-dict `:` type($result)",
)]
pub struct Normalize {
    #[operand]
    operand: FloatVector,
    #[result]
    result: FloatVector,
    /// What the front end allows.
    #[property(optional)]
    fastmath: FastMath,
}

implement_composed!(Normalize, |arithmetic, operands| {
    let [operand] = operands else { return None };
    Some(Shape::Vector(normalize(arithmetic, operand.vector()?)))
});
