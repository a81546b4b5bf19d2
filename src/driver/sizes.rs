//! How large circuits are, and the schedulers in them.

use crate::base::Budget;
use crate::property::{PropertyKind, resolve};
use crate::report::Statistics;
use crate::sched::Reduction;

use super::circuit::{Circuit, CircuitOptions};
use super::error::DriverError;
use super::frontend::{Loaded, ProgramOptions, load};

/// A circuit's sizes.
#[derive(Clone, Copy, Debug)]
pub struct CircuitSize {
    /// Under which reduction.
    pub reduction: Reduction,
    /// Those of the whole circuit.
    pub sizes: Statistics,
    /// How many more ands it has than one in which the threads of each frame are given.
    pub scheduler: usize,
}

/// The sizes of a program's circuit for its assertions under each reduction.
///
/// # Errors
/// If the input is refused or a limit is reached.
pub fn circuit_sizes(
    options: &ProgramOptions,
    budget: &Budget,
) -> Result<Vec<CircuitSize>, DriverError> {
    let Loaded { program, .. } = load(options)?;
    let question = resolve(&program, &[PropertyKind::Assert])?;
    let mut result = vec![];
    for reduction in Reduction::ALL {
        let options = CircuitOptions { reduction, ..CircuitOptions::default() };
        let sizes = Circuit::build(&program, &question, options, budget)?.statistics();
        let bare = CircuitOptions { no_scheduler: true, ..options };
        let rest = Circuit::build(&program, &question, bare, budget)?.statistics();
        let scheduler = sizes.ands.saturating_sub(rest.ands);
        result.push(CircuitSize { reduction, sizes, scheduler });
    }
    Ok(result)
}
