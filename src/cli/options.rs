//! Options that several subcommands share.

use std::path::PathBuf;
use std::time::Duration;

use structopt::StructOpt;

use crate::base::{Budget, Cancel};
use crate::driver::{DriverError, ProgramOptions, ReductionChoice};
use crate::frontend::c::{Checks, DataModel, Extern, Firmware, LowerOptions, Mask, SourceOptions};
use crate::portfolio::{EngineOptions, Plan};
use crate::property::{Fairness, PropertyKind};

use super::engine::EngineArgs;
use super::progress::{Line, cancel_on_interrupt};
use super::run::print;

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
    /// Lets creating a thread fail.
    #[structopt(long)]
    create_may_fail: bool,
    /// How often a function may be active at once in a thread.
    #[structopt(long, default_value = "4")]
    recursion: usize,
    /// Edges of a thread up to which calls are inlined; behind that, the calls of a function share
    /// one body.
    #[structopt(long, default_value = "20000")]
    inline_limit: usize,
    /// Elements of an array whose length is no constant.
    #[structopt(long, default_value = "4")]
    array_length: u64,
    /// Lets waits at condition variables end without a signal.
    #[structopt(long)]
    spurious_wakeups: bool,
    /// Takes for granted that no undefined behaviour happens.
    #[structopt(long)]
    assume_defined: bool,
    #[structopt(flatten)]
    firmware: FirmwareArgs,
}

/// What is said of programs without a `main` of pthreads (docs/firmware.md).
#[derive(Debug, StructOpt)]
struct FirmwareArgs {
    /// The function that runs first, in place of `main`.
    #[structopt(long)]
    entry: Option<String>,
    /// F or F=N: a function that runs as N threads once the entry has ended.
    #[structopt(long = "thread", number_of_values = 1)]
    given_threads: Vec<String>,
    /// F, F=ENABLED or F=OFF/ON: an interrupt handler. It runs to completion and pre-empts every
    /// thread; ENABLED is a variable, or a function that enables it; OFF and ON are functions.
    #[structopt(long, number_of_values = 1)]
    isr: Vec<String>,
    /// NAME=nondet, NAME=noop or NAME=start: what a function does in place of its body: gives any
    /// value, nothing, or starts the threads and never returns.
    #[structopt(long = "extern", number_of_values = 1)]
    externs: Vec<String>,
    /// A variable of the hardware: it reads as an input.
    #[structopt(long, number_of_values = 1)]
    mmio: Vec<String>,
}

impl FirmwareArgs {
    fn options(&self) -> Result<Firmware, DriverError> {
        let mut firmware =
            Firmware { entry: self.entry.clone(), mmio: self.mmio.clone(), ..Firmware::default() };
        for text in &self.given_threads {
            let (name, count) = match text.split_once('=') {
                Some((name, n)) => (name, n.parse().ok().filter(|n| (1..=64).contains(n))),
                None => (text.as_str(), Some(1)),
            };
            let message = || format!("--thread {text}: needs F or F=N, with N from 1 to 64");
            let count = count.ok_or_else(|| DriverError::File(message()))?;
            firmware.threads.push((name.into(), count));
        }
        for text in &self.isr {
            let (name, mask) = match text.split_once('=') {
                None => (text.as_str(), Mask::Never),
                Some((name, mask)) => match mask.split_once('/') {
                    None => (name, Mask::Enabled(mask.into())),
                    Some((off, on)) => (name, Mask::Switched(off.into(), on.into())),
                },
            };
            firmware.isrs.push((name.into(), mask));
        }
        for text in &self.externs {
            let (name, what) = match text.split_once('=') {
                Some((name, "nondet")) => (name, Extern::Nondet),
                Some((name, "noop")) => (name, Extern::Noop),
                Some((name, "start")) => (name, Extern::Start),
                _ => {
                    let message = format!("--extern {text}: needs NAME=nondet, =noop or =start");
                    return Err(DriverError::File(message));
                }
            };
            firmware.externs.push((name.into(), what));
        }
        Ok(firmware)
    }
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
                create_may_fail: self.create_may_fail,
                recursion: self.recursion.clamp(1, 16),
                inline_limit: self.inline_limit,
                array_length: self.array_length.clamp(1, 1 << 12),
                spurious_wakeups: self.spurious_wakeups,
                checks: Checks::default(),
                firmware: self.firmware.options()?,
            },
            remember_readers: false,
        })
    }
}

/// What is asked.
#[derive(Debug, StructOpt)]
pub(super) struct PropertyArgs {
    /// Property to check: assert, race, deadlock, deadlock:local, lock-misuse, overflow, memory,
    /// invariant:EXPRESSION or ltl:FORMULA. May be given several times; default: assert, race and
    /// deadlock, if there is no formula.
    #[structopt(long = "property", number_of_values = 1)]
    properties: Vec<String>,
    /// Formula of linear temporal logic that all runs should satisfy: C expressions over global
    /// variables, T:f:x, T@label, ended(T), enabled(T) and owner(mutex), joined by U R W F G X ! &&
    /// || -> <->. May be given several times.
    #[structopt(long, number_of_values = 1)]
    ltl: Vec<String>,
    /// Formulas are about runs that are fair to every thread: one that can move from some time on
    /// moves infinitely often.
    #[structopt(long)]
    fair: bool,
    /// Besides, a thread that infinitely often waits for a lock that is free takes locks infinitely
    /// often.
    #[structopt(long)]
    fair_locks: bool,
    /// Deadlocks are, too, threads that wait for each other in a circle, and waits at a condition
    /// variable that nobody is left to signal, though other threads may go on.
    #[structopt(long)]
    local_deadlocks: bool,
}

