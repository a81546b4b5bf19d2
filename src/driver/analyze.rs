//! `analyze`: what the analyses found.

use crate::analysis::{
    Facts, PatternOptions, Patterns, Transactions, contention, print_contention, print_parallel,
    print_patterns, print_transactions,
};
use crate::base::Budget;
use crate::property::{PropertyKind, resolve};
use crate::sched::Reduction;

use super::check::CheckOptions;
use super::circuit::stops;
use super::error::DriverError;
use super::frontend::{Loaded, load};
use super::reduction::keeps;

/// Mutexes held, movers, order of threads and transactions; then, behind an empty line each, lock
/// acquisition patterns and sticky locations, what may happen in parallel, and what keeps races away
/// from data that several threads access; as text.
///
/// # Errors
/// If the input is refused or a limit is reached.
pub fn analyze(options: &CheckOptions, budget: &Budget) -> Result<String, DriverError> {
    let Loaded { program, .. } = load(&options.program)?;
    let raced = resolve(&program, &[PropertyKind::Race])?.raced();
    let facts = Facts::new(&program, &[], &raced, budget)?;
    let shared = print_contention(&program, &contention(&program, &facts, &raced));
    // Those of assertions and the like.
    let mut properties = options.properties.clone();
    let states = [PropertyKind::Race, PropertyKind::Deadlock];
    properties.retain(|p| keeps(Reduction::Transactions, p) && !states.contains(p));
    let question = resolve(&program, &properties)?;
    let facts = Facts::new(&program, &question.observed_vars(), &[], budget)?;
    let observed = question.observed_locs(&program);
    let transactions = Transactions::new(&program, &facts, &observed, stops(&question), budget)?;
    let movers = &transactions.movers;
    let options = PatternOptions::default();
    let patterns =
        Patterns::new(&program, &facts, movers.held.clone(), &observed, options, budget)?;
    let parts = [
        print_transactions(&program, &facts, &transactions),
        print_patterns(&program, &facts, &patterns),
        print_parallel(&program, &facts, &movers.alive, &movers.held),
        format!("shared data\n{shared}"),
    ];
    Ok(parts.join("\n"))
}
