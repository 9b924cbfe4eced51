//! Folds: results that can be had without executing an operation.
//!
//! [`identities`] are rules on bits, apart from the IR, so that tests hold each of them against the
//! [semantics](crate::semantics) for all values.

mod elementwise;
pub mod identities;

pub(crate) use elementwise::fold_elementwise;
