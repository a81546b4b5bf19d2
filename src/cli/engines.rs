//! `latchwork engines`.

use structopt::StructOpt;

use crate::driver::DriverError;
use crate::engine::embedded;

use super::run::{exit, print};

/// Options of `engines`.
#[derive(Debug, StructOpt)]
pub(super) struct Engines {}

impl Engines {
    /// Runs it; the exit code.
    pub(super) fn run(&self) -> Result<i32, DriverError> {
        let version = env!("CARGO_PKG_VERSION");
        for engine in embedded() {
            let can = engine.capabilities();
            let mut abilities = vec![];
            for (has, what) in [
                (can.refutes, "finds violations"),
                (can.proves_terminating, "proves programs that terminate"),
                (can.proves_looping, "proves programs that loop"),
            ] {
                if has {
                    abilities.push(what);
                }
            }
            let (name, what) = (engine.name(), engine.description());
            print(&format!("{name:<8} embedded {version:<8} {what} ({})\n", abilities.join(", ")));
        }
        Ok(exit::SAFE)
    }
}
