//! Claims that a property holds, by an unrolling.

use super::straight::Straight;
use super::{Audit, Fault};
use crate::aig::{Aig, Lit};
use crate::base::Budget;
use crate::engine::Problem;
use crate::engine::unroll::cone;
use crate::sat::{self, Answer, Backend};

/// Is the property false in every state that meets the constraints?
pub(super) fn trivial(aig: &Aig, bad: usize, backend: Backend, budget: &Budget) -> Audit {
    let mut frame = Straight::anywhere(aig, backend);
    let mut wrong = frame.constraints();
    wrong.push(frame.lit(aig.bads[bad].value));
    match frame.ask(&wrong, budget) {
        Answer::Sat => Audit::Refuted(Fault::NotTrivial),
        Answer::Unsat => Audit::Confirmed,
        Answer::Unknown(stop) => Audit::NotDone(stop),
    }
}

/// Are the properties at the positions `bads` unreachable with up to `depth` moves, and is there
/// no run with more? An audit for each property.
///
/// All frames are put before the solver at once: is anything in them that the claim excludes?
/// (Question by question, frame by frame, took up to four times as long.)
pub(super) fn complete(
    problem: &Problem,
    bads: &[usize],
    depth: usize,
    backend: Backend,
    budget: &Budget,
) -> Vec<Audit> {
    let mut check = Check {
        problem,
        bads,
        budget,
        unrolling: Straight::initial(problem.aig, backend),
        excluded: vec![],
        audits: vec![Audit::Confirmed; bads.len()],
    };
    if let Err(end) = check.unroll(depth, backend).and_then(|()| check.search()) {
        for audit in check.audits.iter_mut().filter(|a| **a == Audit::Confirmed) {
            *audit = end.clone();
        }
    }
    check.audits
}

/// Something that must not happen, with a literal that can only be true where it does.
struct Excluded {
    /// Position in `Check::bads` of the property that it refutes; `None`: all.
    property: Option<usize>,
    fault: Fault,
    lit: sat::Lit,
}

struct Check<'a> {
    problem: &'a Problem<'a>,
    /// Positions of circuit properties.
    bads: &'a [usize],
    budget: &'a Budget,
    unrolling: Straight<'a>,
    excluded: Vec<Excluded>,
    /// In the order of `bads`; `Confirmed` as long as nothing is found.
    audits: Vec<Audit>,
}

impl Check<'_> {
    fn exclude(&mut self, property: Option<usize>, fault: Fault, lits: &[sat::Lit]) {
        let lit = self.unrolling.all(lits);
        self.excluded.push(Excluded { property, fault, lit });
    }

    /// Builds all frames and what must not happen in them. `Err` ends the audit.
    fn unroll(&mut self, depth: usize, backend: Backend) -> Result<(), Audit> {
        let watched = self.latches_to_watch(backend)?;
        let signal = self.problem.moved.unwrap_or(Lit::TRUE);
        // Where all earlier frames move and meet the constraints.
        let mut run = vec![];
        for frame in 0..=depth {
            if let Some(stop) = self.budget.check() {
                return Err(Audit::NotDone(stop));
            }
            if frame > 0 {
                self.unrolling.advance();
            }
            run.extend(self.unrolling.constraints());
            let here = self.unrolling.all(&run);
            for (k, &bad) in self.bads.iter().enumerate() {
                let bad = self.unrolling.lit(self.problem.aig.bads[bad].value);
                self.exclude(Some(k), Fault::Violated(frame), &[here, bad]);
            }
            let moved = self.unrolling.lit(signal);
            if !watched.is_empty() {
                let change = self.unrolling.changes(&watched);
                self.exclude(None, Fault::NoStutter(frame), &[here, !moved, change]);
            }
            if frame == depth {
                self.exclude(None, Fault::NotComplete, &[here, moved]);
                if let Some(can_move) = self.problem.can_move {
                    let can_move = self.unrolling.lit(can_move);
                    self.exclude(None, Fault::CanMove, &[here, can_move]);
                }
            }
            run = vec![here, moved];
        }
        Ok(())
    }

    /// Searches for what must not happen, until all properties are refuted or there is no more.
    /// `Err` is the audit of all that are not.
    fn search(&mut self) -> Result<(), Audit> {
        while self.audits.contains(&Audit::Confirmed) {
            let audits = &self.audits;
            self.excluded.retain(|x| x.property.is_none_or(|k| audits[k] == Audit::Confirmed));
            let lits: Vec<sat::Lit> = self.excluded.iter().map(|x| x.lit).collect();
            let any = self.unrolling.any(&lits);
            match self.unrolling.ask(&[any], self.budget) {
                Answer::Sat => self.record()?,
                Answer::Unsat => break,
                Answer::Unknown(stop) => return Err(Audit::NotDone(stop)),
            }
        }
        Ok(())
    }

    /// Refutes what the solver's model refutes.
    fn record(&mut self) -> Result<(), Audit> {
        for x in self.excluded.iter().filter(|x| self.unrolling.value(x.lit)) {
            let refuted = Audit::Refuted(x.fault.clone());
            match x.property {
                Some(k) if self.audits[k] == Audit::Confirmed => self.audits[k] = refuted,
                Some(_) => {}
                None => return Err(refuted),
            }
        }
        Ok(())
    }

    /// The latches that matter, if in some state, reachable or not, a frame that does not move
    /// changes one of them; none otherwise.
    fn latches_to_watch(&self, backend: Backend) -> Result<Vec<usize>, Audit> {
        let Some(moved) = self.problem.moved else { return Ok(vec![]) };
        let live = cone(self.problem.aig, &self.problem.roots());
        let latches = self.problem.aig.latches().iter().enumerate();
        let latches: Vec<usize> = latches.filter(|(_, l)| live[l.var]).map(|(k, _)| k).collect();
        let mut frame = Straight::anywhere(self.problem.aig, backend);
        let mut wrong = frame.constraints();
        wrong.extend([frame.lit(!moved), frame.changes(&latches)]);
        match frame.ask(&wrong, self.budget) {
            Answer::Sat => Ok(latches),
            Answer::Unsat => Ok(vec![]),
            Answer::Unknown(stop) => Err(Audit::NotDone(stop)),
        }
    }
}
