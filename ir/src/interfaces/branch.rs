//! Changing what the edges of a branch pass to the arguments of their blocks.

use crate::attributes::{Attribute, Dictionary};
use crate::body::{Body, OpId, ValueId};
use crate::context::Context;
use crate::interfaces::{BranchModel, SuccessorOperands};
use crate::operation::{OPERAND_SEGMENT_SIZES, OpRef};

/// What the edge to successor `index` of `op` passes; nothing if `op` does not say, since it is not a branch.
pub fn successor_operands(op: OpRef<'_>, index: usize) -> Option<SuccessorOperands> {
    Some((op.interface::<BranchModel>()?.successor_operands)(op, index))
}

/// The value that the edge to successor `index` of `op` passes to argument `argument` of its block; nothing if the
/// operation itself produces that argument, or does not say.
pub fn passed_value(op: OpRef<'_>, index: usize, argument: usize) -> Option<ValueId> {
    let operands = successor_operands(op, index)?;
    let position = operands.forwarded.start + argument.checked_sub(operands.produced)?;
    operands.forwarded.contains(&position).then(|| op.operand(position))
}

/// Changes what the edges of a branch forward, all edges at once: `edit` gets the index of each successor in order
/// with the values forwarded to it, leading arguments that the operation produces not among them.
///
/// Takes time linear in the operands of `op`, however many edges change.
///
/// # Panics
/// If `op` is not a branch, or its forwarded ranges break the rule of
/// [`BranchInterface`](super::BranchInterface::successor_operands).
pub fn edit_forwarded_operands(
    context: &Context,
    body: &mut Body,
    op: OpId,
    mut edit: impl FnMut(usize, &mut Vec<ValueId>),
) {
    let view = OpRef::new(context, body, op);
    let model = view.interface::<BranchModel>().expect("forwarded operands are edited on a branch");
    let old: Vec<ValueId> = view.operands().collect();
    let mut operands = Vec::with_capacity(old.len() + view.successors().len());
    let mut counts = Vec::with_capacity(view.successors().len());
    let mut copied = 0;
    for index in 0..view.successors().len() {
        let range = (model.successor_operands)(view, index).forwarded;
        assert!(copied <= range.start, "edges forward disjoint operands in the order of the successors");
        operands.extend_from_slice(&old[copied..range.start]);
        copied = range.end;
        let mut forwarded = old[range].to_vec();
        edit(index, &mut forwarded);
        counts.push(forwarded.len());
        operands.append(&mut forwarded);
    }
    operands.extend_from_slice(&old[copied..]);
    if operands == old {
        return;
    }
    let properties = (model.properties_for_counts)(view, &counts);
    body.set_properties(op, properties);
    body.set_operands(op, &operands);
}

/// Sets what the edge to successor `index` of a branch forwards; see [`edit_forwarded_operands`].
///
/// # Panics
/// As [`edit_forwarded_operands`] does.
pub fn set_forwarded_operands(context: &Context, body: &mut Body, op: OpId, index: usize, values: &[ValueId]) {
    edit_forwarded_operands(context, body, op, |successor, forwarded| {
        if successor == index {
            *forwarded = values.to_vec();
        }
    });
}

/// The properties of a branch once its edges forward so many operands each, where the last declared operand groups
/// are what the successors get, one group for each: what
/// [`BranchInterface::properties_for_counts`](super::BranchInterface::properties_for_counts) does unless an operation
/// says otherwise.
pub(super) fn resized_segments(op: OpRef<'_>, counts: &[usize]) -> Dictionary {
    let Some(declaration) = op.declaration().filter(|declaration| declaration.has_operand_segments()) else {
        return op.properties();
    };
    let groups = declaration.operands.len();
    let mut sizes: Vec<i32> = (0..groups).map(|group| op.operand_group(group).len() as i32).collect();
    let first = groups.checked_sub(counts.len()).expect("a branch has an operand group for each successor");
    for (size, &count) in sizes[first..].iter_mut().zip(counts) {
        *size = i32::try_from(count).expect("an operation has fewer than 2^31 operands");
    }
    op.properties().with(op.context, OPERAND_SEGMENT_SIZES, Some(Attribute::dense_i32(op.context, &sizes)))
}
