//! The sets of states that can be reached, layer by layer.

use super::parts::Part;
use super::relation::{Halt, Relation};
use crate::base::Budget;
use crate::bdd::{Bdd, OutOfNodes};

/// Which way steps are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From the initial states.
    #[default]
    Forward,
    /// From the bad states of one property after the other.
    Backward,
}

impl Direction {
    fn step(self, part: &Part, set: &Bdd) -> Result<Bdd, OutOfNodes> {
        match self {
            Direction::Forward => part.image(set),
            Direction::Backward => part.preimage(set),
        }
    }
}

/// States that were found, in the order of their discovery.
pub(super) struct Layers {
    pub direction: Direction,
    /// Disjoint sets; a state that is not in the first has a step from (to) one of an earlier.
    pub sets: Vec<Bdd>,
    /// Their union.
    pub all: Bdd,
    /// The states that were new in the last round.
    frontier: Bdd,
}

impl Layers {
    /// Only the states to start from.
    pub fn new(direction: Direction, start: Bdd) -> Self {
        Self { direction, all: start.clone(), frontier: start.clone(), sets: vec![start] }
    }

    /// Adds all states that are one step further. Whether there was a new one.
    pub fn round(
        &mut self,
        relation: &mut Relation,
        chaining: bool,
        budget: &Budget,
    ) -> Result<bool, Halt> {
        // Either set leads to the same new states; the one with fewer nodes does so faster.
        let small = if self.all.size() < self.frontier.size() { &self.all } else { &self.frontier };
        let (mut base, before) = (small.clone(), self.all.clone());
        let mut fresh = relation.manager.constant(false);
        for k in 0..relation.parts.len() {
            let found = self.direction.step(&relation.parts[k], &base)?;
            if chaining {
                base = base.or(&found)?;
                let found = found.without(&self.all)?;
                self.add(&found)?;
            } else {
                fresh = fresh.or(&found)?;
            }
            relation.manager.tidy();
            budget.check().map_or(Ok(()), |stop| Err(Halt::Stop(stop)))?;
        }
        self.add(&fresh.without(&self.all)?)?;
        self.frontier = self.all.without(&before)?;
        Ok(!self.frontier.is_false())
    }

    fn add(&mut self, fresh: &Bdd) -> Result<(), OutOfNodes> {
        if !fresh.is_false() {
            self.sets.push(fresh.clone());
            self.all = self.all.or(fresh)?;
        }
        Ok(())
    }
}
