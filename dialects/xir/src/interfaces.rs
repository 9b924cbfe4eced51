//! What may be asked of the dialect's operations.

use fermata_ir::builder::Builder;
use fermata_ir::{OpId, OpRef, ValueId, interface};

use crate::ops::Shape;
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

interface! {
    /// An operation that is defined by a sequence of simpler ones, which a lowering may make instead.
    pub trait ExpandInterface => ExpandModel {
        /// Makes the simpler operations before `op` and gives what its result is; the caller replaces it. Nothing if the
        /// operation is not one that the verifier accepts.
        fn expand(builder: &mut Builder<'_>, op: OpId) -> Option<ValueId>;

        /// The bits of the result for those of the operands; nothing if they do not fit the operation.
        fn evaluate(op: OpRef<'_>, operands: &[Shape<u64>]) -> Option<Shape<u64>>;
    }
}
