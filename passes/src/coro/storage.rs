//! How values are kept in a frame.

use fermata_ir::types::{FloatKind, Signedness};
use fermata_ir::{Body, Context, Type, TypeKind};
use fermata_xir::layout::Layouts;
use fermata_xir::types::{RefType, part_count, part_type, uniform_part_type};

use crate::coro::analysis::Item;

/// Aggregates of more scalars than this stay whole: taking them apart would trade one copy for very many moves.
const LARGEST_TAKEN_APART: usize = 32;

/// Whether a type is a reference to memory.
pub(crate) fn is_reference(context: &Context, ty: Type) -> bool {
    ty.is::<RefType>(context)
}

/// The type of what an item keeps.
pub(crate) fn item_type(context: &Context, body: &Body, item: Item) -> Type {
    match item {
        Item::Value(value) => body.value_type(value),
        Item::Snapshot(suspend, number) => body.value_type(body.operand(suspend, number as usize)),
        Item::Memory(reference) => body
            .value_type(reference)
            .downcast::<RefType>(context)
            .map(|reference| reference.pointee)
            .expect("the memory of an allocation is named by a reference"),
    }
}

/// The width in bits of a scalar that a frame can hold.
pub(crate) fn scalar_bits(context: &Context, ty: Type) -> Option<u32> {
    match *ty.kind(context) {
        TypeKind::Integer { width: width @ (1 | 8 | 16 | 32 | 64), signedness: Signedness::Signless } => Some(width),
        TypeKind::Float(kind @ (FloatKind::F16 | FloatKind::F32 | FloatKind::F64)) => Some(kind.width()),
        _ => None,
    }
}

/// The bytes that a value takes in a frame when its scalars are packed, a boolean counting as one byte; nothing if no
/// frame can hold it.
pub(crate) fn bytes(context: &Context, ty: Type) -> Option<u64> {
    if let Some(bits) = scalar_bits(context, ty) {
        return Some(u64::from(bits.div_ceil(8)));
    }
    let count = part_count(context, ty)?;
    match uniform_part_type(context, ty) {
        Some(part) => bytes(context, part)?.checked_mul(count),
        None => {
            (0..count).try_fold(0_u64, |sum, index| sum.checked_add(bytes(context, part_type(context, ty, index)?)?))
        }
    }
}

/// The atoms of a value of this type, with the indices that lead to each: its scalars, or itself if there are too many
/// of them.
pub(crate) fn leaves(context: &Context, whole: Type) -> Vec<(Vec<u32>, Type)> {
    let mut found = Vec::new();
    let mut pending = vec![(Vec::new(), whole)];
    while let Some((path, ty)) = pending.pop() {
        let Some(count) = part_count(context, ty) else {
            found.push((path, ty));
            continue;
        };
        if count as usize + found.len() + pending.len() > LARGEST_TAKEN_APART {
            return vec![(Vec::new(), whole)];
        }
        for index in (0..count).rev() {
            let mut path: Vec<u32> = path.clone();
            path.push(index as u32);
            pending.push((path, part_type(context, ty, index).expect("the index is below the count")));
        }
    }
    found
}

/// The 32-bit words that a value which stays whole takes in a frame: its size in memory, rounded up.
pub(crate) fn whole_words(context: &Context, ty: Type) -> u32 {
    let size = Layouts::new(context).of(ty).map_or(u64::MAX, |layout| layout.size);
    u32::try_from(size.div_ceil(4)).unwrap_or(u32::MAX)
}

/// A scalar of a value: the indices that lead to it, its offset in memory in bytes, its type.
pub(crate) struct Scalar {
    pub(crate) path: Vec<u32>,
    pub(crate) offset: u32,
    pub(crate) ty: Type,
}

/// All scalars of a value that stays whole, in order. In a frame they lie as in memory.
pub(crate) fn scalars_of_whole(context: &Context, whole: Type) -> Vec<Scalar> {
    let mut layouts = Layouts::new(context);
    let mut found = Vec::new();
    let mut pending = vec![Scalar { path: Vec::new(), offset: 0, ty: whole }];
    while let Some(scalar) = pending.pop() {
        let Some(count) = part_count(context, scalar.ty) else {
            found.push(scalar);
            continue;
        };
        for index in (0..count).rev() {
            let offset = layouts.part_offset(scalar.ty, index).expect("a value that a frame holds has a layout");
            let mut path = scalar.path.clone();
            path.push(index as u32);
            let ty = part_type(context, scalar.ty, index).expect("the index is below the count");
            pending.push(Scalar { path, offset: scalar.offset + offset as u32, ty });
        }
    }
    found
}
