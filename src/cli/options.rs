//! Options that several subcommands share.

use std::path::PathBuf;
use std::time::Duration;

use structopt::StructOpt;

use crate::base::{Budget, Cancel};
use crate::driver::{DriverError, ProgramOptions, ReductionChoice};
use crate::frontend::c::{DataModel, LowerOptions, SourceOptions};
use crate::property::PropertyKind;

use super::progress::cancel_on_interrupt;

/// Which program, and how it is read.
#[derive(Debug, StructOpt)]
pub(super) struct ProgramArgs {
    /// C sources (.c), or preprocessed ones (.i); together they are one program.
    #[structopt(required = true, parse(from_os_str))]
    files: Vec<PathBuf>,
    /// Directory for the preprocessor to search.
    #[structopt(short = "I", parse(from_os_str), number_of_values = 1)]
    include: Vec<PathBuf>,
    /// Macro for the preprocessor: NAME or NAME=VALUE.
    #[structopt(short = "D", number_of_values = 1)]
    define: Vec<String>,
    /// C standard for the preprocessor, such as gnu11.
    #[structopt(long)]
    std: Option<String>,
    /// Sizes of C's types.
    #[structopt(long, default_value = "LP64", possible_values = &["LP64", "ILP32"])]
    data_model: String,
    /// Instances of a thread that is created in a loop without a constant bound.
    #[structopt(long, default_value = "3")]
    threads: usize,
    /// Objects of an allocation in a loop without a constant bound.
    #[structopt(long, default_value = "4")]
    heap_per_site: usize,
    /// Lets allocations fail.
    #[structopt(long)]
    malloc_may_fail: bool,
    /// How often a function may be active at once in a thread.
    #[structopt(long, default_value = "4")]
    recursion: usize,
    /// Elements of an array whose length is no constant.
    #[structopt(long, default_value = "4")]
    array_length: u64,
    /// Lets waits at condition variables end without a signal.
    #[structopt(long)]
    spurious_wakeups: bool,
    /// Takes for granted that no undefined behaviour happens.
    #[structopt(long)]
    assume_defined: bool,
}

impl ProgramArgs {
    /// The options of the pipeline.
    pub(super) fn options(&self) -> Result<ProgramOptions, DriverError> {
        if !(1..=64).contains(&self.threads) {
            return Err(DriverError::File("--threads takes a number from 1 to 64".into()));
        }
        let data_model = match self.data_model.as_str() {
            "ILP32" => DataModel::Ilp32,
            _ => DataModel::Lp64,
        };
        Ok(ProgramOptions {
            files: self.files.clone(),
            source: SourceOptions {
                include_dirs: self.include.clone(),
                defines: self.define.clone(),
                std: self.std.clone(),
                data_model,
                compiler: std::env::var_os("CC").filter(|cc| !cc.is_empty()).map(PathBuf::from),
            },
            lower: LowerOptions {
                data_model,
                threads: self.threads,
                assume_defined: self.assume_defined,
                heap_per_site: self.heap_per_site.clamp(1, 64),
                malloc_may_fail: self.malloc_may_fail,
                recursion: self.recursion.clamp(1, 16),
                array_length: self.array_length.clamp(1, 1 << 12),
                spurious_wakeups: self.spurious_wakeups,
            },
        })
    }
}

/// What is asked.
#[derive(Debug, StructOpt)]
pub(super) struct PropertyArgs {
    /// Property to check: assert, or invariant:EXPRESSION. May be given several times.
    #[structopt(long = "property", number_of_values = 1)]
    properties: Vec<String>,
}

impl PropertyArgs {
    /// The properties; `assert` if none is named.
    pub(super) fn properties(&self) -> Result<Vec<PropertyKind>, DriverError> {
        if self.properties.is_empty() {
            return Ok(vec![PropertyKind::Assert]);
        }
        self.properties.iter().map(|p| PropertyKind::parse(p).map_err(DriverError::File)).collect()
    }
}

/// Which interleavings are left out.
#[derive(Debug, StructOpt)]
pub(super) struct ReductionArgs {
    /// Reduction: auto, none, transactions, parallel, foata, parallel-transactions.
    #[structopt(long, default_value = "auto")]
    reduction: String,
}

impl ReductionArgs {
    /// The choice.
    pub(super) fn choice(&self) -> Result<ReductionChoice, DriverError> {
        ReductionChoice::parse(&self.reduction)
    }
}

/// Limits.
#[derive(Debug, StructOpt)]
pub(super) struct LimitArgs {
    /// Seconds of wall time.
    #[structopt(long)]
    timeout: Option<f64>,
    /// Megabytes of memory.
    #[structopt(long)]
    memory: Option<u64>,
}

impl LimitArgs {
    /// A budget that starts now and ends on an interrupt, too.
    pub(super) fn budget(&self) -> Result<Budget, DriverError> {
        let timeout = match self.timeout {
            None => None,
            Some(s) => match Duration::try_from_secs_f64(s) {
                Ok(d) if s > 0.0 => Some(d),
                _ => return Err(DriverError::File("--timeout takes a positive number".into())),
            },
        };
        if self.memory == Some(0) {
            return Err(DriverError::File("--memory takes a positive number".into()));
        }
        let cancel = Cancel::new();
        cancel_on_interrupt(&cancel);
        Ok(Budget::new(timeout, self.memory, cancel))
    }
}
