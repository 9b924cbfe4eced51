//! One thread, or one instance of a coroutine: a stack of activations and the memory that is its own.

use fermata_ir::{BlockId, Body, Location, OpId, ValueId};

use crate::frame::Frame;
use crate::memory::Object;
use crate::value::Value;

/// What a thread knows about itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Thread {
    pub(crate) dispatch_id: [u32; 3],
    pub(crate) dispatch_size: [u32; 3],
    pub(crate) block_size: [u32; 3],
}

impl Thread {
    pub(crate) fn thread_id(&self) -> [u32; 3] {
        [0, 1, 2].map(|axis| self.dispatch_id[axis] % self.block_size[axis])
    }

    pub(crate) fn block_id(&self) -> [u32; 3] {
        [0, 1, 2].map(|axis| self.dispatch_id[axis] / self.block_size[axis])
    }
}

/// A function that is being executed.
pub(crate) struct Activation<'m> {
    pub(crate) function: &'m Body,
    pub(crate) values: Vec<Option<Value>>,
    /// The next operation.
    pub(crate) next: Option<OpId>,
    /// The call in the activation below that waits for this one.
    pub(crate) caller: Option<OpId>,
}

impl<'m> Activation<'m> {
    pub(crate) fn new(function: &'m Body, arguments: Vec<Value>, caller: Option<OpId>) -> Self {
        let values = vec![None; function.value_capacity()];
        let mut this = Self { function, values, next: None, caller };
        let entry = function.regions(function.root()).first().and_then(|&region| function.entry_block(region));
        if let Some(entry) = entry {
            this.enter(entry, arguments);
        }
        this
    }

    /// Goes to a block with values for its arguments.
    pub(crate) fn enter(&mut self, block: BlockId, arguments: Vec<Value>) {
        for (&argument, value) in self.function.arguments(block).iter().zip(arguments) {
            self.values[argument.index()] = Some(value);
        }
        self.next = self.function.first_op(block);
    }

    pub(crate) fn get(&self, value: ValueId) -> Value {
        self.values[value.index()]
            .clone()
            .expect("a value is defined before its use: the verifier has checked dominance")
    }

    pub(crate) fn set(&mut self, value: ValueId, to: Value) {
        self.values[value.index()] = Some(to);
    }
}

/// A thread, or an instance of a coroutine.
pub(crate) struct Instance<'m> {
    pub(crate) thread: Thread,
    pub(crate) stack: Vec<Activation<'m>>,
    pub(crate) objects: Vec<Object>,
    pub(crate) frame: Frame,
}

/// Why an instance stopped for now.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Outcome {
    /// It has ended, with what the outermost function returned.
    Done(Vec<Value>),
    /// It has suspended, and goes on where it is.
    Suspended,
    /// It waits at a barrier.
    Barrier(Location),
    /// It has ended the continuation; the next one is that of a token.
    Transition(u32),
}
