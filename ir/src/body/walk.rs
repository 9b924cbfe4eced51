//! Walks over nested operations, without recursion.

use super::{Body, OpId, RegionId};

impl Body {
    /// All operations inside `op`'s regions, this body only, each before what it holds, in textual order. `op` itself
    /// is not among them. The list is made at once, so the body may be changed while it is used.
    pub fn ops_inside(&self, op: OpId) -> Vec<OpId> {
        let mut found = Vec::new();
        let mut pending: Vec<OpId> = Vec::new();
        self.push_children(op, &mut pending);
        while let Some(current) = pending.pop() {
            found.push(current);
            self.push_children(current, &mut pending);
        }
        found
    }

    /// All operations of this body but the root, each before what it holds, in textual order.
    pub fn all_ops(&self) -> Vec<OpId> {
        self.ops_inside(self.root())
    }

    /// All regions that are not erased, those of operations in no block among them, in order of creation.
    pub fn all_regions(&self) -> Vec<RegionId> {
        let regions = (0..self.regions.len()).map(RegionId::from_index);
        regions.filter(|region| !self.regions[region.index()].erased).collect()
    }

    /// Pushes the direct children of `op` so that the first one is popped first.
    fn push_children(&self, op: OpId, pending: &mut Vec<OpId>) {
        let start = pending.len();
        for &region in self.regions(op) {
            for block in self.blocks(region) {
                pending.extend(self.ops(block));
            }
        }
        pending[start..].reverse();
    }

    /// Calls back for this body and all bodies nested in it, outer before inner, in textual order.
    pub fn for_each_body<'a>(&'a self, mut callback: impl FnMut(&'a Body)) {
        let mut pending = vec![self];
        while let Some(body) = pending.pop() {
            callback(body);
            let start = pending.len();
            pending.extend(body.all_ops().into_iter().filter_map(|op| body.nested(op)));
            pending[start..].reverse();
        }
    }

    /// Whether an operation is the root or inside one of its regions, and not detached.
    pub fn is_attached(&self, op: OpId) -> bool {
        // A detached operation may hold itself; nothing is nested in more regions than there are.
        let mut around = std::iter::successors(Some(op), |op| self.parent_op(*op)).take(self.regions.len() + 1);
        around.any(|op| op == self.root())
    }

    /// Whether `inner` is `outer` or inside one of its regions.
    pub fn is_ancestor(&self, outer: OpId, inner: OpId) -> bool {
        std::iter::successors(Some(inner), |op| self.parent_op(*op)).any(|op| op == outer)
    }
}

impl Drop for Body {
    /// Bodies nest as deep as the text does; dropping them one inside the other would use up the stack.
    fn drop(&mut self) {
        let mut pending: Vec<Box<Body>> = self.extras.iter_mut().filter_map(|extra| extra.nested.take()).collect();
        while let Some(mut body) = pending.pop() {
            pending.extend(body.extras.iter_mut().filter_map(|extra| extra.nested.take()));
        }
    }
}
