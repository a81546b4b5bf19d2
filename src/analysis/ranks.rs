//! Values that matter by their order only.
//!
//! Where a program copies values of one kind and compares them with each other, but computes
//! nothing from them, a run stays a run, with the same branches, if its values are replaced by
//! others in the same order (P. Wolper: Expressing interesting properties of programs in
//! propositional temporal logic, POPL 1986). A run that chooses `n` such values needs no more than
//! `n` of them, beside 0 where memory that starts with it is read or the program writes it: the
//! choices may be made among so few (A. Pnueli, Y. Rodeh, O. Strichman, M. Siegel: The small model
//! property: how small can it be?, Information and Computation 178, 2002). Ranges then make the
//! variables narrow.
//!
//! What is found is sound for every property that does not look at the values itself: those say
//! which variables they observe. Leaks look at all values.

use crate::base::{Budget, HashMap, HashSet, Id, IndexVec, Stop};
use crate::expr::{Node, Op2, mask, sign_extend};
use crate::program::{
    DerefId, Edge, EdgeId, InputId, Leaf, LocId, ProgExpr, ProgPool, Program, Role, Scope, Target,
    Thread, ThreadId, VarId, candidates,
};

use super::liveness::Liveness;
use super::prefix::{Forced, Prefix};
use super::slice::Slice;

/// Choices that may be made among fewer values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranks {
    narrowed: HashMap<InputId, Narrow>,
}

/// A choice of few values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Narrow {
    bits: u32,
    /// Whether it is extended by its sign.
    signed: bool,
    /// The bits that it had.
    width: u32,
}

impl Ranks {
    /// Finds them. `observed` are the variables that properties look at.
    ///
    /// # Errors
    /// The reason, if the budget ends first.
    pub fn new(program: &Program, observed: &[VarId], budget: &Budget) -> Result<Self, Stop> {
        if program.inputs.is_empty() {
            return Ok(Self::default());
        }
        let mut flow = Flow::new(program);
        for (v, var) in program.vars.iter_enumerated() {
            if var.init != 0 || !matches!(var.role, Role::Data | Role::Temp) {
                flow.used(Source::Var(v));
            }
        }
        observed.iter().for_each(|&v| flow.used(Source::Var(v)));
        for thread in &program.threads {
            thread.edges.iter().for_each(|edge| flow.edge(edge));
        }
        let mut ranks = Self::default();
        if program.inputs.ids().all(|i| flow.class(Source::Input(i)).used) {
            return Ok(ranks);
        }
        let forced = Prefix::forced(program, budget)?;
        let all = Slice::all(program);
        let live = program.threads.ids().map(|t| Liveness::new(program, t, &all, &[])).collect();
        flow.zeros(&forced, &live);
        let reads = reads(program, &forced, &live);
        let mut total: HashMap<usize, Option<u32>> = HashMap::default();
        for i in program.inputs.ids() {
            let sum = total.entry(flow.find(Source::Input(i))).or_insert(Some(0));
            *sum = sum.zip(reads[i]).and_then(|(sum, n)| sum.checked_add(n));
        }
        for (i, input) in program.inputs.iter_enumerated() {
            let (class, count) =
                (flow.class(Source::Input(i)), total[&flow.find(Source::Input(i))]);
            let (false, Some(count)) = (class.used || (class.signed && class.unsigned), count)
            else {
                continue;
            };
            let bits = match class.zero {
                // So many values above 0, and below it if there is a below.
                true => bits(u64::from(count) + 1) + u32::from(class.signed),
                false => bits(count.into()),
            };
            if bits < input.width {
                let (signed, width) = (class.signed, input.width);
                ranks.narrowed.insert(i, Narrow { bits, signed, width });
            }
        }
        Ok(ranks)
    }

    /// Whether no choice becomes smaller.
    pub fn is_empty(&self) -> bool {
        self.narrowed.is_empty()
    }

    /// What the given program chooses where the one with few values chooses `value`.
    pub fn value(&self, input: InputId, value: u128) -> u128 {
        match self.narrowed.get(&input) {
            Some(n) if n.signed => sign_extend(value, n.bits) as u128 & mask(n.width),
            _ => value,
        }
    }

    /// The program with these choices. Its runs are runs of the given one, but for how the choices
    /// are [written](Ranks::value).
    pub fn apply(&self, program: &Program) -> Program {
        let mut narrow = program.clone();
        for (&i, choice) in &self.narrowed {
            narrow.inputs[i].width = choice.bits;
        }
        let mut memo = HashMap::default();
        let pool = &mut narrow.pool;
        let mut leaf = |pool: &mut ProgPool, leaf: Leaf, width: u32| match leaf {
            Leaf::Input(i) if self.narrowed.contains_key(&i) => {
                let choice = self.narrowed[&i];
                let value = pool.leaf(leaf, choice.bits);
                pool.resize(value, width, choice.signed)
            }
            _ => pool.leaf(leaf, width),
        };
        for thread in narrow.threads.iter_mut() {
            for assign in thread.edges.iter_mut().flat_map(|edge| &mut edge.assigns) {
                assign.value = program.pool.translate(assign.value, pool, &mut leaf, &mut memo);
            }
        }
        narrow
    }
}

