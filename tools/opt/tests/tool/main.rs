//! The driver as a tool of one's own uses it: status, streams, files.

mod call;
mod failures;
mod files;
mod printing;
mod support;
