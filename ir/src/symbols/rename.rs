//! Renaming a symbol with all that mentions it.
//!
//! All that will change is worked out before anything does. Linear in the operations in the table, and in the
//! attributes and types that differ.

use std::fmt;

use super::references::{names_in_text, unparsed_text};
use super::{SYMBOL_NAME, symbols_in};
use crate::attributes::{Attribute, AttributeKind, Dictionary, SymbolRef};
use crate::body::{Body, OpId, ValueId};
use crate::context::Context;
use crate::identifier::Identifier;
use crate::location::Location;
use crate::nested_attributes::{Nested, NestedReplacer};
use crate::operation::OperationTraits;
use crate::types::Type;

/// Why a symbol cannot be renamed. Nothing was changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RenameError {
    /// The table has no symbol of the old name.
    Unknown,
    /// The table has a symbol of the new name.
    Taken,
    /// An attribute or type that is kept as text mentions the old name. The operation at this location has it.
    InText(Location),
}

impl fmt::Display for RenameError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Unknown => "the symbol table has no such name",
            Self::Taken => "the symbol table has the new name already",
            Self::InText(_) => "an attribute or type of an unregistered dialect mentions the name in its text",
        })
    }
}

impl std::error::Error for RenameError {}

/// Renames a symbol of the table that is the root of `body`, and all references to it. Returns how many operations
/// changed, the symbol among them.
///
/// References count that are looked up in the table: those of the operations in it, but not of operations in tables
/// nested in it, whose references are looked up there. What mentions the symbol from outside of the table, as
/// `@table::@symbol`, is not seen.
///
/// # Errors
/// If the names do not allow it, or a reference stands where it cannot be changed.
pub fn rename_symbol(
    context: &Context,
    body: &mut Body,
    old: Identifier,
    new: Identifier,
) -> Result<usize, RenameError> {
    let names: Vec<(Identifier, OpId)> = symbols_in(context, body, body.root()).collect();
    let &(_, symbol) = names.iter().find(|&&(name, _)| name == old).ok_or(RenameError::Unknown)?;
    if names.iter().any(|&(name, _)| name == new) {
        return Err(RenameError::Taken);
    }
    let mut planner = Planner {
        context,
        old,
        replacer: NestedReplacer::new(context, |nested| renamed(context, nested, old, new)),
        mentions: rustc_hash::FxHashMap::default(),
    };
    let plan = planner.plan(body)?;
    let mut count = apply(body, plan);
    let name = Attribute::string(context, new.as_str(context));
    body.set_property(context, symbol, SYMBOL_NAME, Some(name));
    count += 1;
    Ok(count)
}

fn renamed(context: &Context, nested: Nested, old: Identifier, new: Identifier) -> Nested {
    if let Nested::Attribute(attribute) = nested
        && let AttributeKind::Symbol(symbol) = attribute.kind(context)
        && symbol.root == old
    {
        let symbol = SymbolRef { root: new, nested: symbol.nested.clone() };
        return context.intern_attribute(AttributeKind::Symbol(symbol)).into();
    }
    nested
}

/// What changes in a body, and in the bodies nested in it.
#[derive(Default)]
struct Plan {
    properties: Vec<(OpId, Dictionary)>,
    attributes: Vec<(OpId, Dictionary)>,
    types: Vec<(ValueId, Type)>,
    changed_ops: usize,
    nested: Vec<(OpId, Plan)>,
}

struct Planner<'c, F> {
    context: &'c Context,
    old: Identifier,
    replacer: NestedReplacer<'c, F>,
    /// Whether a text mentions the old name.
    mentions: rustc_hash::FxHashMap<Nested, bool>,
}

/// A body that is looked through, with the place of its plan in the plan of the body around it.
struct Open<'b> {
    body: &'b Body,
    anchor: Option<OpId>,
    plan: Plan,
    ops: std::vec::IntoIter<OpId>,
}

