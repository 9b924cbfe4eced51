//! Dictionaries: interned lists of named attributes.

use super::Attribute;
use crate::context::Context;
use crate::identifier::Identifier;

/// A handle of an interned dictionary: attributes under distinct keys, in the raw byte order of the keys.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dictionary(pub(crate) u32);

impl Dictionary {
    /// The dictionary with no entries.
    pub const EMPTY: Self = Self(0);

    /// A dictionary of `entries` in any order. Of equal keys the last one counts.
    pub fn new(context: &Context, entries: &[(Identifier, Attribute)]) -> Self {
        if entries.is_empty() {
            return Self::EMPTY;
        }
        let mut sorted = entries.to_vec();
        sorted.reverse();
        sorted.sort_by(|a, b| a.0.as_str(context).cmp(b.0.as_str(context)));
        sorted.dedup_by(|later, first| later.0 == first.0);
        context.intern_dictionary(&sorted)
    }

    /// The entries in order.
    pub fn entries(self, context: &Context) -> &[(Identifier, Attribute)] {
        context.dictionary_entries(self)
    }

    /// Whether there are no entries.
    pub fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// The attribute under `key`.
    pub fn get(self, context: &Context, key: &str) -> Option<Attribute> {
        if self.is_empty() {
            return None;
        }
        let entries = self.entries(context);
        // Dictionaries are short: comparing texts in turn beats a lookup of the key in the interning table.
        entries.iter().find(|(name, _)| name.as_str(context) == key).map(|&(_, value)| value)
    }

    /// This dictionary with `key` set to `value`, or removed if that is `None`.
    pub fn with(self, context: &Context, key: &str, value: Option<Attribute>) -> Self {
        let mut entries: Vec<_> =
            self.entries(context).iter().copied().filter(|(name, _)| name.as_str(context) != key).collect();
        if let Some(value) = value {
            entries.push((context.identifier(key), value));
        }
        Self::new(context, &entries)
    }
}
