//! Names of values, and the bodies that are being read.

use rustc_hash::FxHashMap;

use super::custom::UnresolvedOperand;
use super::{ParseFailure, ParseResult, Parser, similar};
use crate::attributes::Dictionary;
use crate::body::{BlockId, Body, OpId, OperationState, RegionId, ValueId};
use crate::diagnostic::Diagnostic;
use crate::location::Location;
use crate::operation::OperationName;
use crate::source::Span;
use crate::types::Type;

/// A body that is being read, with the names in it.
pub(super) struct BodyState<'c> {
    pub(super) body: Body,
    /// The block that operations are put into.
    pub(super) block: Option<BlockId>,
    names: FxHashMap<&'c str, Definition>,
    /// Names in order of definition, to forget those of a region at its end.
    defined: Vec<&'c str>,
    /// Uses of names before their definition.
    forward: FxHashMap<(&'c str, u32), Forward>,
    /// Blocks of the regions around the current place.
    pub(super) labels: Vec<FxHashMap<&'c str, Label>>,
}

/// What a name stands for.
#[derive(Clone, Copy)]
struct Definition {
    /// The first of `count` values in a row; nothing for the results of an operation that could not be read.
    first: Option<ValueId>,
    count: u32,
    position: u32,
}

/// A value used before its definition.
struct Forward {
    /// Stands for it until it is defined.
    placeholder: ValueId,
    first_use: Span,
}

/// A block by its label.
pub(super) struct Label {
    pub(super) block: BlockId,
    pub(super) defined: Option<Span>,
    pub(super) first_use: Span,
}

impl BodyState<'_> {
    fn new(body: Body) -> Self {
        Self {
            body,
            block: None,
            names: FxHashMap::default(),
            defined: Vec::new(),
            forward: FxHashMap::default(),
            labels: Vec::new(),
        }
    }
}

