//! The table of what has been computed.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use smallvec::SmallVec;

use crate::body::{Body, OpId, ValueId};
use crate::context::Context;
use crate::operation::{OpRef, OperationTraits};

/// An operation with what else has to be equal for another one to be as good.
#[derive(Clone, Copy)]
pub(super) struct Expression {
    pub(super) op: OpId,
    /// The state of memory, for one that reads it.
    pub(super) state: Option<u32>,
    /// The region that keeps its constants, for a constant.
    pub(super) scope: u32,
}

/// Expressions that can be used at the current place of a walk over the dominator tree.
#[derive(Default)]
pub(super) struct Available {
    table: HashTable<(u64, Expression)>,
    /// Everything in the table, in order of insertion.
    inserted: Vec<(u64, OpId)>,
}

impl Available {
    /// Length, to go back to.
    pub(super) fn len(&self) -> usize {
        self.inserted.len()
    }

    /// Forgets what was inserted since the length was this.
    pub(super) fn truncate(&mut self, length: usize) {
        for (hash, op) in self.inserted.drain(length..) {
            if let Ok(entry) = self.table.find_entry(hash, |(_, known)| known.op == op) {
                entry.remove();
            }
        }
    }

    /// An available operation that is as good as this one, or nothing, and this one is available from now on.
    pub(super) fn find_or_insert(&mut self, context: &Context, body: &Body, expression: Expression) -> Option<OpId> {
        let operands = normalized_operands(OpRef::new(context, body, expression.op));
        let hash = hash(body, expression, &operands);
        let equal = |(known_hash, known): &(u64, Expression)| {
            *known_hash == hash
                && (known.state, known.scope) == (expression.state, expression.scope)
                && same(body, known.op, expression.op)
                && normalized_operands(OpRef::new(context, body, known.op)) == operands
        };
        if let Some((_, known)) = self.table.find(hash, equal) {
            return Some(known.op);
        }
        self.table.insert_unique(hash, (hash, expression), |(hash, _)| *hash);
        self.inserted.push((hash, expression.op));
        None
    }
}

/// The operands, sorted if their order does not matter.
fn normalized_operands(op: OpRef<'_>) -> SmallVec<[ValueId; 4]> {
    let mut operands: SmallVec<[ValueId; 4]> = op.operands().collect();
    if op.has_trait(OperationTraits::COMMUTATIVE) {
        operands.sort_unstable();
    }
    operands
}

fn hash(body: &Body, expression: Expression, operands: &[ValueId]) -> u64 {
    let mut hasher = FxHasher::default();
    body.operation_name(expression.op).hash(&mut hasher);
    body.properties(expression.op).hash(&mut hasher);
    operands.hash(&mut hasher);
    expression.state.hash(&mut hasher);
    expression.scope.hash(&mut hasher);
    hasher.finish()
}

/// Whether two operations differ in nothing but operands and location.
fn same(body: &Body, a: OpId, b: OpId) -> bool {
    let types = |op: OpId| body.results(op).map(|result| body.value_type(result));
    body.operation_name(a) == body.operation_name(b)
        && body.properties(a) == body.properties(b)
        && body.attributes(a) == body.attributes(b)
        && types(a).eq(types(b))
}
