//! Where a part of a value comes from.

use fermata_ir::interfaces::constant_value;
use fermata_ir::{Attribute, OpRef, OperationView, ValueId};
use smallvec::SmallVec;

use super::{Build, Extract, Insert, Shuffle, Splat};
use crate::constant;
use crate::types::part_count;

/// A path of constant indices.
pub(super) type Path = SmallVec<[i64; 4]>;

/// Steps that [`trace`] takes at most: chains of insertions may be long, and are looked at from every extraction.
const STEPS: usize = 32;

/// A part of a value: all of it if the path is empty.
pub(super) struct Traced {
    pub(super) value: ValueId,
    pub(super) path: Path,
    /// Whether this is elsewhere than where the trace began.
    pub(super) moved: bool,
}

impl Traced {
    /// The constant that the part is.
    pub(super) fn constant(&self, op: OpRef<'_>) -> Option<Attribute> {
        let whole = constant_value(op.context, op.body, self.value)?;
        self.path.iter().try_fold(whole, |value, &index| constant::part(op.context, value, u64::try_from(index).ok()?))
    }
}

/// Follows a part of a value through the operations that put values together and take them apart. `op` says in which
/// body. Every step goes to an operand, so what is found dominates the value.
pub(super) fn trace(op: OpRef<'_>, value: ValueId, path: &[i64]) -> Traced {
    let mut traced = Traced { value, path: path.into(), moved: false };
    for _ in 0..STEPS {
        let Some(next) = step(op, &traced) else { break };
        traced = next;
    }
    traced
}

fn step(op: OpRef<'_>, traced: &Traced) -> Option<Traced> {
    let definition = op.defining(traced.value)?;
    let moved = |value, path: &[i64]| Some(Traced { value, path: path.into(), moved: true });
    if let Some(extract) = Extract::cast(definition) {
        let mut path: Path = extract.path().into();
        path.extend_from_slice(&traced.path);
        return moved(extract.composite(), &path);
    }
    let (&first, rest) = traced.path.split_first()?;
    if Build::matches(definition) {
        let index = usize::try_from(first).ok().filter(|&index| index < definition.operand_count())?;
        return moved(definition.operand(index), rest);
    }
    if Splat::matches(definition) {
        return moved(definition.operand(0), rest);
    }
    if let Some(shuffle) = Shuffle::cast(definition) {
        let lanes = i64::try_from(part_count(op.context, definition.operand_type(0))?).ok()?;
        let source = *shuffle.mask().get(usize::try_from(first).ok()?)?;
        let (value, lane) = if source < lanes { (shuffle.left(), source) } else { (shuffle.right(), source - lanes) };
        return moved(value, &[lane]);
    }
    let insert = Insert::cast(definition)?;
    let inserted = insert.path();
    if let Some(rest) = traced.path.strip_prefix(&inserted[..]) {
        return moved(insert.value(), rest);
    }
    // A part that the insertion changes only in part is where the search ends.
    if inserted.starts_with(&traced.path) { None } else { moved(insert.composite(), &traced.path) }
}
