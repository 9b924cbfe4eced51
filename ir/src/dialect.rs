//! Dialects and their registration.

use rustc_hash::FxHashMap;

use crate::attributes::{Attribute, AttributeDeclaration};
use crate::body::{BlockId, OpId, ValueId};
use crate::builder::Builder;
use crate::diagnostic::Diagnostics;
use crate::operation::{InterfaceModel, OpRef, OperationDeclaration};
use crate::types::{Type, TypeDeclaration};

/// A group of operations, types and attributes under one namespace.
pub trait Dialect: Send + Sync {
    /// The namespace: what stands before the first dot of a name.
    fn namespace(&self) -> &'static str;

    /// Documentation in Markdown.
    fn documentation(&self) -> &'static str;

    /// The operations, in the order of the reference page.
    fn operations(&self) -> &'static [&'static OperationDeclaration];

    /// The types, in the order of the reference page.
    fn types(&self) -> &'static [&'static TypeDeclaration] {
        &[]
    }

    /// The attributes, in the order of the reference page.
    fn attributes(&self) -> &'static [&'static AttributeDeclaration] {
        &[]
    }

    /// Makes an operation of this dialect whose only result is the constant `value` of type `ty`, or nothing if this
    /// dialect has none for it.
    fn materialize_constant(&self, _builder: &mut Builder<'_>, _value: Attribute, _ty: Type) -> Option<OpId> {
        None
    }

    /// Makes a terminator of this dialect that does nothing but go to `destination` with these values for its
    /// arguments, or nothing if this dialect has none. Generic passes ask the dialect of the terminator that they
    /// replace.
    fn materialize_branch(
        &self,
        _builder: &mut Builder<'_>,
        _destination: BlockId,
        _arguments: &[ValueId],
    ) -> Option<OpId> {
        None
    }

    /// Checks a discardable attribute of this dialect's namespace on any operation.
    fn verify_attribute(&self, _op: OpRef<'_>, _key: &str, _value: Attribute, _diagnostics: &mut Diagnostics) {}
}

/// An interface model, perhaps attached to an operation by somebody else than its dialect.
type Attachment = &'static dyn InterfaceModel;

/// The dialects that a [`Context`](crate::Context) is to know.
#[derive(Default)]
pub struct DialectRegistry {
    dialects: Vec<&'static dyn Dialect>,
    operations: FxHashMap<&'static str, &'static OperationDeclaration>,
    types: FxHashMap<&'static str, &'static TypeDeclaration>,
    attributes: FxHashMap<&'static str, &'static AttributeDeclaration>,
    attachments: FxHashMap<&'static str, Vec<Attachment>>,
}

impl DialectRegistry {
    /// A registry of the builtin dialect alone.
    pub fn new() -> Self {
        let mut registry = Self::default();
        registry.register(&crate::builtin::BuiltinDialect);
        registry
    }

    /// Adds a dialect. Adding it again changes nothing.
    ///
    /// # Panics
    /// If another dialect has the same namespace, or a declared name is not in it: both are mistakes in a program,
    /// not in its input.
    pub fn register(&mut self, dialect: &'static dyn Dialect) -> &mut Self {
        let namespace = dialect.namespace();
        if let Some(known) = self.dialect(namespace) {
            assert!(
                std::ptr::addr_eq(known, dialect) || known.operations().len() == dialect.operations().len(),
                "two different dialects are called '{namespace}'"
            );
            return self;
        }
        let check = |name: &str| {
            let inside = name.strip_prefix(namespace).is_some_and(|rest| rest.starts_with('.'));
            assert!(inside, "'{name}' is declared by the dialect '{namespace}' but is not in its namespace");
        };
        for declaration in dialect.operations() {
            check(declaration.name);
            self.operations.insert(declaration.name, declaration);
        }
        for declaration in dialect.types() {
            check(declaration.name);
            self.types.insert(declaration.name, declaration);
        }
        for declaration in dialect.attributes() {
            check(declaration.name);
            self.attributes.insert(declaration.name, declaration);
        }
        self.dialects.push(dialect);
        self
    }

    /// Attaches an interface model to an operation that another crate declares.
    pub fn attach(&mut self, operation: &'static str, model: Attachment) -> &mut Self {
        self.attachments.entry(operation).or_default().push(model);
        self
    }

    /// The dialects, in order of registration.
    pub fn dialects(&self) -> &[&'static dyn Dialect] {
        &self.dialects
    }

    /// The dialect of a namespace.
    pub fn dialect(&self, namespace: &str) -> Option<&'static dyn Dialect> {
        self.dialects.iter().copied().find(|dialect| dialect.namespace() == namespace)
    }

    /// The declaration of an operation by its full name.
    pub fn operation(&self, name: &str) -> Option<&'static OperationDeclaration> {
        self.operations.get(name).copied()
    }

    /// The declaration of a type by its full name, without the exclamation mark.
    pub fn type_declaration(&self, name: &str) -> Option<&'static TypeDeclaration> {
        self.types.get(name).copied()
    }

    /// The declaration of an attribute by its full name, without the number sign.
    pub fn attribute_declaration(&self, name: &str) -> Option<&'static AttributeDeclaration> {
        self.attributes.get(name).copied()
    }

    pub(crate) fn attachments(&self, operation: &str) -> &[Attachment] {
        self.attachments.get(operation).map_or(&[], Vec::as_slice)
    }
}
