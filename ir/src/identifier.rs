//! Interned strings.

use crate::context::Context;

/// An interned string: a property key, a keyword, a name.
///
/// Two identifiers of one context are equal exactly when their texts are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Identifier(pub(crate) u32);

impl Identifier {
    /// The text.
    pub fn as_str(self, context: &Context) -> &str {
        context.identifier_text(self)
    }
}
