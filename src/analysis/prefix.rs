//! The only run of `main` before it creates a thread: executed once here, so that circuits start
//! behind it.
//!
//! As long as `main` is alone and its branches and addresses depend on no choice, there is one
//! run. A value that was chosen (a local that C leaves undetermined) is remembered as such; the
//! run ends where all such values are dead, so that every run of the program comes to the state
//! that is found here, but for variables that nobody reads before they are written again.

use crate::base::{Budget, HashSet, Id, Stop};
use crate::program::{
    Edge, EdgeId, Leaf, LocId, LocKind, Machine, ProgExpr, Program, Role, State, Sync, Target,
    ThreadId, VarId,
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
        let machine = Machine::new(program);
        let mut run = Run::new(program, observed);
        let mut state = machine.initial();
        let mut path = vec![];
        let mut good = 0;
        while path.len() < MAX_EDGES && !stops(&state) && run.is_decided(state.loc(main())) {
            if path.len() % 1024 == 0
                && let Some(stop) = budget.check()
            {
                return Err(stop);
            }
            let Ok(info) = machine.step(&mut state, main(), &mut |_| 0) else { break };
            if !run.take(info.edge) {
                break;
            }
            path.push(state.loc(main()));
            if run.is_determined(state.loc(main())) {
                good = path.len();
            }
        }
        path.truncate(good);
        let mut state = machine.initial();
        for _ in &path {
            machine.step(&mut state, main(), &mut |_| 0).expect("the step was taken before");
        }
        Ok(Self { state, path })
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

    /// Whether no choice so far decides which edge is taken at a location, or where it writes.
    fn is_decided(&self, loc: LocId) -> bool {
        self.chosen.is_empty()
            || self.program.threads[main()].edges_from(loc).all(|(_, edge)| {
                let addresses = edge.derefs.iter().map(|d| d.addr);
                addresses.chain([edge.guard]).all(|e| !self.depends(e))
            })
    }

    /// Notes what an edge does; `false` if the run must not include it.
    fn take(&mut self, edge: EdgeId) -> bool {
        let e = &self.program.threads[main()].edges[edge];
        let ends =
            matches!(e.sync, Sync::Create(_) | Sync::ThreadEnd | Sync::ProcessEnd | Sync::Discard);
        let stops = self.program.threads[main()].locations[e.to].kind != LocKind::Running;
        if ends || stops || e.site.is_some() {
            return false;
        }
        if self.chosen.is_empty() && !self.chooses[edge.index()] {
            return true;
        }
        self.note(e)
    }

    fn note(&mut self, edge: &Edge) -> bool {
        let by_choice = |e| any(self.program, e, |l| matches!(l, Leaf::Input(_)));
        if edge.derefs.iter().any(|d| by_choice(d.addr)) {
            return false;
        }
        let mut changes = vec![];
        for assign in &edge.assigns {
            let chosen = by_choice(assign.value) || self.depends(assign.value);
            match assign.target {
                Target::Var(v) => changes.push((v, chosen)),
                Target::Deref(_) if chosen => return false,
                Target::Deref(_) => {}
            }
        }
        for (v, chosen) in changes {
            if chosen && matches!(self.program.vars[v].role, Role::Alive(_)) {
                return false;
            }
            if chosen {
                self.chosen.insert(v);
            } else {
                self.chosen.remove(&v);
            }
        }
        true
    }

    /// Whether a value depends on a choice so far. What is read by address may be any object's;
    /// the lifetime of an object depends on none.
    fn depends(&self, e: ProgExpr) -> bool {
        let in_object = || self.chosen.iter().any(|&v| self.program.vars[v].object.is_some());
        any(self.program, e, |leaf| match leaf {
            Leaf::Var(v) => self.chosen.contains(&v),
            Leaf::Loaded(_) => in_object(),
            Leaf::Valid(_) | Leaf::Address(_) | Leaf::Input(_) => false,
        })
    }

    /// Whether the run may end at a location: outside of atomic sections, with no chosen value
    /// that is read later.
    fn is_determined(&mut self, loc: LocId) -> bool {
        let program = self.program;
        if program.threads[main()].locations[loc].atomic {
            return false;
        }
        if self.chosen.is_empty() {
            return true;
        }
        let live =
            self.live.get_or_insert_with(|| Liveness::new(program, main(), &Slice::all(program)));
        self.chosen
            .iter()
            .all(|&v| live.is_local(v) && !live.is_live(loc, v) && !self.observed.contains(&v))
    }
}

/// Whether a leaf of the expression has the property.
fn any(program: &Program, e: ProgExpr, mut is: impl FnMut(Leaf) -> bool) -> bool {
    let mut found = false;
    program.pool.for_each_leaf(e, |leaf, _| found |= is(leaf));
    found
}
