//! The reductions by name.

use std::fmt;

use crate::analysis::PatternOptions;
use crate::encode::Encoding;

use super::free::schedule_free;
use super::now::SchedulerFacts;
use super::parallel::{ParallelOptions, schedule_parallel};
use super::scheduled::Scheduled;
use super::stubborn::{StubbornOptions, schedule_peephole, schedule_stubborn};

/// How the circuit leaves out interleavings that cannot matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reduction {
    /// One visible operation of one thread a frame, all interleavings.
    #[default]
    None,
    /// Only threads of a smallest set move that no other thread can interfere with.
    Stubborn,
    /// The same, with the locks that others need on their way.
    LockPatterns,
    /// The same, with the memory of what was left for later.
    LockPatternsSleep,
    /// Of two independent steps that follow each other only one order.
    Peephole,
    /// One transaction of one thread a frame.
    Transactions,
    /// Steps that do not depend on each other may move in one frame.
    Parallel,
    /// Parallel steps in Foata form.
    Foata,
    /// Transactions that move in parallel, in Foata form.
    ParallelTransactions,
}

impl Reduction {
    /// All of them, in the order of their documentation.
    pub const ALL: [Self; 9] = [
        Self::None,
        Self::Stubborn,
        Self::LockPatterns,
        Self::LockPatternsSleep,
        Self::Peephole,
        Self::Transactions,
        Self::Parallel,
        Self::Foata,
        Self::ParallelTransactions,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Stubborn => "st",
            Self::LockPatterns => "lp",
            Self::LockPatternsSleep => "lp-sleep",
            Self::Peephole => "peephole",
            Self::Transactions => "transactions",
            Self::Parallel => "parallel",
            Self::Foata => "foata",
            Self::ParallelTransactions => "parallel-transactions",
        }
    }

    /// The reduction with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|r| r.name() == name)
    }

    /// Whether a step is a whole transaction.
    pub fn has_transactions(self) -> bool {
        matches!(self, Self::Transactions | Self::ParallelTransactions)
    }

    /// Whether several threads may move in one frame.
    pub fn is_parallel(self) -> bool {
        matches!(self, Self::Parallel | Self::Foata | Self::ParallelTransactions)
    }

    /// Whether only threads of a stubborn set move.
    pub fn is_stubborn(self) -> bool {
        matches!(self, Self::Stubborn | Self::LockPatterns | Self::LockPatternsSleep)
    }

    /// Which patterns the scheduler needs, if it decides by what threads access.
    pub fn patterns(self) -> Option<PatternOptions> {
        let tokens = match self {
            Self::LockPatterns | Self::LockPatternsSleep => true,
            Self::Stubborn | Self::Peephole => false,
            _ => return None,
        };
        Some(PatternOptions { tokens, ..PatternOptions::default() })
    }
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Sets the next states of `encoding.ts`, which was made for the reduction: with transactions, for
/// parallel steps, or with footprints, where it asks for them.
///
/// # Panics
/// If the reduction has [`Reduction::patterns`] and `facts` are missing.
pub fn schedule(
    encoding: &mut Encoding,
    reduction: Reduction,
    facts: Option<&SchedulerFacts<'_>>,
) -> Scheduled {
    let facts = || facts.expect("reductions with patterns get facts");
    match reduction {
        Reduction::None | Reduction::Transactions => schedule_free(encoding),
        Reduction::Stubborn | Reduction::LockPatterns => {
            schedule_stubborn(encoding, facts(), StubbornOptions::default())
        }
        Reduction::LockPatternsSleep => {
            let options = StubbornOptions { sleep: true, ..StubbornOptions::default() };
            schedule_stubborn(encoding, facts(), options)
        }
        Reduction::Peephole => schedule_peephole(encoding, facts()),
        Reduction::Parallel => schedule_parallel(encoding, ParallelOptions { foata: false }),
        Reduction::Foata | Reduction::ParallelTransactions => {
            schedule_parallel(encoding, ParallelOptions { foata: true })
        }
    }
}
