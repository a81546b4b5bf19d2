//! The plainest unrolling there is.

use super::{Audit, Fault};
use crate::aig::{Aig, Lit, Node, Reset};
use crate::base::{Budget, IndexVec};
use crate::sat::{self, Answer, Backend, Solver};

/// One frame after the other in a solver; each node of the circuit has a literal.
pub(super) struct Straight<'a> {
    aig: &'a Aig,
    solver: Box<dyn Solver>,
    /// A literal that is true.
    yes: sat::Lit,
    /// The literal of each node in the current frame.
    frame: IndexVec<crate::aig::Var, sat::Lit>,
}

impl<'a> Straight<'a> {
    /// A frame of any state.
    pub(super) fn anywhere(aig: &'a Aig, backend: Backend) -> Self {
        Self::start(aig, backend, |_, _| None)
    }

    /// The first frame.
    pub(super) fn initial(aig: &'a Aig, backend: Backend) -> Self {
        Self::start(aig, backend, |reset, yes| match reset {
            Reset::Zero => Some(!yes),
            Reset::One => Some(yes),
            Reset::Free => None,
        })
    }

    fn start(
        aig: &'a Aig,
        backend: Backend,
        value: impl Fn(Reset, sat::Lit) -> Option<sat::Lit>,
    ) -> Self {
        let mut solver = backend.solver();
        let yes = sat::Lit::from(solver.new_var());
        solver.add_clause(&[yes]);
        let state: Vec<sat::Lit> = aig
            .latches()
            .iter()
            .map(|l| value(l.reset, yes).unwrap_or_else(|| solver.new_var().into()))
            .collect();
        let mut unrolling = Self { aig, solver, yes, frame: IndexVec::new() };
        unrolling.build(&state);
        unrolling
    }

    /// Makes the frame with this state the current one.
    fn build(&mut self, state: &[sat::Lit]) {
        let inputs = self.aig.inputs().iter().map(|_| self.solver.new_var().into()).collect();
        self.frame = self.nodes(self.aig, inputs, state);
        for constraint in &self.aig.constraints {
            self.demand(constraint.value);
        }
    }

    /// The literals of the nodes of a circuit with these inputs and latches.
    fn nodes(
        &mut self,
        aig: &Aig,
        inputs: Vec<sat::Lit>,
        latches: &[sat::Lit],
    ) -> IndexVec<crate::aig::Var, sat::Lit> {
        let mut lits: IndexVec<crate::aig::Var, sat::Lit> = IndexVec::new();
        for &node in aig.nodes() {
            let lit = match node {
                Node::False => !self.yes,
                Node::Input(k) => inputs[k as usize],
                Node::Latch(k) => latches[k as usize],
                Node::And(a, b) => {
                    let [a, b] = [a, b].map(|l| lits[l.var()].xor(l.is_negated()));
                    self.and(a, b)
                }
            };
            lits.push(lit);
        }
        lits
    }

    /// A literal for the conjunction; no new one where it is plain which it is.
    fn and(&mut self, a: sat::Lit, b: sat::Lit) -> sat::Lit {
        if a == !self.yes || b == !self.yes || a == !b {
            return !self.yes;
        }
        if a == self.yes || a == b {
            return b;
        }
        if b == self.yes {
            return a;
        }
        let both = sat::Lit::from(self.solver.new_var());
        self.solver.add_clause(&[!both, a]);
        self.solver.add_clause(&[!both, b]);
        self.solver.add_clause(&[both, !a, !b]);
        both
    }

    /// The first output of a circuit whose inputs are literals of the current frame.
    pub(super) fn output(&mut self, circuit: &Aig, inputs: &[Lit]) -> sat::Lit {
        let inputs = inputs.iter().map(|&l| self.lit(l)).collect();
        let output = circuit.outputs[0].value;
        self.nodes(circuit, inputs, &[])[output.var()].xor(output.is_negated())
    }

