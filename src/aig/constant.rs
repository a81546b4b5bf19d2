//! Removal of latches that never change, found by ternary simulation from the reset state to a
//! fixpoint (after Seger and Bryant, Formal Methods in System Design 6, 1995).

use crate::base::{Id, IndexVec};

use super::rebuild::{Fate, Plan, rebuild};
use super::{Aig, Lit, Node, Reset, Restore, Var};

/// Replaces latches that keep their reset value, whatever the inputs and free latches are, by
/// constants. Inputs, properties and all other latches stay.
pub fn remove_constant_latches(aig: &Aig) -> (Aig, Restore) {
    let values = fixpoint(aig);
    let mut plan = Plan::all(aig);
    for (fate, latch) in plan.latches.iter_mut().zip(aig.latches()) {
        if let Some(value) = values[latch.var] {
            *fate = Fate::Const(value);
        }
    }
    rebuild(aig, &plan)
}

/// Values of nodes that hold in every frame; `None` is unknown.
type Values = IndexVec<Var, Option<bool>>;

fn value(values: &Values, lit: Lit) -> Option<bool> {
    values[lit.var()].map(|v| v ^ lit.is_negated())
}

fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

/// The least fixpoint above the first frame. A node only ever goes from a value to unknown, so
/// the work is linear in the number of edges.
fn fixpoint(aig: &Aig) -> Values {
    let mut values: Values = IndexVec::filled(None, aig.nodes().len());
    for (var, &node) in aig.nodes().iter_enumerated() {
        values[var] = match node {
            Node::False => Some(false),
            Node::Input(_) => None,
            Node::Latch(k) => match aig.latches()[k as usize].reset {
                Reset::Zero => Some(false),
                Reset::One => Some(true),
                Reset::Free => None,
            },
            Node::And(a, b) => and(value(&values, a), value(&values, b)),
        };
    }
    let users = Users::new(aig);
    let mut open = Vec::new();
    for latch in aig.latches() {
        raise(aig, &mut values, latch.var, &mut open);
    }
    while let Some(var) = open.pop() {
        for &user in users.of(var) {
            raise(aig, &mut values, user, &mut open);
        }
    }
    values
}

/// Makes an and or latch unknown if its operands no longer give its value.
fn raise(aig: &Aig, values: &mut Values, var: Var, open: &mut Vec<Var>) {
    let now = match aig.node(var) {
        Node::Latch(k) => value(values, aig.latches()[k as usize].next),
        Node::And(a, b) => and(value(values, a), value(values, b)),
        Node::False | Node::Input(_) => return,
    };
    if values[var].is_some() && now != values[var] {
        values[var] = None;
        open.push(var);
    }
}

/// For each node, the ands and latches that it is an operand of.
struct Users {
    /// `starts[v]..starts[v + 1]` is the range of `users` for node `v`.
    starts: Vec<usize>,
    users: Vec<Var>,
}

impl Users {
    fn new(aig: &Aig) -> Self {
        let mut edges = Vec::new();
        for (var, &node) in aig.nodes().iter_enumerated() {
            match node {
                Node::And(a, b) => edges.extend([(a.var(), var), (b.var(), var)]),
                Node::Latch(k) => edges.push((aig.latches()[k as usize].next.var(), var)),
                Node::False | Node::Input(_) => {}
            }
        }
        let mut starts = vec![0; aig.nodes().len() + 1];
        for (operand, _) in &edges {
            starts[operand.index() + 1] += 1;
        }
        for k in 1..starts.len() {
            starts[k] += starts[k - 1];
        }
        edges.sort_unstable();
        Users { starts, users: edges.into_iter().map(|(_, user)| user).collect() }
    }

    fn of(&self, var: Var) -> &[Var] {
        &self.users[self.starts[var.index()]..self.starts[var.index() + 1]]
    }
}
