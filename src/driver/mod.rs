//! The pipeline, readable top to bottom: [`check`] goes from C source to verdicts with replayed
//! traces; [`export_model`], [`replay_witness`] and [`explore_program`] are its other ends.
//! [`solve`] starts from a model file of somebody else.

mod analyze;
mod check;
mod circuit;
mod error;
mod explore;
mod export;
mod found;
mod frontend;
mod justice;
mod live_files;
mod ltl;
mod model;
mod part;
mod reduction;
mod sizes;
mod solve;
#[cfg(test)]
mod tests;
mod word;

pub use analyze::analyze;
pub use check::{CheckOptions, check, check_loaded, check_program, check_reduced};
pub use circuit::{Circuit, CircuitOptions};
pub use error::DriverError;
pub use explore::{explore_program, explore_question, state_checks, visible_holds};
pub use export::{
    ExportFormat, ExportOptions, ExportedFile, MapFile, Replayed, export_model, replay_witness,
    write_files,
};
pub use found::{write_certificates, write_vcd, write_waves, write_witness};
pub use frontend::{Loaded, ProgramOptions, load};
pub use live_files::Liveness;
pub use ltl::explore_ltl;
pub use reduction::{ReductionChoice, keeps, keeps_formula};
pub use sizes::{CircuitSize, circuit_sizes};
pub use solve::{SolveOptions, solve};
pub use word::WordModel;
