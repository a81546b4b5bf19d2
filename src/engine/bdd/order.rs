//! The order of the variables.

use std::collections::VecDeque;

use crate::aig::{Aig, Lit, Node, Var};
use crate::base::IndexVec;

/// How the order of latches and inputs is found. In each case a latch's current and next value
/// are neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderHeuristic {
    /// As the circuit lists them, inputs first.
    Listed,
    /// As a search from the properties meets them, depth first within a frame (Malik, Wang,
    /// Brayton, Sangiovanni-Vincentelli, ICCAD 1988).
    DepthFirst,
    /// The search's order, improved by moving each node to the centre of those that it is
    /// connected to (Aloul, Markov, Sakallah: FORCE, GLSVLSI 2003).
    Force,
}

impl OrderHeuristic {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Listed, Self::DepthFirst, Self::Force];
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
    // Latches whose next state is yet to be searched. First come, first served: bits of words that
    // are compared or added come in turn, which is what diagrams of arithmetic need. (Measured:
    // going deep through the latches lets twice as many circuits of threads run out of nodes.)
    let mut latches = VecDeque::new();
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
    latches: &mut VecDeque<Var>,
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
    use crate::aig::random::{RandomOptions, random_aig};
    use crate::base::Rng;
    use crate::engine::unroll::cone;

    #[test]
    fn each_leaf_of_the_cone_has_one_place_and_connections_get_shorter() {
        let mut shorter = 0;
        for seed in 0..50 {
            let mut rng = Rng::new(seed);
            let options =
                RandomOptions { inputs: 8, latches: 12, ands: 80, ..RandomOptions::tiny() };
            let aig = random_aig(&mut rng, &options);
            let roots = [aig.bads[0].value];
            let live = cone(&aig, &roots);
            let leaf = |v: Var| live[v] && matches!(aig.node(v), Node::Input(_) | Node::Latch(_));
            let mut expected: Vec<Var> =
                aig.nodes().iter_enumerated().map(|(v, _)| v).filter(|&v| leaf(v)).collect();
            for heuristic in OrderHeuristic::ALL {
                let mut found = order(&aig, &roots, &live, heuristic);
                found.sort();
                expected.sort();
                assert_eq!(found, expected, "seed {seed}, {heuristic:?}");
            }
            let first = depth_first(&aig, &roots);
            let edges = edges(&aig, &first);
            let mut place = IndexVec::filled(0, aig.nodes().len());
            let before = length(&first, &edges, &mut place);
            let after = length(&force(&aig, first), &edges, &mut place);
            assert!(after <= before, "seed {seed}");
            shorter += usize::from(after < before);
        }
        assert!(shorter > 5, "{shorter}");
    }
}
