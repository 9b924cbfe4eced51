//! Erasure of symbols that nothing refers to.
//!
//! Problem: erase symbols that nobody outside can see and nothing that stays refers to, circles of such symbols
//! included.
//!
//! A symbol table is an operation with a table of names; a *symbol* is an operation in it that has a name. A private
//! symbol can be erased, and a nested one if its table is hidden itself. Everything else stays, with all that it
//! refers to: in properties and attributes however deep, in the types of values, in dialect attributes and types, and in
//! the text of attributes of unregistered dialects, where every `@name` counts for all tables.
//!
//! References are looked up in the nearest table, as MLIR does. Of `@a::@b` both parts stay.
//!
//! Complexity: linear in operations and references.

use rustc_hash::FxHashMap;

use crate::attributes::SymbolRef;
use crate::body::{Body, OpId};
use crate::context::Context;
use crate::identifier::Identifier;
use crate::operation::{OpRef, OperationTraits};
use crate::pass::{Pass, PassOutcome, PassResult, PassTarget};
use crate::symbols::References;

/// The pass `symbol-dce`; see the module.
#[derive(Clone, Copy, Default, Debug)]
pub struct SymbolDce;

impl Pass for SymbolDce {
    fn name(&self) -> &'static str {
        "symbol-dce"
    }

    fn description(&self) -> &'static str {
        "Erases private symbols that nothing refers to"
    }

    fn clone_pass(&self) -> Box<dyn Pass> {
        Box::new(*self)
    }

    fn run(&self, target: &mut PassTarget<'_>) -> PassResult {
        if !target.op().has_trait(OperationTraits::SYMBOL_TABLE) {
            return Ok(PassOutcome::Unchanged);
        }
        let erased = self.run_on(target.context(), target.body_mut());
        target.statistic("symbols erased", erased as u64);
        Ok(PassOutcome::changed_if(erased > 0))
    }
}

impl SymbolDce {
    /// Erases what is not needed in a symbol table and in the tables nested in it; returns how many symbols.
    pub fn run_on(&self, context: &Context, table: &mut Body) -> usize {
        let mut collection = Collection::of(context, table);
        collection.mark();
        collection.erase(table)
    }
}

type BodyIndex = usize;
type UnitIndex = usize;

/// A symbol, or the outermost table: what stays or goes as one.
#[derive(Default)]
struct Unit {
    /// The body that holds it, with its operation there; none for the outermost table.
    place: Option<(BodyIndex, OpId)>,
    /// Whether it goes if nothing refers to it.
    discardable: bool,
    /// What it refers to, with the table to look in. What symbols in it refer to is theirs.
    references: Vec<(BodyIndex, SymbolRef)>,
    /// Names in texts that nobody has parsed.
    names: Vec<Identifier>,
    /// Symbols in tables that it holds, but not those in symbols in these.
    members: Vec<UnitIndex>,
    needed: bool,
}

/// A body of the outermost table or nested in it.
#[derive(Default)]
struct Scope {
    /// The unit that it is a part of.
    unit: UnitIndex,
    /// Its symbols by name; empty if it is no table.
    symbols: FxHashMap<Identifier, UnitIndex>,
    inner: FxHashMap<OpId, BodyIndex>,
}

/// All symbols of a table and of those nested in it.
#[derive(Default)]
struct Collection {
    units: Vec<Unit>,
    scopes: Vec<Scope>,
    by_name: FxHashMap<Identifier, Vec<UnitIndex>>,
}

/// A body to look through.
struct Visit<'a> {
    body: &'a Body,
    index: BodyIndex,
    /// The nearest table around it.
    table: BodyIndex,
    /// Whether names in it are invisible from outside.
    hidden: bool,
}

impl Collection {
    fn of(context: &Context, outermost: &Body) -> Self {
        let mut collection = Self::default();
        collection.units.push(Unit::default());
        collection.scopes.push(Scope::default());
        let root = OpRef::new(context, outermost, outermost.root());
        let hidden = root.property("sym_name").is_none() || visibility(root) == Some("private");
        let mut pending = vec![Visit { body: outermost, index: 0, table: 0, hidden }];
        while let Some(visit) = pending.pop() {
            collection.visit(context, visit, &mut pending);
        }
        collection
    }

