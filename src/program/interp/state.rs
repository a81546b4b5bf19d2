//! States of a program.

use crate::base::Id;
use crate::program::{LocId, Program, ThreadId, VarId};

/// A value for each variable (below `2^width`) and a location for each thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    values: Box<[u128]>,
    locs: Box<[LocId]>,
}

impl State {
    /// The state at the start of a program.
    pub fn initial(program: &Program) -> Self {
        Self {
            values: program.vars.iter().map(|v| v.init).collect(),
            locs: program.threads.iter().map(|t| t.start).collect(),
        }
    }

    /// The value of a variable.
    pub fn value(&self, v: VarId) -> u128 {
        self.values[v.index()]
    }

    /// Where a thread is.
    pub fn loc(&self, t: ThreadId) -> LocId {
        self.locs[t.index()]
    }

    /// Whether the process has not ended, nothing is violated or discarded, and no thread is inside
    /// of an atomic section.
    pub fn goes_on(&self, program: &Program) -> bool {
        program.threads.iter_enumerated().all(|(t, thread)| {
            let location = &thread.locations[self.loc(t)];
            !location.kind.is_over() && !location.atomic
        })
    }

    /// The values of all variables, in order of their ids.
    pub fn values(&self) -> &[u128] {
        &self.values
    }

    /// The locations of all threads, in order of their ids.
    pub fn locs(&self) -> &[LocId] {
        &self.locs
    }

    pub(in crate::program) fn set_value(&mut self, v: VarId, value: u128) -> u128 {
        std::mem::replace(&mut self.values[v.index()], value)
    }

    pub(in crate::program) fn set_loc(&mut self, t: ThreadId, loc: LocId) {
        self.locs[t.index()] = loc;
    }
}
