//! The data types of a thread program.

use std::sync::Arc;

use crate::base::{IndexVec, SourceMap, Span};
use crate::expr::{ExprId, Pool};

crate::define_id! {
    /// A variable of a program.
    pub struct VarId, "v";
    /// A memory object of a program.
    pub struct ObjId, "o";
    /// A thread instance of a program; 0 is `main`.
    pub struct ThreadId, "T";
    /// A nondeterministic choice of a program; each occurs on exactly one edge.
    pub struct InputId, "i";
    /// A place where a property can be violated.
    pub struct SiteId, "site";
    /// A location of one thread.
    pub struct LocId, "l";
    /// An edge of one thread.
    pub struct EdgeId, "e";
    /// A dereference of one edge.
    pub struct DerefId, "d";
}

/// A leaf of a program's expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Leaf {
    /// A variable's value.
    Var(VarId),
    /// The address of an object's first byte, as wide as a pointer.
    Address(ObjId),
    /// A value chosen anew each time the edge is taken. Not in guards and addresses.
    Input(InputId),
    /// The value at this dereference of the edge, `8 * bytes` wide.
    Loaded(DerefId),
    /// Whether this dereference of the edge is valid, 1 bit.
    Valid(DerefId),
}

/// The expressions of a program. It is a raw pool: nothing is simplified.
pub type ProgPool = Pool<Leaf>;
/// An expression of a program.
pub type ProgExpr = ExprId;

/// Who may touch a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Any thread, directly or, if it belongs to an object, by address.
    Shared,
    /// Only this thread, only by name.
    Local(ThreadId),
}

/// What a variable is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A C variable, or one scalar leaf of one.
    Data,
    /// A value that the front end needs between two edges.
    Temp,
    /// The owner of a mutex, spin lock or (of its writer) read-write lock: 0 free, else the owner's
    /// thread index plus 1, all ones if it is not initialised or destroyed.
    MutexOwner,
    /// How many threads hold a read-write lock for reading.
    Readers,
    /// How often the thread holds, for reading, the read-write lock with these [`Role::Readers`].
    ReadHolds {
        /// The lock's number of readers.
        lock: VarId,
        /// The thread.
        thread: ThreadId,
    },
    /// The threads that wait at a condition variable or barrier and are not woken: bit k is that
    /// of the thread with index k.
    Waiters,
    /// The value of a semaphore.
    Semaphore,
    /// A [`Status`] of a thread instance.
    Status(ThreadId),
    /// The argument that a thread instance was created with.
    Argument(ThreadId),
    /// The result that a thread instance ended with.
    Result(ThreadId),
    /// Whether the object's lifetime has begun and not ended, 1 bit.
    Alive(ObjId),
    /// Other bookkeeping.
    Bookkeeping,
}

/// Values of a variable with [`Role::Status`], 2 bits wide. A detached thread that ends is free.
pub struct Status;

impl Status {
    /// Not created, or ended and joined: may be created.
    pub const FREE: u128 = 0;
    /// Created and not ended.
    pub const RUNNING: u128 = 1;
    /// Ended, may be joined.
    pub const ENDED: u128 = 2;
    /// Created, not ended, and never joined: free once it has ended.
    pub const DETACHED: u128 = 3;
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name in circuits and traces, unique in the program: `x`, `a[2].next`, `T1.f.i`.
    pub name: String,
    /// Width in bits, 1 to 128. Leaves of objects are whole bytes.
    pub width: u32,
    /// Whether C reads it as a signed number.
    pub signed: bool,
    /// Who may touch it.
    pub scope: Scope,
    /// What it is for.
    pub role: Role,
    /// Value at the start of the program, below `2^width`.
    pub init: u128,
    /// The object that it is a leaf of, if it is one.
    pub object: Option<ObjId>,
    /// Where it is declared.
    pub span: Option<Span>,
}

/// When an object may be dereferenced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lifetime {
    /// Always.
    Static,
    /// While this variable (role [`Role::Alive`]) is 1.
    While(VarId),
}

/// A memory object with a fixed address.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its C name, with the thread and function for locals.
    pub name: String,
    /// Address of its first byte, never 0; objects do not overlap or touch.
    pub address: u64,
    /// Size in bytes.
    pub size: u64,
    /// Its scalar leaves as (byte offset, variable), ascending, not overlapping. Bytes in no leaf
    /// (padding) read as 0 and drop what is written.
    pub leaves: Vec<(u64, VarId)>,
    /// When it may be dereferenced.
    pub lifetime: Lifetime,
    /// Whether no dereference may write it.
    pub read_only: bool,
}

/// A nondeterministic choice.
#[derive(Clone, Debug)]
pub struct InputVar {
    /// Its name in circuits and traces.
    pub name: String,
    /// Width in bits.
    pub width: u32,
}

/// A bound of the model that a run can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// Instances of a create site (`--threads`).
    Threads,
    /// Depth of recursion (`--recursion`).
    Recursion,
    /// Objects of an allocation site (`--heap-per-site`).
    Heap,
    /// Elements of a variable-length array.
    ArrayLength,
}

