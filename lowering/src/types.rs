//! Types.
//!
//! A value type has two forms: that of values in registers (LLVM's own scalars, vectors, arrays and structures), and that
//! in memory, which is bytes at the offsets of [`layout`]. LLVM never lays out anything itself.

use std::cell::RefCell;

use fermata_ir::{Context, Type};
use fermata_xir::layout::{Layout, Layouts};
use fermata_xir::semantics::{FloatFormat, ScalarType};
use fermata_xir::types::{BufferType, ElementwiseType, RefType, parts};
use inkwell::AddressSpace;
use inkwell::context::ContextRef;
use inkwell::types::{BasicType, BasicTypeEnum, IntType, PointerType, StructType};

/// Translates types.
pub(crate) struct Types<'c, 'l> {
    context: &'c Context,
    llvm: ContextRef<'l>,
    layouts: RefCell<Layouts<'c>>,
}

impl<'c, 'l> Types<'c, 'l> {
    pub(crate) fn new(context: &'c Context, llvm: ContextRef<'l>) -> Self {
        Self { context, llvm, layouts: RefCell::new(Layouts::new(context)) }
    }

    /// The type of a value in a register; nothing for a type that has none on this target.
    pub(crate) fn register(&self, ty: Type) -> Option<BasicTypeEnum<'l>> {
        if let Some(elementwise) = ElementwiseType::of(self.context, ty) {
            return Some(self.elementwise(elementwise));
        }
        if ty.is::<RefType>(self.context) {
            return Some(self.pointer().into());
        }
        if ty.is::<BufferType>(self.context) {
            return Some(self.buffer().into());
        }
        let parts = parts(self.context, ty)?;
        match parts.split_first() {
            Some((&first, rest)) if rest.iter().all(|&part| part == first) && !is_structure(self.context, ty) => {
                Some(self.register(first)?.array_type(parts.len() as u32).into())
            }
            _ => {
                let members = parts.into_iter().map(|part| self.register(part)).collect::<Option<Vec<_>>>()?;
                Some(self.llvm.struct_type(&members, false).into())
            }
        }
    }

    pub(crate) fn elementwise(&self, ty: ElementwiseType) -> BasicTypeEnum<'l> {
        let scalar = self.scalar(ty.scalar);
        match ty.vector {
            None => scalar,
            Some(lanes) => match scalar {
                BasicTypeEnum::IntType(scalar) => scalar.vec_type(lanes as u32).into(),
                BasicTypeEnum::FloatType(scalar) => scalar.vec_type(lanes as u32).into(),
                _ => unreachable!("a scalar is an integer or a float"),
            },
        }
    }

    pub(crate) fn scalar(&self, ty: ScalarType) -> BasicTypeEnum<'l> {
        match ty {
            ScalarType::Integer(width) => self.integer(width.bits()).into(),
            ScalarType::Float(FloatFormat::F16) => self.llvm.f16_type().into(),
            ScalarType::Float(FloatFormat::F32) => self.llvm.f32_type().into(),
            ScalarType::Float(FloatFormat::F64) => self.llvm.f64_type().into(),
        }
    }

    /// The integer type of so many bits, at least one.
    pub(crate) fn integer(&self, bits: u32) -> IntType<'l> {
        let bits = std::num::NonZeroU32::new(bits).expect("an integer has bits");
        self.llvm.custom_width_int_type(bits).expect("LLVM has integers of up to 128 bits")
    }

    pub(crate) fn pointer(&self) -> PointerType<'l> {
        self.llvm.ptr_type(AddressSpace::default())
    }

    /// A buffer: address of its elements, and how many there are.
    pub(crate) fn buffer(&self) -> StructType<'l> {
        self.llvm.struct_type(&[self.pointer().into(), self.llvm.i64_type().into()], false)
    }

    /// Size and alignment of a value type in memory.
    pub(crate) fn layout(&self, ty: Type) -> Layout {
        self.layouts.borrow_mut().of(ty).expect("the verifier has found a layout for every type in memory")
    }

    /// Offset in bytes of a part of a value type in memory.
    pub(crate) fn offset(&self, ty: Type, part: u64) -> u64 {
        let offset = self.layouts.borrow_mut().part_offset(ty, part);
        offset.expect("the verifier has checked that there is such a part")
    }

    /// Distance in bytes between the equal parts of a value type in memory.
    pub(crate) fn part_stride(&self, ty: Type) -> u64 {
        self.layouts.borrow_mut().part_stride(ty).expect("the verifier has checked that the parts are equal")
    }
}

fn is_structure(context: &Context, ty: Type) -> bool {
    ty.is::<fermata_xir::types::StructType>(context)
}
