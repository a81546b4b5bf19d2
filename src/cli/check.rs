//! `latchwork check`.

use std::path::PathBuf;

use structopt::StructOpt;

use crate::base::Budget;
use crate::driver::{CheckOptions, DriverError, check, write_witness};
use crate::engine::Engine;
use crate::engine::bmc::{Bmc, BmcOptions};
use crate::report::{TraceDetail, json_report, text_report};

use super::options::{LimitArgs, ProgramArgs, PropertyArgs, ReductionArgs};
use super::progress::Line;
use super::run::print;

/// Options of `check`.
#[derive(Debug, StructOpt)]
pub(super) struct Check {
    #[structopt(flatten)]
    program: ProgramArgs,
    #[structopt(flatten)]
    properties: PropertyArgs,
    #[structopt(flatten)]
    reduction: ReductionArgs,
    #[structopt(flatten)]
    limits: LimitArgs,
    /// Stops at the first violation.
    #[structopt(long)]
    first: bool,
    /// The engine.
    #[structopt(long, default_value = "auto", possible_values = &["auto", "bmc"])]
    engine: String,
    /// The form of the report.
    #[structopt(long, default_value = "text", possible_values = &["text", "json"])]
    format: String,
    /// Writes the first violation as an AIGER witness of the exported circuit.
    #[structopt(long, parse(from_os_str))]
    witness: Option<PathBuf>,
    /// Only the verdicts: no traces, warnings or progress.
    #[structopt(long)]
    quiet: bool,
    /// Shows every statement of long traces.
    #[structopt(long)]
    full_trace: bool,
}

impl Check {
    /// The engine that was chosen; `auto` takes what is embedded.
    fn engine(&self) -> Box<dyn Engine> {
        match self.engine.as_str() {
            "auto" | "bmc" => Box::new(Bmc(BmcOptions { first: self.first, ..Default::default() })),
            other => unreachable!("structopt refuses engine {other}"),
        }
    }

    /// Runs it; the exit code.
    pub(super) fn run(&self) -> Result<i32, DriverError> {
        let options = CheckOptions {
            program: self.program.options()?,
            properties: self.properties.properties()?,
            reduction: self.reduction.choice()?,
        };
        let budget = self.limits.budget()?;
        let engine = self.engine();
        let mut progress = Line::new(self.quiet);
        let result = check(&options, engine.as_ref(), &mut progress, &budget);
        progress.clear();
        let report = result?;
        if !self.quiet {
            for warning in &report.warnings {
                eprint!("{}", warning.render(&report.program.sources));
            }
        }
        if let Some(path) = &self.witness {
            // The verdict's limits are used up; the circuit has been built before within them.
            write_witness(&report, &options, path, &Budget::unlimited())?;
        }
        let detail = match (self.quiet, self.full_trace) {
            (true, _) => TraceDetail::None,
            (false, true) => TraceDetail::Full,
            (false, false) => TraceDetail::Short,
        };
        match self.format.as_str() {
            "json" => print(&json_report(&report)),
            _ => print(&text_report(&report, detail)),
        }
        Ok(report.exit_code())
    }
}
