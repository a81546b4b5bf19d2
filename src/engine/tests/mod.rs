//! Engines and audit against explicit-state search on random small circuits.

mod agreement;
mod audit;
mod bmc;
mod certificates;
mod induction;
pub(crate) mod reference;