impl<'c> Parser<'c, '_> {
    pub(super) fn state(&self) -> &BodyState<'c> {
        self.bodies.last().expect("a parser always has the body of the whole text")
    }

    pub(super) fn state_mut(&mut self) -> &mut BodyState<'c> {
        self.bodies.last_mut().expect("a parser always has the body of the whole text")
    }

    pub(super) fn body(&self) -> &Body {
        &self.state().body
    }

    pub(super) fn body_mut(&mut self) -> &mut Body {
        &mut self.state_mut().body
    }

    /// Makes a new body the current one.
    pub(super) fn begin_body(&mut self, name: OperationName, location: Location) {
        self.bodies.push(BodyState::new(Body::new(name, location, 0)));
    }

    /// Ends the current body: all names must be defined by now.
    pub(super) fn finish_body(
        &mut self,
        parts: ParseResult<(Dictionary, Dictionary, Vec<RegionId>)>,
    ) -> ParseResult<Body> {
        let state = self.bodies.pop().expect("a body is finished after it was begun");
        let undefined = self.report_undefined(&state, parts.is_err());
        let (properties, attributes, regions) = parts?;
        undefined?;
        let mut body = state.body;
        let root = body.root();
        body.set_properties(root, properties);
        body.set_attributes(root, attributes);
        for region in regions {
            body.attach_region(root, region);
        }
        body.shrink_to_fit();
        Ok(body)
    }

    fn report_undefined(&mut self, state: &BodyState<'c>, failed: bool) -> ParseResult<()> {
        if state.forward.is_empty() {
            return Ok(());
        }
        if !failed {
            let mut undefined: Vec<_> = state.forward.iter().map(|(key, forward)| (forward.first_use, key.0)).collect();
            undefined.sort_by_key(|&(span, name)| (span.start, name));
            undefined.dedup_by_key(|&mut (_, name)| name);
            for (span, name) in undefined {
                let diagnostic =
                    Diagnostic::error("undefined-value", span, format!("the value '%{name}' is used but not defined"));
                let near = similar(name, state.names.keys().copied());
                self.report(match near {
                    Some(near) => diagnostic.help(format!("a value with a similar name is defined: '%{near}'")),
                    None => diagnostic,
                });
            }
        }
        Err(ParseFailure)
    }

    /// Remembers how many names are defined, to forget later ones with [`Self::end_names`].
    pub(super) fn names_mark(&self) -> usize {
        self.state().defined.len()
    }

    /// Forgets the names that were defined since the mark.
    pub(super) fn end_names(&mut self, mark: usize) {
        let state = self.state_mut();
        for name in state.defined.drain(mark..) {
            state.names.remove(name);
        }
    }

    /// Defines a name for `count` values in a row, `first` and those after it, or as poisoned.
    pub(super) fn define(&mut self, name: &'c str, first: Option<ValueId>, count: u32, span: Span) -> ParseResult<()> {
        let definition = Definition { first, count, position: span.start };
        let state = self.state_mut();
        if let Some(old) = state.names.get(name) {
            let old = Span { start: old.position, end: old.position + name.len() as u32 + 1 };
            let message = format!("the value '%{name}' is defined twice");
            self.report(
                Diagnostic::error("redefined-value", span, message)
                    .note(old, "it is defined here first")
                    .help("give one of them another name; names of enclosing regions count as well"),
            );
            return Err(ParseFailure);
        }
        state.names.insert(name, definition);
        state.defined.push(name);
        if !state.forward.is_empty() {
            return self.resolve_forward(name, first, count, span);
        }
        Ok(())
    }

    /// Whether a name is defined, perhaps as poisoned.
    pub(super) fn is_defined(&self, name: &str) -> bool {
        self.state().names.contains_key(name)
    }

    fn resolve_forward(&mut self, name: &'c str, first: Option<ValueId>, count: u32, span: Span) -> ParseResult<()> {
        let state = self.state_mut();
        let mut keys: Vec<u32> = state.forward.keys().filter(|key| key.0 == name).map(|key| key.1).collect();
        keys.sort_unstable();
        let mut result = Ok(());
        for index in keys {
            let forward = self.state_mut().forward.remove(&(name, index)).expect("the key was found a moment ago");
            let Some(first) = first else { continue };
            if index >= count {
                result = Err(self.result_number(forward.first_use, name, index, count, span));
                continue;
            }
            let value = nth(first, index);
            let (expected, found) = (self.body().value_type(forward.placeholder), self.body().value_type(value));
            if expected != found {
                result = Err(self.type_mismatch(forward.first_use, name, expected, found, span));
                continue;
            }
            let body = self.body_mut();
            body.replace_all_uses(forward.placeholder, value);
            if let Some(op) = body.defining_op(forward.placeholder) {
                body.erase_op(op);
            }
        }
        result
    }

    #[cold]
    fn result_number(&mut self, place: Span, name: &str, index: u32, count: u32, definition: Span) -> ParseFailure {
        let message =
            format!("'%{name}' has {count} value{}, so there is no '%{name}#{index}'", plural(count as usize));
        self.report(Diagnostic::error("result-number", place, message).note(definition, "it is defined here"))
    }

    #[cold]
    fn type_mismatch(&mut self, place: Span, name: &str, used: Type, defined: Type, definition: Span) -> ParseFailure {
        let used = super::super::type_to_string(self.context, used);
        let defined = super::super::type_to_string(self.context, defined);
        let message = format!("'%{name}' is used as '{used}', but its type is '{defined}'");
        self.report(Diagnostic::error("type-mismatch", place, message).note(definition, "it is defined here"))
    }

    /// The value that an operand names, if it is defined.
    pub(super) fn defined_value(&self, operand: &UnresolvedOperand<'c>) -> Option<ValueId> {
        let definition = self.state().names.get(operand.name)?;
        (operand.index < definition.count).then_some(nth(definition.first?, operand.index))
    }

    pub(super) fn resolve_value(&mut self, operand: &UnresolvedOperand<'c>, ty: Type) -> ParseResult<ValueId> {
        let state = self.bodies.last_mut().expect("a parser always has the body of the whole text");
        let Some(&definition) = state.names.get(operand.name) else {
            return self.forward_reference(operand, ty);
        };
        // A poisoned name: its error has been reported.
        let Some(first) = definition.first else { return Err(ParseFailure) };
        let position = definition.position;
        let place = Span { start: position, end: position + operand.name.len() as u32 + 1 };
        if operand.index >= definition.count {
            return Err(self.result_number(operand.span, operand.name, operand.index, definition.count, place));
        }
        let value = nth(first, operand.index);
        let found = state.body.value_type(value);
        if found != ty {
            return Err(self.type_mismatch(operand.span, operand.name, ty, found, place));
        }
        Ok(value)
    }

    fn forward_reference(&mut self, operand: &UnresolvedOperand<'c>, ty: Type) -> ParseResult<ValueId> {
        let key = (operand.name, operand.index);
        if let Some(forward) = self.state().forward.get(&key) {
            let (placeholder, first_use) = (forward.placeholder, forward.first_use);
            let known = self.body().value_type(placeholder);
            if known != ty {
                let (known, ty) = (self.type_text(known), self.type_text(ty));
                let message = format!("'%{}' is used as '{ty}' here and as '{known}' before", operand.name);
                let diagnostic = Diagnostic::error("type-mismatch", operand.span, message);
                return Err(self.report(diagnostic.note(first_use, "it is used here first")));
            }
            return Ok(placeholder);
        }
        let name = self.context.operation_name("builtin.forward_reference");
        let state =
            OperationState { results: [ty].into_iter().collect(), ..OperationState::new(name, Location::UNKNOWN) };
        let body = self.body_mut();
        let op: OpId = body.create_op(state);
        let placeholder = body.result(op, 0);
        self.state_mut().forward.insert(key, Forward { placeholder, first_use: operand.span });
        Ok(placeholder)
    }

    pub(super) fn type_text(&self, ty: Type) -> String {
        super::super::type_to_string(self.context, ty)
    }
}

fn nth(first: ValueId, index: u32) -> ValueId {
    ValueId::from_index(first.index() + index as usize)
}

pub(super) fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
