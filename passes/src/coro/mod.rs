//! The coroutine pipeline.
//!
//! | pass | from | to |
//! |---|---|---|
//! | `coro-analyze` | coroutines | + certificates |
//! | `coro-color-frame` | + certificates | + frame layouts |
//! | `coro-split` | all three | continuations, frame layouts, graphs |
//! | `coro-materialize` | continuations | callables on plain memory |
//! | `coro-erase-suspends` | coroutines | kernels that run straight through |

mod analysis;
mod analyze;
mod certificate;
mod color;
mod color_frame;
mod erase_suspends;
mod materialize;
mod sink_references;
mod split;
mod split_pass;
mod storage;
mod values;
mod xir;

pub use analyze::CoroAnalyze;
pub use color_frame::CoroColorFrame;
pub use erase_suspends::CoroEraseSuspends;
pub use materialize::CoroMaterialize;
pub use split_pass::CoroSplit;
