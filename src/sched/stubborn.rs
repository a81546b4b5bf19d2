//! The stubborn-set scheduler: in each state only the threads of a smallest set move that no other
//! thread can interfere with before one of the set has moved.
//!
//! V. Kahlon, A. Gupta, N. Sinha: Symbolic model checking of concurrent programs using partial
//! orders and on-the-fly transactions (CAV 2006), in the form that the project's REDUCTION.md
//! proved and tested (sections 1 to 3). In every state:
//!
//! - a thread that can move conflicts with those that may get to an access of what its next step
//!   accesses, one of the two writing, before it has moved: all tokens of the way are free of it;
//! - one that cannot move conflicts with those that may let it;
//! - `J` of a thread is its closure under conflicts; all threads, if it can move and is at a sticky
//!   location;
//! - `cstub` is the smallest `J` of a thread that can move, or the thread inside an atomic section.
//!
//! For temporal formulas `J` is all threads if any thread of it can move and is at a sticky
//! location, or changes what the formula looks at.

use std::collections::BTreeMap;

use crate::analysis::{Mode, Object, Token, TokenSet, sticky};
use crate::base::{HashMap, Id, IndexVec};
use crate::encode::Encoding;
use crate::expr::Op2;
use crate::program::{AccessKind, LocId, LocKind, Status, ThreadId, VarId};
use crate::ts::{TransitionSystem, TsExpr, TsNamed};

use super::now::{Now, SchedulerFacts, at_points};
use super::scheduled::{Scheduled, any, finish, may_move, select};
use super::sleep::Latches;

/// A square matrix of conditions: row by row, the threads in the set of the row's thread.
type Matrix = Vec<Vec<TsExpr>>;

/// Variants of [`schedule_stubborn`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StubbornOptions {
    /// A thread that could have moved before does not move first in other sets until something that
    /// its step depends on has happened.
    pub sleep: bool,
    /// Runs that go on for ever are kept, as far as formulas without `X` can tell: the patterns are
    /// for that, too ([`PatternOptions::live`](crate::analysis::PatternOptions::live)). Not with
    /// `sleep`.
    pub live: bool,
}

/// Sets the next states of `encoding.ts`, which was made with
/// [`EncodeOptions::footprints`](crate::encode::EncodeOptions::footprints).
pub fn schedule_stubborn(
    encoding: &mut Encoding,
    from: &SchedulerFacts<'_>,
    StubbornOptions { sleep, live }: StubbornOptions,
) -> Scheduled {
    let may = may_move(encoding);
    let (inputs, selected) = select(encoding);
    let now = Now::new(from, encoding);
    let mut builder = Builder::new(encoding, from);
    let conflicts = builder.conflicts(&now);
    let sticky = builder.sticky();
    let ts = &mut encoding.ts;
    let enabled: Vec<TsExpr> = encoding.threads.iter().map(|t| t.enabled).collect();
    let mut sets = closure(ts, conflicts);
    let turns = now.iter().enumerate().map(|(i, now)| {
        let shows = if live { now.shows(ts) } else { ts.pool.bool(false) };
        let turns = ts.pool.or(sticky[i], shows);
        ts.pool.and(enabled[i], turns)
    });
    let turns: Vec<TsExpr> = turns.collect();
    for (i, row) in sets.iter_mut().enumerate() {
        let all = match live {
            true => {
                let within = row.iter().zip(&turns).map(|(&j, &turns)| ts.pool.and(j, turns));
                let within: Vec<TsExpr> = within.collect();
                any(ts, within)
            }
            false => turns[i],
        };
        row.iter_mut().for_each(|j| *j = ts.pool.or(*j, all));
    }
    let in_atomic: Vec<TsExpr> = encoding.threads.iter().map(|t| t.in_atomic).collect();
    let cstub = smallest(ts, &sets, &enabled, &in_atomic);
    let latches = sleep.then(|| Latches::new(encoding, "sleep"));
    let ts = &mut encoding.ts;
    let mut allowed = IndexVec::<ThreadId, TsExpr>::new();
    for (t, &may) in may.iter_enumerated() {
        let mut moves = ts.pool.and(may, cstub[t.index()]);
        if let Some(latches) = &latches {
            let awake = ts.pool.not(latches.forbids(t));
            moves = ts.pool.and(moves, awake);
        }
        allowed.push(moves);
    }
    let execute: IndexVec<ThreadId, TsExpr> =
        allowed.ids().map(|t| ts.pool.and(selected[t], allowed[t])).collect();
    let moved = any(ts, execute.iter().copied());
    let enabled_some = any(ts, may.iter().copied());
    let can_move = match sleep {
        true => any(ts, allowed.iter().copied()),
        // A set without a thread that may move is never chosen.
        false => enabled_some,
    };
    if let Some(latches) = latches {
        let left = may.ids().map(|t| ts.pool.and(may[t], cstub[t.index()])).collect();
        latches.finish(encoding, &now, &execute, &left, true);
    }
    let probes = probes(encoding, &sets, &cstub, &sticky);
    let sites = finish(encoding, &execute);
    Scheduled {
        inputs,
        execute,
        moved,
        can_move,
        enabled: enabled_some,
        sites,
        turns: None,
        probes,
    }
}

