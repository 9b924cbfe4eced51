//! Memory that references lead to.

mod access;
mod allocation;
mod element;
mod slots;

pub use access::{Load, Store};
pub use allocation::Alloca;
pub use element::{DYNAMIC, Gep, GepIndex};

use fermata_ir::{Context, Type};

use crate::types::RefType;

/// The type of the value behind a reference.
pub(crate) fn pointee(context: &Context, reference: Type) -> Option<Type> {
    reference.downcast::<RefType>(context).map(|reference| reference.pointee)
}
