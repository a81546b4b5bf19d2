//! The search for a model in the scope.

use super::super::poll::Poll;
use super::super::{Lit, Var};
use super::state::{State, Value};
use crate::base::Stop;

/// What the search has found.
pub(super) enum Found {
    /// The trail is a model.
    Model,
    /// There is no model; these assumptions are to blame.
    Core(Vec<Lit>),
    /// The budget is spent.
    Stopped(Stop),
}

/// Conflicts before the first restart.
const RESTART: usize = 100;
/// Learned clauses of up to this rank are kept for ever.
const GOOD_RANK: u32 = 2;

impl State {
    /// Looks for a model in which the assumptions hold; `switch` belongs to clauses that end with
    /// the question.
    pub(super) fn search(&mut self, assumptions: &[Lit], switch: Lit, poll: &Poll) -> Found {
        let (mut conflicts, mut restarts) = (0, 0);
        loop {
            if let Some(conflict) = self.propagate() {
                if self.level() == 0 {
                    self.inconsistent = true;
                    return Found::Core(vec![]);
                }
                let (learned, level) = self.analyze(conflict);
                if learned == [!switch] {
                    return Found::Core(vec![]);
                }
                let rank = self.count_levels(&learned);
                self.backtrack(level);
                self.learn(&learned, rank, switch);
                conflicts += 1;
                if let Some(stop) = poll.stop() {
                    return Found::Stopped(stop);
                }
                continue;
            }
            if conflicts >= RESTART * luby(restarts) {
                (conflicts, restarts) = (0, restarts + 1);
                self.backtrack(assumptions.len());
                self.reduce();
            }
            let Some(&lit) = assumptions.get(self.level()) else {
                match self.next_decision() {
                    Some(lit) => self.decide(lit),
                    None => return Found::Model,
                }
                continue;
            };
            match self.value(lit) {
                Value::True => self.levels.push(self.trail.len()),
                Value::False => return Found::Core(self.blame(lit)),
                Value::Open => self.decide(lit),
            }
        }
    }

    /// Adds what a conflict has shown, and makes its first literal true.
    fn learn(&mut self, lits: &[Lit], rank: u32, switch: Lit) {
        let reason = (lits.len() > 1).then(|| {
            let clause = self.attach(lits, rank);
            let passing = lits.contains(&!switch);
            if passing { &mut self.passing } else { &mut self.learned }.push(clause);
            clause
        });
        self.enqueue(lits[0], reason);
    }

    /// The next decision, if a variable of the scope is open.
    fn next_decision(&mut self) -> Option<Lit> {
        let open =
            |values: &[Value], var: Var| values[Lit::from(var).code() as usize] == Value::Open;
        if !self.ordered {
            let values = &self.values;
            self.order.fill(self.scope.iter().copied().filter(|&v| open(values, v)));
            self.ordered = true;
        }
        loop {
            let var = self.order.pop()?;
            if open(&self.values, var) {
                return Some(Lit::new(var, !self.var(var).phase));
            }
        }
    }

    /// Removes half of the learned clauses if there are many.
    pub(super) fn reduce(&mut self) {
        if self.learned.len() < self.most_learned {
            return;
        }
        self.backtrack(0);
        self.most_learned += self.most_learned / 10;
        let mut learned = std::mem::take(&mut self.learned);
        learned.sort_by_key(|&c| self.clauses.rank(c));
        let good = learned.partition_point(|&c| self.clauses.rank(c) <= GOOD_RANK);
        let keep = good + (learned.len() - good) / 2;
        for clause in learned.drain(keep..).rev() {
            self.detach(clause);
        }
        self.learned = learned;
    }
}

/// The sequence 1, 1, 2, 1, 1, 2, 4, 1, … (Luby, Sinclair, Zuckerman: Optimal speedup of Las
/// Vegas algorithms, 1993) from index 0 on.
fn luby(mut index: usize) -> usize {
    loop {
        let bits = usize::BITS - (index + 1).leading_zeros();
        if index + 2 == 1 << bits {
            return 1 << (bits - 1);
        }
        index -= (1 << (bits - 1)) - 1;
    }
}
