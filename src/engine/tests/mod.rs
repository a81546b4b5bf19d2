//! Engines and audit against explicit-state search on random small circuits.

mod audit;
mod bdd;
mod bmc;
mod reference;
