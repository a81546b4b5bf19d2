//! Facts about a thread program. Each analysis reads the program only; none needs a solver.
//!
//! [`points_to`] must have run before the others; [`Facts::new`] runs the rest in order.

mod alive;
mod domain;
mod facts;
mod held;
mod liveness;
mod movers;
mod points_to;
mod print;
mod ranges;
mod slice;
#[cfg(test)]
mod tests;
mod transactions;
mod uses;

pub use alive::Alive;
pub use domain::AbsVal;
pub use facts::{Facts, Place, Sharing};
pub use held::Held;
pub use liveness::{Liveness, LocalSet};
pub use movers::{Mover, Movers};
pub use points_to::points_to;
pub use print::print_transactions;
pub use ranges::Ranges;
pub use slice::Slice;
pub use transactions::{Phases, Transactions};
pub use uses::{Use, Written};
