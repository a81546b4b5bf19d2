//! File formats: readers and writers of models and of witnesses, one module a format. They work
//! on bytes in memory and are defensive: a file is refused with an error that says where, and a
//! count in a header alone makes no reader allocate.

pub mod aiger;
pub mod btor2;
pub mod smv;
pub mod vcd;
pub mod witness;

mod unique;

#[cfg(test)]
mod foreign;
#[cfg(test)]
mod fuzz;
