//! Types and attributes themselves, with all that is in them, and discardable attributes.

use rustc_hash::{FxHashMap, FxHashSet};

use super::body::BodyVerifier;
use super::message::type_text;
use crate::attributes::{Attribute, AttributeKind, Dictionary};
use crate::body::{BlockId, OpId};
use crate::context::Context;
use crate::diagnostic::Diagnostics;
use crate::nested_attributes::{Nested, for_each_nested};
use crate::types::{Type, TypeKind};

/// Types and attributes that were looked at.
#[derive(Default)]
pub(super) struct ValidAttributes {
    /// By index: whether a type was found to hold, with all that is in it.
    types: Vec<bool>,
    invalid: FxHashMap<Nested, Invalid>,
    attributes: FxHashSet<Attribute>,
    dictionaries: FxHashSet<Dictionary>,
}

/// Why a type or attribute does not hold.
#[derive(Clone)]
struct Invalid {
    code: &'static str,
    why: String,
}

impl ValidAttributes {
    fn holds(&self, nested: Nested) -> bool {
        match nested {
            Nested::Type(ty) => self.types.get(ty.index() as usize).copied().unwrap_or(false),
            Nested::Attribute(attribute) => self.attributes.contains(&attribute),
        }
    }

    /// Why `nested` does not hold, if it does not.
    fn check(&mut self, context: &Context, nested: Nested) -> Option<Invalid> {
        if self.holds(nested) {
            return None;
        }
        if let Some(invalid) = self.invalid.get(&nested) {
            return Some(invalid.clone());
        }
        let mut found = None;
        for_each_nested(context, nested, |inner| {
            if found.is_none() {
                found = wrong(context, inner);
            }
        });
        match &found {
            Some(invalid) => drop(self.invalid.insert(nested, invalid.clone())),
            None => self.insert(nested),
        }
        found
    }

    fn insert(&mut self, nested: Nested) {
        match nested {
            Nested::Type(ty) => {
                let index = ty.index() as usize;
                self.types.resize(self.types.len().max(index + 1), false);
                self.types[index] = true;
            }
            Nested::Attribute(attribute) => drop(self.attributes.insert(attribute)),
        }
    }
}

/// What is wrong with a type or attribute itself, as far as it does not lie in what is nested in it.
fn wrong(context: &Context, nested: Nested) -> Option<Invalid> {
    match nested {
        Nested::Type(ty) => {
            let TypeKind::Dialect(object) = ty.kind(context) else { return None };
            let why = object.verify(context).err()?;
            Some(Invalid { code: "invalid-type", why: format!("the type {}: {why}", type_text(context, ty)) })
        }
        Nested::Attribute(attribute) => {
            let AttributeKind::Dialect(object) = attribute.kind(context) else { return None };
            let why = object.verify(context).err()?;
            let name = object.declaration().name;
            Some(Invalid { code: "invalid-attribute", why: format!("the attribute #{name}: {why}") })
        }
    }
}

impl BodyVerifier<'_, '_> {
    /// Checks the types of an operation's results, and its properties and attributes.
    pub(super) fn check_attributes(&mut self, op: OpId) {
        let body = self.body;
        for value in body.results(op) {
            self.check_type(op, body.value_type(value));
        }
        self.check_dictionary(op, body.properties(op));
        let attributes = body.attributes(op);
        if !attributes.is_empty() {
            self.check_dictionary(op, attributes);
            self.check_discardable(op, attributes);
        }
    }

    /// Checks the types of the arguments of a block of `holder`.
    pub(super) fn check_argument_types(&mut self, holder: OpId, block: BlockId) {
        let body = self.body;
        for &argument in body.arguments(block) {
            self.check_type(holder, body.value_type(argument));
        }
    }

    fn check_type(&mut self, op: OpId, ty: Type) {
        if !self.session.attributes.holds(Nested::Type(ty)) {
            self.check_nested(op, Nested::Type(ty), "");
        }
    }

    fn check_dictionary(&mut self, op: OpId, dictionary: Dictionary) {
        if dictionary.is_empty() || self.session.attributes.dictionaries.contains(&dictionary) {
            return;
        }
        let mut holds = true;
        for &(key, value) in dictionary.entries(self.context) {
            let key = key.as_str(self.context);
            holds &= self.check_nested(op, Nested::Attribute(value), &format!(", in '{key}'"));
        }
        if holds {
            self.session.attributes.dictionaries.insert(dictionary);
        }
    }

    fn check_nested(&mut self, op: OpId, nested: Nested, place: &str) -> bool {
        let Some(invalid) = self.session.attributes.check(self.context, nested) else { return true };
        let error = self.error(invalid.code, op, &format!("has something that is not valid{place}: {}", invalid.why));
        self.faults.report_broken(op, error);
        false
    }

    /// Asks the dialects of discardable attributes what they think of them.
    fn check_discardable(&mut self, op: OpId, attributes: Dictionary) {
        for &(key, value) in attributes.entries(self.context) {
            let key = key.as_str(self.context);
            let dialect = key.split_once('.').and_then(|(namespace, _)| self.context.dialect(namespace));
            let Some(dialect) = dialect else { continue };
            let mut diagnostics = Diagnostics::new();
            dialect.verify_attribute(self.view(op), key, value, &mut diagnostics);
            for diagnostic in diagnostics.into_vec() {
                self.faults.report(op, diagnostic);
            }
        }
    }
}
