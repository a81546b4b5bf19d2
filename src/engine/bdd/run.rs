//! The engine.

use std::sync::Arc;

use super::circuit::circuit;
use super::order::OrderHeuristic;
pub use super::reach::Direction;
use super::reach::Layers;
use super::relation::{Halt, Relation};
use super::trace::trace;
use crate::aig::Lit;
use crate::base::Budget;
use crate::bdd;
use crate::engine::{Capabilities, Engine, FrameReport, Problem, Progress};
use crate::outcome::{Certificate, Reason, Verdict};

/// Options of [`Bdd`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BddOptions {
    /// Which way steps are taken.
    pub direction: Direction,
    /// Orders of the variables, to be tried in turn: first with an eighth of the nodes each, then
    /// with all.
    pub orders: Vec<OrderHeuristic>,
    /// Most nodes of all diagrams, about 20 bytes each; then the verdict is unknown.
    pub node_limit: usize,
    /// Most nodes of a cluster of a part of the transition relation.
    pub cluster_size: usize,
    /// Whether each part of the relation starts from what the parts before it have found. (Measured
    /// on circuits of threads: not faster, and traces get longer.)
    pub chaining: bool,
    /// Stop at the first layer with a violation. The properties that are not violated in it stay
    /// unknown.
    pub first: bool,
    /// Pursue the implicit properties even when all that the user asked about are violated.
    pub exhaustive: bool,
}

impl Default for BddOptions {
    fn default() -> Self {
        Self {
            direction: Direction::Forward,
            orders: vec![OrderHeuristic::Force, OrderHeuristic::DepthFirst],
            node_limit: 1 << 22,
            cluster_size: 2000,
            chaining: false,
            first: false,
            exhaustive: false,
        }
    }
}

/// Reachability on decision diagrams.
#[derive(Clone, Debug, Default)]
pub struct Bdd(pub BddOptions);

impl Engine for Bdd {
    fn name(&self) -> &'static str {
        "bdd"
    }

    fn description(&self) -> &'static str {
        "reachability on decision diagrams; for up to about a hundred latches"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            refutes: true,
            proves_terminating: true,
            proves_looping: true,
            shortest: !self.0.chaining,
        }
    }

    fn run(&self, problem: &Problem, progress: &mut dyn Progress, budget: &Budget) -> Vec<Verdict> {
        let mut run = Run {
            problem,
            options: &self.0,
            progress,
            budget,
            verdicts: vec![None; problem.bads.len()],
            depth: 0,
        };
        let end = run.orders();
        let depth = (run.depth > 0).then_some(run.depth);
        let rest = Verdict::Unknown(match end {
            // The last frame that was looked at has a violation.
            Ok(()) if self.0.first => Reason::FirstOnly(run.depth.checked_sub(1)),
            Ok(()) => Reason::AllAskedViolated(run.depth.checked_sub(1)),
            Err(Halt::Nodes) => Reason::Nodes { limit: self.0.node_limit, depth },
            Err(Halt::Stop(stop)) => Reason::Stopped { stop, depth },
        });
        run.verdicts.into_iter().map(|v| v.unwrap_or_else(|| rest.clone())).collect()
    }
}

struct Run<'a, 'p> {
    problem: &'a Problem<'p>,
    options: &'a BddOptions,
    progress: &'a mut dyn Progress,
    budget: &'a Budget,
    /// In the order of `problem.bads`; `None` while open.
    verdicts: Vec<Option<Verdict>>,
    /// Number of frames known to be clean (backwards: for the current property).
    depth: usize,
}

/// A property that is not decided.
struct Goal {
    /// Position in `problem.bads`.
    index: usize,
    /// Position in `aig.bads`.
    bad: usize,
    /// The bad frames.
    frames: bdd::Bdd,
    /// The states that have one.
    states: bdd::Bdd,
}

