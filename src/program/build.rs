//! Making programs by hand: for tests, fuzzing and generators.
//!
//! A [`ProgramBuilder`] keeps a cursor (a location) for each thread. The helpers named after
//! statements ([`ProgramBuilder::lock`], [`ProgramBuilder::assert`] …) add the edges that a front
//! end would make for the statement, from the cursor to a new location that becomes the cursor;
//! [`ProgramBuilder::add`] adds any edge between any locations.

use std::sync::Arc;

use super::types::{
    Assign, Deref, DerefId, Edge, EdgeId, InputId, InputVar, Leaf, Lifetime, LocId, LocKind,
    Location, ObjId, Object, ProgExpr, ProgPool, Program, Role, Scope, Site, SiteId, SiteKind,
    Status, Sync, Target, Thread, ThreadId, VarId, Variable,
};
use crate::base::{Id, IndexVec, SourceMap, Span};
use crate::expr::{Op2, mask};

/// Width of the owner variables that the builder makes: room for 14 threads.
const OWNER_WIDTH: u32 = 4;
/// Width of a [`Role::Status`] variable.
const STATUS_WIDTH: u32 = 2;

/// An edge to be added.
#[derive(Clone, Debug)]
pub struct EdgeSpec {
    guard: Option<ProgExpr>,
    derefs: IndexVec<DerefId, Deref>,
    assigns: Vec<Assign>,
    sync: Sync,
    atomic_access: bool,
    site: Option<SiteId>,
    text: String,
}

impl EdgeSpec {
    /// An edge that can always be taken and does nothing; `text` is what traces show.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            guard: None,
            derefs: IndexVec::new(),
            assigns: vec![],
            sync: Sync::None,
            atomic_access: false,
            site: None,
            text: text.into(),
        }
    }

    /// With a guard.
    #[must_use]
    pub fn guard(mut self, guard: ProgExpr) -> Self {
        self.guard = Some(guard);
        self
    }

    /// With an assignment to a variable.
    #[must_use]
    pub fn set(mut self, var: VarId, value: ProgExpr) -> Self {
        self.assigns.push(Assign { target: Target::Var(var), value });
        self
    }

    /// With an assignment to the bytes of a dereference.
    #[must_use]
    pub fn store(mut self, deref: DerefId, value: ProgExpr) -> Self {
        self.assigns.push(Assign { target: Target::Deref(deref), value });
        self
    }

    /// With a synchronisation.
    #[must_use]
    pub fn sync(mut self, sync: Sync) -> Self {
        self.sync = sync;
        self
    }

    /// With accesses that are atomic.
    #[must_use]
    pub fn atomic_access(mut self) -> Self {
        self.atomic_access = true;
        self
    }

    /// Violating a site.
    #[must_use]
    pub fn site(mut self, site: SiteId) -> Self {
        self.site = Some(site);
        self
    }

    /// Adds a dereference of `bytes` bytes, in any object or in those given.
    pub fn deref(&mut self, addr: ProgExpr, bytes: u32, objects: Option<&[ObjId]>) -> DerefId {
        let objects = objects.map(Arc::from);
        self.derefs.push(Deref { addr, bytes, objects, writes: false, room: 0 })
    }
}

/// Builds a [`Program`].
pub struct ProgramBuilder {
    program: Program,
    cursors: IndexVec<ThreadId, LocId>,
    span: Span,
}

impl ProgramBuilder {
    /// A builder of a program with pointers of 4 or 8 bytes.
    pub fn new(pointer_bytes: u32) -> Self {
        let mut sources = SourceMap::new();
        let file = sources.add("built", || None);
        let span = Span { file, line: 1, col: 1, len: 0 };
        Self { program: Program::new(sources, pointer_bytes), cursors: IndexVec::new(), span }
    }

    /// The finished program.
    pub fn finish(self) -> Program {
        self.program
    }

    /// The program so far.
    pub fn program(&mut self) -> &mut Program {
        &mut self.program
    }

    /// Its expressions.
    pub fn pool(&mut self) -> &mut ProgPool {
        &mut self.program.pool
    }

    fn variable(&mut self, name: &str, width: u32, init: u128, scope: Scope, role: Role) -> VarId {
        self.program.vars.push(Variable {
            name: name.to_string(),
            width,
            signed: false,
            scope,
            role,
            init: init & mask(width),
            object: None,
            span: None,
        })
    }

