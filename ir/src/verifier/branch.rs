//! What the edges of a branch pass to the arguments of their blocks.

use super::body::BodyVerifier;
use super::message::{counted, type_text};
use crate::body::OpId;
use crate::interfaces::BranchModel;

impl BodyVerifier<'_, '_> {
    /// Checks all edges of an operation that has successors.
    pub(super) fn check_branch(&mut self, op: OpId, model: Option<&'static BranchModel>) {
        let body = self.body;
        let mut end = 0;
        for (index, block) in body.successors(op).enumerate() {
            let arguments = body.arguments(block);
            let Some(model) = model else {
                if !arguments.is_empty() {
                    let count = counted(arguments.len(), "argument");
                    let what = format!("leads to a block with {count}, but is no branch, which could pass values");
                    let error = self.error("branch-operands", op, &what);
                    self.faults.report(op, error);
                }
                continue;
            };
            let operands = (model.successor_operands)(self.view(op), index);
            let forwarded = operands.forwarded;
            if forwarded.start < end || forwarded.end < forwarded.start || forwarded.end > body.operand_count(op) {
                let what = format!(
                    "passes operands {}..{} to successor #{index}, which overlap those of another or are not there",
                    forwarded.start, forwarded.end
                );
                let error = self.error("branch-operands", op, &what);
                self.faults.report(op, error);
                return;
            }
            end = forwarded.end;
            if operands.produced.saturating_add(forwarded.len()) != arguments.len() {
                let produced = match operands.produced {
                    0 => String::new(),
                    count => format!("produces {count} and "),
                };
                let what = format!(
                    "{produced}passes {} to successor #{index}, whose block has {}",
                    counted(forwarded.len(), "value"),
                    counted(arguments.len(), "argument")
                );
                let error = self.error("branch-operands", op, &what);
                self.faults.report(op, error);
                continue;
            }
            for (argument, operand) in (operands.produced..).zip(forwarded) {
                let passed = body.value_type(body.operand(op, operand));
                let expected = body.value_type(arguments[argument]);
                if passed != expected {
                    let (passed, expected) = (type_text(self.context, passed), type_text(self.context, expected));
                    let what = format!(
                        "passes operand #{operand}, which is {passed}, to argument #{argument} of successor #{index}, \
                         which is {expected}"
                    );
                    let error = self.error("branch-type", op, &what);
                    self.faults.report(op, error);
                }
            }
        }
    }
}
