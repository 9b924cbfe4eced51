//! Scopes: the regions between suspensions.

use fermata_coro::{Func, Suspend, TOKEN_ENTRY};
use fermata_ir::{BlockId, Body, Context, OpId, OpRef, OperationView};

/// The blocks that can be reached from a root without crossing a suspension.
pub(crate) struct Region {
    /// Where it starts.
    pub(crate) root: BlockId,
    /// All its blocks, the root first, in reverse post-order.
    pub(crate) blocks: Vec<BlockId>,
    /// The suspensions that end some of them, in textual order of creation of the blocks' list.
    pub(crate) suspends: Vec<OpId>,
    /// Whether an ordinary branch leads back to the root.
    pub(crate) reenters_root: bool,
}

/// A place where execution starts: the entry, or the resume block of a suspension.
pub(crate) struct Start {
    pub(crate) token: u32,
    pub(crate) name: String,
    pub(crate) root: BlockId,
    /// The suspension that leads here; nothing for the entry.
    pub(crate) suspend: Option<OpId>,
}

/// The starts of a coroutine that can be reached, the entry first, then by token.
pub(crate) fn reachable_starts(context: &Context, body: &Body) -> Vec<(Start, Region)> {
    let Some(entry) = Func::entry(body) else { return Vec::new() };
    let first = Start { token: TOKEN_ENTRY, name: String::new(), root: entry, suspend: None };
    let mut seen = vec![false; body.op_capacity()];
    let mut pending = vec![first];
    let mut found = Vec::new();
    while let Some(start) = pending.pop() {
        let region = region(context, body, start.root);
        for &op in &region.suspends {
            if std::mem::replace(&mut seen[op.index()], true) {
                continue;
            }
            let suspend = Suspend::from_ref_unchecked(OpRef::new(context, body, op));
            pending.push(Start {
                token: suspend.token(),
                name: suspend.label().to_owned(),
                root: body.successor(op, 0),
                suspend: Some(op),
            });
        }
        found.push((start, region));
    }
    found.sort_by_key(|(start, _)| start.token);
    found
}

/// The region of a root, without recursion: a coroutine may have very many blocks.
fn region(context: &Context, body: &Body, root: BlockId) -> Region {
    let mut visited = rustc_hash::FxHashSet::default();
    let mut post_order = Vec::new();
    let mut reenters_root = false;
    visited.insert(root);
    let mut stack = vec![(root, 0)];
    while let Some((block, next)) = stack.pop() {
        let terminator = body.last_op(block).filter(|&op| !Suspend::matches(OpRef::new(context, body, op)));
        let successor = terminator.filter(|&op| next < body.successor_count(op)).map(|op| body.successor(op, next));
        match successor {
            Some(successor) => {
                stack.push((block, next + 1));
                reenters_root |= successor == root;
                if visited.insert(successor) {
                    stack.push((successor, 0));
                }
            }
            None => post_order.push(block),
        }
    }
    post_order.reverse();
    let terminators = post_order.iter().filter_map(|&block| body.last_op(block));
    let suspends = terminators.filter(|&op| Suspend::matches(OpRef::new(context, body, op))).collect();
    Region { root, blocks: post_order, suspends, reenters_root }
}
