//! Tokens: the numbers that name continuations.

use fermata_ir::constraints::U32Attribute;

/// The token of a coroutine that has not started.
pub const TOKEN_ENTRY: u32 = 0;

/// The token of a coroutine that has ended.
pub const TOKEN_DONE: u32 = u32::MAX;

/// A token: a `ui32` integer attribute.
pub type Token = U32Attribute;
