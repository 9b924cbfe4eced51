//! Whole dispatches.

use fermata_coro::{TOKEN_DONE, TOKEN_ENTRY};
use fermata_ir::{Body, Context, Location};
use fermata_xir::types::{BufferType, RefType};

use crate::error::{ErrorKind, InterpreterError};
use crate::frame::Frame;
use crate::instance::{Activation, Instance, Outcome, Thread};
use crate::memory::{BufferMemory, Codec, Object};
use crate::program::{Program, kind, parameters};
use crate::value::{Reference, Value};

type Result<T> = std::result::Result<T, InterpreterError>;

/// In which order suspended instances resume.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Resume {
    /// Each instance runs to its end before the next one starts.
    #[default]
    InOrder,
    /// Whatever instance a generator with this seed picks, each time one has suspended.
    Shuffled(u64),
}

/// How a run is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How many operations all instances together may execute.
    pub step_limit: u64,
    /// How deep calls may nest.
    pub call_limit: usize,
    /// Whether stores to buffers are recorded.
    pub trace: bool,
    /// Which suspended instance resumes next.
    pub resume: Resume,
}

impl Default for Options {
    fn default() -> Self {
        Self { step_limit: 1 << 40, call_limit: 1000, trace: false, resume: Resume::InOrder }
    }
}

/// Something that is no error but that no program should do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// Memory was read that had not been written.
    Uninitialized(Location),
}

/// A store to a buffer.
#[derive(Clone, PartialEq, Debug)]
pub struct Store {
    /// The point of the dispatch that stored.
    pub point: [u32; 3],
    /// The buffer's number among the arguments' buffers.
    pub buffer: usize,
    /// Where in the buffer, in bytes.
    pub offset: usize,
    /// What was stored.
    pub value: Value,
}

/// An argument of a kernel.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// A value.
    Value(Value),
    /// A buffer.
    Buffer(BufferMemory),
}

/// What a run has left.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The buffers, in the order of the arguments.
    pub buffers: Vec<BufferMemory>,
    /// Stores to buffers in order, if they were recorded.
    pub trace: Vec<Store>,
    /// What no program should do.
    pub findings: Vec<Finding>,
    /// Operands of what was printed, in order.
    pub printed: Vec<Vec<Value>>,
    /// How many operations were executed.
    pub steps: u64,
    /// How often an instance has suspended.
    pub suspensions: u64,
}

/// A module that is being interpreted.
pub struct Machine<'m> {
    pub(crate) program: Program<'m>,
    pub(crate) codec: Codec<'m>,
    pub(crate) options: Options,
    pub(crate) buffers: Vec<BufferMemory>,
    pub(crate) trace: Vec<Store>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) printed: Vec<Vec<Value>>,
    pub(crate) steps: u64,
    suspensions: u64,
}

impl<'m> Machine<'m> {
    /// A machine for a verified module.
    #[must_use]
    pub fn new(context: &'m Context, module: &'m Body, options: Options) -> Self {
        Self {
            program: Program::new(context, module),
            codec: Codec::new(context),
            options,
            buffers: Vec::new(),
            trace: Vec::new(),
            findings: Vec::new(),
            printed: Vec::new(),
            steps: 0,
            suspensions: 0,
        }
    }

    /// Types of the parameters of a kernel or coroutine, split or not; nothing if there is none of that name.
    #[must_use]
    pub fn parameters(&self, name: &str) -> Option<Vec<fermata_ir::Type>> {
        if let Some(function) = self.program.function(name) {
            return Some(parameters(function));
        }
        let entry = self.program.graph(name)?.get(&TOKEN_ENTRY)?;
        // The frame comes before the coroutine's own arguments.
        Some(parameters(self.program.function(entry)?).into_iter().skip(1).collect())
    }

    /// Runs a kernel or coroutine over a grid.
    ///
    /// # Errors
    /// If the call does not fit the module, the program stops itself or breaks a promise, or takes too many steps.
    pub fn run(mut self, name: &str, size: [u32; 3], arguments: Vec<Argument>) -> Result<Report> {
        let values = self.bind(name, arguments)?;
        match self.program.function(name) {
            Some(function) if kind(self.program.context, function) == "xir.kernel" => {
                self.run_kernel(function, size, &values)?;
            }
            Some(function) if kind(self.program.context, function) == "coro.func" => {
                self.run_instances(size, |thread| Start::Whole(function, thread), &values)?;
            }
            Some(function) => {
                let message = format!("'@{name}' is a {}, which is no kernel", kind(self.program.context, function));
                return Err(InterpreterError::new(ErrorKind::BadCall(message), Location::UNKNOWN));
            }
            None => self.run_instances(size, |thread| Start::Split(name.to_owned(), thread), &values)?,
        }
        let Self { buffers, trace, findings, printed, steps, suspensions, .. } = self;
        Ok(Report { buffers, trace, findings, printed, steps, suspensions })
    }

