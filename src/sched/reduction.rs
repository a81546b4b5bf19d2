//! The reductions by name.

use std::fmt;

use crate::encode::Encoding;

use super::free::schedule_free;
use super::parallel::{ParallelOptions, schedule_parallel};
use super::scheduled::Scheduled;

/// How the circuit leaves out interleavings that cannot matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reduction {
    /// One visible operation of one thread a frame, all interleavings.
    #[default]
    None,
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
    pub const ALL: [Self; 5] =
        [Self::None, Self::Transactions, Self::Parallel, Self::Foata, Self::ParallelTransactions];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
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
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Sets the next states of `encoding.ts`, which was made for the reduction: with transactions, and
/// for parallel steps, where it asks for them.
pub fn schedule(encoding: &mut Encoding, reduction: Reduction) -> Scheduled {
    match reduction {
        Reduction::None | Reduction::Transactions => schedule_free(encoding),
        Reduction::Parallel => schedule_parallel(encoding, ParallelOptions { foata: false }),
        Reduction::Foata | Reduction::ParallelTransactions => {
            schedule_parallel(encoding, ParallelOptions { foata: true })
        }
    }
}
