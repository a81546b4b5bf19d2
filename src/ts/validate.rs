//! Checks that a transition system is well formed.

use super::error::TsError;
use super::system::{TransitionSystem, TsExpr, TsLeaf};
use crate::base::{HashSet, Id};
use crate::expr::{Node, mask};

impl TransitionSystem {
    /// Checks names, widths and initial values.
    ///
    /// # Errors
    /// The first rule that is broken, in the order inputs, states, properties.
    pub fn validate(&self) -> Result<(), TsError> {
        let mut names = HashSet::default();
        for (id, input) in self.inputs.iter_enumerated() {
            self.check_leaf(&input.name, input.expr, input.width, TsLeaf::Input(id))?;
            if !names.insert(input.name.as_str()) {
                return Err(TsError::DuplicateName(input.name.clone()));
            }
        }
        for (id, state) in self.states.iter_enumerated() {
            self.check_leaf(&state.name, state.expr, state.width, TsLeaf::State(id))?;
            if !names.insert(state.name.as_str()) {
                return Err(TsError::DuplicateName(state.name.clone()));
            }
            self.check_width(&state.name, state.next, state.width)?;
            if state.init.is_some_and(|v| v > mask(state.width)) {
                return Err(TsError::Init(state.name.clone()));
            }
        }
        for p in self.constraints.iter().chain(&self.bads).chain(&self.fairness) {
            self.check_width(&p.name, p.value, 1)?;
        }
        for p in &self.justice {
            p.value.iter().try_for_each(|&e| self.check_width(&p.name, e, 1))?;
        }
        self.outputs.iter().try_for_each(|p| self.check_in_pool(&p.name, p.value))
    }

    fn check_in_pool(&self, name: &str, e: TsExpr) -> Result<(), TsError> {
        if e.index() < self.pool.len() { Ok(()) } else { Err(TsError::NotInPool(name.into())) }
    }

    fn check_width(&self, name: &str, e: TsExpr, expected: u32) -> Result<(), TsError> {
        self.check_in_pool(name, e)?;
        let found = self.pool.width(e);
        if found == expected {
            return Ok(());
        }
        Err(TsError::Width { name: name.into(), found, expected })
    }

    fn check_leaf(&self, name: &str, e: TsExpr, width: u32, leaf: TsLeaf) -> Result<(), TsError> {
        self.check_in_pool(name, e)?;
        if self.pool.node(e) == Node::Leaf(leaf) && self.pool.width(e) == width {
            return Ok(());
        }
        Err(TsError::Leaf(name.into()))
    }
}