/// A kind of undefined behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Undefined {
    /// A dereference that is in no living object, or that writes to a read-only one.
    InvalidDereference,
    /// An index outside of its array.
    OutOfBounds,
    /// Division or remainder by zero, or the quotient that overflows.
    DivisionByZero,
    /// Unlock by a thread that is not the owner, destroy of a locked mutex, use of a lock, condition
    /// variable, barrier or semaphore that is not initialised, or destroyed.
    MutexMisuse,
    /// `free` of what is no living object of the heap.
    InvalidFree,
    /// `pthread_join` of what is no thread that can be joined.
    InvalidThread,
    /// A non-void function whose missing result is used.
    MissingReturn,
    /// A call of a library function that its arguments do not allow.
    InvalidArgument,
    /// A place that the program says is never reached.
    Unreachable,
}

/// What is violated at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SiteKind {
    /// `assert`, `__VERIFIER_assert`, `reach_error`, `__VERIFIER_error`.
    Assertion,
    /// Undefined behaviour; always on.
    Undefined(Undefined),
    /// A bound of the model; always on.
    Bound(Bound),
    /// An operation inside an atomic section would block; always on.
    AtomicBlocked,
    /// A thread takes a mutex again that it has already, of a kind that makes it wait for ever. The
    /// thread goes on, to a location where it waits.
    Relock,
    /// Arithmetic whose result C does not define.
    Arithmetic(Arithmetic),
}

impl SiteKind {
    /// Whether a thread that gets there stops.
    pub fn stops(self) -> bool {
        self != SiteKind::Relock
    }
}

/// Arithmetic that C does not define, and that wraps around as machines do where nobody asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// The result is no value of its signed type.
    SignedOverflow,
    /// A shift by a negative number of bits, or by the width or more.
    ShiftRange,
}

/// A place where a property can be violated.
#[derive(Clone, Debug)]
pub struct Site {
    /// What is violated.
    pub kind: SiteKind,
    /// Where.
    pub span: Span,
    /// The condition or statement, as in the source.
    pub text: Arc<str>,
}

/// What a location is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LocKind {
    /// Execution goes on here.
    Running,
    /// The thread has ended and can be joined.
    Ended,
    /// An `assume` was false.
    Discarded,
    /// A site was violated, or the thread ended the process.
    Stopped,
}

impl LocKind {
    /// Whether a thread that is here does not go on, and others may not count on what comes: the run
    /// is discarded, or something is violated or the process at its end.
    pub fn is_over(self) -> bool {
        matches!(self, LocKind::Discarded | LocKind::Stopped)
    }
}

/// A location of a thread.
#[derive(Clone, Debug)]
pub struct Location {
    /// What it is.
    pub kind: LocKind,
    /// Whether the thread may have to wait here.
    pub blocking: bool,
    /// Whether it is inside an atomic section.
    pub atomic: bool,
    /// The C labels that stand here, as `f:label`.
    pub labels: Vec<Arc<str>>,
    /// Where it is in the source.
    pub span: Span,
}

/// Synchronisation that an edge does, for analyses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sync {
    /// None.
    None,
    /// Takes a mutex (a successful trylock too): the edge's write to its owner.
    Lock,
    /// Releases a mutex.
    Unlock,
    /// Takes a read-write lock for reading.
    ReadLock,
    /// Releases a read-write lock that was held for reading.
    ReadUnlock,
    /// Begins to wait at a condition variable and releases the mutex; taking it again is
    /// [`Sync::Lock`].
    Wait,
    /// Wakes one of the threads that wait at a condition variable, if there is one.
    Signal,
    /// Wakes all threads that wait at a condition variable.
    Broadcast,
    /// Arrives at a barrier or leaves it.
    Barrier,
    /// Takes one from a semaphore.
    Take,
    /// Gives one to a semaphore.
    Post,
    /// Begins the lifetime of this heap object.
    Allocate(ObjId),
    /// Ends the lifetime of this heap object.
    Free(ObjId),
    /// Starts this thread instance.
    Create(ThreadId),
    /// Has waited for the end of this thread instance.
    Join(ThreadId),
    /// Ends the thread.
    ThreadEnd,
    /// Ends the process.
    ProcessEnd,
    /// Enters an atomic section.
    AtomicBegin,
    /// Leaves an atomic section.
    AtomicEnd,
    /// An `assume` that was false.
    Discard,
}

/// An access by address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deref {
    /// The address, as wide as a pointer. Reads no [`Leaf::Loaded`], [`Leaf::Valid`] or
    /// [`Leaf::Input`].
    pub addr: ProgExpr,
    /// Size of the access in bytes, 1 to 16.
    pub bytes: u32,
    /// The objects it may be in; `None` until points-to analysis has run (then all). They are large
    /// enough, and none is read-only if it writes.
    pub objects: Option<Arc<[ObjId]>>,
    /// Whether it may write.
    pub writes: bool,
    /// Least size in bytes of an object that it may be in.
    pub room: u64,
}

