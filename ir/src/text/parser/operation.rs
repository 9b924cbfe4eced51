//! Operations.

use smallvec::SmallVec;

use super::custom::UnresolvedOperand;
use super::types::InputsAndResults;
use super::values::plural;
use super::{ParseFailure, ParseResult, Parser, TokenKind};
use crate::attributes::{Attribute, Dictionary};
use crate::body::{BlockId, OpId, OperationState, RegionId, ValueId};
use crate::diagnostic::Diagnostic;
use crate::identifier::Identifier;
use crate::interfaces::SyntaxModel;
use crate::location::Location;
use crate::nearest::nearest;
use crate::operation::{OperationName, OperationTraits, with_defaults};
use crate::source::Span;
use crate::text::assembly;

/// A result name as written: `%a` or `%a:2`.
#[derive(Clone, Copy)]
pub(super) struct ResultName<'c> {
    name: &'c str,
    count: u32,
    span: Span,
}

/// Lists that are used again for each operation.
#[derive(Default)]
pub(super) struct Scratch<'c> {
    operands: Vec<UnresolvedOperand<'c>>,
}

impl<'c> Parser<'c, '_> {
    /// Reads an operation and puts it at the end of the current block. If that fails, its results are poisoned.
    pub(super) fn operation(&mut self) -> ParseResult<()> {
        let mut results = SmallVec::new();
        let outcome = self.result_names(&mut results).and_then(|()| self.operation_after_results(&results));
        if outcome.is_err() {
            for result in &results {
                self.define_poisoned(result.name, result.span);
            }
        }
        outcome
    }

    fn operation_after_results(&mut self, results: &[ResultName<'c>]) -> ParseResult<()> {
        let op = match self.token.kind {
            TokenKind::String => self.generic_operation()?,
            TokenKind::BareIdentifier => self.custom_operation()?,
            _ => return Err(self.no_operation()),
        };
        let state = self.state_mut();
        let block = state.block.expect("an operation is read inside of a block");
        state.body.append_op(block, op);
        self.define_results(op, results);
        Ok(())
    }

    #[cold]
    fn no_operation(&mut self) -> ParseFailure {
        if self.is_definition_without_name() {
            self.lose_definition();
            self.aliases_lost |= self.level == 1;
        }
        // What is left of something that was wrong on the same line.
        if !self.starts_line(self.token) && self.is_line_reported() {
            return ParseFailure;
        }
        self.expected_here("an operation")
    }

    /// Whether an equals sign comes soon on this line.
    fn is_definition_without_name(&self) -> bool {
        let mut token = self.token;
        for _ in 0..4 {
            if self.text_of(token) == "=" {
                return true;
            }
            token = self.token_after(token);
            if token.kind == TokenKind::End || self.starts_line(token) {
                return false;
            }
        }
        false
    }

    fn result_names(&mut self, results: &mut SmallVec<[ResultName<'c>; 2]>) -> ParseResult<()> {
        if !self.is_kind(TokenKind::PercentIdentifier) {
            return Ok(());
        }
        loop {
            if !self.is_kind(TokenKind::PercentIdentifier) {
                return Err(self.expected("a result name such as '%0'"));
            }
            results.push(ResultName { name: self.name_text(), count: 1, span: self.span() });
            self.advance();
            if self.eat(":") {
                let span = self.span();
                let count = self.parse_unsigned()?;
                if count == 0 {
                    return Err(self.error(span, "result-count", "a result name stands for at least one value"));
                }
                results.last_mut().expect("a result was just added").count = count;
            }
            if !self.eat(",") {
                return self.expect("=");
            }
        }
    }

    fn define_results(&mut self, op: OpId, results: &[ResultName<'c>]) {
        let found = self.body().result_count(op);
        let named: u64 = results.iter().map(|result| u64::from(result.count)).sum();
        if !results.is_empty() && named != found as u64 {
            let span = results[0].span.to(results[results.len() - 1].span);
            let message = format!("{named} result{} named, but the operation has {found}", plural(named as usize));
            self.error(span, "result-count", message);
        }
        let mut index = 0;
        for result in results {
            if index + result.count as usize <= found {
                let first = self.body().result(op, index);
                self.define(result.name, first, result.count, result.span);
                index += result.count as usize;
            } else {
                self.define_poisoned(result.name, result.span);
                index = found;
            }
        }
    }

    /// The handle of the operation name that a token holds.
    fn operation_name_of(&mut self, text: &'c str) -> OperationName {
        if let Some(&name) = self.operation_names.get(text) {
            return name;
        }
        let name = self.context.operation_name(text);
        self.operation_names.insert(text, name);
        name
    }

    fn generic_operation(&mut self) -> ParseResult<OpId> {
        let (token, span) = (self.token, self.span());
        let inside = self.text_of(token);
        let inside = &inside[1..inside.len().max(2) - 1];
        let location = Location::source(span.start);
        self.advance();
        let name = if inside.contains('\\') {
            let name = self.unquote(token)?;
            self.context.operation_name(&name)
        } else {
            self.operation_name_of(inside)
        };
        if name.as_str(self.context).is_empty() {
            return Err(self.error(span, "empty-name", "the name of an operation must not be empty"));
        }
        if !name.is_registered(self.context) && !self.options.allow_unregistered {
            // The generic form says all that there is to know, so what follows can be checked all the same.
            self.unknown_operation(name.as_str(self.context), span);
        }
        if name.traits(self.context).contains(OperationTraits::ISOLATED_FROM_ABOVE) {
            self.generic_isolated(name, location)
        } else {
            self.generic_ordinary(name, location)
        }
    }

    fn unknown_operation(&mut self, text: &str, span: Span) -> ParseFailure {
        let diagnostic = Diagnostic::error("unknown-operation", span, format!("there is no operation '{text}'"));
        let dialects = self.context.registry().dialects();
        let known = dialects.iter().flat_map(|dialect| dialect.operations()).map(|declaration| declaration.name);
        let help = match (nearest(text, known), text.split_once('.')) {
            (Some(near), _) => format!("an operation with a similar name exists: '{near}'"),
            (None, Some((namespace, _))) if self.context.dialect(namespace).is_none() => {
                format!(
                    "the dialect '{namespace}' is not registered; --allow-unregistered-dialect accepts it in the generic form"
                )
            }
            _ => "--show-dialects lists the registered dialects".to_owned(),
        };
        self.report(diagnostic.help(help))
    }

    fn generic_ordinary(&mut self, name: OperationName, location: Location) -> ParseResult<OpId> {
        let mut operands = std::mem::take(&mut self.scratch.operands);
        operands.clear();
        let result = self.generic_parts(name, location, &mut operands);
        self.scratch.operands = operands;
        result
    }

    fn generic_parts(
        &mut self,
        name: OperationName,
        location: Location,
        operands: &mut Vec<UnresolvedOperand<'c>>,
    ) -> ParseResult<OpId> {
        self.comma_list("(", ")", |parser| {
            operands.push(parser.parse_operand()?);
            Ok(())
        })?;
        let successors = self.generic_successors()?;
        let properties = self.generic_properties()?;
        let regions = self.generic_regions()?;
        let attributes = self.optional_attribute_dictionary()?;
        let (properties, attributes) = self.merge_properties(name, properties, attributes);
        self.expect(":")?;
        let types_start = self.span();
        let (inputs, results) = self.operation_type()?;
        if inputs.len() != operands.len() {
            let message = format!(
                "{} operand{} but {} operand type{}",
                operands.len(),
                plural(operands.len()),
                inputs.len(),
                plural(inputs.len())
            );
            let span = self.span_from(types_start);
            self.error(span, "operand-count", message);
        }
        let values: SmallVec<[ValueId; 4]> =
            operands.iter().zip(&inputs).map(|(operand, &ty)| self.resolve_value(operand, ty)).collect();
        let location = self.optional_location()?.unwrap_or(location);
        let state = OperationState {
            name,
            location,
            operands: values,
            results,
            properties,
            attributes,
            successors,
            regions: 0,
        };
        let body = self.body_mut();
        let op = body.create_op(state);
        for region in regions {
            body.attach_region(op, region);
        }
        Ok(op)
    }

    fn generic_isolated(&mut self, name: OperationName, location: Location) -> ParseResult<OpId> {
        let start = self.span();
        self.begin_body(name, location);
        let mut explicit = None;
        let result = self.generic_isolated_inside(name, start, &mut explicit);
        let mut body = self.finish_body(result)?;
        if let Some(location) = explicit {
            let root = body.root();
            body.set_location(root, location);
        }
        Ok(self.body_mut().create_anchor(body))
    }

    fn generic_isolated_inside(
        &mut self,
        name: OperationName,
        start: Span,
        explicit: &mut Option<Location>,
    ) -> ParseResult<(Dictionary, Dictionary, Vec<RegionId>)> {
        let mut operands = 0;
        self.comma_list("(", ")", |parser| {
            operands += 1;
            parser.parse_operand().map(|_| ())
        })?;
        let has_successors = self.at("[");
        if operands > 0 || has_successors {
            let text = name.as_str(self.context);
            let message = format!("'{text}' is isolated from above, so it has no operands and no successors");
            self.error(start, "isolated-operands", message);
            if has_successors {
                return Err(ParseFailure);
            }
        }
        let properties = self.generic_properties()?;
        let regions = self.generic_regions()?;
        let attributes = self.optional_attribute_dictionary()?;
        let (properties, attributes) = self.merge_properties(name, properties, attributes);
        self.expect(":")?;
        let types_start = self.span();
        let (inputs, results) = self.operation_type()?;
        if !inputs.is_empty() || !results.is_empty() {
            let span = self.span_from(types_start);
            let message = format!("'{}' is isolated from above, so its type is '() -> ()'", name.as_str(self.context));
            self.error(span, "isolated-operands", message);
        }
        *explicit = self.optional_location()?;
        Ok((properties, attributes, regions))
    }

    fn generic_successors(&mut self) -> ParseResult<SmallVec<[BlockId; 2]>> {
        let mut successors = SmallVec::new();
        if self.at("[") {
            self.comma_list("[", "]", |parser| {
                successors.push(parser.parse_successor()?);
                Ok(())
            })?;
        }
        Ok(successors)
    }

    fn generic_properties(&mut self) -> ParseResult<Dictionary> {
        if !self.eat("<") {
            return Ok(Dictionary::EMPTY);
        }
        if !self.at("{") {
            return Err(self.expected("'{' of a property dictionary"));
        }
        let properties = self.parse_attribute_dictionary()?;
        self.expect(">")?;
        Ok(properties)
    }

    fn generic_regions(&mut self) -> ParseResult<Vec<RegionId>> {
        let mut regions = Vec::new();
        if self.at("(") {
            self.comma_list("(", ")", |parser| {
                regions.push(parser.region(&[])?);
                Ok(())
            })?;
        } else if self.at("{") && self.is_certain_start(self.token_after(self.token)) {
            self.expected("'(' before a region");
            loop {
                regions.push(self.region(&[])?);
                if !self.eat(",") {
                    break;
                }
            }
            self.eat(")");
        }
        Ok(regions)
    }

    /// Inherent attributes of a registered operation may stand in either dictionary; they are properties. Those that
    /// are not written have their defaults.
    fn merge_properties(
        &self,
        name: OperationName,
        properties: Dictionary,
        attributes: Dictionary,
    ) -> (Dictionary, Dictionary) {
        let Some(declaration) = name.declaration(self.context) else { return (properties, attributes) };
        let (inherent, attributes) =
            if attributes.is_empty() { (attributes, attributes) } else { self.split_inherent(name, attributes) };
        let mut properties = properties;
        if !inherent.is_empty() {
            // Of a key in both dictionaries the property counts.
            let entries = [inherent.entries(self.context), properties.entries(self.context)].concat();
            properties = Dictionary::new(self.context, &entries);
        }
        (with_defaults(self.context, declaration, properties), attributes)
    }

    pub(super) fn split_inherent(&self, name: OperationName, dictionary: Dictionary) -> (Dictionary, Dictionary) {
        let Some(declaration) = name.declaration(self.context) else { return (Dictionary::EMPTY, dictionary) };
        let is_inherent = |entry: &&(Identifier, Attribute)| {
            let key = entry.0.as_str(self.context);
            declaration.properties.iter().any(|property| property.name == key)
                || key == "operandSegmentSizes" && declaration.has_operand_segments()
        };
        let entries = dictionary.entries(self.context);
        let (inherent, rest): (Vec<_>, Vec<_>) = entries.iter().partition(is_inherent);
        (Dictionary::new(self.context, &inherent), Dictionary::new(self.context, &rest))
    }

    /// Reads `(types) -> types`. Successive operations often have the same type, so the last text is remembered.
    fn operation_type(&mut self) -> ParseResult<InputsAndResults> {
        let start = self.token.start as usize;
        if let Some((text, inputs, results)) = &self.last_function_type
            && self.text.as_bytes()[start..self.limit].starts_with(text.as_bytes())
            && self.ends_type(start + text.len())
        {
            let types = (SmallVec::from_slice(inputs), SmallVec::from_slice(results));
            let end = start + text.len();
            self.move_to(end);
            return Ok(types);
        }
        let (inputs, results) = self.function_type_parts()?;
        let text = &self.text[start..self.previous_end as usize];
        if text.len() <= 128 {
            self.last_function_type = Some((text, inputs.to_vec(), results.to_vec()));
        }
        Ok((inputs, results))
    }

    /// Whether a type that was read up to `end` surely ends there.
    fn ends_type(&self, end: usize) -> bool {
        matches!(self.text.as_bytes().get(end), None | Some(b'\n' | b'\r')) || end == self.limit
    }

    /// The operation that a custom form begins with; those of the builtin dialect need no prefix.
    fn custom_name(&mut self, text: &'c str) -> OperationName {
        let name = self.operation_name_of(text);
        if text.contains('.') || name.is_registered(self.context) {
            return name;
        }
        let prefixed = self.context.operation_name(&format!("builtin.{text}"));
        if prefixed.is_registered(self.context) { prefixed } else { name }
    }

    fn custom_operation(&mut self) -> ParseResult<OpId> {
        let (text, span) = (self.token_text(), self.span());
        let name = self.custom_name(text);
        let Some(declaration) = name.declaration(self.context) else {
            self.advance();
            if self.at("(") && !text.contains('.')
                || self.context.dialect(name.dialect(self.context)).is_none() && self.options.allow_unregistered
            {
                let message = format!("'{text}' is not registered, so it must be written in the generic form");
                let help = format!("write the name in quotes: \"{text}\"(operands) : (types) -> types");
                return Err(self.report(Diagnostic::error("unknown-operation", span, message).help(help)));
            }
            return Err(self.unknown_operation(text, span));
        };
        self.advance();
        let outer = std::mem::replace(&mut self.current_operation, (name, Location::source(span.start)));
        let result = if let Some(syntax) = name.interface::<SyntaxModel>(self.context) {
            (syntax.parse)(self)
        } else if let Some(format) = declaration.format {
            assembly::parse(self, declaration, format)
        } else {
            let message = format!("'{text}' has only the generic form");
            Err(self.report(Diagnostic::error("no-custom-form", span, message).help("write the name in quotes")))
        };
        self.current_operation = outer;
        let context = self.context;
        let op = result?;
        let body = self.body_mut();
        let properties = body.properties(op);
        let complete = with_defaults(context, declaration, properties);
        if complete != properties {
            body.set_properties(op, complete);
        }
        if let Some(location) = self.optional_location()? {
            self.body_mut().set_location(op, location);
        }
        Ok(op)
    }
}
