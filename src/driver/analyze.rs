//! `analyze`: what the analyses found.

use crate::analysis::{Facts, Transactions, print_transactions};
use crate::base::Budget;
use crate::property::resolve;

use super::check::CheckOptions;
use super::error::DriverError;
use super::frontend::{Loaded, load};

/// Mutexes held, movers, order of threads and transactions, as text.
///
/// # Errors
/// If the input is refused or a limit is reached.
pub fn analyze(options: &CheckOptions, budget: &Budget) -> Result<String, DriverError> {
    let Loaded { program, .. } = load(&options.program)?;
    let question = resolve(&program, &options.properties)?;
    let facts = Facts::new(&program, &question.observed_vars(), budget)?;
    let transactions =
        Transactions::new(&program, &facts, &question.observed_locs(&program), budget)?;
    Ok(print_transactions(&program, &facts, &transactions))
}
