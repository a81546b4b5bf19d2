//! k-induction (Sheeran, Singh, Stålmarck: Checking safety properties using induction and a
//! SAT-solver, FMCAD 2000), incremental in k (Eén, Sörensson: Temporal induction by incremental
//! SAT solving, BMC 2003).
//!
//! For k = 0, 1, … the step case asks whether a path of k good frames, from any state, goes on to
//! a bad one; if not, and if no run is bad in its first k frames, the property is safe. The base
//! case is [bounded model checking](super::bmc), shared by all properties.
//!
//! A shortest violation is a simple path, so the step may look at simple paths only: then every
//! safe property is proved at last. That two states of the path differ is demanded when the
//! solver has found a path in which they are equal (Eén, Sörensson). A shortest violation also
//! meets every invariant; some that are easy to find and to prove, [relations](super::relations)
//! between latches, are demanded of all frames of the path. And it
//! moves in each frame before the last, provided that frames that do not move stutter; whether
//! they do in all states, reachable or not, is asked once.

use std::collections::hash_map::Entry;

use super::bmc::{self, BmcOptions};
use super::cnf::Encoder;
use super::relations::{Clause, RelationOptions, relations};
use super::unroll::{Unroller, cone};
use super::{Capabilities, Engine, Problem, Progress};
use crate::aig::{Aig, Lit};
use crate::base::{Budget, HashMap, Stop};
use crate::outcome::{Certificate, Reason, Verdict};
use crate::sat::{Answer, Backend, Solver};

/// Options of [`Kind`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindOptions {
    /// The last k; `None`: no bound.
    pub max_depth: Option<usize>,
    /// Stop at the first frame with a violation.
    pub first: bool,
    /// Whether the step case is restricted to simple paths.
    pub unique: bool,
    /// Relations between latches to look for, that restrict the step case; `None`: none.
    pub relations: Option<RelationOptions>,
    /// The SAT solver.
    pub backend: Backend,
}

impl Default for KindOptions {
    fn default() -> Self {
        Self {
            max_depth: None,
            first: false,
            unique: true,
            relations: Some(RelationOptions::default()),
            backend: Backend::default(),
        }
    }
}

/// k-induction.
#[derive(Clone, Debug, Default)]
pub struct Kind(pub KindOptions);

impl Engine for Kind {
    fn name(&self) -> &'static str {
        "kind"
    }

    fn description(&self) -> &'static str {
        "k-induction over simple paths; finds the bugs that bmc finds"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            refutes: true,
            proves_terminating: true,
            proves_looping: true,
            shortest: true,
        }
    }

    fn run(&self, problem: &Problem, progress: &mut dyn Progress, budget: &Budget) -> Vec<Verdict> {
        let KindOptions { max_depth, first, backend, .. } = self.0;
        // Either all knowledge about latches is used, or none.
        let values = self.0.relations.is_some();
        let options = BmcOptions { max_depth, first, backend, values, ..BmcOptions::default() };
        let mut base = bmc::Search::new(problem, &options, budget);
        let (moved, clauses) = match self.prepare(problem, budget) {
            Ok(prepared) => prepared,
            Err(stop) => {
                let unknown = Verdict::Unknown(Reason::Stopped { stop, depth: None });
                return vec![unknown; problem.bads.len()];
            }
        };
        let path = |&bad: &usize| Path::new(problem, bad, moved, &clauses, &self.0);
        let mut paths: Vec<Path> = problem.bads.iter().map(path).collect();
        let rest = loop {
            progress.frame(&base.report(self.name()));
            let next = match induction(&mut base, &mut paths, &clauses, budget) {
                Ok(()) => base.frame(),
                Err(stop) => base.stopped(stop, base.depth),
            };
            base.leave_closed(progress);
            match next {
                bmc::Step::Next => base.advance(),
                bmc::Step::End(rest) => break rest,
            }
        };
        base.verdicts.into_iter().map(|v| v.unwrap_or_else(|| rest.clone())).collect()
    }
}