impl<'p> Run<'_, 'p> {
    /// Tries orders until one needs not too many nodes. What was decided stays.
    fn orders(&mut self) -> Result<(), Halt> {
        let mut end = Err(Halt::Nodes);
        let mut deepest = 0;
        for limit in [self.options.node_limit / 8, self.options.node_limit] {
            for &order in &self.options.orders {
                self.depth = 0;
                end = match self.options.direction {
                    Direction::Forward => self.forward(order, limit),
                    Direction::Backward => self.backward(order, limit),
                };
                deepest = deepest.max(self.depth);
                self.depth = deepest;
                if end != Err(Halt::Nodes) {
                    return end;
                }
            }
        }
        end
    }

    /// The transition relation and the properties.
    fn start(
        &mut self,
        order: OrderHeuristic,
        limit: usize,
    ) -> Result<(Relation<'p>, Vec<Goal>), Halt> {
        let cluster_size = self.options.cluster_size;
        let mut relation = Relation::new(self.problem, order, limit, cluster_size, self.budget)?;
        let mut goals = vec![];
        for (index, &bad) in self.problem.bads.iter().enumerate() {
            if self.verdicts[index].is_some() {
                continue;
            }
            let lit = self.problem.aig.bads[bad].value;
            if lit == Lit::FALSE {
                self.verdicts[index] = Some(Verdict::Safe(Certificate::Trivial));
                continue;
            }
            let frames = relation.frames(lit, self.budget)?;
            let states = frames.exists(&relation.input_cube)?;
            goals.push(Goal { index, bad, frames, states });
        }
        Ok((relation, goals))
    }

    /// `Ok` if there is nothing more to decide.
    fn forward(&mut self, order: OrderHeuristic, limit: usize) -> Result<(), Halt> {
        let (mut relation, mut goals) = self.start(order, limit)?;
        let mut layers = Layers::new(Direction::Forward, relation.initial()?);
        let mut checked = 0;
        while !goals.is_empty() {
            self.report(&relation, goals.len());
            while checked < layers.sets.len() {
                self.violations(&relation, &layers, checked, &mut goals)?;
                checked += 1;
            }
            self.depth += 1;
            if goals.is_empty() || self.enough() {
                break;
            }
            if !layers.round(&mut relation, self.options.chaining, self.budget)? {
                let invariant = Arc::new(circuit(&relation, &layers.all));
                for goal in goals.drain(..) {
                    self.safe(&goal, &invariant);
                }
            }
        }
        Ok(())
    }

    fn safe(&mut self, goal: &Goal, invariant: &Arc<crate::aig::Aig>) {
        let certificate = Certificate::Circuit { invariant: Arc::clone(invariant) };
        self.verdicts[goal.index] = Some(Verdict::Safe(certificate));
    }

    /// Decides the properties that are violated in the layer.
    fn violations(
        &mut self,
        relation: &Relation,
        layers: &Layers,
        layer: usize,
        goals: &mut Vec<Goal>,
    ) -> Result<(), Halt> {
        let mut open = vec![];
        for goal in goals.drain(..) {
            if layers.sets[layer].meets(&goal.states)? {
                let run = trace(relation, layers, layer, &goal.states, &goal.frames, goal.bad)?;
                self.verdicts[goal.index] = Some(Verdict::Unsafe(run));
            } else {
                open.push(goal);
            }
        }
        *goals = open;
        Ok(())
    }

    /// As [`Run::forward`].
    fn backward(&mut self, order: OrderHeuristic, limit: usize) -> Result<(), Halt> {
        let (mut relation, goals) = self.start(order, limit)?;
        let initial = relation.initial()?;
        for (done, goal) in goals.iter().enumerate() {
            self.depth = 0;
            let mut layers = Layers::new(Direction::Backward, goal.states.clone());
            let mut checked = 0;
            while self.verdicts[goal.index].is_none() {
                self.report(&relation, goals.len() - done);
                while checked < layers.sets.len() {
                    if layers.sets[checked].meets(&initial)? {
                        let run =
                            trace(&relation, &layers, checked, &initial, &goal.frames, goal.bad)?;
                        self.verdicts[goal.index] = Some(Verdict::Unsafe(run));
                        break;
                    }
                    checked += 1;
                }
                self.depth += 1;
                if self.verdicts[goal.index].is_none()
                    && !layers.round(&mut relation, self.options.chaining, self.budget)?
                {
                    self.safe(goal, &Arc::new(circuit(&relation, &!&layers.all)));
                }
            }
            if self.enough() {
                break;
            }
        }
        Ok(())
    }

    /// Whether the violations that were found are all that is wanted.
    fn enough(&self) -> bool {
        if self.options.first && self.problem.some_asked_violated(&self.verdicts) {
            return true;
        }
        !self.options.exhaustive && self.problem.all_asked_violated(&self.verdicts)
    }

    fn report(&mut self, relation: &Relation, open: usize) {
        self.progress.frame(&FrameReport {
            engine: "bdd",
            depth: self.depth,
            open,
            vars: relation.manager.levels(),
            clauses: relation.manager.nodes(),
            elapsed: self.budget.elapsed(),
        });
    }
}
