//! Reading a declarative custom form.

use smallvec::{SmallVec, smallvec};

use crate::attributes::{Attribute, Dictionary};
use crate::body::{BlockId, OpId, OperationState, RegionId, ValueId};
use crate::diagnostic::Diagnostic;
use crate::identifier::Identifier;
use crate::operation::{
    Anchor, Arity, FormatElement, KnownTypes, OPERAND_SEGMENT_SIZES, OperationDeclaration, OperationTraits, Slot,
    segment_sizes, with_defaults,
};
use crate::source::Span;
use crate::text::parser::{ParseFailure, ParseResult, Parser, UnresolvedOperand};
use crate::types::Type;

/// What has been read of an operation.
struct Draft<'c> {
    declaration: &'static OperationDeclaration,
    operands: Vec<SmallVec<[UnresolvedOperand<'c>; 2]>>,
    operand_types: Vec<Option<SmallVec<[Type; 2]>>>,
    result_types: Vec<Option<SmallVec<[Type; 2]>>>,
    properties: Vec<(Identifier, Attribute)>,
    attributes: Dictionary,
    successors: Vec<SmallVec<[BlockId; 2]>>,
    regions: Vec<SmallVec<[RegionId; 1]>>,
    start: Span,
}

/// Reads what follows the operation's name, and creates the operation.
pub(crate) fn parse<'c>(
    parser: &mut Parser<'c, '_>,
    declaration: &'static OperationDeclaration,
    format: &'static [FormatElement],
) -> ParseResult<OpId> {
    if declaration.traits.contains(OperationTraits::ISOLATED_FROM_ABOVE) {
        return parser.isolated(|parser| {
            let draft = read(parser, declaration, format)?;
            let regions = draft.regions.into_iter().flatten().collect();
            let properties = Dictionary::new(parser.context(), &draft.properties);
            Ok((with_defaults(parser.context(), declaration, properties), draft.attributes, regions))
        });
    }
    let draft = read(parser, declaration, format)?;
    create(parser, draft)
}

fn read<'c>(
    parser: &mut Parser<'c, '_>,
    declaration: &'static OperationDeclaration,
    format: &'static [FormatElement],
) -> ParseResult<Draft<'c>> {
    let mut draft = Draft {
        declaration,
        operands: vec![SmallVec::new(); declaration.operands.len()],
        operand_types: vec![None; declaration.operands.len()],
        result_types: vec![None; declaration.results.len()],
        properties: Vec::new(),
        attributes: Dictionary::EMPTY,
        successors: vec![SmallVec::new(); declaration.successors.len()],
        regions: vec![SmallVec::new(); declaration.regions.len()],
        start: parser.span(),
    };
    elements(parser, &mut draft, format)?;
    reject_written_twice(parser, &draft)?;
    Ok(draft)
}

fn elements<'c>(
    parser: &mut Parser<'c, '_>,
    draft: &mut Draft<'c>,
    elements_of_form: &'static [FormatElement],
) -> ParseResult<()> {
    elements_of_form.iter().try_for_each(|one| element(parser, draft, one))
}

fn element<'c>(parser: &mut Parser<'c, '_>, draft: &mut Draft<'c>, element: &'static FormatElement) -> ParseResult<()> {
    match element {
        FormatElement::Literal(literal) => self::literal(parser, literal),
        FormatElement::Operands(group) => operands(parser, draft, *group),
        FormatElement::AllOperands => all_operands(parser, draft),
        FormatElement::Types(slot) => types(parser, draft, *slot),
        FormatElement::FunctionalType => functional_type(parser, draft),
        FormatElement::Property(index) => {
            let property = &draft.declaration.properties[*index];
            let value = (property.rule.parse)(parser)?;
            draft.properties.push((parser.context().identifier(property.name), value));
            Ok(())
        }
        FormatElement::AttributeDictionary { keyword } => {
            if *keyword && !parser.optional_keyword("attributes") {
                return Ok(());
            }
            let dictionary =
                if *keyword { parser.parse_attribute_dictionary()? } else { parser.optional_attribute_dictionary()? };
            let (properties, attributes) = parser.split_properties(dictionary);
            draft.properties.extend_from_slice(properties.entries(parser.context()));
            draft.attributes = attributes;
            Ok(())
        }
        FormatElement::Successors { successor, operands } => successors(parser, draft, *successor, *operands),
        FormatElement::Regions(group) => regions(parser, draft, *group),
        FormatElement::Group { anchor, elements: inner } => {
            if group_is_present(parser, draft.declaration, inner) {
                return elements(parser, draft, inner);
            }
            // A region that is always there is empty if it is not written.
            if let Anchor::Regions(group) = *anchor
                && draft.declaration.regions[group].arity == Arity::One
            {
                draft.regions[group].push(parser.empty_region());
            }
            Ok(())
        }
    }
}

