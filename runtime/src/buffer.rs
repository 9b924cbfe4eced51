//! Buffers.

use aligned_vec::{AVec, ConstAlign};
use fermata_ir::{Context, Type};

use crate::encode::{Number, Shape};

/// No value type is aligned to more than this.
const ALIGNMENT: usize = 256;

pub(crate) type Bytes = AVec<u8, ConstAlign<ALIGNMENT>>;

pub(crate) fn zeros(length: usize) -> Bytes {
    let mut bytes = AVec::with_capacity(ALIGNMENT, length.max(1));
    bytes.resize(length, 0);
    bytes
}

/// Elements of one type in memory, as a kernel's buffer argument sees them.
#[derive(Clone, Debug)]
pub struct Buffer {
    pub(crate) element: Type,
    pub(crate) bytes: Bytes,
    pub(crate) count: usize,
    shape: Shape,
}

impl Buffer {
    /// A buffer of `count` elements that are zero; nothing if memory cannot hold them.
    #[must_use]
    pub fn new(context: &Context, element: Type, count: usize) -> Option<Self> {
        let shape = Shape::of(context, element)?;
        let length = count.checked_mul(shape.stride).filter(|&length| length <= isize::MAX as usize)?;
        Some(Self { element, bytes: zeros(length), count, shape })
    }

    /// Type of the elements.
    #[must_use]
    pub fn element(&self) -> Type {
        self.element
    }

    /// Number of elements.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The scalars of an element.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The elements as bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The elements as bytes, to be written.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// Sets one element.
    ///
    /// # Panics
    /// If there is no such element, or the element has another number of scalars.
    pub fn set(&mut self, index: usize, numbers: &[Number]) {
        let stride = self.shape.stride;
        self.shape.write(numbers, &mut self.bytes[index * stride..(index + 1) * stride]);
    }

    /// The numbers of one element.
    ///
    /// # Panics
    /// If there is no such element.
    #[must_use]
    pub fn get(&self, index: usize) -> Vec<Number> {
        let stride = self.shape.stride;
        self.shape.read(&self.bytes[index * stride..(index + 1) * stride])
    }
}
