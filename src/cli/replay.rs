//! `latchwork replay`.

use std::path::PathBuf;

use structopt::StructOpt;

use crate::driver::{DriverError, replay_witness};
use crate::report::{TraceDetail, json_replay, text_violation};

use super::options::{LimitArgs, ProgramArgs};
use super::run::{exit, print};

/// Options of `replay`.
#[derive(Debug, StructOpt)]
pub(super) struct Replay {
    #[structopt(flatten)]
    program: ProgramArgs,
    #[structopt(flatten)]
    limits: LimitArgs,
    /// The witness: AIGER's form, or the text of ABC's write_cex -a.
    #[structopt(long, parse(from_os_str))]
    witness: PathBuf,
    /// The map file that export wrote; default: the witness's name with .map.json.
    #[structopt(long, parse(from_os_str))]
    map: Option<PathBuf>,
    /// The form of the report.
    #[structopt(long, default_value = "text", possible_values = &["text", "json"])]
    format: String,
    /// Shows every statement of long traces.
    #[structopt(long)]
    full_trace: bool,
}

impl Replay {
    /// Runs it; the exit code.
    pub(super) fn run(&self) -> Result<i32, DriverError> {
        let options = self.program.options()?;
        let budget = self.limits.budget()?;
        let (program, violation) =
            replay_witness(&options, &self.witness, self.map.as_deref(), &budget)?;
        let detail = if self.full_trace { TraceDetail::Full } else { TraceDetail::Short };
        match self.format.as_str() {
            "json" => print(&json_replay(&program, &violation)),
            _ => print(&text_violation(&program, &violation, detail)),
        }
        Ok(exit::UNSAFE)
    }
}
