//! Taking edges.

use std::cell::RefCell;
use std::fmt;

use super::memory::{At, Memory};
use super::state::State;
use super::tape::{Tape, Write};
use crate::base::IndexVec;
use crate::expr::mask;
use crate::program::{
    EdgeId, InputId, LocId, LocKind, ObjId, Program, Scope, SiteId, Thread, ThreadId, VarId,
    accesses, is_shared,
};

/// A program that breaks its own rules in a way that only running it shows: an error of a front
/// end or a pass, not of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InternalError {
    /// No edge can be taken at a running location that is not blocking.
    NoEdge {
        /// The thread.
        thread: ThreadId,
        /// Where it is.
        loc: LocId,
    },
    /// Two edges can be taken.
    TwoEdges {
        /// The thread.
        thread: ThreadId,
        /// One edge.
        first: EdgeId,
        /// The other edge.
        second: EdgeId,
    },
    /// Two assignments of an edge write one variable.
    TwoWrites {
        /// The thread.
        thread: ThreadId,
        /// The edge.
        edge: EdgeId,
        /// The variable.
        var: VarId,
    },
}

/// Why a step cannot be taken. The state is unchanged then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepError {
    /// The thread has to wait, or never moves again.
    Disabled(ThreadId),
    /// A chosen value does not fit the input's width.
    InputRange(InputId, u128),
    /// The program is wrong.
    Internal(InternalError),
}

impl From<InternalError> for StepError {
    fn from(e: InternalError) -> Self {
        StepError::Internal(e)
    }
}

impl fmt::Display for InternalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEdge { thread, loc } => {
                write!(f, "thread {thread:?} at {loc:?} has no edge to take but is not blocking")
            }
            Self::TwoEdges { thread, first, second } => {
                write!(f, "thread {thread:?} could take both {first:?} and {second:?}")
            }
            Self::TwoWrites { thread, edge, var } => {
                write!(f, "edge {edge:?} of thread {thread:?} writes {var:?} twice")
            }
        }
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disabled(t) => write!(f, "thread {t:?} cannot move"),
            Self::InputRange(i, v) => write!(f, "value {v} does not fit input {i:?}"),
            Self::Internal(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for InternalError {}
impl std::error::Error for StepError {}

/// A written variable: old value, new value.
pub(in crate::program) type Change = (VarId, u128, u128);

/// What a step did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepInfo {
    /// The edge taken.
    pub edge: EdgeId,
    /// The site that was violated by it.
    pub site: Option<SiteId>,
    /// The variables that were written, as (variable, old value, new value), in the order of the
    /// assignments; no variable occurs twice.
    pub changes: Vec<(VarId, u128, u128)>,
}

/// The shared variables that a thread reads and writes by its next edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::program) struct Footprint {
    /// Variables read, perhaps several times.
    pub reads: Vec<VarId>,
    /// Variables written, be it with their old value.
    pub writes: Vec<VarId>,
}

/// An edge's code and what stepping needs to know of the edge.
struct EdgeCode {
    id: EdgeId,
    tape: Tape,
    /// First of its registers in the scratch space.
    base: usize,
    to: LocId,
    site: Option<SiteId>,
}

/// A location's code.
struct LocCode {
    running: bool,
    blocking: bool,
    atomic: bool,
    /// Its outgoing edges, ascending.
    edges: Box<[EdgeCode]>,
    /// Whether its edges touch only variables of this thread, make no choice and enter no atomic
    /// section, and it is not blocking.
    local: bool,
    /// Number of registers of its edges.
    registers: usize,
}

impl LocCode {
    fn new(program: &Program, thread: &Thread, loc: LocId) -> Self {
        let location = &thread.locations[loc];
        let running = location.kind == LocKind::Running;
        let mut registers = 0;
        let mut local = running && !location.blocking;
        let mut edges = vec![];
        for (id, edge) in thread.edges_from(loc) {
            let tape = Tape::new(program, edge);
            local &= tape.inputs.is_empty()
                && edge.derefs.is_empty()
                && (location.atomic || !thread.locations[edge.to].atomic)
                && accesses(program, edge).iter().all(|a| !is_shared(program, a.place));
            let base = registers;
            registers += tape.len();
            edges.push(EdgeCode { id, tape, base, to: edge.to, site: edge.site });
        }
        Self {
            running,
            blocking: location.blocking,
            atomic: location.atomic,
            edges: edges.into(),
            local,
            registers,
        }
    }
}

/// A compiled program.
pub struct Machine<'p> {
    program: &'p Program,
    memory: Memory,
    threads: IndexVec<ThreadId, IndexVec<LocId, LocCode>>,
    /// Whether any location is atomic.
    has_atomic: bool,
    scratch: RefCell<Vec<u128>>,
}