    /// A shared variable.
    pub fn shared(&mut self, name: &str, width: u32, init: u128) -> VarId {
        self.variable(name, width, init, Scope::Shared, Role::Data)
    }

    /// A variable of one thread.
    pub fn local(&mut self, thread: ThreadId, name: &str, width: u32, init: u128) -> VarId {
        self.variable(name, width, init, Scope::Local(thread), Role::Data)
    }

    /// The owner variable of a mutex that is free.
    pub fn mutex(&mut self, name: &str) -> VarId {
        self.variable(name, OWNER_WIDTH, 0, Scope::Shared, Role::MutexOwner)
    }

    /// A choice; it may be used on one edge.
    pub fn input(&mut self, name: &str, width: u32) -> InputId {
        self.program.inputs.push(InputVar { name: name.to_string(), width })
    }

    /// An object with leaves given as (offset, width, initial value), and its leaves' variables.
    pub fn object(
        &mut self,
        name: &str,
        address: u64,
        size: u64,
        leaves: &[(u64, u32, u128)],
    ) -> (ObjId, Vec<VarId>) {
        let object = self.program.objects.next_id();
        let mut vars = vec![];
        for &(offset, width, init) in leaves {
            let name = format!("{name}[{offset}]");
            let v = self.variable(&name, width, init, Scope::Shared, Role::Data);
            self.program.vars[v].object = Some(object);
            vars.push(v);
        }
        let leaves = leaves.iter().map(|l| l.0).zip(vars.iter().copied()).collect();
        let name = name.to_string();
        self.program.objects.push(Object {
            name,
            address,
            size,
            leaves,
            lifetime: Lifetime::Static,
            read_only: false,
        });
        (object, vars)
    }

    /// Makes an object's lifetime depend on a new variable, which is returned.
    pub fn lifetime(&mut self, object: ObjId, alive: bool) -> VarId {
        let name = format!("{}.alive", self.program.objects[object].name);
        let role = Role::Alive(object);
        let v = self.variable(&name, 1, u128::from(alive), Scope::Shared, role);
        self.program.objects[object].lifetime = Lifetime::While(v);
        v
    }

    /// A thread. The first is `main`, which runs from the start; the others wait at their start
    /// until they are created. The cursor is where its code begins.
    pub fn thread(&mut self, name: &str) -> ThreadId {
        let thread = self.program.threads.next_id();
        let main = thread.index() == 0;
        let init = if main { Status::RUNNING } else { Status::FREE };
        let role = Role::Status(thread);
        let status =
            self.variable(&format!("{name}.status"), STATUS_WIDTH, init, Scope::Shared, role);
        self.program.threads.push(Thread {
            name: name.to_string(),
            locations: IndexVec::new(),
            edges: IndexVec::new(),
            start: LocId::new(0),
            status,
            reusable: false,
        });
        let start = self.location(thread, LocKind::Running, false);
        self.cursors.push(start);
        if !main {
            let runs = self.has_value(status, Status::RUNNING);
            self.wait(thread, EdgeSpec::new("start").guard(runs).atomic_access());
        }
        thread
    }

    /// Makes a thread reusable. To be called before [`ProgramBuilder::end`].
    pub fn reusable(&mut self, thread: ThreadId) {
        self.program.threads[thread].reusable = true;
    }

    /// The thread's cursor.
    pub fn at(&self, thread: ThreadId) -> LocId {
        self.cursors[thread]
    }

    /// Moves the thread's cursor.
    pub fn go(&mut self, thread: ThreadId, loc: LocId) {
        self.cursors[thread] = loc;
    }

    /// A new location.
    pub fn location(&mut self, thread: ThreadId, kind: LocKind, atomic: bool) -> LocId {
        let span = self.span;
        self.program.threads[thread].locations.push(Location {
            kind,
            blocking: false,
            atomic,
            labels: vec![],
            span,
        })
    }

    /// A new location like the cursor (running, atomic or not).
    pub fn fresh(&mut self, thread: ThreadId) -> LocId {
        self.location(thread, LocKind::Running, self.is_atomic(thread))
    }

    /// Whether the cursor is inside an atomic section.
    pub fn is_atomic(&self, thread: ThreadId) -> bool {
        self.program.threads[thread].locations[self.cursors[thread]].atomic
    }

