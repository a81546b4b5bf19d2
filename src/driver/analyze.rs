//! `analyze`: what the analyses found.

use crate::analysis::{
    Facts, PatternOptions, Patterns, Transactions, print_parallel, print_patterns,
    print_transactions,
};
use crate::base::Budget;
use crate::property::resolve;

use super::check::CheckOptions;
use super::error::DriverError;
use super::frontend::{Loaded, load};

/// Mutexes held, movers, order of threads and transactions; then, behind an empty line each, lock
/// acquisition patterns and sticky locations, and what may happen in parallel; as text.
///
/// # Errors
/// If the input is refused or a limit is reached.
pub fn analyze(options: &CheckOptions, budget: &Budget) -> Result<String, DriverError> {
    let Loaded { program, .. } = load(&options.program)?;
    let question = resolve(&program, &options.properties)?;
    let facts = Facts::new(&program, &question.observed_vars(), &question.raced(), budget)?;
    let observed = question.observed_locs(&program);
    let transactions = Transactions::new(&program, &facts, &observed, budget)?;
    let movers = &transactions.movers;
    let options = PatternOptions::default();
    let patterns =
        Patterns::new(&program, &facts, movers.held.clone(), &observed, options, budget)?;
    Ok([
        print_transactions(&program, &facts, &transactions),
        print_patterns(&program, &facts, &patterns),
        print_parallel(&program, &facts, &movers.alive, &movers.held),
    ]
    .join("\n"))
}
