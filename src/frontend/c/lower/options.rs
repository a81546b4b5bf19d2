//! What a caller chooses and gets.

use super::super::firmware::Firmware;
use super::super::source::DataModel;
use crate::base::{Diagnostic, SourceMap};
use crate::program::Program;

/// How to lower C to a thread program.
#[derive(Clone, Debug)]
pub struct LowerOptions {
    /// Sizes of the types.
    pub data_model: DataModel,
    /// Thread instances of a create site that runs more than once, where no constant bound of
    /// its loops is known; also how deep a thread may create threads of its own kind.
    pub threads: usize,
    /// Leave out the sites of undefined behaviour: whoever asks vouches for its absence.
    pub assume_defined: bool,
    /// Objects of an allocation site that runs more than once, where no constant bound of its
    /// loops is known.
    pub heap_per_site: usize,
    /// Whether allocations may fail.
    pub malloc_may_fail: bool,
    /// Whether creating a thread may fail.
    pub create_may_fail: bool,
    /// How often a function may be active at once in a thread.
    pub recursion: usize,
    /// Edges of a thread up to which calls are inlined; behind that, calls share bodies.
    pub inline_limit: usize,
    /// Elements of a variable-length array.
    pub array_length: u64,
    /// Whether a wait at a condition variable may end without a signal.
    pub spurious_wakeups: bool,
    /// What is said of a program without a `main` of pthreads.
    pub firmware: Firmware,
    /// Sites that are made only for who asks.
    pub checks: Checks,
}

/// Sites that are made only for properties that are asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// Where a thread takes a mutex that it has already.
    pub relock: bool,
    /// Where signed arithmetic overflows or a shift is out of range. Without them both wrap around.
    pub arithmetic: bool,
}

impl Default for LowerOptions {
    fn default() -> Self {
        Self {
            data_model: DataModel::default(),
            threads: 3,
            assume_defined: false,
            heap_per_site: 4,
            malloc_may_fail: false,
            create_may_fail: false,
            recursion: 4,
            inline_limit: 20_000,
            array_length: 4,
            spurious_wakeups: false,
            checks: Checks::default(),
            firmware: Firmware::default(),
        }
    }
}

/// A lowered program.
#[derive(Debug)]
pub struct Lowered {
    /// The program; it owns the source map.
    pub program: Program,
    /// Remarks about the source.
    pub warnings: Vec<Diagnostic>,
}

/// Why there is no program.
#[derive(Debug)]
pub struct Failed {
    /// At least one error.
    pub errors: Vec<Diagnostic>,
    /// The files that the errors refer to.
    pub sources: SourceMap,
}
