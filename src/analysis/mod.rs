//! Facts about a thread program. Each analysis reads the program only; none needs a solver.
//!
//! [`points_to`] must have run before the others; [`Facts::new`] runs the rest in order.

mod domain;
mod facts;
mod liveness;
mod points_to;
mod ranges;
mod slice;
#[cfg(test)]
mod tests;

pub use domain::AbsVal;
pub use facts::{Facts, Place, Sharing};
pub use liveness::{Liveness, LocalSet};
pub use points_to::points_to;
pub use ranges::Ranges;
pub use slice::Slice;
