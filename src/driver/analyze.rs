//! `analyze`: what the analyses found.

use crate::analysis::{
    Facts, Overview, PatternOptions, Patterns, Sources, Transactions, contention,
};
use crate::base::Budget;
use crate::property::{PropertyKind, resolve};
use crate::sched::Reduction;

use super::check::CheckOptions;
use super::circuit::stops;
use super::error::DriverError;
use super::frontend::{Loaded, load};
use super::reduction::keeps;

/// Mutexes held, movers, order of threads and transactions, lock acquisition patterns and sticky
/// locations, what may happen in parallel, what keeps races away from data that several threads
/// access, and the order in which mutexes are taken.
///
/// # Errors
/// If the input is refused or a limit is reached.
pub fn analyze(options: &CheckOptions, budget: &Budget) -> Result<Overview, DriverError> {
    let Loaded { program, .. } = load(&options.program)?;
    let raced = resolve(&program, &[PropertyKind::Race])?.raced();
    let facts = Facts::new(&program, &[], &raced, budget)?;
    let contention = contention(&program, &facts, &raced);
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
    Ok(Overview::new(Sources {
        program: &program,
        facts: &facts,
        transactions: &transactions,
        patterns: &patterns,
        contention: &contention,
    }))
}
