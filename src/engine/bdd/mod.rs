//! Reachability on decision diagrams (Burch, Clarke, McMillan, Dill, Hwang: Symbolic model
//! checking: 10^20 states and beyond, LICS 1990), forwards from the initial states or backwards
//! from the bad ones, on the cone of influence of the properties.
//!
//! - **Order of variables**: fixed, from the circuit; see [`OrderHeuristic`].
//! - **Partitions**: the transition relation is a disjunction over who moves, each part with the
//!   latches that change in it only (Burch, Clarke, Long: Symbolic model checking with partitioned
//!   transition relations, VLSI 1991). The parts are those of [`Problem::parts`](super::Problem)
//!   and one for all other moves. A part is a conjunction of clusters, multiplied one after
//!   the other with early quantification (Ranjan, Aziz, Brayton, Plessier, Pixley: Efficient BDD
//!   algorithms for FSM synthesis and verification, IWLS 1995).
//! - **Chaining**: the image under a part is a starting point of the next part in the same round
//!   (Roig, Cortadella, Pastor: Verification of asynchronous circuits by BDD-based model checking
//!   of Petri nets, 1995). Then traces need not be shortest ones.
//!
//! A violation is made concrete layer by layer. What proves a property is the set of states that
//! was computed, as a circuit ([`Certificate::Circuit`](crate::outcome::Certificate)): all
//! reachable ones, or all from which no bad one can be reached.

mod circuit;
mod function;
mod order;
mod parts;
mod reach;
mod relation;
mod run;
mod trace;

pub use order::OrderHeuristic;
pub use run::{Bdd, BddOptions, Direction};
