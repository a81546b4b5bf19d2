//! Which nodes equal which: the largest set of equalities, among those that random runs do not
//! refute, that holds in first frames and after each legal frame where it holds. The constraints
//! of the frame itself are not relied on: a constraint that holds only because it is demanded
//! must stay in the circuit.

use super::SweepOptions;
use super::signatures::Signatures;
use crate::aig::{Aig, Lit, Node, Reset, Simulator, Var};
use crate::base::{Budget, HashMap, IndexVec, Rng, Stop};
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
    let mut signatures = Signatures::random(aig, options.runs, options.frames, budget)?;
    let mut rng = Rng::new(0);
    let mut alike = signatures.alike(aig);
    let mut first = Frames::initial(aig, options);
    while let Some(frame) = first.differ(&alike, &mut rng, budget)? {
        signatures.add(aig, &frame, &mut rng);
        alike = signatures.alike(aig);
    }
    loop {
        let assumed = alike.clone();
        let mut step = Frames::step(aig, &assumed, clauses, options);
        while let Some(frame) = step.differ(&alike, &mut rng, budget)? {
            signatures.add(aig, &frame, &mut rng);
            alike = signatures.alike(aig);
        }
        if alike == assumed {
            return Ok(alike);
        }
    }
}

/// For each node the literal that it may equal.
pub(super) type Alike = IndexVec<Var, Option<Lit>>;

/// A frame of a run in a solver, the first one or one after a frame in which equalities hold.
struct Frames<'a> {
    aig: &'a Aig,
    graph: Aig,
    encoder: Encoder,
    solver: Box<dyn Solver>,
    /// The frame before, if it is not the first one.
    before: Option<Frame>,
    /// The frame.
    now: Frame,
    /// Literals of the solver that can only be true where a node differs from a literal.
    differences: HashMap<(Var, Lit), Option<sat::Lit>>,
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
            before: None,
            now: Frame(IndexVec::new()),
            differences: HashMap::default(),
        }
    }

    /// The first frame of a run.
    fn initial(aig: &'a Aig, options: &SweepOptions) -> Self {
        let mut frames = Self::new(aig, options);
        let state: Vec<Lit> = aig
            .latches()
            .iter()
            .map(|latch| match latch.reset {
                Reset::Zero => Lit::FALSE,
                Reset::One => Lit::TRUE,
                Reset::Free => frames.graph.input(None),
            })
            .collect();
        frames.now = frames.frame(&state, None);
        frames
    }

    /// The frame after one in which the equalities and clauses hold.
    fn step(aig: &'a Aig, alike: &Alike, clauses: &[Clause], options: &SweepOptions) -> Self {
        let mut frames = Self::new(aig, options);
        let state: Vec<Lit> = aig.latches().iter().map(|_| frames.graph.input(None)).collect();
        let before = frames.frame(&state, Some(alike));
        for clause in clauses {
            let now = |&(k, value): &(usize, bool)| before.0[aig.latches()[k].var].xor(!value);
            let lits: Vec<Lit> = clause.iter().map(now).collect();
            frames.demand(&lits);
        }
        let next: Vec<Lit> = aig.latches().iter().map(|l| before.lit(l.next)).collect();
        frames.now = frames.frame(&next, None);
        frames.before = Some(before);
        frames
    }

    /// Builds a frame; where equalities are given, a legal one in which they hold.
    fn frame(&mut self, state: &[Lit], alike: Option<&Alike>) -> Frame {
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
            if let Some(lit) = alike.and_then(|a| a[var]) {
                let lit = frame.lit(lit);
                self.demand(&[!own, lit]);
                self.demand(&[own, !lit]);
                frame.0[var] = lit;
            }
        }
        if alike.is_some() {
            for constraint in &self.aig.constraints {
                self.demand(&[frame.lit(constraint.value)]);
            }
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

    /// A frame, (state, inputs), in which a node differs from what it is alike.
    fn differ(
        &mut self,
        alike: &Alike,
        rng: &mut Rng,
        budget: &Budget,
    ) -> Result<Option<super::signatures::Frame>, Stop> {
        let pairs = alike.iter_enumerated().filter_map(|(var, lit)| Some((var, (*lit)?)));
        let pairs: Vec<(Var, Lit)> = pairs.collect();
        let goals: Vec<sat::Lit> =
            pairs.into_iter().filter_map(|(var, lit)| self.difference(var, lit)).collect();
        if goals.is_empty() {
            return Ok(None);
        }
        match self.solver.solve_with(&goals, &[], budget) {
            Answer::Sat => Ok(Some(self.found(rng))),
            Answer::Unsat => Ok(None),
            Answer::Unknown(stop) => Err(stop),
        }
    }

    /// True only where the node differs from the literal; nothing if it never does.
    fn difference(&mut self, var: Var, lit: Lit) -> Option<sat::Lit> {
        if let Some(&known) = self.differences.get(&(var, lit)) {
            return known;
        }
        let (a, b) = (self.now.0[var], self.now.lit(lit));
        let different = self.graph.xor(a, b);
        let goal = match different {
            Lit::FALSE => None,
            Lit::TRUE => {
                let goal = sat::Lit::from(self.solver.new_var());
                self.solver.add_clause(&[goal]);
                Some(goal)
            }
            lit => Some(self.encoder.lit(&self.graph, &mut *self.solver, lit)),
        };
        self.differences.insert((var, lit), goal);
        goal
    }

    /// The state and inputs of the solver's model; at random where they do not matter.
    fn found(&self, rng: &mut Rng) -> super::signatures::Frame {
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
        let state = self.aig.latches().iter().map(|l| graph.value(self.now.0[l.var])).collect();
        let inputs = self.aig.inputs().iter().map(|i| graph.value(self.now.0[i.var])).collect();
        (state, inputs)
    }
}
