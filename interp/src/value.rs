//! Values.

use fermata_ir::{Attribute, Context, Type};
use fermata_xir::constant;
use fermata_xir::layout::Layouts;
use fermata_xir::types::{ElementwiseType, part_count, part_type};
use smallvec::SmallVec;

use crate::memory::{Codec, Object};

/// A value of an SSA value or in an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// The bits of a scalar, or of each lane of a vector.
    Lanes(SmallVec<[u64; 4]>),
    /// The parts of a matrix, array or structure.
    Parts(Vec<Value>),
    /// A reference to memory.
    Reference(Reference),
    /// A buffer, by its number in the machine.
    Buffer(usize),
    /// The frame of a split coroutine.
    Frame,
}

/// Where a reference is to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reference {
    /// Nothing: an element of a buffer out of bounds.
    Null,
    /// Bytes of an object of this instance.
    Local {
        /// The object's number in the instance.
        object: usize,
        /// Offset in bytes.
        offset: usize,
    },
    /// Bytes of a buffer.
    Buffer {
        /// The buffer's number.
        buffer: usize,
        /// Offset in bytes.
        offset: usize,
    },
}

impl Value {
    /// A scalar by its bits.
    #[must_use]
    pub fn scalar(bits: u64) -> Self {
        Self::Lanes(smallvec::smallvec![bits])
    }

    /// The bits of a scalar, or of the first lane.
    ///
    /// # Panics
    /// If the value is no scalar or vector, which the verifier rules out where this is called.
    #[must_use]
    pub fn bits(&self) -> u64 {
        self.lanes()[0]
    }

    /// The bits of the lanes.
    ///
    /// # Panics
    /// If the value is no scalar or vector, which the verifier rules out where this is called.
    #[must_use]
    pub fn lanes(&self) -> &[u64] {
        match self {
            Self::Lanes(lanes) => lanes,
            other => unreachable!("the verifier has checked that this is a scalar or a vector, not {other:?}"),
        }
    }

    /// The parts of a vector or aggregate.
    #[must_use]
    pub fn parts(&self) -> Vec<Value> {
        match self {
            Self::Lanes(lanes) => lanes.iter().map(|&bits| Self::scalar(bits)).collect(),
            Self::Parts(parts) => parts.clone(),
            other => unreachable!("the verifier has checked that this has parts, not {other:?}"),
        }
    }

    /// One part of a vector or aggregate.
    #[must_use]
    pub fn part(&self, index: usize) -> Value {
        match self {
            Self::Lanes(lanes) => Self::scalar(lanes[index]),
            Self::Parts(parts) => parts[index].clone(),
            other => unreachable!("the verifier has checked that this has parts, not {other:?}"),
        }
    }

    /// With the part that a path leads to replaced.
    pub(crate) fn set(&mut self, path: &[usize], part: Value) {
        match (self, path) {
            (this, []) => *this = part,
            (Self::Lanes(lanes), &[index]) => lanes[index] = part.bits(),
            (Self::Parts(parts), [index, rest @ ..]) => parts[*index].set(rest, part),
            (other, _) => unreachable!("the verifier has checked that the path leads into the value, not {other:?}"),
        }
    }

    /// The value of a type from its parts.
    #[must_use]
    pub fn from_parts(context: &Context, ty: Type, parts: Vec<Value>) -> Self {
        if ElementwiseType::of(context, ty).is_some() {
            Self::Lanes(parts.iter().map(Value::bits).collect())
        } else {
            Self::Parts(parts)
        }
    }

    /// A value of a type from its bytes in memory; nothing if the type is no value type or has another size.
    #[must_use]
    pub fn from_bytes(context: &Context, ty: Type, bytes: &[u8]) -> Option<Self> {
        let size = Layouts::new(context).of(ty).ok()?.stride() as usize;
        (size == bytes.len()).then(|| {
            let object = Object { bytes: bytes.to_vec(), written: vec![true; size] };
            Codec::new(context).read(&object, 0, ty).0
        })
    }

    /// The value of a type whose bits are all zero.
    ///
    /// # Panics
    /// If the type is no value type.
    #[must_use]
    pub fn zero(context: &Context, ty: Type) -> Self {
        if let Some(elementwise) = ElementwiseType::of(context, ty) {
            return Self::Lanes(SmallVec::from_elem(0, elementwise.lanes() as usize));
        }
        let count = part_count(context, ty).expect("only a value type has a zero");
        let part = |index| part_type(context, ty, index).expect("the index is below the count");
        Self::Parts((0..count).map(|index| Self::zero(context, part(index))).collect())
    }

    /// A constant.
    #[must_use]
    pub(crate) fn constant(context: &Context, attribute: Attribute) -> Option<Self> {
        let ty = constant::constant_type(context, attribute)?;
        if ElementwiseType::of(context, ty).is_some() {
            return constant::lanes(context, attribute).map(|lanes| Self::Lanes(lanes.iter().copied().collect()));
        }
        if constant::is_zero(context, attribute) {
            return Some(Self::zero(context, ty));
        }
        let count = part_count(context, ty)?;
        let parts = (0..count).map(|index| Self::constant(context, constant::part(context, attribute, index)?));
        parts.collect::<Option<_>>().map(Self::Parts)
    }
}
