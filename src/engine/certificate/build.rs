//! From a certificate to a witness circuit.

use std::fmt;

use super::history::History;
use crate::aig::{Aig, Lit, Node, Restore, Var};
use crate::base::{Budget, IndexVec, Stop};
use crate::engine::Problem;
use crate::engine::kind::stutters;
use crate::outcome::Certificate;
use crate::sat::Backend;

/// Why there is no witness circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// The proof is about simple paths, for which the format needs quantified checks.
    SimplePaths,
    /// There is no proof, only a tool's claim.
    Claim,
    /// Frames that do not move can change latches in states that are not reachable, so that the
    /// proof about moves is not one about all frames.
    Stuttering,
    /// The budget ended.
    Stopped(Stop),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::Claim => f.write_str("the tool gives no proof"),
            Unsupported::SimplePaths => f.write_str("the proof needs simple paths"),
            Unsupported::Stuttering => {
                f.write_str("in unreachable states, frames that do not move change latches")
            }
            Unsupported::Stopped(stop) => stop.fmt(f),
        }
    }
}

/// The witness circuit of a proof that the property at the position `bad` of the problem's
/// circuit holds, for the model that `restore` leads to from this circuit: the same one, or its
/// [cone](crate::aig::cone) for the property.
///
/// # Errors
/// If the proof has none, or the budget ends.
pub fn witness_circuit(
    problem: &Problem,
    bad: usize,
    certificate: &Certificate,
    restore: &Restore,
    budget: &Budget,
) -> Result<Aig, Unsupported> {
    let mut witness = Witness::new(problem, bad, restore);
    match certificate {
        Certificate::Trivial => {}
        Certificate::Invariant { clauses } => witness.demand(clauses),
        Certificate::Signals { clauses, equal } => {
            witness.demand(clauses);
            for &(a, b) in equal {
                let (a, b) = (witness.lit(a), witness.lit(b));
                let same = !witness.graph.xor(a, b);
                witness.invariant.push(same);
            }
        }
        Certificate::Circuit { invariant } => {
            let holds = invariant.outputs[0].value;
            let latches = witness.latches.clone();
            let lits = copy(&mut witness.graph, invariant, &latches, &[]);
            witness.invariant.push(lits[holds.var()].xor(holds.is_negated()));
        }
        Certificate::Claim => return Err(Unsupported::Claim),
        Certificate::KInduction { unique: true, .. } => return Err(Unsupported::SimplePaths),
        Certificate::KInduction { k, unique: false, clauses } => {
            witness.demand(clauses);
            witness.history(*k, false, clauses, budget)?;
        }
        Certificate::Completeness { depth } => witness.history(*depth, true, &[], budget)?,
    }
    Ok(witness.finish())
}

/// A circuit over these inputs and latches; what each node of `aig` is in `graph`.
pub(in crate::engine) fn copy(
    graph: &mut Aig,
    aig: &Aig,
    inputs: &[Lit],
    latches: &[Lit],
) -> IndexVec<Var, Lit> {
    let mut lits: IndexVec<Var, Lit> = IndexVec::new();
    let of = |lits: &IndexVec<Var, Lit>, l: Lit| lits[l.var()].xor(l.is_negated());
    for &node in aig.nodes() {
        let lit = match node {
            Node::False => Lit::FALSE,
            Node::Input(k) => inputs[k as usize],
            Node::Latch(k) => latches[k as usize],
            Node::And(a, b) => {
                let (a, b) = (of(&lits, a), of(&lits, b));
                graph.and(a, b)
            }
        };
        lits.push(lit);
    }
    lits
}

/// A witness circuit under construction.
pub(super) struct Witness<'a> {
    pub(super) problem: &'a Problem<'a>,
    pub(super) bad: usize,
    pub(super) graph: Aig,
    /// The witness's literals of the problem's inputs and latches.
    pub(super) inputs: Vec<Lit>,
    pub(super) latches: Vec<Lit>,
    /// The witness's literal of each node of the problem's circuit.
    pub(super) lits: IndexVec<Var, Lit>,
    /// What the invariant is a conjunction of, besides the property.
    pub(super) invariant: Vec<Lit>,
}

impl<'a> Witness<'a> {
    fn new(problem: &'a Problem<'a>, bad: usize, restore: &Restore) -> Self {
        let aig = problem.aig;
        let mut graph = Aig::new();
        let name = |var: Var| {
            let lit = restore.lit(Lit::new(var, false)).filter(|l| !l.is_const())?;
            Some(format!("= {}", lit.code()))
        };
        let inputs: Vec<Lit> = aig.inputs().iter().map(|i| graph.input(name(i.var))).collect();
        let latches = aig.latches().iter().map(|l| graph.latch(l.reset, name(l.var)));
        let latches: Vec<Lit> = latches.collect();
        let lits = copy(&mut graph, aig, &inputs, &latches);
        Self { problem, bad, graph, inputs, latches, lits, invariant: vec![] }
    }

    /// The witness's literal of one of the problem's circuit.
    pub(super) fn lit(&self, lit: Lit) -> Lit {
        self.lits[lit.var()].xor(lit.is_negated())
    }

    /// Adds clauses over latches to the invariant.
    fn demand(&mut self, clauses: &[Vec<(usize, bool)>]) {
        for clause in clauses {
            let lits = clause.iter().map(|&(k, value)| self.latches[k].xor(!value));
            let clause = self.graph.or_all(lits);
            self.invariant.push(clause);
        }
    }

    fn history(
        &mut self,
        frames: usize,
        ends: bool,
        clauses: &[Vec<(usize, bool)>],
        budget: &Budget,
    ) -> Result<(), Unsupported> {
        match stutters(self.problem, Backend::default(), budget) {
            Ok(true) => History::add(self, frames, ends, clauses),
            Ok(false) => return Err(Unsupported::Stuttering),
            Err(stop) => return Err(Unsupported::Stopped(stop)),
        }
        Ok(())
    }

    /// The witness, in the order that files want.
    fn finish(mut self) -> Aig {
        let aig = self.problem.aig;
        for (&latch, of) in self.latches.iter().zip(aig.latches()) {
            let next = self.lits[of.next.var()].xor(of.next.is_negated());
            self.graph.set_next(latch, next);
        }
        self.graph.constraints = aig
            .constraints
            .iter()
            .map(|c| crate::aig::Named { value: self.lit(c.value), name: None })
            .collect();
        let good = !self.lit(aig.bads[self.bad].value);
        let holds = self.graph.and_all(self.invariant.into_iter().chain([good]));
        self.graph.bads = vec![crate::aig::Named { value: !holds, name: None }];
        crate::aig::compact(&self.graph).0
    }
}
