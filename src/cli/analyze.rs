//! `latchwork analyze`.

use structopt::StructOpt;

use crate::driver::{CheckOptions, DriverError, analyze};

use super::options::{LimitArgs, ProgramArgs, PropertyArgs};
use super::run::{exit, print};

/// Options of `analyze`.
#[derive(Debug, StructOpt)]
pub(super) struct Analyze {
    #[structopt(flatten)]
    program: ProgramArgs,
    #[structopt(flatten)]
    properties: PropertyArgs,
    #[structopt(flatten)]
    limits: LimitArgs,
}

impl Analyze {
    /// Runs it; the exit code.
    pub(super) fn run(&self) -> Result<i32, DriverError> {
        let options = CheckOptions {
            program: self.program.options()?,
            properties: self.properties.properties()?,
            ..CheckOptions::default()
        };
        print(&analyze(&options, &self.limits.budget()?)?);
        Ok(exit::SAFE)
    }
}
