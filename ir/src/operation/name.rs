//! Operation names.

use std::any::Any;

use super::{OperationDeclaration, OperationTraits};
use crate::context::Context;

/// A handle of an operation's name in a [`Context`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OperationName(pub(crate) u32);

impl OperationName {
    /// The full name, `dialect.operation`.
    pub fn as_str(self, context: &Context) -> &str {
        context.operation_name_text(self)
    }

    /// The namespace: what stands before the first dot; empty if there is none.
    pub fn dialect(self, context: &Context) -> &str {
        self.as_str(context).split_once('.').map_or("", |(namespace, _)| namespace)
    }

    /// What a registered dialect declares about this operation.
    pub fn declaration(self, context: &Context) -> Option<&'static OperationDeclaration> {
        context.operation_declaration(self)
    }

    /// Whether a registered dialect declares this operation.
    pub fn is_registered(self, context: &Context) -> bool {
        self.declaration(context).is_some()
    }

    /// The declared traits; none for an unregistered operation.
    pub fn traits(self, context: &Context) -> OperationTraits {
        self.declaration(context).map_or(OperationTraits::empty(), |declaration| declaration.traits)
    }

    /// The operation's model of an interface, if it has the interface.
    pub fn interface<M: Any>(self, context: &Context) -> Option<&'static M> {
        let declaration = self.declaration(context)?;
        let attached = context.registry().attachments(declaration.name);
        declaration.interfaces.iter().chain(attached).find_map(|&model| (model as &dyn Any).downcast_ref())
    }
}
