//! Rules about variables, objects, threads and locations.

use super::edges::check_edge;
use super::error::{Invalid, Part, Rule};
use crate::base::{HashMap, HashSet, Id, IndexVec, Span};
use crate::expr::{MAX_WIDTH, mask};
use crate::program::{
    AccessKind, EdgeId, InputId, Leaf, Lifetime, LocId, LocKind, Location, ObjId, Object, Program,
    Role, Scope, Status, Thread, ThreadId, VarId, Variable,
};

/// Checks the rules that can be read off a program.
///
/// # Errors
/// The first rule found broken.
pub fn validate(program: &Program) -> Result<(), Invalid> {
    Checker { program, input_edges: IndexVec::filled(None, program.inputs.len()) }.run()
}

pub(super) struct Checker<'a> {
    pub(super) program: &'a Program,
    /// Where each input was first seen.
    pub(super) input_edges: IndexVec<InputId, Option<(ThreadId, EdgeId)>>,
}

impl Checker<'_> {
    pub(super) fn ensure(&self, holds: bool, part: Part, rule: Rule) -> Result<(), Invalid> {
        if holds {
            return Ok(());
        }
        Err(Invalid { part, rule, name: self.name(part) })
    }

    fn name(&self, part: Part) -> String {
        let p = self.program;
        match part {
            Part::Program => "program".to_string(),
            Part::Var(v) => p.vars[v].name.clone(),
            Part::Object(o) => p.objects[o].name.clone(),
            Part::Input(i) => p.inputs[i].name.clone(),
            Part::Site(s) => p.sites[s].text.to_string(),
            Part::Thread(t) | Part::Loc(t, _) => p.threads[t].name.clone(),
            Part::Edge(t, e) => format!("{}: {}", p.threads[t].name, p.threads[t].edges[e].text),
        }
    }

    fn run(&mut self) -> Result<(), Invalid> {
        let p = self.program;
        self.ensure(matches!(p.pointer_bytes, 4 | 8), Part::Program, Rule::PointerBytes)?;
        self.ensure(!p.threads.is_empty(), Part::Program, Rule::HasMain)?;
        let mut names = HashSet::default();
        for (v, var) in p.vars.iter_enumerated() {
            self.ensure(names.insert(&var.name), Part::Var(v), Rule::UniqueName)?;
            self.variable(v, var)?;
        }
        for (i, input) in p.inputs.iter_enumerated() {
            self.ensure((1..=MAX_WIDTH).contains(&input.width), Part::Input(i), Rule::Width)?;
        }
        self.objects()?;
        for (s, site) in p.sites.iter_enumerated() {
            self.span(site.span, Part::Site(s))?;
        }
        let mut names = HashSet::default();
        for (t, thread) in p.threads.iter_enumerated() {
            self.ensure(names.insert(&thread.name), Part::Thread(t), Rule::UniqueName)?;
            self.thread(t, thread)?;
        }
        Ok(())
    }

    pub(super) fn span(&self, span: Span, part: Part) -> Result<(), Invalid> {
        let known = self.program.sources.files().get(span.file).is_some();
        self.ensure(known, part, Rule::IdRange)
    }

    fn variable(&self, v: VarId, var: &Variable) -> Result<(), Invalid> {
        let p = self.program;
        let part = Part::Var(v);
        self.ensure((1..=MAX_WIDTH).contains(&var.width), part, Rule::Width)?;
        self.ensure(var.init <= mask(var.width), part, Rule::Init)?;
        if let Scope::Local(t) = var.scope {
            self.ensure(p.threads.get(t).is_some(), part, Rule::IdRange)?;
        }
        if let Some(o) = var.object {
            let object = p.objects.get(o);
            self.ensure(object.is_some(), part, Rule::IdRange)?;
            let listed = object.is_some_and(|o| o.leaves.iter().any(|l| l.1 == v));
            self.ensure(listed, part, Rule::LeafOwner)?;
        }
        let (width, matches) = match var.role {
            Role::Data | Role::Temp | Role::Bookkeeping => (true, true),
            Role::Readers | Role::Semaphore => (true, true),
            Role::ReadHolds { lock, thread } => {
                let counted = p.vars.get(lock).is_some_and(|v| v.role == Role::Readers);
                (true, counted && p.threads.get(thread).is_some())
            }
            Role::Waiters => (var.width as usize >= p.threads.len(), true),
            Role::MutexOwner => (mask(var.width) >= p.threads.len() as u128, true),
            Role::Status(t) => {
                (var.width == 2, p.threads.get(t).is_some_and(|thread| thread.status == v))
            }
            Role::Argument(t) | Role::Result(t) => (true, p.threads.get(t).is_some()),
            Role::Alive(o) => {
                let lifetime = p.objects.get(o).map(|o| o.lifetime);
                (var.width == 1, lifetime == Some(Lifetime::While(v)))
            }
        };
        self.ensure(width, part, Rule::RoleWidth)?;
        self.ensure(matches, part, Rule::RoleMatch)?;
        let status = matches!(var.role, Role::Status(_));
        self.ensure(!status || var.init <= Status::ENDED, part, Rule::Init)
    }

    fn objects(&self) -> Result<(), Invalid> {
        let p = self.program;
        let mut owners: HashMap<VarId, ObjId> = HashMap::default();
        for (o, object) in p.objects.iter_enumerated() {
            self.object(o, object)?;
            for &(_, v) in &object.leaves {
                let first = owners.insert(v, o).is_none() && p.vars[v].object == Some(o);
                self.ensure(first, Part::Object(o), Rule::LeafOwner)?;
            }
        }
        let mut order: Vec<ObjId> = p.objects.ids().collect();
        order.sort_by_key(|&o| (p.objects[o].address, o));
        for pair in order.windows(2) {
            let (low, high) = (&p.objects[pair[0]], &p.objects[pair[1]]);
            let apart = end(low.address, low.size) < u128::from(high.address);
            self.ensure(apart, Part::Object(pair[1]), Rule::ObjectDisjoint(pair[0]))?;
        }
        Ok(())
    }

    fn object(&self, o: ObjId, object: &Object) -> Result<(), Invalid> {
        let p = self.program;
        let part = Part::Object(o);
        let limit = 1u128 << (8 * p.pointer_bytes);
        let addressable = object.address != 0 && end(object.address, object.size) <= limit;
        self.ensure(addressable, part, Rule::ObjectAddress)?;
        let mut free_from = 0;
        for &(offset, v) in &object.leaves {
            let var = p.vars.get(v);
            self.ensure(var.is_some(), part, Rule::IdRange)?;
            let width = p.vars[v].width;
            self.ensure(width.is_multiple_of(8), Part::Var(v), Rule::LeafWidth)?;
            self.ensure(u128::from(offset) >= free_from, part, Rule::LeafOrder)?;
            free_from = end(offset, u64::from(width / 8));
        }
        self.ensure(free_from <= u128::from(object.size), part, Rule::LeafOrder)?;
        match object.lifetime {
            Lifetime::Static => Ok(()),
            Lifetime::While(v) => {
                self.ensure(p.vars.get(v).is_some(), part, Rule::IdRange)?;
                self.ensure(p.vars[v].role == Role::Alive(o), part, Rule::RoleMatch)
            }
        }
    }

    fn thread(&mut self, t: ThreadId, thread: &Thread) -> Result<(), Invalid> {
        let p = self.program;
        let part = Part::Thread(t);
        self.ensure(thread.locations.get(thread.start).is_some(), part, Rule::IdRange)?;
        self.ensure(p.vars.get(thread.status).is_some(), part, Rule::IdRange)?;
        let role = p.vars[thread.status].role;
        self.ensure(role == Role::Status(t), part, Rule::RoleMatch)?;
        for (e, edge) in thread.edges.iter_enumerated() {
            let part = Part::Edge(t, e);
            let inside = |l| thread.locations.get(l).is_some();
            self.ensure(inside(edge.from) && inside(edge.to), part, Rule::IdRange)?;
            check_edge(self, t, e, edge)?;
        }
        let reached = reachable(thread);
        for (l, loc) in thread.locations.iter_enumerated() {
            let part = Part::Loc(t, l);
            self.span(loc.span, part)?;
            let ends = thread.reusable && loc.kind == LocKind::Ended;
            self.ensure(!ends, part, Rule::ReusableEnds)?;
            self.location(part, loc, thread.edges_from(l).count(), reached[l])?;
        }
        self.ensure(t.index() == 0 || self.start_waits(thread), part, Rule::StartWaits)
    }

    fn location(
        &self,
        part: Part,
        loc: &Location,
        edges: usize,
        reached: bool,
    ) -> Result<(), Invalid> {
        let running = loc.kind == LocKind::Running;
        self.ensure(running || !loc.blocking, part, Rule::BlockingKind)?;
        self.ensure(running || edges == 0, part, Rule::EdgeFromDone)?;
        let dead = running && reached && !loc.blocking && edges == 0;
        self.ensure(!dead, part, Rule::DeadEnd)
    }

    fn start_waits(&self, thread: &Thread) -> bool {
        let start = &thread.locations[thread.start];
        let read = |edge| {
            crate::program::accesses(self.program, edge).iter().any(|a| {
                a.kind == AccessKind::Guard && a.place == crate::program::Place::Var(thread.status)
            })
        };
        start.kind == LocKind::Running
            && start.blocking
            && !start.atomic
            && thread.edges_from(thread.start).all(|(_, edge)| read(edge))
    }
}

