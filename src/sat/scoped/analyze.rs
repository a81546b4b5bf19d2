//! Analysis of conflicts.

use super::super::{Lit, Var};
use super::clauses::ClauseRef;
use super::state::State;
use crate::base::Id;

impl State {
    /// A consequence of the clauses that the conflict on the current level shows: its first
    /// literal is implied on the level returned, which the second one has, and false now like the
    /// others.
    pub(super) fn analyze(&mut self, conflict: ClauseRef) -> (Vec<Lit>, usize) {
        let mut seen = vec![];
        let mut learned = vec![];
        // Number of literals of the current level that are seen but not yet resolved.
        let mut open = 0;
        let mut position = self.trail.len();
        let mut clause = conflict;
        let mut resolved: Option<Lit> = None;
        let pivot = loop {
            for k in 0..self.clauses.len(clause) {
                let lit = self.clauses.lit(clause, k);
                let var = self.vars[lit.var().index()];
                if Some(lit) == resolved || var.seen || var.level == 0 {
                    continue;
                }
                self.var_mut(lit.var()).seen = true;
                seen.push(lit.var());
                self.order.bump(lit.var());
                if var.level as usize == self.level() {
                    open += 1;
                } else {
                    learned.push(lit);
                }
            }
            let lit = loop {
                position -= 1;
                if self.var(self.trail[position].var()).seen {
                    break self.trail[position];
                }
            };
            open -= 1;
            if open == 0 {
                break lit;
            }
            resolved = Some(lit);
            clause = self.var(lit.var()).reason.expect("only the pivot can be a decision");
        };
        let levels = learned.iter().fold(0, |s, l| s | self.level_bit(l.var()));
        learned.retain(|l| !self.is_redundant(l.var(), levels, &mut seen));
        for var in seen {
            self.var_mut(var).seen = false;
        }
        self.order.decay();
        learned.insert(0, !pivot);
        let level = self.second_level_first(&mut learned);
        (learned, level)
    }

    /// Puts a literal of the highest level but the first one's second; returns its level.
    fn second_level_first(&self, learned: &mut [Lit]) -> usize {
        let level = |l: &Lit| self.var(l.var()).level as usize;
        let Some(at) = (1..learned.len()).max_by_key(|&k| level(&learned[k])) else { return 0 };
        learned.swap(1, at);
        level(&learned[1])
    }

    /// A bit for the level of the variable's value.
    fn level_bit(&self, var: Var) -> u32 {
        1 << (self.var(var).level & 31)
    }

    /// Whether the variable's value follows from those of the learned clause, the other variables
    /// seen. Variables found to follow from them are marked as seen and added to `seen`.
    fn is_redundant(&mut self, var: Var, levels: u32, seen: &mut Vec<Var>) -> bool {
        if self.var(var).reason.is_none() {
            return false;
        }
        let before = seen.len();
        let mut open = vec![var];
        while let Some(var) = open.pop() {
            let clause = self.var(var).reason.expect("only implied variables are opened");
            for k in 0..self.clauses.len(clause) {
                let other = self.clauses.lit(clause, k).var();
                let state = self.vars[other.index()];
                if other == var || state.seen || state.level == 0 {
                    continue;
                }
                if state.reason.is_none() || self.level_bit(other) & levels == 0 {
                    for var in seen.drain(before..) {
                        self.var_mut(var).seen = false;
                    }
                    return false;
                }
                self.var_mut(other).seen = true;
                seen.push(other);
                open.push(other);
            }
        }
        true
    }

    /// The assumptions, all decisions being such, that make the assumption `lit` false; with it.
    pub(super) fn blame(&mut self, lit: Lit) -> Vec<Lit> {
        let mut core = vec![lit];
        if self.var(lit.var()).level == 0 {
            return core;
        }
        self.var_mut(lit.var()).seen = true;
        for position in (self.levels[0]..self.trail.len()).rev() {
            let lit = self.trail[position];
            if !std::mem::take(&mut self.var_mut(lit.var()).seen) {
                continue;
            }
            match self.var(lit.var()).reason {
                None => core.push(lit),
                Some(clause) => {
                    for k in 0..self.clauses.len(clause) {
                        let other = self.clauses.lit(clause, k);
                        if other != lit && self.var(other.var()).level > 0 {
                            self.var_mut(other.var()).seen = true;
                        }
                    }
                }
            }
        }
        core
    }

    /// Number of levels of the clause's literals.
    pub(super) fn count_levels(&self, lits: &[Lit]) -> u32 {
        let mut levels: Vec<u32> = lits.iter().map(|l| self.var(l.var()).level).collect();
        levels.sort_unstable();
        levels.dedup();
        levels.len() as u32
    }
}
