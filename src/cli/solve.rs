//! `latchwork solve`.

use std::path::PathBuf;

use structopt::StructOpt;

use crate::driver::{DriverError, SolveOptions, solve};
use crate::report::{json_solve, text_solve};

use super::options::AnswerArgs;

/// Options of `solve`.
#[derive(Debug, StructOpt)]
pub(super) struct Solve {
    /// The model: AIGER (.aag, .aig) or BTOR2 (.btor, .btor2).
    #[structopt(parse(from_os_str))]
    model: PathBuf,
    #[structopt(flatten)]
    answer: AnswerArgs,
}

impl Solve {
    /// Runs it; the exit code.
    pub(super) fn run(&self) -> Result<i32, DriverError> {
        let options = SolveOptions {
            model: self.model.clone(),
            witness: self.answer.witness.clone(),
            vcd: self.answer.vcd.clone(),
        };
        let (budget, plan, mut progress) = self.answer.start()?;
        let result = solve(&options, plan, &mut progress, &budget);
        progress.clear();
        let report = result?;
        let text = || text_solve(&report, self.answer.quiet);
        self.answer.format.print(text, || json_solve(&report));
        Ok(report.exit_code())
    }
}