/// The bits, at least one, that distinguish so many values.
fn bits(count: u64) -> u32 {
    (u64::BITS - count.saturating_sub(1).leading_zeros()).max(1)
}

/// How often at most a run makes each choice whose value is read; `None`: no bound.
fn reads(
    program: &Program,
    forced: &Forced,
    live: &IndexVec<ThreadId, Liveness>,
) -> IndexVec<InputId, Option<u32>> {
    let mut reads = IndexVec::filled(Some(0), program.inputs.len());
    for (t, thread) in program.threads.iter_enumerated() {
        let chosen = chosen(program, thread);
        if chosen.is_empty() {
            continue;
        }
        let start = if t.index() == 0 { forced.end } else { thread.start };
        let reached = reachable(thread, start);
        for (e, i) in chosen {
            if is_forgotten(&thread.edges[e], i, &live[t], program) {
                continue;
            }
            let before = match t.index() {
                0 => forced.edges.iter().filter(|&&f| f == e).count(),
                _ => 0,
            };
            let edge = &thread.edges[e];
            let after = match reached[edge.from] {
                false => Some(0),
                true if thread.reusable || reachable(thread, edge.to)[edge.from] => None,
                true => Some(1),
            };
            let sum = u32::try_from(before).ok().zip(after).map(|(before, after)| before + after);
            reads[i] = reads[i].zip(sum).map(|(a, b)| a + b);
        }
    }
    reads
}

/// The choices of a thread's edges.
fn chosen(program: &Program, thread: &Thread) -> Vec<(EdgeId, InputId)> {
    let mut found = vec![];
    for (e, edge) in thread.edges.iter_enumerated() {
        for assign in &edge.assigns {
            program.pool.for_each_leaf(assign.value, |leaf, _| {
                if let Leaf::Input(i) = leaf
                    && !found.contains(&(e, i))
                {
                    found.push((e, i));
                }
            });
        }
    }
    found
}

/// Whether nobody reads what is chosen, as of a local variable that is declared without a value.
fn is_forgotten(edge: &Edge, input: InputId, live: &Liveness, program: &Program) -> bool {
    edge.assigns.iter().all(|assign| {
        let mut chooses = false;
        program.pool.for_each_leaf(assign.value, |l, _| chooses |= l == Leaf::Input(input));
        match assign.target {
            Target::Var(v) => !chooses || live.is_local(v) && !live.is_live(edge.to, v),
            Target::Deref(_) => !chooses,
        }
    })
}

/// The locations that can come after a location, with it only if it is on a cycle or `from` itself
/// begins the walk.
fn reachable(thread: &Thread, from: LocId) -> IndexVec<LocId, bool> {
    let mut seen = IndexVec::filled(false, thread.locations.len());
    let mut open = vec![from];
    while let Some(loc) = open.pop() {
        if !std::mem::replace(&mut seen[loc], true) {
            open.extend(thread.edges_from(loc).map(|(_, edge)| edge.to));
        }
    }
    seen
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Var(VarId),
    Input(InputId),
}

/// What is known of values that are copied to each other or compared.
#[derive(Clone, Copy, Debug, Default)]
struct Class {
    /// Something but a copy or a comparison is done with them, or makes them.
    used: bool,
    /// Compared as numbers with a sign, or without.
    signed: bool,
    unsigned: bool,
    /// 0 may be one of them.
    zero: bool,
}

/// How a value is made as wide as an `int` or the like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extended {
    No,
    Zeros,
    Sign,
}

/// A value that is a copy.
#[derive(Clone, Debug)]
struct Copied {
    /// What it may be a copy of; nothing, if it is 0.
    sources: Vec<Source>,
    /// How it is extended, and from which width; `None`, if it is 0.
    form: Option<(Extended, u32)>,
    /// Whether it may be the constant 0 instead.
    zero: bool,
}

/// Classes of values that are copied to each other or compared: a union-find forest.
struct Flow<'a> {
    program: &'a Program,
    parent: Vec<usize>,
    classes: Vec<Class>,
    /// What was looked at as no copy, on one edge.
    seen: HashSet<ProgExpr>,
}