/// One past the last byte.
fn end(start: u64, size: u64) -> u128 {
    u128::from(start) + u128::from(size)
}

/// Which locations the edges lead to from the start, whatever the guards.
fn reachable(thread: &Thread) -> IndexVec<LocId, bool> {
    let mut targets: IndexVec<LocId, Vec<LocId>> = IndexVec::filled(vec![], thread.locations.len());
    for edge in &thread.edges {
        targets[edge.from].push(edge.to);
    }
    let mut reached = IndexVec::filled(false, thread.locations.len());
    let mut stack = vec![thread.start];
    while let Some(l) = stack.pop() {
        if !std::mem::replace(&mut reached[l], true) {
            stack.extend(&targets[l]);
        }
    }
    reached
}

impl Checker<'_> {
    /// Whether a leaf of an expression fits the program; dereferences are the edge's own.
    pub(super) fn leaf_fits(
        &self,
        leaf: Leaf,
        width: u32,
        bytes_of: impl Fn(crate::program::DerefId) -> Option<u32>,
    ) -> Result<(), Rule> {
        let p = self.program;
        let expected = match leaf {
            Leaf::Var(v) => p.vars.get(v).map(|v| v.width),
            Leaf::Address(o) => p.objects.get(o).map(|_| 8 * p.pointer_bytes),
            Leaf::Input(i) => p.inputs.get(i).map(|i| i.width),
            Leaf::Loaded(d) => bytes_of(d).map(|b| 8 * b),
            Leaf::Valid(d) => bytes_of(d).map(|_| 1),
        };
        match expected {
            None => Err(Rule::IdRange),
            Some(w) if w != width => Err(Rule::ExpressionWidth),
            Some(_) => Ok(()),
        }
    }
}
