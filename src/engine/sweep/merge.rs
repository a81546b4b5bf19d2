//! Which nodes equal which.

use super::SweepOptions;
use super::signatures::{Frame, Signatures};
use crate::aig::{Aig, Lit, Node, Var};
use crate::base::{Budget, IndexVec, Rng, Stop};
use crate::engine::cnf::Encoder;
use crate::engine::relations::Clause;
use crate::sat::{self, Answer, Solver};

/// For each node a literal that equals it in all states in which the clauses hold, if there is
/// one that stands before it.
pub(super) fn equal(
    aig: &Aig,
    clauses: &[Clause],
    options: &SweepOptions,
    budget: &Budget,
) -> Result<IndexVec<Var, Option<Lit>>, Stop> {
    let mut signatures = Signatures::random(aig, options.runs, options.frames, budget)?;
    let mut equal = equal_latches(aig, clauses);
    for _ in 0..options.passes {
        let alike = signatures.first_alike();
        let mut pass = Pass::new(aig, clauses, options, &equal);
        for (var, &node) in aig.nodes().iter_enumerated() {
            pass.node(var, node, &equal);
            let lit = alike[var];
            if matches!(node, Node::And(..))
                && equal[var].is_none()
                && pass.are_equal(var, lit, budget)?
            {
                equal[var] = Some(lit);
                pass.lits[var] = pass.lit(lit);
            }
        }
        if pass.apart.is_empty() {
            break;
        }
        signatures.add(aig, &pass.apart);
    }
    Ok(equal)
}

/// Latches that are constant, or equal another one, by the clauses.
fn equal_latches(aig: &Aig, clauses: &[Clause]) -> IndexVec<Var, Option<Lit>> {
    let mut equal = IndexVec::filled(None, aig.nodes().len());
    let var = |k: usize| aig.latches()[k].var;
    for clause in clauses {
        if let [(latch, value)] = clause[..] {
            equal[var(latch)] = Some(Lit::from(value));
        }
    }
    for pair in clauses.windows(2) {
        // An equivalence is two clauses, with complementary literals, one after the other.
        let ([(a, x), (b, y)], [(c, v), (d, w)]) = (&pair[0][..], &pair[1][..]) else { continue };
        let complementary = (a, b) == (c, d) && x != v && y != w;
        if complementary && equal[var(*a)].is_none() && equal[var(*b)].is_none() {
            equal[var(*b)] = Some(Lit::new(var(*a), x == y));
        }
    }
    equal
}

/// One pass over the nodes.
struct Pass<'a> {
    aig: &'a Aig,
    /// The functions of inputs and latches that are known to be different so far.
    graph: Aig,
    /// For each node its literal in `graph`.
    lits: IndexVec<Var, Lit>,
    encoder: Encoder,
    solver: Box<dyn Solver>,
    /// States and inputs that have told nodes apart.
    apart: Vec<Frame>,
    rng: Rng,
}

impl<'a> Pass<'a> {
    fn new(
        aig: &'a Aig,
        clauses: &[Clause],
        options: &SweepOptions,
        equal: &IndexVec<Var, Option<Lit>>,
    ) -> Self {
        let mut pass = Self {
            aig,
            graph: Aig::new(),
            lits: IndexVec::filled(Lit::FALSE, aig.nodes().len()),
            encoder: Encoder::default(),
            solver: options.backend.solver(),
            apart: vec![],
            rng: Rng::new(0),
        };
        for input in aig.inputs() {
            pass.lits[input.var] = pass.graph.input(None);
        }
        for latch in aig.latches().iter().filter(|l| equal[l.var].is_none()) {
            pass.lits[latch.var] = pass.graph.input(None);
        }
        for latch in aig.latches() {
            if let Some(lit) = equal[latch.var] {
                pass.lits[latch.var] = pass.lit(lit);
            }
        }
        for clause in clauses {
            let now = |&(k, value): &(usize, bool)| pass.lits[aig.latches()[k].var].xor(!value);
            let lits: Vec<Lit> = clause.iter().map(now).collect();
            pass.demand(&lits);
        }
        pass
    }

    /// The function of a literal.
    fn lit(&self, lit: Lit) -> Lit {
        self.lits[lit.var()].xor(lit.is_negated())
    }

    /// Demands one of these functions.
    fn demand(&mut self, lits: &[Lit]) {
        if lits.contains(&Lit::TRUE) || lits.iter().any(|&l| lits.contains(&!l)) {
            return;
        }
        let open = lits.iter().filter(|&&l| l != Lit::FALSE);
        let clause: Vec<sat::Lit> =
            open.map(|&l| self.encoder.lit(&self.graph, &mut *self.solver, l)).collect();
        self.solver.add_clause(&clause);
    }

    /// Makes the node's function.
    fn node(&mut self, var: Var, node: Node, equal: &IndexVec<Var, Option<Lit>>) {
        if let Node::And(a, b) = node {
            let (a, b) = (self.lit(a), self.lit(b));
            self.lits[var] = match equal[var] {
                Some(lit) => self.lit(lit),
                None => self.graph.and(a, b),
            };
        }
    }

    /// Whether the node equals the literal of an earlier one, as it does in all known frames.
    fn are_equal(&mut self, var: Var, lit: Lit, budget: &Budget) -> Result<bool, Stop> {
        // A latch may stand behind the node.
        if lit.var() >= var {
            return Ok(false);
        }
        let (a, b) = (self.lits[var], self.lit(lit));
        if a == b {
            return Ok(true);
        }
        if a == !b {
            return Ok(false);
        }
        for (a, b) in [(a, !b), (!a, b)] {
            if self.possible(a, b, budget)? {
                let frame = self.frame();
                self.apart.push(frame);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether both functions can be true.
    fn possible(&mut self, a: Lit, b: Lit, budget: &Budget) -> Result<bool, Stop> {
        if a == Lit::FALSE || b == Lit::FALSE {
            return Ok(false);
        }
        let lits = [a, b].into_iter().filter(|&l| l != Lit::TRUE);
        let assumptions: Vec<sat::Lit> =
            lits.map(|l| self.encoder.lit(&self.graph, &mut *self.solver, l)).collect();
        match self.solver.solve(&assumptions, budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(stop) => Err(stop),
        }
    }

    /// The values of latches and inputs in the solver's model; at random where it leaves them
    /// open.
    fn frame(&mut self) -> Frame {
        let values: Vec<bool> = self
            .graph
            .inputs()
            .iter()
            .map(|input| match self.encoder.known(Lit::new(input.var, false)) {
                Some(lit) if !self.solver.is_open(lit) => self.solver.value(lit),
                _ => self.rng.one_in(2),
            })
            .collect();
        let value = |var: Var| {
            let lit = self.lits[var];
            match self.graph.node(lit.var()) {
                Node::Input(k) => values[k as usize] != lit.is_negated(),
                _ => lit == Lit::TRUE,
            }
        };
        (
            self.aig.latches().iter().map(|l| value(l.var)).collect(),
            self.aig.inputs().iter().map(|i| value(i.var)).collect(),
        )
    }
}
