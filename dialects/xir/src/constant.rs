//! Constants: attributes as bits, and back.
//!
//! A constant of a scalar is a builtin integer or float attribute, of a vector a `dense` one, of an aggregate
//! [`AggregateAttribute`] or [`ZeroAttribute`]. The functions here give each constant one form, so that equal constants
//! are one attribute: what is all zero is a [`ZeroAttribute`] if it is an aggregate, and never otherwise.

use fermata_ir::attributes::DialectAttribute;
use fermata_ir::{Attribute, AttributeKind, Context, Type, TypeKind};
use smallvec::SmallVec;

use crate::attributes::{AggregateAttribute, ZeroAttribute};
use crate::semantics::{IntegerWidth, ScalarType};
use crate::types::{ElementwiseType, is_value_type, part_count, part_type};

/// The bits of the lanes of a constant; one for a scalar.
pub type Lanes = SmallVec<[u64; 4]>;

/// The type of a constant; nothing for an attribute that is no constant of a value type.
#[must_use]
pub fn constant_type(context: &Context, attribute: Attribute) -> Option<Type> {
    let ty = match attribute.kind(context) {
        AttributeKind::Integer { ty, .. } | AttributeKind::Float { ty, .. } => *ty,
        AttributeKind::DenseElements { ty, .. } if matches!(ty.kind(context), TypeKind::Vector { .. }) => *ty,
        AttributeKind::Dialect(object) => object.typed(context)?,
        _ => return None,
    };
    is_value_type(context, ty).then_some(ty)
}

/// The bits of a scalar attribute.
fn scalar_bits(context: &Context, attribute: Attribute) -> Option<u64> {
    match *attribute.kind(context) {
        AttributeKind::Integer { value, ty } => {
            let width = ScalarType::of(context, ty)?.integer()?;
            Some(width.truncate(value as u64))
        }
        AttributeKind::Float { bits, ty } => {
            ScalarType::of(context, ty)?.float()?;
            u64::try_from(bits).ok()
        }
        _ => None,
    }
}

/// The bits of the lanes of a constant scalar or vector.
#[must_use]
pub fn lanes(context: &Context, attribute: Attribute) -> Option<Lanes> {
    if let Some(zero) = attribute.downcast::<ZeroAttribute>(context) {
        let lanes = ElementwiseType::of(context, zero.ty)?.lanes();
        return Some(smallvec::smallvec![0; lanes as usize]);
    }
    if let AttributeKind::DenseElements { ty, elements } = attribute.kind(context) {
        let count = ElementwiseType::of(context, *ty)?.lanes() as usize;
        let bits = |index: usize| scalar_bits(context, *elements.get(if elements.len() == 1 { 0 } else { index })?);
        return (0..count).map(bits).collect();
    }
    Some(smallvec::smallvec![scalar_bits(context, attribute)?])
}

/// The bits of a constant scalar.
#[must_use]
pub fn scalar(context: &Context, attribute: Attribute) -> Option<u64> {
    match lanes(context, attribute)?[..] {
        [bits] => Some(bits),
        _ => None,
    }
}

/// The constant of a scalar type with these bits.
#[must_use]
pub fn scalar_attribute(context: &Context, ty: ScalarType, bits: u64) -> Attribute {
    match ty {
        ScalarType::Integer(width) => Attribute::integer(context, width.sign_extend(bits).into(), ty.ty(context)),
        ScalarType::Float(format) => Attribute::float_bits(context, (bits & format.mask()).into(), ty.ty(context)),
    }
}

/// The constant of an elementwise type whose lanes have these bits.
///
/// # Panics
/// If there are not as many as the type has lanes.
#[must_use]
pub fn lanes_attribute(context: &Context, ty: ElementwiseType, lanes: &[u64]) -> Attribute {
    assert_eq!(lanes.len() as u64, ty.lanes(), "a constant has the bits of each lane");
    if ty.vector.is_none() {
        return scalar_attribute(context, ty.scalar, lanes[0]);
    }
    let mut elements: Vec<Attribute> = lanes.iter().map(|&bits| scalar_attribute(context, ty.scalar, bits)).collect();
    if elements.iter().all(|&element| element == elements[0]) {
        elements.truncate(1);
    }
    context.intern_attribute(AttributeKind::DenseElements { ty: ty.ty(context), elements: elements.into() })
}

