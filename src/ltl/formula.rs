//! The arena of formulas.

use std::hash::Hash;

use crate::base::{HashMap, Id};

crate::define_id! {
    /// A formula of one [`Formulas`].
    pub struct FormulaId, "f";
}

/// One formula; its operands have lower indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node<A> {
    /// True or false everywhere.
    Const(bool),
    /// Something that is true or false at each position.
    Atom(A),
    /// Negation.
    Not(FormulaId),
    /// Both.
    And(FormulaId, FormulaId),
    /// One of them.
    Or(FormulaId, FormulaId),
    /// At the next position.
    Next(FormulaId),
    /// The first one up to a position where the second one holds, which comes.
    Until(FormulaId, FormulaId),
    /// The second one up to and including a position where the first one holds, or for ever.
    Release(FormulaId, FormulaId),
}

/// Hash-consed formulas over atoms.
#[derive(Clone, Debug)]
pub struct Formulas<A> {
    nodes: Vec<Node<A>>,
    unique: HashMap<Node<A>, FormulaId>,
}

impl<A> Default for Formulas<A> {
    fn default() -> Self {
        Self { nodes: vec![], unique: HashMap::default() }
    }
}

impl<A: Copy + Eq + Hash> Formulas<A> {
    /// The formula's operator and operands.
    pub fn node(&self, f: FormulaId) -> Node<A> {
        self.nodes[f.index()]
    }

    fn add(&mut self, node: Node<A>) -> FormulaId {
        let nodes = &mut self.nodes;
        *self.unique.entry(node).or_insert_with(|| {
            nodes.push(node);
            FormulaId::new(nodes.len() - 1)
        })
    }

    fn constant_of(&self, f: FormulaId) -> Option<bool> {
        match self.node(f) {
            Node::Const(value) => Some(value),
            _ => None,
        }
    }

    /// True or false.
    pub fn constant(&mut self, value: bool) -> FormulaId {
        self.add(Node::Const(value))
    }

    /// An atom.
    pub fn atom(&mut self, atom: A) -> FormulaId {
        self.add(Node::Atom(atom))
    }

    /// `!f`.
    pub fn not(&mut self, f: FormulaId) -> FormulaId {
        match self.node(f) {
            Node::Const(value) => self.constant(!value),
            Node::Not(inner) => inner,
            _ => self.add(Node::Not(f)),
        }
    }

    /// `a && b`.
    pub fn and(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        match (self.constant_of(a), self.constant_of(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) | (_, Some(false)) => self.constant(false),
            _ if a == b => a,
            _ => self.add(Node::And(a.min(b), a.max(b))),
        }
    }

    /// `a || b`.
    pub fn or(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        match (self.constant_of(a), self.constant_of(b)) {
            (Some(false), _) => b,
            (_, Some(false)) => a,
            (Some(true), _) | (_, Some(true)) => self.constant(true),
            _ if a == b => a,
            _ => self.add(Node::Or(a.min(b), a.max(b))),
        }
    }

    /// `a -> b`.
    pub fn implies(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        let not = self.not(a);
        self.or(not, b)
    }

    /// `a <-> b`.
    pub fn equal(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        let (there, back) = (self.implies(a, b), self.implies(b, a));
        self.and(there, back)
    }

    /// `X f`.
    pub fn next(&mut self, f: FormulaId) -> FormulaId {
        match self.constant_of(f) {
            Some(_) => f,
            None => self.add(Node::Next(f)),
        }
    }

    /// `a U b`.
    pub fn until(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        match (self.constant_of(a), self.constant_of(b)) {
            (_, Some(_)) | (Some(false), _) => b,
            _ if a == b => b,
            _ => self.add(Node::Until(a, b)),
        }
    }

    /// `a R b`.
    pub fn release(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        match (self.constant_of(a), self.constant_of(b)) {
            (_, Some(_)) | (Some(true), _) => b,
            _ if a == b => b,
            _ => self.add(Node::Release(a, b)),
        }
    }

    /// `a W b`: until, or the first one for ever.
    pub fn weak_until(&mut self, a: FormulaId, b: FormulaId) -> FormulaId {
        let either = self.or(a, b);
        self.release(b, either)
    }

    /// `F f`: at some position.
    pub fn finally(&mut self, f: FormulaId) -> FormulaId {
        let always = self.constant(true);
        self.until(always, f)
    }

    /// `G f`: at all positions.
    pub fn globally(&mut self, f: FormulaId) -> FormulaId {
        let never = self.constant(false);
        self.release(never, f)
    }

    /// The formula and those that it is made of, operands first.
    pub fn parts(&self, root: FormulaId) -> Vec<FormulaId> {
        let mut needed = vec![false; root.index() + 1];
        needed[root.index()] = true;
        let mut open = vec![root];
        while let Some(f) = open.pop() {
            for operand in operands(self.node(f)) {
                if !std::mem::replace(&mut needed[operand.index()], true) {
                    open.push(operand);
                }
            }
        }
        (0..needed.len()).filter(|&k| needed[k]).map(FormulaId::new).collect()
    }

    /// The formula, or its negation, with negations only before atoms.
    pub fn normal(&mut self, root: FormulaId, negated: bool) -> FormulaId {
        let mut known: HashMap<FormulaId, [FormulaId; 2]> = HashMap::default();
        for f in self.parts(root) {
            let both = [false, true].map(|negated| match (self.node(f), negated) {
                (Node::Const(value), _) => self.constant(value != negated),
                (Node::Atom(_), false) => f,
                (Node::Atom(_), true) => self.not(f),
                (Node::Not(a), _) => known[&a][usize::from(!negated)],
                (node, _) => {
                    let k = usize::from(negated);
                    let of = |a: FormulaId| known[&a][k];
                    match (node, negated) {
                        (Node::And(a, b), false) | (Node::Or(a, b), true) => self.and(of(a), of(b)),
                        (Node::Or(a, b), _) | (Node::And(a, b), _) => self.or(of(a), of(b)),
                        (Node::Until(a, b), false) | (Node::Release(a, b), true) => {
                            self.until(of(a), of(b))
                        }
                        (Node::Until(a, b), _) | (Node::Release(a, b), _) => {
                            self.release(of(a), of(b))
                        }
                        (Node::Next(a), _) => self.next(of(a)),
                        (Node::Const(_) | Node::Atom(_) | Node::Not(_), _) => {
                            unreachable!("treated above")
                        }
                    }
                }
            });
            known.insert(f, both);
        }
        known[&root][usize::from(negated)]
    }
}

/// The operands of a formula.
fn operands<A>(node: Node<A>) -> impl Iterator<Item = FormulaId> {
    let list = match node {
        Node::Const(_) | Node::Atom(_) => [None, None],
        Node::Not(a) | Node::Next(a) => [Some(a), None],
        Node::And(a, b) | Node::Or(a, b) | Node::Until(a, b) | Node::Release(a, b) => {
            [Some(a), Some(b)]
        }
    };
    list.into_iter().flatten()
}