impl<F: FnMut(Nested) -> Nested> Planner<'_, F> {
    fn plan(&mut self, body: &Body) -> Result<Plan, RenameError> {
        let mut open = vec![self.open(body, None)?];
        loop {
            let current = open.last_mut().expect("the outermost body is open until all is done");
            if let Some(op) = current.ops.next() {
                let body = current.body;
                match body.nested(op) {
                    Some(nested) => open.push(self.open(nested, Some(op))?),
                    None => self.plan_op(body, op, &mut current.plan)?,
                }
                continue;
            }
            let done = open.pop().expect("it was there a moment ago");
            match (open.last_mut(), done.anchor) {
                (Some(outer), Some(anchor)) => outer.plan.nested.push((anchor, done.plan)),
                _ => return Ok(done.plan),
            }
        }
    }

    /// Starts with a body. What a table inside mentions is looked up there, so nothing of it is looked through.
    fn open<'b>(&mut self, body: &'b Body, anchor: Option<OpId>) -> Result<Open<'b>, RenameError> {
        let is_table = |op: OpId| body.operation_name(op).traits(self.context).contains(OperationTraits::SYMBOL_TABLE);
        let mut plan = Plan::default();
        if anchor.is_some() && is_table(body.root()) {
            return Ok(Open { body, anchor, plan, ops: Vec::new().into_iter() });
        }
        let mut hidden = vec![false; body.op_capacity()];
        let mut ops = body.all_ops();
        ops.retain(|&op| {
            let inside = body.parent_op(op).is_some_and(|parent| hidden[parent.index()]);
            hidden[op.index()] = inside || is_table(op) && body.nested(op).is_none();
            !hidden[op.index()]
        });
        self.plan_op(body, body.root(), &mut plan)?;
        Ok(Open { body, anchor, plan, ops: ops.into_iter() })
    }

    fn plan_op(&mut self, body: &Body, op: OpId, plan: &mut Plan) -> Result<(), RenameError> {
        let before = (plan.properties.len(), plan.attributes.len(), plan.types.len());
        for (own, planned) in [(body.properties(op), &mut plan.properties), (body.attributes(op), &mut plan.attributes)]
        {
            for &(_, value) in own.entries(self.context) {
                self.refuse_text(value.into(), body.location(op))?;
            }
            let replaced = self.replacer.dictionary(own);
            if replaced != own {
                planned.push((op, replaced));
            }
        }
        let blocks = body.regions(op).iter().flat_map(|&region| body.blocks(region));
        let arguments = blocks.flat_map(|block| body.arguments(block).iter().copied());
        for value in body.results(op).chain(arguments) {
            let ty = body.value_type(value);
            self.refuse_text(ty.into(), body.location(op))?;
            let replaced = self.replacer.ty(ty);
            if replaced != ty {
                plan.types.push((value, replaced));
            }
        }
        plan.changed_ops += usize::from(before != (plan.properties.len(), plan.attributes.len(), plan.types.len()));
        Ok(())
    }

    fn refuse_text(&mut self, nested: Nested, location: Location) -> Result<(), RenameError> {
        let (context, old) = (self.context, self.old.as_str(self.context));
        let mentions = *self.mentions.entry(nested).or_insert_with(|| {
            let mut found = false;
            crate::nested_attributes::for_each_nested(context, nested, |inner| {
                let text = unparsed_text(context, inner);
                found |= text.is_some_and(|text| names_in_text(text.as_str(context)).any(|name| name == old));
            });
            found
        });
        if mentions { Err(RenameError::InText(location)) } else { Ok(()) }
    }
}

fn apply(body: &mut Body, plan: Plan) -> usize {
    let mut count = 0;
    let mut pending = vec![(body, plan)];
    while let Some((body, plan)) = pending.pop() {
        count += plan.changed_ops;
        plan.properties.into_iter().for_each(|(op, properties)| body.set_properties(op, properties));
        plan.attributes.into_iter().for_each(|(op, attributes)| body.set_attributes(op, attributes));
        plan.types.into_iter().for_each(|(value, ty)| body.set_value_type(value, ty));
        let mut nested: rustc_hash::FxHashMap<OpId, Plan> = plan.nested.into_iter().collect();
        if !nested.is_empty() {
            pending.extend(body.nested_bodies_mut().filter_map(|(anchor, body)| Some((body, nested.remove(&anchor)?))));
        }
    }
    count
}
