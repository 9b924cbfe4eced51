//! Memory, buffers and atomics.
//!
//! Values are stored part by part at the offsets of the layout. A reference to an element of a buffer may be null: reads
//! through it are redirected to zeros, writes to memory that nobody looks at.

use fermata_ir::{OpRef, OperationView, Type};
use fermata_xir::attributes::{AtomicKind, Bounds};
use fermata_xir::ops::{AtomicRmw, Gep, GepIndex};
use fermata_xir::semantics::{IntegerWidth, ScalarType};
use fermata_xir::types::{AddressSpace, BufferType, ElementwiseType, RefType, part_count, part_type};
use inkwell::builder::Builder;
use inkwell::module::Linkage;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValue, BasicValueEnum, IntValue, PointerValue};
use inkwell::{AtomicOrdering, AtomicRMWBinOp, IntPredicate};

use crate::function::FunctionLowering;
use crate::lower::ModuleLowering;
use crate::values::{bitcast, built, compare_integers, float, insert_part, integer, select};

impl<'l> FunctionLowering<'_, '_, 'l, '_> {
    /// Memory for a value type, allocated once on entry to the function.
    pub(crate) fn allocate(&self, ty: Type) -> PointerValue<'l> {
        let layout = self.shared.types.layout(ty);
        let bytes = self.shared.llvm.i8_type().array_type(layout.size as u32);
        let builder = self.shared.llvm.create_builder();
        match self.entry.get_first_instruction() {
            Some(first) => builder.position_before(&first),
            None => builder.position_at_end(self.entry),
        }
        let pointer = built(builder.build_alloca(bytes, ""));
        let instruction = pointer.as_instruction_value().expect("an allocation is an instruction");
        instruction.set_alignment(layout.alignment as u32).expect("alignments are powers of two");
        pointer
    }

    fn offset(&self, pointer: PointerValue<'l>, bytes: IntValue<'l>) -> PointerValue<'l> {
        let byte = self.shared.llvm.i8_type();
        #[allow(
            unsafe_code,
            reason = "builds an instruction; that it stays inside of its object is the semantics' to say"
        )]
        let address = unsafe { self.builder.build_gep(byte, pointer, &[bytes], "") };
        built(address)
    }

    fn constant_offset(&self, pointer: PointerValue<'l>, bytes: u64) -> PointerValue<'l> {
        offset_by(self.shared, &self.builder, pointer, bytes)
    }

    /// The address of an equal part, by an index that is in range.
    pub(crate) fn part_address(&self, ty: Type, pointer: PointerValue<'l>, index: IntValue<'l>) -> PointerValue<'l> {
        let i64_type = self.shared.llvm.i64_type();
        let index = if index.get_type() == i64_type {
            index
        } else {
            built(self.builder.build_int_z_extend(index, i64_type, ""))
        };
        let stride = i64_type.const_int(self.shared.types.part_stride(ty), false);
        self.offset(pointer, built(self.builder.build_int_mul(index, stride, "")))
    }

    /// Loads a value.
    pub(crate) fn load(&self, ty: Type, pointer: PointerValue<'l>) -> BasicValueEnum<'l> {
        load_value(self.shared, &self.builder, ty, pointer)
    }

    /// Stores a value.
    pub(crate) fn store(&self, ty: Type, value: BasicValueEnum<'l>, pointer: PointerValue<'l>) {
        if let Some(parts) = stored_parts(self.shared, ty) {
            for (index, (part, offset)) in parts.into_iter().enumerate() {
                self.store(part, self.extract(value, index as u32), self.constant_offset(pointer, offset));
            }
            return;
        }
        let memory = memory_form(self.shared, ty);
        let value = match (value, memory) {
            _ if value.get_type() == memory => value,
            (BasicValueEnum::IntValue(value), BasicTypeEnum::IntType(ty)) => {
                built(self.builder.build_int_z_extend(value, ty, "")).into()
            }
            (BasicValueEnum::VectorValue(value), BasicTypeEnum::VectorType(ty)) => {
                built(self.builder.build_int_z_extend(value, ty, "")).into()
            }
            _ => unreachable!("only booleans have another form in memory"),
        };
        let store = built(self.builder.build_store(pointer, value));
        store.set_alignment(self.shared.types.layout(ty).alignment as u32).expect("alignments are powers of two");
    }

    /// Lowers operations on memory; says whether `op` is one.
    pub(crate) fn memory(&mut self, op: OpRef<'_>) -> bool {
        let operands = self.operands(op);
        let result = match op.name_str() {
            "xir.alloca" => match self.alloca(op) {
                Some(pointer) => pointer.into(),
                None => return false,
            },
            "xir.gep" => self.gep(op, &operands).into(),
            "xir.load" => {
                let reference = reference(op, 0);
                let pointer = self.readable(reference, operands[0].into_pointer_value());
                self.load(reference.pointee, pointer)
            }
            "xir.store" => {
                let reference = reference(op, 1);
                let pointer = self.writable(reference, operands[1].into_pointer_value());
                self.store(reference.pointee, operands[0], pointer);
                return true;
            }
            "xir.buffer_size" => self.extract(operands[0], 1),
            "xir.buffer_read" => {
                let element = buffer_element(op, 0);
                let pointer = self.element(op, element, operands[0], operands[1]);
                let reference = RefType { pointee: element, space: AddressSpace::Buffer };
                let pointer = if is_checked(op) { self.readable(&reference, pointer) } else { pointer };
                self.load(element, pointer)
            }
            "xir.buffer_write" => {
                let element = buffer_element(op, 1);
                let pointer = self.element(op, element, operands[1], operands[2]);
                let reference = RefType { pointee: element, space: AddressSpace::Buffer };
                let pointer = if is_checked(op) { self.writable(&reference, pointer) } else { pointer };
                self.store(element, operands[0], pointer);
                return true;
            }
            "xir.buffer_element" => {
                let element = buffer_element(op, 0);
                self.element(op, element, operands[0], operands[1]).into()
            }
            "xir.atomic_rmw" => {
                self.atomic(op, &operands);
                return true;
            }
            "xir.atomic_compare_exchange" => self.compare_exchange(op, &operands),
            _ => return false,
        };
        self.set_result(op, result);
        true
    }

    fn alloca(&self, op: OpRef<'_>) -> Option<PointerValue<'l>> {
        let reference = op.result_type(0).downcast::<RefType>(op.context)?;
        if reference.space != AddressSpace::Local {
            return None;
        }
        let pointer = self.allocate(reference.pointee);
        let layout = self.shared.types.layout(reference.pointee);
        let size = self.shared.llvm.i64_type().const_int(layout.size, false);
        let zero = self.shared.llvm.i8_type().const_zero();
        built(self.builder.build_memset(pointer, layout.alignment as u32, zero, size));
        Some(pointer)
    }

    fn gep(&self, op: OpRef<'_>, operands: &[BasicValueEnum<'l>]) -> PointerValue<'l> {
        let reference = reference(op, 0);
        let base = operands[0].into_pointer_value();
        let mut ty = reference.pointee;
        let mut pointer = base;
        for index in Gep::from_ref_unchecked(op).index_list() {
            let count = part_count(op.context, ty).expect("what is indexed has parts");
            let part = match index {
                GepIndex::Value(index) => {
                    let index = self.value(index);
                    let last = integer(index).get_type().const_int(count - 1, false);
                    let clamped = integer(self.overloaded("llvm.umin", &[index, last.into()]));
                    pointer = self.part_address(ty, pointer, clamped);
                    0
                }
                GepIndex::Constant(index) => {
                    pointer = self.constant_offset(pointer, self.shared.types.offset(ty, index as u64));
                    index as u64
                }
            };
            ty = part_type(op.context, ty, part).expect("a verified index is in range");
        }
        if reference.space != AddressSpace::Buffer {
            return pointer;
        }
        // A part of nothing is nothing.
        let is_null = built(self.builder.build_is_null(base, ""));
        let null = self.shared.types.pointer().const_null();
        select(&self.builder, is_null.into(), null.into(), pointer.into()).into_pointer_value()
    }

    /// An address to read from: zeros in place of nothing.
    fn readable(&self, reference: &RefType, pointer: PointerValue<'l>) -> PointerValue<'l> {
        if reference.space != AddressSpace::Buffer {
            return pointer;
        }
        let zeros = self.zeros(self.shared.types.layout(reference.pointee).size);
        let is_null = built(self.builder.build_is_null(pointer, ""));
        select(&self.builder, is_null.into(), zeros.into(), pointer.into()).into_pointer_value()
    }

    /// An address to write to: memory that nobody looks at in place of nothing.
    fn writable(&self, reference: &RefType, pointer: PointerValue<'l>) -> PointerValue<'l> {
        if reference.space != AddressSpace::Buffer {
            return pointer;
        }
        let nowhere = self.allocate(reference.pointee);
        let is_null = built(self.builder.build_is_null(pointer, ""));
        select(&self.builder, is_null.into(), nowhere.into(), pointer.into()).into_pointer_value()
    }

    /// So many bytes of zeros that never change.
    fn zeros(&self, bytes: u64) -> PointerValue<'l> {
        let name = format!("fermata.zeros.{bytes}");
        let global = self.shared.module.get_global(&name).unwrap_or_else(|| {
            let ty = self.shared.llvm.i8_type().array_type(bytes as u32);
            let global = self.shared.module.add_global(ty, None, &name);
            global.set_initializer(&ty.const_zero());
            global.set_constant(true);
            global.set_linkage(Linkage::Internal);
            global.set_alignment(256);
            global
        });
        global.as_pointer_value()
    }

    /// The address of an element of a buffer, or null if the index is out of bounds and may be.
    fn element(
        &self,
        op: OpRef<'_>,
        element: Type,
        buffer: BasicValueEnum<'l>,
        index: BasicValueEnum<'l>,
    ) -> PointerValue<'l> {
        let i64_type = self.shared.llvm.i64_type();
        let data = self.extract(buffer, 0).into_pointer_value();
        let count = integer(self.extract(buffer, 1));
        let index = integer(index);
        let index = if index.get_type() == i64_type {
            index
        } else {
            built(self.builder.build_int_z_extend(index, i64_type, ""))
        };
        let in_bounds = built(self.builder.build_int_compare(IntPredicate::ULT, index, count, ""));
        let stride = i64_type.const_int(self.shared.types.layout(element).stride(), false);
        let address = self.offset(data, built(self.builder.build_int_mul(index, stride, "")));
        match bounds(op) {
            Bounds::Unchecked => return address,
            Bounds::Trap => self.trap_unless(in_bounds),
            Bounds::Checked => {}
        }
        let null = self.shared.types.pointer().const_null();
        let checked = select(&self.builder, in_bounds.into(), address.into(), null.into());
        checked.into_pointer_value()
    }

    fn atomic(&mut self, op: OpRef<'_>, operands: &[BasicValueEnum<'l>]) {
        let reference = reference(op, 0);
        let pointer = operands[0].into_pointer_value();
        let target = self.writable(reference, pointer);
        let kind = AtomicRmw::from_ref_unchecked(op).kind();
        let integer_operation = match kind {
            AtomicKind::Addi => Some(AtomicRMWBinOp::Add),
            AtomicKind::Subi => Some(AtomicRMWBinOp::Sub),
            AtomicKind::Andi => Some(AtomicRMWBinOp::And),
            AtomicKind::Ori => Some(AtomicRMWBinOp::Or),
            AtomicKind::Xori => Some(AtomicRMWBinOp::Xor),
            AtomicKind::Minsi => Some(AtomicRMWBinOp::Min),
            AtomicKind::Minui => Some(AtomicRMWBinOp::UMin),
            AtomicKind::Maxsi => Some(AtomicRMWBinOp::Max),
            AtomicKind::Maxui => Some(AtomicRMWBinOp::UMax),
            AtomicKind::Exchange => Some(AtomicRMWBinOp::Xchg),
            AtomicKind::Addf | AtomicKind::Subf | AtomicKind::Minf | AtomicKind::Maxf => None,
        };
        let old: BasicValueEnum<'l> = match integer_operation {
            Some(operation) => {
                let bits = self.as_bits(operands[1]);
                let old = built(self.builder.build_atomicrmw(operation, target, bits, AtomicOrdering::Monotonic));
                bitcast(&self.builder, old.into(), operands[1].get_type())
            }
            None => self.float_atomic(kind, target, float(operands[1])).into(),
        };
        let result = self.zero_if_null(reference, pointer, old);
        self.set_result(op, result);
    }

    fn as_bits(&self, value: BasicValueEnum<'l>) -> IntValue<'l> {
        match value {
            BasicValueEnum::FloatValue(value) => {
                let width = match value.get_type().get_bit_width() {
                    16 => self.shared.llvm.i16_type(),
                    32 => self.shared.llvm.i32_type(),
                    _ => self.shared.llvm.i64_type(),
                };
                integer(bitcast(&self.builder, value.into(), width.into()))
            }
            other => integer(other),
        }
    }

    /// A loop of compare-and-exchange: the interface to LLVM has atomic arithmetic on integers only.
    fn float_atomic(
        &self,
        kind: AtomicKind,
        target: PointerValue<'l>,
        operand: inkwell::values::FloatValue<'l>,
    ) -> inkwell::values::FloatValue<'l> {
        let builder = &self.builder;
        let float_type = operand.get_type();
        let bits_type = self.as_bits(operand.into()).get_type();
        let before = builder.get_insert_block().expect("the builder stands in a block");
        let attempt = self.shared.llvm.append_basic_block(self.function, "");
        let done = self.shared.llvm.append_basic_block(self.function, "");
        let first = built(builder.build_load(bits_type, target, ""));
        if let Some(load) = first.as_instruction_value() {
            load.set_atomic_ordering(AtomicOrdering::Monotonic).expect("a load of an integer may be atomic");
        }
        built(builder.build_unconditional_branch(attempt));
        builder.position_at_end(attempt);
        let expected = built(builder.build_phi(bits_type, ""));
        expected.add_incoming(&[(&first as &dyn BasicValue<'l>, before)]);
        let old_bits = expected.as_basic_value();
        let old = float(bitcast(builder, old_bits, float_type.into()));
        let new = match kind {
            AtomicKind::Addf => built(builder.build_float_add(old, operand, "")),
            AtomicKind::Subf => built(builder.build_float_sub(old, operand, "")),
            _ => {
                use fermata_xir::semantics::{FloatBinary, FloatFormat, ScalarFunction};
                let format = match float_type.get_bit_width() {
                    16 => FloatFormat::F16,
                    32 => FloatFormat::F32,
                    _ => FloatFormat::F64,
                };
                let operation = if kind == AtomicKind::Minf { FloatBinary::Minimum } else { FloatBinary::Maximum };
                float(self.apply(ScalarFunction::FloatBinary(operation, format), None, &[old.into(), operand.into()]))
            }
        };
        let new_bits = self.as_bits(new.into());
        let order = AtomicOrdering::Monotonic;
        let exchange = built(builder.build_cmpxchg(target, integer(old_bits), new_bits, order, order));
        let seen = built(builder.build_extract_value(exchange, 0, ""));
        let succeeded = integer(built(builder.build_extract_value(exchange, 1, "")));
        let here = builder.get_insert_block().expect("the builder stands in a block");
        expected.add_incoming(&[(&seen as &dyn BasicValue<'l>, here)]);
        built(builder.build_conditional_branch(succeeded, done, attempt));
        builder.position_at_end(done);
        old
    }

    fn compare_exchange(&self, op: OpRef<'_>, operands: &[BasicValueEnum<'l>]) -> BasicValueEnum<'l> {
        let reference = reference(op, 0);
        let pointer = operands[0].into_pointer_value();
        let target = self.writable(reference, pointer);
        let (expected, new) = (self.as_bits(operands[1]), self.as_bits(operands[2]));
        let order = AtomicOrdering::Monotonic;
        let exchange = built(self.builder.build_cmpxchg(target, expected, new, order, order));
        let old = built(self.builder.build_extract_value(exchange, 0, ""));
        let old = bitcast(&self.builder, old, operands[1].get_type());
        self.zero_if_null(reference, pointer, old)
    }

    fn zero_if_null(
        &self,
        reference: &RefType,
        pointer: PointerValue<'l>,
        value: BasicValueEnum<'l>,
    ) -> BasicValueEnum<'l> {
        if reference.space != AddressSpace::Buffer {
            return value;
        }
        let is_null = built(self.builder.build_is_null(pointer, ""));
        select(&self.builder, is_null.into(), value.get_type().const_zero(), value)
    }
}

/// The parts of a value type that is not stored as a whole, with their offsets.
fn stored_parts(shared: &ModuleLowering<'_, '_, '_>, ty: Type) -> Option<Vec<(Type, u64)>> {
    let context = shared.context;
    if ElementwiseType::of(context, ty).is_some() {
        return None;
    }
    let count = part_count(context, ty).expect("what is no scalar and no vector has parts");
    let parts = (0..count).map(|index| {
        (part_type(context, ty, index).expect("the index is below the count"), shared.types.offset(ty, index))
    });
    Some(parts.collect())
}

/// The type that a scalar or vector has in memory: booleans are bytes.
fn memory_form<'l>(shared: &ModuleLowering<'_, 'l, '_>, ty: Type) -> BasicTypeEnum<'l> {
    let elementwise = ElementwiseType::of(shared.context, ty).expect("only scalars and vectors are stored whole");
    match elementwise.scalar {
        ScalarType::Integer(IntegerWidth::W1) => {
            shared.types.elementwise(elementwise.with_scalar(ScalarType::Integer(IntegerWidth::W8)))
        }
        _ => shared.types.elementwise(elementwise),
    }
}

