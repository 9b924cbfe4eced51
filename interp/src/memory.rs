//! Memory that remembers what has been written.

use fermata_ir::{Context, Type};
use fermata_xir::layout::Layouts;
use fermata_xir::semantics::{IntegerWidth, ScalarType};
use fermata_xir::types::{ElementwiseType, part_count, part_type};
use smallvec::SmallVec;

use crate::value::Value;

/// Bytes, each written or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Object {
    pub(crate) bytes: Vec<u8>,
    pub(crate) written: Vec<bool>,
}

impl Object {
    pub(crate) fn new(size: usize) -> Self {
        Self { bytes: vec![0; size], written: vec![false; size] }
    }
}

/// The elements of a buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BufferMemory {
    pub(crate) object: Object,
    pub(crate) element: Type,
    pub(crate) stride: usize,
    pub(crate) count: usize,
}

impl BufferMemory {
    /// A buffer of elements of a type, from their bytes in memory; all count as written.
    #[must_use]
    pub fn new(context: &Context, element: Type, bytes: Vec<u8>) -> Option<Self> {
        let stride = Layouts::new(context).of(element).ok()?.stride() as usize;
        let count = bytes.len() / stride;
        let written = vec![true; bytes.len()];
        (count * stride == bytes.len()).then_some(Self { object: Object { bytes, written }, element, stride, count })
    }

    /// The elements as bytes in memory.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.object.bytes
    }
}

/// Reads and writes values at the offsets of their layout.
pub(crate) struct Codec<'c> {
    context: &'c Context,
    pub(crate) layouts: Layouts<'c>,
}

impl<'c> Codec<'c> {
    pub(crate) fn new(context: &'c Context) -> Self {
        Self { context, layouts: Layouts::new(context) }
    }

    pub(crate) fn size(&mut self, ty: Type) -> usize {
        self.layouts.of(ty).map_or(0, |layout| layout.size as usize)
    }

    pub(crate) fn offset(&mut self, ty: Type, part: u64) -> usize {
        self.layouts.part_offset(ty, part).expect("the verifier has checked that there is such a part") as usize
    }

    /// Reads a value; says whether all of it had been written.
    pub(crate) fn read(&mut self, object: &Object, offset: usize, ty: Type) -> (Value, bool) {
        if let Some(elementwise) = ElementwiseType::of(self.context, ty) {
            let mut all_written = true;
            let size = bytes_of(elementwise.scalar);
            let lane = |lane: usize| {
                let start = offset + lane * size;
                all_written &= object.written[start..start + size].iter().all(|&written| written);
                let mut word = [0; 8];
                word[..size].copy_from_slice(&object.bytes[start..start + size]);
                let bits = u64::from_le_bytes(word);
                // Any set bit of a boolean's byte counts.
                if elementwise.scalar == ScalarType::Integer(IntegerWidth::W1) { u64::from(bits != 0) } else { bits }
            };
            let lanes: SmallVec<[u64; 4]> = (0..elementwise.lanes() as usize).map(lane).collect();
            return (Value::Lanes(lanes), all_written);
        }
        let mut all_written = true;
        let count = part_count(self.context, ty).expect("what memory holds has parts or is elementwise");
        let mut parts = Vec::with_capacity(count as usize);
        for index in 0..count {
            let part = part_type(self.context, ty, index).expect("the index is below the count");
            let start = offset + self.offset(ty, index);
            let (value, written) = self.read(object, start, part);
            all_written &= written;
            parts.push(value);
        }
        (Value::Parts(parts), all_written)
    }

    /// Writes a value.
    pub(crate) fn write(&mut self, object: &mut Object, offset: usize, ty: Type, value: &Value) {
        if let Some(elementwise) = ElementwiseType::of(self.context, ty) {
            let size = bytes_of(elementwise.scalar);
            for (lane, bits) in value.lanes().iter().enumerate() {
                let start = offset + lane * size;
                object.bytes[start..start + size].copy_from_slice(&bits.to_le_bytes()[..size]);
                object.written[start..start + size].fill(true);
            }
            return;
        }
        let Value::Parts(parts) = value else { unreachable!("an aggregate has parts") };
        for (index, part) in parts.iter().enumerate() {
            let part_type = part_type(self.context, ty, index as u64).expect("the value is of the type");
            let start = offset + self.offset(ty, index as u64);
            self.write(object, start, part_type, part);
        }
    }
}

fn bytes_of(scalar: ScalarType) -> usize {
    scalar.bits().div_ceil(8) as usize
}
