//! What every other module stands on: typed ids and index maps, source spans and diagnostics,
//! budgets, a deep stack, and a seeded generator of pseudo-random numbers.
//!
//! Nothing here knows about C, circuits or solvers.

mod budget;
mod hash;
mod index;
mod rng;
mod source;
mod stack;

pub use budget::{Budget, Cancel, Stop};
pub use hash::{FixedState, HashMap, HashSet};
pub use index::{Id, IndexVec};
pub use rng::Rng;
pub use source::{Diagnostic, FileId, Severity, SourceFile, SourceMap, Span};
pub use stack::with_deep_stack;
