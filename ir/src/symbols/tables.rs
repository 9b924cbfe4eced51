//! All symbol tables of nested bodies.

use rustc_hash::FxHashMap;

use super::symbols_in;
use crate::attributes::SymbolRef;
use crate::body::{Body, OpId};
use crate::context::Context;
use crate::identifier::Identifier;
use crate::operation::{OpRef, OperationTraits};

/// A table of [`SymbolTables`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TableId(usize);

/// The symbol tables of a body and of all bodies nested in it, as they are at one moment.
///
/// Made in time linear in the regions and in the operations directly in tables; each look-up takes constant time for
/// each name, and goes up from the operation if its body holds tables of its own.
pub struct SymbolTables<'a> {
    context: &'a Context,
    bodies: Vec<BodyScope<'a>>,
    /// Position in `bodies` by address; a body does not move while it is borrowed.
    indices: FxHashMap<usize, usize>,
    tables: Vec<Table<'a>>,
    duplicates: Vec<DuplicateSymbol<'a>>,
}

struct BodyScope<'a> {
    body: &'a Body,
    /// The table around the body's root.
    outer: Option<TableId>,
    /// The operations of the body that are tables, its root among them.
    tables: FxHashMap<OpId, TableId>,
}

struct Table<'a> {
    body: &'a Body,
    symbols: FxHashMap<Identifier, OpId>,
    /// In order of the text.
    names: Vec<Identifier>,
}

/// Two symbols of one name in a table.
#[derive(Clone, Copy)]
pub struct DuplicateSymbol<'a> {
    /// The name.
    pub name: Identifier,
    /// The body that holds both.
    pub body: &'a Body,
    /// The second one.
    pub op: OpId,
    /// The first one.
    pub first: OpId,
}

/// What a reference refers to: the symbol as the body that holds it sees it, which for an isolated operation is its
/// anchor.
#[derive(Clone, Copy)]
pub struct ResolvedSymbol<'a> {
    /// The symbol.
    pub op: OpRef<'a>,
}

impl<'a> ResolvedSymbol<'a> {
    /// The operation to ask for interfaces: the root of the body that the symbol owns, or the symbol itself.
    pub fn definition(self) -> OpRef<'a> {
        match self.op.body.nested(self.op.id) {
            Some(nested) => OpRef::new(self.op.context, nested, nested.root()),
            None => self.op,
        }
    }
}

/// Why a reference refers to nothing.
#[derive(Clone, Copy)]
pub enum Unresolved<'a> {
    /// No table is around the operation, as far as the bodies go.
    NoTable,
    /// The table has no such name.
    NoSymbol {
        /// The name.
        name: Identifier,
        /// The table.
        table: TableId,
    },
    /// The reference goes on into a symbol that is no table.
    NotATable {
        /// The name that is looked for.
        name: Identifier,
        /// The symbol.
        at: OpRef<'a>,
    },
}

impl<'a> SymbolTables<'a> {
    /// Finds the tables of `outermost` and of all bodies nested in it.
    pub fn new(context: &'a Context, outermost: &'a Body) -> Self {
        let mut tables = Self {
            context,
            bodies: Vec::new(),
            indices: FxHashMap::default(),
            tables: Vec::new(),
            duplicates: Vec::new(),
        };
        let mut pending = vec![(outermost, None)];
        while let Some((body, outer)) = pending.pop() {
            let index = tables.add_body(body, outer);
            if body.has_nested() {
                for anchor in body.all_ops() {
                    if let Some(nested) = body.nested(anchor) {
                        pending.push((nested, tables.table_around(index, anchor)));
                    }
                }
            }
        }
        tables
    }

    fn add_body(&mut self, body: &'a Body, outer: Option<TableId>) -> usize {
        let index = self.bodies.len();
        self.indices.insert(address(body), index);
        let mut owners: Vec<OpId> = body.all_regions().into_iter().map(|region| body.region_parent(region)).collect();
        owners.dedup();
        owners.retain(|&op| {
            let is_table = body.operation_name(op).traits(self.context).contains(OperationTraits::SYMBOL_TABLE);
            is_table && body.is_attached(op)
        });
        let mut own = FxHashMap::default();
        for op in owners {
            own.insert(op, self.add_table(body, op));
        }
        self.bodies.push(BodyScope { body, outer, tables: own });
        index
    }

    fn add_table(&mut self, body: &'a Body, op: OpId) -> TableId {
        let mut table = Table { body, symbols: FxHashMap::default(), names: Vec::new() };
        for (name, symbol) in symbols_in(self.context, body, op) {
            match table.symbols.entry(name) {
                std::collections::hash_map::Entry::Vacant(entry) => {
                    entry.insert(symbol);
                    table.names.push(name);
                }
                std::collections::hash_map::Entry::Occupied(entry) => {
                    let first = *entry.get();
                    self.duplicates.push(DuplicateSymbol { name, body, op: symbol, first });
                }
            }
        }
        self.tables.push(table);
        TableId(self.tables.len() - 1)
    }

    /// Symbols whose name an earlier one in the same table has.
    pub fn duplicates(&self) -> &[DuplicateSymbol<'a>] {
        &self.duplicates
    }

    /// The names in a table, in order of the text.
    pub fn names(&self, table: TableId) -> impl Iterator<Item = Identifier> + '_ {
        self.tables[table.0].names.iter().copied()
    }

    /// The table nearest around an operation; the operation itself, if it is one.
    pub fn nearest_table(&self, op: OpRef<'_>) -> Option<TableId> {
        self.table_around(*self.indices.get(&address(op.body))?, op.id)
    }

    fn table_around(&self, index: usize, op: OpId) -> Option<TableId> {
        let scope = &self.bodies[index];
        if scope.tables.is_empty() {
            return scope.outer;
        }
        let mut around = std::iter::successors(Some(op), |&op| scope.body.parent_op(op));
        around.find_map(|op| scope.tables.get(&op).copied()).or(scope.outer)
    }

    /// The symbol of a name in a table.
    pub fn lookup(&self, table: TableId, name: Identifier) -> Option<ResolvedSymbol<'a>> {
        let table = &self.tables[table.0];
        let &op = table.symbols.get(&name)?;
        Some(ResolvedSymbol { op: OpRef::new(self.context, table.body, op) })
    }

    /// What a reference that `op` makes refers to.
    ///
    /// # Errors
    /// If it refers to nothing.
    pub fn resolve(&self, op: OpRef<'_>, symbol: &SymbolRef) -> Result<ResolvedSymbol<'a>, Unresolved<'a>> {
        let mut table = self.nearest_table(op).ok_or(Unresolved::NoTable)?;
        let lookup = |table, name| self.lookup(table, name).ok_or(Unresolved::NoSymbol { name, table });
        let mut found = lookup(table, symbol.root)?;
        for &name in &symbol.nested {
            table = self.table_of(found).ok_or(Unresolved::NotATable { name, at: found.op })?;
            found = lookup(table, name)?;
        }
        Ok(found)
    }

    /// The table that a symbol is, if it is one.
    fn table_of(&self, symbol: ResolvedSymbol<'_>) -> Option<TableId> {
        let definition = symbol.definition();
        let index = *self.indices.get(&address(definition.body))?;
        self.bodies[index].tables.get(&definition.id).copied()
    }
}

fn address(body: &Body) -> usize {
    std::ptr::from_ref(body) as usize
}
