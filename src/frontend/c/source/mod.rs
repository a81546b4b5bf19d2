//! The source side of the C front end: file -> preprocessed bytes -> clean text -> repaired text
//! -> lang-c's tree.
//!
//! | file | step |
//! |---|---|
//! | `preprocess` | runs the machine's C compiler with `-E` and turns its errors into diagnostics |
//! | `clean` | bytes to text without comments, directives and line splices; reads line markers |
//! | `token` | splits clean text into tokens |
//! | `limits` | pairs brackets, refuses nesting that could exhaust a stack |
//! | `repair` | every change made to the text because lang-c cannot parse the original |
//! | `align` | finds the author's tokens behind preprocessed ones |
//! | `lines` | offsets of the parsed text to places in the author's files |
//! | `syntax` | lang-c's syntax errors in readable form |
//! | `parse` | the steps in order |
//!
//! Each step that changes the text keeps a map of offsets back to its input (`rewrite`), so that
//! no step needs to preserve positions. Invariant: a step either leaves the meaning of the
//! program alone or reports a problem; nothing that could change it is dropped silently.

mod align;
mod clean;
mod limits;
mod lines;
mod options;
mod parse;
mod preprocess;
mod repair;
mod rewrite;
mod syntax;
#[cfg(test)]
mod tests;
mod token;

pub use lines::LineTable;
pub use options::{DataModel, SourceOptions};
pub use parse::{Parsed, parse_file, parse_text};
pub use repair::{
    COMPUTED_GOTO, LABEL_ADDRESS, SAME_AS_CONDITION, TYPES_COMPATIBLE, authored_name,
};
