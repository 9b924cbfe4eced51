//! Adding block arguments for many variables, and passing values to them.

use rustc_hash::FxHashMap;

use super::SsaError;
use crate::body::{BlockId, Body, OpId, ValueId};
use crate::builder::Builder;
use crate::context::Context;
use crate::interfaces::{BranchModel, edit_forwarded_operands};
use crate::operation::OpRef;
use crate::types::Type;

/// Whether blocks can have more arguments.
///
/// # Errors
/// The first block that cannot, with the reason.
pub fn check_joins(context: &Context, body: &Body, joins: &[BlockId]) -> Result<(), SsaError> {
    for &block in joins {
        if body.is_entry_block(block) {
            return Err(SsaError::EntryBlock(block));
        }
        for (op, _) in body.predecessor_edges(block) {
            if OpRef::new(context, body, op).interface::<BranchModel>().is_none() {
                return Err(SsaError::UnknownEdge(block, op));
            }
        }
    }
    Ok(())
}

/// Block arguments that were added for variables and to which no edge passes a value yet. Until
/// [`connect`](JoinArguments::connect) is called the body does not verify.
#[must_use = "edges have to pass values to the arguments"]
pub struct JoinArguments {
    of_variable: Vec<FxHashMap<BlockId, ValueId>>,
    /// By block: the variables whose arguments were added, in order. Only looked into, never walked through.
    of_block: FxHashMap<BlockId, Vec<usize>>,
    /// The blocks, in order of their first argument.
    blocks: Vec<BlockId>,
    count: usize,
}

impl JoinArguments {
    /// Adds an argument of the given type to each of the given blocks, for each variable. The blocks have been
    /// [checked](check_joins).
    pub fn add<'j>(body: &mut Body, variables: impl IntoIterator<Item = (Type, &'j [BlockId])>) -> Self {
        let mut added = Self { of_variable: vec![], of_block: FxHashMap::default(), blocks: vec![], count: 0 };
        for (index, (ty, joins)) in variables.into_iter().enumerate() {
            let mut arguments = FxHashMap::default();
            for &block in joins {
                arguments.insert(block, body.add_argument(block, ty));
                let variables = added.of_block.entry(block).or_default();
                if variables.is_empty() {
                    added.blocks.push(block);
                }
                variables.push(index);
                added.count += 1;
            }
            added.of_variable.push(arguments);
        }
        added
    }

    /// The arguments of a variable by block.
    pub fn of_variable(&self, variable: usize) -> FxHashMap<BlockId, ValueId> {
        self.of_variable[variable].clone()
    }

    /// Makes every edge pass the values that `value` gives for a variable at the end of the block that the edge
    /// leaves. Returns the number of arguments.
    pub fn connect(
        self,
        builder: &mut Builder<'_>,
        mut value: impl FnMut(&mut Builder<'_>, usize, BlockId) -> ValueId,
    ) -> usize {
        let context = builder.context();
        let edges = self.blocks.iter().flat_map(|&block| builder.body().predecessor_edges(block));
        let mut branches: Vec<OpId> = edges.map(|(op, _)| op).collect();
        branches.sort_unstable();
        branches.dedup();
        for branch in branches {
            let from = builder.body().parent_block(branch).expect("an operation that leads to a block is in one");
            let targets: Vec<BlockId> = builder.body().successors(branch).collect();
            let mut passed = Vec::with_capacity(targets.len());
            for target in &targets {
                let variables = self.of_block.get(target).map_or(&[][..], Vec::as_slice);
                passed.push(variables.iter().map(|&variable| value(builder, variable, from)).collect::<Vec<_>>());
            }
            builder.modify(branch, |body| {
                edit_forwarded_operands(context, body, branch, |index, forwarded| forwarded.append(&mut passed[index]));
            });
        }
        self.count
    }
}
