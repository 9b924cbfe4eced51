//! The host device: kernels compiled for this process, blocks spread over all cores.

use std::sync::atomic::{AtomicU64, Ordering};

use fermata_ir::diagnostic::Diagnostics;
use fermata_ir::text::type_to_string;
use fermata_ir::{Body, Context, Type};
use fermata_lowering::host::{Block, Buffer as BufferArgument};
use fermata_lowering::{CompileError, HostProgram, OptimizationLevel};
use fermata_xir::types::BufferType;

use crate::dispatch::{Argument, Dispatch, DispatchError};

/// Compiles kernels for this process.
pub struct HostDevice<'l> {
    program: HostProgram<'l>,
}

/// A kernel of a [`HostDevice`].
pub struct HostKernel<'p, 'c> {
    context: &'c Context,
    kernel: fermata_lowering::HostKernel<'p>,
    parameters: Vec<Type>,
    block_size: [u32; 3],
}

impl<'l> HostDevice<'l> {
    /// Compiles all kernels of a module.
    ///
    /// # Errors
    /// If the module holds what the host has no code for, which is reported, or LLVM fails.
    pub fn compile(
        context: &Context,
        module: &Body,
        llvm: &'l fermata_lowering::LlvmContext,
        level: OptimizationLevel,
        diagnostics: &mut Diagnostics,
    ) -> Result<Self, CompileError> {
        Ok(Self { program: HostProgram::compile(context, module, llvm, level, diagnostics)? })
    }

    /// The kernel of a name in the module that was compiled; nothing if there is none.
    #[must_use]
    pub fn kernel<'c>(&self, context: &'c Context, module: &Body, name: &str) -> Option<HostKernel<'_, 'c>> {
        let function = find_kernel(context, module, name)?;
        let entry = function.regions(function.root()).first().and_then(|&region| function.entry_block(region))?;
        let parameters = function.arguments(entry).iter().map(|&argument| function.value_type(argument)).collect();
        let block_size = block_size(context, function);
        Some(HostKernel { context, kernel: self.program.kernel(name)?, parameters, block_size })
    }
}

fn find_kernel<'b>(context: &Context, module: &'b Body, name: &str) -> Option<&'b Body> {
    let functions = module.all_ops().into_iter().filter_map(|op| module.nested(op));
    functions.into_iter().find(|function| {
        let symbol = function.properties(function.root()).get(context, "sym_name");
        symbol.and_then(|symbol| symbol.string_value(context)) == Some(name)
    })
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

/// Addresses that several threads read. What they point at is shared as the kernel's semantics allow.
struct Addresses(Vec<*const u8>);

#[allow(unsafe_code, reason = "the addresses are only handed to kernels, whose races are the semantics' matter")]
// SAFETY: nothing here reads through the addresses, and the memory behind them outlives the threads.
unsafe impl Sync for Addresses {}

impl Addresses {
    /// All of them. Going through the whole keeps closures from taking the list alone, which threads must not share.
    fn as_slice(&self) -> &[*const u8] {
        &self.0
    }
}

impl HostKernel<'_, '_> {
    /// Types of the arguments.
    #[must_use]
    pub fn parameters(&self) -> &[Type] {
        &self.parameters
    }

    /// How many blocks a dispatch has.
    #[must_use]
    pub fn block_count(&self, size: [u32; 3]) -> u64 {
        self.blocks(size).iter().map(|&count| u64::from(count)).product()
    }

    fn blocks(&self, size: [u32; 3]) -> [u32; 3] {
        [0, 1, 2].map(|axis| size[axis].div_ceil(self.block_size[axis]))
    }

    /// Runs the kernel over a grid.
    ///
    /// # Errors
    /// If the arguments are not of the kernel's types.
    pub fn run(&self, arguments: &mut [Argument<'_>], dispatch: &Dispatch<'_>) -> Result<(), DispatchError> {
        self.check(arguments)?;
        let mut buffers: Vec<BufferArgument> = Vec::with_capacity(arguments.len());
        for argument in arguments.iter_mut() {
            if let Argument::Buffer(buffer) = argument {
                buffers.push(BufferArgument { data: buffer.bytes.as_mut_ptr(), count: buffer.count as u64 });
            }
        }
        let mut next_buffer = buffers.iter();
        let addresses = arguments.iter().map(|argument| match argument {
            Argument::Value(value) => value.0.as_ptr(),
            Argument::Buffer(_) => {
                let buffer = next_buffer.next().expect("each buffer argument was collected above");
                std::ptr::from_ref(buffer).cast()
            }
        });
        let addresses = Addresses(addresses.collect());
        self.run_blocks(&addresses, dispatch);
        Ok(())
    }

    fn check(&self, arguments: &[Argument<'_>]) -> Result<(), DispatchError> {
        if arguments.len() != self.parameters.len() {
            let (expected, found) = (self.parameters.len(), arguments.len());
            return Err(DispatchError::ArgumentCount { expected, found });
        }
        for (index, (argument, &ty)) in arguments.iter().zip(&self.parameters).enumerate() {
            let element = ty.downcast::<BufferType>(self.context).map(|buffer| buffer.element);
            let fits = match (argument, element) {
                (Argument::Buffer(buffer), Some(element)) => buffer.element == element,
                (Argument::Value(value), None) => {
                    crate::encode::Shape::of(self.context, ty).is_some_and(|shape| shape.stride == value.0.len())
                }
                _ => false,
            };
            if !fits {
                return Err(DispatchError::ArgumentType { index, expected: type_to_string(self.context, ty) });
            }
        }
        Ok(())
    }

    fn run_blocks(&self, addresses: &Addresses, dispatch: &Dispatch<'_>) {
        let counts = self.blocks(dispatch.size);
        let total = self.block_count(dispatch.size);
        let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= total {
                    return;
                }
                let (x, rest) = (index % u64::from(counts[0]), index / u64::from(counts[0]));
                let (y, z) = (rest % u64::from(counts[1]), rest / u64::from(counts[1]));
                let block = Block {
                    dispatch_size: dispatch.size,
                    block_size: self.block_size,
                    block_id: [x as u32, y as u32, z as u32],
                };
                #[allow(unsafe_code, reason = "calls compiled code")]
                // SAFETY: there is an address for each argument, checked to be of the kernel's type, and the buffers
                // behind them are borrowed for the whole run.
                unsafe {
                    self.kernel.run_block(addresses.as_slice(), &block);
                }
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                if let Some(progress) = dispatch.progress {
                    progress(done);
                }
            }
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = dispatch.threads.unwrap_or(cores).max(1).min(usize::try_from(total).unwrap_or(usize::MAX));
        if threads <= 1 {
            work();
            return;
        }
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(work);
            }
        });
    }
}
