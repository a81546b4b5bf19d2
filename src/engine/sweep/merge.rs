//! Which nodes equal which: the largest set of equalities, among those that random runs do not
//! refute, that holds in first frames and after each legal frame where it holds. The constraints
//! of the frame itself are not relied on: a constraint that holds only because it is demanded
//! must stay in the circuit.

use super::SweepOptions;
use super::signatures::{self, Classes};
use crate::aig::{Aig, Lit, Node, Reset, Simulator, Var};
use crate::base::{Budget, IndexVec, Rng, Stop};
use crate::engine::cnf::Encoder;
use crate::engine::relations::Clause;
use crate::sat::{self, Answer, Solver};

/// For each node that has one the literal that it equals in all frames that only legal ones lead
/// to, as [`substitute`](crate::aig::substitute) wants them; the clauses hold in all reachable
/// states.
pub(super) fn equal(
    aig: &Aig,
    clauses: &[Clause],
    options: &SweepOptions,
    budget: &Budget,
) -> Result<IndexVec<Var, Option<Lit>>, Stop> {
    let mut classes = Classes::random(aig, options.runs, options.frames, budget)?;
    let mut rng = Rng::new(0);
    Frames::initial(aig, options).separate(&mut classes, &mut rng, budget)?;
    loop {
        let assumed = classes.alike(aig);
        let mut step = Frames::step(aig, &assumed, clauses, options);
        if !step.separate(&mut classes, &mut rng, budget)? {
            return Ok(assumed);
        }
    }
}

/// Latches that are constant, or equal another one, by the clauses.
pub(super) fn equal_latches(aig: &Aig, clauses: &[Clause]) -> IndexVec<Var, Option<Lit>> {
    let mut equal = IndexVec::filled(None, aig.nodes().len());
    let var = |k: usize| aig.latches()[k].var;
    for clause in clauses {
        if let [(latch, value)] = clause[..] {
            equal[var(latch)] = Some(Lit::from(value));
        }
    }
    for pair in clauses.windows(2) {
        // An equivalence is two clauses, with complementary literals, one after the other.
        let ([(a, x), (b, y)], [(c, v), (d, w)]) = (&pair[0][..], &pair[1][..]) else { continue };
        let complementary = (a, b) == (c, d) && x != v && y != w;
        if complementary && equal[var(*a)].is_none() && equal[var(*b)].is_none() {
            equal[var(*b)] = Some(Lit::new(var(*a), x == y));
        }
    }
    equal
}

/// For each node the literal that it may equal.
pub(super) type Alike = IndexVec<Var, Option<Lit>>;

/// A frame of a run in a solver, the first one or one after a frame in which equalities hold.
struct Frames<'a> {
    aig: &'a Aig,
    graph: Aig,
    encoder: Encoder,
    solver: Box<dyn Solver>,
    /// For each latch its function in the frame.
    state: Vec<Lit>,
}

/// Functions of all nodes.
struct Frame(IndexVec<Var, Lit>);

impl Frame {
    fn lit(&self, lit: Lit) -> Lit {
        self.0[lit.var()].xor(lit.is_negated())
    }
}

impl<'a> Frames<'a> {
    fn new(aig: &'a Aig, options: &SweepOptions) -> Self {
        Self {
            aig,
            graph: Aig::new(),
            encoder: Encoder::default(),
            solver: options.backend.solver(),
            state: vec![],
        }
    }

    /// The first frame of a run.
    fn initial(aig: &'a Aig, options: &SweepOptions) -> Self {
        let mut frames = Self::new(aig, options);
        for latch in aig.latches() {
            let lit = match latch.reset {
                Reset::Zero => Lit::FALSE,
                Reset::One => Lit::TRUE,
                Reset::Free => frames.graph.input(None),
            };
            frames.state.push(lit);
        }
        frames
    }

    /// The frame after one in which the equalities and clauses hold.
    fn step(aig: &'a Aig, alike: &Alike, clauses: &[Clause], options: &SweepOptions) -> Self {
        let mut frames = Self::new(aig, options);
        let state: Vec<Lit> = aig.latches().iter().map(|_| frames.graph.input(None)).collect();
        let before = frames.before(&state, alike);
        for clause in clauses {
            let now = |&(k, value): &(usize, bool)| before.0[aig.latches()[k].var].xor(!value);
            let lits: Vec<Lit> = clause.iter().map(now).collect();
            frames.demand(&lits);
        }
        frames.state = aig.latches().iter().map(|l| before.lit(l.next)).collect();
        frames
    }