/// Sets the next states of `encoding.ts`, which was made with footprints: all interleavings but
/// those in which a step follows one of a greater thread that it does not depend on.
pub fn schedule_peephole(encoding: &mut Encoding, from: &SchedulerFacts<'_>) -> Scheduled {
    let may = may_move(encoding);
    let (inputs, selected) = select(encoding);
    let now = Now::new(from, encoding);
    let latches = Latches::new(encoding, "left");
    let ts = &mut encoding.ts;
    let mut allowed = IndexVec::<ThreadId, TsExpr>::new();
    for (t, &may) in may.iter_enumerated() {
        let free = ts.pool.not(latches.forbids(t));
        allowed.push(ts.pool.and(may, free));
    }
    let execute: IndexVec<ThreadId, TsExpr> =
        allowed.ids().map(|t| ts.pool.and(selected[t], allowed[t])).collect();
    let moved = any(ts, execute.iter().copied());
    let can_move = any(ts, allowed.iter().copied());
    let enabled = any(ts, may.iter().copied());
    let always = IndexVec::filled(ts.pool.bool(true), may.len());
    latches.finish(encoding, &now, &execute, &always, false);
    let sites = finish(encoding, &execute);
    Scheduled { inputs, execute, moved, can_move, enabled, sites, turns: None, probes: vec![] }
}

fn probes(
    encoding: &Encoding,
    sets: &Matrix,
    cstub: &[TsExpr],
    sticky: &[TsExpr],
) -> Vec<TsNamed<TsExpr>> {
    let mut result = vec![];
    for (t, name) in encoding.names.iter_enumerated() {
        let i = t.index();
        result.push(TsNamed { name: format!("cstub.{name}"), value: cstub[i] });
        result.push(TsNamed { name: format!("sticky.{name}"), value: sticky[i] });
        for (u, other) in encoding.names.iter_enumerated() {
            let value = sets[i][u.index()];
            result.push(TsNamed { name: format!("J.{name}.{other}"), value });
        }
    }
    result
}

/// The reflexive and transitive closure of a relation.
fn closure(ts: &mut TransitionSystem, mut relation: Matrix) -> Matrix {
    let n = relation.len();
    for (i, row) in relation.iter_mut().enumerate() {
        row[i] = ts.pool.bool(true);
    }
    for k in 0..n {
        for i in (0..n).filter(|&i| i != k) {
            for j in (0..n).filter(|&j| j != k && j != i) {
                let through = ts.pool.and(relation[i][k], relation[k][j]);
                relation[i][j] = ts.pool.or(relation[i][j], through);
            }
        }
    }
    relation
}

