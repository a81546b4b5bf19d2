//! `latchwork replay`.

use std::path::PathBuf;

use structopt::StructOpt;

use crate::driver::{DriverError, Replayed, replay_witness, write_waves};
use crate::report::{TraceDetail, json_replay, text_violation};

use super::options::{FormatArgs, LimitArgs, ProgramArgs};
use super::run::exit;

/// Options of `replay`.
#[derive(Debug, StructOpt)]
pub(super) struct Replay {
    #[structopt(flatten)]
    program: ProgramArgs,
    #[structopt(flatten)]
    limits: LimitArgs,
    /// The witness: AIGER's form, BTOR2's, the text of ABC's write_cex -a, or NuSMV's XML.
    #[structopt(long, parse(from_os_str))]
    witness: PathBuf,
    /// The map file that export wrote; default: the witness's name with .map.json.
    #[structopt(long, parse(from_os_str))]
    map: Option<PathBuf>,
    /// Writes the signals of the run as a value change dump.
    #[structopt(long, parse(from_os_str))]
    vcd: Option<PathBuf>,
    #[structopt(flatten)]
    format: FormatArgs,
    /// Shows every statement of long traces.
    #[structopt(long)]
    full_trace: bool,
}

impl Replay {
    /// Runs it; the exit code.
    pub(super) fn run(&self) -> Result<i32, DriverError> {
        let options = self.program.options()?;
        let budget = self.limits.budget()?;
        let Replayed { program, violation, waves } =
            replay_witness(&options, &self.witness, self.map.as_deref(), &budget)?;
        if let Some(path) = &self.vcd {
            write_waves(&waves, path)?;
        }
        let detail = if self.full_trace { TraceDetail::Full } else { TraceDetail::Short };
        let text = || text_violation(&program, &violation, detail);
        self.format.print(text, || json_replay(&program, &violation));
        Ok(exit::UNSAFE)
    }
}
