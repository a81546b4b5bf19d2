//! The only run of `main` before it creates a thread: executed once here, so that circuits start
//! behind it.
//!
//! As long as `main` is alone and its branches and addresses depend on no choice, there is one
//! run. A value that was chosen (a local that C leaves undetermined) is remembered as such; the
//! run ends where all such values are dead, so that every run of the program comes to the state
//! that is found here, but for variables that nobody reads before they are written again.

use crate::base::{Budget, HashSet, Id, Stop};
use crate::program::{
    EdgeId, Leaf, Lifetime, LocId, LocKind, Machine, ProgExpr, Program, Role, State, Status,
    StepInfo, Sync, Target, Thread, ThreadId, VarId,
};

use super::liveness::Liveness;
use super::slice::Slice;

/// Most edges that are executed; a loop that initialises a large array takes a few for each
/// element.
const MAX_EDGES: usize = 200_000;

/// A run that every run of the program begins with.
#[derive(Clone, Debug)]
pub struct Prefix {
    /// The state after it.
    pub state: State,
    /// The locations of `main` after each edge of it.
    pub path: Vec<LocId>,
}

/// The edges of `main` that every run begins with, whatever it chooses.
#[derive(Clone, Debug)]
pub struct Forced {
    pub edges: Vec<EdgeId>,
    /// The location of `main` after them.
    pub end: LocId,
    /// The shared variables that they write, at least a part of each, before anything of them is
    /// read.
    pub written: HashSet<VarId>,
}

impl Prefix {
    /// Runs `main` as far as its run is the only one. It goes no further than a state that `stops`
    /// wants to be looked at, and leaves the values of `observed` variables undetermined nowhere.
    ///
    /// # Errors
    /// The reason, if the budget ends first.
    pub fn new(
        program: &Program,
        observed: &[VarId],
        mut stops: impl FnMut(&State) -> bool,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let (mut path, mut good) = (vec![], 0);
        let mut run = Run::new(program, observed);
        run.follow(budget, &mut stops, |run, state, _| {
            path.push(state.loc(main()));
            if run.is_determined(state) {
                good = path.len();
            }
        })?;
        path.truncate(good);
        let machine = Machine::new(program);
        let mut state = machine.initial();
        for _ in &path {
            machine.step(&mut state, main(), &mut |_| 0).expect("the step was taken before");
        }
        Ok(Self { state, path })
    }

    /// What every run begins with, whatever it chooses.
    ///
    /// # Errors
    /// The reason, if the budget ends first.
    pub fn forced(program: &Program, budget: &Budget) -> Result<Forced, Stop> {
        let mut edges = vec![];
        Run::new(program, &[]).follow(budget, &mut |_| false, |_, _, edge| edges.push(edge))?;
        let machine = Machine::new(program);
        let mut state = machine.initial();
        let (mut read, mut written) = (HashSet::default(), HashSet::default());
        for _ in &edges {
            let (guards, reads) = machine.shared_reads(&state, main()).expect("as before");
            read.extend(guards.into_iter().chain(reads).filter(|v| !written.contains(v)));
            let info = machine.step(&mut state, main(), &mut |_| 0).expect("as before");
            written.extend(info.changes.iter().map(|c| c.0).filter(|v| !read.contains(v)));
        }
        Ok(Forced { edges, end: state.loc(main()), written })
    }

    /// The program that starts where the run ends.
    pub fn rest(&self, program: &Program) -> Program {
        let mut rest = program.clone();
        for (variable, &value) in rest.vars.iter_mut().zip(self.state.values()) {
            variable.init = value;
        }
        rest.threads[main()].start = self.state.loc(main());
        rest
    }
}

/// The first thread.
fn main() -> ThreadId {
    ThreadId::new(0)
}

/// What of a run so far depends on a choice.
struct Run<'a> {
    program: &'a Program,
    observed: &'a [VarId],
    /// For each edge of `main`, whether it makes a choice.
    chooses: Vec<bool>,
    /// Variables whose value was chosen, or computed from such a value.
    chosen: HashSet<VarId>,
    /// Found when a value is chosen for the first time.
    live: Option<Liveness>,
}

impl<'a> Run<'a> {
    fn new(program: &'a Program, observed: &'a [VarId]) -> Self {
        let edges = program.threads[main()].edges.iter();
        let chooses = edges
            .map(|edge| {
                let values = edge.assigns.iter().map(|a| a.value);
                let mut derefs = edge.derefs.iter().map(|d| d.addr);
                values
                    .chain(derefs.by_ref())
                    .any(|e| any(program, e, |l| matches!(l, Leaf::Input(_))))
            })
            .collect();
        Self { program, observed, chooses, chosen: HashSet::default(), live: None }
    }

    /// Runs `main` as long as its run is the only one, no further than a state that `stops` wants
    /// to be looked at; `each` is told of each edge and the state after it.
    fn follow(
        &mut self,
        budget: &Budget,
        stops: &mut dyn FnMut(&State) -> bool,
        mut each: impl FnMut(&mut Self, &State, EdgeId),
    ) -> Result<(), Stop> {
        let machine = Machine::new(self.program);
        let mut state = machine.initial();
        // Others may run from the start, as interrupt handlers do.
        let free = |t: &Thread| self.program.vars[t.status].init == Status::FREE;
        if !self.program.threads.iter().skip(1).all(free) {
            return Ok(());
        }
        for count in 0..MAX_EDGES {
            if count % 1024 == 0
                && let Some(stop) = budget.check()
            {
                return Err(stop);
            }
            if stops(&state) {
                break;
            }
            let Some(loads) = self.decided(&machine, &state) else { break };
            let Ok(info) = machine.step(&mut state, main(), &mut |_| 0) else { break };
            if !self.take(&info, loads) {
                break;
            }
            each(self, &state, info.edge);
        }
        Ok(())
    }

