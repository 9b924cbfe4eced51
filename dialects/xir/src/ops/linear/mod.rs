//! Linear algebra: operations that are defined by a sequence of scalar operations.

mod expand;
mod geometric;
mod matrix;
mod shape;

pub use geometric::{Cross, Distance, Dot, Length, Normalize};
pub use matrix::{Determinant, Inverse, MatMul, MatrixScale, Transpose, product_type};
pub use shape::Shape;
