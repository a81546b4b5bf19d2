//! Facts about a thread program. Each analysis reads the program only; none needs a solver.
//!
//! [`points_to`] must have run before the others; [`Facts::new`] runs the rest in order.

mod alive;
mod certain;
mod domain;
mod facts;
mod held;
mod liveness;
mod lock_order;
mod mhp;
mod movers;
mod overview;
mod patterns;
mod points_to;
mod prefix;
mod races;
mod ranges;
mod ranks;
mod sections;
mod slice;
mod sticky;
mod stride;
#[cfg(test)]
mod tests;
mod tokens;
mod transactions;
mod uses;
mod webs;

pub use alive::Alive;
pub use domain::AbsVal;
pub use facts::{Facts, Place, Sharing};
pub use held::Held;
pub use liveness::{Liveness, LocalSet};
pub use lock_order::{LockOrder, Nested};
pub use mhp::may_happen_in_parallel;
pub use movers::{Mover, Movers};
pub use overview::{
    LocationFacts, NestedFacts, Overview, ParallelFacts, SharedFacts, Sources, ThreadFacts,
};
pub use patterns::{Mode, Object, PatternOptions, Patterns, TokenSet, raced_items};
pub use points_to::points_to;
pub use prefix::Prefix;
pub use races::{Contention, contention};
pub use ranges::Ranges;
pub use ranks::Ranks;
pub use slice::Slice;
pub use sticky::sticky;
pub use tokens::{Token, Tokens};
pub use transactions::{Phases, Stops, Transactions};
pub use uses::{Use, Written};
