//! Executing operations.

use fermata_coro::{FrameLoad, FrameStore, Suspend, Transition};
use fermata_ir::interfaces::BranchModel;
use fermata_ir::{BlockId, OpRef, OperationTraits, OperationView};
use fermata_xir::attributes::Bounds;
use fermata_xir::interfaces::ElementwiseModel;
use fermata_xir::ops::{AtomicRmw, Gep, GepIndex, SwitchBr};
use fermata_xir::semantics::{ScalarFunction, ScalarType};
use fermata_xir::types::{AddressSpace, ElementwiseType, RefType, part_count, part_type};

use crate::composite;
use crate::error::{ErrorKind, InterpreterError};
use crate::instance::{Activation, Instance, Outcome};
use crate::machine::{Finding, Machine, Store};
use crate::memory::Object;
use crate::value::{Reference, Value};

type Result<T> = std::result::Result<T, InterpreterError>;

/// What follows an operation.
enum Flow {
    /// The next operation.
    Next,
    /// Something else; the activation has been told where.
    Jumped,
    /// The instance stops for now.
    Stop(Outcome),
}

impl<'m> Machine<'m> {
    /// Runs an instance until it stops.
    pub(crate) fn advance(&mut self, instance: &mut Instance<'m>) -> Result<Outcome> {
        loop {
            let activation = instance.stack.last_mut().expect("an instance that runs has an activation");
            let function = activation.function;
            let id = activation.next.expect("a verified block ends in a terminator, which says what is next");
            let op = OpRef::new(self.program.context, function, id);
            if self.steps >= self.options.step_limit {
                return Err(InterpreterError::new(ErrorKind::StepLimit, op.location()));
            }
            self.steps += 1;
            match self.execute(instance, op)? {
                Flow::Next => {
                    let activation = instance.stack.last_mut().expect("the activation is still there");
                    activation.next = function.next_op(id);
                }
                Flow::Jumped => {}
                Flow::Stop(outcome) => return Ok(outcome),
            }
        }
    }

    fn execute(&mut self, instance: &mut Instance<'m>, op: OpRef<'m>) -> Result<Flow> {
        let activation = instance.stack.last().expect("an instance that runs has an activation");
        let operands: Vec<Value> = op.operands().map(|operand| activation.get(operand)).collect();
        if let Some(function) = op.interface::<ElementwiseModel>().and_then(|model| (model.function)(op)) {
            let result = elementwise(op, function, &operands);
            return Ok(set(instance, op, result));
        }
        if op.has_trait(OperationTraits::CONSTANT_LIKE) {
            let value = op.property("value").and_then(|value| Value::constant(op.context, value));
            return Ok(set(instance, op, value.expect("the verifier has checked the constant")));
        }
        if let Some(result) = composite::evaluate(op, &operands) {
            return Ok(set(instance, op, result));
        }
        if let Some(flow) = self.control(instance, op, &operands)? {
            return Ok(flow);
        }
        if let Some(result) = self.memory(instance, op, &operands)? {
            return Ok(match result {
                Some(value) => set(instance, op, value),
                None => Flow::Next,
            });
        }
        if let Some(flow) = self.coroutine(instance, op)? {
            return Ok(flow);
        }
        let message = format!("'{}' is not interpreted", op.name_str());
        Err(InterpreterError::new(ErrorKind::Unsupported(message), op.location()))
    }

    fn control(&mut self, instance: &mut Instance<'m>, op: OpRef<'m>, operands: &[Value]) -> Result<Option<Flow>> {
        let vector = |vector: [u32; 3]| Value::Lanes(vector.into_iter().map(u64::from).collect());
        let thread = instance.thread;
        let flow = match op.name_str() {
            "xir.br" => jump(instance, op, 0),
            "xir.cond_br" => jump(instance, op, usize::from(operands[0].bits() & 1 == 0)),
            "xir.switch_br" => jump(instance, op, taken_case(op, operands[0].bits())),
            "xir.return" => return Ok(Some(return_from(instance, operands.to_vec()))),
            "xir.call" => self.call(instance, op, operands.to_vec())?,
            "xir.unreachable" => return Err(trap(op, "it reached what it says cannot be reached")),
            "xir.assert" if operands[0].bits() & 1 == 0 => {
                let message = op.property("message").and_then(|message| message.string_value(op.context));
                return Err(trap(op, &format!("assertion failed: {}", message.unwrap_or(""))));
            }
            "xir.assume" if operands[0].bits() & 1 == 0 => {
                return Err(promise(op, "what it assumes does not hold"));
            }
            "xir.assert" | "xir.assume" => Flow::Next,
            "xir.print" => {
                self.printed.push(operands.to_vec());
                Flow::Next
            }
            "xir.barrier" => {
                let activation = instance.stack.last_mut().expect("an instance that runs has an activation");
                activation.next = activation.function.next_op(op.id);
                Flow::Stop(Outcome::Barrier(op.location()))
            }
            "xir.dispatch_id" => set(instance, op, vector(thread.dispatch_id)),
            "xir.dispatch_size" => set(instance, op, vector(thread.dispatch_size)),
            "xir.thread_id" => set(instance, op, vector(thread.thread_id())),
            "xir.block_id" => set(instance, op, vector(thread.block_id())),
            "xir.block_size" => set(instance, op, vector(thread.block_size)),
            _ => return Ok(None),
        };
        Ok(Some(flow))
    }

