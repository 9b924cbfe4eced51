//! SSA form for variables with several definitions.
//!
//! Problem: a variable has values from different places, and each use is to get the value of the definition that
//! reaches it. Where several reach a block, the block gets an argument and the edges to it pass a value.
//!
//! * [`JoinFinder`] says which blocks need an argument: the iterated dominance frontier of the definitions, but only
//!   where the variable is live.
//! * [`JoinArguments`] adds them, for many variables at once, and makes the edges pass what they need.
//! * [`Reaching`] says which value reaches the start or end of a block.
//! * [`reconstruct_ssa`] does all of it for definitions that are values: what a transformation needs that has
//!   computed a value again in other places.
//!
//! Any graph will do, irreducible ones too. The region is the unit: definitions are directly in its blocks, uses in
//! them or nested deeper.
//!
//! Complexity: linear in the blocks and edges where each variable is live, summed over the variables, apart from the
//! dominator tree. An edge's operation is changed once for all variables.
//!
//! Sources: R. Cytron et al., "Efficiently Computing Static Single Assignment Form and the Control Dependence Graph"
//! (1991); V. Sreedhar, G. Gao, "A Linear Time Algorithm for Placing Phi-Nodes" (1995); both pruned by liveness.

mod arguments;
mod joins;
mod reaching;

use std::fmt;

use crate::analysis::{ControlFlowGraph, RegionTree, ancestor_in_block, ancestor_in_region};
use crate::body::{BlockId, Body, OpId, RegionId, UseId, ValueDefinition, ValueId};
use crate::builder::Builder;
use crate::context::Context;
use crate::types::Type;

pub use arguments::{JoinArguments, check_joins};
pub use joins::JoinFinder;
pub use reaching::{Definition, Reaching};

/// A variable that some values define, and the uses that are to get the right one.
#[derive(Clone, Debug)]
pub struct SsaVariable {
    /// Values of one type, at least one. Each defines the variable where it is defined itself: from the start of its
    /// block if it is a block argument, after its operation if it is a result.
    pub definitions: Vec<ValueId>,
    /// Operands to point at what reaches them, whatever they name now.
    pub uses: Vec<UseId>,
}

/// A block needs an argument and cannot have one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SsaError {
    /// The block is the entry of its region.
    EntryBlock(BlockId),
    /// This operation leads to the block and does not say what it passes.
    UnknownEdge(BlockId, OpId),
}

impl fmt::Display for SsaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::EntryBlock(_) => "values meet at the entry block of a region",
            Self::UnknownEdge(..) => "values meet where an operation does not say what it passes to its successor",
        })
    }
}

impl std::error::Error for SsaError {}

/// Points the uses of variables at the definitions that reach them, adding block arguments where several do; returns
/// how many arguments.
///
/// `undefined` makes the value of a variable, given by its index, where no definition reaches. It is called once at
/// most for each variable, with the builder at the start of the region's entry block.
///
/// # Errors
/// If a block needs an argument that it cannot have. Nothing has changed then.
///
/// # Panics
/// If a definition is not directly in a block of the region, or a use is not in it.
pub fn reconstruct_ssa(
    context: &Context,
    body: &mut Body,
    region: RegionId,
    variables: &[SsaVariable],
    undefined: &mut dyn FnMut(&mut Builder<'_>, usize) -> ValueId,
) -> Result<usize, SsaError> {
    let tree = RegionTree::dominators(ControlFlowGraph::new(body, region));
    let mut finder = JoinFinder::new(&tree);
    let mut plans = Vec::with_capacity(variables.len());
    for variable in variables {
        let plan = Plan::new(body, region, variable, &mut finder);
        check_joins(context, body, &plan.joins)?;
        plans.push(plan);
    }
    let arguments = JoinArguments::add(body, plans.iter().map(|plan| (plan.ty, &*plan.joins)));
    let mut reaching: Vec<Reaching<'_>> = Vec::with_capacity(plans.len());
    for (index, plan) in plans.iter().enumerate() {
        let mut values = Reaching::new(&tree, arguments.of_variable(index));
        plan.ends.iter().for_each(|&(block, value)| values.set_end(block, Definition::Value(value)));
        reaching.push(values);
    }
    let mut fallback = Fallback { values: vec![None; variables.len()], entry: body.entry_block(region), undefined };
    let mut builder = Builder::new(context, body);
    for (index, (variable, plan)) in variables.iter().zip(&plans).enumerate() {
        for (&id, local) in variable.uses.iter().zip(&plan.local) {
            let value = match *local {
                Local::Value(value) => value,
                Local::Entry(block) => fallback.resolve(&mut builder, index, reaching[index].at_entry(block)),
            };
            builder.body_mut().set_use(id, value);
        }
    }
    Ok(arguments.connect(&mut builder, |builder, variable, block| {
        let definition = reaching[variable].at_end(block);
        fallback.resolve(builder, variable, definition)
    }))
}

/// Values for uses that nothing reaches.
struct Fallback<'f> {
    values: Vec<Option<ValueId>>,
    entry: Option<BlockId>,
    undefined: &'f mut dyn FnMut(&mut Builder<'_>, usize) -> ValueId,
}