/// `1 operand`, `2 operands`
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn is_word(literal: &str) -> bool {
    literal.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

fn literal(parser: &mut Parser<'_, '_>, literal: &str) -> ParseResult<()> {
    if is_word(literal) { parser.keyword(literal) } else { parser.expect(literal) }
}

/// Whether an optional group stands here: its first element tells, as the declaration macro makes sure.
fn group_is_present(
    parser: &Parser<'_, '_>,
    declaration: &OperationDeclaration,
    elements: &'static [FormatElement],
) -> bool {
    match elements.first() {
        Some(FormatElement::Literal(literal)) if is_word(literal) => parser.at_keyword(literal),
        Some(FormatElement::Literal(literal)) => parser.at(literal),
        Some(FormatElement::Operands(_) | FormatElement::AllOperands) => parser.at_operand(),
        Some(FormatElement::Successors { .. }) => parser.at_successor(),
        Some(FormatElement::Regions(_)) => parser.at("{"),
        Some(FormatElement::Property(index)) => (declaration.properties[*index].rule.starts)(parser),
        _ => false,
    }
}

/// Reads one list of all operands. At most one group is not a single operand; it takes what the others leave.
fn all_operands<'c>(parser: &mut Parser<'c, '_>, draft: &mut Draft<'c>) -> ParseResult<()> {
    let start = parser.span();
    let mut all = Vec::new();
    while parser.at_operand() {
        all.push(parser.parse_operand()?);
        if !parser.optional(",") {
            break;
        }
    }
    let groups = draft.declaration.operands;
    let singles = groups.iter().filter(|group| group.arity == Arity::One).count();
    let most = match groups.iter().find(|group| group.arity != Arity::One).map(|group| group.arity) {
        None | Some(Arity::One) => singles,
        Some(Arity::Optional) => singles + 1,
        Some(Arity::Variadic) => usize::MAX,
    };
    if !(singles..=most).contains(&all.len()) {
        let wanted = match most {
            usize::MAX => format!("at least {}", counted(singles, "operand")),
            most if most > singles => format!("{singles} or {}", counted(most, "operand")),
            _ => counted(singles, "operand"),
        };
        let message = format!("'{}' takes {wanted}, but there are {}", draft.declaration.name, all.len());
        return Err(parser.error(start, "operand-count", message));
    }
    let flexible = all.len() - singles;
    let mut rest = all.into_iter();
    for (index, group) in groups.iter().enumerate() {
        let count = if group.arity == Arity::One { 1 } else { flexible };
        draft.operands[index].extend(rest.by_ref().take(count));
    }
    Ok(())
}

fn operands<'c>(parser: &mut Parser<'c, '_>, draft: &mut Draft<'c>, group: usize) -> ParseResult<()> {
    let arity = draft.declaration.operands[group].arity;
    if arity != Arity::One && !parser.at_operand() {
        return Ok(());
    }
    loop {
        draft.operands[group].push(parser.parse_operand()?);
        if arity != Arity::Variadic || !parser.optional(",") {
            return Ok(());
        }
    }
}

fn types(parser: &mut Parser<'_, '_>, draft: &mut Draft<'_>, slot: Slot) -> ParseResult<()> {
    let (arity, target) = match slot {
        Slot::Operand(group) => (draft.declaration.operands[group].arity, &mut draft.operand_types[group]),
        Slot::Result(group) => (draft.declaration.results[group].arity, &mut draft.result_types[group]),
    };
    let mut found: SmallVec<[Type; 2]> = SmallVec::new();
    if arity == Arity::One {
        found.push(parser.parse_type()?);
    } else if let Some(first) = parser.optional_type()? {
        found.push(first);
        while arity == Arity::Variadic && parser.optional(",") {
            found.push(parser.parse_type()?);
        }
    }
    *target = Some(found);
    Ok(())
}

fn functional_type(parser: &mut Parser<'_, '_>, draft: &mut Draft<'_>) -> ParseResult<()> {
    let start = parser.span();
    let ty = parser.parse_type()?;
    let Some((inputs, results)) = ty.function_parts(parser.context()) else {
        return Err(parser.error(start, "syntax", "expected a function type"));
    };
    let counts: Vec<usize> = draft.operands.iter().map(SmallVec::len).collect();
    if counts.iter().sum::<usize>() != inputs.len() {
        let operands = counted(counts.iter().sum(), "operand");
        let message = format!("{operands}, but {}", counted(inputs.len(), "operand type"));
        return Err(parser.error(start, "operand-count", message));
    }
    let mut rest = inputs;
    for (group, count) in counts.into_iter().enumerate() {
        let (types, after) = rest.split_at(count);
        draft.operand_types[group] = Some(types.into());
        rest = after;
    }
    split_results(parser, draft, start, results)
}