    fn call(&mut self, instance: &mut Instance<'m>, op: OpRef<'m>, arguments: Vec<Value>) -> Result<Flow> {
        let callee = op.property("callee").and_then(|callee| callee.symbol_value(op.context));
        let name = callee.expect("the verifier has checked the callee").root.as_str(op.context);
        let function = self.program.function(name).filter(|function| {
            function.regions(function.root()).first().is_some_and(|&region| function.entry_block(region).is_some())
        });
        let Some(function) = function else {
            let message = format!("'@{name}' has no body to execute");
            return Err(InterpreterError::new(ErrorKind::Unsupported(message), op.location()));
        };
        if instance.stack.len() >= self.options.call_limit {
            let message = format!("calls nest more than {} deep", self.options.call_limit);
            return Err(InterpreterError::new(ErrorKind::Trap(message), op.location()));
        }
        instance.stack.push(Activation::new(function, arguments, Some(op.id)));
        Ok(Flow::Jumped)
    }

    fn coroutine(&mut self, instance: &mut Instance<'m>, op: OpRef<'m>) -> Result<Option<Flow>> {
        if let Some(suspend) = op.cast::<Suspend<'_>>() {
            if suspend.produced_count() > 0 {
                let message = "an extension of this suspension defines values, and nothing here can";
                return Err(InterpreterError::new(ErrorKind::Unsupported(message.into()), op.location()));
            }
            let activation = instance.stack.last_mut().expect("an instance that runs has an activation");
            let passed = suspend.resume_operands().map(|operand| activation.get(operand)).collect();
            activation.enter(suspend.resume(), passed);
            return Ok(Some(Flow::Stop(Outcome::Suspended)));
        }
        if let Some(transition) = op.cast::<Transition<'_>>() {
            return Ok(Some(Flow::Stop(Outcome::Transition(transition.token()))));
        }
        if let Some(load) = op.cast::<FrameLoad<'_>>() {
            let (word, bit) = (load.word() as usize, load.bit());
            let (value, written) = instance.frame.load(op.context, word, bit, op.result_type(0));
            self.note_uninitialized(op, op.result_type(0), written);
            return Ok(Some(set(instance, op, value)));
        }
        if let Some(store) = op.cast::<FrameStore<'_>>() {
            let value = instance.stack.last().expect("an instance that runs has an activation").get(store.value());
            let ty = op.type_of(store.value());
            instance.frame.store(op.context, store.word() as usize, store.bit(), ty, &value);
            return Ok(Some(Flow::Next));
        }
        Ok(None)
    }

    /// Executes an operation on memory: its result, if it has one, or nothing if `op` is no such operation.
    #[allow(clippy::option_option, reason = "whether it is one, and whether it has a result")]
    fn memory(
        &mut self,
        instance: &mut Instance<'m>,
        op: OpRef<'m>,
        operands: &[Value],
    ) -> Result<Option<Option<Value>>> {
        let result = match op.name_str() {
            "xir.alloca" => Some(self.allocate(instance, op)?),
            "xir.gep" => Some(self.gep(instance, op, operands)),
            "xir.load" => Some(self.load(instance, op, reference_type(op, 0), &operands[0])),
            "xir.store" => {
                self.store(instance, op, reference_type(op, 1), &operands[1], &operands[0]);
                None
            }
            "xir.buffer_size" => Some(Value::scalar(self.buffers[buffer(&operands[0])].count as u64)),
            "xir.buffer_read" => {
                let reference = self.element(op, &operands[0], &operands[1])?;
                let ty = self.buffers[buffer(&operands[0])].element;
                Some(self.load_type(instance, op, ty, reference))
            }
            "xir.buffer_write" => {
                let reference = self.element(op, &operands[1], &operands[2])?;
                let ty = self.buffers[buffer(&operands[1])].element;
                self.store_type(instance, op, ty, reference, &operands[0]);
                None
            }
            "xir.buffer_element" => Some(Value::Reference(self.element(op, &operands[0], &operands[1])?)),
            "xir.atomic_rmw" => Some(self.atomic(instance, op, operands)),
            "xir.atomic_compare_exchange" => {
                let ty = reference_type(op, 0);
                let old = self.load(instance, op, ty, &operands[0]);
                if old == operands[1] {
                    self.store(instance, op, ty, &operands[0], &operands[2]);
                }
                Some(old)
            }
            _ => return Ok(None),
        };
        Ok(Some(result))
    }

    fn allocate(&mut self, instance: &mut Instance<'m>, op: OpRef<'m>) -> Result<Value> {
        let ty = reference_type_of_result(op);
        if ty.space != AddressSpace::Local {
            let message = "shared memory is not interpreted";
            return Err(InterpreterError::new(ErrorKind::Unsupported(message.into()), op.location()));
        }
        let size = self.codec.size(ty.pointee);
        instance.objects.push(Object::new(size));
        Ok(Value::Reference(Reference::Local { object: instance.objects.len() - 1, offset: 0 }))
    }

    fn gep(&mut self, instance: &Instance<'m>, op: OpRef<'m>, operands: &[Value]) -> Value {
        let mut ty = reference_type(op, 0).pointee;
        let mut bytes = 0;
        let activation = instance.stack.last().expect("an instance that runs has an activation");
        for index in Gep::from_ref_unchecked(op).index_list() {
            let index = match index {
                GepIndex::Constant(index) => index as u64,
                GepIndex::Value(index) => {
                    let count = part_count(op.context, ty).expect("what is indexed has parts");
                    activation.get(index).bits().min(count - 1)
                }
            };
            bytes += self.codec.offset(ty, index);
            ty = part_type(op.context, ty, index).expect("the verifier has checked the index");
        }
        let Value::Reference(reference) = &operands[0] else { unreachable!("the verifier has checked the reference") };
        Value::Reference(match *reference {
            Reference::Null => Reference::Null,
            Reference::Local { object, offset } => Reference::Local { object, offset: offset + bytes },
            Reference::Buffer { buffer, offset } => Reference::Buffer { buffer, offset: offset + bytes },
        })
    }

    fn load(&mut self, instance: &mut Instance<'m>, op: OpRef<'m>, ty: &RefType, reference: &Value) -> Value {
        let Value::Reference(reference) = reference else { unreachable!("the verifier has checked the reference") };
        self.load_type(instance, op, ty.pointee, *reference)
    }

    fn load_type(
        &mut self,
        instance: &mut Instance<'m>,
        op: OpRef<'m>,
        ty: fermata_ir::Type,
        reference: Reference,
    ) -> Value {
        let (value, written) = match reference {
            Reference::Null => return Value::zero(op.context, ty),
            Reference::Local { object, offset } => self.codec.read(&instance.objects[object], offset, ty),
            Reference::Buffer { buffer, offset } => self.codec.read(&self.buffers[buffer].object, offset, ty),
        };
        self.note_uninitialized(op, ty, written);
        value
    }

    /// Reading a scalar or vector that was not written is a finding. Moving an aggregate is none: parts that were not
    /// written may never be looked at.
    fn note_uninitialized(&mut self, op: OpRef<'m>, ty: fermata_ir::Type, written: bool) {
        if !written && ElementwiseType::of(op.context, ty).is_some() {
            self.findings.push(Finding::Uninitialized(op.location()));
        }
    }

    fn store(&mut self, instance: &mut Instance<'m>, op: OpRef<'m>, ty: &RefType, reference: &Value, value: &Value) {
        let Value::Reference(reference) = reference else { unreachable!("the verifier has checked the reference") };
        self.store_type(instance, op, ty.pointee, *reference, value);
    }

    fn store_type(
        &mut self,
        instance: &mut Instance<'m>,
        _op: OpRef<'m>,
        ty: fermata_ir::Type,
        reference: Reference,
        value: &Value,
    ) {
        match reference {
            Reference::Null => {}
            Reference::Local { object, offset } => {
                self.codec.write(&mut instance.objects[object], offset, ty, value);
            }
            Reference::Buffer { buffer, offset } => {
                self.codec.write(&mut self.buffers[buffer].object, offset, ty, value);
                if self.options.trace {
                    let point = instance.thread.dispatch_id;
                    self.trace.push(Store { point, buffer, offset, value: value.clone() });
                }
            }
        }
    }

    /// The reference to an element of a buffer, by the operation's rule for what is out of bounds.
    fn element(&mut self, op: OpRef<'m>, of: &Value, index: &Value) -> Result<Reference> {
        let number = buffer(of);
        let memory = &self.buffers[number];
        let index = index.bits();
        if index < memory.count as u64 {
            return Ok(Reference::Buffer { buffer: number, offset: index as usize * memory.stride });
        }
        let message = format!("element {index} of a buffer of {} elements", memory.count);
        let bounds = op.property("bounds").and_then(|bounds| bounds.downcast::<Bounds>(op.context));
        match bounds {
            Some(Bounds::Unchecked) => return Err(promise(op, &message)),
            Some(Bounds::Trap) => return Err(trap(op, &message)),
            Some(Bounds::Checked) | None => {}
        }
        Ok(Reference::Null)
    }

    fn atomic(&mut self, instance: &mut Instance<'m>, op: OpRef<'m>, operands: &[Value]) -> Value {
        let ty = reference_type(op, 0);
        let old = self.load(instance, op, ty, &operands[0]);
        let scalar = ScalarType::of(op.context, ty.pointee).expect("an atomic is of a scalar");
        let kind = AtomicRmw::from_ref_unchecked(op).kind();
        let new = kind.apply(scalar, old.bits(), operands[1].bits());
        let new = Value::scalar(new.expect("the verifier has checked that the kind works on the type"));
        self.store(instance, op, ty, &operands[0], &new);
        old
    }
}

