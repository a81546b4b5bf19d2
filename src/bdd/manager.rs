//! The store of nodes.

use std::fmt;

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::util::AllocResult;
use oxidd::{BooleanFunction, Manager as _, ManagerRef as _};

use super::Bdd;
use crate::base::Id;

crate::define_id! {
    /// A variable of a [`Manager`], which is its place in the order: 0 is tested first.
    pub struct Level, "v";
}

/// An operation needed more nodes than the manager may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfNodes;

impl fmt::Display for OutOfNodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the decision diagrams need more nodes than allowed")
    }
}

impl std::error::Error for OutOfNodes {}

/// A store of nodes over a fixed number of variables.
pub struct Manager {
    store: BCDDManagerRef,
    levels: usize,
    /// [`Manager::tidy`] collects garbage when there are this many nodes.
    collect_at: usize,
    limit: usize,
}

/// Most entries of the cache of results.
const MAX_CACHE: usize = 1 << 20;

impl Manager {
    /// A store for at most `limit` nodes (about 20 bytes each, of which only those that are used
    /// are resident) over `levels` variables.
    pub fn new(levels: usize, limit: usize) -> Result<Self, OutOfNodes> {
        let limit = limit.max(1 << 10);
        let store = new_manager(limit, limit.next_power_of_two().min(MAX_CACHE), 1);
        let count = u32::try_from(levels).map_err(|_| OutOfNodes)?;
        store.with_manager_exclusive(|m| m.add_vars(count));
        Ok(Self { store, levels, collect_at: limit / 2, limit })
    }

    /// Number of variables.
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// The constant function.
    pub fn constant(&self, value: bool) -> Bdd {
        self.store.with_manager_shared(|m| {
            Bdd(if value { BCDDFunction::t(m) } else { BCDDFunction::f(m) })
        })
    }

    /// The function that is true where the variable is.
    ///
    /// # Errors
    /// If there are too many nodes.
    ///
    /// # Panics
    /// If the manager has no such variable.
    pub fn var(&self, level: Level) -> Result<Bdd, OutOfNodes> {
        with_room(&self.store, || {
            self.store.with_manager_shared(|m| BCDDFunction::var(m, level.index() as u32))
        })
        .map(Bdd)
    }

    /// The conjunction of these variables, each complemented unless its flag is set.
    ///
    /// # Errors
    /// If there are too many nodes.
    pub fn cube(&self, lits: impl IntoIterator<Item = (Level, bool)>) -> Result<Bdd, OutOfNodes> {
        let mut lits: Vec<(Level, bool)> = lits.into_iter().collect();
        // From the last variable on, each conjunction adds one node.
        lits.sort_unstable_by(|a, b| b.cmp(a));
        let mut cube = self.constant(true);
        for (level, value) in lits {
            let var = self.var(level)?;
            cube = if value { var } else { !&var }.and(&cube)?;
        }
        Ok(cube)
    }

    /// Nodes in the store, those that nobody needs any more among them.
    pub fn nodes(&self) -> usize {
        self.store.with_manager_shared(|m| m.num_inner_nodes())
    }

    /// Frees the nodes that no [`Bdd`] needs, if there are many more than after the last time.
    /// For callers to call now and then.
    pub fn tidy(&mut self) {
        if self.nodes() >= self.collect_at {
            self.collect();
            self.collect_at = (2 * self.nodes()).clamp(self.limit / 2, self.limit / 8 * 7);
        }
    }

    fn collect(&self) {
        self.store.with_manager_exclusive(|m| m.gc());
    }
}

/// Runs the operation; where there is no room for its nodes, once more after a collection of
/// garbage.
pub(super) fn with_room(
    store: &BCDDManagerRef,
    operation: impl Fn() -> AllocResult<BCDDFunction>,
) -> Result<BCDDFunction, OutOfNodes> {
    let again = |_| {
        store.with_manager_exclusive(|m| m.gc());
        operation()
    };
    operation().or_else(again).map_err(|_| OutOfNodes)
}
