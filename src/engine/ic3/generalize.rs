//! Inductive generalisation: literals are dropped from a cube as long as what remains is
//! inductive relative to the frame before (Bradley, VMCAI 2011; with counterexamples to
//! generalisation, that are blocked or joined: Hassan, Bradley, Somenzi, FMCAD 2013).

use super::cube::StateLit;
use super::frame::Step;
use super::search::Search;
use crate::aig::Lit;
use crate::base::Stop;

impl Search<'_> {
    /// A part of the cube into which no state of the frame before `level` outside of it has a
    /// step, as none has into `cube`. Neither meets the reset.
    pub(super) fn generalize(
        &mut self,
        cube: Vec<StateLit>,
        level: usize,
        depth: usize,
    ) -> Result<Vec<StateLit>, Stop> {
        let mut cube = self.by_activity(&cube);
        let mut needed = vec![];
        for lit in cube.clone().into_iter().rev() {
            if cube.len() == 1 {
                break;
            }
            if !cube.contains(&lit) {
                continue;
            }
            let rest = cube.iter().copied().filter(|&l| l != lit).collect();
            match self.shrink(rest, level, depth, &needed)? {
                Some(smaller) => cube = smaller,
                None => needed.push(lit),
            }
        }
        Ok(cube)
    }

    /// A part of the cube, with all of `needed`, that is off the reset and inductive relative to
    /// the frame before `level`, if there is one that is easy to find.
    fn shrink(
        &mut self,
        mut cube: Vec<StateLit>,
        level: usize,
        depth: usize,
        needed: &[StateLit],
    ) -> Result<Option<Vec<StateLit>>, Stop> {
        let mut blocked = 0;
        loop {
            if self.model.meets_reset(&cube) {
                return Ok(None);
            }
            match self.frames.step_into(level - 1, &cube, true, self.budget)? {
                Step::Impossible(core) => return Ok(Some(self.off_reset(core, &cube))),
                Step::Possible if self.options.ctgs == 0 || depth >= self.options.ctg_depth => {
                    return Ok(None);
                }
                Step::Possible => {}
            }
            let answer = self.frames.answer(level - 1);
            let shared: Vec<StateLit> =
                cube.iter().copied().filter(|&l| answer.is_true(self.model.now(l))).collect();
            if blocked < self.options.ctgs && self.block_ctg(&cube, level, depth)? {
                blocked += 1;
            } else if shared.len() < cube.len() && needed.iter().all(|l| shared.contains(l)) {
                blocked = 0;
                cube = shared;
            } else {
                return Ok(None);
            }
        }
    }

    /// Tries to block the state that the frame before `level` has just shown to lead into `cube`.
    fn block_ctg(&mut self, cube: &[StateLit], level: usize, depth: usize) -> Result<bool, Stop> {
        if level < 2 {
            return Ok(false);
        }
        let target: Vec<Lit> = cube.iter().map(|&l| self.model.next(l)).collect();
        let (ctg, _) = self.predecessor(level - 1, &target)?;
        if self.model.meets_reset(ctg.lits()) {
            return Ok(false);
        }
        let lits = self.by_activity(ctg.lits());
        match self.frames.step_into(level - 2, &lits, true, self.budget)? {
            Step::Possible => Ok(false),
            Step::Impossible(core) => {
                let core = self.off_reset(core, &lits);
                let lemma = self.generalize(core, level - 1, depth + 1)?;
                self.learn(lemma, level - 1)?;
                Ok(true)
            }
        }
    }
}
