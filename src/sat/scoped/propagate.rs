//! Unit propagation.

use super::super::Lit;
use super::clauses::ClauseRef;
use super::state::{State, Value, Watch};

/// What a clause that has lost a watched literal asks for.
enum Visit {
    /// It watches another literal now.
    Moved,
    /// It keeps its watches; this literal makes it true.
    Holds(Lit),
    /// All its literals but this one, which is open or false, are false.
    Unit(Lit),
}

impl State {
    /// Makes true what clauses imply, in the scope, or everywhere on level 0. Returns a clause
    /// that is false.
    pub(super) fn propagate(&mut self) -> Option<ClauseRef> {
        while let Some(&lit) = self.trail.get(self.head) {
            self.head += 1;
            let lost = !lit;
            let mut watches = std::mem::take(&mut self.watches[lost.code() as usize]);
            let conflict = self.visit_all(lost, &mut watches);
            self.watches[lost.code() as usize] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Visits the clauses that have lost the literal; keeps in `watches` those that still watch
    /// it.
    fn visit_all(&mut self, lost: Lit, watches: &mut Vec<Watch>) -> Option<ClauseRef> {
        let mut kept = 0;
        let mut conflict = None;
        let mut next = 0;
        while next < watches.len() {
            let watch = watches[next];
            next += 1;
            let visit = match self.value(watch.blocker) {
                Value::True => Visit::Holds(watch.blocker),
                _ if watch.binary => Visit::Unit(watch.blocker),
                _ => self.visit(watch.clause, lost),
            };
            let blocker = match visit {
                Visit::Moved => continue,
                Visit::Holds(lit) | Visit::Unit(lit) => lit,
            };
            watches[kept] = Watch { blocker, ..watch };
            kept += 1;
            if let Visit::Unit(lit) = visit {
                if self.value(lit) == Value::False {
                    conflict = Some(watch.clause);
                    break;
                }
                if self.levels.is_empty() || self.var(lit.var()).scope == self.question {
                    self.enqueue(lit, Some(watch.clause));
                }
            }
        }
        let rest = watches.len() - next;
        watches.copy_within(next.., kept);
        watches.truncate(kept + rest);
        conflict
    }

    /// Looks for another literal to watch in a clause of at least three.
    fn visit(&mut self, clause: ClauseRef, lost: Lit) -> Visit {
        let values = &self.values;
        let codes = self.clauses.codes_mut(clause);
        if codes[0] == lost.code() {
            codes.swap(0, 1);
        }
        let first = Lit::from_code(codes[0]);
        if values[codes[0] as usize] == Value::True {
            return Visit::Holds(first);
        }
        let Some(at) = codes[2..].iter().position(|&c| values[c as usize] != Value::False) else {
            return Visit::Unit(first);
        };
        codes.swap(1, at + 2);
        let watch = Watch { clause, blocker: first, binary: false };
        let watched = codes[1] as usize;
        self.watches[watched].push(watch);
        Visit::Moved
    }
}