impl Fallback<'_> {
    fn resolve(&mut self, builder: &mut Builder<'_>, variable: usize, definition: Definition) -> ValueId {
        match (definition, self.values[variable]) {
            (Definition::Value(value), _) | (Definition::Undefined, Some(value)) => value,
            (Definition::Undefined, None) => {
                builder.at_start(self.entry.expect("a region with a use has an entry block"));
                *self.values[variable].insert((self.undefined)(builder, variable))
            }
        }
    }
}

/// What a use gets, as far as its own block says.
enum Local {
    Value(ValueId),
    /// What reaches the start of this block.
    Entry(BlockId),
}

struct Plan {
    ty: Type,
    /// The last definition of each block that has one.
    ends: Vec<(BlockId, ValueId)>,
    /// For each use.
    local: Vec<Local>,
    joins: Vec<BlockId>,
}

impl Plan {
    fn new(body: &Body, region: RegionId, variable: &SsaVariable, finder: &mut JoinFinder<'_>) -> Self {
        let place = |value: ValueId| {
            let block = body.defining_block(value).filter(|&block| body.block_parent(block) == Some(region));
            block.expect("a definition is directly in a block of the region")
        };
        let mut definitions: Vec<(BlockId, ValueId)> =
            variable.definitions.iter().map(|&value| (place(value), value)).collect();
        definitions.sort_by(|&(a, x), &(b, y)| a.cmp(&b).then_with(|| in_block_order(body, x, y)));
        let in_block = |block: BlockId| {
            let start = definitions.partition_point(|&(of, _)| of < block);
            let end = definitions.partition_point(|&(of, _)| of <= block);
            &definitions[start..end]
        };
        let mut exposed = Vec::new();
        let local = |id: &UseId| {
            let user = body.use_owner(*id);
            let block = body.parent_block(user).and_then(|block| ancestor_in_region(body, block, region));
            let block = block.expect("a use is in the region");
            let anchor = ancestor_in_block(body, user, block).expect("what a block holds has an ancestor in it");
            let candidates = in_block(block);
            match candidates.partition_point(|&(_, value)| is_before(body, value, anchor)) {
                0 => {
                    exposed.push(block);
                    Local::Entry(block)
                }
                count => Local::Value(candidates[count - 1].1),
            }
        };
        let local: Vec<Local> = variable.uses.iter().map(local).collect();
        let mut ends: Vec<(BlockId, ValueId)> = Vec::new();
        for &(block, value) in &definitions {
            match ends.last_mut() {
                Some(last) if last.0 == block => last.1 = value,
                _ => ends.push((block, value)),
            }
        }
        let blocks: Vec<BlockId> = ends.iter().map(|&(block, _)| block).collect();
        let joins = finder.find(&blocks, &exposed);
        let ty = body.value_type(*variable.definitions.first().expect("a variable has a definition"));
        Self { ty, ends, local, joins }
    }
}

/// Whether a value that is defined in the block of `op` is defined before it.
fn is_before(body: &Body, value: ValueId, op: OpId) -> bool {
    match body.definition(value) {
        ValueDefinition::Argument { .. } => true,
        ValueDefinition::Result { op: definition, .. } => definition != op && body.is_before_in_block(definition, op),
    }
}

/// The order of two values defined in one block; of several arguments, or results of one operation, the last counts.
fn in_block_order(body: &Body, x: ValueId, y: ValueId) -> std::cmp::Ordering {
    match (body.definition(x), body.definition(y)) {
        (ValueDefinition::Result { op: a, .. }, ValueDefinition::Result { op: b, .. }) if a != b => {
            if body.is_before_in_block(a, b) { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater }
        }
        (ValueDefinition::Argument { .. }, ValueDefinition::Result { .. }) => std::cmp::Ordering::Less,
        (ValueDefinition::Result { .. }, ValueDefinition::Argument { .. }) => std::cmp::Ordering::Greater,
        _ => x.cmp(&y),
    }
}
