//! The main loop.

use super::cube::{Cube, Partial, StateLit};
use super::frame::Step;
use super::frames::Frames;
use super::lift::Lifter;
use super::model::Model;
use super::obligation::{Obligation, ObligationId, Obligations};
use super::options::Ic3Options;
use crate::aig::{Lit, run};
use crate::base::{Budget, Stop};
use crate::outcome::{Certificate, Reason, Trace, Verdict};
use crate::sat;

/// The search for proofs and violations of properties.
pub(super) struct Search<'a> {
    pub(super) model: &'a Model<'a>,
    pub(super) options: &'a Ic3Options,
    pub(super) budget: &'a Budget,
    pub(super) frames: Frames<'a>,
    lifter: Lifter<'a>,
    /// Positions in the circuit's list of the properties that are not violated so far.
    pub(super) open: Vec<usize>,
    /// Violations of the others.
    pub(super) violations: Vec<Trace>,
    /// Those of the properties that the user asked about.
    asked: Vec<usize>,
    /// Number of bad cubes found in the last frame.
    bad_states: usize,
    /// For each property of the circuit's list, the number of bad cubes found for it.
    found: Vec<usize>,
    /// For each latch how often, and how recently, it was part of a lemma.
    activity: Vec<f64>,
    /// What the next lemma adds to its latches' activity.
    bump: f64,
}

/// Values of all latches in the first frame, and of all inputs in each frame.
type Run = (Vec<bool>, Vec<Vec<bool>>);

/// How much less the next lemma's activity weighs.
const DECAY: f64 = 0.99;

impl<'a> Search<'a> {
    /// A search for the properties at the positions `bads` of the circuit's list, of which the
    /// user asked about `asked`.
    pub(super) fn new(
        model: &'a Model<'a>,
        bads: &[usize],
        asked: Vec<usize>,
        options: &'a Ic3Options,
        budget: &'a Budget,
    ) -> Self {
        Self {
            open: bads.to_vec(),
            violations: vec![],
            frames: Frames::new(model, options),
            lifter: Lifter::new(model, options),
            activity: vec![0.0; model.aig.latches().len()],
            bump: 1.0,
            bad_states: 0,
            found: vec![0; model.aig.bads.len()],
            asked,
            model,
            options,
            budget,
        }
    }

    /// Number of frames without a bad state.
    pub(super) fn depth(&self) -> usize {
        self.frames.top()
    }

    /// Sizes of the last frame's solver.
    pub(super) fn stats(&self) -> sat::Stats {
        self.frames.stats()
    }

    /// Number of questions asked so far.
    pub(super) fn questions(&self) -> usize {
        self.frames.questions()
    }

    /// Of several open properties, the one with the most bad states so far.
    pub(super) fn hardest(&self) -> Option<usize> {
        let several = self.open.iter().copied().filter(|_| self.open.len() > 1);
        several.max_by_key(|&bad| self.found[bad])
    }

    /// Pursues a property no more. Says whether it was open.
    pub(super) fn leave(&mut self, bad: usize) -> bool {
        let before = self.open.len();
        self.open.retain(|&b| b != bad);
        self.open.len() < before
    }

    /// Makes the last frame free of bad states, and appends one. At the end of the search it
    /// returns the verdict on the properties that are still open.
    pub(super) fn frame(&mut self) -> Option<Verdict> {
        match self.frame_within_budget() {
            Ok(verdict) => verdict,
            Err(stop) => {
                let depth = Some(self.depth()).filter(|&d| d > 0);
                Some(Verdict::Unknown(Reason::Stopped { stop, depth }))
            }
        }
    }

    fn frame_within_budget(&mut self) -> Result<Option<Verdict>, Stop> {
        if let Some(stop) = self.budget.check() {
            return Err(stop);
        }
        self.bad_states = 0;
        while !self.open.is_empty() && self.frames.bad(&self.bads(), self.budget)? {
            self.bad_states += 1;
            if let Some((initial, inputs)) = self.block_bad()? {
                self.record(&initial, &inputs);
                if let Some(reason) = self.enough() {
                    return Ok(Some(Verdict::Unknown(reason)));
                }
            }
        }
        if self.open.is_empty() || self.options.max_depth == Some(self.frames.top()) {
            return Ok(Some(Verdict::Unknown(Reason::Depth(self.frames.top()))));
        }
        self.frames.extend();
        let fixpoint = self.frames.propagate(self.budget)?;
        Ok(fixpoint.map(|level| Verdict::Safe(self.invariant(level + 1))))
    }

    /// After a violation: why the properties that are still open need not be pursued, if so.
    fn enough(&self) -> Option<Reason> {
        let open = |bad: &usize| self.open.contains(bad);
        let some_asked = self.asked.is_empty() || !self.asked.iter().all(open);
        if self.options.first && some_asked {
            Some(Reason::FirstOnly(Some(self.frames.top())))
        } else if !self.asked.is_empty() && !self.asked.iter().any(open) {
            Some(Reason::AllAskedViolated(Some(self.frames.top())))
        } else {
            None
        }
    }

    /// The open properties.
    fn bads(&self) -> Vec<Lit> {
        self.open.iter().map(|&bad| self.model.aig.bads[bad].value).collect()
    }

    /// The lemmas of the frame, as clauses.
    fn invariant(&self, level: usize) -> Certificate {
        let clause = |cube: &Cube| cube.lits().iter().map(|l| (l.latch(), !l.value())).collect();
        Certificate::Invariant { clauses: self.frames.excluded_cubes(level).map(clause).collect() }
    }

