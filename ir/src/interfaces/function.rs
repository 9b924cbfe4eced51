//! Functions and calls.

use std::ops::Range;

use crate::attributes::SymbolRef;
use crate::body::ValueId;
use crate::interface;
use crate::operation::OpRef;
use crate::types::Type;

interface! {
    /// An isolated operation with one region that is a function's body (empty for a declaration). It is looked at
    /// through the body that it owns: `op` is that body's root.
    pub trait FunctionInterface => FunctionModel {
        /// The type; its inputs are the types of the entry block's arguments.
        fn function_type(op: OpRef<'_>) -> Option<Type>;

        /// Whether a call of the function may be replaced by a copy of its body.
        fn is_inlinable(_op: OpRef<'_>) -> bool { true }
    }
}

/// What a call calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A symbol.
    Symbol(SymbolRef),
    /// A value.
    Value(ValueId),
}

interface! {
    /// An operation that calls a function: its results are what the function returns.
    pub trait CallInterface => CallModel {
        /// What it calls; nothing if the operation does not say.
        fn callee(op: OpRef<'_>) -> Option<Callee>;

        /// The operands that are passed as the arguments.
        fn arguments(op: OpRef<'_>) -> Range<usize>;
    }
}