/// The set of least cardinality of a thread that is enabled, of those the one of the lowest index;
/// the thread inside an atomic section alone, if there is one.
fn smallest(
    ts: &mut TransitionSystem,
    sets: &Matrix,
    enabled: &[TsExpr],
    in_atomic: &[TsExpr],
) -> Vec<TsExpr> {
    let n = sets.len();
    // A set's own thread is always in it and need not be counted.
    let width = (n - 1).max(1).ilog2() + 1;
    let mut better = vec![];
    let mut best: Option<(TsExpr, TsExpr)> = None;
    for i in 0..n {
        let others: Vec<TsExpr> = (0..n).filter(|&j| j != i).map(|j| sets[i][j]).collect();
        let count = count(ts, &others, width);
        let (is_better, least, some) = match best {
            None => (enabled[i], count, enabled[i]),
            Some((least, some)) => {
                let less = ts.pool.op2(Op2::Ult, count, least);
                let none = ts.pool.not(some);
                let improves = ts.pool.or(none, less);
                let is_better = ts.pool.and(enabled[i], improves);
                (is_better, ts.pool.ite(is_better, count, least), ts.pool.or(some, enabled[i]))
            }
        };
        better.push(is_better);
        best = Some((least, some));
    }
    let outside = any(ts, in_atomic.iter().copied());
    let outside = ts.pool.not(outside);
    let mut result = in_atomic.to_vec();
    let mut last = outside;
    for i in (0..n).rev() {
        let chosen = ts.pool.and(last, better[i]);
        let worse = ts.pool.not(better[i]);
        last = ts.pool.and(last, worse);
        for (j, cstub) in result.iter_mut().enumerate() {
            let inside = ts.pool.and(chosen, sets[i][j]);
            *cstub = ts.pool.or(*cstub, inside);
        }
    }
    result
}

/// The number of conditions that hold: full adders for three bits of one weight each, as long as
/// there are three.
fn count(ts: &mut TransitionSystem, list: &[TsExpr], width: u32) -> TsExpr {
    let mut bits: Vec<TsExpr> = vec![];
    let mut column = list.to_vec();
    for _ in 0..width {
        let mut carries = vec![];
        while column.len() > 1 {
            let third = column.len().checked_sub(3).map(|k| column.remove(k));
            let (a, b) = (column.pop().expect("two"), column.pop().expect("one more"));
            let mut sum = ts.pool.op2(Op2::Xor, a, b);
            let mut carry = ts.pool.and(a, b);
            if let Some(c) = third {
                let both = ts.pool.and(sum, c);
                carry = ts.pool.or(carry, both);
                sum = ts.pool.op2(Op2::Xor, sum, c);
            }
            column.insert(0, sum);
            carries.push(carry);
        }
        bits.push(column.pop().unwrap_or_else(|| ts.pool.bool(false)));
        column = carries;
    }
    let low = bits.remove(0);
    bits.into_iter().fold(low, |low, bit| ts.pool.concat(bit, low))
}

struct Builder<'a, 'f> {
    encoding: &'a mut Encoding,
    from: &'a SchedulerFacts<'f>,
    /// For each thread and scheduling point, whether the thread is there.
    at: IndexVec<ThreadId, Vec<TsExpr>>,
    blocks: HashMap<(ThreadId, Token), TsExpr>,
    born: HashMap<(ThreadId, ThreadId), TsExpr>,
    ways: HashMap<(ThreadId, Object, Mode), Vec<(TokenSet, TsExpr)>>,
}

impl<'a, 'f> Builder<'a, 'f> {
    fn new(encoding: &'a mut Encoding, from: &'a SchedulerFacts<'f>) -> Self {
        let at = from.program.threads.ids().map(|t| at_points(encoding, t)).collect();
        Self {
            encoding,
            from,
            at,
            blocks: HashMap::default(),
            born: HashMap::default(),
            ways: HashMap::default(),
        }
    }

    fn threads(&self) -> Vec<ThreadId> {
        self.from.program.threads.ids().collect()
    }

