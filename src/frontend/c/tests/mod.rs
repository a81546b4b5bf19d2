//! Lowering, judged by the validator, the interpreter and the explorer.

mod cases;
mod damage;
mod errors;
mod files;
mod harness;
mod order;
mod sequential;
mod shared;
mod threads;