    /// Goes to the next frame.
    pub(super) fn advance(&mut self) {
        let state: Vec<sat::Lit> = self.aig.latches().iter().map(|l| self.lit(l.next)).collect();
        self.build(&state);
    }

    /// The circuit's literal in the current frame.
    pub(super) fn lit(&self, lit: Lit) -> sat::Lit {
        self.frame[lit.var()].xor(lit.is_negated())
    }

    /// Demands a literal, for good.
    pub(super) fn assert(&mut self, lit: sat::Lit) {
        self.solver.add_clause(&[lit]);
    }

    /// Demands the circuit's literal in the current frame, for good.
    pub(super) fn demand(&mut self, lit: Lit) {
        let lit = self.lit(lit);
        self.solver.add_clause(&[lit]);
    }

    /// Demands clauses over latches, (position of a latch, value), of the current frame's state.
    pub(super) fn demand_clauses(&mut self, clauses: &[Vec<(usize, bool)>]) {
        for clause in clauses {
            let now =
                |&(k, value): &(usize, bool)| self.frame[self.aig.latches()[k].var].xor(!value);
            let clause: Vec<sat::Lit> = clause.iter().map(now).collect();
            self.solver.add_clause(&clause);
        }
    }

    /// Demands that the circuit's literals are equal in the current frame, for good.
    pub(super) fn demand_equal(&mut self, a: Lit, b: Lit) {
        let (a, b) = (self.lit(a), self.lit(b));
        self.solver.add_clause(&[!a, b]);
        self.solver.add_clause(&[a, !b]);
    }

    /// Demands that the lists, which are as long as each other, have different values somewhere.
    pub(super) fn demand_different(&mut self, a: &[sat::Lit], b: &[sat::Lit]) {
        let changes: Vec<sat::Lit> = a.iter().zip(b).map(|(&a, &b)| self.change(a, b)).collect();
        self.solver.add_clause(&changes);
    }

    /// A literal that can only be true where `a` and `b` differ.
    fn change(&mut self, a: sat::Lit, b: sat::Lit) -> sat::Lit {
        let change = sat::Lit::from(self.solver.new_var());
        self.solver.add_clause(&[!change, a, b]);
        self.solver.add_clause(&[!change, !a, !b]);
        change
    }

    /// A literal that can only be true where one of `lits` is.
    pub(super) fn any(&mut self, lits: &[sat::Lit]) -> sat::Lit {
        let any = sat::Lit::from(self.solver.new_var());
        let mut clause = lits.to_vec();
        clause.push(!any);
        self.solver.add_clause(&clause);
        any
    }

    /// A literal that can only be true where one of these latches changes its value at the end
    /// of the current frame.
    pub(super) fn changes(&mut self, latches: &[usize]) -> sat::Lit {
        let mut lits = vec![];
        for &k in latches {
            let latch = &self.aig.latches()[k];
            let (old, new) = (self.frame[latch.var], self.lit(latch.next));
            lits.push(self.change(old, new));
        }
        self.any(&lits)
    }

    /// Can all of `lits` be true?
    pub(super) fn ask(&mut self, lits: &[sat::Lit], budget: &Budget) -> Answer {
        self.solver.solve(lits, budget)
    }

    /// Confirms that `lits` cannot all be true, or refutes it with `fault`.
    pub(super) fn never(&mut self, lits: &[sat::Lit], fault: Fault, budget: &Budget) -> Audit {
        match self.ask(lits, budget) {
            Answer::Sat => Audit::Refuted(fault),
            Answer::Unsat => Audit::Confirmed,
            Answer::Unknown(stop) => Audit::NotDone(stop),
        }
    }

    /// The value of a circuit's literal of the current frame after the answer `Sat`.
    pub(super) fn value(&self, lit: Lit) -> bool {
        self.solver.value(self.lit(lit))
    }

    /// The value of a solver's literal after the answer `Sat`.
    pub(super) fn solver_value(&self, lit: sat::Lit) -> bool {
        self.solver.value(lit)
    }
}
