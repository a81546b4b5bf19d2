//! The order of the variables.

use crate::aig::{Aig, Lit, Node, Var};
use crate::base::IndexVec;

/// How the order of latches and inputs is found. In each case a latch's current and next value
/// are neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrderHeuristic {
    /// As the circuit lists them, inputs first.
    Listed,
    /// As a depth-first search from the properties meets them (Malik, Wang, Brayton,
    /// Sangiovanni-Vincentelli, ICCAD 1988).
    DepthFirst,
    /// The search's order, improved by moving each node to the centre of those that it is
    /// connected to (Aloul, Markov, Sakallah: FORCE, GLSVLSI 2003).
    #[default]
    Force,
}

/// Most rounds of FORCE.
const ROUNDS: usize = 60;

/// The inputs and latches of the cone (nodes whose flag is set), in order.
pub(super) fn order(
    aig: &Aig,
    roots: &[Lit],
    live: &IndexVec<Var, bool>,
    heuristic: OrderHeuristic,
) -> Vec<Var> {
    let nodes = match heuristic {
        OrderHeuristic::Listed => {
            let inputs = aig.inputs().iter().map(|i| i.var);
            inputs.chain(aig.latches().iter().map(|l| l.var)).collect()
        }
        OrderHeuristic::DepthFirst => depth_first(aig, roots),
        OrderHeuristic::Force => force(aig, depth_first(aig, roots)),
    };
    let leaf = |v: &Var| live[*v] && matches!(aig.node(*v), Node::Input(_) | Node::Latch(_));
    nodes.into_iter().filter(leaf).collect()
}

/// All nodes that the roots depend on, over any number of frames, operands before their users
/// where that is possible.
fn depth_first(aig: &Aig, roots: &[Lit]) -> Vec<Var> {
    let mut seen = IndexVec::filled(false, aig.nodes().len());
    let mut done = vec![];
    // Latches whose next state is yet to be searched.
    let mut latches = std::collections::VecDeque::new();
    let mut open: Vec<(Var, bool)> = vec![];
    for &root in roots {
        visit(aig, root.var(), &mut seen, &mut open, &mut done, &mut latches);
    }
    while let Some(latch) = latches.pop_front() {
        visit(aig, latch, &mut seen, &mut open, &mut done, &mut latches);
    }
    done
}

fn visit(
    aig: &Aig,
    root: Var,
    seen: &mut IndexVec<Var, bool>,
    open: &mut Vec<(Var, bool)>,
    done: &mut Vec<Var>,
    latches: &mut std::collections::VecDeque<Var>,
) {
    open.push((root, false));
    while let Some((var, operands_done)) = open.pop() {
        if operands_done {
            done.push(var);
            continue;
        }
        if std::mem::replace(&mut seen[var], true) {
            continue;
        }
        open.push((var, true));
        match aig.node(var) {
            Node::False | Node::Input(_) => {}
            Node::Latch(k) => latches.push_back(aig.latches()[k as usize].next.var()),
            Node::And(a, b) => open.extend([(b.var(), false), (a.var(), false)]),
        }
    }
}

/// Moves nodes towards their neighbours until the total length of all connections does not get
/// shorter any more.
fn force(aig: &Aig, nodes: Vec<Var>) -> Vec<Var> {
    let edges = edges(aig, &nodes);
    let mut order = nodes;
    let mut place = IndexVec::filled(0u32, aig.nodes().len());
    let mut best = (length(&order, &edges, &mut place), order.clone());
    let mut worse = 0;
    for _ in 0..ROUNDS {
        let mut sums = IndexVec::filled((0f64, 0u32), aig.nodes().len());
        for edge in &edges {
            let centre = edge.iter().map(|&v| f64::from(place[v])).sum::<f64>() / edge.len() as f64;
            for &v in edge {
                sums[v].0 += centre;
                sums[v].1 += 1;
            }
        }
        let centre = |v: Var| {
            let (sum, count) = sums[v];
            if count == 0 { f64::from(place[v]) } else { sum / f64::from(count) }
        };
        order.sort_by(|&a, &b| centre(a).total_cmp(&centre(b)));
        let found = length(&order, &edges, &mut place);
        worse = if found < best.0 { 0 } else { worse + 1 };
        if found < best.0 {
            best = (found, order.clone());
        }
        if worse > 4 {
            break;
        }
    }
    best.1
}

/// An and with its operands; a latch with its next state.
fn edges(aig: &Aig, nodes: &[Var]) -> Vec<Vec<Var>> {
    let edge = |&var: &Var| match aig.node(var) {
        Node::False | Node::Input(_) => None,
        Node::Latch(k) => Some(vec![var, aig.latches()[k as usize].next.var()]),
        Node::And(a, b) => Some(vec![var, a.var(), b.var()]),
    };
    let constant = Lit::FALSE.var();
    nodes.iter().filter_map(edge).filter(|e| !e.contains(&constant)).collect()
}

/// Sum over all edges of the distance of their outermost nodes; sets the places.
fn length(order: &[Var], edges: &[Vec<Var>], place: &mut IndexVec<Var, u32>) -> u64 {
    for (at, &var) in order.iter().enumerate() {
        place[var] = at as u32;
    }
    let span = |edge: &Vec<Var>| {
        let places = edge.iter().map(|&v| place[v]);
        let (low, high) = places.fold((u32::MAX, 0), |(l, h), p| (l.min(p), h.max(p)));
        u64::from(high - low)
    };
    edges.iter().map(span).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aig::Reset;
    use crate::engine::unroll::cone;

    /// Two independent shift registers whose latches the circuit lists in turn: each register
    /// should be together.
    #[test]
    fn what_is_connected_is_together() {
        let mut aig = Aig::new();
        let input = [aig.input(None), aig.input(None)];
        let mut chains = [vec![], vec![]];
        for _ in 0..12 {
            for chain in &mut chains {
                chain.push(aig.latch(Reset::Zero, None));
            }
        }
        for (chain, input) in chains.iter().zip(input) {
            let mut previous = input;
            for &latch in chain {
                aig.set_next(latch, previous);
                previous = latch;
            }
        }
        let roots = [chains[0][11], chains[1][11]].map(|l| l.xor(true));
        let live = cone(&aig, &roots);
        for heuristic in [OrderHeuristic::Listed, OrderHeuristic::DepthFirst, OrderHeuristic::Force]
        {
            let order = order(&aig, &roots, &live, heuristic);
            assert_eq!(order.len(), 26);
            let first: Vec<bool> = order
                .iter()
                .map(|&v| v == input[0].var() || chains[0].iter().any(|l| l.var() == v))
                .collect();
            let changes = first.windows(2).filter(|w| w[0] != w[1]).count();
            if heuristic == OrderHeuristic::Force {
                assert!(changes < 6, "{changes}: {first:?}");
            }
        }
    }
}