    /// Checks the arguments and makes values of them.
    fn bind(&mut self, name: &str, arguments: Vec<Argument>) -> Result<Vec<Value>> {
        let bad_call = |message: String| InterpreterError::new(ErrorKind::BadCall(message), Location::UNKNOWN);
        let context = self.program.context;
        let types = self.parameters(name).ok_or_else(|| bad_call(format!("there is no kernel '@{name}'")))?;
        if types.len() != arguments.len() {
            let (expected, found) = (types.len(), arguments.len());
            return Err(bad_call(format!("'@{name}' has {expected} arguments, but {found} were given")));
        }
        let mut values = Vec::with_capacity(arguments.len());
        for (index, (argument, ty)) in arguments.into_iter().zip(types).enumerate() {
            let element = ty.downcast::<BufferType>(context).map(|buffer| buffer.element);
            values.push(match (argument, element) {
                (Argument::Value(value), None) => value,
                (Argument::Buffer(buffer), Some(element)) if buffer.element == element => {
                    self.buffers.push(buffer);
                    Value::Buffer(self.buffers.len() - 1)
                }
                _ => return Err(bad_call(format!("argument {index} of '@{name}' is of another type"))),
            });
        }
        Ok(values)
    }

    /// Runs a kernel block by block. The threads of a block run in turn from barrier to barrier.
    fn run_kernel(&mut self, kernel: &'m Body, size: [u32; 3], values: &[Value]) -> Result<()> {
        let block_size = block_size(self.program.context, kernel);
        let blocks = [0, 1, 2].map(|axis| size[axis].div_ceil(block_size[axis]));
        for block in points(blocks) {
            let mut waiting: Vec<Instance<'m>> = Vec::new();
            for thread in points(block_size) {
                let dispatch_id = [0, 1, 2].map(|axis| block[axis] * block_size[axis] + thread[axis]);
                if (0..3).all(|axis| dispatch_id[axis] < size[axis]) {
                    let thread = Thread { dispatch_id, dispatch_size: size, block_size };
                    waiting.push(whole(kernel, thread, values));
                }
            }
            self.run_block(waiting)?;
        }
        Ok(())
    }

    fn run_block(&mut self, mut threads: Vec<Instance<'m>>) -> Result<()> {
        while !threads.is_empty() {
            let total = threads.len();
            let mut barrier = None;
            let mut still = Vec::with_capacity(total);
            let mut ended = 0;
            for mut thread in threads {
                match self.advance(&mut thread)? {
                    Outcome::Done(_) => ended += 1,
                    Outcome::Barrier(location) => {
                        if barrier.is_some_and(|first| first != location) {
                            let message = "threads of a block wait at different barriers".to_owned();
                            return Err(InterpreterError::new(ErrorKind::Trap(message), location));
                        }
                        barrier = Some(location);
                        still.push(thread);
                    }
                    Outcome::Suspended | Outcome::Transition(_) => {
                        unreachable!("the verifier allows suspensions in coroutines only")
                    }
                }
            }
            if let (Some(location), true) = (barrier, ended > 0) {
                let message = format!("{ended} of {total} threads of a block ended without reaching the barrier");
                return Err(InterpreterError::new(ErrorKind::Trap(message), location));
            }
            threads = still;
        }
        Ok(())
    }

    /// Runs all instances of a coroutine, resuming them in the order of the options.
    fn run_instances(&mut self, size: [u32; 3], start: impl Fn(Thread) -> Start<'m>, values: &[Value]) -> Result<()> {
        let threads =
            points(size).map(|dispatch_id| Thread { dispatch_id, dispatch_size: size, block_size: [64, 1, 1] });
        let Resume::Shuffled(seed) = self.options.resume else {
            for thread in threads {
                let mut coroutine = Coroutine::new(self, start(thread), values)?;
                while coroutine.resume(self)? {
                    self.suspensions += 1;
                }
            }
            return Ok(());
        };
        let mut random = seed;
        let mut active = Vec::new();
        for thread in threads {
            active.push(Coroutine::new(self, start(thread), values)?);
        }
        while !active.is_empty() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let picked = (random >> 33) as usize % active.len();
            if active[picked].resume(self)? {
                self.suspensions += 1;
            } else {
                active.swap_remove(picked);
            }
        }
        Ok(())
    }
}