    /// Whether each thread is at a sticky location.
    fn sticky(&mut self) -> Vec<TsExpr> {
        let mut result = vec![];
        for t in self.threads() {
            let points = &self.encoding.points[t];
            let locations = &self.from.program.threads[t].locations;
            let is_point = locations.ids().map(|l| points.index(l).is_some()).collect();
            let found = sticky(self.from.program, self.from.facts, t, &is_point);
            let at: Vec<TsExpr> = found
                .into_iter()
                .map(|l| points.index(l).expect("only points are candidates") as usize)
                .map(|k| self.at[t][k])
                .collect();
            result.push(any(&mut self.encoding.ts, at));
        }
        result
    }

    /// With whom each thread is in conflict.
    fn conflicts(&mut self, now: &IndexVec<ThreadId, Now>) -> Matrix {
        let mut result = vec![];
        for i in self.threads() {
            let mut row = vec![];
            for j in self.threads() {
                if i == j {
                    row.push(self.encoding.ts.pool.bool(true));
                    continue;
                }
                let meets = self.meets(i, j, &now[i]);
                let waits = self.waits(i, j);
                let ts = &mut self.encoding.ts;
                let enabled = self.encoding.threads[i].enabled;
                let disabled = ts.pool.not(enabled);
                let meets = ts.pool.and(enabled, meets);
                let waits = ts.pool.and(disabled, waits);
                row.push(ts.pool.or(meets, waits));
            }
            result.push(row);
        }
        result
    }

    /// Whether `j` may get to an access that the next step of `i` depends on before `i` has moved.
    fn meets(&mut self, i: ThreadId, j: ThreadId, now: &Now) -> TsExpr {
        // Objects to which `j` has the same ways are one object.
        let mut groups: BTreeMap<TsExpr, TsExpr> = BTreeMap::new();
        for (object, mode, condition) in now.list() {
            let other = match mode {
                Mode::Any => Mode::Write,
                Mode::Write => Mode::Any,
            };
            let first = self.first(i, j, object, other, true);
            let ts = &mut self.encoding.ts;
            if !ts.pool.is_false(first) {
                let none = ts.pool.bool(false);
                let known = groups.entry(first).or_insert(none);
                *known = ts.pool.or(*known, condition);
            }
        }
        let ts = &mut self.encoding.ts;
        let mut result = ts.pool.bool(false);
        for (first, condition) in groups {
            let both = ts.pool.and(first, condition);
            result = ts.pool.or(result, both);
        }
        result
    }

    /// Whether `j` may let `i` move, which waits.
    fn waits(&mut self, i: ThreadId, j: ThreadId) -> TsExpr {
        let thread = &self.from.program.threads[i];
        let mut result = self.encoding.ts.pool.bool(false);
        for k in 0..self.at[i].len() {
            let loc = self.encoding.points[i].list()[k];
            if !thread.locations[loc].blocking || thread.locations[loc].kind != LocKind::Running {
                continue;
            }
            let lets = self.lets(i, j, loc);
            let ts = &mut self.encoding.ts;
            let here = ts.pool.and(self.at[i][k], lets);
            result = ts.pool.or(result, here);
        }
        result
    }

    /// Whether `j` may let `i` move, which waits at a location.
    fn lets(&mut self, i: ThreadId, j: ThreadId, loc: LocId) -> TsExpr {
        let SchedulerFacts { program, facts, patterns } = *self.from;
        let thread = &program.threads[i];
        let outgoing = self.encoding.points[i].outgoing(loc).to_vec();
        let mut vars: Vec<VarId> = vec![];
        for &e in &outgoing {
            facts.for_each_access(program, i, e, &mut |v, kind| {
                if kind == AccessKind::Guard {
                    vars.push(v);
                }
            });
        }
        vars.sort_unstable();
        vars.dedup();
        // Who is not born may have left mutexes that others know how to get back.
        let tokens = loc != thread.start;
        let mut result = self.encoding.ts.pool.bool(false);
        for v in vars {
            let writes = self.first(i, j, Object::Var(v), Mode::Write, tokens);
            result = self.encoding.ts.pool.or(result, writes);
        }
        // What all edges wait for, only its keeper can give.
        let mut common: Vec<Token> = outgoing.first().map_or(vec![], |&e| {
            patterns.tokens.of(i, e).filter(|t| !matches!(t, Token::Readers(_))).collect()
        });
        for &e in &outgoing {
            common.retain(|&token| patterns.tokens.of(i, e).any(|t| t == token));
        }
        for token in common {
            let keepers: Vec<ThreadId> = self.threads().into_iter().filter(|&u| u != i).collect();
            let keeps: Vec<TsExpr> = keepers.iter().map(|&u| self.blocks(u, token)).collect();
            let this = self.blocks(j, token);
            let ts = &mut self.encoding.ts;
            let kept = any(ts, keeps);
            result = ts.pool.ite(kept, this, result);
        }
        result
    }

