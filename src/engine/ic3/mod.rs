//! IC3, also called property directed reachability: proves or refutes a property without
//! unrolling, by over-approximations (*frames*) of the states reachable in up to 0, 1, 2, … steps
//! that are refined by clauses over latches (*lemmas*).
//!
//! The algorithm is that of Bradley (SAT-based model checking without unrolling, VMCAI 2011) in
//! the form of Eén, Mishchenko, Brayton (Efficient implementation of property directed
//! reachability, FMCAD 2011): bad states of the last frame and their predecessors are obligations
//! in a queue; an obligation either has a predecessor in the frame before, or is blocked by a
//! generalised lemma there. When all lemmas of a frame can be pushed to the next one, the frame
//! is an inductive invariant. Several properties share the frames, which say nothing about them; a
//! violated one leaves the search. [`Ic3Options`] names the techniques and their papers.
//!
//! Frame 0 is the set of initial states. Latches without reset value are unconstrained in it.
//! Constraints are demanded in the first state of every step and in the bad state, but never in
//! a step's last state: its inputs are not part of the step. `moved` is not used.

mod circuit;
mod cube;
mod frame;
mod frames;
mod generalize;
mod lift;
mod model;
mod obligation;
mod options;
mod run;
mod search;

pub use options::Ic3Options;
pub use run::Ic3;
