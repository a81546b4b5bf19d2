//! What can be wrong with a program.

use std::fmt;

use crate::program::{DerefId, EdgeId, InputId, LocId, ObjId, SiteId, ThreadId, VarId};

/// What part of a program breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The program as a whole.
    Program,
    /// A variable.
    Var(VarId),
    /// A memory object.
    Object(ObjId),
    /// A choice.
    Input(InputId),
    /// A site.
    Site(SiteId),
    /// A thread.
    Thread(ThreadId),
    /// A location of a thread.
    Loc(ThreadId, LocId),
    /// An edge of a thread.
    Edge(ThreadId, EdgeId),
}

/// The rule that is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A pointer has 4 or 8 bytes.
    PointerBytes,
    /// There is a thread 0.
    HasMain,
    /// Names of variables, and of threads, are unique.
    UniqueName,
    /// An id is below the number of such things.
    IdRange,
    /// A width is 1 to 128.
    Width,
    /// A leaf, operand, guard, value or address has the width that its use asks for.
    ExpressionWidth,
    /// An initial value is below `2^width`.
    Init,
    /// A variable with a role has the width that the role asks for.
    RoleWidth,
    /// The thread or object of a role, the leaf of an object, the variable of a lifetime, name
    /// each other.
    RoleMatch,
    /// A leaf of an object has whole bytes.
    LeafWidth,
    /// The leaves of an object ascend, do not overlap and are inside of it.
    LeafOrder,
    /// A variable is a leaf of one object at most, which it names.
    LeafOwner,
    /// An object's address is not 0 and its bytes are addressable.
    ObjectAddress,
    /// Objects do not overlap or touch.
    ObjectDisjoint(ObjId),
    /// All threads but `main` start at a running, blocking location outside of atomic sections,
    /// and leave it by edges whose guard reads their status.
    StartWaits,
    /// A thread that can be created again has no location of kind `Ended`.
    ReusableEnds,
    /// Only running locations are blocking.
    BlockingKind,
    /// Only running locations have outgoing edges.
    EdgeFromDone,
    /// A reachable running location that is not blocking has an outgoing edge.
    DeadEnd,
    /// An edge with a site leads to a location of kind `Stopped`.
    SiteStops,
    /// A thread that stops inside an atomic section leaves it closed.
    AtomicStop,
    /// An access by address has 1 to 16 bytes.
    DerefBytes(DerefId),
    /// Addresses do not depend on dereferences of the edge.
    NestedDeref(DerefId),
    /// Guards and addresses do not depend on inputs.
    GuardInput(InputId),
    /// An input is used on one edge only.
    InputOnce(InputId),
    /// A local variable is touched by its own thread only.
    ForeignLocal(VarId),
    /// A local variable is in no object that a dereference may be in.
    LocalByAddress(VarId),
    /// No two assignments of an edge write the same variable or dereference.
    WrittenTwice,
    /// An edge without synchronisation whose accesses are not atomic has one shared access at
    /// most.
    PlainAccesses,
}

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// Where.
    pub part: Part,
    /// The rule.
    pub rule: Rule,
    /// What stands there: names of the part, as a user knows them.
    pub name: String,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed thread program: {:?} ({}): {:?}", self.part, self.name, self.rule)
    }
}

impl std::error::Error for Invalid {}