/// An edge of a machine that its guard allows in some state.
#[derive(Clone, Copy)]
pub(in crate::program) struct Choice<'m> {
    code: &'m EdgeCode,
}

impl Choice<'_> {
    pub(in crate::program) fn edge(&self) -> EdgeId {
        self.code.id
    }

    pub(in crate::program) fn site(&self) -> Option<SiteId> {
        self.code.site
    }

    /// The inputs that the edge reads, ascending.
    pub(in crate::program) fn inputs(&self) -> &[InputId] {
        &self.code.tape.inputs
    }
}

impl<'p> Machine<'p> {
    /// Compiles a program.
    ///
    /// # Panics
    /// Here or later if `program::validate` refuses the program.
    pub fn new(program: &'p Program) -> Self {
        let threads: IndexVec<ThreadId, IndexVec<LocId, LocCode>> = program
            .threads
            .iter()
            .map(|t| t.locations.ids().map(|l| LocCode::new(program, t, l)).collect())
            .collect();
        let codes = || threads.iter().flatten();
        let registers = codes().map(|l| l.registers).max().unwrap_or(0);
        let has_atomic = codes().any(|l| l.atomic);
        let scratch = RefCell::new(vec![0; registers]);
        Self { program, memory: Memory::new(program), threads, has_atomic, scratch }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The state at the start.
    pub fn initial(&self) -> State {
        State::initial(self.program)
    }

    /// Whether a thread other than `thread` is inside an atomic section, so that `thread` cannot
    /// move.
    pub fn is_shut_out(&self, state: &State, thread: ThreadId) -> bool {
        self.has_atomic
            && self
                .threads
                .iter_enumerated()
                .any(|(t, locs)| t != thread && locs[state.loc(t)].atomic)
    }

    /// The edge that a thread takes next: `None` if it waits, is shut out by another thread's
    /// atomic section, or never moves again.
    ///
    /// # Errors
    /// If the guards at its location are not exclusive, or not exhaustive where they must be.
    pub fn enabled(
        &self,
        state: &State,
        thread: ThreadId,
    ) -> Result<Option<EdgeId>, InternalError> {
        Ok(self.choice(state, thread)?.map(|c| c.code.id))
    }

    /// As [`Machine::enabled`], without regard to atomic sections of other threads: the edge
    /// whose guard holds.
    ///
    /// # Errors
    /// As [`Machine::enabled`].
    pub fn guarded(
        &self,
        state: &State,
        thread: ThreadId,
    ) -> Result<Option<EdgeId>, InternalError> {
        let loc = &self.threads[thread][state.loc(thread)];
        Ok(self.holding(state, thread, loc)?.map(|c| c.id))
    }

    /// Takes the enabled edge of a thread; `inputs` gives the value of each input that the edge
    /// reads, and is asked once for each.
    ///
    /// # Errors
    /// If the thread cannot move, a value does not fit, or the program is wrong; the state is
    /// then unchanged.
    pub fn step(
        &self,
        state: &mut State,
        thread: ThreadId,
        inputs: &mut dyn FnMut(InputId) -> u128,
    ) -> Result<StepInfo, StepError> {
        let choice = self.choice(state, thread)?.ok_or(StepError::Disabled(thread))?;
        let mut changes = vec![];
        self.fire(state, thread, choice, inputs, &mut changes)?;
        Ok(StepInfo { edge: choice.edge(), site: choice.site(), changes })
    }

    /// As [`Machine::enabled`], for [`Machine::fire`].
    pub(in crate::program) fn choice(
        &self,
        state: &State,
        thread: ThreadId,
    ) -> Result<Option<Choice<'_>>, InternalError> {
        let loc = &self.threads[thread][state.loc(thread)];
        if !loc.running || self.is_shut_out(state, thread) {
            return Ok(None);
        }
        Ok(self.holding(state, thread, loc)?.map(|code| Choice { code }))
    }

    /// The object and offset of `bytes` bytes at an address, if they are inside one of `objects`
    /// (ascending) that is alive.
    pub fn resolve(
        &self,
        state: &State,
        address: u128,
        bytes: u32,
        objects: &[ObjId],
    ) -> Option<(ObjId, u64)> {
        let at = self.memory.resolve(state, address, bytes, Some(objects))?;
        Some((at.object, at.offset))
    }

