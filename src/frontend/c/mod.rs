//! The C front end: C text to a thread program.
//!
//! `source` turns a file into lang-c's syntax tree and a table that leads every node back to the
//! author's file, line, column and text.

mod source;

pub use source::{
    DataModel, LineTable, Parsed, SourceOptions, parse_file, parse_text, with_deep_stack,
};
