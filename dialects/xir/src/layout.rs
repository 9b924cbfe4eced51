//! Where values lie in memory: the rules of WGSL, extended to all scalar types.
//!
//! The lowering, the runtime and the host's mirror of a kernel's types all ask this module, so that they agree.
//!
//! | type | size | alignment |
//! |---|---|---|
//! | `i1` | 1 | 1 |
//! | other scalars of n bits | n / 8 | n / 8 |
//! | vector of 2 | 2 s | 2 s |
//! | vector of 3 | 3 s | 4 s |
//! | vector of 4 | 4 s | 4 s |
//! | matrix of N columns | as an array of N vectors | that of the column |
//! | array of N elements | N strides | that of the element |
//! | structure | end of the last member, rounded up to the alignment | the greatest of the members, or more if it says so |
//!
//! where s is the size of the scalar. A *stride* is a size rounded up to the alignment. A member lies at the end of the
//! member before, rounded up to its own alignment, so a scalar may follow a vector of three in its fourth place. An `i1`
//! in memory is a byte: 0 or 1 is written, and any set bit reads as 1. All is little-endian. Padding holds nothing: it
//! need not survive a copy.

use std::error::Error;
use std::fmt;

use fermata_ir::{Context, Type};
use rustc_hash::FxHashMap;

use crate::semantics::ScalarType;
use crate::types::{ArrayType, ElementwiseType, MatrixType, StructType};

/// A value takes fewer bytes than this, so that offsets fit in an `i32`.
pub const SIZE_LIMIT: u64 = 1 << 31;

/// Size and alignment of a type in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    /// Bytes from the start of the value to the end of its last part, for structures rounded up to the alignment.
    pub size: u64,
    /// Addresses of values are multiples of this power of two, in bytes.
    pub alignment: u64,
}

/// A type whose values would take [`SIZE_LIMIT`] bytes or more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// Aggregates nest no deeper than this, so that what walks them may recurse.
pub const NESTING_LIMIT: u32 = 64;

/// Why a type has no layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayoutError {
    /// It is no value type.
    NoValue,
    /// See [`TooLarge`].
    TooLarge,
    /// It nests deeper than [`NESTING_LIMIT`].
    TooDeep,
}

impl From<TooLarge> for LayoutError {
    fn from(TooLarge: TooLarge) -> Self {
        Self::TooLarge
    }
}

impl fmt::Display for LayoutError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoValue => write!(formatter, "memory cannot hold a value of this type"),
            Self::TooLarge => write!(formatter, "a value of this type would take {SIZE_LIMIT} bytes or more"),
            Self::TooDeep => write!(formatter, "aggregates nest more than {NESTING_LIMIT} deep"),
        }
    }
}

impl Error for LayoutError {}

impl Layout {
    /// The layout of a scalar.
    #[must_use]
    pub const fn scalar(ty: ScalarType) -> Self {
        let bytes = ty.bits().div_ceil(8) as u64;
        Self { size: bytes, alignment: bytes }
    }

    /// The layout of a vector of `lanes` scalars, from 2 to 4.
    #[must_use]
    pub const fn vector(lanes: u64, ty: ScalarType) -> Self {
        let scalar = Self::scalar(ty).size;
        Self { size: lanes * scalar, alignment: lanes.next_power_of_two() * scalar }
    }

    /// The layout of a matrix of `columns` vectors of as many scalars, from 2 to 4.
    #[must_use]
    pub const fn matrix(columns: u64, ty: ScalarType) -> Self {
        let column = Self::vector(columns, ty);
        Self { size: columns * column.stride(), alignment: column.alignment }
    }

    /// The layout of an array of `count` elements.
    ///
    /// # Errors
    /// [`TooLarge`] if the array is.
    pub fn array(count: u64, element: Self) -> Result<Self, TooLarge> {
        let size = element.stride().checked_mul(count).filter(|&size| size < SIZE_LIMIT).ok_or(TooLarge)?;
        Ok(Self { size, alignment: element.alignment })
    }

    /// The layout of a structure, and the offset of each member in bytes. The alignment is at least `minimum_alignment`,
    /// a power of two.
    ///
    /// # Errors
    /// [`TooLarge`] if the structure is.
    pub fn structure(
        members: impl IntoIterator<Item = Self>,
        minimum_alignment: u64,
    ) -> Result<(Self, Vec<u64>), TooLarge> {
        let mut end = 0;
        let mut alignment = minimum_alignment;
        let mut offsets = Vec::new();
        for member in members {
            let offset = round_up(end, member.alignment);
            offsets.push(offset);
            end = offset + member.size;
            if end >= SIZE_LIMIT {
                return Err(TooLarge);
            }
            alignment = alignment.max(member.alignment);
        }
        let size = round_up(end, alignment);
        if size >= SIZE_LIMIT {
            return Err(TooLarge);
        }
        Ok((Self { size, alignment }, offsets))
    }

