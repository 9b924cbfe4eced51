//! Elementary functions that give the same bits on every target.
//!
//! Each function is one piece of straight-line code over [`Arithmetic`], whose operations have one exact result each. The
//! interpreter and folds run it on numbers ([`EvaluateF32`], [`EvaluateF64`]); a lowering runs it on an implementation that
//! emits an operation per call. What comes out is the same function, bit for bit, on whatever target rounds as IEEE 754
//! says. Cases are told apart by selection, never by control flow.
//!
//! The whole range of operands is covered: subnormal numbers, signed zeros, infinities, angles of any size. A result that is
//! a NaN has one bit pattern: positive, quiet, no payload. [`Function`] lists the functions, with the greatest error that was measured and the number of operations.
//! binary16 goes through `f32`.

mod arithmetic;
mod evaluate;
mod exponent;
mod exponential;
mod format;
mod function;
mod hyperbolic;
mod inverse_hyperbolic;
mod inverse_trigonometric;
mod logarithm;
mod nan;
mod pair;
mod power;
mod reduction;
mod root;
mod trigonometric;

pub use arithmetic::Arithmetic;
pub use evaluate::{EvaluateF32, EvaluateF64};
pub use exponential::{exp, exp2, exp10, expm1};
pub use format::Format;
pub use function::Function;
pub use hyperbolic::{cosh, sinh, tanh};
pub use inverse_hyperbolic::{acosh, asinh, atanh};
pub use inverse_trigonometric::{acos, asin, atan, atan2};
pub use logarithm::{log, log1p, log2, log10};
pub use power::pow;
pub use root::{cbrt, rsqrt};
pub use trigonometric::{cos, sin, sin_cos, tan};