impl Kind {
    /// What frames must do that move, and clauses that hold in them.
    fn prepare(
        &self,
        problem: &Problem,
        budget: &Budget,
    ) -> Result<(Option<Lit>, Vec<Clause>), Stop> {
        let stutters = stutters(problem, self.0.backend, budget)?;
        let clauses = match &self.0.relations {
            Some(options) => relations(problem.aig, options, budget)?,
            None => vec![],
        };
        Ok((problem.moved.filter(|_| stutters), clauses))
    }
}

/// Proves those of the open properties that are inductive for the base's depth, before which all
/// frames are good.
fn induction(
    base: &mut bmc::Search,
    paths: &mut [Path],
    clauses: &[Clause],
    budget: &Budget,
) -> Result<(), Stop> {
    for position in base.open().collect::<Vec<_>>() {
        let path = &mut paths[position];
        if path.ends_good(budget)? {
            let certificate = Certificate::KInduction {
                k: base.depth,
                unique: path.restricted,
                clauses: clauses.to_vec(),
            };
            base.verdicts[position] = Some(Verdict::Safe(certificate));
        } else {
            path.extend();
        }
    }
    Ok(())
}

/// Whether in all states a frame that does not move keeps all latches that matter.
pub(super) fn stutters(problem: &Problem, backend: Backend, budget: &Budget) -> Result<bool, Stop> {
    let Some(moved) = problem.moved else { return Ok(true) };
    let mut frames = Frames::new(problem.aig, &problem.roots(), backend);
    let latches = latches(problem.aig, &problem.roots());
    for constraint in &problem.aig.constraints {
        frames.demand(constraint.value);
    }
    frames.demand(!moved);
    let before = frames.functions(&latches);
    frames.unroller.advance(|_| None);
    let after = frames.functions(&latches);
    frames.demand_different(&before, &after);
    Ok(!frames.possible(Lit::TRUE, budget)?)
}

/// The latches that the roots depend on.
fn latches(aig: &Aig, roots: &[Lit]) -> Vec<Lit> {
    let live = cone(aig, roots);
    aig.latches().iter().filter(|l| live[l.var]).map(|l| Lit::new(l.var, false)).collect()
}

/// Frames from any state on, in a solver.
struct Frames<'a> {
    unroller: Unroller<'a>,
    encoder: Encoder,
    solver: Box<dyn Solver>,
    /// Whether the demands are known to be inconsistent.
    over: bool,
}

impl<'a> Frames<'a> {
    /// A frame of the cone of `roots`.
    fn new(aig: &'a Aig, roots: &[Lit], backend: Backend) -> Self {
        Self {
            unroller: Unroller::anywhere(aig, roots),
            encoder: Encoder::default(),
            solver: backend.solver(),
            over: false,
        }
    }

    /// The functions in the current frame of literals of the circuit.
    fn functions(&self, lits: &[Lit]) -> Vec<Lit> {
        lits.iter().map(|&l| self.unroller.lit(l)).collect()
    }

    /// Demands a literal of the circuit in the current frame.
    fn demand(&mut self, lit: Lit) {
        self.demand_function(self.unroller.lit(lit));
    }

    /// Demands a literal of the unroller's graph.
    fn demand_function(&mut self, lit: Lit) {
        match lit {
            Lit::TRUE => {}
            Lit::FALSE => self.over = true,
            lit => {
                let lit = self.encoder.lit(&self.unroller.graph, &mut *self.solver, lit);
                self.solver.add_clause(&[lit]);
            }
        }
    }

    /// Demands one of the circuit's literals in the current frame.
    fn demand_any(&mut self, lits: &[Lit]) {
        let lits = self.functions(lits);
        if lits.contains(&Lit::TRUE) {
            return;
        }
        let open = lits.into_iter().filter(|&l| l != Lit::FALSE);
        let clause: Vec<_> =
            open.map(|l| self.encoder.lit(&self.unroller.graph, &mut *self.solver, l)).collect();
        self.solver.add_clause(&clause);
    }

    /// Demands that two states differ.
    fn demand_different(&mut self, a: &[Lit], b: &[Lit]) {
        let graph = &mut self.unroller.graph;
        let differences: Vec<Lit> = a.iter().zip(b).map(|(&a, &b)| graph.xor(a, b)).collect();
        let different = graph.or_all(differences);
        self.demand_function(different);
    }

