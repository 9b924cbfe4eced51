//! One constant for each value: where folding puts constants, and finds them again.
//!
//! Constants live at the front of the entry block of their *scope*: the outermost region of the body around the
//! place where they are needed, up to an operation that [keeps its constants](ConstantScopeModel). There each value
//! of each type exists once for each dialect. The front of the block is kept free of other operations, so a constant
//! dominates everything in its scope.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::attributes::Attribute;
use crate::body::{BlockId, Body, OpId, ValueId};
use crate::builder::{Builder, InsertionPoint};
use crate::context::Context;
use crate::dialect::Dialect;
use crate::interfaces::ConstantScopeModel;
use crate::location::Location;
use crate::operation::{OpRef, OperationTraits};
use crate::types::Type;

/// What was done about an existing constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Adoption {
    /// It is where it should be, and the only one of its kind.
    Kept,
    /// It was moved to the front of its scope.
    Moved,
    /// It was replaced by the same constant and erased.
    Replaced,
}

/// The place where constants for an operation are put.
#[derive(Clone, Copy)]
struct Scope {
    block: BlockId,
    /// The operation itself, or what holds it directly in the scope's region.
    ancestor: OpId,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    block: BlockId,
    dialect: &'static str,
    value: Attribute,
    ty: Type,
}

/// The constants of one body; see the module.
///
/// Operations may be erased without telling the table: it looks before it uses one.
#[derive(Default)]
pub struct ConstantTable {
    known: FxHashMap<Key, OpId>,
    /// The constants at the front of each scope's block, in their order there.
    front: FxHashMap<BlockId, Vec<OpId>>,
    members: FxHashSet<OpId>,
}

impl ConstantTable {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The constant `value` of type `ty` for uses at and after `user`, made by `dialect` if it is not there; nothing
    /// if the dialect cannot make it. The builder's insertion point and location stay.
    pub fn get(
        &mut self,
        builder: &mut Builder<'_>,
        user: OpId,
        dialect: &'static dyn Dialect,
        value: Attribute,
        ty: Type,
    ) -> Option<ValueId> {
        let scope = self.scope_of(builder, user)?;
        let key = Key { block: scope.block, dialect: dialect.namespace(), value, ty };
        if let Some(op) = self.living(builder.body(), key) {
            return Some(builder.body().result(op, 0));
        }
        let (point, location) = (builder.insertion_point(), builder.location());
        let here = builder.body().location(user);
        self.go_to_front(builder, scope.block, here);
        let made = dialect.materialize_constant(builder, value, ty);
        builder.set_insertion_point(point);
        builder.set_location(location);
        let op = made?;
        let view = builder.op(op);
        let sound = view.has_trait(OperationTraits::CONSTANT_LIKE)
            && view.property("value") == Some(value)
            && view.results().map(|result| view.type_of(result)).eq([ty])
            && view.block() == Some(scope.block);
        if !sound {
            builder.erase_op(op);
            return None;
        }
        self.remember(key, op);
        Some(builder.body().result(op, 0))
    }

    /// Moves an existing constant to the front of its scope, or replaces it by one that is there already.
    pub fn adopt(&mut self, builder: &mut Builder<'_>, op: OpId) -> Adoption {
        let view = builder.op(op);
        let (Some(value), 1, Some(dialect)) =
            (view.property("value"), view.result_count(), view.context.dialect(view.name().dialect(view.context)))
        else {
            return Adoption::Kept;
        };
        let (ty, location) = (view.result_type(0), view.location());
        let Some(scope) = self.scope_of(builder, op) else {
            return Adoption::Kept;
        };
        let key = Key { block: scope.block, dialect: dialect.namespace(), value, ty };
        let body = builder.body();
        if let Some(known) = self.living(body, key) {
            if known == op
                || body.operation_name(known) != body.operation_name(op)
                || body.properties(known) != body.properties(op)
            {
                return Adoption::Kept;
            }
            let replacement = body.result(known, 0);
            builder.replace_op(op, &[replacement]);
            return Adoption::Replaced;
        }
        let last = self.last_in_front(body, scope.block);
        let in_place = body.parent_block(op) == Some(scope.block) && body.previous_op(op) == last;
        if !in_place {
            let point = builder.insertion_point();
            self.go_to_front(builder, scope.block, location);
            match builder.insertion_point() {
                InsertionPoint::Before(anchor) if anchor == op => {}
                InsertionPoint::Before(anchor) => builder.move_op_before(op, anchor),
                _ => builder.move_op_to_end(op, scope.block),
            }
            builder.set_insertion_point(point);
        }
        self.remember(key, op);
        if in_place { Adoption::Kept } else { Adoption::Moved }
    }

    fn remember(&mut self, key: Key, op: OpId) {
        self.known.insert(key, op);
        self.front.entry(key.block).or_default().push(op);
        self.members.insert(op);
    }

    fn living(&self, body: &Body, key: Key) -> Option<OpId> {
        self.known.get(&key).copied().filter(|&op| is_in(body, op, key.block))
    }

    /// The last of the constants at the front of a block.
    fn last_in_front(&mut self, body: &Body, block: BlockId) -> Option<OpId> {
        let front = self.front.get_mut(&block)?;
        while front.last().is_some_and(|&op| !is_in(body, op, block)) {
            front.pop();
        }
        front.last().copied()
    }

    /// Puts the builder behind the constants at the front of a block.
    fn go_to_front(&mut self, builder: &mut Builder<'_>, block: BlockId, location: Location) {
        match self.last_in_front(builder.body(), block) {
            Some(last) => builder.after(last),
            None => builder.at_start(block),
        };
        builder.set_location(location);
    }

    /// The scope of an operation. Also restores the rule that nothing but constants stands at the front, if the
    /// operation was put there.
    fn scope_of(&self, builder: &mut Builder<'_>, op: OpId) -> Option<Scope> {
        let scope = find_scope(builder.context(), builder.body(), op)?;
        if builder.body().parent_block(scope.ancestor) == Some(scope.block) && !self.members.contains(&scope.ancestor) {
            while let Some(next) = builder.body().next_op(scope.ancestor).filter(|next| self.members.contains(next)) {
                builder.move_op_before(next, scope.ancestor);
            }
        }
        Some(scope)
    }
}

fn is_in(body: &Body, op: OpId, block: BlockId) -> bool {
    !body.is_erased(op) && body.parent_block(op) == Some(block)
}

/// Walks outwards, in time linear in the nesting depth.
fn find_scope(context: &Context, body: &Body, op: OpId) -> Option<Scope> {
    let mut ancestor = op;
    loop {
        let region = body.block_parent(body.parent_block(ancestor)?)?;
        let parent = body.region_parent(region);
        let keeps = || {
            let model = OpRef::new(context, body, parent).interface::<ConstantScopeModel>()?;
            let index = body.regions(parent).iter().position(|&other| other == region)?;
            Some((model.keeps_constants)(OpRef::new(context, body, parent), index))
        };
        if parent == body.root() || keeps().unwrap_or(false) {
            return Some(Scope { block: body.entry_block(region)?, ancestor });
        }
        ancestor = parent;
    }
}
