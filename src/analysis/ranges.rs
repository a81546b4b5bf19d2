//! Range analysis over threads: which values variables and addresses can have.
//!
//! Variables of scope [`Scope::Local`] are followed along the control flow, with guards as
//! filters; all others have one value for the whole run, the join of all that any thread writes.
//! So that it is known which thread is joined where the program keeps the number in an array or a
//! global variable, some variables of scope [`Scope::Shared`] that only one thread knows are
//! followed, too. Growing chains are cut by widening to the constants of the program.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::{Budget, HashMap, HashSet, IndexVec, Stop};
use crate::expr::{Node, Op1, Op2};
use crate::program::{
    Deref, DerefId, Edge, EdgeId, Leaf, LocId, LocKind, ObjId, ProgExpr, Program, Scope, Target,
    ThreadId, VarId,
};

use super::domain::AbsVal;
use super::facts::Place;
use super::liveness::Liveness;

/// How often a value may grow before it is widened.
const PATIENCE: u32 = 6;

/// Most variables of scope [`Scope::Shared`] that are followed.
const MAX_FOLLOWED: usize = 128;

type Env = BTreeMap<VarId, AbsVal>;

/// The result of range analysis.
#[derive(Clone, Debug)]
pub struct Ranges {
    global: IndexVec<VarId, AbsVal>,
    at: IndexVec<ThreadId, IndexVec<LocId, Option<Env>>>,
    taken: IndexVec<ThreadId, IndexVec<EdgeId, bool>>,
    /// The variables of scope [`Scope::Shared`] that are followed, and in which thread.
    followed: BTreeMap<VarId, ThreadId>,
}

impl Ranges {
    /// Analyses the program. `live` gives for each thread what must be followed.
    ///
    /// # Errors
    /// The reason, if the budget ends first.
    pub fn new(
        program: &Program,
        live: &IndexVec<ThreadId, Liveness>,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let global = program.vars.iter().map(|v| AbsVal::constant(v.init, v.width)).collect();
        let at =
            program.threads.iter().map(|t| IndexVec::filled(None, t.locations.len())).collect();
        let taken =
            program.threads.iter().map(|t| IndexVec::filled(false, t.edges.len())).collect();
        let mut solver = Solver {
            program,
            live,
            thresholds: thresholds(program),
            grown: IndexVec::filled(0, program.vars.len()),
            result: Ranges { global, at, taken, followed: followed(program) },
            changed: true,
        };
        while std::mem::take(&mut solver.changed) {
            for t in program.threads.ids() {
                solver.thread(t, budget)?;
            }
        }
        Ok(solver.result)
    }

    /// Whether a run can reach the location.
    pub fn is_reachable(&self, thread: ThreadId, loc: LocId) -> bool {
        self.at[thread][loc].is_some()
    }

    /// Whether a run can take the edge.
    pub fn is_taken(&self, thread: ThreadId, edge: EdgeId) -> bool {
        self.taken[thread][edge]
    }

    /// The variable's values whenever the thread is at the location. For a local variable that
    /// is dead there, nothing is claimed (any value).
    pub fn value(&self, program: &Program, thread: ThreadId, loc: LocId, var: VarId) -> AbsVal {
        match program.vars[var].scope {
            Scope::Local(_) => self.at[thread][loc]
                .as_ref()
                .and_then(|env| env.get(&var).cloned())
                .unwrap_or_else(|| AbsVal::top(program.vars[var].width)),
            Scope::Shared => self.global[var].clone(),
        }
    }

    /// The values of a variable of scope [`Scope::Shared`] in all states.
    pub fn shared(&self, var: VarId) -> &AbsVal {
        &self.global[var]
    }

    /// The truth of an edge's guard whenever the thread is at its source, if it is always the
    /// same.
    pub fn guard(&self, program: &Program, thread: ThreadId, edge: EdgeId) -> Option<bool> {
        let e = &program.threads[thread].edges[edge];
        Eval::new(program, self, e, thread).value(e.guard).as_const().map(|v| v == 1)
    }

    /// Where a dereference of an edge that can be taken may be.
    pub fn places(
        &self,
        program: &Program,
        thread: ThreadId,
        edge: EdgeId,
        deref: DerefId,
    ) -> Vec<Place> {
        let e = &program.threads[thread].edges[edge];
        let mut eval = Eval::new(program, self, e, thread);
        let addr = eval.value(e.derefs[deref].addr);
        places(program, &e.derefs[deref], &addr)
    }
}

