//! The pipeline, readable top to bottom: [`check`] goes from C source to verdicts with replayed
//! traces; [`export_model`], [`replay_witness`] and [`explore_program`] are its other ends.

mod check;
mod circuit;
mod error;
mod explore;
mod export;
mod frontend;

pub use check::{CheckOptions, check, check_program};
pub use circuit::{Circuit, CircuitOptions};
pub use error::DriverError;
pub use explore::{explore_program, state_checks};
pub use export::{
    ExportFormat, ExportOptions, ExportedFile, MapFile, export_model, replay_witness, write_files,
    write_witness,
};
pub use frontend::{Loaded, ProgramOptions, load};