/// Gives each result group its share of the types: the one flexible group takes what the others leave.
fn split_results(parser: &mut Parser<'_, '_>, draft: &mut Draft<'_>, span: Span, results: &[Type]) -> ParseResult<()> {
    let groups = draft.declaration.results;
    let singles = groups.iter().filter(|group| group.arity == Arity::One).count();
    if results.len() < singles || singles == groups.len() && results.len() > singles {
        let exact = counted(singles, "result");
        let wanted = if singles == groups.len() { exact } else { format!("at least {exact}") };
        let message =
            format!("'{}' has {}, but {}", draft.declaration.name, wanted, counted(results.len(), "result type"));
        return Err(parser.error(span, "result-count", message));
    }
    let mut rest = results;
    for (index, group) in groups.iter().enumerate() {
        let count = if group.arity == Arity::One { 1 } else { results.len() - singles };
        let (types, after) = rest.split_at(count);
        draft.result_types[index] = Some(types.into());
        rest = after;
    }
    Ok(())
}

fn successors<'c>(
    parser: &mut Parser<'c, '_>,
    draft: &mut Draft<'c>,
    group: usize,
    operand_group: Option<usize>,
) -> ParseResult<()> {
    let arity = draft.declaration.successors[group].arity;
    if arity != Arity::One && !parser.at_successor() {
        return Ok(());
    }
    loop {
        let block = parser.parse_successor()?;
        draft.successors[group].push(block);
        if let Some(operand_group) = operand_group {
            let mut types: SmallVec<[Type; 2]> = draft.operand_types[operand_group].take().unwrap_or_default();
            if parser.at("(") {
                parser.comma_list("(", ")", |parser| {
                    draft.operands[operand_group].push(parser.parse_operand()?);
                    parser.expect(":")?;
                    types.push(parser.parse_type()?);
                    Ok(())
                })?;
            }
            draft.operand_types[operand_group] = Some(types);
        }
        if arity != Arity::Variadic || !parser.optional(",") {
            return Ok(());
        }
    }
}

fn regions(parser: &mut Parser<'_, '_>, draft: &mut Draft<'_>, group: usize) -> ParseResult<()> {
    let arity = draft.declaration.regions[group].arity;
    if arity != Arity::One && !parser.at("{") {
        return Ok(());
    }
    loop {
        draft.regions[group].push(parser.parse_region(&[])?);
        if arity != Arity::Variadic || !parser.optional(",") {
            return Ok(());
        }
    }
}

/// A property that has a place of its own must not stand in the dictionary as well.
fn reject_written_twice(parser: &mut Parser<'_, '_>, draft: &Draft<'_>) -> ParseResult<()> {
    let context = parser.context();
    let mut keys: SmallVec<[&str; 8]> = draft.properties.iter().map(|(key, _)| key.as_str(context)).collect();
    keys.sort_unstable();
    if let Some(pair) = keys.windows(2).find(|pair| pair[0] == pair[1]) {
        let message = format!("the property '{}' is written twice", pair[0]);
        return Err(parser.error(draft.start, "duplicate-key", message));
    }
    if keys.contains(&OPERAND_SEGMENT_SIZES) {
        let message = format!("the property '{OPERAND_SEGMENT_SIZES}' follows from the operands, so it is not written");
        return Err(parser.error(draft.start, "duplicate-key", message));
    }
    Ok(())
}

