//! What a thread has to be given before it can take an edge: mutexes, read-write locks, the end of
//! another thread.
//!
//! A token of an edge is a condition under which the edge cannot be taken, and which stays as it is
//! for as long as one certain thread does not move: as long as that thread owns the mutex, reads
//! the lock, or has not ended. V. Kahlon, A. Gupta, N. Sinha: Symbolic model checking of concurrent
//! programs using partial orders and on-the-fly transactions (CAV 2006) call the sets of tokens of
//! a path its lock acquisition pattern.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::{HashMap, IndexVec};
use crate::expr::Pool;
use crate::program::{
    AccessKind, EdgeId, Leaf, LocId, ProgExpr, ProgPool, Program, Role, Status, Sync, Target,
    ThreadId, VarId,
};

use super::certain::certain;
use super::facts::Facts;
use super::held::{Held, owner};

/// Something that one thread can keep from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Token {
    /// A mutex, or the right to read a read-write lock: kept by its owner.
    Mutex(VarId),
    /// The right to write a read-write lock, as far as readers keep it (this is their number).
    Readers(VarId),
    /// The end of a thread, kept by that thread.
    Join(ThreadId),
}

/// The tokens of all edges.
#[derive(Clone, Debug)]
pub struct Tokens {
    edges: BTreeMap<(ThreadId, EdgeId), BTreeSet<Token>>,
    /// At each location, the read-write locks that the thread certainly reads.
    reading: IndexVec<ThreadId, IndexVec<LocId, BTreeSet<VarId>>>,
}

impl Tokens {
    /// Finds the tokens of a program.
    pub fn new(program: &Program, facts: &Facts, held: &Held) -> Self {
        let reading = program.threads.ids().map(|t| reading(program, facts, t)).collect();
        let mut this = Self { edges: BTreeMap::new(), reading };
        let finder = Finder { program, facts };
        let mut kept = HashMap::default();
        for (t, thread) in program.threads.iter_enumerated() {
            for e in thread.edges.ids().filter(|&e| facts.ranges.is_taken(t, e)) {
                let mut tokens = BTreeSet::new();
                for v in finder.tested(t, e) {
                    let token = match program.vars[v].role {
                        Role::MutexOwner => Token::Mutex(v),
                        Role::Readers => Token::Readers(v),
                        Role::Status(u) if u != t && program.threads[u].status == v => {
                            Token::Join(u)
                        }
                        _ => continue,
                    };
                    let is_kept =
                        *kept.entry(token).or_insert_with(|| this.is_kept(&finder, held, token));
                    if is_kept && finder.needs(t, e, token, v) {
                        tokens.insert(token);
                    }
                }
                if !tokens.is_empty() {
                    this.edges.insert((t, e), tokens);
                }
            }
        }
        this
    }

    /// The tokens that the thread needs for an edge, ascending.
    pub fn of(&self, thread: ThreadId, edge: EdgeId) -> impl Iterator<Item = Token> + '_ {
        self.edges.get(&(thread, edge)).into_iter().flatten().copied()
    }

    /// Whether the thread certainly reads this read-write lock at the location.
    pub fn reads(&self, thread: ThreadId, loc: LocId, readers: VarId) -> bool {
        self.reading[thread][loc].contains(&readers)
    }

    /// Whether nobody but its keeper can give the token.
    fn is_kept(&self, finder: &Finder<'_>, held: &Held, token: Token) -> bool {
        let program = finder.program;
        match token {
            Token::Mutex(v) => held.is_orderly(v),
            Token::Readers(v) => finder.all_writes(v, |t, e, value| {
                let edge = &program.threads[t].edges[e];
                match edge.sync {
                    // A reader more; and who is none less was one before.
                    Sync::ReadLock => finder.is_sum(value, v, 1),
                    Sync::ReadUnlock => {
                        self.reads(t, edge.from, v) && finder.is_sum(value, v, u128::MAX)
                    }
                    _ => false,
                }
            }),
            Token::Join(u) => {
                let v = program.threads[u].status;
                finder.all_writes(v, |t, e, value| {
                    let stays = |status: u128| {
                        finder.is_excluded(t, e, v, status)
                            || finder
                                .with(&program.pool, value, (t, e), v, status)
                                .is_some_and(|new| RUNNING.contains(&new))
                    };
                    let creates = program.threads[t].edges[e].sync == Sync::Create(u);
                    t == u || creates || RUNNING.into_iter().all(stays)
                })
            }
        }
    }
}

/// The statuses of threads that have not ended.
const RUNNING: [u128; 2] = [Status::RUNNING, Status::DETACHED];

struct Finder<'a> {
    program: &'a Program,
    facts: &'a Facts,
}

