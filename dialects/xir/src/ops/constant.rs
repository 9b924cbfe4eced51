//! Constants.

use fermata_ir::operation;

use crate::constraints::{Constant as ConstantAttribute, Value};

/// A constant.
///
/// Integers, floats and `i1` are written as builtin attributes, vectors as `dense` ones, matrices, arrays and structures as
/// `#xir.aggregate` or, if all bits are zero, `#xir.zero`.
///
/// ```mlir
/// %0 = xir.constant 7 : i32
/// %1 = xir.constant true
/// %2 = xir.constant dense<[1.0, 2.0]> : vector<2xf32>
/// %3 = xir.constant #xir.zero<!xir.array<f32, 8>>
/// %4 = xir.constant #xir.aggregate<!xir.struct<"P", [i32, f32]>, [1 : i32, 2.0 : f32]>
/// ```
#[operation(
    name = "xir.constant",
    traits = [PURE, CONSTANT_LIKE],
    rules = [from_property(result, value)],
    format = "$value attr-dict",
)]
pub struct Constant {
    #[result]
    result: Value,
    /// What it is.
    #[property]
    value: ConstantAttribute,
}
