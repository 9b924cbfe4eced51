//! Control flow, calls, the thread's identity, and the entry that host code calls.

use fermata_ir::{Body, OpRef, OperationView};
use fermata_xir::ops::SwitchBr;
use fermata_xir::types::BufferType;
use inkwell::IntPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::module::Linkage;
use inkwell::values::{
    BasicMetadataValueEnum, BasicValue, BasicValueEnum, FunctionValue, IntValue, PointerValue, ValueKind,
};

use crate::function::FunctionLowering;
use crate::host::{THREAD_VECTORS, ThreadVector};
use crate::lower::{ModuleLowering, symbol};
use crate::memory::{load_value, offset_by};
use crate::values::{built, integer};

/// Bytes from one vector of the thread to the next.
const VECTOR_STRIDE: u64 = 16;

impl<'l> FunctionLowering<'_, '_, 'l, '_> {
    /// Lowers control flow, calls and queries of the thread; says whether `op` is one.
    pub(crate) fn control(&mut self, op: OpRef<'_>) -> bool {
        match op.name_str() {
            "xir.br" | "xir.cond_br" | "xir.switch_br" => self.branch(op),
            "xir.return" => {
                let value = op.operands().next().map(|operand| self.value(operand));
                built(match &value {
                    Some(value) => self.builder.build_return(Some(value)),
                    None => self.builder.build_return(None),
                });
            }
            "xir.unreachable" => {
                self.trap();
                built(self.builder.build_unreachable());
            }
            "xir.assert" => {
                let condition = integer(self.value(op.operand(0)));
                self.trap_unless(condition);
            }
            // A promise that nothing here makes use of.
            "xir.assume" => {}
            "xir.call" => return self.call(op),
            "xir.dispatch_id" => self.thread_vector(op, ThreadVector::DispatchId),
            "xir.dispatch_size" => self.thread_vector(op, ThreadVector::DispatchSize),
            "xir.thread_id" => self.thread_vector(op, ThreadVector::ThreadId),
            "xir.block_id" => self.thread_vector(op, ThreadVector::BlockId),
            "xir.block_size" => self.thread_vector(op, ThreadVector::BlockSize),
            _ => return false,
        }
        true
    }

    fn thread_vector(&mut self, op: OpRef<'_>, vector: ThreadVector) {
        let offset = vector as u64 * VECTOR_STRIDE;
        let address = offset_by(self.shared, &self.builder, self.thread, offset);
        let value = self.load(op.result_type(0), address);
        self.set_result(op, value);
    }

    fn branch(&self, op: OpRef<'_>) {
        use fermata_ir::interfaces::BranchModel;
        let model = op.interface::<BranchModel>().expect("branches implement the branch interface");
        let successors: Vec<_> = op.successors().collect();
        let edges = successors.iter().enumerate().map(|(index, &target)| {
            let passed = (model.successor_operands)(op, index).forwarded;
            let values: Vec<BasicValueEnum<'l>> = passed.map(|operand| self.value(op.operand(operand))).collect();
            (target, values)
        });
        let edges: Vec<_> = edges.collect();
        if let [(target, values)] = &edges[..]
            && op.name_str() == "xir.br"
        {
            self.pass(*target, values);
            built(self.builder.build_unconditional_branch(self.block(*target)));
            return;
        }
        let selector = integer(self.value(op.operand(0)));
        // Two edges to one block may pass different values, so each edge gets a block of its own.
        let from = self.builder.get_insert_block().expect("the builder stands in a block");
        let steps: Vec<_> = edges
            .iter()
            .map(|(target, values)| {
                let step = self.shared.llvm.append_basic_block(self.function, "");
                self.builder.position_at_end(step);
                self.pass(*target, values);
                built(self.builder.build_unconditional_branch(self.block(*target)));
                step
            })
            .collect();
        self.builder.position_at_end(from);
        if op.name_str() == "xir.cond_br" {
            built(self.builder.build_conditional_branch(selector, steps[0], steps[1]));
            return;
        }
        let cases: Vec<(IntValue<'l>, _)> = SwitchBr::from_ref_unchecked(op)
            .cases()
            .into_iter()
            .zip(&steps[1..])
            .map(|(case, &step)| (selector.get_type().const_int(case.value.cast_unsigned(), true), step))
            .collect();
        built(self.builder.build_switch(selector, steps[0], &cases));
    }

    fn call(&mut self, op: OpRef<'_>) -> bool {
        let callee = op.property("callee").and_then(|callee| callee.symbol_value(op.context));
        let callee = callee.expect("a verified call names its callee").root.as_str(op.context);
        let Some(callee) = self.shared.callees.get(callee) else { return false };
        let mut arguments: Vec<BasicMetadataValueEnum<'l>> =
            self.operands(op).into_iter().map(BasicMetadataValueEnum::from).collect();
        arguments.push(self.thread.into());
        let call = built(self.builder.build_call(callee.function, &arguments, ""));
        if callee.returns_value
            && let ValueKind::Basic(value) = call.try_as_basic_value()
        {
            self.set_result(op, value);
        }
        true
    }

    /// Stops the program.
    fn trap(&self) {
        let trap = inkwell::intrinsics::Intrinsic::find("llvm.trap").expect("LLVM has a trap");
        let trap = trap.get_declaration(self.shared.module, &[]).expect("the trap is not overloaded");
        built(self.builder.build_call(trap, &[], ""));
    }

    /// Stops the program unless a condition holds.
    pub(crate) fn trap_unless(&self, condition: IntValue<'l>) {
        let good = self.shared.llvm.append_basic_block(self.function, "");
        let bad = self.shared.llvm.append_basic_block(self.function, "");
        built(self.builder.build_conditional_branch(condition, good, bad));
        self.builder.position_at_end(bad);
        self.trap();
        built(self.builder.build_unreachable());
        self.builder.position_at_end(good);
    }
}