    /// The distance between elements of this layout in an array or a buffer, in bytes.
    #[must_use]
    pub const fn stride(self) -> u64 {
        round_up(self.size, self.alignment)
    }
}

/// The least multiple of a power of two that is not less.
const fn round_up(value: u64, alignment: u64) -> u64 {
    value.next_multiple_of(alignment)
}

/// The layouts of types, each worked out once: time is linear in the number of distinct types asked for, with their parts.
pub struct Layouts<'c> {
    context: &'c Context,
    known: FxHashMap<Type, Result<Known, LayoutError>>,
}

/// A layout, and how deep the type nests.
#[derive(Clone, Copy)]
struct Known {
    layout: Layout,
    height: u32,
}

impl<'c> Layouts<'c> {
    /// Nothing worked out yet.
    #[must_use]
    pub fn new(context: &'c Context) -> Self {
        Self { context, known: FxHashMap::default() }
    }

    /// The layout of a value type.
    ///
    /// # Errors
    /// If the type has none.
    pub fn of(&mut self, ty: Type) -> Result<Layout, LayoutError> {
        self.within(ty, NESTING_LIMIT).map(|known| known.layout)
    }

    /// The layout of an array type.
    ///
    /// # Errors
    /// If it has none.
    pub fn array(&mut self, array: &ArrayType) -> Result<Layout, LayoutError> {
        self.array_within(array, NESTING_LIMIT).map(|known| known.layout)
    }

    /// The layout of a structure type, and the offsets of its members in bytes.
    ///
    /// # Errors
    /// If it has none.
    pub fn structure(&mut self, structure: &StructType) -> Result<(Layout, Vec<u64>), LayoutError> {
        self.structure_within(structure, NESTING_LIMIT).map(|(known, offsets)| (known.layout, offsets))
    }

    /// The distance in bytes between parts of a vector, matrix or array.
    ///
    /// # Errors
    /// If the type has no layout, or no parts of one type.
    pub fn part_stride(&mut self, ty: Type) -> Result<u64, LayoutError> {
        let part = crate::types::uniform_part_type(self.context, ty).ok_or(LayoutError::NoValue)?;
        Ok(self.of(part)?.stride())
    }

    /// The offset in bytes of a part from the start of a vector, matrix, array or structure.
    ///
    /// # Errors
    /// If the type has no layout, or no such part.
    pub fn part_offset(&mut self, ty: Type, index: u64) -> Result<u64, LayoutError> {
        self.of(ty)?;
        if crate::types::part_type(self.context, ty, index).is_none() {
            return Err(LayoutError::NoValue);
        }
        match ty.downcast::<StructType>(self.context) {
            Some(structure) => Ok(self.structure(structure)?.1[index as usize]),
            None => Ok(self.part_stride(ty)? * index),
        }
    }

    /// The layout of a type that may nest so deep. What was found too deep at one place may be fine at another, so that
    /// alone is not remembered.
    fn within(&mut self, ty: Type, depth: u32) -> Result<Known, LayoutError> {
        if let Some(&known) = self.known.get(&ty) {
            return known.and_then(|known| if known.height > depth { Err(LayoutError::TooDeep) } else { Ok(known) });
        }
        let result = self.compute(ty, depth);
        if !matches!(result, Err(LayoutError::TooDeep)) {
            self.known.insert(ty, result);
        }
        result
    }

    fn compute(&mut self, ty: Type, depth: u32) -> Result<Known, LayoutError> {
        if let Some(ElementwiseType { scalar, vector }) = ElementwiseType::of(self.context, ty) {
            let layout = vector.map_or(Layout::scalar(scalar), |lanes| Layout::vector(lanes, scalar));
            return Ok(Known { layout, height: 0 });
        }
        if let Some(matrix) = ty.downcast::<MatrixType>(self.context) {
            let scalar = ScalarType::of(self.context, matrix.element).ok_or(LayoutError::NoValue)?;
            return Ok(Known { layout: Layout::matrix(matrix.columns.into(), scalar), height: 0 });
        }
        if let Some(array) = ty.downcast::<ArrayType>(self.context) {
            return self.array_within(array, depth);
        }
        let structure = ty.downcast::<StructType>(self.context).ok_or(LayoutError::NoValue)?;
        self.structure_within(structure, depth).map(|(known, _)| known)
    }

    fn array_within(&mut self, array: &ArrayType, depth: u32) -> Result<Known, LayoutError> {
        let depth = depth.checked_sub(1).ok_or(LayoutError::TooDeep)?;
        let element = self.within(array.element, depth)?;
        Ok(Known { layout: Layout::array(array.count, element.layout)?, height: element.height + 1 })
    }

