//! What every scalar operation computes.
//!
//! Each function takes bits and gives bits, and has a value for every input: nothing is undefined, nothing panics. This
//! is the one place where the meaning of an operation is written as code; folds and the reference interpreter call it,
//! and a lowering is right if it computes the same. The rules in words are in `docs/src/semantics.md`.
//!
//! The bits of a scalar stand in the low bits of a `u64`, the others are zero. The functions ignore the others in their
//! arguments and give zeros there.
//!
//! Vectors are computed lane by lane: [`ScalarFunction`] is what one lane does.

mod cast;
mod comparison;
pub mod composite;
mod elementary;
mod float;
mod function;
mod half;
mod integer;
mod scalar;

pub use cast::{Cast, bitcast_lanes};
pub use comparison::{FloatPredicate, IntegerPredicate};
pub use fermata_math::Function as Elementary;
pub use float::{FloatBinary, FloatTernary, FloatUnary};
pub use function::ScalarFunction;
pub use integer::{IntegerBinary, IntegerUnary};
pub use scalar::{FloatFormat, IntegerWidth, ScalarType};
