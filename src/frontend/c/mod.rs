//! The C front end: C text to a thread program.
//!
//! `source` turns a file into lang-c's syntax tree and a table that leads every node back to the
//! author's file, line, column and text. `sema` makes it a typed tree (`hir`) over C types
//! (`types`, `layout`), `order` warns about it, and `lower` makes it a thread program. `firmware` is
//! what options say of programs that need more than a `main`.

mod firmware;
mod hir;
mod layout;
mod lower;
mod order;
mod sema;
mod source;
#[cfg(test)]
mod tests;
mod types;

pub use firmware::{Extern, Firmware, Mask};
pub use lower::{Checks, Failed, LowerOptions, Lowered, lower};
pub use source::{DataModel, LineTable, Parsed, SourceOptions, parse_file, parse_text};
