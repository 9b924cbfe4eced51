//! What structured operations pass between their regions.

use super::body::BodyVerifier;
use super::hooks::Askable;
use super::message::{counted, type_text};
use crate::body::{OpId, ValueId};
use crate::interfaces::{RegionBranchModel, RegionPoint, RegionSuccessor};
use crate::operation::OperationTraits;

impl BodyVerifier<'_, '_> {
    /// Checks where control goes from the start of a structured operation, and from the ends of its regions.
    pub(super) fn check_region_branch(&mut self, op: OpId, model: &'static RegionBranchModel, askable: &Askable) {
        let body = self.body;
        let unknown = vec![None; body.operand_count(op)];
        for successor in (model.entry_successors)(self.view(op), &unknown) {
            self.check_region_edge(op, model, op, &successor);
        }
        for &region in body.regions(op) {
            for block in body.blocks(region) {
                let Some(last) = body.last_op(block) else { continue };
                let ends_region =
                    body.successor_count(last) == 0 && self.facts(last).traits.contains(OperationTraits::TERMINATOR);
                if !ends_region || !askable.holds(last) {
                    continue;
                }
                for successor in (model.terminator_successors)(self.view(op), self.view(last)) {
                    self.check_region_edge(op, model, last, &successor);
                }
            }
        }
    }

    /// Checks one way from `from`, the operation or a terminator of it.
    fn check_region_edge(
        &mut self,
        op: OpId,
        model: &'static RegionBranchModel,
        from: OpId,
        successor: &RegionSuccessor,
    ) {
        let body = self.body;
        let target = match self.target(op, successor.point) {
            Ok((target, values)) if successor.inputs.iter().all(|input| values.contains(input)) => target,
            Ok((target, _)) => {
                let what = format!("passes values to {target} that do not belong there");
                let error = self.error("region-operands", from, &what);
                self.faults.report(from, error);
                return;
            }
            Err(target) => {
                let error = self.error("region-operands", from, &format!("leads to {target}, which has no block"));
                self.faults.report(from, error);
                return;
            }
        };
        let passed = (model.passed_operands)(self.view(op), self.view(from), successor.point);
        if passed.end > body.operand_count(from) || passed.len() != successor.inputs.len() {
            let what = format!(
                "passes {} to {target}, which takes {}",
                counted(passed.len(), "value"),
                counted(successor.inputs.len(), "value")
            );
            let error = self.error("region-operands", from, &what);
            self.faults.report(from, error);
            return;
        }
        for (operand, &input) in passed.zip(&successor.inputs) {
            let (given, wanted) = (body.value_type(body.operand(from, operand)), body.value_type(input));
            if given != wanted {
                let (given, wanted) = (type_text(self.context, given), type_text(self.context, wanted));
                let what = format!("passes operand #{operand}, which is {given}, to {target}, where it is {wanted}");
                let error = self.error("region-type", from, &what);
                self.faults.report(from, error);
            }
        }
    }

    /// What a point is called, and the values that it may set; the name alone if control cannot go there.
    fn target(&self, op: OpId, point: RegionPoint) -> Result<(String, Vec<ValueId>), String> {
        let body = self.body;
        match point {
            RegionPoint::Parent => {
                let name = self.view(op).name_str();
                Ok((format!("the results of '{name}'"), body.results(op).collect()))
            }
            RegionPoint::Region(index) => {
                let name = format!("region #{index}");
                match body.regions(op).get(index).and_then(|&region| body.entry_block(region)) {
                    Some(entry) => Ok((name, body.arguments(entry).to_vec())),
                    None => Err(name),
                }
            }
        }
    }
}
