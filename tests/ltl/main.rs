//! Temporal formulas: the programs `testdata/c/ltl_*.c` have the verdicts that their first lines
//! state, by two ways of proving each; and random programs, where the enumeration of all states
//! with an explicit automaton (the reference) agrees with the circuit.
//!
//! `LATCHWORK_FUZZ=N` looks at N random programs in place of the few of a normal test, beginning
//! with seed `LATCHWORK_SEED`.

#[path = "../common/mod.rs"]
mod common;
mod files;
mod random;
mod stated;