impl PropertyArgs {
    /// The properties; `assert`, `race` and `deadlock` if none is named and there is no formula.
    pub(super) fn properties(&self) -> Result<Vec<PropertyKind>, DriverError> {
        let mut properties: Vec<PropertyKind> = self
            .properties
            .iter()
            .map(|p| PropertyKind::parse(p).map_err(DriverError::File))
            .collect::<Result<_, _>>()?;
        let fairness = match (self.fair_locks, self.fair) {
            (true, _) => Fairness::Locks,
            (_, true) => Fairness::Threads,
            _ => Fairness::None,
        };
        properties.extend(self.ltl.iter().map(|f| PropertyKind::Ltl(Fairness::None, f.clone())));
        let mut temporal = false;
        for property in &mut properties {
            if let PropertyKind::Ltl(own, _) = property {
                *own = fairness.max(*own);
                temporal = true;
            }
        }
        if fairness != Fairness::None && !temporal {
            let message = "--fair and --fair-locks are about formulas: give one with --ltl";
            return Err(DriverError::File(message.into()));
        }
        if properties.is_empty() {
            properties = vec![PropertyKind::Assert, PropertyKind::Race, PropertyKind::Deadlock];
        }
        if self.local_deadlocks {
            let global = properties.iter_mut().find(|p| **p == PropertyKind::Deadlock);
            match global {
                Some(global) => *global = PropertyKind::LocalDeadlock,
                None => properties.push(PropertyKind::LocalDeadlock),
            }
        }
        if properties.contains(&PropertyKind::LocalDeadlock) {
            // It is one of them.
            properties.retain(|p| *p != PropertyKind::Deadlock);
        }
        Ok(properties)
    }
}

/// Which interleavings are left out.
#[derive(Debug, StructOpt)]
pub(super) struct ReductionArgs {
    /// Reduction: auto, none, st, lp, lp-sleep, peephole, transactions, parallel, foata,
    /// parallel-transactions.
    #[structopt(long, default_value = "auto")]
    reduction: String,
    /// Only runs that change from one thread to another at most this many times; no reduction goes
    /// with it, and nothing is safe by it.
    #[structopt(long)]
    context_bound: Option<u32>,
    /// Under `lp` and `lp-sleep`: most sets of locks that are told apart for the ways from a
    /// location to an access, 1 to 8 [default: 2].
    #[structopt(long)]
    lock_sets: Option<usize>,
}

impl ReductionArgs {
    /// The choice.
    pub(super) fn choice(&self) -> Result<ReductionChoice, DriverError> {
        ReductionChoice::parse(&self.reduction)
    }

    /// The bound on switches of threads.
    pub(super) fn context_bound(&self) -> Option<u32> {
        self.context_bound
    }

    /// See [`CircuitOptions::lock_sets`](crate::driver::CircuitOptions::lock_sets).
    pub(super) fn lock_sets(&self) -> Result<Option<usize>, DriverError> {
        match self.lock_sets {
            Some(k) if !(1..=8).contains(&k) => {
                Err(DriverError::File("--lock-sets takes a number from 1 to 8".into()))
            }
            known => Ok(known),
        }
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

/// The form of what is printed.
#[derive(Debug, StructOpt)]
pub(super) struct FormatArgs {
    /// The form of the report.
    #[structopt(long, default_value = "text", possible_values = &["text", "json"])]
    format: String,
}

impl FormatArgs {
    /// Prints one of the forms.
    pub(super) fn print(&self, text: impl FnOnce() -> String, json: impl FnOnce() -> String) {
        match self.format.as_str() {
            "json" => print(&json()),
            _ => print(&text()),
        }
    }
}

/// How properties are decided, and what becomes of the answers.
#[derive(Debug, StructOpt)]
pub(super) struct AnswerArgs {
    #[structopt(flatten)]
    limits: LimitArgs,
    #[structopt(flatten)]
    engines: EngineArgs,
    /// Stops at the first violation of what was asked for.
    #[structopt(long)]
    first: bool,
    #[structopt(flatten)]
    pub(super) format: FormatArgs,
    /// Writes the first violation's witness: AIGER's form, or that of the model (BTOR2).
    #[structopt(long, parse(from_os_str))]
    pub(super) witness: Option<PathBuf>,
    /// Writes the signals of the first violation as a value change dump.
    #[structopt(long, parse(from_os_str))]
    pub(super) vcd: Option<PathBuf>,
    /// Only the verdicts: no traces, warnings or progress, nothing about engines.
    #[structopt(long)]
    pub(super) quiet: bool,
}

impl AnswerArgs {
    /// A budget that starts now, the engines, and a line about their progress.
    pub(super) fn start(&self) -> Result<(Budget, Plan, Line), DriverError> {
        let budget = self.limits.budget()?;
        let plan = self.engines.plan(EngineOptions { first: self.first })?;
        Ok((budget, plan, Line::new(self.quiet)))
    }
}
