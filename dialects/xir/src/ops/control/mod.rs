//! Raw control flow: terminators that lead to blocks, and those that end the function.

mod branch;
mod end;
mod switch;

pub(crate) use branch::negated;
pub use branch::{Br, CondBr};
pub use end::{Return, Unreachable};
pub use switch::{SwitchBr, SwitchCase};

use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::interfaces::successor_operands;
use fermata_ir::{OpRef, Type};

use crate::types::{RefType, is_resource};

/// References and resources are not passed to blocks, so that where they come from can always be told.
fn verify_forwarded(op: OpRef<'_>, diagnostics: &mut Diagnostics) {
    let is_barred = |ty: Type| ty.is::<RefType>(op.context) || is_resource(op.context, ty);
    for index in 0..op.successors().len() {
        let Some(operands) = successor_operands(op, index) else { continue };
        for operand in operands.forwarded.filter(|&operand| operand < op.operand_count()) {
            if is_barred(op.operand_type(operand)) {
                let message = format!("'{}' op references and resources are not passed to blocks", op.name_str());
                diagnostics.report(Diagnostic::error("forwarded-reference", op.location(), message));
            }
        }
    }
}