/// Builds the function that host code calls: it loads the arguments and runs all threads of a block; see [`crate::host`].
pub(crate) fn build_host_entry<'l>(shared: &ModuleLowering<'_, 'l, '_>, body: &Body, kernel: FunctionValue<'l>) {
    let llvm = shared.llvm;
    let pointer = shared.types.pointer();
    let ty = llvm.void_type().fn_type(&[pointer.into(), pointer.into()], false);
    let entry = shared.module.add_function(symbol(shared.context, body), ty, Some(Linkage::External));
    // The kernel has this one caller; as a part of its loop, what does not depend on the thread is computed once.
    let always = inkwell::attributes::Attribute::get_named_enum_kind_id("alwaysinline");
    kernel.add_attribute(AttributeLoc::Function, llvm.create_enum_attribute(always, 0));
    let builder = llvm.create_builder();
    let start = llvm.append_basic_block(entry, "entry");
    builder.position_at_end(start);
    let mut host = HostEntry { shared, builder, entry, kernel, thread: None };
    host.build(body);
}

struct HostEntry<'c, 'l, 's> {
    shared: &'s ModuleLowering<'c, 'l, 's>,
    builder: inkwell::builder::Builder<'l>,
    entry: FunctionValue<'l>,
    kernel: FunctionValue<'l>,
    thread: Option<PointerValue<'l>>,
}

impl<'l> HostEntry<'_, 'l, '_> {
    fn build(&mut self, body: &Body) {
        let i32_type = self.shared.llvm.i32_type();
        let table = i32_type.array_type(THREAD_VECTORS * 4);
        let thread = built(self.builder.build_alloca(table, "thread"));
        let instruction = thread.as_instruction_value().expect("an allocation is an instruction");
        instruction.set_alignment(16).expect("16 is a power of two");
        self.thread = Some(thread);
        let arguments = self.arguments(body);
        let block = self.parameter(1);
        let component = |group: u64, axis: u64| self.load_i32(block, group * 12 + axis * 4);
        let sizes = [0, 1, 2].map(|axis| component(0, axis));
        let block_sizes = [0, 1, 2].map(|axis| component(1, axis));
        let block_ids = [0, 1, 2].map(|axis| component(2, axis));
        for axis in 0..3 {
            self.set(ThreadVector::DispatchSize, axis, sizes[axis]);
            self.set(ThreadVector::BlockSize, axis, block_sizes[axis]);
            self.set(ThreadVector::BlockId, axis, block_ids[axis]);
        }
        let first = [0, 1, 2].map(|axis| built(self.builder.build_int_mul(block_ids[axis], block_sizes[axis], "")));
        // Points outside of the dispatch are not run: the block ends early there.
        let limits = [0, 1, 2].map(|axis| self.limit(first[axis], block_sizes[axis], sizes[axis]));
        self.nest(2, &first, &limits, &arguments);
        built(self.builder.build_return(None));
    }