impl Deref {
    /// Whether it may be in this object, wherever in it.
    pub fn fits(&self, object: &Object) -> bool {
        !(self.writes && object.read_only) && object.size >= self.room
    }
}

/// What an assignment writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A variable, named directly.
    Var(VarId),
    /// The bytes of this dereference of the edge.
    Deref(DerefId),
}

/// One assignment of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assign {
    /// What is written. No two assignments of an edge write the same variable.
    pub target: Target,
    /// The value, as wide as the target.
    pub value: ProgExpr,
}

/// A guarded parallel assignment.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it leaves.
    pub from: LocId,
    /// Where it leads.
    pub to: LocId,
    /// When it can be taken, 1 bit.
    pub guard: ProgExpr,
    /// Its accesses by address. At most one access to a shared variable or by address for
    /// plain C accesses; synchronisation and atomic operations read and write at once.
    pub derefs: IndexVec<DerefId, Deref>,
    /// What it writes, all at once.
    pub assigns: Vec<Assign>,
    /// The synchronisation it does.
    pub sync: Sync,
    /// Whether its accesses are atomic (C11 atomics, locks, bookkeeping) and so cannot race.
    pub atomic_access: bool,
    /// The site that is violated by taking it; `to` is then `Stopped`.
    pub site: Option<SiteId>,
    /// Where it is in the source.
    pub span: Span,
    /// The statement as a trace shows it, on one line.
    pub text: Arc<str>,
}

/// A thread instance.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its name, unique: start function, with `#k` in order of creation sites where the
    /// function is started more than once.
    pub name: String,
    /// Its locations.
    pub locations: IndexVec<LocId, Location>,
    /// Its edges.
    pub edges: IndexVec<EdgeId, Edge>,
    /// Where it starts; for all but `main` a blocking location whose edge waits for
    /// [`Status::RUNNING`].
    pub start: LocId,
    /// Its status variable.
    pub status: VarId,
    /// Whether it can be created again after it ended and was joined.
    pub reusable: bool,
}

/// A thread program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its expressions.
    pub pool: ProgPool,
    /// Its variables.
    pub vars: IndexVec<VarId, Variable>,
    /// Its memory objects.
    pub objects: IndexVec<ObjId, Object>,
    /// Its thread instances.
    pub threads: IndexVec<ThreadId, Thread>,
    /// Its nondeterministic choices.
    pub inputs: IndexVec<InputId, InputVar>,
    /// Its sites.
    pub sites: IndexVec<SiteId, Site>,
    /// The files that its spans refer to.
    pub sources: SourceMap,
    /// Size of a pointer in bytes, 4 or 8.
    pub pointer_bytes: u32,
    /// The first memory order in the source that is weaker than sequential consistency, which the
    /// program takes it for.
    pub weak_order: Option<Span>,
    /// Whether undefined behaviour has no sites, as the user vouches for its absence.
    pub assumed_defined: bool,
    /// Whether there are waits at condition variables that only a signal ends, though POSIX lets them
    /// end without one.
    pub waits_for_signals: bool,
    /// Whether interrupt handlers run beside the threads: an enabled one can always move, so that
    /// no state is a deadlock where only the other threads are stuck.
    pub has_handlers: bool,
}

impl Program {
    /// A program with nothing in it.
    pub fn new(sources: SourceMap, pointer_bytes: u32) -> Self {
        Self {
            pool: Pool::raw(),
            vars: IndexVec::new(),
            objects: IndexVec::new(),
            threads: IndexVec::new(),
            inputs: IndexVec::new(),
            sites: IndexVec::new(),
            sources,
            pointer_bytes,
            weak_order: None,
            assumed_defined: false,
            waits_for_signals: false,
            has_handlers: false,
        }
    }

    /// What holds of the runs that a proof about this program is about, and need not hold of every run
    /// that C and POSIX allow.
    pub fn restrictions(&self) -> Vec<&'static str> {
        let all = [
            (self.weak_order.is_some(), "under sequential consistency"),
            (self.waits_for_signals, "without spurious wake-ups"),
            (self.assumed_defined, "assuming defined behaviour"),
        ];
        all.into_iter().filter_map(|(holds, text)| holds.then_some(text)).collect()
    }

    /// The expression that reads a variable.
    pub fn var(&mut self, v: VarId) -> ProgExpr {
        let width = self.vars[v].width;
        self.pool.leaf(Leaf::Var(v), width)
    }

    /// The expression of an object's address.
    pub fn address(&mut self, o: ObjId) -> ProgExpr {
        self.pool.leaf(Leaf::Address(o), 8 * self.pointer_bytes)
    }

    /// The expression of a choice.
    pub fn input(&mut self, i: InputId) -> ProgExpr {
        let width = self.inputs[i].width;
        self.pool.leaf(Leaf::Input(i), width)
    }
}

impl Thread {
    /// The edges that leave a location, in order of their ids.
    pub fn edges_from(&self, loc: LocId) -> impl Iterator<Item = (EdgeId, &Edge)> {
        self.edges.iter_enumerated().filter(move |(_, e)| e.from == loc)
    }
}
