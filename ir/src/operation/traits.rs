//! Traits: facts about every instance of an operation.

use bitflags::bitflags;

bitflags! {
    /// Facts that a declaration states about all operations of its name.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub struct OperationTraits: u32 {
        /// Ends a block.
        const TERMINATOR = 1 << 0;
        /// Has no effect but its results, and may be executed where it was not before.
        const PURE = 1 << 1;
        /// Operands may be exchanged.
        const COMMUTATIVE = 1 << 2;
        /// No operands, one result, whose value is the property `value`.
        const CONSTANT_LIKE = 1 << 3;
        /// Regions do not see values from outside, and the operation owns a [`Body`](crate::body::Body).
        const ISOLATED_FROM_ABOVE = 1 << 4;
        /// Names in its region are unique; symbol references below are looked up there.
        const SYMBOL_TABLE = 1 << 5;
        /// Has a name, in the property `sym_name`.
        const SYMBOL = 1 << 6;
        /// Each region has one block, or none.
        const SINGLE_BLOCK = 1 << 7;
        /// Blocks of its regions need no terminator.
        const NO_TERMINATOR = 1 << 8;
        /// In its regions a value may be used before it is defined.
        const GRAPH_REGION = 1 << 9;
        /// Ends the function or structured region around it, with its operands as the results.
        const RETURN_LIKE = 1 << 10;
        /// `f(f(x)) = f(x)`
        const IDEMPOTENT = 1 << 11;
        /// `f(f(x)) = x`
        const INVOLUTION = 1 << 12;
    }
}