    fn structure_within(&mut self, structure: &StructType, depth: u32) -> Result<(Known, Vec<u64>), LayoutError> {
        let depth = depth.checked_sub(1).ok_or(LayoutError::TooDeep)?;
        let mut members = Vec::with_capacity(structure.members.len());
        let mut height = 0;
        for &member in &structure.members {
            let member = self.within(member, depth)?;
            height = height.max(member.height);
            members.push(member.layout);
        }
        let (layout, offsets) = Layout::structure(members, structure.alignment.into())?;
        Ok((Known { layout, height: height + 1 }, offsets))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::semantics::{FloatFormat, IntegerWidth};

    const F16: ScalarType = ScalarType::Float(FloatFormat::F16);
    const F32: ScalarType = ScalarType::Float(FloatFormat::F32);
    const I1: ScalarType = ScalarType::Integer(IntegerWidth::W1);
    const I32: ScalarType = ScalarType::Integer(IntegerWidth::W32);
    const I64: ScalarType = ScalarType::Integer(IntegerWidth::W64);

    fn layout(alignment: u64, size: u64) -> Layout {
        Layout { size, alignment }
    }

    /// The table "Alignment and size for host-shareable types" of the WGSL specification.
    #[test]
    fn sizes_and_alignments_are_those_of_wgsl() {
        assert_eq!(Layout::scalar(I32), layout(4, 4));
        assert_eq!(Layout::scalar(F32), layout(4, 4));
        assert_eq!(Layout::scalar(F16), layout(2, 2));
        assert_eq!(Layout::vector(2, F32), layout(8, 8));
        assert_eq!(Layout::vector(2, F16), layout(4, 4));
        assert_eq!(Layout::vector(3, F32), layout(16, 12));
        assert_eq!(Layout::vector(3, F16), layout(8, 6));
        assert_eq!(Layout::vector(4, F32), layout(16, 16));
        assert_eq!(Layout::vector(4, F16), layout(8, 8));
        assert_eq!(Layout::matrix(2, F32), layout(8, 16));
        assert_eq!(Layout::matrix(2, F16), layout(4, 8));
        assert_eq!(Layout::matrix(3, F32), layout(16, 48));
        assert_eq!(Layout::matrix(3, F16), layout(8, 24));
        assert_eq!(Layout::matrix(4, F32), layout(16, 64));
        assert_eq!(Layout::matrix(4, F16), layout(8, 32));
    }

    /// The example "Layout of structures using implicit member sizes and alignments" of the WGSL specification.
    #[test]
    fn structures_are_laid_out_as_in_the_specification_s_example() {
        let (inner, offsets) = Layout::structure(
            [Layout::scalar(F32), Layout::scalar(F32), Layout::vector(2, F32), Layout::scalar(F32)],
            1,
        )
        .expect("it is small");
        assert_eq!((inner, offsets), (layout(8, 24), vec![0, 4, 8, 16]));
        let members = [
            Layout::vector(2, F32),
            Layout::vector(3, F32),
            Layout::scalar(F32),
            Layout::scalar(F32),
            inner,
            Layout::vector(3, F32),
            Layout::array(3, inner).expect("it is small"),
            Layout::scalar(I32),
        ];
        let (outer, offsets) = Layout::structure(members, 1).expect("it is small");
        assert_eq!((outer, offsets), (layout(16, 160), vec![0, 16, 28, 32, 40, 64, 80, 152]));
    }

    #[test]
    fn what_wgsl_does_not_have_follows_the_same_rules() {
        assert_eq!(Layout::scalar(I1), layout(1, 1));
        assert_eq!(Layout::vector(3, I1), layout(4, 3));
        assert_eq!(Layout::scalar(I64), layout(8, 8));
        assert_eq!(Layout::vector(3, I64), layout(32, 24));
        assert_eq!(Layout::array(5, Layout::vector(3, F32)), Ok(layout(16, 80)));
        assert_eq!(Layout::structure([Layout::scalar(F32)], 16), Ok((layout(16, 16), vec![0])));
    }

    #[test]
    fn large_types_are_refused() {
        let byte = Layout::scalar(ScalarType::Integer(IntegerWidth::W8));
        assert!(Layout::array(SIZE_LIMIT - 1, byte).is_ok());
        assert_eq!(Layout::array(SIZE_LIMIT, byte), Err(TooLarge));
        assert_eq!(Layout::array(u64::MAX, Layout::scalar(I64)), Err(TooLarge));
        let half = Layout::array(SIZE_LIMIT / 2, byte).expect("it is half of the limit");
        assert_eq!(Layout::structure([half, half], 1), Err(TooLarge));
    }
}