/// The variables of scope [`Scope::Shared`], as wide as a `pthread_t`, that one thread knows and
/// that no access by address may be about.
fn followed(program: &Program) -> BTreeMap<VarId, ThreadId> {
    let mut by_address: HashSet<ObjId> = HashSet::default();
    let mut users: BTreeMap<VarId, BTreeSet<ThreadId>> = BTreeMap::new();
    for (t, thread) in program.threads.iter_enumerated() {
        for edge in thread.edges.iter() {
            let mut note = |leaf: Leaf, _| {
                if let Leaf::Var(v) = leaf {
                    users.entry(v).or_default().insert(t);
                }
            };
            program.pool.for_each_leaf(edge.guard, &mut note);
            for deref in edge.derefs.iter() {
                program.pool.for_each_leaf(deref.addr, &mut note);
                match &deref.objects {
                    Some(objects) => by_address.extend(objects.iter().copied()),
                    None => return BTreeMap::new(),
                }
            }
            for assign in &edge.assigns {
                program.pool.for_each_leaf(assign.value, &mut note);
                if let Target::Var(v) = assign.target {
                    note(Leaf::Var(v), 0);
                }
            }
        }
    }
    let fits = |(v, known): (VarId, BTreeSet<ThreadId>)| {
        let var = &program.vars[v];
        let wide = var.scope == Scope::Shared && var.width == 8 * program.pointer_bytes;
        let named = var.object.is_none_or(|o| !by_address.contains(&o));
        (wide && named && known.len() == 1).then(|| (v, *known.first().expect("of one")))
    };
    users.into_iter().filter_map(fits).take(MAX_FOLLOWED).collect()
}

fn minus(value: &AbsVal, constant: u128) -> AbsVal {
    AbsVal::op2(Op2::Sub, value, &AbsVal::constant(constant, value.width()))
}

/// All constants of the program and their neighbours, ascending.
fn thresholds(program: &Program) -> Vec<u128> {
    let mut all = std::collections::BTreeSet::from([0u128, 1]);
    let mut look = |e: ProgExpr| {
        let mut stack = vec![e];
        let mut seen = crate::base::HashSet::default();
        while let Some(e) = stack.pop() {
            if seen.insert(e) {
                if let Some(c) = program.pool.as_const(e) {
                    all.extend([c.saturating_sub(1), c, c.saturating_add(1)]);
                }
                stack.extend(program.pool.operands(e));
            }
        }
    };
    for edge in program.threads.iter().flat_map(|t| t.edges.iter()) {
        look(edge.guard);
        edge.assigns.iter().for_each(|a| look(a.value));
    }
    for width in [8, 16, 32, 64] {
        let m = crate::expr::mask(width);
        all.extend([m, m >> 1, (m >> 1) + 1]);
    }
    all.into_iter().collect()
}

/// The places that an access at one of these addresses can be in.
fn places(program: &Program, deref: &Deref, addr: &AbsVal) -> Vec<Place> {
    let bytes = u64::from(deref.bytes);
    let mut result = vec![];
    let all: Vec<_> = program.objects.ids().collect();
    for &object in deref.objects.as_deref().unwrap_or(&all) {
        let o = &program.objects[object];
        let Some(last) = o.size.checked_sub(bytes) else { continue };
        match addr.values() {
            Some(values) => {
                for &v in values {
                    let offset = u64::try_from(v).ok().and_then(|v| v.checked_sub(o.address));
                    if let Some(offset) = offset.filter(|&x| x <= last) {
                        result.push(Place { object, offset });
                    }
                }
            }
            None => {
                let step = 1u64 << addr.trailing_zeros().min(20);
                let first = (step - o.address % step) % step;
                let mut offset = first;
                while offset <= last {
                    if addr.may_be(u128::from(o.address + offset)) {
                        result.push(Place { object, offset });
                    }
                    offset += step;
                }
            }
        }
    }
    result
}

