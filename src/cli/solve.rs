//! `latchwork solve`.

use std::path::PathBuf;

use structopt::StructOpt;

use crate::driver::{DriverError, SolveOptions, solve};
use crate::portfolio::EngineOptions;
use crate::report::{json_solve, text_solve};

use super::engine::EngineArgs;
use super::options::LimitArgs;
use super::progress::Line;
use super::run::print;

/// Options of `solve`.
#[derive(Debug, StructOpt)]
pub(super) struct Solve {
    /// The model: AIGER (.aag, .aig) or BTOR2 (.btor, .btor2).
    #[structopt(parse(from_os_str))]
    model: PathBuf,
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
    /// Writes the first violation's witness in the model's form, AIGER or BTOR2.
    #[structopt(long, parse(from_os_str))]
    witness: Option<PathBuf>,
    /// Writes the signals of the first violation as a value change dump.
    #[structopt(long, parse(from_os_str))]
    vcd: Option<PathBuf>,
    /// Only the verdicts: no progress, nothing about engines.
    #[structopt(long)]
    quiet: bool,
}

impl Solve {
    /// Runs it; the exit code.
    pub(super) fn run(&self) -> Result<i32, DriverError> {
        let options = SolveOptions {
            model: self.model.clone(),
            witness: self.witness.clone(),
            vcd: self.vcd.clone(),
        };
        let budget = self.limits.budget()?;
        let mut progress = Line::new(self.quiet);
        let plan = self.engines.plan(EngineOptions { first: self.first })?;
        let result = solve(&options, plan, &mut progress, &budget);
        progress.clear();
        let report = result?;
        match self.format.as_str() {
            "json" => print(&json_solve(&report)),
            _ => print(&text_solve(&report, self.quiet)),
        }
        Ok(report.exit_code())
    }
}
