//! Lowering, judged by the validator, the interpreter and the explorer.

mod cases;
mod errors;
mod harness;
mod sequential;