fn set(instance: &mut Instance<'_>, op: OpRef<'_>, value: Value) -> Flow {
    let activation = instance.stack.last_mut().expect("an instance that runs has an activation");
    activation.set(op.result(0), value);
    Flow::Next
}

fn elementwise(op: OpRef<'_>, function: ScalarFunction, operands: &[Value]) -> Value {
    let lanes = ElementwiseType::of(op.context, op.result_type(0)).map_or(1, ElementwiseType::lanes) as usize;
    // A scalar among vectors stands for all lanes.
    let lane_of = |value: &Value, lane: usize| {
        let lanes = value.lanes();
        lanes[if lanes.len() == 1 { 0 } else { lane }]
    };
    let result = (0..lanes).map(|lane| {
        let operands: smallvec::SmallVec<[u64; 3]> = operands.iter().map(|value| lane_of(value, lane)).collect();
        function.evaluate(&operands)
    });
    Value::Lanes(result.collect())
}

/// Goes along an edge.
fn jump(instance: &mut Instance<'_>, op: OpRef<'_>, successor: usize) -> Flow {
    let model = op.interface::<BranchModel>().expect("a branch implements the branch interface");
    let target: BlockId = op.body.successor(op.id, successor);
    let passed = (model.successor_operands)(op, successor).forwarded;
    let activation = instance.stack.last_mut().expect("an instance that runs has an activation");
    let values = passed.map(|index| activation.get(op.operand(index))).collect();
    activation.enter(target, values);
    Flow::Jumped
}