    fn visit<'a>(&mut self, context: &Context, visit: Visit<'a>, pending: &mut Vec<Visit<'a>>) {
        let body = visit.body;
        let root = OpRef::new(context, body, body.root());
        let is_table = root.has_trait(OperationTraits::SYMBOL_TABLE);
        let table = if is_table { visit.index } else { visit.table };
        let own_unit = self.scopes[visit.index].unit;
        let mut references = References::new(context);
        references.add_op(root);
        // What an operation belongs to is what the operation around it does, unless it is a symbol of its own.
        let mut unit_of: FxHashMap<OpId, UnitIndex> = FxHashMap::default();
        for op in body.all_ops() {
            let view = root.at(op);
            let parent = body.parent_op(op);
            let symbol = if is_table && parent == Some(body.root()) { self.add_symbol(view, &visit) } else { None };
            let unit = symbol.or_else(|| unit_of.get(&parent?).copied());
            if let Some(unit) = unit.filter(|_| !body.regions(op).is_empty()) {
                unit_of.insert(op, unit);
            }
            if let Some(nested) = body.nested(op) {
                let index = self.scopes.len();
                self.scopes.push(Scope { unit: unit.unwrap_or(own_unit), ..Scope::default() });
                self.scopes[visit.index].inner.insert(op, index);
                let hidden = visit.hidden || symbol.is_none() || visibility(view) == Some("private");
                pending.push(Visit { body: nested, index, table, hidden });
            } else if let Some(unit) = unit {
                let mut own = References::new(context);
                own.add_op(view);
                self.refer(unit, table, own);
            } else {
                references.add_op(view);
            }
        }
        self.refer(own_unit, table, references);
    }

    fn refer(&mut self, unit: UnitIndex, table: BodyIndex, references: References<'_>) {
        let (symbols, names) = references.into_parts();
        self.units[unit].references.extend(symbols.into_iter().map(|symbol| (table, symbol)));
        self.units[unit].names.extend(names);
    }

    /// The operation as a symbol of the table that is visited, if it is one.
    fn add_symbol(&mut self, op: OpRef<'_>, visit: &Visit<'_>) -> Option<UnitIndex> {
        if !op.has_trait(OperationTraits::SYMBOL) {
            return None;
        }
        let name = op.property("sym_name")?.string_value(op.context)?;
        let name = op.context.identifier(name);
        let discardable = match visibility(op) {
            Some("private") => true,
            Some("nested") => visit.hidden,
            _ => false,
        };
        // Nothing of the table may stay with an operand that is gone.
        let discardable = discardable && op.results().all(|result| op.body.is_unused(result));
        let unit = self.units.len();
        self.units.push(Unit { place: Some((visit.index, op.id)), discardable, ..Unit::default() });
        self.scopes[visit.index].symbols.insert(name, unit);
        let holder = self.scopes[visit.index].unit;
        self.units[holder].members.push(unit);
        self.by_name.entry(name).or_default().push(unit);
        Some(unit)
    }

    /// Marks what is needed, from the outermost table on.
    fn mark(&mut self) {
        let mut pending = vec![0];
        while let Some(unit) = pending.pop() {
            if std::mem::replace(&mut self.units[unit].needed, true) {
                continue;
            }
            let current = &self.units[unit];
            pending.extend(current.members.iter().copied().filter(|&member| !self.units[member].discardable));
            for (table, symbol) in &current.references {
                self.resolve(*table, symbol, &mut pending);
            }
            for name in &current.names {
                pending.extend(self.by_name.get(name).into_iter().flatten());
            }
            // A symbol that stays keeps those around it.
            pending.extend(current.place.map(|(body, _)| self.scopes[body].unit));
        }
    }

    /// Adds the symbols that a reference goes through.
    fn resolve(&self, table: BodyIndex, symbol: &SymbolRef, found: &mut Vec<UnitIndex>) {
        let mut table = Some(table);
        for name in std::iter::once(&symbol.root).chain(&symbol.nested) {
            let Some(&unit) = table.and_then(|table| self.scopes[table].symbols.get(name)) else { return };
            found.push(unit);
            table = self.units[unit].place.and_then(|(body, op)| self.scopes[body].inner.get(&op).copied());
        }
    }

    /// Erases what is not needed, and returns how many symbols that are.
    fn erase(&self, outermost: &mut Body) -> usize {
        let mut dead: Vec<Vec<OpId>> = vec![Vec::new(); self.scopes.len()];
        let mut count = 0;
        for (body, op) in self.units.iter().filter(|unit| !unit.needed).filter_map(|unit| unit.place) {
            dead[body].push(op);
            count += 1;
        }
        let mut pending = vec![(outermost, 0)];
        while let Some((body, index)) = pending.pop() {
            for &op in &dead[index] {
                body.erase_op(op);
            }
            let inner = &self.scopes[index].inner;
            pending.extend(body.nested_bodies_mut().filter_map(|(op, body)| Some((body, *inner.get(&op)?))));
        }
        count
    }
}

fn visibility<'c>(op: OpRef<'c>) -> Option<&'c str> {
    op.property("sym_visibility")?.string_value(op.context)
}
