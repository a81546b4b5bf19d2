//! Random programs in C that use the thread library, atomics and shared memory of all kinds.
//!
//! One text serves latchwork and the machine's C compiler: the macros that a text uses are defined
//! by the header that is put before it ([`program`] and `native`).
//!
//! Names end in `@`, which becomes the program's number, so that many programs fit one file.

mod data;
mod generate;
mod library;
mod program;

pub use generate::{Mode, Source, generate};
pub use program::{INCLUDES, lowered};
