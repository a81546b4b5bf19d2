//! Variables, initial and bad states, and the partitioned transition relation of a circuit.

use super::function::Functions;
use super::order::{OrderHeuristic, order};
use super::parts::{Part, PartSpec};
use crate::aig::{Aig, Lit, Node, Reset, Var};
use crate::base::{Budget, Id, IndexVec, Stop};
use crate::bdd::{Bdd, Level, Manager, OutOfNodes};
use crate::engine::Problem;
use crate::engine::unroll::cone;

/// Why the work ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// The node limit.
    Nodes,
    /// The budget.
    Stop(Stop),
}

impl From<OutOfNodes> for Halt {
    fn from(OutOfNodes: OutOfNodes) -> Self {
        Halt::Nodes
    }
}

/// A latch of the cone of influence.
#[derive(Clone, Copy, Debug)]
pub(super) struct LiveLatch {
    /// Position in `Aig::latches`.
    pub position: usize,
    /// Variable of its current value; that of its next value follows.
    pub now: Level,
    /// Variable of its next value.
    pub next: Level,
}

/// The circuit as decision diagrams.
pub(super) struct Relation<'a> {
    pub aig: &'a Aig,
    pub manager: Manager,
    /// In the order of their variables.
    pub latches: Vec<LiveLatch>,
    /// The inputs of the cone: position in `Aig::inputs`, variable.
    pub inputs: Vec<(usize, Level)>,
    /// The function of each input and latch of the cone: its variable.
    leaves: IndexVec<Var, Option<Bdd>>,
    /// True where all constraints are.
    constraints: Bdd,
    /// The parts of the transition relation.
    pub parts: Vec<Part>,
    /// The variables of all inputs.
    pub input_cube: Bdd,
}

impl<'a> Relation<'a> {
    /// Variables, constraints, and the parts of the transition relation; clusters of it have up to
    /// `cluster_size` nodes.
    pub fn new(
        problem: &Problem<'a>,
        order: OrderHeuristic,
        node_limit: usize,
        cluster_size: usize,
        budget: &Budget,
    ) -> Result<Self, Halt> {
        let mut relation = Self::variables(problem, order, node_limit)?;
        let constraints: Vec<Lit> = problem.aig.constraints.iter().map(|c| c.value).collect();
        for constraint in relation.functions(&constraints, budget)? {
            relation.constraints = relation.constraints.and(&constraint)?;
        }
        for spec in PartSpec::all(problem, &mut relation, budget)? {
            if let Some(part) = Part::new(&spec, &mut relation, cluster_size, budget)? {
                relation.parts.push(part);
            }
        }
        Ok(relation)
    }

    fn variables(
        problem: &Problem<'a>,
        heuristic: OrderHeuristic,
        node_limit: usize,
    ) -> Result<Self, Halt> {
        let aig = problem.aig;
        let roots = problem.roots();
        let live = cone(aig, &roots);
        let order = order(aig, &roots, &live, heuristic);
        let (mut latches, mut inputs, mut levels) = (vec![], vec![], 0);
        for &var in &order {
            match aig.node(var) {
                Node::Latch(k) => {
                    let (now, next) = (Level::new(levels), Level::new(levels + 1));
                    latches.push(LiveLatch { position: k as usize, now, next });
                    levels += 2;
                }
                _ => {
                    let Node::Input(k) = aig.node(var) else { unreachable!("a leaf") };
                    inputs.push((k as usize, Level::new(levels)));
                    levels += 1;
                }
            }
        }
        let manager = Manager::new(levels, node_limit)?;
        let mut leaves = IndexVec::filled(None, aig.nodes().len());
        for latch in &latches {
            leaves[aig.latches()[latch.position].var] = Some(manager.var(latch.now)?);
        }
        for &(k, level) in &inputs {
            leaves[aig.inputs()[k].var] = Some(manager.var(level)?);
        }
        let input_cube = manager.cube(inputs.iter().map(|&(_, level)| (level, true)))?;
        let constraints = manager.constant(true);
        let parts = vec![];
        Ok(Self { aig, manager, latches, inputs, leaves, constraints, parts, input_cube })
    }

    /// The functions of literals of the circuit.
    pub fn functions(&mut self, lits: &[Lit], budget: &Budget) -> Result<Vec<Bdd>, Halt> {
        Functions::new(self.aig, &self.leaves).of(&mut self.manager, lits, budget)
    }