    /// Adds an edge between two locations.
    pub fn add(&mut self, thread: ThreadId, from: LocId, to: LocId, spec: EdgeSpec) -> EdgeId {
        let always = self.program.pool.bool(true);
        let span = self.span;
        self.program.threads[thread].edges.push(Edge {
            from,
            to,
            guard: spec.guard.unwrap_or(always),
            derefs: spec.derefs,
            assigns: spec.assigns,
            sync: spec.sync,
            atomic_access: spec.atomic_access,
            site: spec.site,
            span,
            text: spec.text.into(),
        })
    }

    /// Adds an edge from the cursor to a new location and moves the cursor there.
    pub fn next(&mut self, thread: ThreadId, spec: EdgeSpec) -> LocId {
        let to = self.fresh(thread);
        self.add(thread, self.at(thread), to, spec);
        self.go(thread, to);
        to
    }

    /// As [`ProgramBuilder::next`], waiting at the cursor while the guard does not hold.
    pub fn wait(&mut self, thread: ThreadId, spec: EdgeSpec) -> LocId {
        let from = self.at(thread);
        self.program.threads[thread].locations[from].blocking = true;
        self.next(thread, spec)
    }

    /// `var = value`.
    pub fn set(&mut self, thread: ThreadId, var: VarId, value: ProgExpr) -> LocId {
        let text = format!("{} =", self.program.vars[var].name);
        self.next(thread, EdgeSpec::new(text).set(var, value))
    }

    /// `if (condition)`: two new locations, for true and false. The cursor is the first.
    pub fn branch(&mut self, thread: ThreadId, condition: ProgExpr) -> (LocId, LocId) {
        let from = self.at(thread);
        let not = self.program.pool.not(condition);
        let (yes, no) = (self.fresh(thread), self.fresh(thread));
        self.add(thread, from, yes, EdgeSpec::new("if").guard(condition));
        self.add(thread, from, no, EdgeSpec::new("else").guard(not));
        self.go(thread, yes);
        (yes, no)
    }

    /// `goto loc`.
    pub fn jump(&mut self, thread: ThreadId, loc: LocId) -> EdgeId {
        self.add(thread, self.at(thread), loc, EdgeSpec::new("goto"))
    }

    /// A site.
    pub fn site(&mut self, kind: SiteKind, text: &str) -> SiteId {
        let span = self.span;
        self.program.sites.push(Site { kind, span, text: text.into() })
    }

    /// `assert(condition)`.
    pub fn assert(&mut self, thread: ThreadId, condition: ProgExpr, text: &str) -> SiteId {
        let site = self.site(SiteKind::Assertion, text);
        let not = self.program.pool.not(condition);
        let spec = EdgeSpec::new(format!("assert({text})"));
        self.leave(thread, LocKind::Stopped, spec.clone().guard(not).site(site));
        self.next(thread, spec.guard(condition));
        site
    }

    /// `assume(condition)`.
    pub fn assume(&mut self, thread: ThreadId, condition: ProgExpr) -> LocId {
        let not = self.program.pool.not(condition);
        let spec = EdgeSpec::new("assume");
        self.leave(thread, LocKind::Discarded, spec.clone().guard(not).sync(Sync::Discard));
        self.next(thread, spec.guard(condition))
    }

    /// Adds an edge from the cursor to a new location of a kind at which the thread is done; the
    /// cursor stays.
    pub fn leave(&mut self, thread: ThreadId, kind: LocKind, spec: EdgeSpec) -> EdgeId {
        let to = self.location(thread, kind, self.is_atomic(thread));
        self.add(thread, self.at(thread), to, spec)
    }

    /// Waits for a mutex and takes it.
    pub fn lock(&mut self, thread: ThreadId, mutex: VarId) -> LocId {
        let free = self.has_value(mutex, 0);
        let mine = self.owner(thread);
        let text = format!("lock {}", self.program.vars[mutex].name);
        let spec = EdgeSpec::new(text).guard(free).set(mutex, mine).sync(Sync::Lock);
        self.wait(thread, spec.atomic_access())
    }

    /// Releases a mutex that the thread owns.
    pub fn unlock(&mut self, thread: ThreadId, mutex: VarId) -> LocId {
        let free = self.program.pool.constant(0, OWNER_WIDTH);
        let text = format!("unlock {}", self.program.vars[mutex].name);
        let spec = EdgeSpec::new(text).set(mutex, free).sync(Sync::Unlock);
        self.next(thread, spec.atomic_access())
    }