    /// Whether what the next edge loads by address was chosen; `None` if a choice decides which
    /// edge is taken, or where it reads and writes.
    fn decided(&self, machine: &Machine<'_>, state: &State) -> Option<bool> {
        if self.chosen.is_empty() {
            return Some(false);
        }
        let (guards, reads) = machine.shared_reads(state, main()).ok()?;
        let chosen = |v: &VarId| self.chosen.contains(v);
        let mut edges = self.program.threads[main()].edges_from(state.loc(main()));
        let decided = !guards.iter().any(chosen)
            && edges.all(|(_, edge)| {
                let addresses = edge.derefs.iter().map(|d| d.addr);
                addresses.chain([edge.guard]).all(|e| !self.depends(e, false))
            });
        decided.then(|| reads.iter().any(chosen))
    }

    /// Notes what an edge did; `loads` says whether what it loads by address was chosen. `false`
    /// if the run must not include it.
    fn take(&mut self, info: &StepInfo, loads: bool) -> bool {
        let edge = &self.program.threads[main()].edges[info.edge];
        let ends = matches!(
            edge.sync,
            Sync::Create(_) | Sync::ThreadEnd | Sync::ProcessEnd | Sync::Discard
        );
        let stops = self.program.threads[main()].locations[edge.to].kind != LocKind::Running;
        if ends || stops || edge.site.is_some() {
            return false;
        }
        if self.chosen.is_empty() && !self.chooses[info.edge.index()] {
            return true;
        }
        let by_choice = |e| any(self.program, e, |l| matches!(l, Leaf::Input(_)));
        if edge.derefs.iter().any(|d| by_choice(d.addr)) {
            return false;
        }
        let named = |v| edge.assigns.iter().any(|a| a.target == Target::Var(v));
        let mut changes = vec![];
        for assign in &edge.assigns {
            let chosen = by_choice(assign.value) || self.depends(assign.value, loads);
            match assign.target {
                Target::Var(v) => changes.push((v, chosen, true)),
                Target::Deref(d) => {
                    let bits = 8 * edge.derefs[d].bytes;
                    let written = info.changes.iter().map(|c| c.0).filter(|&v| !named(v));
                    changes
                        .extend(written.map(|v| (v, chosen, self.program.vars[v].width == bits)));
                }
            }
        }
        // A signal chooses among those that wait: nobody, if nobody does.
        if edge.sync == Sync::Signal {
            let waiters = |v: VarId| self.program.vars[v].role == Role::Waiters;
            let nobody = |v| info.changes.iter().any(|&(w, old, _)| w == v && old == 0);
            changes.iter_mut().filter(|c| waiters(c.0) && nobody(c.0)).for_each(|c| c.1 = false);
        }
        let alive = |v: VarId| matches!(self.program.vars[v].role, Role::Alive(_));
        if changes.iter().any(|&(v, chosen, _)| chosen && alive(v)) {
            return false;
        }
        // A variable may be listed for several dereferences: chosen by one of them is chosen.
        for &(v, ..) in changes.iter().filter(|(_, chosen, whole)| !chosen && *whole) {
            self.chosen.remove(&v);
        }
        self.chosen.extend(changes.iter().filter(|c| c.1).map(|c| c.0));
        true
    }

    /// Whether a value depends on a choice so far; `loads` says whether what is loaded by address
    /// does. The lifetime of an object depends on none.
    fn depends(&self, e: ProgExpr, loads: bool) -> bool {
        any(self.program, e, |leaf| match leaf {
            Leaf::Var(v) => self.chosen.contains(&v),
            Leaf::Loaded(_) => loads,
            Leaf::Valid(_) | Leaf::Address(_) | Leaf::Input(_) => false,
        })
    }

    /// Whether the run may end in a state: outside of atomic sections, with no chosen value that
    /// may be read later. An object whose lifetime has ended is chosen anew when it begins again.
    fn is_determined(&mut self, state: &State) -> bool {
        let (program, loc) = (self.program, state.loc(main()));
        if program.threads[main()].locations[loc].atomic {
            return false;
        }
        if self.chosen.is_empty() {
            return true;
        }
        let live = self
            .live
            .get_or_insert_with(|| Liveness::new(program, main(), &Slice::all(program), &[]));
        let forgotten = |v: VarId| match program.vars[v].object.map(|o| program.objects[o].lifetime)
        {
            Some(Lifetime::While(alive)) => state.value(alive) == 0,
            Some(Lifetime::Static) => false,
            None => live.is_local(v) && !live.is_live(loc, v),
        };
        self.chosen.iter().all(|&v| forgotten(v) && !self.observed.contains(&v))
    }
}

/// Whether a leaf of the expression has the property.
fn any(program: &Program, e: ProgExpr, mut is: impl FnMut(Leaf) -> bool) -> bool {
    let mut found = false;
    program.pool.for_each_leaf(e, |leaf, _| found |= is(leaf));
    found
}
