//! The transition system.

use crate::base::{Id, IndexVec};
use crate::expr::{ExprId, Pool};

crate::define_id! {
    /// An input of a transition system.
    pub struct InputId, "in";
    /// A state of a transition system.
    pub struct StateId, "s";
}

/// A leaf of a transition system's expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TsLeaf {
    /// An input's value in the current frame.
    Input(InputId),
    /// A state's value in the current frame.
    State(StateId),
}

/// The expressions of a transition system.
pub type TsPool = Pool<TsLeaf>;
/// An expression of a transition system.
pub type TsExpr = ExprId;

/// An input.
#[derive(Clone, Debug)]
pub struct TsInput {
    /// Its symbol, unique among inputs and states.
    pub name: String,
    /// Width in bits.
    pub width: u32,
    /// Its leaf.
    pub expr: TsExpr,
}

/// A state.
#[derive(Clone, Debug)]
pub struct TsState {
    /// Its symbol, unique among inputs and states.
    pub name: String,
    /// Width in bits.
    pub width: u32,
    /// Its leaf.
    pub expr: TsExpr,
    /// Value at the start; none is any value.
    pub init: Option<u128>,
    /// Value in the next frame.
    pub next: TsExpr,
}

/// A property with its symbol.
#[derive(Clone, Debug)]
pub struct TsNamed<T> {
    /// Its symbol.
    pub name: String,
    /// The expression or expressions, of width 1 but for outputs.
    pub value: T,
}

/// A word-level transition system.
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    /// Its expressions.
    pub pool: TsPool,
    /// Its inputs.
    pub inputs: IndexVec<InputId, TsInput>,
    /// Its states.
    pub states: IndexVec<StateId, TsState>,
    /// Must hold in every frame.
    pub constraints: Vec<TsNamed<TsExpr>>,
    /// Must never hold.
    pub bads: Vec<TsNamed<TsExpr>>,
    /// A run that makes all of one set true infinitely often violates it.
    pub justice: Vec<TsNamed<Vec<TsExpr>>>,
    /// Assumed to be true infinitely often, for justice only.
    pub fairness: Vec<TsNamed<TsExpr>>,
    /// Signals to look at, of any width.
    pub outputs: Vec<TsNamed<TsExpr>>,
}

impl TransitionSystem {
    /// An empty system whose expressions are simplified while they are built.
    pub fn new() -> Self {
        Self {
            pool: Pool::rewriting(),
            inputs: IndexVec::new(),
            states: IndexVec::new(),
            constraints: vec![],
            bads: vec![],
            justice: vec![],
            fairness: vec![],
            outputs: vec![],
        }
    }

    /// Adds an input and returns its leaf.
    pub fn add_input(&mut self, name: impl Into<String>, width: u32) -> (InputId, TsExpr) {
        let id = self.inputs.next_id();
        let expr = self.pool.leaf(TsLeaf::Input(id), width);
        self.inputs.push(TsInput { name: name.into(), width, expr });
        (id, expr)
    }

    /// Adds a state and returns its leaf; its next state is itself until it is set.
    pub fn add_state(
        &mut self,
        name: impl Into<String>,
        width: u32,
        init: Option<u128>,
    ) -> (StateId, TsExpr) {
        let id = self.states.next_id();
        let expr = self.pool.leaf(TsLeaf::State(id), width);
        self.states.push(TsState { name: name.into(), width, expr, init, next: expr });
        (id, expr)
    }

    /// The expressions of constraints, properties and outputs.
    pub fn property_roots(&self) -> impl Iterator<Item = TsExpr> + '_ {
        let single = [&self.constraints, &self.bads, &self.fairness, &self.outputs];
        let justice = self.justice.iter().flat_map(|p| p.value.iter().copied());
        single.into_iter().flatten().map(|p| p.value).chain(justice)
    }

    /// The expressions that next states and [`Self::property_roots`] are made of, operands before
    /// their users.
    pub fn needed(&self) -> impl Iterator<Item = TsExpr> + use<> {
        let mut needed = vec![false; self.pool.len()];
        let roots = self.states.iter().map(|s| s.next).chain(self.property_roots());
        let mut open: Vec<TsExpr> = roots.collect();
        while let Some(e) = open.pop() {
            if !std::mem::replace(&mut needed[e.index()], true) {
                open.extend(self.pool.operands(e));
            }
        }
        // Operands have lower indices than their users.
        (0..needed.len()).map(TsExpr::new).filter(move |e| needed[e.index()])
    }
}

impl Default for TransitionSystem {
    fn default() -> Self {
        Self::new()
    }
}
