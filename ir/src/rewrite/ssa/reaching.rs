//! Which value of a variable reaches a block.

use rustc_hash::FxHashMap;

use crate::analysis::RegionTree;
use crate::body::{BlockId, ValueId};

/// What reaches a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Definition {
    /// This value.
    Value(ValueId),
    /// No definition.
    Undefined,
}

/// The values of one variable at the starts and ends of blocks, given its last definition in each block that has one
/// and the arguments at all [joins](super::JoinFinder).
///
/// Answers are remembered on the way up the dominator tree, so all questions together take time linear in the blocks
/// where the variable is live.
pub struct Reaching<'t> {
    tree: &'t RegionTree,
    arguments: FxHashMap<BlockId, ValueId>,
    ends: FxHashMap<BlockId, Definition>,
    entries: FxHashMap<BlockId, Definition>,
}

impl<'t> Reaching<'t> {
    /// For a variable with these arguments and no definitions yet.
    pub fn new(tree: &'t RegionTree, arguments: FxHashMap<BlockId, ValueId>) -> Self {
        Self { tree, arguments, ends: FxHashMap::default(), entries: FxHashMap::default() }
    }

    /// Says what the last definition in a block is. It is known before the blocks that the block dominates are asked
    /// about.
    pub fn set_end(&mut self, block: BlockId, definition: Definition) {
        self.ends.insert(block, definition);
    }

    /// What reaches the start of a block.
    pub fn at_entry(&mut self, block: BlockId) -> Definition {
        let mut path = Vec::new();
        let mut current = block;
        let found = loop {
            if let Some(&argument) = self.arguments.get(&current) {
                break Definition::Value(argument);
            }
            if let Some(&known) = self.entries.get(&current) {
                break known;
            }
            path.push(current);
            let Some(above) = self.tree.parent(current) else { break Definition::Undefined };
            if let Some(&end) = self.ends.get(&above) {
                break end;
            }
            current = above;
        };
        self.entries.extend(path.into_iter().map(|block| (block, found)));
        found
    }

    /// What reaches the end of a block.
    pub fn at_end(&mut self, block: BlockId) -> Definition {
        match self.ends.get(&block) {
            Some(&end) => end,
            None => self.at_entry(block),
        }
    }
}
