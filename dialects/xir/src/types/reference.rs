//! References to memory.

use fermata_ir::{Context, Keyword, Type, type_definition};

use super::is_value_type;

/// Whose memory it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Keyword)]
pub enum AddressSpace {
    /// One thread's.
    Local,
    /// One block's.
    Shared,
    /// A buffer's elements.
    Buffer,
    /// Memory that does not change while a kernel runs.
    Constant,
}

/// A reference to a value in memory: `!xir.ref<f32, local>`.
///
/// A reference is made by `xir.alloca`, `xir.gep` and `xir.buffer_element`, or comes as an argument of a callable. It is
/// used to access memory, and as an argument of a call; it is never stored, selected, compared or passed to a block. So
/// the memory behind it can be told by looking at how it was made. References may alias.
///
/// A reference in the space `buffer` may be one to nothing: reads through it give zero, writes and atomics do nothing.
#[type_definition(name = "xir.ref", verify = verify)]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RefType {
    /// Type of the value, a value type.
    pub pointee: Type,
    /// Whose memory it is.
    pub space: AddressSpace,
}

fn verify(ty: &RefType, context: &Context) -> Result<(), String> {
    if is_value_type(context, ty.pointee) {
        Ok(())
    } else {
        Err("a reference is to a scalar, vector, matrix, array or structure".to_owned())
    }
}

impl RefType {
    /// The reference type in a context.
    #[must_use]
    pub fn get(context: &Context, pointee: Type, space: AddressSpace) -> Type {
        fermata_ir::types::DialectType::intern(Self { pointee, space }, context)
    }
}