/// Evaluates expressions of one edge in one environment.
struct Eval<'a> {
    program: &'a Program,
    ranges: &'a Ranges,
    edge: &'a Edge,
    env: Option<&'a Env>,
    memo: HashMap<ProgExpr, AbsVal>,
}

impl<'a> Eval<'a> {
    fn new(program: &'a Program, ranges: &'a Ranges, edge: &'a Edge, thread: ThreadId) -> Self {
        let env = ranges.at[thread][edge.from].as_ref();
        Self { program, ranges, edge, env, memo: HashMap::default() }
    }

    fn value(&mut self, root: ProgExpr) -> AbsVal {
        let pool = &self.program.pool;
        let mut stack = vec![(root, false)];
        while let Some((e, ready)) = stack.pop() {
            if self.memo.contains_key(&e) {
                continue;
            }
            let node = pool.node(e);
            if !ready && !matches!(node, Node::Const(_) | Node::Leaf(_)) {
                stack.push((e, true));
                stack.extend(pool.operands(e).map(|x| (x, false)));
                continue;
            }
            let m = &self.memo;
            let w = pool.width(e);
            let value = match node {
                Node::Const(v) => AbsVal::constant(v, w),
                Node::Leaf(leaf) => self.leaf(leaf, w),
                Node::Op1(op, a) => AbsVal::op1(op, &m[&a]),
                Node::Op2(op, a, b) => AbsVal::op2(op, &m[&a], &m[&b]),
                Node::Ite(c, a, b) => AbsVal::ite(&m[&c], &m[&a], &m[&b]),
                Node::Concat(h, l) => AbsVal::concat(&m[&h], &m[&l]),
                Node::Extract(a, lo) => AbsVal::extract(&m[&a], lo, w),
                Node::ZeroExtend(a) => AbsVal::extend(&m[&a], w, false),
                Node::SignExtend(a) => AbsVal::extend(&m[&a], w, true),
            };
            self.memo.insert(e, value);
        }
        self.memo[&root].clone()
    }

    fn leaf(&mut self, leaf: Leaf, width: u32) -> AbsVal {
        match leaf {
            Leaf::Var(v) => match self.program.vars[v].scope {
                Scope::Local(_) => self
                    .env
                    .and_then(|env| env.get(&v).cloned())
                    .unwrap_or_else(|| AbsVal::top(width)),
                Scope::Shared => {
                    let here = self.env.and_then(|env| env.get(&v));
                    here.unwrap_or(&self.ranges.global[v]).clone()
                }
            },
            Leaf::Address(o) => {
                AbsVal::constant(u128::from(self.program.objects[o].address), width)
            }
            Leaf::Input(_) => AbsVal::top(width),
            Leaf::Loaded(d) => self.loaded(d, width),
            Leaf::Valid(d) => self.valid(d),
        }
    }

    fn loaded(&mut self, d: DerefId, width: u32) -> AbsVal {
        let addr = self.value(self.edge.derefs[d].addr);
        // An invalid dereference reads 0.
        let mut result = AbsVal::constant(0, width);
        for place in places(self.program, &self.edge.derefs[d], &addr) {
            let exact = place.exact(self.program, u64::from(self.edge.derefs[d].bytes));
            let Some(v) = exact else { return AbsVal::top(width) };
            result = result.join(&self.ranges.global[v]);
        }
        result
    }

    /// Always valid if each address is inside an object that lives for ever.
    fn valid(&mut self, d: DerefId) -> AbsVal {
        let deref = &self.edge.derefs[d];
        let addr = self.value(deref.addr);
        let found = places(self.program, deref, &addr);
        if found.is_empty() {
            return AbsVal::constant(0, 1);
        }
        let (lo, hi) = addr.bounds();
        let inside = |o: &crate::program::Object| {
            o.lifetime == crate::program::Lifetime::Static
                && lo >= u128::from(o.address)
                && hi + u128::from(deref.bytes) <= u128::from(o.address + o.size)
        };
        let all_inside = match addr.values() {
            Some(values) => {
                values.len() == found.len()
                    && found.iter().all(|p| {
                        self.program.objects[p.object].lifetime == crate::program::Lifetime::Static
                    })
            }
            None => found.first().is_some_and(|p| inside(&self.program.objects[p.object])),
        };
        if all_inside { AbsVal::constant(1, 1) } else { AbsVal::top(1) }
    }
}

