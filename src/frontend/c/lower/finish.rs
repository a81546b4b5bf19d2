//! One graph cleaned up: locations that are the same become one, what cannot be reached and
//! assignments of temporaries that nobody reads go, unless they read an object.

use super::block::Graph;
use crate::base::{HashMap, HashSet, Id, IndexVec, Span};
use crate::expr::Node;
use crate::program::{
    Assign, Edge, Leaf, LocId, LocKind, Location, ProgExpr, Program, Role, Scope, Sync, Target,
    Thread, VarId,
};

/// The thread of a graph.
pub fn thread(
    prog: &Program,
    mut graph: Graph,
    start: LocId,
    status: VarId,
    reusable: bool,
    fallback: Span,
) -> Thread {
    let mut edges = std::mem::take(&mut graph.edges);
    resolve(&graph, &mut edges);
    let emptied = drop_dead(prog, &mut edges, graph.nodes.len());
    let mut gone = vec![false; edges.len()];
    for i in emptied {
        gone[i] = contract(prog, &mut graph, &edges[i]);
    }
    let mut gone = gone.into_iter();
    edges.retain(|_| !gone.next().unwrap_or(false));
    resolve(&graph, &mut edges);
    let start = graph.find(start);
    let order = reachable(&edges, start);
    let new: HashMap<LocId, LocId> =
        order.iter().enumerate().map(|(i, &l)| (l, LocId::new(i))).collect();
    let locations = order
        .iter()
        .map(|&l| {
            let n = &graph.nodes[l];
            Location {
                kind: n.kind,
                blocking: n.blocking,
                atomic: n.depth.unwrap_or(0) > 0,
                labels: n.labels.clone(),
                span: n.span.unwrap_or(fallback),
            }
        })
        .collect();
    let mut kept: Vec<Edge> = edges
        .into_iter()
        .filter(|e| new.contains_key(&e.from))
        .map(|e| Edge { from: new[&e.from], to: new[&e.to], ..e })
        .collect();
    // In the order of the locations, stable.
    kept.sort_by_key(|e| e.from);
    Thread {
        name: String::new(),
        locations,
        edges: IndexVec::from_vec(kept),
        start: new[&start],
        status,
        reusable,
    }
}

fn resolve(graph: &Graph, edges: &mut [Edge]) {
    for e in edges {
        e.from = graph.find(e.from);
        e.to = graph.find(e.to);
    }
}

/// Makes the ends of an edge without effects one location, if they can be.
fn contract(prog: &Program, graph: &mut Graph, e: &Edge) -> bool {
    let plain = prog.pool.is_true(e.guard)
        && e.sync == Sync::None
        && e.site.is_none()
        && e.derefs.is_empty();
    let (from, to) = (graph.find(e.from), graph.find(e.to));
    if !plain || from == to || graph.nodes[to].kind != LocKind::Running {
        return false;
    }
    let labels = std::mem::take(&mut graph.nodes[from].labels);
    graph.nodes[from].same = Some(to);
    graph.nodes[to].labels.extend(labels);
    true
}

/// The locations that can be reached, in depth-first order.
fn reachable(edges: &[Edge], start: LocId) -> Vec<LocId> {
    let mut next: HashMap<LocId, Vec<LocId>> = HashMap::default();
    for e in edges {
        next.entry(e.from).or_default().push(e.to);
    }
    let mut seen = HashSet::default();
    let mut order = vec![];
    let mut stack = vec![start];
    while let Some(l) = stack.pop() {
        if !seen.insert(l) {
            continue;
        }
        order.push(l);
        stack.extend(next.get(&l).into_iter().flatten().rev());
    }
    order
}

