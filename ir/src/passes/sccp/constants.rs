//! What is known about values, for the solver of [sparse forward](crate::analysis::dataflow::SparseForward) problems.

use crate::analysis::dataflow::{Decision, Flat, Lattice, SparseForward, SparseForwardAnalysis};
use crate::attributes::Attribute;
use crate::body::{Body, ValueId};
use crate::context::Context;
use crate::interfaces::{FoldModel, FoldResult};
use crate::operation::{OpRef, OperationName, OperationTraits};

/// A constant, with an operation whose dialect can make it. Which one does not matter to whether two are the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) value: Attribute,
    pub(super) source: OperationName,
}

impl PartialEq for Known {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

/// The values that are constant and are not defined by a constant already, in textual order.
pub(super) fn find_constants(context: &Context, body: &Body) -> Vec<(ValueId, Known)> {
    let found = SparseForward::solve(context, body, &mut Constants);
    let mut constants = Vec::new();
    let mut add = |value: ValueId| {
        if let Flat::Only(known) = *found.element(value) {
            constants.push((value, known));
        }
    };
    let mut ops = vec![body.root()];
    ops.extend(body.all_ops());
    for op in ops {
        if !OpRef::new(context, body, op).has_trait(OperationTraits::CONSTANT_LIKE) {
            body.results(op).for_each(&mut add);
        }
        for &region in body.regions(op) {
            body.blocks(region).flat_map(|block| body.arguments(block)).copied().for_each(&mut add);
        }
    }
    constants
}

struct Constants;

impl SparseForwardAnalysis for Constants {
    type Element = Flat<Known>;

    fn unknown(&mut self, _op: OpRef<'_>, _value: ValueId) -> Flat<Known> {
        Flat::Top
    }

    fn visit(&mut self, op: OpRef<'_>, operands: &[&Flat<Known>], results: &mut [Flat<Known>]) {
        if results.iter().all(|result| *result == Flat::Top) {
            return;
        }
        if op.has_trait(OperationTraits::CONSTANT_LIKE) && results.len() == 1 {
            let value = op.property("value").map(|value| Known { value, source: op.name() });
            results[0].join(&value.map_or(Flat::Top, Flat::Only));
        } else if !operands.contains(&&Flat::Bottom) {
            fold(op, operands, results);
        }
    }

    fn decision(&self, element: &Flat<Known>) -> Decision {
        match element {
            Flat::Bottom => Decision::Waits,
            Flat::Only(known) => Decision::Constant(known.value),
            Flat::Top => Decision::Open,
        }
    }
}

/// Raises the results to what they fold to.
fn fold(op: OpRef<'_>, operands: &[&Flat<Known>], results: &mut [Flat<Known>]) {
    let constant = |operand: &&Flat<Known>| match operand {
        Flat::Only(known) => Some(known.value),
        Flat::Bottom | Flat::Top => None,
    };
    let constants: Vec<Option<Attribute>> = operands.iter().map(constant).collect();
    let folded = op.interface::<FoldModel>().and_then(|model| (model.fold)(op, &constants));
    let Some(folded) = folded.filter(|folded| folded.len() == results.len()) else {
        results.iter_mut().for_each(|result| *result = Flat::Top);
        return;
    };
    for (result, folded) in results.iter_mut().zip(folded) {
        result.join(&match folded {
            FoldResult::Constant(value) => Flat::Only(Known { value, source: op.name() }),
            // Only of operands is it known that the operation is visited again when they change.
            FoldResult::Value(value) => {
                let position = op.operands().position(|operand| operand == value);
                position.map_or(Flat::Top, |position| *operands[position])
            }
        });
    }
}
