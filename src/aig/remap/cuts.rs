//! Which functions of which nodes.

use super::function::{Functions, Table, VARIABLES};
use crate::aig::{Aig, Lit, Node, Var};
use crate::base::IndexVec;

/// A node as a function of others.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// At most four nodes, in order.
    pub(super) leaves: Vec<Var>,
    /// The function; variable i is leaf i.
    pub(super) table: Table,
}

impl Cut {
    /// The node itself.
    fn trivial(var: Var) -> Self {
        Self { leaves: vec![var], table: VARIABLES[0] }
    }

    /// The function in terms of more leaves.
    fn table_over(&self, leaves: &[Var], negated: bool) -> Table {
        let place = |leaf: &Var| leaves.iter().position(|l| l == leaf).expect("a leaf is kept");
        let places: Vec<usize> = self.leaves.iter().map(place).collect();
        let value = |k: u32| {
            let own: u32 = places.iter().enumerate().map(|(i, &p)| (k >> p & 1) << i).sum();
            (self.table >> own & 1) << k
        };
        let table = (0..16).map(value).sum::<Table>();
        if negated { !table } else { table }
    }

    /// The conjunction of two, if it has few enough leaves.
    fn and(a: (&Cut, bool), b: (&Cut, bool)) -> Option<Cut> {
        let mut leaves = a.0.leaves.clone();
        leaves.extend(b.0.leaves.iter().filter(|l| !a.0.leaves.contains(l)));
        if leaves.len() > 4 {
            return None;
        }
        leaves.sort_unstable();
        let table = a.0.table_over(&leaves, a.1) & b.0.table_over(&leaves, b.1);
        Some(Cut { leaves, table })
    }
}

/// Cuts kept for each node.
const CUTS: usize = 8;

/// The best choice.
pub(super) struct Cover {
    /// For each and its best cut; for other nodes themselves.
    pub(super) best: IndexVec<Var, Cut>,
    /// The nodes that properties and latches depend on through best cuts.
    pub(super) needed: IndexVec<Var, bool>,
}

impl Cover {
    pub(super) fn new(aig: &Aig, functions: &mut Functions) -> Self {
        let roots = roots(aig);
        let mut uses: IndexVec<Var, u32> = IndexVec::filled(0, aig.nodes().len());
        for &node in aig.nodes() {
            if let Node::And(a, b) = node {
                uses[a.var()] += 1;
                uses[b.var()] += 1;
            }
        }
        for root in &roots {
            uses[root.var()] += 1;
        }
        let mut best: IndexVec<Var, Cut> = IndexVec::new();
        let mut cuts: IndexVec<Var, Vec<Cut>> = IndexVec::new();
        // Ands for each use of the node, those below it shared out in the same way.
        let mut flow: IndexVec<Var, f64> = IndexVec::new();
        for (var, &node) in aig.nodes().iter_enumerated() {
            let mut own = match node {
                Node::And(a, b) => merge(&cuts, a, b),
                Node::False => vec![(0.0, Cut { leaves: vec![], table: 0 })],
                Node::Input(_) | Node::Latch(_) => vec![(0.0, Cut::trivial(var))],
            };
            for (cost, cut) in &mut own {
                let below: f64 = cut.leaves.iter().filter(|&&l| l != var).map(|&l| flow[l]).sum();
                *cost = functions.ands(cut.table) as f64 + below;
            }
            own.sort_by(|a, b| {
                a.0.total_cmp(&b.0).then_with(|| a.1.leaves.len().cmp(&b.1.leaves.len()))
            });
            own.truncate(CUTS);
            flow.push(own[0].0 / f64::from(uses[var].max(1)));
            best.push(own[0].1.clone());
            let mut own: Vec<Cut> = own.into_iter().map(|c| c.1).collect();
            if matches!(node, Node::And(..)) {
                own.push(Cut::trivial(var));
            }
            cuts.push(own);
        }
        let needed = needed(aig, &roots, &best);
        Self { best, needed }
    }
}

/// What properties and latches are.
fn roots(aig: &Aig) -> Vec<Lit> {
    let lists = [&aig.outputs, &aig.bads, &aig.constraints, &aig.fairness];
    let mut roots: Vec<Lit> = lists.into_iter().flatten().map(|p| p.value).collect();
    roots.extend(aig.justice.iter().flat_map(|set| &set.value));
    roots.extend(aig.latches().iter().map(|l| l.next));
    roots
}

/// All different cuts of an and that come from those of its operands.
fn merge(cuts: &IndexVec<Var, Vec<Cut>>, a: Lit, b: Lit) -> Vec<(f64, Cut)> {
    let mut merged: Vec<(f64, Cut)> = vec![];
    for x in &cuts[a.var()] {
        for y in &cuts[b.var()] {
            let Some(cut) = Cut::and((x, a.is_negated()), (y, b.is_negated())) else { continue };
            if merged.iter().all(|(_, known)| known.leaves != cut.leaves) {
                merged.push((0.0, cut));
            }
        }
    }
    merged
}

fn needed(aig: &Aig, roots: &[Lit], best: &IndexVec<Var, Cut>) -> IndexVec<Var, bool> {
    let mut needed = IndexVec::filled(false, aig.nodes().len());
    for root in roots {
        needed[root.var()] = true;
    }
    for (var, &node) in aig.nodes().iter_enumerated().rev() {
        if needed[var] && matches!(node, Node::And(..)) {
            for &leaf in &best[var].leaves {
                needed[leaf] = true;
            }
        }
    }
    needed
}
