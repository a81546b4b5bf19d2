//! `analyze`: what the analyses found.

use crate::analysis::{Facts, Transactions, contention, print_contention, print_transactions};
use crate::base::Budget;
use crate::property::{PropertyKind, resolve};
use crate::sched::Reduction;

use super::check::CheckOptions;
use super::error::DriverError;
use super::frontend::{Loaded, load};
use super::reduction::keeps;

/// Data that several threads access and what keeps races away; mutexes held, movers, order of threads and transactions, as text.
///
/// # Errors
/// If the input is refused or a limit is reached.
pub fn analyze(options: &CheckOptions, budget: &Budget) -> Result<String, DriverError> {
    let Loaded { program, .. } = load(&options.program)?;
    let raced = resolve(&program, &[PropertyKind::Race])?.raced();
    let facts = Facts::new(&program, &[], &raced, budget)?;
    let shared = print_contention(&program, &contention(&program, &facts, &raced));
    let mut properties = options.properties.clone();
    // Transactions are for properties that they keep.
    properties.retain(|p| keeps(Reduction::Transactions, p));
    let question = resolve(&program, &properties)?;
    let facts = Facts::new(&program, &question.observed_vars(), &[], budget)?;
    let transactions =
        Transactions::new(&program, &facts, &question.observed_locs(&program), budget)?;
    Ok(shared + &print_transactions(&program, &facts, &transactions))
}
