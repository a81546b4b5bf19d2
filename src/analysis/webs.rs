//! Webs: the parts of a local variable's life that have nothing to do with each other.
//!
//! A web connects the locations between which a value may go from its assignments to its reads
//! (Chaitin et al.: Register allocation via coloring, Computer Languages 6, 1981). Temporaries are
//! used again and again, and a function's variables are the same wherever it is inlined.

use crate::base::{HashMap, HashSet, Id, IndexVec};
use crate::program::{LocId, Program, Target, ThreadId, VarId};

use super::liveness::Liveness;
use super::slice::Slice;

crate::define_id! {
    /// A web of a program.
    pub struct WebId, "w";
}

/// The webs of the local variables of all threads.
#[derive(Clone, Debug)]
pub struct Webs {
    at: IndexVec<ThreadId, HashMap<(LocId, VarId), WebId>>,
    count: usize,
}

impl Webs {
    /// The webs of the variables that `wanted` chooses among the local ones.
    pub fn new(program: &Program, wanted: impl Fn(VarId) -> bool) -> Self {
        let all = Slice::all(program);
        let mut this = Webs { at: IndexVec::new(), count: 0 };
        for (t, thread) in program.threads.iter_enumerated() {
            let live = Liveness::new(program, t, &all, &[]);
            let mut union = Union::default();
            for edge in thread.edges.iter() {
                let writes: HashSet<VarId> = edge
                    .assigns
                    .iter()
                    .filter_map(|a| match a.target {
                        Target::Var(v) => Some(v),
                        Target::Deref(_) => None,
                    })
                    .collect();
                for v in live.live_at(edge.to).filter(|&v| wanted(v)) {
                    let to = union.node((edge.to, v));
                    if !writes.contains(&v) {
                        let from = union.node((edge.from, v));
                        union.join(from, to);
                    }
                }
            }
            for v in live.live_at(thread.start).filter(|&v| wanted(v)) {
                union.node((thread.start, v));
            }
            let at = this.number(union);
            this.at.push(at);
        }
        this
    }

    fn number(&mut self, mut union: Union) -> HashMap<(LocId, VarId), WebId> {
        let mut numbers: Vec<Option<WebId>> = vec![None; union.parent.len()];
        let mut places: Vec<_> = union.nodes.drain().collect();
        places.sort_unstable();
        let mut result = HashMap::default();
        for (place, node) in places {
            let web = numbers[union.root(node)].get_or_insert_with(|| {
                self.count += 1;
                WebId::new(self.count - 1)
            });
            result.insert(place, *web);
        }
        result
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The web of a variable that is live at a location.
    pub fn at(&self, thread: ThreadId, loc: LocId, var: VarId) -> Option<WebId> {
        self.at[thread].get(&(loc, var)).copied()
    }
}

/// Disjoint sets of live variables at locations.
#[derive(Default)]
struct Union {
    nodes: HashMap<(LocId, VarId), usize>,
    parent: Vec<usize>,
}

impl Union {
    fn node(&mut self, place: (LocId, VarId)) -> usize {
        let next = self.parent.len();
        let node = *self.nodes.entry(place).or_insert(next);
        if node == next {
            self.parent.push(next);
        }
        node
    }

    fn root(&mut self, mut node: usize) -> usize {
        while self.parent[node] != node {
            self.parent[node] = self.parent[self.parent[node]];
            node = self.parent[node];
        }
        node
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }
}