    /// Builds a legal frame in which the equalities hold.
    fn before(&mut self, state: &[Lit], alike: &Alike) -> Frame {
        let mut frame = Frame(IndexVec::filled(Lit::FALSE, self.aig.nodes().len()));
        for (latch, &lit) in self.aig.latches().iter().zip(state) {
            frame.0[latch.var] = lit;
        }
        for (var, &node) in self.aig.nodes().iter_enumerated() {
            let own = match node {
                Node::False => Lit::FALSE,
                Node::Input(_) => self.graph.input(None),
                // A latch equals only latches, which have their literals.
                Node::Latch(k) => state[k as usize],
                Node::And(a, b) => self.graph.and(frame.lit(a), frame.lit(b)),
            };
            frame.0[var] = own;
            if let Some(lit) = alike[var] {
                let lit = frame.lit(lit);
                self.demand(&[!own, lit]);
                self.demand(&[own, !lit]);
                frame.0[var] = lit;
            }
        }
        for constraint in &self.aig.constraints {
            self.demand(&[frame.lit(constraint.value)]);
        }
        frame
    }

    /// Demands one of these functions.
    fn demand(&mut self, lits: &[Lit]) {
        if lits.contains(&Lit::TRUE) || lits.iter().any(|&l| lits.contains(&!l)) {
            return;
        }
        let open = lits.iter().filter(|&&l| l != Lit::FALSE);
        let clause: Vec<sat::Lit> =
            open.map(|&l| self.encoder.lit(&self.graph, &mut *self.solver, l)).collect();
        self.solver.add_clause(&clause);
    }

    /// Splits the classes until no member of one differs from its first one in the frame, and
    /// says whether there was something to split. Equal nodes become one, so that what is built
    /// from them is often the same without a question.
    fn separate(
        &mut self,
        classes: &mut Classes,
        rng: &mut Rng,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let mut alike = classes.alike(self.aig);
        let mut split = false;
        let mut now = Frame(IndexVec::filled(Lit::FALSE, self.aig.nodes().len()));
        for (latch, &lit) in self.aig.latches().iter().zip(&self.state) {
            now.0[latch.var] = lit;
        }
        let inputs: Vec<Lit> = self.aig.inputs().iter().map(|_| self.graph.input(None)).collect();
        for (var, &node) in self.aig.nodes().iter_enumerated() {
            now.0[var] = match node {
                Node::False => Lit::FALSE,
                Node::Input(k) => inputs[k as usize],
                Node::Latch(_) => now.0[var],
                Node::And(a, b) => self.graph.and(now.lit(a), now.lit(b)),
            };
            while let Some(lit) = alike[var] {
                let lit = now.lit(lit);
                if !self.can_differ(now.0[var], lit, budget)? {
                    now.0[var] = lit;
                    break;
                }
                classes.add(self.aig, &self.found(&inputs, rng), rng);
                alike = classes.alike(self.aig);
                split = true;
            }
        }
        Ok(split)
    }

    /// Whether the two functions have different values somewhere.
    fn can_differ(&mut self, a: Lit, b: Lit, budget: &Budget) -> Result<bool, Stop> {
        let goal = match self.graph.xor(a, b) {
            Lit::FALSE => return Ok(false),
            Lit::TRUE => None,
            lit => Some(self.encoder.lit(&self.graph, &mut *self.solver, lit)),
        };
        match self.solver.solve(goal.as_slice(), budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(stop) => Err(stop),
        }
    }

    /// The state and inputs of the solver's model; at random where they do not matter.
    fn found(&self, inputs: &[Lit], rng: &mut Rng) -> signatures::Frame {
        let mut values = vec![];
        for input in self.graph.inputs() {
            let lit = self.encoder.known(Lit::new(input.var, false));
            values.push(match lit {
                Some(lit) if !self.solver.is_open(lit) => self.solver.value(lit),
                _ => rng.one_in(2),
            });
        }
        let mut graph = Simulator::new(&self.graph, &[]);
        graph.eval(&values);
        let value = |&lit: &Lit| graph.value(lit);
        (self.state.iter().map(value).collect(), inputs.iter().map(value).collect())
    }
}
