//! Engines and audit against explicit-state search on random small circuits.

pub(crate) mod agreement;
mod audit;
mod bdd;
mod bmc;
mod certificates;
mod definitions;
mod induction;
pub(crate) mod reference;
mod relations;
mod sim;
mod sweep;
mod witness;
