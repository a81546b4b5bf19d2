//! What every other module stands on: typed ids and index maps, source spans and diagnostics,
//! budgets, a deep stack, a seeded generator of pseudo-random numbers, and bits of many runs.
//!
//! Nothing here knows about C, circuits or solvers.

mod budget;
mod hash;
mod index;
mod lanes;
mod rng;
mod source;
mod stack;

pub use budget::{Budget, Cancel, Stop};
pub use hash::{FixedState, HashMap, HashSet};
pub use index::{Id, IndexVec};
pub use lanes::Lanes;
pub use rng::Rng;
pub use source::{Diagnostic, FileId, Severity, SourceFile, SourceMap, Span};
pub use stack::with_deep_stack;
