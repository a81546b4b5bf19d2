//! Polling of a budget from a solver's inner loop.

use std::cell::Cell;
use std::time::Duration;

use crate::base::{Budget, Stop};

/// Least time between two full checks of the budget, which may read a file of the system.
const INTERVAL: Duration = Duration::from_millis(50);
/// Calls between two looks at the clock.
const CALLS: u32 = 16;

/// A budget that can be asked in every step of a search: most calls only look at the flag of
/// cancellation. The answer to stop stays.
pub(super) struct Poll {
    budget: Budget,
    /// Calls left until the next look at the clock.
    calls: Cell<u32>,
    /// When to check the budget in full, on the budget's clock.
    due: Cell<Duration>,
    stop: Cell<Option<Stop>>,
}

impl Poll {
    /// Checks the budget at once.
    pub(super) fn new(budget: &Budget) -> Self {
        Self {
            calls: Cell::new(CALLS),
            due: Cell::new(budget.elapsed() + INTERVAL),
            stop: Cell::new(budget.check()),
            budget: budget.clone(),
        }
    }

    /// Why to stop, if there is a reason.
    pub(super) fn stop(&self) -> Option<Stop> {
        if self.stop.get().is_none() {
            self.stop.set(self.look());
        }
        self.stop.get()
    }

    fn look(&self) -> Option<Stop> {
        if self.budget.cancel().is_cancelled() {
            return Some(Stop::Cancelled);
        }
        self.calls.set(self.calls.get() - 1);
        if self.calls.get() > 0 {
            return None;
        }
        self.calls.set(CALLS);
        let now = self.budget.elapsed();
        if now < self.due.get() {
            return None;
        }
        self.due.set(now + INTERVAL);
        self.budget.check()
    }
}