    fn holding<'m>(
        &'m self,
        state: &State,
        thread: ThreadId,
        loc: &'m LocCode,
    ) -> Result<Option<&'m EdgeCode>, InternalError> {
        if !loc.running {
            return Ok(None);
        }
        let mut regs = self.scratch.borrow_mut();
        let mut found: Option<&EdgeCode> = None;
        for code in &loc.edges {
            if code.tape.guard(state, &self.memory, &mut regs[code.base..]) {
                if let Some(first) = found {
                    let (first, second) = (first.id, code.id);
                    return Err(InternalError::TwoEdges { thread, first, second });
                }
                found = Some(code);
            }
        }
        if found.is_none() && !loc.blocking {
            return Err(InternalError::NoEdge { thread, loc: state.loc(thread) });
        }
        Ok(found)
    }

    /// Takes an edge that [`Machine::choice`] gave for this state, and appends what it writes.
    pub(in crate::program) fn fire(
        &self,
        state: &mut State,
        thread: ThreadId,
        choice: Choice<'_>,
        inputs: &mut dyn FnMut(InputId) -> u128,
        changes: &mut Vec<Change>,
    ) -> Result<(), StepError> {
        let code = choice.code;
        let mut scratch = self.scratch.borrow_mut();
        let regs = &mut scratch[code.base..];
        // The scratch space may have served another state since the choice was made.
        code.tape.guard(state, &self.memory, regs);
        let mut wrong = None;
        code.tape.body(state, &self.memory, regs, &mut |input| {
            let value = inputs(input);
            if value > mask(self.program.inputs[input].width) {
                wrong = Some(StepError::InputRange(input, value));
            }
            value
        });
        if let Some(error) = wrong {
            return Err(error);
        }
        let first = changes.len();
        if let Err(error) = self.collect(state, thread, code, regs, changes) {
            changes.truncate(first);
            return Err(error.into());
        }
        for &(var, _, new) in &changes[first..] {
            state.set_value(var, new);
        }
        state.set_loc(thread, code.to);
        Ok(())
    }

    /// Appends what a thread accesses where it is: reads of the guards of all its edges there, and
    /// of and by the edge that it takes, if it takes one.
    ///
    /// # Errors
    /// If the program is wrong.
    pub(in crate::program) fn footprint(
        &self,
        state: &State,
        thread: ThreadId,
        taken: Option<Choice<'_>>,
        inputs: &mut dyn FnMut(InputId) -> u128,
        footprint: &mut Footprint,
    ) -> Result<(), InternalError> {
        let shared = |v: &VarId| self.program.vars[*v].scope == Scope::Shared;
        let mut scratch = self.scratch.borrow_mut();
        let mut read = |v| footprint.reads.push(v);
        for code in &self.threads[thread][state.loc(thread)].edges {
            let regs = &mut scratch[code.base..];
            code.tape.guard(state, &self.memory, regs);
            code.tape.reads(false, &self.memory, regs, &mut read);
            if taken.is_some_and(|t| t.edge() == code.id) {
                code.tape.body(state, &self.memory, regs, inputs);
                code.tape.reads(true, &self.memory, regs, &mut read);
                let mut changes = vec![];
                self.collect(state, thread, code, regs, &mut changes)?;
                footprint.writes.extend(changes.iter().map(|c| c.0));
            }
        }
        footprint.reads.retain(shared);
        footprint.writes.retain(shared);
        Ok(())
    }

    /// The shared variables that the guards of a thread's edges read where it is, and those that
    /// the edge it takes there reads besides, with choices of 0.
    ///
    /// # Errors
    /// If the program is wrong.
    pub fn shared_reads(
        &self,
        state: &State,
        thread: ThreadId,
    ) -> Result<(Vec<VarId>, Vec<VarId>), InternalError> {
        let of = |taken| {
            let mut found = Footprint::default();
            self.footprint(state, thread, taken, &mut |_| 0, &mut found)?;
            Ok(found.reads)
        };
        Ok((of(None)?, of(self.choice(state, thread)?)?))
    }

    /// Appends what the assignments of an edge write, given its registers; on an error perhaps a
    /// part of it.
    fn collect(
        &self,
        state: &State,
        thread: ThreadId,
        code: &EdgeCode,
        regs: &[u128],
        changes: &mut Vec<Change>,
    ) -> Result<(), InternalError> {
        let first = changes.len();
        let mut write = |var, value| {
            if changes[first..].iter().any(|c| c.0 == var) {
                return Err(InternalError::TwoWrites { thread, edge: code.id, var });
            }
            changes.push((var, state.value(var), value));
            Ok(())
        };
        for w in &code.tape.writes {
            match *w {
                Write::Var(v, value) => write(v, regs[value as usize])?,
                Write::Bytes(place, bytes, value) => {
                    if let Some(at) = At::decode(regs[place as usize]) {
                        self.memory.store(state, at, bytes, regs[value as usize], &mut write)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether the edges that leave a thread's location touch only its own variables, by name, make
    /// no choice and enter no atomic section, and it does not wait there.
    pub fn is_local(&self, state: &State, thread: ThreadId) -> bool {
        self.threads[thread][state.loc(thread)].local
    }
}
