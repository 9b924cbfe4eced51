//! One function.
//!
//! Blocks are visited in reverse post-order, so that a definition is lowered before what it dominates; block arguments
//! become phi nodes. Blocks that cannot be reached are left out.

use fermata_ir::diagnostic::{Diagnostic, Diagnostics};
use fermata_ir::{BlockId, Body, OpId, OpRef, OperationTraits, ValueId};
use fermata_xir::interfaces::ElementwiseModel;
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::values::{BasicValue, BasicValueEnum, FunctionValue, PhiValue, PointerValue};

use crate::lower::{ModuleLowering, symbol};
use crate::values::built;

/// An operation that there is no code for; it has been reported.
pub(crate) struct Unsupported;

/// The lowering of one function.
pub(crate) struct FunctionLowering<'c, 'b, 'l, 's> {
    pub(crate) shared: &'s ModuleLowering<'c, 'l, 's>,
    pub(crate) body: &'b Body,
    pub(crate) function: FunctionValue<'l>,
    pub(crate) builder: Builder<'l>,
    /// Where memory is allocated: all of it once, on entry.
    pub(crate) entry: BasicBlock<'l>,
    /// What the thread knows about itself; see [`crate::host`].
    pub(crate) thread: PointerValue<'l>,
    values: Vec<Option<BasicValueEnum<'l>>>,
    blocks: Vec<Option<BasicBlock<'l>>>,
    phis: Vec<Vec<PhiValue<'l>>>,
}

impl<'c, 'b, 'l, 's> FunctionLowering<'c, 'b, 'l, 's> {
    /// Lowers the body of a function that was declared.
    pub(crate) fn run(shared: &'s ModuleLowering<'c, 'l, 's>, body: &'b Body, diagnostics: &mut Diagnostics) {
        let name = symbol(shared.context, body);
        let function = shared.callees[name].function;
        let Some(&region) = body.regions(body.root()).first() else { return };
        let Some(entry_block) = body.entry_block(region) else { return };
        let entry = shared.llvm.append_basic_block(function, "entry");
        let thread = function.get_last_param().expect("every function has the thread as its last parameter");
        let mut this = Self {
            shared,
            body,
            function,
            builder: shared.llvm.create_builder(),
            entry,
            thread: thread.into_pointer_value(),
            values: vec![None; body.value_capacity()],
            blocks: vec![None; body.block_capacity()],
            phis: vec![Vec::new(); body.block_capacity()],
        };
        let order = reverse_post_order(body, entry_block);
        this.create_blocks(&order);
        for (&argument, parameter) in body.arguments(entry_block).iter().zip(function.get_param_iter()) {
            this.values[argument.index()] = Some(parameter);
        }
        let mut supported = true;
        for &block in &order {
            this.builder.position_at_end(this.block(block));
            for op in body.ops(block) {
                supported &= this.operation(op, diagnostics).is_ok();
            }
        }
        if !supported {
            return;
        }
        this.builder.position_at_end(entry);
        built(this.builder.build_unconditional_branch(this.block(entry_block)));
        if body.operation_name(body.root()).as_str(shared.context) == "xir.kernel" {
            crate::control::build_host_entry(shared, body, function);
        }
    }

    fn create_blocks(&mut self, order: &[BlockId]) {
        for (index, &block) in order.iter().enumerate() {
            let llvm_block = self.shared.llvm.append_basic_block(self.function, "");
            self.blocks[block.index()] = Some(llvm_block);
            if index == 0 {
                continue;
            }
            self.builder.position_at_end(llvm_block);
            for &argument in self.body.arguments(block) {
                let ty = self.shared.types.register(self.body.value_type(argument));
                let ty = ty.expect("block arguments are values, and every value type has a register form");
                let phi = built(self.builder.build_phi(ty, ""));
                self.phis[block.index()].push(phi);
                self.values[argument.index()] = Some(phi.as_basic_value());
            }
        }
    }

    /// The block of LLVM.
    pub(crate) fn block(&self, block: BlockId) -> BasicBlock<'l> {
        self.blocks[block.index()].expect("a block that a reachable one leads to is reachable")
    }

    /// Notes what an edge from the current position passes to the arguments of its target.
    pub(crate) fn pass(&self, target: BlockId, values: &[BasicValueEnum<'l>]) {
        let from = self.builder.get_insert_block().expect("the builder stands in a block");
        for (phi, value) in self.phis[target.index()].iter().zip(values) {
            phi.add_incoming(&[(value as &dyn BasicValue<'l>, from)]);
        }
    }

    /// What a value became.
    pub(crate) fn value(&self, value: ValueId) -> BasicValueEnum<'l> {
        self.values[value.index()].expect("a value is lowered before its uses: its definition dominates them")
    }

    /// The operands of an operation.
    pub(crate) fn operands(&self, op: OpRef<'_>) -> Vec<BasicValueEnum<'l>> {
        op.operands().map(|operand| self.value(operand)).collect()
    }

    /// Says what the only result of an operation became.
    pub(crate) fn set_result(&mut self, op: OpRef<'_>, value: BasicValueEnum<'l>) {
        self.values[op.result(0).index()] = Some(value);
    }

    fn operation(&mut self, id: OpId, diagnostics: &mut Diagnostics) -> Result<(), Unsupported> {
        let op = OpRef::new(self.shared.context, self.body, id);
        let elementwise = op.interface::<ElementwiseModel>().and_then(|model| (model.function)(op));
        if let Some(function) = elementwise {
            let ty = fermata_xir::types::ElementwiseType::of(op.context, op.result_type(0));
            let vector = ty.and_then(|ty| ty.vector);
            let operands = self.operands(op);
            let result = self.apply(function, vector, &operands);
            self.set_result(op, result);
            return Ok(());
        }
        if op.has_trait(OperationTraits::CONSTANT_LIKE) {
            let value = op.property("value").expect("a verified constant has its value");
            let constant = self.constant(value);
            self.set_result(op, constant);
            return Ok(());
        }
        let lowered = self.composite(op) || self.memory(op) || self.control(op);
        if lowered {
            return Ok(());
        }
        let message = format!("'{}' has no host code", op.name_str());
        diagnostics.report(Diagnostic::error("no-host-code", op.location(), message));
        Err(Unsupported)
    }
}

/// The blocks that can be reached, each before those that it dominates.
fn reverse_post_order(body: &Body, entry: BlockId) -> Vec<BlockId> {
    let mut visited = vec![false; body.block_capacity()];
    let mut order = Vec::new();
    let mut stack = vec![(entry, 0)];
    visited[entry.index()] = true;
    while let Some((block, next)) = stack.pop() {
        let successor = body.last_op(block).filter(|&op| next < body.successor_count(op));
        match successor.map(|op| body.successor(op, next)) {
            Some(successor) => {
                stack.push((block, next + 1));
                if !std::mem::replace(&mut visited[successor.index()], true) {
                    stack.push((successor, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}
