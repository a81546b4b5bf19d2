//! What formulas mean on words that repeat.

use std::hash::Hash;

use super::formula::{FormulaId, Formulas, Node};
use crate::base::HashMap;

impl<A: Copy + Eq + Hash> Formulas<A> {
    /// Whether the formula holds at the first position of the word with this many positions, after
    /// the last of which comes the one at `loop_start`. `atom` tells what holds at a position.
    ///
    /// # Panics
    /// If `loop_start` is no position.
    pub fn holds(
        &self,
        root: FormulaId,
        length: usize,
        loop_start: usize,
        atom: &dyn Fn(A, usize) -> bool,
    ) -> bool {
        assert!(loop_start < length, "the loop has a position");
        let next = |k: usize| if k + 1 == length { loop_start } else { k + 1 };
        let mut known: HashMap<FormulaId, Vec<bool>> = HashMap::default();
        for f in self.parts(root) {
            let of = |a: FormulaId, k: usize| known[&a][k];
            let each = |value: &dyn Fn(usize) -> bool| (0..length).map(value).collect();
            let values: Vec<bool> = match self.node(f) {
                Node::Const(value) => vec![value; length],
                Node::Atom(a) => each(&|k| atom(a, k)),
                Node::Not(a) => each(&|k| !of(a, k)),
                Node::And(a, b) => each(&|k| of(a, k) && of(b, k)),
                Node::Or(a, b) => each(&|k| of(a, k) || of(b, k)),
                Node::Next(a) => each(&|k| of(a, next(k))),
                // From the end to the start, once more for what the loop brings.
                Node::Until(a, b) => {
                    let mut values = vec![false; length];
                    for k in (0..length).rev().chain((0..length).rev()) {
                        values[k] = of(b, k) || of(a, k) && values[next(k)];
                    }
                    values
                }
                Node::Release(a, b) => {
                    let mut values = vec![true; length];
                    for k in (0..length).rev().chain((0..length).rev()) {
                        values[k] = of(b, k) && (of(a, k) || values[next(k)]);
                    }
                    values
                }
            };
            known.insert(f, values);
        }
        known[&root][0]
    }
}
