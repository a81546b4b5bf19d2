//! The model that a tool gets, and the way back.

use crate::aig::{Aig, Lit, Named, Node, Reset, Restore, Roots, cone, normalise};
use crate::engine::Problem;
use crate::engine::certificate::copy;

/// A circuit with one bad, in the normal form that [`normalise`] describes.
pub(super) struct Model {
    /// What is written.
    pub(super) aig: Aig,
    /// Before it was normalised: its latches are the first ones of `aig`, in the same order.
    plain: Aig,
    /// From the problem's circuit to `plain`.
    to_plain: Restore,
    /// From `plain` to `aig`.
    to_normal: Restore,
    /// Number of latches of the problem's circuit.
    latches: usize,
    /// For each latch of `plain`, its position in the problem's circuit.
    origins: Vec<usize>,
}

impl Model {
    /// The model whose bad is that some of the problem's properties at these positions of
    /// `problem.bads` is violated; with `only_moves` only as long as no frame has stuttered (then
    /// it proves nothing about the circuit).
    pub(super) fn new(problem: &Problem, group: &[usize], only_moves: bool) -> Self {
        let mut aig = problem.aig.clone();
        let mut bad = aig.or_all(group.iter().map(|&k| problem.aig.bads[problem.bads[k]].value));
        if let (true, Some(moved)) = (only_moves, problem.moved) {
            let stuttered = aig.latch(Reset::Zero, Some("stuttered".into()));
            let next = aig.or(stuttered, !moved);
            aig.set_next(stuttered, next);
            bad = aig.and(bad, !stuttered);
        }
        aig.bads = vec![Named { value: bad, name: None }];
        aig.comments.clear();
        let (plain, to_plain) = cone(&aig, Roots::Bad(0));
        let (aig_normal, to_normal) = normalise(&plain);
        let origins = origins(&aig, &plain, &to_plain);
        let latches = problem.aig.latches().len();
        Self { aig: aig_normal, plain, to_plain, to_normal, latches, origins }
    }

    /// The run of the problem's circuit that this run of `aig` is: first values of latches, and
    /// input vectors. `None` if it is no run of `aig`, but for the latches' first values.
    pub(super) fn run(
        &self,
        initial: &[bool],
        inputs: &[Vec<bool>],
    ) -> Option<(Vec<bool>, Vec<Vec<bool>>)> {
        let fits = initial.len() == self.aig.latches().len()
            && !inputs.is_empty()
            && inputs.iter().all(|v| v.len() == self.aig.inputs().len());
        if !fits {
            return None;
        }
        let (initial, inputs) = self.to_normal.run(initial, inputs);
        let (mut initial, inputs) = self.to_plain.run(&initial, &inputs);
        initial.truncate(self.latches);
        Some((initial, inputs))
    }

    /// An invariant of `aig` as one of the problem's circuit; `None` if it mentions latches that
    /// are not there.
    ///
    /// Where `aig` has a latch `violated`, it is false in the states that count. Where it has a
    /// latch `started`, that is true but in the first frame, whose states are then added: a state
    /// is in the invariant if it is an initial one or in that of the started ones.
    pub(super) fn clauses(
        &self,
        clauses: &[Vec<(usize, bool)>],
    ) -> Option<Vec<Vec<(usize, bool)>>> {
        let plain = self.plain.latches();
        let free = plain.iter().any(|l| l.reset == Reset::Free);
        let value_now = |latch: usize| free && latch == plain.len();
        let mut result = vec![];
        for clause in clauses {
            if clause.iter().any(|&(k, _)| k >= self.aig.latches().len()) {
                return None;
            }
            let (own, added): (Vec<_>, Vec<_>) = clause.iter().partition(|(k, _)| *k < plain.len());
            if added.iter().any(|&&(k, value)| value == value_now(k)) {
                continue;
            }
            let original = |&&(k, value): &&(usize, bool)| {
                (self.origins[k], value ^ (plain[k].reset == Reset::One))
            };
            result.push(own.iter().map(original).collect::<Vec<_>>());
        }
        Some(if free { self.or_initial(&result) } else { result })
    }

    /// As [`Model::clauses`], for an invariant that is a circuit with an input for each latch of
    /// `aig` and one output; the result has an input for each latch of the problem's circuit.
    pub(super) fn circuit(&self, invariant: &Aig) -> Aig {
        let plain = self.plain.latches();
        let free = plain.iter().any(|l| l.reset == Reset::Free);
        let mut graph = Aig::new();
        let states: Vec<Lit> = (0..self.latches).map(|_| graph.input(None)).collect();
        let value = |k: usize| match plain.get(k) {
            Some(latch) => states[self.origins[k]].xor(latch.reset == Reset::One),
            None => Lit::from(free && k == plain.len()),
        };
        let inputs: Vec<Lit> = (0..self.aig.latches().len()).map(value).collect();
        let lits = copy(&mut graph, invariant, &inputs, &[]);
        let output = invariant.outputs[0].value;
        let mut holds = lits[output.var()].xor(output.is_negated());
        if free {
            let fixed = plain.iter().zip(&self.origins).filter(|(l, _)| l.reset != Reset::Free);
            let fixed: Vec<Lit> =
                fixed.map(|(l, &k)| states[k].xor(l.reset == Reset::Zero)).collect();
            let initial = graph.and_all(fixed);
            holds = graph.or(holds, initial);
        }
        graph.outputs = vec![Named { value: holds, name: None }];
        graph
    }

    /// Adds the initial states to the invariant.
    fn or_initial(&self, clauses: &[Vec<(usize, bool)>]) -> Vec<Vec<(usize, bool)>> {
        let mut result = vec![];
        for clause in clauses {
            for (latch, &origin) in self.plain.latches().iter().zip(&self.origins) {
                let value = match latch.reset {
                    Reset::Zero => false,
                    Reset::One => true,
                    Reset::Free => continue,
                };
                let mut clause = clause.clone();
                clause.push((origin, value));
                result.push(clause);
            }
        }
        result
    }
}

/// For each latch of `small`, its position in `aig`.
fn origins(aig: &Aig, small: &Aig, restore: &Restore) -> Vec<usize> {
    let mut origins = vec![usize::MAX; small.latches().len()];
    for (k, latch) in aig.latches().iter().enumerate() {
        let lit = restore.lit(Lit::new(latch.var, false));
        if let Some(Node::Latch(j)) = lit.map(|l| small.node(l.var())) {
            origins[j as usize] = k;
        }
    }
    origins
}
