//! `latchwork analyze`.

use structopt::StructOpt;

use crate::driver::{CheckOptions, DriverError, analyze};
use crate::report::{dot_overview, json_overview, text_overview};

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
    /// The form of what is printed; dot is the order of mutexes, for Graphviz.
    #[structopt(long, default_value = "text", possible_values = &["text", "json", "dot"])]
    format: String,
}

impl Analyze {
    /// Runs it; the exit code.
    pub(super) fn run(&self) -> Result<i32, DriverError> {
        let options = CheckOptions {
            program: self.program.options()?,
            properties: self.properties.properties()?,
            ..CheckOptions::default()
        };
        let found = analyze(&options, &self.limits.budget()?)?;
        print(&match self.format.as_str() {
            "json" => json_overview(&found),
            "dot" => dot_overview(&found),
            _ => text_overview(&found),
        });
        Ok(exit::SAFE)
    }
}