fn create<'c>(parser: &mut Parser<'c, '_>, mut draft: Draft<'c>) -> ParseResult<OpId> {
    let context = parser.context();
    let declaration = draft.declaration;
    if declaration.has_operand_segments() {
        let sizes: SmallVec<[usize; 8]> = draft.operands.iter().map(SmallVec::len).collect();
        draft.properties.push((context.identifier(OPERAND_SEGMENT_SIZES), segment_sizes(context, &sizes)));
    }
    let properties = with_defaults(context, declaration, Dictionary::new(context, &draft.properties));
    let mut known = KnownTypes::new(context, declaration);
    learn(&mut known, &draft);
    // What is defined already says its type, so that rules which start from an operand apply.
    for (group, operands) in draft.operands.iter().enumerate() {
        if known.get(Slot::Operand(group)).is_none()
            && let Some(ty) = operands.first().and_then(|operand| parser.known_type(operand))
            && !is_settled_by_rules(&known, declaration, context, properties, Slot::Operand(group))
        {
            known.set(Slot::Operand(group), ty);
        }
    }
    known.close(context, declaration.rules, |key| properties.get(context, key));
    let errors = parser.error_count();
    let operands = resolve_operands(parser, &draft, &known)?;
    let has_good_operands =
        parser.error_count() == errors && !draft.operands.iter().flatten().any(|operand| parser.is_unreadable(operand));
    let results = result_types(parser, &draft, &known, has_good_operands)?;
    let state = OperationState {
        operands,
        results,
        properties,
        attributes: draft.attributes,
        successors: draft.successors.iter().flatten().copied().collect(),
        ..OperationState::new(parser.operation_name(), parser.location())
    };
    let regions: Vec<RegionId> = draft.regions.into_iter().flatten().collect();
    parser.create_op_with_regions(state, &regions)
}

fn learn(known: &mut KnownTypes, draft: &Draft<'_>) {
    for (group, types) in draft.operand_types.iter().enumerate() {
        if let Some(&first) = types.as_ref().and_then(|types| types.first()) {
            known.set(Slot::Operand(group), first);
        }
    }
    for (group, types) in draft.result_types.iter().enumerate() {
        if let Some(&first) = types.as_ref().and_then(|types| types.first()) {
            known.set(Slot::Result(group), first);
        }
    }
}

/// Whether the rules give a type for a slot from what is written: then the written type counts, so that an operand of
/// another type is an error at the operand.
fn is_settled_by_rules(
    known: &KnownTypes,
    declaration: &OperationDeclaration,
    context: &crate::context::Context,
    properties: Dictionary,
    slot: Slot,
) -> bool {
    let mut closed = known.clone();
    closed.close(context, declaration.rules, |key| properties.get(context, key));
    closed.get(slot).is_some()
}

fn resolve_operands<'c>(
    parser: &mut Parser<'c, '_>,
    draft: &Draft<'c>,
    known: &KnownTypes,
) -> ParseResult<SmallVec<[ValueId; 4]>> {
    let mut values = SmallVec::new();
    let mut outcome = Ok(());
    for (group, operands) in draft.operands.iter().enumerate() {
        let types = draft.operand_types[group].as_ref();
        if let Some(types) = types
            && types.len() != operands.len()
        {
            let name = draft.declaration.operands[group].name;
            let message =
                format!("'{name}' has {}, but {}", counted(operands.len(), "operand"), counted(types.len(), "type"));
            let span = operands.first().map_or(draft.start, |operand| operand.span);
            return Err(parser.error(span, "operand-count", message));
        }
        for (index, operand) in operands.iter().enumerate() {
            let ty = types.map(|types| types[index]).or_else(|| known.get(Slot::Operand(group)));
            let Some(ty) = ty else {
                return Err(unknown_type(parser, operand, draft.declaration));
            };
            match parser.resolve(operand, ty) {
                Ok(value) => values.push(value),
                Err(failure) => outcome = Err(failure),
            }
        }
    }
    outcome.map(|()| values)
}

/// The type of an operand follows from nothing: it is defined further on, or not at all.
fn unknown_type(
    parser: &mut Parser<'_, '_>,
    operand: &UnresolvedOperand<'_>,
    declaration: &OperationDeclaration,
) -> ParseFailure {
    if parser.is_unreadable(operand) {
        return ParseFailure;
    }
    let message = format!("the type of this operand of '{}' is not known here", declaration.name);
    let diagnostic = Diagnostic::error("unknown-operand-type", operand.span, message);
    parser.report(diagnostic.help("the operand must be defined before its use, or the generic form be written"))
}

fn result_types(
    parser: &mut Parser<'_, '_>,
    draft: &Draft<'_>,
    known: &KnownTypes,
    has_good_operands: bool,
) -> ParseResult<SmallVec<[Type; 2]>> {
    let mut types = smallvec![];
    for (group, declared) in draft.declaration.results.iter().enumerate() {
        if let Some(written) = &draft.result_types[group] {
            types.extend_from_slice(written);
        } else if let Some(ty) = known.get(Slot::Result(group)) {
            types.push(ty);
        } else if !has_good_operands {
            // What is wrong with the operands has been said.
            return Err(ParseFailure);
        } else if declared.arity == Arity::One {
            let message = format!("the type of the result '{}' does not follow from the operands", declared.name);
            return Err(parser.error(draft.start, "unknown-result-type", message));
        }
    }
    Ok(types)
}
