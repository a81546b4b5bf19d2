//! Claims that a property holds, by an unrolling.

use super::straight::Straight;
use super::{Audit, Fault};
use crate::aig::{Aig, Lit};
use crate::base::Budget;
use crate::engine::Problem;
use crate::engine::unroll::cone;
use crate::sat::{Answer, Backend};

/// Is the property false in every state that meets the constraints?
pub(super) fn trivial(aig: &Aig, bad: usize, backend: Backend, budget: &Budget) -> Audit {
    let mut frame = Straight::anywhere(aig, backend);
    let bad = frame.lit(aig.bads[bad].value);
    match frame.ask(&[bad], budget) {
        Answer::Sat => Audit::Refuted(Fault::NotTrivial),
        Answer::Unsat => Audit::Confirmed,
        Answer::Unknown(stop) => Audit::NotDone(stop),
    }
}

/// Are the properties at the positions `bads` unreachable with up to `depth` moves, and is there
/// no run with more? An audit for each property.
pub(super) fn complete(
    problem: &Problem,
    bads: &[usize],
    depth: usize,
    backend: Backend,
    budget: &Budget,
) -> Vec<Audit> {
    let mut check = Check::new(problem, bads, backend, budget);
    let found = check.good(depth, backend).and_then(|()| check.ends());
    check.audits(found)
}

/// Is the property at the position `bad` good in the first `frames` frames of all runs?
pub(super) fn good(
    problem: &Problem,
    bad: usize,
    frames: usize,
    backend: Backend,
    budget: &Budget,
) -> Audit {
    let Some(last) = frames.checked_sub(1) else { return Audit::Confirmed };
    let bads = [bad];
    let mut check = Check::new(problem, &bads, backend, budget);
    let found = check.good(last, backend);
    check.audits(found).remove(0)
}

/// The latches that matter, if in some state, reachable or not, a frame that does not move
/// changes one of them; none otherwise.
pub(super) fn moving_latches(
    problem: &Problem,
    backend: Backend,
    budget: &Budget,
) -> Result<Vec<usize>, Audit> {
    let Some(moved) = problem.moved else { return Ok(vec![]) };
    let live = cone(problem.aig, &problem.roots());
    let latches = problem.aig.latches().iter().enumerate();
    let latches: Vec<usize> = latches.filter(|(_, l)| live[l.var]).map(|(k, _)| k).collect();
    let mut frame = Straight::anywhere(problem.aig, backend);
    let (still, change) = (frame.lit(!moved), frame.changes(&latches));
    match frame.ask(&[still, change], budget) {
        Answer::Sat => Ok(latches),
        Answer::Unsat => Ok(vec![]),
        Answer::Unknown(stop) => Err(Audit::NotDone(stop)),
    }
}

struct Check<'a> {
    problem: &'a Problem<'a>,
    budget: &'a Budget,
    unrolling: Straight<'a>,
    /// Positions of circuit properties.
    bads: &'a [usize],
    /// Positions in `bads` of those that are not refuted.
    open: Vec<usize>,
    /// In the order of `bads`.
    audits: Vec<Audit>,
}

impl<'a> Check<'a> {
    fn new(
        problem: &'a Problem<'a>,
        bads: &'a [usize],
        backend: Backend,
        budget: &'a Budget,
    ) -> Self {
        Check {
            problem,
            budget,
            unrolling: Straight::initial(problem.aig, backend),
            open: (0..bads.len()).collect(),
            audits: vec![Audit::Confirmed; bads.len()],
            bads,
        }
    }

    /// The audits, if this was found about all open properties.
    fn audits(mut self, found: Result<(), Audit>) -> Vec<Audit> {
        if let Err(found) = found {
            for k in self.open {
                self.audits[k] = found.clone();
            }
        }
        self.audits
    }

    /// Looks for bad frames with up to `depth` moves before them. `Err` says what holds for all
    /// open properties, here and below.
    fn good(&mut self, depth: usize, backend: Backend) -> Result<(), Audit> {
        let moving = moving_latches(self.problem, backend, self.budget)?;
        for frame in 0..=depth {
            if frame > 0 {
                if let Some(moved) = self.problem.moved {
                    self.unrolling.demand(moved);
                }
                self.unrolling.advance();
            }
            self.properties(frame)?;
            if let (Some(moved), false) = (self.problem.moved, moving.is_empty()) {
                let (still, change) = (self.unrolling.lit(!moved), self.unrolling.changes(&moving));
                self.never(&[still, change], Fault::NoStutter(frame))?;
            }
        }
        Ok(())
    }

    /// Looks for a move in the current frame.
    fn ends(&mut self) -> Result<(), Audit> {
        let moved = self.unrolling.lit(self.problem.moved.unwrap_or(Lit::TRUE));
        self.never(&[moved], Fault::NotComplete)?;
        if let Some(can_move) = self.problem.can_move {
            let can_move = self.unrolling.lit(can_move);
            self.never(&[can_move], Fault::CanMoveDisagrees)?;
        }
        Ok(())
    }

    fn never(&mut self, lits: &[crate::sat::Lit], fault: Fault) -> Result<(), Audit> {
        match self.unrolling.ask(lits, self.budget) {
            Answer::Sat => Err(Audit::Refuted(fault)),
            Answer::Unsat => Ok(()),
            Answer::Unknown(stop) => Err(Audit::NotDone(stop)),
        }
    }

    /// Refutes the properties that are violated in the current frame.
    fn properties(&mut self, frame: usize) -> Result<(), Audit> {
        while !self.open.is_empty() {
            let bad = |k: usize| self.problem.aig.bads[self.bads[k]].value;
            let lits: Vec<_> = self.open.iter().map(|&k| self.unrolling.lit(bad(k))).collect();
            let any = self.unrolling.any(&lits);
            match self.unrolling.ask(&[any], self.budget) {
                Answer::Sat => {
                    let (hit, rest): (Vec<_>, Vec<_>) =
                        self.open.iter().partition(|&&k| self.unrolling.value(bad(k)));
                    for k in hit {
                        self.audits[k] = Audit::Refuted(Fault::Violated(frame));
                    }
                    self.open = rest;
                }
                Answer::Unsat => break,
                Answer::Unknown(stop) => return Err(Audit::NotDone(stop)),
            }
        }
        Ok(())
    }
}
