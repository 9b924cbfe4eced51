//! Creating and changing operations by their declarations.

use smallvec::SmallVec;

use super::declaration::{Arity, OperationDeclaration, Presence, Slot};
use super::infer::KnownTypes;
use super::view::OpRef;
use crate::attributes::{Attribute, Dictionary};
use crate::body::{BlockId, Body, OpId, OperationState, ValueId};
use crate::builder::Builder;
use crate::context::Context;
use crate::identifier::Identifier;
use crate::location::Location;
use crate::types::Type;

/// Key of the property that holds how many values each operand group has.
pub(crate) const OPERAND_SEGMENT_SIZES: &str = "operandSegmentSizes";

/// The types of a result group, for [`create_declared`].
pub enum ResultTypes<'a> {
    /// As given.
    Given(&'a [Type]),
    /// One result whose type follows from the rules.
    Follows,
}

/// Creates an operation from the parts of its declaration; what the builders of `#[operation]` call.
///
/// # Panics
/// If a result type that should follow from the rules does not: the operands are not of the declared types.
pub fn create_declared(
    builder: &mut Builder<'_>,
    declaration: &'static OperationDeclaration,
    operands: &[&[ValueId]],
    results: &[ResultTypes<'_>],
    properties: &[(&str, Attribute)],
    successors: &[&[BlockId]],
    regions: usize,
) -> OpId {
    let context = builder.context();
    let mut entries = entries(context, properties);
    if declaration.has_operand_segments() {
        let sizes: SmallVec<[usize; 4]> = operands.iter().map(|group| group.len()).collect();
        entries.push((context.identifier(OPERAND_SEGMENT_SIZES), segment_sizes(context, &sizes)));
    }
    fill_defaults(context, declaration, &mut entries);
    let properties = Dictionary::new(context, &entries);
    let mut known = KnownTypes::new(context, declaration);
    for (index, group) in operands.iter().enumerate() {
        if let Some(&first) = group.first() {
            known.set(Slot::Operand(index), builder.body().value_type(first));
        }
    }
    for (index, group) in results.iter().enumerate() {
        if let ResultTypes::Given([first, ..]) = group {
            known.set(Slot::Result(index), *first);
        }
    }
    known.close(context, declaration.rules, |key| properties.get(context, key));
    let mut types = SmallVec::new();
    for (index, group) in results.iter().enumerate() {
        match group {
            ResultTypes::Given(given) => types.extend_from_slice(given),
            ResultTypes::Follows => {
                let ty = known.get(Slot::Result(index));
                types.push(ty.unwrap_or_else(|| {
                    panic!(
                        "the type of result '{}' of {} follows from its operands",
                        declaration.results[index].name, declaration.name
                    )
                }));
            }
        }
    }
    debug_assert!(
        declaration.operands.iter().zip(operands).all(|(group, values)| group.arity != Arity::One || values.len() == 1),
        "each single operand is one value"
    );
    let state = OperationState {
        operands: operands.concat().into(),
        results: types,
        properties,
        successors: successors.concat().into(),
        regions,
        ..builder.state(declaration.name)
    };
    builder.create(state)
}

/// Creates the body of an isolated operation from the parts of its declaration; what `create_body` of `#[operation]`
/// calls.
pub fn create_declared_body(
    context: &Context,
    declaration: &'static OperationDeclaration,
    location: Location,
    properties: &[(&str, Attribute)],
    regions: usize,
) -> Body {
    let mut entries = entries(context, properties);
    fill_defaults(context, declaration, &mut entries);
    let mut body = Body::new(context.operation_name(declaration.name), location, regions);
    let root = body.root();
    body.set_properties(root, Dictionary::new(context, &entries));
    body
}

type Entries = SmallVec<[(Identifier, Attribute); 4]>;

fn entries(context: &Context, properties: &[(&str, Attribute)]) -> Entries {
    properties.iter().map(|&(key, value)| (context.identifier(key), value)).collect()
}

fn fill_defaults(context: &Context, declaration: &OperationDeclaration, entries: &mut Entries) {
    for property in declaration.properties {
        if let Presence::Default(make) = property.presence {
            let key = context.identifier(property.name);
            if !entries.iter().any(|&(known, _)| known == key) {
                entries.push((key, make(context)));
            }
        }
    }
}

/// The properties with those added that have a default and are not there.
pub fn with_defaults(context: &Context, declaration: &OperationDeclaration, properties: Dictionary) -> Dictionary {
    let mut entries = Entries::new();
    for property in declaration.properties {
        if let Presence::Default(make) = property.presence
            && properties.get(context, property.name).is_none()
        {
            entries.push((context.identifier(property.name), make(context)));
        }
    }
    if entries.is_empty() {
        return properties;
    }
    entries.extend_from_slice(properties.entries(context));
    Dictionary::new(context, &entries)
}

/// The value of [`OPERAND_SEGMENT_SIZES`].
pub(crate) fn segment_sizes(context: &Context, sizes: &[usize]) -> Attribute {
    let as_i32 = |&size: &usize| i32::try_from(size).expect("an operation has fewer than 2^31 operands");
    let sizes: SmallVec<[i32; 8]> = sizes.iter().map(as_i32).collect();
    Attribute::dense_i32(context, &sizes)
}

/// Replaces the operands of a declared group, and keeps the recorded sizes of the groups right. Linear in the operands.
///
/// # Panics
/// If the operation is not registered or `group` is not one of its groups.
pub(crate) fn set_operand_group(context: &Context, body: &mut Body, op: OpId, group: usize, values: &[ValueId]) {
    let view = OpRef::new(context, body, op);
    let declaration = view.declaration().expect("only a declared operation has operand groups");
    let range = view.operand_group(group);
    let old: SmallVec<[ValueId; 8]> = view.operands().collect();
    if declaration.has_operand_segments() && range.len() != values.len() {
        let mut sizes: SmallVec<[usize; 8]> =
            (0..declaration.operands.len()).map(|index| view.operand_group(index).len()).collect();
        sizes[group] = values.len();
        body.set_property(context, op, OPERAND_SEGMENT_SIZES, Some(segment_sizes(context, &sizes)));
    }
    body.set_operands(op, &[&old[..range.start], values, &old[range.end..]].concat());
}
