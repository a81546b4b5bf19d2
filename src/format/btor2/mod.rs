//! BTOR2, the word-level format of hardware model checkers (Niemetz, Preiner, Wolf, Biere: Btor2,
//! BtorMC and Boolector 3.0, CAV 2018): reader, writer, and witnesses.
//!
//! All operators on bit-vectors are read, of widths up to 128. Arrays become their elements, as
//! long as there are not many. A state without `next` is an input, as the format wants; one
//! whose `init` is no constant gets it through a state `first-frame`. [`Layout`] tells what
//! became of each `input` and `state` line, which is what witnesses refer to.

mod array;
mod constant;
mod error;
mod layout;
mod line;
mod operator;
mod read;
#[cfg(test)]
mod tests;
mod witness;
mod write;

pub use error::{ReadError, ReadErrorKind};
pub use layout::{Cell, Layout, Leaf};
pub use read::{Model, read};
pub use witness::{Property, Witness, WitnessError, WitnessErrorKind, read_witness, write_witness};
pub use write::write;
