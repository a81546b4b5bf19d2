//! May happen in parallel: pairs of locations at which two threads may be at the same time, both
//! able to go on as far as create, join and mutexes are concerned.
//!
//! G. Naumovich, G. S. Avrunin, L. A. Clarke: An efficient algorithm for computing MHP information
//! for concurrent Java programs (ESEC/FSE 1999), as in T. Wilhelm's thesis (`SEEDS` 004, chapter
//! 4), from the order of create and join ([`Alive`]) and the mutexes certainly held. A thread that
//! is not born is at its start together with every location of others, and so is one that has
//! ended: what makes it run is no conflict that these pairs could rule out.

use crate::program::{LocId, LocKind, Program, ThreadId};

use super::alive::Alive;
use super::held::Held;

/// Whether thread `a` may be at its location while `b` is at its own.
pub fn may_happen_in_parallel(
    program: &Program,
    alive: &Alive,
    held: &Held,
    (a, at_a): (ThreadId, LocId),
    (b, at_b): (ThreadId, LocId),
) -> bool {
    let rests = |t: ThreadId, loc: LocId| {
        let thread = &program.threads[t];
        let waits = loc == thread.start && thread.locations[loc].blocking;
        waits || thread.locations[loc].kind != LocKind::Running
    };
    if rests(a, at_a) || rests(b, at_b) {
        return true;
    }
    let excluded = held.at(a, at_a).intersection(held.at(b, at_b)).next().is_some();
    a != b
        && !excluded
        && alive.runs_at(a, at_a, b)
        && alive.runs_at(b, at_b, a)
        && alive.together(a, b)
}
