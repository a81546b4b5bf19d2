//! `latchwork explore`.

use structopt::StructOpt;

use crate::driver::{CheckOptions, DriverError, explore_program};
use crate::program::explore::{ExploreOptions, VisitedKind};
use crate::report::{TraceDetail, json_report, text_report};

use super::options::{FormatArgs, LimitArgs, ProgramArgs, PropertyArgs, ReductionArgs};

/// Options of `explore`.
#[derive(Debug, StructOpt)]
pub(super) struct Explore {
    #[structopt(flatten)]
    program: ProgramArgs,
    #[structopt(flatten)]
    properties: PropertyArgs,
    #[structopt(flatten)]
    reduction: ReductionArgs,
    #[structopt(flatten)]
    limits: LimitArgs,
    /// Largest number of states.
    #[structopt(long)]
    max_states: Option<usize>,
    /// Remembers states by 128-bit hashes: less memory, and wrong with a chance of less than one
    /// in 10^18 for ten billion states.
    #[structopt(long)]
    hashed: bool,
    /// Takes a thread's invisible edges together with the one before: fewer states.
    #[structopt(long)]
    local_merge: bool,
    /// Counts the runs that end, too.
    #[structopt(long)]
    paths: bool,
    #[structopt(flatten)]
    format: FormatArgs,
    /// Shows every statement of long traces.
    #[structopt(long)]
    full_trace: bool,
}

impl Explore {
    /// Runs it; the exit code.
    pub(super) fn run(&self) -> Result<i32, DriverError> {
        if self.reduction.lock_sets()?.is_some() {
            let message = "--lock-sets is for circuits: `explore` tells all sets apart";
            return Err(DriverError::File(message.into()));
        }
        let options = CheckOptions {
            program: self.program.options()?,
            properties: self.properties.properties()?,
            certificates: false,
            reduction: self.reduction.choice()?,
            context_bound: self.reduction.context_bound(),
            lock_sets: None,
        };
        let explore = ExploreOptions {
            visited: if self.hashed { VisitedKind::Hash128 } else { VisitedKind::Exact },
            max_states: self.max_states,
            local_merge: self.local_merge,
            paths: self.paths,
            ..ExploreOptions::default()
        };
        let report = explore_program(&options, &explore, &self.limits.budget()?)?;
        for warning in &report.warnings {
            eprint!("{}", warning.render(&report.program.sources));
        }
        let detail = if self.full_trace { TraceDetail::Full } else { TraceDetail::Short };
        self.format.print(|| text_report(&report, detail), || json_report(&report));
        Ok(report.exit_code())
    }
}