    /// Whether `j` may get to such an access, for as long as `i` does not move; `tokens`: and does
    /// not give back what it has.
    fn first(
        &mut self,
        i: ThreadId,
        j: ThreadId,
        object: Object,
        mode: Mode,
        tokens: bool,
    ) -> TsExpr {
        let mut result = self.encoding.ts.pool.bool(false);
        for (set, there) in self.ways(j, object, mode) {
            let mut way = there;
            for token in set.into_iter().filter(|_| tokens) {
                let blocked = self.blocks(i, token);
                let ts = &mut self.encoding.ts;
                let free = ts.pool.not(blocked);
                way = ts.pool.and(way, free);
            }
            result = self.encoding.ts.pool.or(result, way);
        }
        if self.encoding.ts.pool.is_false(result) {
            return result;
        }
        let born = self.born(i, j);
        self.encoding.ts.pool.and(result, born)
    }

    /// For each set of tokens of ways to such an access, whether the thread is where these begin.
    fn ways(&mut self, t: ThreadId, object: Object, mode: Mode) -> Vec<(TokenSet, TsExpr)> {
        if let Some(known) = self.ways.get(&(t, object, mode)) {
            return known.clone();
        }
        let mut found: BTreeMap<TokenSet, Vec<TsExpr>> = BTreeMap::new();
        for (k, &loc) in self.encoding.points[t].list().iter().enumerate() {
            for set in self.from.patterns.sets(t, loc, object, mode) {
                found.entry(set.clone()).or_default().push(self.at[t][k]);
            }
        }
        let ts = &mut self.encoding.ts;
        let list: Vec<_> = found.into_iter().map(|(set, at)| (set, any(ts, at))).collect();
        self.ways.insert((t, object, mode), list.clone());
        list
    }

    /// Whether `i` keeps the token from others.
    fn blocks(&mut self, i: ThreadId, token: Token) -> TsExpr {
        if let Some(&known) = self.blocks.get(&(i, token)) {
            return known;
        }
        let program = self.from.program;
        let blocks = match token {
            Token::Mutex(v) => {
                let owner = self.encoding.states.current(program, &mut self.encoding.ts, v);
                let ts = &mut self.encoding.ts;
                let me = ts.pool.constant(i.index() as u128 + 1, program.vars[v].width);
                ts.pool.eq(owner, me)
            }
            Token::Readers(v) => {
                let list = self.encoding.points[i].list().iter().zip(&self.at[i]);
                let reading = list.filter(|(l, _)| self.from.patterns.tokens.reads(i, **l, v));
                let reading: Vec<TsExpr> = reading.map(|(_, &at)| at).collect();
                any(&mut self.encoding.ts, reading)
            }
            Token::Join(u) if u == i => self.runs(u),
            Token::Join(_) => self.encoding.ts.pool.bool(false),
        };
        self.blocks.insert((i, token), blocks);
        blocks
    }

    /// Whether the thread was created and has not ended, by its status.
    fn runs(&mut self, t: ThreadId) -> TsExpr {
        let program = self.from.program;
        let v = program.threads[t].status;
        let status = self.encoding.states.current(program, &mut self.encoding.ts, v);
        let ts = &mut self.encoding.ts;
        let width = program.vars[v].width;
        let [running, detached] = [Status::RUNNING, Status::DETACHED].map(|s| {
            let value = ts.pool.constant(s, width);
            ts.pool.eq(status, value)
        });
        ts.pool.or(running, detached)
    }

