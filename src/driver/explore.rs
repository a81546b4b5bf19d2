//! x
pub fn explore_program() {}
