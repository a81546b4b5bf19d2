//! The thread program: what every front end produces and every analysis and encoding reads.
//!
//! A [`Program`] has variables of fixed width, memory objects whose scalar leaves are such
//! variables, and thread instances. A thread is a control-flow graph of its own (calls are
//! inlined, each instance has its own copy), whose edges are guarded parallel assignments.
//!
//! Meaning, exactly:
//! * A state gives each variable a value and each thread a location. At the start each variable
//!   has its `init` value and each thread is at its `start`.
//! * A thread at a location takes the one outgoing edge whose guard holds. At a `blocking`
//!   location there may be none: the thread waits and is disabled. At any other location of kind
//!   [`LocKind::Running`] there is always exactly one.
//! * An edge first evaluates its dereferences in the current state, then guard and right-hand
//!   sides, then assigns all targets at once and moves the thread to `to`. This is one atomic
//!   action. If the edge has a `site`, that site is violated by taking it.
//! * A dereference at address `a` of `n` bytes is valid iff one of its `objects` that is alive
//!   contains `a .. a + n`. [`Leaf::Valid`] tells; [`Leaf::Loaded`] is the value of these bytes
//!   (little-endian) in the state before the edge, 0 if invalid. Assigning to an invalid
//!   dereference does nothing; front ends guard with `Valid` and have a second edge to a
//!   [`SiteKind::Undefined`] site.
//! * While a thread is at a location marked `atomic` no other thread moves. A thread that stops
//!   inside an atomic section leaves it closed.
//! * Threads at [`LocKind::Ended`], [`LocKind::Discarded`] and [`LocKind::Stopped`] never move.
//!   An instance that can be created again has no `Ended` location: its last edge goes back to
//!   `start`.
//! * The end of the process (return from `main`, `exit`, `abort`) is [`LocKind::Stopped`]: the
//!   thread stops, enables no join, and others may go on; what they do could have happened
//!   before the end.

mod accesses;
pub mod build;
pub mod contention;
pub mod explore;
mod interp;
pub mod leak;
mod print;
pub mod random;
mod readers;
mod replay;
pub mod standstill;
mod types;
mod validate;

pub use accesses::{Access, AccessKind, Place, accesses, candidates, is_shared, whole};
pub use interp::{InternalError, Machine, State, StepError, StepInfo};
pub use print::print;
pub use readers::{read_holds, remember_readers};
pub use replay::{ReplayError, run_step, run_step_seen};
pub use types::{
    Arithmetic, Assign, Bound, Deref, DerefId, Edge, EdgeId, InputId, InputVar, Leaf, Lifetime,
    LocId, LocKind, Location, ObjId, Object, ProgExpr, ProgPool, Program, Role, Scope, Site,
    SiteId, SiteKind, Status, Sync, Target, Thread, ThreadId, Undefined, VarId, Variable,
};
pub use validate::{Invalid, Part, Rule, validate};