/// Loads a value of a value type.
pub(crate) fn load_value<'l>(
    shared: &ModuleLowering<'_, 'l, '_>,
    builder: &Builder<'l>,
    ty: Type,
    pointer: PointerValue<'l>,
) -> BasicValueEnum<'l> {
    let register = shared.types.register(ty).expect("the verifier accepts only value types here");
    if let Some(parts) = stored_parts(shared, ty) {
        let mut whole = register.const_zero();
        for (index, (part, offset)) in parts.into_iter().enumerate() {
            let address = offset_by(shared, builder, pointer, offset);
            whole = insert_part(builder, whole, load_value(shared, builder, part, address), index as u32);
        }
        return whole;
    }
    let memory = memory_form(shared, ty);
    let loaded = built(builder.build_load(memory, pointer, ""));
    if let Some(instruction) = loaded.as_instruction_value() {
        let alignment = shared.types.layout(ty).alignment as u32;
        instruction.set_alignment(alignment).expect("alignments are powers of two");
    }
    if memory == register {
        return loaded;
    }
    // A boolean in memory is a byte; any bit of it counts.
    compare_integers(builder, IntPredicate::NE, loaded, memory.const_zero())
}

/// The address so many bytes on.
pub(crate) fn offset_by<'l>(
    shared: &ModuleLowering<'_, 'l, '_>,
    builder: &Builder<'l>,
    pointer: PointerValue<'l>,
    bytes: u64,
) -> PointerValue<'l> {
    if bytes == 0 {
        return pointer;
    }
    let bytes = shared.llvm.i64_type().const_int(bytes, false);
    #[allow(unsafe_code, reason = "builds an instruction; the offset is inside of the object that the pointer is to")]
    let address = unsafe { builder.build_gep(shared.llvm.i8_type(), pointer, &[bytes], "") };
    built(address)
}

fn reference<'c>(op: OpRef<'c>, operand: usize) -> &'c RefType {
    op.operand_type(operand).downcast(op.context).expect("the verifier has checked that this operand is a reference")
}

fn buffer_element(op: OpRef<'_>, operand: usize) -> Type {
    let buffer = op.operand_type(operand).downcast::<BufferType>(op.context);
    buffer.expect("the verifier has checked that this operand is a buffer").element
}

/// What happens when the index of a buffer access is out of bounds.
fn bounds(op: OpRef<'_>) -> Bounds {
    op.property("bounds").and_then(|bounds| bounds.downcast(op.context).copied()).unwrap_or(Bounds::Checked)
}

fn is_checked(op: OpRef<'_>) -> bool {
    bounds(op) == Bounds::Checked
}