/// How an instance of a coroutine starts.
enum Start<'m> {
    /// As the coroutine that it is.
    Whole(&'m Body, Thread),
    /// By the graph of a split coroutine.
    Split(String, Thread),
}

/// An instance of a coroutine, split or not.
struct Coroutine<'m> {
    instance: Instance<'m>,
    /// For a split coroutine: its name, its arguments, and the token of the next continuation.
    split: Option<(String, Vec<Value>, u32)>,
}

impl<'m> Coroutine<'m> {
    fn new(_machine: &Machine<'m>, start: Start<'m>, values: &[Value]) -> Result<Self> {
        Ok(match start {
            Start::Whole(function, thread) => Self { instance: whole(function, thread, values), split: None },
            Start::Split(name, thread) => {
                let instance = Instance { thread, stack: Vec::new(), objects: Vec::new(), frame: Frame::default() };
                Self { instance, split: Some((name, values.to_vec(), TOKEN_ENTRY)) }
            }
        })
    }

    /// Runs to the next suspension; says whether there was one.
    fn resume(&mut self, machine: &mut Machine<'m>) -> Result<bool> {
        if let Some((name, values, token)) = self.split.clone() {
            let graph = machine.program.graph(&name);
            let continuation =
                graph.and_then(|graph| graph.get(&token)).and_then(|symbol| machine.program.function(symbol));
            let Some(continuation) = continuation else {
                let message = format!("the graph of '{name}' has no continuation for token {token}");
                return Err(InterpreterError::new(ErrorKind::BadCall(message), Location::UNKNOWN));
            };
            let frame = self.frame_argument(machine, continuation);
            let arguments = std::iter::once(frame).chain(values).collect();
            self.instance.stack = vec![Activation::new(continuation, arguments, None)];
        }
        match machine.advance(&mut self.instance)? {
            Outcome::Suspended => Ok(true),
            Outcome::Transition(token) => Ok(self.go_on(token)),
            Outcome::Done(values) => match values.first() {
                // A materialized continuation returns the next token.
                Some(token) => Ok(self.go_on(token.bits() as u32)),
                None => Ok(false),
            },
            Outcome::Barrier(location) => {
                let message = "a coroutine waits at a barrier".to_owned();
                Err(InterpreterError::new(ErrorKind::Trap(message), location))
            }
        }
    }

    fn go_on(&mut self, next: u32) -> bool {
        if let Some((_, _, token)) = &mut self.split {
            *token = next;
        }
        next != TOKEN_DONE
    }

    /// The frame as the continuation takes it: in itself, or as an object in memory that lives as long as the instance.
    fn frame_argument(&mut self, machine: &mut Machine<'m>, continuation: &Body) -> Value {
        let ty = parameters(continuation).first().copied();
        let reference = ty.and_then(|ty| ty.downcast::<RefType>(machine.program.context));
        let Some(reference) = reference else { return Value::Frame };
        if self.instance.objects.is_empty() {
            self.instance.objects.push(Object::new(machine.codec.size(reference.pointee)));
        }
        Value::Reference(Reference::Local { object: 0, offset: 0 })
    }
}

fn whole<'m>(function: &'m Body, thread: Thread, values: &[Value]) -> Instance<'m> {
    let activation = Activation::new(function, values.to_vec(), None);
    Instance { thread, stack: vec![activation], objects: Vec::new(), frame: Frame::default() }
}

/// All points of a box, the first direction fastest.
fn points(size: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    let [width, height, depth] = size;
    (0..depth).flat_map(move |z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z])))
}

/// Threads of a block; 64 in a row if the kernel does not say.
fn block_size(context: &Context, kernel: &Body) -> [u32; 3] {
    let property = kernel.properties(kernel.root()).get(context, "block_size");
    let sizes: Option<Vec<i32>> = property.and_then(|sizes| Some(sizes.dense_i32_values(context)?.collect()));
    match sizes.as_deref() {
        Some(&[x, y, z]) if x > 0 && y > 0 && z > 0 => [x as u32, y as u32, z as u32],
        _ => [64, 1, 1],
    }
}