/// The constant of an elementwise type whose lanes all have these bits.
#[must_use]
pub fn splat_attribute(context: &Context, ty: ElementwiseType, bits: u64) -> Attribute {
    let lanes: Lanes = smallvec::smallvec![bits; ty.lanes() as usize];
    lanes_attribute(context, ty, &lanes)
}

/// The bits that all lanes of a constant scalar or vector have.
#[must_use]
pub fn splat(context: &Context, attribute: Attribute) -> Option<u64> {
    let lanes = lanes(context, attribute)?;
    lanes.iter().all(|&bits| bits == lanes[0]).then(|| lanes[0])
}

/// An `i1` constant.
#[must_use]
pub fn bool_attribute(context: &Context, value: bool) -> Attribute {
    scalar_attribute(context, ScalarType::Integer(IntegerWidth::W1), value.into())
}

/// The constant of a value type whose bits are all zero.
///
/// # Panics
/// If `ty` is no value type.
#[must_use]
pub fn zero(context: &Context, ty: Type) -> Attribute {
    assert!(is_value_type(context, ty), "there is a zero of each value type and no other");
    match ElementwiseType::of(context, ty) {
        Some(elementwise) => splat_attribute(context, elementwise, 0),
        None => ZeroAttribute { ty }.intern(context),
    }
}

/// Whether all bits of a constant are zero.
#[must_use]
pub fn is_zero(context: &Context, attribute: Attribute) -> bool {
    if attribute.is::<ZeroAttribute>(context) {
        return true;
    }
    // An aggregate made by `aggregate` is never all zero. One that was written so is not worth a search.
    splat(context, attribute) == Some(0)
}

/// A part of a constant vector, matrix, array or structure; nothing if there is no such part.
#[must_use]
pub fn part(context: &Context, attribute: Attribute, index: u64) -> Option<Attribute> {
    let ty = constant_type(context, attribute)?;
    let part = part_type(context, ty, index)?;
    if attribute.is::<ZeroAttribute>(context) {
        return Some(zero(context, part));
    }
    if let Some(aggregate) = attribute.downcast::<AggregateAttribute>(context) {
        return aggregate.parts.get(usize::try_from(index).ok()?).copied();
    }
    let lanes = lanes(context, attribute)?;
    Some(scalar_attribute(context, ScalarType::of(context, part)?, *lanes.get(usize::try_from(index).ok()?)?))
}

/// The parts of a constant vector, matrix, array or structure, unless there are more than `limit`.
#[must_use]
pub fn parts(context: &Context, attribute: Attribute, limit: u64) -> Option<Vec<Attribute>> {
    let count = part_count(context, constant_type(context, attribute)?).filter(|&count| count <= limit)?;
    (0..count).map(|index| part(context, attribute, index)).collect()
}

/// The constant vector, matrix, array or structure of these parts; nothing if they are not of the right types.
#[must_use]
pub fn aggregate(context: &Context, ty: Type, parts: &[Attribute]) -> Option<Attribute> {
    if part_count(context, ty)? != parts.len() as u64 {
        return None;
    }
    for (index, &value) in parts.iter().enumerate() {
        if constant_type(context, value) != part_type(context, ty, index as u64) {
            return None;
        }
    }
    if let Some(elementwise) = ElementwiseType::of(context, ty) {
        let lanes: Lanes = parts.iter().map(|&value| scalar(context, value)).collect::<Option<_>>()?;
        return Some(lanes_attribute(context, elementwise, &lanes));
    }
    if parts.iter().all(|&value| is_zero(context, value)) {
        return Some(zero(context, ty));
    }
    Some(AggregateAttribute { ty, parts: parts.to_vec() }.intern(context))
}
