//! What may be asked of the dialect's operations.

use fermata_ir::{OpRef, interface};

use crate::semantics::ScalarFunction;

interface! {
    /// An operation that does the same to each lane of its operands. Its result and operands are scalars or vectors of as
    /// many lanes; a scalar among vectors, which only `xir.select` has, stands for all lanes.
    pub trait ElementwiseInterface => ElementwiseModel {
        /// What it does to one lane; nothing for an aggregate, which only `xir.select` takes, and for types that the
        /// verifier refuses.
        fn function(op: OpRef<'_>) -> Option<ScalarFunction>;
    }
}
