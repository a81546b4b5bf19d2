//! The input language of NuSMV (2.5.4 and later) and nuXmv: a word-level writer, and a reader of
//! the traces that they print (Cimatti et al.: NuSMV 2, CAV 2002; Cavada et al.: The nuXmv
//! symbolic model checker, CAV 2014).
//!
//! Inputs are variables (`VAR`), not input variables, so that state `k` of a trace has the
//! inputs of frame `k` and invariants may mention them. Words of one bit are Booleans.

mod error;
mod name;
#[cfg(test)]
mod tests;
mod trace;
mod value;
mod write;
mod xml;

pub use error::{TraceError, TraceErrorKind};
pub use trace::{SmvTrace, read_text};
pub use write::{SmvModel, Variable, Variables, write};
pub use xml::read_xml;
