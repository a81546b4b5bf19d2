//! The checks of a witness circuit.

use std::fmt;

use crate::aig::{Aig, Latch, Lit, Node, Reset, Var};
use crate::base::{Budget, IndexVec, Stop};
use crate::sat::{self, Answer, Backend, Solver};

/// What is wrong with a witness circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A circuit has no property.
    NoProperty,
    /// A symbol names what is no input or latch of the model.
    Symbol(String),
    /// Nothing is shared with the model.
    NothingShared,
    /// An initial state of the model is not one of the witness.
    Reset,
    /// A step of the model is not one of the witness.
    Transition,
    /// The witness's invariant contains a bad state of the model.
    Property,
    /// The invariant does not hold initially.
    Base,
    /// The invariant is not inductive.
    Step,
    /// The budget ended.
    Stopped(Stop),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::NoProperty => f.write_str("a circuit has no property"),
            Flaw::Symbol(name) => write!(f, "`{name}` is no input or latch of the model"),
            Flaw::NothingShared => f.write_str("the witness shares nothing with the model"),
            Flaw::Reset => f.write_str("an initial state of the model is none of the witness"),
            Flaw::Transition => f.write_str("a step of the model is none of the witness"),
            Flaw::Property => f.write_str("the invariant contains a bad state"),
            Flaw::Base => f.write_str("the invariant does not hold initially"),
            Flaw::Step => f.write_str("the invariant is not inductive"),
            Flaw::Stopped(stop) => stop.fmt(f),
        }
    }
}

/// Whether the witness, as read from a file, certifies that the model's first bad state (or
/// output, if there is none) is not reachable.
///
/// # Errors
/// The first check that fails.
pub fn check(model: &Aig, witness: &Aig, backend: Backend, budget: &Budget) -> Result<(), Flaw> {
    let pair = Pair { model, witness, shared: shared(model, witness)? };
    let bads = [property(model)?, property(witness)?];
    pair.reset(backend, budget)?;
    pair.transition(backend, budget)?;
    pair.property(bads, backend, budget)?;
    pair.base(bads[1], backend, budget)?;
    pair.step(bads[1], backend, budget)
}

fn property(aig: &Aig) -> Result<Lit, Flaw> {
    let first = aig.bads.first().or(aig.outputs.first());
    first.map(|p| p.value).ok_or(Flaw::NoProperty)
}

/// Pairs of an input or latch of the model and of the witness.
fn shared(model: &Aig, witness: &Aig) -> Result<Vec<(Var, Var)>, Flaw> {
    let inputs = witness.inputs().iter().map(|i| (i.var, &i.name));
    let latches = witness.latches().iter().map(|l| (l.var, &l.name));
    let mut pairs = vec![];
    for (var, name) in inputs.chain(latches) {
        let Some(text) = name.as_deref().and_then(|n| n.strip_prefix('=')) else { continue };
        let code = text.trim().parse::<u32>().ok().filter(|c| c % 2 == 0);
        let lit = code.map(Lit::from_code).filter(|l| model.nodes().get(l.var()).is_some());
        let lit = lit.filter(|l| matches!(model.node(l.var()), Node::Input(_) | Node::Latch(_)));
        let lit = lit.ok_or_else(|| Flaw::Symbol(format!("={text}")))?;
        pairs.push((lit.var(), var));
    }
    if pairs.is_empty() { Err(Flaw::NothingShared) } else { Ok(pairs) }
}

/// A model and its witness.
struct Pair<'a> {
    model: &'a Aig,
    witness: &'a Aig,
    shared: Vec<(Var, Var)>,
}

/// The literal of each node in a solver.
type Nodes = IndexVec<Var, sat::Lit>;

fn of(nodes: &Nodes, lit: Lit) -> sat::Lit {
    nodes[lit.var()].xor(lit.is_negated())
}

/// A question to a fresh solver.
struct Question {
    solver: Box<dyn Solver>,
    yes: sat::Lit,
    /// One of these must hold.
    goals: Vec<sat::Lit>,
}

impl Question {
    fn new(backend: Backend) -> Self {
        let mut solver = backend.solver();
        let yes = sat::Lit::from(solver.new_var());
        solver.add_clause(&[yes]);
        Self { solver, yes, goals: vec![] }
    }

    /// A frame of the circuit; the nodes that `known` has literals for have these.
    fn frame(&mut self, aig: &Aig, known: &[(Var, sat::Lit)]) -> Nodes {
        let mut fixed: IndexVec<Var, Option<sat::Lit>> = IndexVec::filled(None, aig.nodes().len());
        for &(var, lit) in known {
            fixed[var] = Some(lit);
        }
        let mut nodes = Nodes::new();
        for (var, &node) in aig.nodes().iter_enumerated() {
            let lit = match node {
                Node::False => !self.yes,
                Node::Input(_) | Node::Latch(_) => {
                    fixed[var].unwrap_or_else(|| self.solver.new_var().into())
                }
                Node::And(a, b) => self.and(of(&nodes, a), of(&nodes, b)),
            };
            nodes.push(lit);
        }
        nodes
    }

    fn and(&mut self, a: sat::Lit, b: sat::Lit) -> sat::Lit {
        let both = sat::Lit::from(self.solver.new_var());
        for clause in [&[!both, a][..], &[!both, b], &[both, !a, !b]] {
            self.solver.add_clause(clause);
        }
        both
    }

    fn demand(&mut self, lit: sat::Lit) {
        self.solver.add_clause(&[lit]);
    }

    fn demand_equal(&mut self, a: sat::Lit, b: sat::Lit) {
        self.solver.add_clause(&[!a, b]);
        self.solver.add_clause(&[a, !b]);
    }

