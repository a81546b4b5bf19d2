//! `latchwork check`.

use std::path::PathBuf;

use structopt::StructOpt;

use crate::base::Budget;
use crate::driver::{
    CheckOptions, DriverError, check, write_certificates, write_vcd, write_witness,
};
use crate::report::{TraceDetail, json_report, text_report};

use super::options::{AnswerArgs, ProgramArgs, PropertyArgs, ReductionArgs};

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
    answer: AnswerArgs,
    /// Writes each safe bad state as FILE.N.EXT with its proof, an AIGER witness circuit for
    /// Certifaiger, in FILE.N.cert.EXT.
    #[structopt(long, parse(from_os_str))]
    certificate: Option<PathBuf>,
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
            lock_sets: self.reduction.lock_sets()?,
        };
        let answer = &self.answer;
        let (budget, plan, mut progress) = answer.start()?;
        let result = check(&options, plan, &mut progress, &budget);
        progress.clear();
        let report = result?;
        if !answer.quiet {
            for warning in &report.warnings {
                eprint!("{}", warning.render(&report.program.sources));
            }
        }
        if let Some(path) = &answer.witness {
            // The verdict's limits are used up; the circuit has been built before within them.
            write_witness(&report, &options, path, &Budget::unlimited())?;
        }
        if let Some(path) = &self.certificate {
            for note in write_certificates(&report, path)? {
                eprintln!("{note}");
            }
        }
        if let Some(path) = &answer.vcd {
            write_vcd(&report, &options, path, &Budget::unlimited())?;
        }
        let detail = match (answer.quiet, self.full_trace) {
            (true, _) => TraceDetail::None,
            (false, true) => TraceDetail::Full,
            (false, false) => TraceDetail::Short,
        };
        answer.format.print(|| text_report(&report, detail), || json_report(&report));
        Ok(report.exit_code())
    }
}
