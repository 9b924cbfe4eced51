//! Liveness: search for a way to a use.

use std::collections::HashSet;

use fermata_ir::analysis::{Liveness, ancestor_in_region};
use fermata_ir::body::ValueDefinition;
use fermata_ir::{BlockId, Body, Context, OpId, ValueId};

use crate::dialect::context;
use crate::points::{Point, Points};
use crate::program::program;
use crate::random::Random;

struct Oracle<'a> {
    body: &'a Body,
    points: Points<'a>,
}

impl Oracle<'_> {
    /// Whether a way leads from `from` to a use of `value`, not past the definition, and inside the operation `scope`;
    /// but a terminator that leaves for somewhere unknown may go back to the start of what a larger operation holds.
    fn reaches_use(&self, value: ValueId, from: Vec<Point>, scope: OpId) -> bool {
        let definition = self.body.definition(value);
        let mut seen = HashSet::new();
        let mut pending: Vec<(Point, OpId)> = from.into_iter().map(|point| (point, scope)).collect();
        while let Some((point, scope)) = pending.pop() {
            let Some(holder) = self.points.block(point).and_then(|block| self.body.block_parent_op(block)) else {
                continue;
            };
            let defines = match (point, definition) {
                (Point::After(op), ValueDefinition::Result { op: definition, .. }) => op == definition,
                (Point::Start(block), ValueDefinition::Argument { block: definition, .. }) => block == definition,
                _ => false,
            };
            if defines || !self.body.is_ancestor(scope, holder) || !seen.insert((point, scope)) {
                continue;
            }
            if let Point::Before(op) = point
                && self.body.operands(op).any(|operand| operand == value)
            {
                return true;
            }
            let way = self.points.way(point);
            for to in way.to {
                let target = self.points.block(to).and_then(|block| self.body.block_parent_op(block));
                let is_back = way.is_unknown && matches!(to, Point::Start(_));
                let larger = target.filter(|&target| is_back && self.body.is_ancestor(target, scope));
                pending.push((to, larger.unwrap_or(scope)));
            }
            // Operations are taken to end, and each of their regions to be executed first perhaps.
            if let Point::Before(op) = point
                && self.body.next_op(op).is_some()
            {
                let entries = self.body.regions(op).iter().filter_map(|&region| self.body.entry_block(region));
                pending.extend(entries.map(|entry| (Point::Start(entry), scope)));
                pending.push((Point::After(op), scope));
            }
        }
        false
    }

    fn is_live_in(&self, value: ValueId, block: BlockId) -> bool {
        let scope = self.body.block_parent_op(block).expect("blocks are in regions");
        self.body.defining_block(value) != Some(block) && self.reaches_use(value, vec![Point::Start(block)], scope)
    }

    /// Whether the value is live where control goes from the end of a block.
    fn is_live_out(&self, value: ValueId, block: BlockId) -> bool {
        let scope = self.body.block_parent_op(block).expect("blocks are in regions");
        let last = self.body.last_op(block).expect("blocks have a terminator");
        let way = self.points.way(Point::Before(last));
        way.to.into_iter().any(|to| {
            let target = self.points.block(to).and_then(|block| self.body.block_parent_op(block));
            let is_back = way.is_unknown && matches!(to, Point::Start(_));
            let larger = target.filter(|&target| is_back && self.body.is_ancestor(target, scope));
            self.reaches_use(value, vec![to], larger.unwrap_or(scope))
        })
    }

    /// Whether an operation after `op` in its block uses the value, or holds one that does.
    fn is_used_later(&self, value: ValueId, op: OpId) -> bool {
        let uses = |op: OpId| self.body.operands(op).any(|operand| operand == value);
        let mut later = std::iter::successors(self.body.next_op(op), |&op| self.body.next_op(op));
        later.any(|op| uses(op) || self.body.ops_inside(op).into_iter().any(uses))
    }
}

/// Whether the region that defines a value holds a block.
fn visible(body: &Body, value: ValueId, block: BlockId) -> bool {
    let region = body.defining_block(value).and_then(|block| body.block_parent(block));
    region.is_some_and(|region| ancestor_in_region(body, block, region).is_some())
}

fn check(context: &Context, body: &Body) -> usize {
    let oracle = Oracle { body, points: Points::new(context, body) };
    let liveness = Liveness::new(context, body);
    let values: Vec<ValueId> = (0..body.value_capacity()).map(ValueId::from_index).collect();
    let mut live = 0;
    for region in body.all_regions() {
        for block in body.blocks(region) {
            let seen = |value: &ValueId| visible(body, *value, block);
            let expected: Vec<ValueId> =
                values.iter().copied().filter(seen).filter(|&value| oracle.is_live_in(value, block)).collect();
            assert_eq!(liveness.live_in(block), expected, "live in at {block:?}");
            live += expected.len();
            let live_out: Vec<ValueId> =
                values.iter().copied().filter(seen).filter(|&value| oracle.is_live_out(value, block)).collect();
            assert_eq!(liveness.live_out(body, block), live_out, "live out of {block:?}");
            for op in body.ops(block) {
                for &value in values.iter().filter(|value| visible(body, **value, block)) {
                    let defined_later = body.defining_op(value).is_some_and(|definition| {
                        body.parent_block(definition) == Some(block)
                            && definition != op
                            && body.is_before_in_block(op, definition)
                    });
                    if !defined_later {
                        let expected = oracle.is_used_later(value, op) || live_out.contains(&value);
                        assert_eq!(liveness.is_live_after(body, value, op), expected, "{value:?} after {op:?}");
                    }
                }
            }
        }
    }
    live
}

#[test]
fn a_value_is_live_where_a_way_leads_to_a_use() {
    let context = context();
    let mut live = 0;
    for seed in 0..60 {
        live += check(&context, &program(&context, &mut Random::new(seed), 24));
    }
    assert!(live > 500, "only {live} values are live in");
}
