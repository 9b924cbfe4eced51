//! Branches to one block or to one of two.

use fermata_ir::builder::Builder;
use fermata_ir::constraints::AnyType;
use fermata_ir::diagnostic::Diagnostics;
use fermata_ir::interfaces::{BranchInterface, BranchModel, SuccessorOperands, VerifyInterface, VerifyModel};
use fermata_ir::rewrite::{CanonicalizeInterface, CanonicalizeModel, NoMatch, PatternSet, RewriteResult};
use fermata_ir::{Attribute, OpId, OpRef, OperationView, ValueId, operation};

use super::verify_forwarded;
use crate::constant;
use crate::constraints::Bool;
use crate::ops::XorI;

/// Goes to a block.
///
/// ```mlir
/// xir.br ^bb1(%x : f32)
/// ```
#[operation(
    name = "xir.br",
    traits = [PURE, TERMINATOR],
    interfaces = [Branch, Verify],
    format = "$destination($operands) attr-dict",
)]
pub struct Br {
    #[operand(variadic)]
    operands: AnyType,
    #[successor]
    destination: AnyBlock,
}

/// Goes to the first block if the condition is 1, else to the second.
///
/// ```mlir
/// xir.cond_br %c, ^bb1(%x : f32), ^bb2
/// ```
#[operation(
    name = "xir.cond_br",
    traits = [PURE, TERMINATOR],
    interfaces = [Branch, Canonicalize, Verify],
    format = "$condition `,` $on_true($true_operands) `,` $on_false($false_operands) attr-dict",
)]
pub struct CondBr {
    #[operand(only)]
    condition: Bool,
    #[operand(variadic)]
    true_operands: AnyType,
    #[operand(variadic)]
    false_operands: AnyType,
    #[successor]
    on_true: AnyBlock,
    #[successor]
    on_false: AnyBlock,
}

impl BranchInterface for Br<'_> {
    fn successor_operands(op: OpRef<'_>, _index: usize) -> SuccessorOperands {
        SuccessorOperands { produced: 0, forwarded: 0..op.operand_count() }
    }

    fn taken_successor(_op: OpRef<'_>, _operands: &[Option<Attribute>]) -> Option<usize> {
        Some(0)
    }
}

impl BranchInterface for CondBr<'_> {
    fn successor_operands(op: OpRef<'_>, index: usize) -> SuccessorOperands {
        SuccessorOperands { produced: 0, forwarded: op.operand_group(index + 1) }
    }

    fn taken_successor(op: OpRef<'_>, operands: &[Option<Attribute>]) -> Option<usize> {
        let condition = constant::scalar(op.context, (*operands.first()?)?)?;
        Some(usize::from(condition == 0))
    }
}

impl VerifyInterface for Br<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        verify_forwarded(op, diagnostics);
    }
}

impl VerifyInterface for CondBr<'_> {
    fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
        verify_forwarded(op, diagnostics);
    }
}

impl CanonicalizeInterface for CondBr<'_> {
    fn patterns(patterns: &mut PatternSet) {
        patterns.add_function("branch-on-negation", "xir.cond_br", branch_on_negation);
    }
}

/// Of a negated condition the blocks are exchanged.
fn branch_on_negation(op: OpId, builder: &mut Builder<'_>) -> RewriteResult {
    let view = builder.op(op);
    let branch = CondBr::cast(view).ok_or(NoMatch("it is no conditional branch"))?;
    let condition = negated(view, branch.condition()).ok_or(NoMatch("the condition is no negation"))?;
    let on_true: Vec<ValueId> = branch.true_operands().collect();
    let on_false: Vec<ValueId> = branch.false_operands().collect();
    let (first, second) = (branch.on_false(), branch.on_true());
    let attributes = view.attributes();
    let replacement = CondBr::build(builder, condition, &on_false, &on_true, first, second);
    builder.body_mut().set_attributes(replacement, attributes);
    builder.erase_op(op);
    Ok(())
}

/// The value of which this one is the negation.
pub(crate) fn negated(view: OpRef<'_>, value: ValueId) -> Option<ValueId> {
    let xor = view.defining(value).and_then(XorI::cast)?;
    let ones = fermata_ir::interfaces::constant_value(view.context, view.body, xor.right())?;
    let width = crate::types::ElementwiseType::of(view.context, view.type_of(value))?.scalar.bits();
    (width == 1 && constant::splat(view.context, ones) == Some(1)).then(|| xor.left())
}