    fn parameter(&self, index: u32) -> PointerValue<'l> {
        self.entry.get_nth_param(index).expect("the entry has two parameters").into_pointer_value()
    }

    fn load_i32(&self, pointer: PointerValue<'l>, offset: u64) -> IntValue<'l> {
        let address = offset_by(self.shared, &self.builder, pointer, offset);
        integer(built(self.builder.build_load(self.shared.llvm.i32_type(), address, "")))
    }

    /// How many threads of a block, from `first` on, are inside of the dispatch in one direction.
    fn limit(&self, first: IntValue<'l>, count: IntValue<'l>, size: IntValue<'l>) -> IntValue<'l> {
        let left = built(self.builder.build_int_sub(size, first, ""));
        let is_outside = built(self.builder.build_int_compare(IntPredicate::UGE, first, size, ""));
        let fewer = built(self.builder.build_int_compare(IntPredicate::ULT, left, count, ""));
        let inside = built(self.builder.build_select(fewer, left, count, ""));
        let none: BasicValueEnum<'l> = self.shared.llvm.i32_type().const_zero().into();
        integer(built(self.builder.build_select(is_outside, none, inside, "")))
    }

    fn set(&self, vector: ThreadVector, axis: usize, value: IntValue<'l>) {
        let thread = self.thread.expect("the thread's table is allocated first");
        let offset = vector as u64 * VECTOR_STRIDE + axis as u64 * 4;
        let address = offset_by(self.shared, &self.builder, thread, offset);
        built(self.builder.build_store(address, value));
    }

    fn arguments(&self, body: &Body) -> Vec<BasicMetadataValueEnum<'l>> {
        let entry_block = body.regions(body.root()).first().and_then(|&region| body.entry_block(region));
        let entry_block = entry_block.expect("a kernel has a body");
        let mut arguments = Vec::new();
        for (index, &argument) in body.arguments(entry_block).iter().enumerate() {
            let slot = offset_by(self.shared, &self.builder, self.parameter(0), index as u64 * 8);
            let address = built(self.builder.build_load(self.shared.types.pointer(), slot, "")).into_pointer_value();
            arguments.push(self.argument(body.value_type(argument), address).into());
        }
        arguments.push(self.thread.expect("the thread's table is allocated first").into());
        arguments
    }

    fn argument(&self, ty: fermata_ir::Type, address: PointerValue<'l>) -> BasicValueEnum<'l> {
        if ty.is::<BufferType>(self.shared.context) {
            return built(self.builder.build_load(self.shared.types.buffer(), address, ""));
        }
        load_value(self.shared, &self.builder, ty, address)
    }

    /// Loops over the threads in one direction, the innermost one runs them.
    fn nest(
        &self,
        axis: usize,
        first: &[IntValue<'l>; 3],
        limits: &[IntValue<'l>; 3],
        arguments: &[BasicMetadataValueEnum<'l>],
    ) {
        let llvm = self.shared.llvm;
        let builder = &self.builder;
        let before = builder.get_insert_block().expect("the builder stands in a block");
        let [head, inside, after] = ["", "", ""].map(|name| llvm.append_basic_block(self.entry, name));
        built(builder.build_unconditional_branch(head));
        builder.position_at_end(head);
        let counter = built(builder.build_phi(llvm.i32_type(), ""));
        counter.add_incoming(&[(&llvm.i32_type().const_zero(), before)]);
        let thread_id = integer(counter.as_basic_value());
        let more = built(builder.build_int_compare(IntPredicate::ULT, thread_id, limits[axis], ""));
        built(builder.build_conditional_branch(more, inside, after));
        builder.position_at_end(inside);
        self.set(ThreadVector::ThreadId, axis, thread_id);
        self.set(ThreadVector::DispatchId, axis, built(builder.build_int_add(first[axis], thread_id, "")));
        if axis > 0 {
            self.nest(axis - 1, first, limits, arguments);
        } else {
            built(builder.build_call(self.kernel, arguments, ""));
        }
        let next = built(builder.build_int_add(thread_id, llvm.i32_type().const_int(1, false), ""));
        let end = builder.get_insert_block().expect("the builder stands in a block");
        counter.add_incoming(&[(&next, end)]);
        built(builder.build_unconditional_branch(head));
        builder.position_at_end(after);
    }
}