/// Removes assignments of temporaries that are dead, and choices for variables that are written
/// before they are read, by a backward data-flow analysis. Gives the edges that became empty.
fn drop_dead(prog: &Program, edges: &mut [Edge], locations: usize) -> Vec<usize> {
    let dead = Liveness::new(prog, edges, locations);
    let mut emptied = vec![];
    for (i, e) in edges.iter_mut().enumerate() {
        let before = e.assigns.len();
        let after = &dead.live[e.to.index()];
        let atomic = e.atomic_access;
        e.assigns.retain(|a| dead.is_needed(prog, a, atomic, after));
        if e.assigns.is_empty() && before > 0 {
            emptied.push(i);
        }
    }
    emptied
}

/// A set of private variables, by number.
type Set = Vec<u64>;

/// Which private variables may be read before they are written, by location.
struct Liveness {
    numbers: HashMap<VarId, usize>,
    live: Vec<Set>,
}

impl Liveness {
    fn new(prog: &Program, edges: &[Edge], locations: usize) -> Self {
        let mut numbers = HashMap::default();
        for e in edges {
            for a in &e.assigns {
                if let Target::Var(v) = a.target
                    && matches!(prog.vars[v].scope, Scope::Local(_))
                {
                    let n = numbers.len();
                    numbers.entry(v).or_insert(n);
                }
            }
        }
        let empty = vec![0; numbers.len().div_ceil(64)];
        let mut this = Self { numbers, live: vec![empty; locations] };
        loop {
            let mut changed = false;
            for e in edges.iter().rev() {
                changed |= this.update(prog, e);
            }
            if !changed {
                return this;
            }
        }
    }

    fn update(&mut self, prog: &Program, e: &Edge) -> bool {
        let after = self.live[e.to.index()].clone();
        let mut before = after.clone();
        for a in &e.assigns {
            if let Target::Var(v) = a.target
                && let Some(&n) = self.numbers.get(&v)
            {
                before[n / 64] &= !(1 << (n % 64));
            }
        }
        self.add_uses(prog, e.guard, &mut before);
        for d in e.derefs.iter() {
            self.add_uses(prog, d.addr, &mut before);
        }
        for a in &e.assigns {
            if self.is_needed(prog, a, e.atomic_access, &after) {
                self.add_uses(prog, a.value, &mut before);
            }
        }
        let here = &mut self.live[e.from.index()];
        let mut changed = false;
        for (old, new) in here.iter_mut().zip(before) {
            changed |= new & !*old != 0;
            *old |= new;
        }
        changed
    }

    fn add_uses(&self, prog: &Program, e: ProgExpr, set: &mut Set) {
        prog.pool.for_each_leaf(e, |l, _| {
            if let Leaf::Var(v) = l
                && let Some(&n) = self.numbers.get(&v)
            {
                set[n / 64] |= 1 << (n % 64);
            }
        });
    }

    fn is_needed(&self, prog: &Program, a: &Assign, atomic: bool, after: &Set) -> bool {
        let Target::Var(v) = a.target else { return true };
        let Some(&n) = self.numbers.get(&v) else { return true };
        let unused = prog.vars[v].role == Role::Temp && (atomic || !reads_memory(prog, a.value));
        let droppable = unused || is_choice(prog, a.value);
        !droppable || after[n / 64] & (1 << (n % 64)) != 0
    }
}

/// Whether the value reads an object. Even if nobody wants it, as that of a call, the read can race.
fn reads_memory(prog: &Program, e: ProgExpr) -> bool {
    let mut reads = false;
    prog.pool.for_each_leaf(e, |leaf, _| {
        reads |= match leaf {
            Leaf::Var(v) => prog.vars[v].object.is_some(),
            Leaf::Loaded(_) => true,
            Leaf::Address(_) | Leaf::Input(_) | Leaf::Valid(_) => false,
        }
    });
    reads
}

/// Whether the value is an unknown one.
fn is_choice(prog: &Program, e: ProgExpr) -> bool {
    match prog.pool.node(e) {
        Node::Leaf(Leaf::Input(_)) => true,
        Node::ZeroExtend(inner) => is_choice(prog, inner),
        _ => false,
    }
}
