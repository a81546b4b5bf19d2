//! The explicit automaton of a formula in negation normal form.

use std::hash::Hash;

use super::formula::{FormulaId, Formulas, Node};

/// A state: the formulas that must hold from here on, ascending.
pub type Due = Vec<FormulaId>;

/// A way on from a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<A> {
    /// The atoms that must be true or false here.
    pub literals: Vec<(A, bool)>,
    /// The state at the next position.
    pub next: Due,
    /// Bit k is set unless the k-th until formula is put off. A run must see each bit infinitely
    /// often.
    pub marks: u64,
}

/// The automaton of one formula.
#[derive(Debug)]
pub struct Automaton<'a, A> {
    formulas: &'a Formulas<A>,
    root: FormulaId,
    untils: Vec<FormulaId>,
}

/// A step in the making.
#[derive(Clone)]
struct Partial<A> {
    todo: Vec<FormulaId>,
    done: Vec<FormulaId>,
    step: Step<A>,
}

impl<'a, A: Copy + Eq + Hash> Automaton<'a, A> {
    /// The automaton; none if there are more than 64 until formulas.
    ///
    /// # Panics
    /// Here or later if the formula is not in negation normal form.
    pub fn new(formulas: &'a Formulas<A>, root: FormulaId) -> Option<Self> {
        let is_until = |f: &FormulaId| matches!(formulas.node(*f), Node::Until(..));
        let untils: Vec<FormulaId> = formulas.parts(root).into_iter().filter(is_until).collect();
        (untils.len() <= 64).then_some(Self { formulas, root, untils })
    }

    /// The state at the first position.
    pub fn start(&self) -> Due {
        vec![self.root]
    }

    /// All marks.
    pub fn marks(&self) -> u64 {
        (0..self.untils.len()).fold(0, |all, k| all | 1 << k)
    }

    /// All ways on from a state.
    pub fn steps(&self, due: &Due) -> Vec<Step<A>> {
        let step = Step { literals: vec![], next: vec![], marks: self.marks() };
        let mut open = vec![Partial { todo: due.clone(), done: vec![], step }];
        let mut steps = vec![];
        while let Some(mut partial) = open.pop() {
            let Some(f) = partial.todo.pop() else {
                partial.step.next.sort_unstable();
                partial.step.next.dedup();
                if !steps.contains(&partial.step) {
                    steps.push(partial.step);
                }
                continue;
            };
            if partial.done.contains(&f) {
                open.push(partial);
                continue;
            }
            partial.done.push(f);
            self.expand(f, partial, &mut open);
        }
        steps
    }

    /// Adds what the formula asks for: in each possible way to a copy of the step.
    fn expand(&self, f: FormulaId, mut partial: Partial<A>, open: &mut Vec<Partial<A>>) {
        match self.formulas.node(f) {
            Node::Const(false) => {}
            Node::Const(true) => open.push(partial),
            Node::Atom(a) => literal(partial, a, true, open),
            Node::Not(a) => match self.formulas.node(a) {
                Node::Atom(a) => literal(partial, a, false, open),
                _ => unreachable!("negations stand before atoms"),
            },
            Node::And(a, b) => {
                partial.todo.extend([a, b]);
                open.push(partial);
            }
            Node::Or(a, b) => {
                for side in [a, b] {
                    let mut copy = partial.clone();
                    copy.todo.push(side);
                    open.push(copy);
                }
            }
            Node::Next(a) => {
                partial.step.next.push(a);
                open.push(partial);
            }
            Node::Until(a, b) => {
                let mut later = partial.clone();
                later.todo.push(a);
                later.step.next.push(f);
                let k = self.untils.iter().position(|&u| u == f).expect("it is part of the root");
                later.step.marks &= !(1 << k);
                partial.todo.push(b);
                open.extend([partial, later]);
            }
            Node::Release(a, b) => {
                let mut later = partial.clone();
                later.todo.push(b);
                later.step.next.push(f);
                partial.todo.extend([a, b]);
                open.extend([partial, later]);
            }
        }
    }
}

fn literal<A: Copy + Eq>(
    mut partial: Partial<A>,
    atom: A,
    value: bool,
    open: &mut Vec<Partial<A>>,
) {
    let literals = &mut partial.step.literals;
    if literals.contains(&(atom, !value)) {
        return;
    }
    if !literals.contains(&(atom, value)) {
        literals.push((atom, value));
    }
    open.push(partial);
}