    fn demand_constraints(&mut self, aig: &Aig, nodes: &Nodes) {
        for constraint in &aig.constraints {
            self.demand(of(nodes, constraint.value));
        }
    }

    fn demand_resets(&mut self, aig: &Aig, nodes: &Nodes) {
        for latch in aig.latches() {
            if let Some(value) = value(latch.reset) {
                self.demand(nodes[latch.var].xor(!value));
            }
        }
    }

    fn demand_step(&mut self, aig: &Aig, before: &Nodes, after: &Nodes) {
        for latch in aig.latches() {
            self.demand_equal(after[latch.var], of(before, latch.next));
        }
    }

    /// A goal: the literals differ.
    fn goal_differ(&mut self, a: sat::Lit, b: sat::Lit) {
        let first = self.and(a, !b);
        let second = self.and(!a, b);
        self.goals.extend([first, second]);
    }

    /// A goal: a constraint is violated.
    fn goal_illegal(&mut self, aig: &Aig, nodes: &Nodes) {
        self.goals.extend(aig.constraints.iter().map(|c| !of(nodes, c.value)));
    }

    /// That no goal can be reached.
    fn never(mut self, flaw: Flaw, budget: &Budget) -> Result<(), Flaw> {
        self.solver.add_clause(&self.goals);
        match self.solver.solve(&[], budget) {
            Answer::Sat => Err(flaw),
            Answer::Unsat => Ok(()),
            Answer::Unknown(stop) => Err(Flaw::Stopped(stop)),
        }
    }
}

fn value(reset: Reset) -> Option<bool> {
    match reset {
        Reset::Zero => Some(false),
        Reset::One => Some(true),
        Reset::Free => None,
    }
}

/// The latch that the node is.
fn latch(aig: &Aig, var: Var) -> Option<&Latch> {
    match aig.node(var) {
        Node::Latch(k) => Some(&aig.latches()[k as usize]),
        _ => None,
    }
}

impl Pair<'_> {
    /// A frame of both circuits.
    fn frame(&self, question: &mut Question) -> (Nodes, Nodes) {
        let model = question.frame(self.model, &[]);
        let known: Vec<_> = self.shared.iter().map(|&(m, w)| (w, model[m])).collect();
        let witness = question.frame(self.witness, &known);
        (model, witness)
    }

    /// The model's latches that are shared.
    fn model_latches(&self) -> Vec<&Latch> {
        self.shared.iter().filter_map(|p| latch(self.model, p.0)).collect()
    }

    /// The witness's latches that are shared.
    fn witness_latches(&self) -> Vec<&Latch> {
        self.shared.iter().filter_map(|p| latch(self.witness, p.1)).collect()
    }

    /// Resets of shared latches and the model's constraints imply those of the witness.
    fn reset(&self, backend: Backend, budget: &Budget) -> Result<(), Flaw> {
        let mut question = Question::new(backend);
        let (model, witness) = self.frame(&mut question);
        for latch in self.model_latches() {
            if let Some(value) = value(latch.reset) {
                question.demand(model[latch.var].xor(!value));
            }
        }
        question.demand_constraints(self.model, &model);
        for latch in self.witness_latches() {
            question.goals.extend(value(latch.reset).map(|v| witness[latch.var].xor(v)));
        }
        question.goal_illegal(self.witness, &witness);
        question.never(Flaw::Reset, budget)
    }

    /// Steps of the shared latches and the constraints, but for the witness's in the second
    /// frame, imply steps and constraints of the witness.
    fn transition(&self, backend: Backend, budget: &Budget) -> Result<(), Flaw> {
        let mut question = Question::new(backend);
        let (model, witness) = self.frame(&mut question);
        let (model_after, witness_after) = self.frame(&mut question);
        for latch in self.model_latches() {
            question.demand_equal(model_after[latch.var], of(&model, latch.next));
        }
        question.demand_constraints(self.model, &model);
        question.demand_constraints(self.model, &model_after);
        question.demand_constraints(self.witness, &witness);
        for latch in self.witness_latches() {
            question.goal_differ(witness_after[latch.var], of(&witness, latch.next));
        }
        question.goal_illegal(self.witness, &witness_after);
        question.never(Flaw::Transition, budget)
    }

    /// The witness's property implies the model's.
    fn property(&self, bads: [Lit; 2], backend: Backend, budget: &Budget) -> Result<(), Flaw> {
        let mut question = Question::new(backend);
        let (model, witness) = self.frame(&mut question);
        question.demand_constraints(self.model, &model);
        question.demand_constraints(self.witness, &witness);
        question.demand(!of(&witness, bads[1]));
        question.goals.push(of(&model, bads[0]));
        question.never(Flaw::Property, budget)
    }

    /// The witness's property holds initially.
    fn base(&self, bad: Lit, backend: Backend, budget: &Budget) -> Result<(), Flaw> {
        let mut question = Question::new(backend);
        let nodes = question.frame(self.witness, &[]);
        question.demand_resets(self.witness, &nodes);
        question.demand_constraints(self.witness, &nodes);
        question.goals.push(of(&nodes, bad));
        question.never(Flaw::Base, budget)
    }

    /// The witness's property is inductive.
    fn step(&self, bad: Lit, backend: Backend, budget: &Budget) -> Result<(), Flaw> {
        let mut question = Question::new(backend);
        let before = question.frame(self.witness, &[]);
        let after = question.frame(self.witness, &[]);
        question.demand_step(self.witness, &before, &after);
        question.demand_constraints(self.witness, &before);
        question.demand_constraints(self.witness, &after);
        question.demand(!of(&before, bad));
        question.goals.push(of(&after, bad));
        question.never(Flaw::Step, budget)
    }
}
