//! Sequential and-inverter graphs: inputs, latches with reset 0, 1 or none, two-input ands with
//! inverters on edges, and the properties of AIGER 1.9 (bad states, constraints, justice,
//! fairness; Biere, Heljanko, Wieringa: AIGER 1.9 and beyond, FMV report 11/2, 2011).

mod graph;

pub use graph::{Aig, Input, Latch, Lit, Named, Node, Reset, Var};
