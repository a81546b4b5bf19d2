//! Heap objects that are not freed when the process ends: by return from `main`, `exit` or `abort`,
//! or because all threads have ended. A process that stops at a violated site, or that an `assume`
//! discards, leaks nothing.

use super::explore::unended;
use super::interp::State;
use super::types::{Lifetime, LocId, ObjId, Program, Sync, ThreadId, VarId};

/// What a program may leak, and where its process ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    /// The objects of the heap, each with the variable that tells whether it is alive.
    pub heap: Vec<(ObjId, VarId)>,
    /// Locations from which the next edge ends the process, outside of atomic sections.
    pub ends: Vec<(ThreadId, LocId)>,
}

impl Leak {
    /// That of a program; `None` if it has no heap.
    pub fn of(program: &Program) -> Option<Self> {
        let mut heap = vec![];
        let mut ends = vec![];
        for (t, thread) in program.threads.iter_enumerated() {
            for edge in thread.edges.iter() {
                match edge.sync {
                    Sync::Allocate(o) => {
                        if let Lifetime::While(alive) = program.objects[o].lifetime {
                            heap.push((o, alive));
                        }
                    }
                    Sync::ProcessEnd if !thread.locations[edge.from].atomic => {
                        ends.push((t, edge.from));
                    }
                    _ => {}
                }
            }
        }
        heap.sort_unstable();
        heap.dedup();
        (!heap.is_empty()).then_some(Self { heap, ends })
    }

    /// The objects that are not freed, if the process ends in this state.
    pub fn objects(&self, program: &Program, state: &State) -> Vec<ObjId> {
        let ends = self.ends.iter().any(|&(t, l)| state.loc(t) == l)
            || unended(program, state).next().is_none();
        if !ends || !state.goes_on(program) {
            return vec![];
        }
        let alive = self.heap.iter().filter(|&&(_, alive)| state.value(alive) == 1);
        alive.map(|&(o, _)| o).collect()
    }
}