    /// Blocks the bad state that the last frame's solver has found, or finds a violation.
    fn block_bad(&mut self) -> Result<Option<Run>, Stop> {
        let mut obligations = Obligations::default();
        let top = self.frames.top();
        let answer = self.frames.answer(top);
        let of = |&bad: &usize| self.model.aig.bads[bad].value;
        let bad = self.open.iter().copied().find(|bad| answer.is_true(of(bad)));
        let position = bad.expect("the model makes one of the properties bad");
        self.found[position] += 1;
        let bad = of(&position);
        let (cube, inputs) = self.predecessor(top, &[bad])?;
        if self.model.meets_reset(cube.lits()) {
            return Ok(Some((self.model.initial_in(&cube), vec![inputs])));
        }
        let id = obligations.add(Obligation { cube, inputs, next: None, predecessors: 0 });
        obligations.enqueue(top, id);
        while let Some((level, id)) = obligations.pop() {
            if let Some(run) = self.block(&mut obligations, level, id)? {
                return Ok(Some(run));
            }
        }
        Ok(None)
    }

    /// Blocks an obligation in the frame, or enqueues it again behind a predecessor.
    fn block(
        &mut self,
        obligations: &mut Obligations,
        level: usize,
        id: ObligationId,
    ) -> Result<Option<Run>, Stop> {
        let obligation = obligations.get(id);
        let cube = &obligation.cube;
        if let Some(excluded) = self.frames.excluded(level, cube) {
            self.reinsert(obligations, excluded + 1, id);
            return Ok(None);
        }
        let lits = self.by_activity(cube.lits());
        match self.frames.step_into(level - 1, &lits, true, self.budget)? {
            Step::Impossible(core) => {
                let core = self.off_reset(core, &lits);
                let successor = obligation.next.map(|next| obligations.get(next).predecessors);
                let hard = successor.unwrap_or(self.bad_states) >= self.options.ctg_after;
                let depth = if hard { 0 } else { self.options.ctg_depth };
                let lemma = self.generalize(core, level, depth)?;
                let level = self.learn(lemma, level)?;
                self.reinsert(obligations, level + 1, id);
            }
            Step::Possible => {
                let target: Vec<Lit> = lits.iter().map(|&l| self.model.next(l)).collect();
                let (cube, inputs) = self.predecessor(level - 1, &target)?;
                if self.model.meets_reset(cube.lits()) {
                    let mut path = vec![inputs];
                    path.extend(obligations.inputs(id));
                    return Ok(Some((self.model.initial_in(&cube), path)));
                }
                let before = Obligation { cube, inputs, next: Some(id), predecessors: 0 };
                let before = obligations.add(before);
                obligations.count_predecessor(id);
                obligations.enqueue(level, id);
                obligations.enqueue(level - 1, before);
            }
        }
        Ok(None)
    }

    fn reinsert(&self, obligations: &mut Obligations, level: usize, id: ObligationId) {
        if self.options.reinsertion && level <= self.frames.top() {
            obligations.enqueue(level, id);
        }
    }

    /// Excludes the cube from as many frames as possible, at least up to `level`; returns the
    /// last one. No state of the frame before `level` outside of the cube may have a step into it.
    pub(super) fn learn(&mut self, cube: Vec<StateLit>, mut level: usize) -> Result<usize, Stop> {
        let mut obstacle = None;
        while level < self.frames.top() {
            match self.frames.step_into(level, &cube, true, self.budget)? {
                Step::Impossible(_) => level += 1,
                Step::Possible => {
                    obstacle = Some(Partial::of(&self.frames.answer(level).state()));
                    break;
                }
            }
        }
        for lit in &cube {
            self.activity[lit.latch()] += self.bump;
        }
        self.bump /= DECAY;
        if self.bump > 1e100 {
            self.activity.iter_mut().for_each(|a| *a /= self.bump);
            self.bump = 1.0;
        }
        self.frames.add(level, Cube::new(cube), obstacle);
        Ok(level)
    }

    /// The part `core` of the cube `whole`, with a literal of `whole` that contradicts the
    /// reset, as some literal of `whole` does.
    pub(super) fn off_reset(&self, mut core: Vec<StateLit>, whole: &[StateLit]) -> Vec<StateLit> {
        if self.model.meets_reset(&core) {
            let extra = whole.iter().find(|&&l| self.model.contradicts_reset(l));
            core.push(*extra.expect("a cube that meets the reset is a violation"));
        }
        core
    }

    /// The literals, those of active latches first.
    pub(super) fn by_activity(&self, lits: &[StateLit]) -> Vec<StateLit> {
        let mut lits = lits.to_vec();
        lits.sort_by(|a, b| self.activity[b.latch()].total_cmp(&self.activity[a.latch()]));
        lits
    }

    /// The state that the frame's solver has found, lifted to a cube from which the inputs, which
    /// are returned as well, make `target` true.
    pub(super) fn predecessor(
        &mut self,
        level: usize,
        target: &[Lit],
    ) -> Result<(Cube, Vec<bool>), Stop> {
        let answer = self.frames.answer(level);
        let (state, inputs) = (answer.state(), answer.inputs());
        let state = self.by_activity(&state);
        Ok((self.lifter.lift(&state, &inputs, target, self.budget)?, inputs))
    }

    /// Stores the violations that the run shows.
    fn record(&mut self, initial: &[bool], inputs: &[Vec<bool>]) {
        let frames = run(self.model.aig, initial, inputs);
        let legal = frames.iter().take_while(|f| f.legal());
        let frames: Vec<_> = legal.collect();
        let before = self.open.len();
        let violations = &mut self.violations;
        self.open.retain(|&bad| {
            let Some(last) = frames.iter().position(|f| f.bads[bad]) else { return true };
            let (initial, inputs) = (initial.to_vec(), inputs[..=last].to_vec());
            violations.push(Trace { bad, initial, inputs });
            false
        });
        assert!(self.open.len() < before, "obligations lead from one to the next");
    }
}
