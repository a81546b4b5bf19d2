//! The order of decisions: a heap of variables, the most active first, and a list of those that were
//! in no conflict of late: many a question is answered without conflicts.

use super::super::Var;
use crate::base::Id;

/// Position of variables that are not in the heap.
const ABSENT: u32 = u32::MAX;
/// How much less each further conflict weighs.
const DECAY: f64 = 0.95;
/// What is less active than the last conflict by this factor has no place in the heap.
const FORGOTTEN: f64 = 1e-9;

/// Activities of all variables, and a heap of some.
pub(super) struct Order {
    activity: Vec<f64>,
    /// What the next conflict adds.
    bump: f64,
    heap: Vec<Var>,
    /// For each variable its position in the heap.
    position: Vec<u32>,
    /// The variables that were in no conflict of late: decided after those of the heap, in this order.
    rest: Vec<Var>,
    /// For each variable of `rest` its position there; anything for others.
    rank: Vec<u32>,
    /// Position in `rest` of the next one.
    next: usize,
}

impl Order {
    pub(super) fn new() -> Self {
        Self {
            activity: vec![],
            bump: 1.0,
            heap: vec![],
            position: vec![],
            rest: vec![],
            rank: vec![],
            next: 0,
        }
    }

    /// Knows one variable more.
    pub(super) fn grow(&mut self) {
        self.activity.push(0.0);
        self.position.push(ABSENT);
        self.rank.push(0);
    }

    fn is_active(&self, var: Var) -> bool {
        self.activity[var.index()] > self.bump * FORGOTTEN
    }

    /// Takes these variables, in this order as far as activity does not say otherwise, after a
    /// [`clear`](Self::clear).
    pub(super) fn fill(&mut self, vars: impl Iterator<Item = Var>) {
        debug_assert!(self.heap.is_empty() && self.rest.is_empty());
        for var in vars {
            if self.is_active(var) {
                self.heap.push(var);
            } else {
                self.rank[var.index()] = self.rest.len() as u32;
                self.rest.push(var);
            }
        }
        for (position, var) in self.heap.iter().enumerate() {
            self.position[var.index()] = position as u32;
        }
        for position in (0..self.heap.len() / 2).rev() {
            self.down(position);
        }
    }

    pub(super) fn clear(&mut self) {
        for var in self.heap.drain(..) {
            self.position[var.index()] = ABSENT;
        }
        self.rest.clear();
        self.next = 0;
    }

    /// Takes a variable back that was taken out.
    pub(super) fn insert(&mut self, var: Var) {
        let rank = self.rank[var.index()] as usize;
        if self.rest.get(rank) == Some(&var) && !self.is_active(var) {
            self.next = self.next.min(rank);
        } else if self.position[var.index()] == ABSENT {
            self.position[var.index()] = self.heap.len() as u32;
            self.heap.push(var);
            self.up(self.heap.len() - 1);
        }
    }

    /// Takes out a variable: the most active one, or the first of those that are not. One that is
    /// active again may come twice.
    pub(super) fn pop(&mut self) -> Option<Var> {
        let Some(last) = self.heap.pop() else {
            let var = self.rest.get(self.next).copied();
            self.next += usize::from(var.is_some());
            return var;
        };
        self.position[last.index()] = ABSENT;
        let Some(&first) = self.heap.first() else { return Some(last) };
        self.position[first.index()] = ABSENT;
        self.place(last, 0);
        self.down(0);
        Some(first)
    }

    /// Makes the variable more active.
    pub(super) fn bump(&mut self, var: Var) {
        self.activity[var.index()] += self.bump;
        if self.activity[var.index()] > 1e100 {
            self.activity.iter_mut().for_each(|a| *a *= 1e-100);
            self.bump *= 1e-100;
        }
        if self.position[var.index()] != ABSENT {
            self.up(self.position[var.index()] as usize);
        }
    }

    /// Makes all activities count less than those that follow.
    pub(super) fn decay(&mut self) {
        self.bump /= DECAY;
    }

    fn place(&mut self, var: Var, position: usize) {
        self.heap[position] = var;
        self.position[var.index()] = position as u32;
    }

    fn up(&mut self, mut position: usize) {
        let var = self.heap[position];
        let activity = self.activity[var.index()];
        while position > 0 {
            let parent = self.heap[(position - 1) / 2];
            if self.activity[parent.index()] >= activity {
                break;
            }
            self.place(parent, position);
            position = (position - 1) / 2;
        }
        self.place(var, position);
    }

    fn down(&mut self, mut position: usize) {
        let var = self.heap[position];
        let activity = self.activity[var.index()];
        while 2 * position + 1 < self.heap.len() {
            let mut child = 2 * position + 1;
            let active = |p: usize| self.activity[self.heap[p].index()];
            if child + 1 < self.heap.len() && active(child + 1) > active(child) {
                child += 1;
            }
            if active(child) <= activity {
                break;
            }
            self.place(self.heap[child], position);
            position = child;
        }
        self.place(var, position);
    }
}
