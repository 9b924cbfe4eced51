//! Numbers as bytes in the layout that kernels see.

use fermata_ir::{Context, Type};
use fermata_xir::layout::Layouts;
use fermata_xir::semantics::{FloatFormat, ScalarType};
use fermata_xir::types::{ElementwiseType, part_count, part_type};

/// A number that host code gives or takes, of no particular width.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// An integer or boolean.
    Integer(i128),
    /// A floating-point number.
    Float(f64),
}

impl Number {
    /// The bits of a scalar type that hold this number: integers wrap, floats are rounded, and an integer becomes a
    /// float and a float an integer by XIR's conversions.
    #[must_use]
    pub fn to_bits(self, ty: ScalarType) -> u64 {
        match (self, ty) {
            (Self::Integer(value), ScalarType::Integer(width)) => width.truncate(value as u64),
            (Self::Float(value), ScalarType::Integer(width)) => {
                let value = (value as i64).clamp(width.minimum(), width.maximum());
                width.truncate(value.cast_unsigned())
            }
            (Self::Integer(value), ScalarType::Float(FloatFormat::F32)) => u64::from((value as f32).to_bits()),
            (Self::Integer(value), ScalarType::Float(format)) => format.from_f64(value as f64),
            (Self::Float(value), ScalarType::Float(FloatFormat::F32)) => u64::from((value as f32).to_bits()),
            (Self::Float(value), ScalarType::Float(format)) => format.from_f64(value),
        }
    }

    /// The number that bits of a scalar type are; integers are read as signed, booleans as 0 and 1.
    #[must_use]
    pub fn from_bits(bits: u64, ty: ScalarType) -> Self {
        match ty {
            ScalarType::Integer(width) if width.bits() == 1 => Self::Integer(i128::from(bits & 1)),
            ScalarType::Integer(width) => Self::Integer(width.sign_extend(bits).into()),
            ScalarType::Float(format) => Self::Float(format.to_f64(bits)),
        }
    }
}

/// The scalars of a value type: where each lies and of what type it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Offset in bytes and type of each scalar, in order.
    pub scalars: Vec<(usize, ScalarType)>,
    /// Bytes from one value to the next in a buffer.
    pub stride: usize,
}

impl Shape {
    /// The scalars of a value type; nothing for a type that memory cannot hold.
    #[must_use]
    pub fn of(context: &Context, ty: Type) -> Option<Self> {
        let mut layouts = Layouts::new(context);
        let stride = layouts.of(ty).ok()?.stride() as usize;
        let mut scalars = Vec::new();
        collect(context, &mut layouts, ty, 0, &mut scalars)?;
        Some(Self { scalars, stride })
    }

    /// Writes the numbers of one value at the start of `bytes`.
    ///
    /// # Panics
    /// If there are not as many numbers as scalars, or `bytes` is shorter than a value.
    pub fn write(&self, numbers: &[Number], bytes: &mut [u8]) {
        assert_eq!(numbers.len(), self.scalars.len(), "a value has one number for each of its scalars");
        for (&(offset, ty), number) in self.scalars.iter().zip(numbers) {
            let size = ty.bits().div_ceil(8) as usize;
            bytes[offset..offset + size].copy_from_slice(&number.to_bits(ty).to_le_bytes()[..size]);
        }
    }

    /// Reads the numbers of one value from the start of `bytes`.
    ///
    /// # Panics
    /// If `bytes` is shorter than a value.
    #[must_use]
    pub fn read(&self, bytes: &[u8]) -> Vec<Number> {
        let numbers = self.scalars.iter().map(|&(offset, ty)| {
            let size = ty.bits().div_ceil(8) as usize;
            let mut word = [0; 8];
            word[..size].copy_from_slice(&bytes[offset..offset + size]);
            Number::from_bits(u64::from_le_bytes(word), ty)
        });
        numbers.collect()
    }
}

fn collect(
    context: &Context,
    layouts: &mut Layouts<'_>,
    ty: Type,
    base: usize,
    scalars: &mut Vec<(usize, ScalarType)>,
) -> Option<()> {
    if let Some(elementwise) = ElementwiseType::of(context, ty) {
        let size = elementwise.scalar.bits().div_ceil(8) as usize;
        scalars.extend((0..elementwise.lanes() as usize).map(|lane| (base + lane * size, elementwise.scalar)));
        return Some(());
    }
    // Types nest no deeper than the layout's limit, which was found to be kept when the type was made.
    for index in 0..part_count(context, ty)? {
        let offset = layouts.part_offset(ty, index).ok()? as usize;
        collect(context, layouts, part_type(context, ty, index)?, base + offset, scalars)?;
    }
    Some(())
}

/// A value argument: the bytes of one value in memory.
#[derive(Clone, Debug)]
pub struct Value(pub(crate) crate::buffer::Bytes);

impl Value {
    /// The value of a type that consists of these numbers; nothing if the type has another number of scalars.
    #[must_use]
    pub fn new(context: &Context, ty: Type, numbers: &[Number]) -> Option<Self> {
        let shape = Shape::of(context, ty)?;
        if shape.scalars.len() != numbers.len() {
            return None;
        }
        let mut bytes = crate::buffer::zeros(shape.stride);
        shape.write(numbers, &mut bytes);
        Some(Self(bytes))
    }

    /// The value as bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}