    /// Whether `j` moves or may come to move before `i` has moved: it is born, or someone else may
    /// create it.
    fn born(&mut self, i: ThreadId, j: ThreadId) -> TsExpr {
        if let Some(&known) = self.born.get(&(i, j)) {
            return known;
        }
        let thread = &self.from.program.threads[j];
        let start = self.encoding.points[j].index(thread.start).expect("the start is a point");
        let runs = self.runs(j);
        let status = Object::Var(thread.status);
        let waits_for_status = thread.edges_from(thread.start).all(|(e, _)| {
            let mut reads = false;
            self.from.facts.for_each_access(self.from.program, j, e, &mut |v, kind| {
                reads |= v == thread.status && kind == AccessKind::Guard;
            });
            reads || !self.from.facts.ranges.is_taken(j, e)
        });
        let mut others = vec![];
        for k in self.threads().into_iter().filter(|&k| k != i && k != j) {
            others.extend(self.ways(k, status, Mode::Write).into_iter().map(|(_, there)| there));
        }
        let at_start = self.at[j][start as usize];
        let ts = &mut self.encoding.ts;
        let born = if waits_for_status {
            let created = any(ts, others);
            let under_way = ts.pool.not(at_start);
            let moves = ts.pool.or(under_way, runs);
            ts.pool.or(moves, created)
        } else {
            ts.pool.bool(true)
        };
        self.born.insert((i, j), born);
        born
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::ts::Simulator;

    #[test]
    fn conditions_are_counted() {
        for n in 1..=9u32 {
            let mut ts = TransitionSystem::new();
            let list: Vec<TsExpr> = (0..n).map(|k| ts.add_input(format!("b{k}"), 1).1).collect();
            let width = n.ilog2() + 1;
            let sum = count(&mut ts, &list, width);
            assert_eq!(ts.pool.width(sum), width);
            for code in 0..1u32 << n {
                let mut simulator = Simulator::new(&ts, |_| 0);
                simulator.evaluate(|id| u128::from(code >> id.index() & 1));
                assert_eq!(simulator.value(sum), u128::from(code.count_ones()), "{code:b}");
            }
        }
    }

    /// Closure and choice of all relations of three threads against a plain search.
    #[test]
    fn the_smallest_closed_set_is_chosen() {
        let n = 3;
        let mut ts = TransitionSystem::new();
        let mut inputs = vec![];
        let mut input = |ts: &mut TransitionSystem, name: String| {
            let (id, e) = ts.add_input(name, 1);
            inputs.push(id);
            e
        };
        let relation: Matrix =
            (0..n).map(|i| (0..n).map(|j| input(&mut ts, format!("c{i}{j}"))).collect()).collect();
        let enabled: Vec<TsExpr> = (0..n).map(|i| input(&mut ts, format!("e{i}"))).collect();
        let none = vec![ts.pool.bool(false); n];
        let sets = closure(&mut ts, relation);
        let cstub = smallest(&mut ts, &sets, &enabled, &none);
        for code in 0..1u32 << (n * n + n) {
            let value = |k: usize| u128::from(code >> k & 1);
            let mut simulator = Simulator::new(&ts, |_| 0);
            simulator.evaluate(|id| value(id.index()));
            let set = |i: usize| {
                let mut set = BTreeSet::from([i]);
                while let Some(j) = (0..n).find(|&j| {
                    !set.contains(&j) && set.iter().any(|&k| value(k * n + j) == 1 && k != j)
                }) {
                    set.insert(j);
                }
                set
            };
            let able = (0..n).filter(|&i| value(n * n + i) == 1);
            let best = able.map(set).min_by_key(|s| s.len());
            for (j, &cstub) in cstub.iter().enumerate() {
                let expected = best.as_ref().is_some_and(|s| s.contains(&j));
                assert_eq!(simulator.is_true(cstub), expected, "{code:b}, thread {j}");
            }
        }
    }
}
