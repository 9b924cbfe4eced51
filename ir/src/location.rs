//! Locations: where an operation comes from.
//!
//! A [`Location`] is four bytes. A position in a source text, which nearly every parsed operation has, is stored as
//! that position and costs nothing more; other kinds are interned.

use crate::attributes::Attribute;
use crate::context::Context;
use crate::identifier::Identifier;
use crate::source::Span;

const INTERNED: u32 = 1 << 31;

/// A handle of a location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Location(u32);

/// What a location is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LocationKind {
    /// Nothing is known.
    Unknown,
    /// A byte of a source text of this context; see [`crate::source`].
    Source {
        /// Position in the space of all texts.
        position: u32,
    },
    /// `"file":line:column`, written in the text.
    FileLineColumn {
        /// File name.
        file: Identifier,
        /// 1-based line.
        line: u32,
        /// 1-based column.
        column: u32,
    },
    /// `"name"` or `"name"(child)`
    Name {
        /// The name.
        name: Identifier,
        /// Where the named thing is; unknown if not said.
        child: Location,
    },
    /// `callsite(callee at caller)`
    CallSite {
        /// Location inside the callee.
        callee: Location,
        /// Location of the call.
        caller: Location,
    },
    /// `fused<metadata>[a, b]`
    Fused {
        /// What the fusion was for.
        metadata: Option<Attribute>,
        /// Distinct locations, at least two, or one if there is metadata.
        locations: Box<[Location]>,
    },
}

impl Location {
    /// The unknown location.
    pub const UNKNOWN: Self = Self(0);

    /// A position in a source text of the context.
    pub fn source(position: u32) -> Self {
        debug_assert!(position < INTERNED - 1, "the source map keeps positions below 2^31 - 1");
        Self(position + 1)
    }

    /// `"file":line:column`
    pub fn file_line_column(context: &Context, file: &str, line: u32, column: u32) -> Self {
        let file = context.identifier(file);
        Self::interned(context, LocationKind::FileLineColumn { file, line, column })
    }

    /// `"name"(child)`
    pub fn name(context: &Context, name: &str, child: Location) -> Self {
        let name = context.identifier(name);
        Self::interned(context, LocationKind::Name { name, child })
    }

    /// `callsite(callee at caller)`
    pub fn call_site(context: &Context, callee: Location, caller: Location) -> Self {
        Self::interned(context, LocationKind::CallSite { callee, caller })
    }

    /// A fusion of locations, in MLIR's normal form: duplicates dropped, nothing left is unknown, one left without
    /// metadata is that one.
    pub fn fused(context: &Context, metadata: Option<Attribute>, locations: &[Location]) -> Self {
        let mut distinct: Vec<Location> = Vec::with_capacity(locations.len());
        let mut seen = rustc_hash::FxHashSet::default();
        for &location in locations {
            if seen.insert(location) {
                distinct.push(location);
            }
        }
        match (&*distinct, metadata) {
            ([], None) => Self::UNKNOWN,
            ([single], None) => *single,
            _ => Self::interned(context, LocationKind::Fused { metadata, locations: distinct.into() }),
        }
    }

    fn interned(context: &Context, kind: LocationKind) -> Self {
        Self(context.intern_location(kind) | INTERNED)
    }

    /// What this location is.
    pub fn kind(self, context: &Context) -> LocationKind {
        match self.0 {
            0 => LocationKind::Unknown,
            raw if raw & INTERNED == 0 => LocationKind::Source { position: raw - 1 },
            raw => context.location_kind(raw & !INTERNED).clone(),
        }
    }

    /// Position in the source texts of the context, looked for through names, call sites and fusions.
    pub fn position(self, context: &Context) -> Option<u32> {
        let mut pending = vec![self];
        while let Some(location) = pending.pop() {
            match location.kind(context) {
                LocationKind::Source { position } => return Some(position),
                LocationKind::Name { child, .. } => pending.push(child),
                LocationKind::CallSite { callee, caller } => pending.extend([caller, callee]),
                LocationKind::Fused { locations, .. } => pending.extend(locations.iter().rev()),
                LocationKind::Unknown | LocationKind::FileLineColumn { .. } => {}
            }
        }
        None
    }

    /// The source range that a message about this location marks: from its position to the end of the word or quoted
    /// name that stands there.
    pub fn span(self, context: &Context) -> Option<Span> {
        let start = self.position(context)?;
        let file = context.sources().file_at(start)?;
        let rest = &file.text().as_bytes()[(start - file.start()) as usize..];
        let length = match rest.first() {
            Some(b'"') => rest.iter().skip(1).position(|&byte| byte == b'"' || byte == b'\n').map_or(1, |at| at + 2),
            _ => rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len()).max(1),
        };
        Some(Span { start, end: start + length.min(rest.len()) as u32 })
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'%' | b'@' | b'#' | b'^')
}
