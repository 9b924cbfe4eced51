//! The context: everything that bodies share.
//!
//! A [`Context`] owns the interned types, attributes, dictionaries, locations, strings and operation names, the
//! source texts, and what the registered dialects declare. It is made once from a [`DialectRegistry`] and then only
//! grows; it is `Sync`, so that passes over different bodies may intern at the same time.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

use crate::attributes::{Attribute, AttributeKind, Dictionary};
use crate::dialect::{Dialect, DialectRegistry};
use crate::identifier::Identifier;
use crate::intern::{InternKey, Interner};
use crate::location::LocationKind;
use crate::operation::{OperationDeclaration, OperationName};
use crate::source::SourceMap;
use crate::types::{Type, TypeKind};

/// Shared, append-only storage; see the [module](self).
pub struct Context {
    strings: Interner<Box<str>>,
    types: Interner<TypeKind>,
    attributes: Interner<AttributeKind>,
    dictionaries: Interner<Box<[(Identifier, Attribute)]>>,
    locations: Interner<LocationKind>,
    operation_names: Interner<OperationNameEntry>,
    sources: SourceMap,
    registry: DialectRegistry,
}

struct OperationNameEntry {
    text: Box<str>,
    declaration: Option<&'static OperationDeclaration>,
}

impl Hash for OperationNameEntry {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl PartialEq for OperationNameEntry {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for OperationNameEntry {}

impl InternKey<str> for OperationNameEntry {
    fn matches(&self, key: &str) -> bool {
        &*self.text == key
    }
    fn key_hash(&self) -> u64 {
        FxBuildHasher.hash_one(&*self.text)
    }
}

macro_rules! interned_by_value {
    ($($kind:ty),*) => {$(
        impl InternKey<$kind> for $kind {
            fn matches(&self, key: &$kind) -> bool {
                self == key
            }
            fn key_hash(&self) -> u64 {
                FxBuildHasher.hash_one(self)
            }
        }
    )*};
}
interned_by_value!(TypeKind, AttributeKind, LocationKind);

impl Context {
    /// A context that knows the dialects of `registry`. The builtin dialect is always known.
    pub fn new(registry: DialectRegistry) -> Self {
        let context = Self {
            strings: Interner::new(),
            types: Interner::new(),
            attributes: Interner::new(),
            dictionaries: Interner::new(),
            locations: Interner::new(),
            operation_names: Interner::new(),
            sources: SourceMap::new(),
            registry,
        };
        let empty = context.intern_dictionary(&[]);
        debug_assert_eq!(empty, Dictionary::EMPTY, "the empty dictionary is the first one interned");
        context
    }

    /// The registered dialects.
    pub fn registry(&self) -> &DialectRegistry {
        &self.registry
    }

    /// The registered dialect of a namespace.
    pub fn dialect(&self, namespace: &str) -> Option<&'static dyn Dialect> {
        self.registry.dialect(namespace)
    }

    /// The source texts.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// The interned form of `text`.
    pub fn identifier(&self, text: &str) -> Identifier {
        Identifier(self.strings.intern(text, || text.into()))
    }

    pub(crate) fn identifier_text(&self, identifier: Identifier) -> &str {
        self.strings.get(identifier.0)
    }

    /// The interned form of an operation name, registered or not.
    pub fn operation_name(&self, text: &str) -> OperationName {
        OperationName(
            self.operation_names
                .intern(text, || OperationNameEntry { text: text.into(), declaration: self.registry.operation(text) }),
        )
    }

    pub(crate) fn operation_name_text(&self, name: OperationName) -> &str {
        &self.operation_names.get(name.0).text
    }

    pub(crate) fn operation_declaration(&self, name: OperationName) -> Option<&'static OperationDeclaration> {
        self.operation_names.get(name.0).declaration
    }

    /// The type of a kind.
    pub fn intern_type(&self, kind: TypeKind) -> Type {
        Type::from_index(self.types.intern(&kind, || kind.clone()))
    }

    pub(crate) fn type_kind(&self, ty: Type) -> &TypeKind {
        self.types.get(ty.index())
    }

    /// The attribute of a kind. Integers must be canonical; see [`AttributeKind::Integer`].
    pub fn intern_attribute(&self, kind: AttributeKind) -> Attribute {
        Attribute::from_index(self.attributes.intern(&kind, || kind.clone()))
    }

    pub(crate) fn attribute_kind(&self, attribute: Attribute) -> &AttributeKind {
        self.attributes.get(attribute.index())
    }

    pub(crate) fn intern_dictionary(&self, sorted: &[(Identifier, Attribute)]) -> Dictionary {
        Dictionary(self.dictionaries.intern(sorted, || sorted.into()))
    }

    pub(crate) fn dictionary_entries(&self, dictionary: Dictionary) -> &[(Identifier, Attribute)] {
        self.dictionaries.get(dictionary.0)
    }

    pub(crate) fn intern_location(&self, kind: LocationKind) -> u32 {
        self.locations.intern(&kind, || kind.clone())
    }

    pub(crate) fn location_kind(&self, handle: u32) -> &LocationKind {
        self.locations.get(handle)
    }
}
