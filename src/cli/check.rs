//! `latchwork check`.

use std::path::PathBuf;

use structopt::StructOpt;

use crate::base::Budget;
use crate::driver::{
    CheckOptions, DriverError, check, write_certificates, write_vcd, write_witness,
};
use crate::portfolio::EngineOptions;
use crate::report::{TraceDetail, json_report, text_report};

use super::engine::EngineArgs;
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
    #[structopt(flatten)]
    engines: EngineArgs,
    /// The form of the report.
    #[structopt(long, default_value = "text", possible_values = &["text", "json"])]
    format: String,
    /// Writes the first violation as an AIGER witness of the exported circuit.
    #[structopt(long, parse(from_os_str))]
    witness: Option<PathBuf>,
    /// Writes each safe bad state as FILE.N.EXT with its proof, an AIGER witness circuit for
    /// Certifaiger, in FILE.N.cert.EXT.
    #[structopt(long, parse(from_os_str))]
    certificate: Option<PathBuf>,
    /// Writes the signals of the first violation as a value change dump.
    #[structopt(long, parse(from_os_str))]
    vcd: Option<PathBuf>,
    /// Only the verdicts: no traces, warnings or progress.
    #[structopt(long)]
    quiet: bool,
    /// Shows every statement of long traces.
    #[structopt(long)]
    full_trace: bool,
}

impl Check {
    /// Runs it; the exit code.
    pub(super) fn run(&self) -> Result<i32, DriverError> {
        let options = CheckOptions {
            program: self.program.options()?,
            properties: self.properties.properties()?,
            certificates: self.certificate.is_some(),
            reduction: self.reduction.choice()?,
            context_bound: self.reduction.context_bound(),
        };
        let budget = self.limits.budget()?;
        let plan = self.engines.plan(EngineOptions { first: self.first })?;
        let mut progress = Line::new(self.quiet);
        let result = check(&options, plan, &mut progress, &budget);
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
        if let Some(path) = &self.certificate {
            for note in write_certificates(&report, path)? {
                eprintln!("{note}");
            }
        }
        if let Some(path) = &self.vcd {
            write_vcd(&report, &options, path, &Budget::unlimited())?;
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
