//! Functions against their types.

use super::body::BodyVerifier;
use super::hooks::Askable;
use super::message::{counted, type_list, type_text};
use crate::body::OpId;
use crate::interfaces::FunctionModel;
use crate::operation::OperationTraits;
use crate::types::Type;

impl BodyVerifier<'_, '_> {
    /// Checks the entry block of a function and the terminators that return from it.
    pub(super) fn check_function(&mut self, op: OpId, model: &'static FunctionModel, askable: &Askable) {
        let (context, body) = (self.context, self.body);
        let parts = (model.function_type)(self.view(op)).and_then(|ty| ty.function_parts(context));
        let Some((inputs, results)) = parts else {
            if askable.holds(op) {
                let error = self.error("function-type", op, "must have a function type");
                self.faults.report(op, error);
            }
            return;
        };
        let Some(&region) = body.regions(op).first() else { return };
        let Some(entry) = body.entry_block(region) else { return };
        let arguments: Vec<Type> = body.arguments(entry).iter().map(|&value| body.value_type(value)).collect();
        if arguments != inputs {
            let (found, expected) =
                (type_list(context, arguments.into_iter()), type_list(context, inputs.iter().copied()));
            let what = format!("has an entry block with arguments {found}, but its type takes {expected}");
            let error = self.error("function-arguments", op, &what);
            self.faults.report(op, error);
        }
        for block in body.blocks(region) {
            let Some(last) = body.last_op(block) else { continue };
            if self.facts(last).traits.contains(OperationTraits::RETURN_LIKE) && askable.holds(last) {
                self.check_return(op, last, results);
            }
        }
    }

    fn check_return(&mut self, function: OpId, op: OpId, results: &[Type]) {
        let body = self.body;
        let name = self.view(function).name_str();
        let mut errors = Vec::new();
        if body.operand_count(op) != results.len() {
            let (found, expected) = (counted(body.operand_count(op), "value"), results.len());
            let what = format!("returns {found}, but the type of the '{name}' around it has {expected}");
            errors.push(self.error("return-operands", op, &what));
        } else {
            for (index, (operand, &result)) in body.operands(op).zip(results).enumerate() {
                let found = body.value_type(operand);
                if found != result {
                    let (found, expected) = (type_text(self.context, found), type_text(self.context, result));
                    let what = format!(
                        "returns operand #{index}, which is {found}, but the type of the '{name}' around it has {expected}"
                    );
                    errors.push(self.error("return-type", op, &what));
                }
            }
        }
        for error in errors {
            let error = error.note(body.location(function), "the function is here");
            self.faults.report(op, error);
        }
    }
}