    /// The value of an owner variable while a thread owns the mutex.
    pub fn owner(&mut self, thread: ThreadId) -> ProgExpr {
        self.program.pool.constant(thread.index() as u128 + 1, OWNER_WIDTH)
    }

    /// Starts another thread, which must be free.
    pub fn create(&mut self, thread: ThreadId, other: ThreadId) -> LocId {
        let status = self.program.threads[other].status;
        let value = self.program.pool.constant(Status::RUNNING, STATUS_WIDTH);
        let text = format!("create {}", self.program.threads[other].name);
        let spec = EdgeSpec::new(text).set(status, value).sync(Sync::Create(other));
        self.next(thread, spec.atomic_access())
    }

    /// Waits for the end of another thread, which is then free.
    pub fn join(&mut self, thread: ThreadId, other: ThreadId) -> LocId {
        let status = self.program.threads[other].status;
        let ended = self.has_value(status, Status::ENDED);
        let value = self.program.pool.constant(Status::FREE, STATUS_WIDTH);
        let text = format!("join {}", self.program.threads[other].name);
        let spec = EdgeSpec::new(text).guard(ended).set(status, value).sync(Sync::Join(other));
        self.wait(thread, spec.atomic_access())
    }

    /// Ends the thread: it can be joined. A reusable thread goes back to its start.
    pub fn end(&mut self, thread: ThreadId) -> EdgeId {
        self.end_with(thread, EdgeSpec::new("end"))
    }

    /// As [`ProgramBuilder::end`], with other assignments at the same time.
    pub fn end_with(&mut self, thread: ThreadId, spec: EdgeSpec) -> EdgeId {
        let Thread { status, reusable, start, .. } = self.program.threads[thread];
        let value = self.program.pool.constant(Status::ENDED, STATUS_WIDTH);
        let spec = spec.set(status, value).sync(Sync::ThreadEnd).atomic_access();
        if reusable {
            return self.add(thread, self.at(thread), start, spec);
        }
        self.leave(thread, LocKind::Ended, spec)
    }

    /// Ends the process.
    pub fn end_process(&mut self, thread: ThreadId) -> EdgeId {
        self.leave(thread, LocKind::Stopped, EdgeSpec::new("exit").sync(Sync::ProcessEnd))
    }

    /// Enters an atomic section.
    pub fn atomic_begin(&mut self, thread: ThreadId) -> LocId {
        self.atomic_edge(thread, true, EdgeSpec::new("atomic_begin").sync(Sync::AtomicBegin))
    }

    /// Leaves an atomic section.
    pub fn atomic_end(&mut self, thread: ThreadId) -> LocId {
        self.atomic_edge(thread, false, EdgeSpec::new("atomic_end").sync(Sync::AtomicEnd))
    }

    fn atomic_edge(&mut self, thread: ThreadId, atomic: bool, spec: EdgeSpec) -> LocId {
        let to = self.location(thread, LocKind::Running, atomic);
        self.add(thread, self.at(thread), to, spec);
        self.go(thread, to);
        to
    }

    /// The expression that reads a variable.
    pub fn var(&mut self, v: VarId) -> ProgExpr {
        self.program.var(v)
    }

    /// A constant of a variable's width.
    pub fn value_for(&mut self, v: VarId, value: u128) -> ProgExpr {
        let width = self.program.vars[v].width;
        self.program.pool.constant(value, width)
    }

    /// `v == value`.
    pub fn has_value(&mut self, v: VarId, value: u128) -> ProgExpr {
        let (a, b) = (self.var(v), self.value_for(v, value));
        self.program.pool.eq(a, b)
    }

    /// `v + value`, of the variable's width.
    pub fn plus(&mut self, v: VarId, value: u128) -> ProgExpr {
        let (a, b) = (self.var(v), self.value_for(v, value));
        self.program.pool.op2(Op2::Add, a, b)
    }

    /// The value at a dereference of `bytes` bytes of the edge that the expression is used on.
    pub fn loaded(&mut self, deref: DerefId, bytes: u32) -> ProgExpr {
        self.program.pool.leaf(Leaf::Loaded(deref), 8 * bytes)
    }

    /// Whether a dereference of the edge that the expression is used on is valid.
    pub fn valid(&mut self, deref: DerefId) -> ProgExpr {
        self.program.pool.leaf(Leaf::Valid(deref), 1)
    }
}