/// Which successor of a switch is taken: that of the case, or the default, which is the first.
fn taken_case(op: OpRef<'_>, selector: u64) -> usize {
    let width = op.operand_type(0).integer_width(op.context).unwrap_or(64);
    let mask = u64::MAX >> (64 - width);
    let cases = SwitchBr::from_ref_unchecked(op).cases();
    let found = cases.iter().position(|case| case.value.cast_unsigned() & mask == selector & mask);
    found.map_or(0, |case| case + 1)
}

fn return_from(instance: &mut Instance<'_>, values: Vec<Value>) -> Flow {
    let ended = instance.stack.pop().expect("an instance that runs has an activation");
    let (Some(call), Some(below)) = (ended.caller, instance.stack.last_mut()) else {
        return Flow::Stop(Outcome::Done(values));
    };
    let results: Vec<_> = below.function.results(call).collect();
    for (result, value) in results.into_iter().zip(values) {
        below.set(result, value);
    }
    below.next = below.function.next_op(call);
    Flow::Jumped
}

fn buffer(value: &Value) -> usize {
    match value {
        Value::Buffer(number) => *number,
        other => unreachable!("the verifier has checked that this is a buffer, not {other:?}"),
    }
}

fn reference_type<'c>(op: OpRef<'c>, operand: usize) -> &'c RefType {
    op.operand_type(operand).downcast(op.context).expect("the verifier has checked that this is a reference")
}

fn reference_type_of_result<'c>(op: OpRef<'c>) -> &'c RefType {
    op.result_type(0).downcast(op.context).expect("the verifier has checked that this is a reference")
}

fn trap(op: OpRef<'_>, message: &str) -> InterpreterError {
    InterpreterError::new(ErrorKind::Trap(message.to_owned()), op.location())
}

fn promise(op: OpRef<'_>, message: &str) -> InterpreterError {
    InterpreterError::new(ErrorKind::BrokenPromise(message.to_owned()), op.location())
}
