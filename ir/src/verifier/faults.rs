//! Gathering faults, and giving them out in the order of the text.

use crate::body::{Body, OpId};
use crate::diagnostic::{Diagnostic, Diagnostics};

/// The faults of one body.
#[derive(Default)]
pub(super) struct Faults {
    list: Vec<(OpId, Diagnostic)>,
    /// Operations about which later checks may not assume anything.
    broken: Vec<OpId>,
    /// Operations of whose blocks later checks may not assume anything.
    broken_inside: Vec<OpId>,
    /// Operations that mention a symbol that must exist, if nothing is wrong with them.
    pub(super) symbol_users: Vec<OpId>,
}

impl Faults {
    /// A fault of an operation which leaves its declaration true.
    pub(super) fn report(&mut self, op: OpId, diagnostic: Diagnostic) {
        self.list.push((op, diagnostic));
    }

    /// A fault that makes what is declared about an operation wrong.
    pub(super) fn report_broken(&mut self, op: OpId, diagnostic: Diagnostic) {
        self.broken.push(op);
        self.report(op, diagnostic);
    }

    /// A fault of a block that `holder` holds, to be shown at `op`.
    pub(super) fn report_broken_block(&mut self, holder: OpId, op: OpId, diagnostic: Diagnostic) {
        self.broken_inside.push(holder);
        self.report(op, diagnostic);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// What may be assumed of the operations of `body`; nothing, if everything may.
    pub(super) fn trust(&self, body: &Body) -> Option<Trust> {
        if self.broken.is_empty() && self.broken_inside.is_empty() {
            return None;
        }
        let flags = || vec![false; body.op_capacity()];
        let mut trust = Trust { own: flags(), inside: flags(), around: flags() };
        for &op in &self.broken {
            trust.own[op.index()] = true;
        }
        for &op in self.broken.iter().chain(&self.broken_inside) {
            trust.inside[op.index()] = true;
        }
        let ops = body.all_ops();
        for &op in ops.iter().rev() {
            if let Some(parent) = body.parent_op(op) {
                trust.inside[parent.index()] |= trust.inside[op.index()];
            }
        }
        trust.around[body.root().index()] = trust.own[body.root().index()];
        for &op in &ops {
            let above = body.parent_op(op).is_some_and(|parent| trust.around[parent.index()]);
            trust.around[op.index()] = above || trust.own[op.index()];
        }
        Some(trust)
    }
}

/// Which operations of a body are broken.
pub(super) struct Trust {
    /// The operation itself.
    own: Vec<bool>,
    /// The operation or something in it.
    inside: Vec<bool>,
    /// The operation or one around it.
    around: Vec<bool>,
}

impl Trust {
    /// Whether what is declared about an operation holds.
    pub(super) fn holds(&self, op: OpId) -> bool {
        !self.own[op.index()]
    }

    /// Whether that is so for the operation, for all it holds and is held by, and for what defines its operands.
    pub(super) fn holds_widely(&self, body: &Body, op: OpId) -> bool {
        let defined = |value| body.defining_op(value).is_none_or(|definition| self.holds(definition));
        !self.inside[op.index()] && !self.around[op.index()] && body.operands(op).all(defined)
    }
}

/// A body with the body and the operation that hold it.
#[derive(Clone, Copy)]
pub(super) struct NestedBody<'a> {
    pub(super) body: &'a Body,
    pub(super) parent: Option<(usize, OpId)>,
    /// Whether walking through the body ends: its root is in no block, and no link is broken, if links are checked.
    pub(super) is_walkable: bool,
}

/// All bodies to verify, outer before inner.
pub(super) struct NestedBodies<'a> {
    list: Vec<NestedBody<'a>>,
}

impl<'a> NestedBodies<'a> {
    pub(super) fn new(outermost: &'a Body, check_links: bool) -> Self {
        let nested = |body: &'a Body, parent| {
            let is_walkable = body.parent_block(body.root()).is_none() && !(check_links && body.has_broken_links());
            NestedBody { body, parent, is_walkable }
        };
        let mut list = vec![nested(outermost, None)];
        let mut next = 0;
        while let Some(&NestedBody { body, is_walkable, .. }) = list.get(next) {
            if is_walkable && body.has_nested() {
                let anchors = body.all_ops().into_iter();
                let inner = anchors.filter_map(|anchor| Some((anchor, body.nested(anchor)?)));
                list.extend(inner.map(|(anchor, body)| nested(body, Some((next, anchor)))));
            }
            next += 1;
        }
        Self { list }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn all_walkable(&self) -> bool {
        self.list.iter().all(|nested| nested.is_walkable)
    }

    pub(super) fn index_of(&self, body: &Body) -> Option<usize> {
        self.list.iter().position(|nested| std::ptr::eq(nested.body, body))
    }

    pub(super) fn get(&self, index: usize) -> NestedBody<'a> {
        self.list[index]
    }
}

/// Gives out the faults of all bodies in the order of the text; those of one operation in the order of the checks.
pub(super) fn report_in_order(bodies: &NestedBodies<'_>, faults: Vec<Faults>, diagnostics: &mut Diagnostics) {
    if faults.iter().all(Faults::is_empty) {
        return;
    }
    let positions = textual_positions(bodies);
    let mut all: Vec<(u32, Diagnostic)> = Vec::new();
    for (faults, positions) in faults.into_iter().zip(&positions) {
        all.extend(faults.list.into_iter().map(|(op, diagnostic)| (positions[op.index()], diagnostic)));
    }
    all.sort_by_key(|&(position, _)| position);
    all.into_iter().for_each(|(_, diagnostic)| diagnostics.report(diagnostic));
}

/// For each body and operation of it, its position among all operations of all bodies. What is in no block is last.
fn textual_positions(bodies: &NestedBodies<'_>) -> Vec<Vec<u32>> {
    let mut positions: Vec<Vec<u32>> =
        bodies.list.iter().map(|nested| vec![u32::MAX; nested.body.op_capacity()]).collect();
    let mut nested_index = vec![rustc_hash::FxHashMap::default(); bodies.len()];
    for (index, nested) in bodies.list.iter().enumerate() {
        if let Some((parent, anchor)) = nested.parent {
            nested_index[parent].insert(anchor, index);
        }
    }
    let mut next = 0;
    let mut open = vec![(0, walk(bodies.get(0)))];
    while let Some((index, ops)) = open.last_mut() {
        let index = *index;
        match ops.next() {
            Some(op) => {
                positions[index][op.index()] = next;
                next += 1;
                if let Some(&inner) = nested_index[index].get(&op) {
                    open.push((inner, walk(bodies.get(inner))));
                }
            }
            None => drop(open.pop()),
        }
    }
    positions
}

fn walk(nested: NestedBody<'_>) -> impl Iterator<Item = OpId> + use<> {
    let inside = if nested.is_walkable { nested.body.all_ops() } else { Vec::new() };
    std::iter::once(nested.body.root()).chain(inside)
}
