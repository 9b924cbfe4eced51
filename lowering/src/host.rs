//! How host code calls a kernel.
//!
//! Each kernel is one function of the C calling convention that runs all threads of one block, in order:
//!
//! ```c
//! void kernel(const void *const *arguments, const struct Block *block);
//! ```
//!
//! `arguments[i]` points at argument `i`: for a value, its bytes in memory; for a buffer, a [`Buffer`].

/// Which block of which dispatch to run.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// Points of the dispatch in each direction. Points outside of it are not run.
    pub dispatch_size: [u32; 3],
    /// Threads of a block in each direction.
    pub block_size: [u32; 3],
    /// The block, counted in blocks.
    pub block_id: [u32; 3],
}

/// A buffer argument.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Buffer {
    /// Address of the first element.
    pub data: *mut u8,
    /// Number of elements.
    pub count: u64,
}

/// The function of a kernel.
pub type KernelFunction = unsafe extern "C" fn(arguments: *const *const u8, block: *const Block);

/// Indices of what a thread knows about itself, in the table of vectors that every function gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ThreadVector {
    DispatchId = 0,
    DispatchSize = 1,
    ThreadId = 2,
    BlockId = 3,
    BlockSize = 4,
}

/// How many vectors of three there are.
pub(crate) const THREAD_VECTORS: u32 = 5;