struct Solver<'a> {
    program: &'a Program,
    live: &'a IndexVec<ThreadId, Liveness>,
    thresholds: Vec<u128>,
    grown: IndexVec<VarId, u32>,
    result: Ranges,
    changed: bool,
}

impl Solver<'_> {
    /// Follows one thread from its start until nothing grows.
    fn thread(&mut self, t: ThreadId, budget: &Budget) -> Result<(), Stop> {
        let thread = &self.program.threads[t];
        let mut outgoing = IndexVec::<LocId, Vec<EdgeId>>::filled(vec![], thread.locations.len());
        for (e, edge) in thread.edges.iter_enumerated() {
            outgoing[edge.from].push(e);
        }
        if self.result.at[t][thread.start].is_none() {
            let init = |v| {
                let var = &self.program.vars[v];
                (v, AbsVal::constant(var.init, var.width))
            };
            let followed = self.result.followed.iter().filter(|f| *f.1 == t).map(|f| *f.0);
            let env = self.live[t].live_at(thread.start).chain(followed).map(init).collect();
            self.result.at[t][thread.start] = Some(env);
        }
        let mut visits = IndexVec::<LocId, u32>::filled(0, thread.locations.len());
        let mut queue: std::collections::BTreeSet<LocId> =
            thread.locations.ids().filter(|&l| self.result.at[t][l].is_some()).collect();
        let mut steps = 0u32;
        while let Some(loc) = queue.pop_first() {
            steps += 1;
            if steps.is_multiple_of(1024)
                && let Some(stop) = budget.check()
            {
                return Err(stop);
            }
            visits[loc] += 1;
            if thread.locations[loc].kind != LocKind::Running {
                continue;
            }
            for &e in &outgoing[loc] {
                if let Some(env) = self.take(t, e) {
                    let to = thread.edges[e].to;
                    let widen = visits[to] > PATIENCE;
                    if self.arrive(t, to, env, widen) {
                        queue.insert(to);
                    }
                }
            }
        }
        Ok(())
    }

    /// The environment after the edge, if it can be taken; writes to shared variables are
    /// recorded.
    fn take(&mut self, t: ThreadId, e: EdgeId) -> Option<Env> {
        let edge = &self.program.threads[t].edges[e];
        let env = self.filter(t, edge)?;
        self.result.taken[t][e] = true;
        let mut eval = Eval::new(self.program, &self.result, edge, t);
        eval.env = Some(&env);
        let mut after = env.clone();
        let mut writes = vec![];
        for assign in &edge.assigns {
            let value = eval.value(assign.value);
            match assign.target {
                Target::Var(v) if self.program.vars[v].scope != Scope::Shared => {
                    after.insert(v, value);
                }
                Target::Var(v) => {
                    if self.result.followed.contains_key(&v) {
                        after.insert(v, value.clone());
                    }
                    writes.push((v, value));
                }
                Target::Deref(d) => {
                    let addr = eval.value(edge.derefs[d].addr);
                    let bytes = u64::from(edge.derefs[d].bytes);
                    for place in places(self.program, &edge.derefs[d], &addr) {
                        match place.exact(self.program, bytes) {
                            Some(v) => writes.push((v, value.clone())),
                            None => {
                                for v in place.overlap(self.program, bytes) {
                                    writes.push((v, AbsVal::top(self.program.vars[v].width)));
                                }
                            }
                        }
                    }
                }
            }
        }
        for (v, value) in writes {
            self.write(v, &value);
        }
        Some(after)
    }

    fn write(&mut self, v: VarId, value: &AbsVal) {
        let old = &self.result.global[v];
        let mut new = old.join(value);
        if new == *old {
            return;
        }
        self.grown[v] += 1;
        if self.grown[v] > 4 * PATIENCE {
            new = new.widen(old, &self.thresholds);
        }
        self.result.global[v] = new;
        self.changed = true;
    }

    /// Joins an environment into a location; whether it grew.
    fn arrive(&mut self, t: ThreadId, loc: LocId, env: Env, widen: bool) -> bool {
        let live = &self.live[t];
        let followed = &self.result.followed;
        let Some(old) = &mut self.result.at[t][loc] else {
            let kept = |v: VarId| live.is_live(loc, v) || followed.contains_key(&v);
            let env = env.into_iter().filter(|(v, _)| kept(*v)).collect();
            self.result.at[t][loc] = Some(env);
            return true;
        };
        let mut grew = false;
        for (v, old) in old.iter_mut() {
            let top = || AbsVal::top(self.program.vars[*v].width);
            let mut new = old.join(&env.get(v).cloned().unwrap_or_else(top));
            if widen {
                new = new.widen(old, &self.thresholds);
            }
            if new != *old {
                *old = new;
                grew = true;
            }
        }
        grew
    }

    /// The environment at the edge's source, cut down to what its guard allows.
    fn filter(&self, t: ThreadId, edge: &Edge) -> Option<Env> {
        let mut env = self.result.at[t][edge.from].clone()?;
        let mut eval = Eval::new(self.program, &self.result, edge, t);
        if eval.value(edge.guard).as_const() == Some(0) {
            return None;
        }
        self.assume(&mut eval, &mut env, edge.guard, true)?;
        Some(env)
    }

    /// Cuts `env` down to where `e` (1 bit) has this truth value; `None` if nowhere.
    fn assume(&self, eval: &mut Eval, env: &mut Env, e: ProgExpr, truth: bool) -> Option<()> {
        if eval.value(e).as_const() == Some(u128::from(!truth)) {
            return None;
        }
        let pool = &self.program.pool;
        match pool.node(e) {
            Node::Op1(Op1::Not, a) => self.assume(eval, env, a, !truth),
            Node::Op2(Op2::And, a, b) if truth => {
                self.assume(eval, env, a, true)?;
                self.assume(eval, env, b, true)
            }
            Node::Op2(Op2::Or, a, b) if !truth => {
                self.assume(eval, env, a, false)?;
                self.assume(eval, env, b, false)
            }
            Node::Op2(Op2::Eq, a, b) if self.is_widened_bool(a) && pool.as_const(b) == Some(0) => {
                self.assume(eval, env, self.under_extension(a), !truth)
            }
            Node::Op2(op, a, b) if op.is_comparison() => {
                let (x, y) = (eval.value(a), eval.value(b));
                self.cut(env, a, x.refine(op, &y, false, truth)?)?;
                self.cut(env, b, y.refine(op, &x, true, truth)?)
            }
            Node::Leaf(Leaf::Var(_)) => self.cut(env, e, AbsVal::constant(u128::from(truth), 1)),
            Node::Leaf(Leaf::Valid(d)) if truth => {
                let deref = &eval.edge.derefs[d];
                let addr = eval.value(deref.addr);
                let address = |p: &Place| p.offset + self.program.objects[p.object].address;
                let all = places(self.program, deref, &addr);
                let all = all.iter().map(|p| u128::from(address(p))).collect();
                self.cut(env, deref.addr, AbsVal::from_set(all, addr.width())?)
            }
            _ => Some(()),
        }
    }

    fn is_widened_bool(&self, e: ProgExpr) -> bool {
        self.program.pool.width(self.under_extension(e)) == 1
    }

    fn under_extension(&self, mut e: ProgExpr) -> ProgExpr {
        while let Node::ZeroExtend(a) = self.program.pool.node(e) {
            e = a;
        }
        e
    }

    /// Intersects a local variable (below extensions and cuts that keep its value) with what is
    /// known of the expression's value.
    fn cut(&self, env: &mut Env, e: ProgExpr, value: AbsVal) -> Option<()> {
        let pool = &self.program.pool;
        match pool.node(e) {
            Node::Leaf(Leaf::Var(v)) => {
                if let Some(old) = env.get_mut(&v) {
                    *old = old.refine(Op2::Eq, &value, false, true)?;
                }
                Some(())
            }
            Node::ZeroExtend(a) | Node::SignExtend(a) => {
                // Extension is injective, so the low bits of the allowed values are what is left.
                self.cut(env, a, AbsVal::extract(&value, 0, pool.width(a)))
            }
            Node::Op2(Op2::Add, a, b) => match (pool.as_const(a), pool.as_const(b)) {
                (None, Some(c)) => self.cut(env, a, minus(&value, c)),
                (Some(c), None) => self.cut(env, b, minus(&value, c)),
                _ => Some(()),
            },
            _ => Some(()),
        }
    }
}
