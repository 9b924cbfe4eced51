//! Where control goes between the regions of structured operations, as far as their interfaces tell.

use crate::attributes::Attribute;
use crate::body::BlockId;
use crate::interfaces::{RegionBranchModel, RegionPoint, RegionSuccessor};
use crate::operation::{OpRef, OperationTraits};

/// Where control may go from the start of an operation with regions, or from a terminator without successors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RegionFlow {
    /// To these places, with values.
    Known(Vec<RegionSuccessor>),
    /// To the start of any region of the operation, or to after it: the operation says nothing.
    Within,
    /// To the start of any region of the operation or of one around it, or to after one of these: the terminator
    /// goes to a place further out that nobody names.
    Elsewhere,
}

impl RegionFlow {
    /// The operations to whose regions, or after which, control goes, if it is not known to which. `innermost` is the
    /// one around the place where it starts.
    pub(crate) fn unknown_targets<'a>(&self, innermost: OpRef<'a>) -> Vec<OpRef<'a>> {
        match self {
            Self::Known(_) => Vec::new(),
            Self::Within => vec![innermost],
            Self::Elsewhere => std::iter::once(innermost).chain(holders(innermost)).collect(),
        }
    }
}

/// Where control may go from the start of `op`; nothing if it has no region with a block.
pub(crate) fn flow_into(op: OpRef<'_>, operands: &[Option<Attribute>]) -> Option<RegionFlow> {
    if !has_blocks(op) {
        return None;
    }
    Some(match op.interface::<RegionBranchModel>() {
        Some(model) => RegionFlow::Known((model.entry_successors)(op, operands)),
        None => RegionFlow::Within,
    })
}

/// As [`flow_into`], with no operand known to be constant.
pub(crate) fn possible_flow_into(op: OpRef<'_>) -> Option<RegionFlow> {
    if has_blocks(op) { flow_into(op, &vec![None; op.operand_count()]) } else { None }
}

/// Where control may go from the end of `block`, if no edge of the block's own region leaves it; nothing if one does,
/// or if the block is one of the body's root, where control leaves the body. The operation around the block comes
/// with it.
pub(crate) fn flow_out_of<'a>(op: OpRef<'a>, block: BlockId) -> Option<(OpRef<'a>, RegionFlow)> {
    let body = op.body;
    let holder = op.at(body.block_parent_op(block).filter(|&holder| holder != body.root())?);
    let last = body.last_op(block).map(|last| op.at(last));
    if last.is_some_and(|last| last.successors().len() > 0) {
        return None;
    }
    Some((holder, flow_from_last(holder, last)))
}

fn flow_from_last<'a>(holder: OpRef<'a>, last: Option<OpRef<'a>>) -> RegionFlow {
    let Some(last) = last else { return RegionFlow::Within };
    if !last.has_trait(OperationTraits::TERMINATOR) {
        // One that nobody declares may be a terminator.
        let is_known = last.name().is_registered(last.context);
        return if is_known { RegionFlow::Within } else { RegionFlow::Elsewhere };
    }
    match holder.interface::<RegionBranchModel>() {
        Some(model) => match (model.terminator_successors)(holder, last) {
            successors if successors.is_empty() => RegionFlow::Elsewhere,
            successors => RegionFlow::Known(successors),
        },
        None if last.has_trait(OperationTraits::RETURN_LIKE) => RegionFlow::Within,
        None => RegionFlow::Elsewhere,
    }
}

/// Whether an operation has a region with a block.
pub(crate) fn has_blocks(op: OpRef<'_>) -> bool {
    op.regions().iter().any(|&region| op.body.entry_block(region).is_some())
}

/// The operands that `from` (the operation `op` itself at its start, or a terminator in it) passes to a place, by
/// index; nothing if it passes another number than the place takes, which the verifier refuses.
pub(crate) fn passed_operands(
    op: OpRef<'_>,
    from: OpRef<'_>,
    successor: &RegionSuccessor,
) -> Option<std::ops::Range<usize>> {
    let model = op.interface::<RegionBranchModel>()?;
    let passed = (model.passed_operands)(op, from, successor.point);
    (passed.len() == successor.inputs.len() && passed.end <= from.operand_count()).then_some(passed)
}

/// The first blocks of an operation's regions.
pub(crate) fn entries<'a>(op: OpRef<'a>) -> impl Iterator<Item = BlockId> + 'a {
    op.regions().iter().filter_map(move |&region| op.body.entry_block(region))
}

/// The first block at a place, which is not after the operation.
pub(crate) fn entry_at(op: OpRef<'_>, point: RegionPoint) -> Option<BlockId> {
    match point {
        RegionPoint::Parent => None,
        RegionPoint::Region(index) => op.regions().get(index).and_then(|&region| op.body.entry_block(region)),
    }
}

/// The operations around `op` in its body, from the inside out, the root left out.
fn holders<'a>(op: OpRef<'a>) -> impl Iterator<Item = OpRef<'a>> {
    let root = op.body.root();
    std::iter::successors(op.parent(), |holder| holder.parent()).take_while(move |holder: &OpRef<'a>| holder.id != root)
}
