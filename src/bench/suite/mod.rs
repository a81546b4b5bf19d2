//! Suites of measurements: a [`Manifest`] says what is run, [`run`] runs what its table does not
//! have yet, and [`Summary`] tells what the [`Row`]s of the table come to.

mod draw;
mod manifest;
mod row;
mod runner;
mod summary;
#[cfg(test)]
mod tests;

pub use manifest::{Manifest, ManifestError, Plot, Task};
pub use row::Row;
pub use runner::{Observer, Place, SuiteError, run};
pub use summary::{Growth, Line, Summary};
