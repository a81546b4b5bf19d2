//! The order of decisions: a heap of variables, the most active first.

use super::super::Var;
use crate::base::Id;

/// Position of variables that are not in the heap.
const ABSENT: u32 = u32::MAX;
/// How much less each further conflict weighs.
const DECAY: f64 = 0.95;

/// Activities of all variables, and a heap of some.
pub(super) struct Order {
    activity: Vec<f64>,
    /// What the next conflict adds.
    bump: f64,
    heap: Vec<Var>,
    /// For each variable its position in the heap.
    position: Vec<u32>,
}

impl Order {
    pub(super) fn new() -> Self {
        Self { activity: vec![], bump: 1.0, heap: vec![], position: vec![] }
    }

    /// Knows one variable more.
    pub(super) fn grow(&mut self) {
        self.activity.push(0.0);
        self.position.push(ABSENT);
    }

    /// Makes these the variables of the heap, which must be empty.
    pub(super) fn fill(&mut self, vars: impl Iterator<Item = Var>) {
        debug_assert!(self.heap.is_empty());
        self.heap.extend(vars);
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
    }

    pub(super) fn insert(&mut self, var: Var) {
        if self.position[var.index()] == ABSENT {
            self.position[var.index()] = self.heap.len() as u32;
            self.heap.push(var);
            self.up(self.heap.len() - 1);
        }
    }

    /// Takes out the most active variable.
    pub(super) fn pop(&mut self) -> Option<Var> {
        let last = self.heap.pop()?;
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
