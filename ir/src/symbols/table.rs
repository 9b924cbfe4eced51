//! One symbol table.

use rustc_hash::FxHashMap;

use super::{SYMBOL_NAME, symbols_in};
use crate::attributes::Attribute;
use crate::body::{Body, OpId};
use crate::context::Context;
use crate::identifier::Identifier;

/// The symbols of a table by name, kept up to date by its methods while symbols come and go.
pub struct SymbolTable {
    symbols: FxHashMap<Identifier, OpId>,
    /// How far the numbers behind a name have been tried.
    tried: FxHashMap<Identifier, u32>,
}

impl SymbolTable {
    /// The symbols directly in the regions of `table`. Of several with one name, which the verifier refuses, the first
    /// counts.
    pub fn new(context: &Context, body: &Body, table: OpId) -> Self {
        let mut symbols = FxHashMap::default();
        for (name, op) in symbols_in(context, body, table) {
            symbols.entry(name).or_insert(op);
        }
        Self { symbols, tried: FxHashMap::default() }
    }

    /// The symbol of a name: for an isolated operation, its anchor.
    pub fn lookup(&self, name: Identifier) -> Option<OpId> {
        self.symbols.get(&name).copied()
    }

    /// A name that no symbol has: `wanted`, or `wanted_0`, `wanted_1` and so on. Asked for many names that begin alike
    /// it takes constant time for each.
    pub fn unused_name(&mut self, context: &Context, wanted: &str) -> Identifier {
        let wanted = context.identifier(wanted);
        if !self.symbols.contains_key(&wanted) {
            return wanted;
        }
        let tried = self.tried.entry(wanted).or_default();
        loop {
            let name = context.identifier(&format!("{}_{tried}", wanted.as_str(context)));
            *tried += 1;
            if !self.symbols.contains_key(&name) {
                return name;
            }
        }
    }

    /// Takes a symbol into the table, which the caller has put, or will put, into the table's block. Gives it another
    /// name if its own is taken or it has none, and returns the name that it has then.
    pub fn insert(&mut self, context: &Context, body: &mut Body, op: OpId) -> Identifier {
        let own = body.properties(op).get(context, SYMBOL_NAME).and_then(|name| name.string_value(context));
        let name = self.unused_name(context, own.unwrap_or("symbol"));
        if own != Some(name.as_str(context)) {
            body.set_property(context, op, SYMBOL_NAME, Some(Attribute::string(context, name.as_str(context))));
        }
        self.symbols.insert(name, op);
        name
    }

    /// Forgets a name, whose symbol is about to be erased.
    pub fn remove(&mut self, name: Identifier) -> Option<OpId> {
        self.symbols.remove(&name)
    }
}