    /// Can the literal of the circuit be true in the current frame?
    fn possible(&mut self, lit: Lit, budget: &Budget) -> Result<bool, Stop> {
        let lit = self.unroller.lit(lit);
        if self.over || lit == Lit::FALSE {
            return Ok(false);
        }
        let assumption = (lit != Lit::TRUE)
            .then(|| self.encoder.lit(&self.unroller.graph, &mut *self.solver, lit));
        match self.solver.solve(assumption.as_slice(), budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(stop) => Err(stop),
        }
    }

    /// The values of functions in the solver's model.
    fn values<'s>(&self, states: impl Iterator<Item = &'s Vec<Lit>>) -> Vec<Vec<bool>> {
        let simulator = self.encoder.model(&self.unroller.graph, &*self.solver);
        states.map(|state| state.iter().map(|&lit| simulator.value(lit)).collect()).collect()
    }
}

/// Paths of good frames, for one property.
struct Path<'a> {
    frames: Frames<'a>,
    constraints: Vec<Lit>,
    /// Clauses that hold in all frames.
    clauses: Vec<Vec<Lit>>,
    bad: Lit,
    /// Demanded of all frames but the last.
    moved: Option<Lit>,
    /// The latches that the property and the constraints depend on.
    latches: Vec<Lit>,
    /// For each frame the functions of these latches.
    states: Vec<Vec<Lit>>,
    unique: bool,
    /// Whether some states of the path were demanded to differ.
    restricted: bool,
}

impl<'a> Path<'a> {
    /// A path of one frame.
    fn new(
        problem: &Problem<'a>,
        bad: usize,
        moved: Option<Lit>,
        clauses: &[Clause],
        options: &KindOptions,
    ) -> Self {
        let bad = problem.aig.bads[bad].value;
        let constraints: Vec<Lit> = problem.aig.constraints.iter().map(|c| c.value).collect();
        let mut roots = constraints.clone();
        roots.push(bad);
        let latches = latches(problem.aig, &roots);
        roots.extend(moved);
        let live = cone(problem.aig, &roots);
        let lit = |&(k, value): &(usize, bool)| Lit::new(problem.aig.latches()[k].var, !value);
        let clauses = clauses.iter().map(|c| c.iter().map(lit).collect::<Vec<_>>());
        let mut path = Self {
            frames: Frames::new(problem.aig, &roots, options.backend),
            constraints,
            clauses: clauses.filter(|c| c.iter().all(|l| live[l.var()])).collect(),
            bad,
            moved,
            latches,
            states: vec![],
            unique: options.unique,
            restricted: false,
        };
        path.enter();
        path
    }

    /// What holds of each frame.
    fn enter(&mut self) {
        self.states.push(self.frames.functions(&self.latches));
        for &constraint in &self.constraints {
            self.frames.demand(constraint);
        }
        for clause in &self.clauses {
            self.frames.demand_any(clause);
        }
    }

    /// Appends a frame, the last one being good.
    fn extend(&mut self) {
        self.frames.demand(!self.bad);
        if let Some(moved) = self.moved {
            self.frames.demand(moved);
        }
        self.frames.unroller.advance(|_| None);
        self.enter();
    }

    /// Whether the last frame cannot be bad.
    fn ends_good(&mut self, budget: &Budget) -> Result<bool, Stop> {
        while self.frames.possible(self.bad, budget)? {
            let equal = if self.unique { self.equal_states() } else { vec![] };
            if equal.is_empty() {
                return Ok(false);
            }
            self.restricted = true;
            for (a, b) in equal {
                self.frames.demand_different(&self.states[a], &self.states[b]);
            }
        }
        Ok(true)
    }

    /// Pairs of frames with the same state in the solver's model, one for each state that is not
    /// the first of its kind.
    fn equal_states(&self) -> Vec<(usize, usize)> {
        let mut first = HashMap::default();
        let mut equal = vec![];
        let states = self.frames.values(self.states.iter());
        for (frame, state) in states.into_iter().enumerate() {
            match first.entry(state) {
                Entry::Occupied(entry) => equal.push((*entry.get(), frame)),
                Entry::Vacant(entry) => {
                    entry.insert(frame);
                }
            }
        }
        equal
    }
}
