//! Clauses for the functions of a combinational graph (Tseitin 1968), made on demand for the
//! cones that are asked for, each node once. If-then-else and exclusive or, which the graph
//! spells with three ands, become one gate each. (Measured on circuits of threads: a fifth less
//! time than with ands only. Merging trees of ands, or redundant clauses for if-then-else, did
//! not help there; IC3's small questions gain from [definitions](super::definitions) that span
//! several gates.)

use std::ops::Not;

use super::definitions::{Definition, Definitions};
use crate::aig::{Aig, Input, Lit, Node, Simulator, Var};
use crate::base::Id;
use crate::sat::{self, Solver};

/// Relates a growing graph to the variables of one solver.
#[derive(Default)]
pub(super) struct Encoder {
    /// The solver's literal of each node that has one.
    lits: Vec<Option<sat::Lit>>,
}

/// How the graph defines a node.
pub(super) enum Gate {
    /// Any value.
    Free,
    /// Conjunction.
    And([Lit; 2]),
    /// `if .0 then .1 else .2`.
    Ite([Lit; 3]),
}

impl Gate {
    pub(super) fn of(graph: &Aig, var: Var) -> Self {
        match graph.node(var) {
            Node::And(a, b) => ite(graph, a, b).map_or(Gate::And([a, b]), Gate::Ite),
            _ => Gate::Free,
        }
    }

    pub(super) fn operands(&self) -> &[Lit] {
        match self {
            Gate::Free => &[],
            Gate::And(lits) => lits,
            Gate::Ite(lits) => lits,
        }
    }

    /// What says that `x` is the gate's value.
    pub(super) fn clauses(&self, x: Lit) -> Vec<Vec<Lit>> {
        match *self {
            Gate::Free => vec![],
            Gate::And(lits) => {
                let (binary, ternary) = and_clauses(x, lits);
                vec![binary[0].to_vec(), binary[1].to_vec(), ternary.to_vec()]
            }
            Gate::Ite(lits) => ite_clauses(x, lits).map(|c| c.to_vec()).to_vec(),
        }
    }
}

/// What says that `x` is the conjunction.
fn and_clauses<L: Copy + Not<Output = L>>(x: L, [a, b]: [L; 2]) -> ([[L; 2]; 2], [L; 3]) {
    ([[!x, a], [!x, b]], [x, !a, !b])
}

/// What says that `x` is `if c then a else b`.
fn ite_clauses<L: Copy + Not<Output = L>>(x: L, [c, a, b]: [L; 3]) -> [[L; 3]; 4] {
    [[!c, !x, a], [!c, x, !a], [c, !x, b], [c, x, !b]]
}

/// How a node is defined for the solver.
enum Cell<'d> {
    Gate(Gate),
    /// In terms of nodes further down.
    Deep(&'d Definition),
}

impl Cell<'_> {
    fn operands(&self) -> &[Lit] {
        match self {
            Cell::Gate(gate) => gate.operands(),
            Cell::Deep(definition) => &definition.operands,
        }
    }
}

/// The operands of an if-then-else that is the conjunction of `a` and `b`.
fn ite(graph: &Aig, a: Lit, b: Lit) -> Option<[Lit; 3]> {
    if !a.is_negated() || !b.is_negated() {
        return None;
    }
    let (Node::And(p, q), Node::And(r, s)) = (graph.node(a.var()), graph.node(b.var())) else {
        return None;
    };
    // !(p & q) & !(r & s) with complementary p and r is "if p then !q else !s".
    [(p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)]
        .into_iter()
        .find(|&(p, _, r, _)| p == !r)
        .map(|(p, q, _, s)| [p, !q, !s])
}

impl Encoder {
    /// The solver's literal that equals `lit`, with clauses for its cone.
    ///
    /// # Panics
    /// If `lit` is constant.
    pub(super) fn lit(&mut self, graph: &Aig, solver: &mut dyn Solver, lit: Lit) -> sat::Lit {
        self.encode(solver, lit, |var| Cell::Gate(Gate::of(graph, var)))
    }

    /// Like [`Encoder::lit`], with the given definitions of those nodes that have one.
    pub(super) fn lit_by(
        &mut self,
        definitions: &Definitions,
        graph: &Aig,
        solver: &mut dyn Solver,
        lit: Lit,
    ) -> sat::Lit {
        let cell = |var| match definitions.of(var) {
            Some(definition) => Cell::Deep(definition),
            None => Cell::Gate(Gate::of(graph, var)),
        };
        self.encode(solver, lit, cell)
    }

    fn encode<'d>(
        &mut self,
        solver: &mut dyn Solver,
        lit: Lit,
        cell: impl Fn(Var) -> Cell<'d>,
    ) -> sat::Lit {
        assert!(!lit.is_const(), "constants are folded, not encoded");
        let mut open = vec![lit.var()];
        while let Some(&var) = open.last() {
            if self.of(var).is_some() {
                open.pop();
                continue;
            }
            let cell = cell(var);
            let before = open.len();
            let operands = cell.operands().iter().map(|l| l.var());
            open.extend(operands.filter(|&v| self.of(v).is_none()));
            if open.len() == before {
                let x = solver.new_var().into();
                if self.lits.len() <= var.index() {
                    self.lits.resize(var.index() + 1, None);
                }
                self.lits[var.index()] = Some(x);
                self.define(solver, x, &cell);
                open.pop();
            }
        }
        self.known(lit).expect("just encoded")
    }

    /// The values of all functions of a graph under the values of its inputs in the solver's model.
    /// (The solver need not know each function: the graph may define it in other terms.)
    pub(super) fn model<'g>(&self, graph: &'g Aig, solver: &dyn Solver) -> Simulator<'g, bool> {
        let value = |input: &Input| {
            let lit = self.known(Lit::new(input.var, false));
            lit.is_some_and(|lit| solver.value(lit))
        };
        let inputs: Vec<bool> = graph.inputs().iter().map(value).collect();
        let mut simulator = Simulator::new(graph, &[]);
        simulator.eval(&inputs);
        simulator
    }

    /// The solver's literal of a literal that has been encoded.
    pub(super) fn known(&self, lit: Lit) -> Option<sat::Lit> {
        Some(self.of(lit.var())?.xor(lit.is_negated()))
    }

    fn of(&self, var: Var) -> Option<sat::Lit> {
        self.lits.get(var.index()).copied().flatten()
    }

    fn define(&self, solver: &mut dyn Solver, x: sat::Lit, cell: &Cell) {
        let known = |l: Lit| self.known(l).expect("operands are encoded first");
        match cell {
            Cell::Gate(Gate::Free) => {}
            Cell::Gate(Gate::And(lits)) => {
                let lits = lits.map(known);
                let (binary, ternary) = and_clauses(x, lits);
                let clauses: [&[sat::Lit]; 3] = [&binary[0], &binary[1], &ternary];
                solver.add_definition(x.var(), &lits, &clauses);
            }
            Cell::Gate(Gate::Ite(lits)) => {
                let lits = lits.map(known);
                let clauses = ite_clauses(x, lits);
                solver.add_definition(x.var(), &lits, &clauses.each_ref().map(|c| &c[..]));
            }
            Cell::Deep(definition) => {
                let all = |lits: &[Lit]| lits.iter().copied().map(known).collect::<Vec<_>>();
                let clauses: Vec<_> = definition.clauses.iter().map(|c| all(c)).collect();
                let clauses: Vec<&[sat::Lit]> = clauses.iter().map(|c| &c[..]).collect();
                solver.add_definition(x.var(), &all(&definition.operands), &clauses);
            }
        }
    }
}