    /// Whether the literal depends on nothing outside the cone.
    pub fn covers(&self, lit: Lit) -> bool {
        let cone = cone(self.aig, &[lit]);
        self.aig
            .inputs()
            .iter()
            .map(|i| i.var)
            .chain(self.aig.latches().iter().map(|l| l.var))
            .all(|leaf| !cone[leaf] || self.leaves[leaf].is_some())
    }

    /// The functions of literals of the circuit where the literals of the cube (a conjunction)
    /// are true.
    pub fn functions_where(
        &mut self,
        lits: &[Lit],
        cube: &[(Level, bool)],
        budget: &Budget,
    ) -> Result<Vec<Bdd>, Halt> {
        let mut functions = Functions::new(self.aig, &self.leaves);
        for (var, leaf) in self.leaves.iter_enumerated() {
            let level = leaf.as_ref().and_then(|f| f.branch()).map(|(level, ..)| level);
            if let Some(&(_, value)) = cube.iter().find(|(l, _)| Some(*l) == level) {
                functions.instead.insert(var, self.manager.constant(value));
            }
        }
        functions.of(&mut self.manager, lits, budget)
    }

    /// The states that resets allow.
    pub fn initial(&self) -> Result<Bdd, OutOfNodes> {
        let value = |latch: &LiveLatch| match self.aig.latches()[latch.position].reset {
            Reset::Zero => Some((latch.now, false)),
            Reset::One => Some((latch.now, true)),
            Reset::Free => None,
        };
        self.manager.cube(self.latches.iter().filter_map(value))
    }

    /// The frames (states with inputs) that meet the constraints and make the literal true.
    pub fn frames(&mut self, lit: Lit, budget: &Budget) -> Result<Bdd, Halt> {
        let function = self.functions(&[lit], budget)?.remove(0);
        Ok(self.constraints.and(&function)?)
    }

    /// The set with just this state, given by the values of `latches`.
    pub fn state(&self, values: &[bool]) -> Result<Bdd, OutOfNodes> {
        self.manager.cube(self.latches.iter().map(|l| l.now).zip(values.iter().copied()))
    }

    /// A state of the set, by the values of `latches`; those that do not matter get their reset
    /// value.
    ///
    /// # Panics
    /// If the set is empty.
    pub fn choose(&self, set: &Bdd) -> Vec<bool> {
        let values = set.pick().expect("a state is chosen from a set that has one");
        let reset = |k: usize| self.aig.latches()[k].reset == Reset::One;
        let value = |l: &LiveLatch| values[l.now.index()].unwrap_or_else(|| reset(l.position));
        self.latches.iter().map(value).collect()
    }

    /// Inputs of the circuit that make the function of inputs true.
    ///
    /// # Panics
    /// If none do.
    pub fn choose_inputs(&self, function: &Bdd) -> Vec<bool> {
        let values = function.pick().expect("inputs are chosen from a set that is not empty");
        let mut inputs = vec![false; self.aig.inputs().len()];
        for &(k, level) in &self.inputs {
            inputs[k] = values[level.index()].unwrap_or(false);
        }
        inputs
    }

    /// States that the set leads to.
    pub fn image(&self, set: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.union(|part| part.image(set))
    }

    /// States that lead to the set.
    pub fn preimage(&self, set: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.union(|part| part.preimage(set))
    }

    fn union(&self, by: impl Fn(&Part) -> Result<Bdd, OutOfNodes>) -> Result<Bdd, OutOfNodes> {
        let mut all = self.manager.constant(false);
        for part in &self.parts {
            all = all.or(&by(part)?)?;
        }
        Ok(all)
    }

    /// Inputs under which the first state leads to the second, if there are some.
    pub fn step(&self, from: &[bool], to: &[bool]) -> Result<Option<Vec<bool>>, OutOfNodes> {
        let here = self.state(from)?;
        for part in &self.parts {
            let inputs = part.step(&self.latches, &here, from, to)?;
            if !inputs.is_false() {
                return Ok(Some(self.choose_inputs(&inputs)));
            }
        }
        Ok(None)
    }

    /// The values of all latches of the circuit in the state: those outside the cone have their
    /// reset value.
    pub fn whole(&self, state: &[bool]) -> Vec<bool> {
        let mut all: Vec<bool> = self.aig.latches().iter().map(|l| l.reset == Reset::One).collect();
        for (latch, &value) in self.latches.iter().zip(state) {
            all[latch.position] = value;
        }
        all
    }
}
