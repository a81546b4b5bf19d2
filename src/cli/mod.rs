//! The command line: one file a subcommand. Options are parsed by structopt and mapped to the
//! options structs that stand beside their algorithms; only this module prints, reads the
//! environment and sets exit codes.

mod analyze;
mod bench;
mod bench_suite;
mod check;
mod engine;
mod engines;
mod explore;
mod export;
mod options;
mod progress;
mod replay;
mod run;
mod solve;

pub use run::run;
