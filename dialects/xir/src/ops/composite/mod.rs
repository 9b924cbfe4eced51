//! Values that have parts: vectors, matrices, arrays, structures.

mod access;
mod build;
mod dynamic;
mod shuffle;
mod trace;

pub use access::{Extract, Insert};
pub use build::{Build, Splat};
pub use dynamic::{ExtractDynamic, InsertDynamic};
pub use shuffle::Shuffle;

use fermata_ir::{Context, Type};

use crate::types::part_type;

/// The type of what a path of constant indices leads to; nothing if there is no such part, or no index.
#[must_use]
pub fn path_type(context: &Context, composite: Type, path: &[i64]) -> Option<Type> {
    if path.is_empty() {
        return None;
    }
    path.iter().try_fold(composite, |ty, &index| part_type(context, ty, u64::try_from(index).ok()?))
}