impl Finder<'_> {
    /// The variable that a leaf of an edge certainly is, if it is one.
    fn var(&self, (t, e): (ThreadId, EdgeId), leaf: Leaf) -> Option<VarId> {
        match leaf {
            Leaf::Var(v) => Some(v),
            Leaf::Loaded(d) => {
                let bytes = u64::from(self.program.threads[t].edges[e].derefs[d].bytes);
                match self.facts.places(t, e, d) {
                    [place] => place.exact(self.program, bytes),
                    _ => None,
                }
            }
            Leaf::Valid(_) | Leaf::Address(_) | Leaf::Input(_) => None,
        }
    }

    /// The variables that the guard of an edge certainly reads.
    fn tested(&self, t: ThreadId, e: EdgeId) -> BTreeSet<VarId> {
        let mut found = BTreeSet::new();
        self.facts.guard_pool().for_each_leaf(self.facts.guard(t, e), |leaf, _| {
            found.extend(self.var((t, e), leaf));
        });
        found
    }

    /// The constant that an expression of an edge is where the variable has this value.
    fn with(
        &self,
        pool: &ProgPool,
        root: ProgExpr,
        edge: (ThreadId, EdgeId),
        v: VarId,
        value: u128,
    ) -> Option<u128> {
        let mut scratch: ProgPool = Pool::rewriting();
        let result = pool.translate(
            root,
            &mut scratch,
            &mut |scratch, leaf, width| match self.var(edge, leaf) {
                Some(x) if x == v => scratch.constant(value, width),
                _ => scratch.leaf(leaf, width),
            },
            &mut HashMap::default(),
        );
        scratch.as_const(result)
    }

    /// Whether the edge cannot be taken where the variable has this value.
    fn is_excluded(&self, t: ThreadId, e: EdgeId, v: VarId, value: u128) -> bool {
        let guard = self.facts.guard(t, e);
        self.with(self.facts.guard_pool(), guard, (t, e), v, value) == Some(0)
    }

    /// Whether the edge needs a token about `v`.
    fn needs(&self, t: ThreadId, e: EdgeId, token: Token, v: VarId) -> bool {
        let threads = || self.program.threads.ids();
        match token {
            Token::Mutex(_) => {
                threads().filter(|&u| u != t).all(|u| self.is_excluded(t, e, v, owner(u)))
            }
            Token::Readers(_) => {
                (1..=threads().len() as u128).all(|n| self.is_excluded(t, e, v, n))
            }
            Token::Join(_) => RUNNING.into_iter().all(|s| self.is_excluded(t, e, v, s)),
        }
    }

    /// Whether every write to the variable is a certain one, and as it should be.
    fn all_writes(
        &self,
        v: VarId,
        mut fits: impl FnMut(ThreadId, EdgeId, ProgExpr) -> bool,
    ) -> bool {
        let program = self.program;
        for (t, thread) in program.threads.iter_enumerated() {
            for (e, edge) in thread.edges.iter_enumerated() {
                let mut writes = false;
                self.facts.for_each_access(program, t, e, &mut |x, kind| {
                    writes |= x == v && kind == AccessKind::Write;
                });
                if !writes {
                    continue;
                }
                let certain = |target: Target| match target {
                    Target::Var(x) => x == v,
                    Target::Deref(d) => self.var((t, e), Leaf::Loaded(d)) == Some(v),
                };
                let mut known = edge.assigns.iter().filter(|a| certain(a.target));
                let (first, second) = (known.next(), known.next());
                let value = match (first, second) {
                    (Some(assign), None) => assign.value,
                    _ => return false,
                };
                let other_place = edge.assigns.iter().any(|a| match a.target {
                    Target::Var(_) => false,
                    Target::Deref(d) => !certain(a.target) && self.may_be(t, e, d, v),
                });
                if other_place || !fits(t, e, value) {
                    return false;
                }
            }
        }
        true
    }

    fn may_be(&self, t: ThreadId, e: EdgeId, d: crate::program::DerefId, v: VarId) -> bool {
        let bytes = u64::from(self.program.threads[t].edges[e].derefs[d].bytes);
        let places = self.facts.places(t, e, d);
        places.iter().any(|p| p.overlap(self.program, bytes).any(|x| x == v))
    }

    /// Whether the value is that of the variable (by whatever leaf) plus a constant; all ones for
    /// minus one.
    fn is_sum(&self, value: ProgExpr, v: VarId, plus: u128) -> bool {
        let width = self.program.vars[v].width;
        let mut leaves = 0;
        self.program.pool.for_each_leaf(value, |_, _| leaves += 1);
        let mut scratch: ProgPool = Pool::rewriting();
        let sample = |n: u128, scratch: &mut ProgPool| {
            let result = self.program.pool.translate(
                value,
                scratch,
                &mut |scratch, _, width| scratch.constant(n, width),
                &mut HashMap::default(),
            );
            scratch.as_const(result)
        };
        let sum = |n: u128| n.wrapping_add(plus) & crate::expr::mask(width);
        leaves == 1
            && is_linear(&self.program.pool, value)
            && [1, 2, 5].into_iter().all(|n| sample(n, &mut scratch) == Some(sum(n)))
    }
}

/// Whether an expression is a leaf or a sum of a leaf and a constant.
fn is_linear(pool: &ProgPool, e: ProgExpr) -> bool {
    use crate::expr::{Node, Op2};
    match pool.node(e) {
        Node::Leaf(_) => true,
        Node::Op2(Op2::Add | Op2::Sub, a, b) => {
            (is_linear(pool, a) && pool.as_const(b).is_some())
                || (is_linear(pool, b) && pool.as_const(a).is_some())
        }
        _ => false,
    }
}

/// The locks that a thread certainly reads, by its own edges.
fn reading(program: &Program, facts: &Facts, t: ThreadId) -> IndexVec<LocId, BTreeSet<VarId>> {
    certain(program, facts, t, |e, set| {
        let mut written = BTreeSet::new();
        facts.for_each_access(program, t, e, &mut |v, kind| {
            if kind == AccessKind::Write && program.vars[v].role == Role::Readers {
                written.insert(v);
            }
        });
        let one = written.len() == 1;
        for v in written {
            set.remove(&v);
            if one && program.threads[t].edges[e].sync == Sync::ReadLock {
                set.insert(v);
            }
        }
    })
}
