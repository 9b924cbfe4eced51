//! What becomes of each value that is needed in another scope than the one that defines it.

use fermata_ir::body::ValueDefinition;
use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::{Body, Context, OpId, OpRef, OperationTraits, ValueId};
use rustc_hash::FxHashSet;

use crate::coro::values::values_in_dominance_order;
use crate::coro::{storage, xir};

/// A thing that a frame holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Item {
    /// A value.
    Value(ValueId),
    /// What the memory behind this reference, the result of a local allocation, holds.
    Memory(ValueId),
    /// A value as an export or extension of this suspension sees it: the number counts exports, then bindings. Only for
    /// values that are not in the frame anyway.
    Snapshot(OpId, u32),
}

/// How a scope that does not define a value gets it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Recipe {
    /// It is an argument of the coroutine: there from the start.
    Argument,
    /// It is the reference of a local allocation; each scope makes its own.
    Allocation,
    /// Its operation is executed again, on operands that are there without a frame.
    Recompute,
    /// Its operation, which gives a reference, is executed again on operands some of which the frame holds.
    Rebuild,
    /// It is loaded from the frame.
    Load,
    /// There is no way; see [`Recipes::report`].
    Impossible,
}

/// The recipe of every value of a coroutine.
///
/// A computation is repeated only on *stable* roots: arguments, constants, the point and the size of the dispatch.
/// What the thread is, and what memory holds, may change across a suspension. The price of repeating is counted in
/// operations and bounded by the bytes saved (LuisaCompute's rule: twice the words, at least one, at most eight).
pub(crate) struct Recipes {
    recipes: Vec<Recipe>,
    costs: Vec<u32>,
}

impl Recipes {
    /// Decides for all values. Linear in the operands: a value's operands are decided before it, or it is loaded.
    pub(crate) fn new(context: &Context, body: &Body) -> Self {
        let mut this =
            Self { recipes: vec![Recipe::Load; body.value_capacity()], costs: vec![u32::MAX; body.value_capacity()] };
        let entry = fermata_coro::Func::entry(body);
        for value in values_in_dominance_order(body) {
            let (recipe, cost) = match body.definition(value) {
                ValueDefinition::Argument { block, .. } if Some(block) == entry => (Recipe::Argument, 0),
                ValueDefinition::Argument { .. } => this.storable(context, body, value),
                ValueDefinition::Result { op, .. } => this.decide(OpRef::new(context, body, op), value),
            };
            this.recipes[value.index()] = recipe;
            this.costs[value.index()] = cost;
        }
        this
    }

    /// How a scope that does not define `value` gets it.
    pub(crate) fn of(&self, value: ValueId) -> Recipe {
        self.recipes[value.index()]
    }

    fn decide(&self, op: OpRef<'_>, value: ValueId) -> (Recipe, u32) {
        if xir::is_local_allocation(op) {
            return (Recipe::Allocation, 0);
        }
        if xir::is_dispatch_constant(op) {
            return (Recipe::Recompute, 1);
        }
        let repeatable = op.has_trait(OperationTraits::PURE) && op.regions().is_empty();
        if repeatable {
            let operand_cost = op.operands().map(|operand| self.costs[operand.index()]);
            let cost = operand_cost.fold(1_u32, u32::saturating_add);
            let is_reference = storage::is_reference(op.context, op.type_of(value));
            let stable = op.operands().all(|operand| {
                matches!(self.of(operand), Recipe::Argument | Recipe::Recompute)
                    || is_reference && self.of(operand) == Recipe::Allocation
            });
            let words = storage::bytes(op.context, op.type_of(value)).map_or(u64::MAX, |bytes| bytes.div_ceil(4));
            let budget = words.saturating_mul(2).clamp(1, 8);
            if stable && (is_reference || u64::from(cost) <= budget) {
                return (Recipe::Recompute, cost);
            }
            if is_reference && op.operands().all(|operand| self.of(operand) != Recipe::Impossible) {
                return (Recipe::Rebuild, u32::MAX);
            }
        }
        self.storable(op.context, op.body, value)
    }

    fn storable(&self, context: &Context, body: &Body, value: ValueId) -> (Recipe, u32) {
        let storable = storage::bytes(context, body.value_type(value)).is_some();
        (if storable { Recipe::Load } else { Recipe::Impossible }, u32::MAX)
    }

    /// Adds the values that the frame must hold so that a scope can get `value`.
    pub(crate) fn loaded_for(&self, body: &Body, value: ValueId, found: &mut FxHashSet<ValueId>) {
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            match self.of(value) {
                Recipe::Load => {
                    found.insert(value);
                }
                Recipe::Rebuild => {
                    let op = body.defining_op(value).expect("only results of operations are rebuilt");
                    pending.extend(body.operands(op));
                }
                Recipe::Argument | Recipe::Allocation | Recipe::Recompute | Recipe::Impossible => {}
            }
        }
    }

    /// Says why a value cannot cross a suspension.
    pub(crate) fn report(&self, op: OpRef<'_>, value: ValueId, diagnostics: &mut Diagnostics) {
        let place = definition_location(op, value);
        diagnostics.report(
            Diagnostic::error("unstorable-value", op.location(), "a value that no frame can hold is live across this suspension")
                .note(place, "the value is defined here")
                .help("references and resources stay behind: keep the index instead, and choose the resource again after the suspension"),
        );
    }
}

fn definition_location(op: OpRef<'_>, value: ValueId) -> fermata_ir::Location {
    let definition: Option<OpId> = op.body.defining_op(value);
    definition.map_or_else(|| op.body.location(op.body.root()), |definition| op.body.location(definition))
}
