//! Room on the stack for recursion as deep as texts nest.

/// Less than this left makes the stack grow.
const RED_ZONE: usize = 128 * 1024;

/// By so much.
const SEGMENT: usize = 2 * 1024 * 1024;

/// Calls back with enough stack for one more level of nesting.
pub(crate) fn with_room<T>(callback: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE, SEGMENT, callback)
}