impl<'a> Flow<'a> {
    fn new(program: &'a Program) -> Self {
        let count = program.vars.len() + program.inputs.len();
        let classes = vec![Class::default(); count];
        Self { program, parent: (0..count).collect(), classes, seen: HashSet::default() }
    }

    fn find(&mut self, source: Source) -> usize {
        let mut at = match source {
            Source::Var(v) => v.index(),
            Source::Input(i) => self.program.vars.len() + i.index(),
        };
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    fn class(&mut self, source: Source) -> Class {
        let at = self.find(source);
        self.classes[at]
    }

    fn change(&mut self, source: Source, change: impl FnOnce(&mut Class)) {
        let at = self.find(source);
        change(&mut self.classes[at]);
    }

    fn used(&mut self, source: Source) {
        self.change(source, |class| class.used = true);
    }

    fn unite(&mut self, sources: &[Source]) {
        for pair in sources.windows(2) {
            let (a, b) = (self.find(pair[0]), self.find(pair[1]));
            if a != b {
                let other = self.classes[b];
                self.parent[b] = a;
                let class = &mut self.classes[a];
                class.used |= other.used;
                class.signed |= other.signed;
                class.unsigned |= other.unsigned;
                class.zero |= other.zero;
            }
        }
    }

    /// Makes one class of what is copied to each other or compared, perhaps with 0; one of them.
    fn copies(&mut self, sources: Vec<Source>, zero: bool) -> Option<Source> {
        self.unite(&sources);
        let one = sources.into_iter().next()?;
        self.change(one, |class| class.zero |= zero);
        Some(one)
    }

    /// Adds the zeros of variables that may be read before they are written.
    fn zeros(&mut self, forced: &Forced, live: &IndexVec<ThreadId, Liveness>) {
        let program = self.program;
        for (v, var) in program.vars.iter_enumerated() {
            let first = match var.scope {
                Scope::Shared => !forced.written.contains(&v),
                Scope::Local(t) => live[t].is_live(program.threads[t].start, v),
            };
            if first {
                self.change(Source::Var(v), |class| class.zero = true);
            }
        }
    }

    fn edge(&mut self, edge: &Edge) {
        self.seen.clear();
        for (d, deref) in edge.derefs.iter_enumerated() {
            self.places(edge, d);
            self.expression(edge, deref.addr);
        }
        self.expression(edge, edge.guard);
        for assign in &edge.assigns {
            let (targets, width) = match assign.target {
                Target::Var(v) => (Some(vec![Source::Var(v)]), self.program.vars[v].width),
                Target::Deref(d) => (self.places(edge, d), 8 * edge.derefs[d].bytes),
            };
            let copied = self.copied(edge, assign.value);
            let copied = copied.filter(|c| c.form.is_none_or(|f| f == (Extended::No, width)));
            match (targets, copied) {
                (Some(targets), Some(copied)) => {
                    self.copies([targets, copied.sources].concat(), copied.zero);
                }
                (targets, _) => {
                    self.expression(edge, assign.value);
                    targets.into_iter().flatten().for_each(|v| self.used(v));
                }
            }
        }
    }

    /// The variables that a dereference may be about, if it can only be about one of them as a
    /// whole; else all that it may touch are used.
    fn places(&mut self, edge: &Edge, d: DerefId) -> Option<Vec<Source>> {
        let bytes = u64::from(edge.derefs[d].bytes);
        let rest = self.rest(edge.derefs[d].addr, bytes);
        let (mut found, mut whole) = (vec![], true);
        for o in candidates(self.program, edge, d) {
            let object = &self.program.objects[o];
            for &(offset, v) in &object.leaves {
                whole &= u64::from(self.program.vars[v].width) == 8 * bytes
                    && rest == Some((object.address + offset) % bytes);
                found.push(Source::Var(v));
            }
        }
        if whole {
            self.unite(&found);
            return Some(found);
        }
        found.into_iter().for_each(|v| self.used(v));
        None
    }

    /// The rest of an address modulo a power of two, if it is always the same.
    fn rest(&self, e: ProgExpr, modulo: u64) -> Option<u64> {
        let pool = &self.program.pool;
        if modulo == 1 {
            return Some(0);
        }
        if !modulo.is_power_of_two() || pool.width(e) < u64::BITS - modulo.leading_zeros() {
            return None;
        }
        let both = |a, b| self.rest(a, modulo).zip(self.rest(b, modulo));
        let small = |v: u128| (v % u128::from(modulo)) as u64;
        match pool.node(e) {
            Node::Const(v) => Some(small(v)),
            Node::Leaf(Leaf::Address(o)) => Some(self.program.objects[o].address % modulo),
            Node::Op2(Op2::Add, a, b) => both(a, b).map(|(a, b)| (a + b) % modulo),
            Node::Op2(Op2::Sub, a, b) => both(a, b).map(|(a, b)| (a + modulo - b) % modulo),
            Node::Op2(Op2::Mul, a, b) => {
                let multiple = [a, b].into_iter().any(|x| self.rest(x, modulo) == Some(0));
                if multiple { Some(0) } else { both(a, b).map(|(a, b)| a * b % modulo) }
            }
            Node::Op2(Op2::Shl, a, b) => {
                let by = pool.as_const(b)?;
                let factor = 1u64.checked_shl(u32::try_from(by).ok()?).unwrap_or(0) % modulo;
                match factor {
                    0 => Some(0),
                    _ => self.rest(a, modulo).map(|a| a * factor % modulo),
                }
            }
            Node::ZeroExtend(a) | Node::SignExtend(a) => self.rest(a, modulo),
            _ => None,
        }
    }

    /// What is done with the values in an expression that is no copy.
    fn expression(&mut self, edge: &Edge, e: ProgExpr) {
        let pool = &self.program.pool;
        let mut open = vec![e];
        while let Some(e) = open.pop() {
            if !self.seen.insert(e) {
                continue;
            }
            match pool.node(e) {
                Node::Leaf(Leaf::Var(v)) => self.used(Source::Var(v)),
                Node::Leaf(Leaf::Input(i)) => self.used(Source::Input(i)),
                Node::Leaf(Leaf::Loaded(d)) => {
                    self.places(edge, d).into_iter().flatten().for_each(|v| self.used(v));
                }
                Node::Op2(op, a, b) if op.is_comparison() && self.compared(edge, op, a, b) => {}
                _ => open.extend(pool.operands(e)),
            }
        }
    }

    /// Whether two copies of one kind are compared; then they are of one class.
    fn compared(&mut self, edge: &Edge, op: Op2, a: ProgExpr, b: ProgExpr) -> bool {
        let Some((a, b)) = self.copied(edge, a).zip(self.copied(edge, b)) else { return false };
        let form = match (a.form, b.form) {
            (Some(x), Some(y)) if x != y => return false,
            (x, y) => x.or(y),
        };
        let extended = form.map_or(Extended::No, |f| f.0);
        if let Some(one) = self.copies([a.sources, b.sources].concat(), a.zero || b.zero) {
            self.change(one, |class| match (op, extended) {
                (Op2::Eq, _) => {}
                (Op2::Ult | Op2::Ule, _) | (_, Extended::Zeros) => class.unsigned = true,
                _ => class.signed = true,
            });
        }
        true
    }

    /// What a value is a copy of; `None` if it is no copy. What chooses between copies is looked
    /// at.
    fn copied(&mut self, edge: &Edge, e: ProgExpr) -> Option<Copied> {
        let pool = &self.program.pool;
        let width = pool.width(e);
        let plain =
            |sources| Some(Copied { sources, form: Some((Extended::No, width)), zero: false });
        match pool.node(e) {
            Node::Const(0) => Some(Copied { sources: vec![], form: None, zero: true }),
            Node::Leaf(Leaf::Var(v)) => plain(vec![Source::Var(v)]),
            Node::Leaf(Leaf::Input(i)) => plain(vec![Source::Input(i)]),
            Node::Leaf(Leaf::Loaded(d)) => plain(self.places(edge, d)?),
            Node::ZeroExtend(a) => self.extended(edge, a, Extended::Zeros),
            Node::SignExtend(a) => self.extended(edge, a, Extended::Sign),
            Node::Extract(a, 0) => {
                let copied = self.copied(edge, a)?;
                match copied.form {
                    Some((_, from)) if from == width => {
                        Some(Copied { form: Some((Extended::No, width)), ..copied })
                    }
                    Some(_) => None,
                    None => Some(copied),
                }
            }
            Node::Ite(c, a, b) => {
                let (a, b) = (self.copied(edge, a)?, self.copied(edge, b)?);
                if a.form.is_some() && b.form.is_some() && a.form != b.form {
                    return None;
                }
                self.expression(edge, c);
                Some(Copied {
                    sources: [a.sources, b.sources].concat(),
                    form: a.form.or(b.form),
                    zero: a.zero || b.zero,
                })
            }
            _ => None,
        }
    }

    fn extended(&mut self, edge: &Edge, e: ProgExpr, how: Extended) -> Option<Copied> {
        let copied = self.copied(edge, e)?;
        match copied.form {
            None => Some(copied),
            Some((Extended::No, from)) => Some(Copied { form: Some((how, from)), ..copied }),
            // What has zeros above it has no sign.
            Some((Extended::Zeros, _)) => Some(copied),
            Some((Extended::Sign, _)) if how == Extended::Sign => Some(copied),
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests;
