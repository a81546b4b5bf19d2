//! The graph and its builder.

use std::fmt;
use std::ops::Not;

use super::two_level::Local;
use crate::base::{HashMap, Id, IndexVec};

crate::define_id! {
    /// A node of an [`Aig`]; node 0 is the constant false. Operands precede their users, but for
    /// the next-state functions of latches.
    pub struct Var, "n";
}

/// A node or its complement, in AIGER's numbering: `2 * variable + sign`; 0 is false, 1 true.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// Constant false.
    pub const FALSE: Lit = Lit(0);
    /// Constant true.
    pub const TRUE: Lit = Lit(1);

    /// The node, complemented if `negated`.
    pub fn new(var: Var, negated: bool) -> Self {
        Lit((var.index() as u32) << 1 | u32::from(negated))
    }

    /// The literal with this AIGER number.
    pub fn from_code(code: u32) -> Self {
        Lit(code)
    }

    /// AIGER's number of the literal.
    pub fn code(self) -> u32 {
        self.0
    }

    /// The node.
    pub fn var(self) -> Var {
        Var::new((self.0 >> 1) as usize)
    }

    /// Whether it is the node's complement.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Whether it is the constant false or true.
    pub fn is_const(self) -> bool {
        self.0 < 2
    }

    /// The literal, complemented if `flip`.
    #[must_use]
    pub fn xor(self, flip: bool) -> Self {
        Lit(self.0 ^ u32::from(flip))
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl From<bool> for Lit {
    fn from(b: bool) -> Lit {
        Lit(u32::from(b))
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", if self.is_negated() { "!" } else { "" }, self.var())
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The constant false; only node 0.
    False,
    /// The input with this position in [`Aig::inputs`].
    Input(u32),
    /// The latch with this position in [`Aig::latches`].
    Latch(u32),
    /// Conjunction; the first operand's code is not below the second's.
    And(Lit, Lit),
}

/// A latch's value at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reset {
    /// 0.
    Zero,
    /// 1.
    One,
    /// Any.
    Free,
}

/// An input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its node.
    pub var: Var,
    /// Its symbol, if it has one.
    pub name: Option<String>,
}

/// A latch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latch {
    /// Its node.
    pub var: Var,
    /// Its value at the start.
    pub reset: Reset,
    /// Its value in the next frame.
    pub next: Lit,
    /// Its symbol, if it has one.
    pub name: Option<String>,
}

/// A property, constraint or output: literals (one, but for justice) and a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named<T> {
    /// What it is about.
    pub value: T,
    /// Its symbol, if it has one.
    pub name: Option<String>,
}

/// A sequential and-inverter graph with structural hashing of its ands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aig {
    nodes: IndexVec<Var, Node>,
    unique: HashMap<(Lit, Lit), Var>,
    inputs: Vec<Input>,
    latches: Vec<Latch>,
    /// Plain outputs, without a meaning for engines.
    pub outputs: Vec<Named<Lit>>,
    /// States that must not be reached.
    pub bads: Vec<Named<Lit>>,
    /// Must hold in every frame up to and including a bad one, and for ever for justice.
    pub constraints: Vec<Named<Lit>>,
    /// Each is a set of literals; a run that makes all of one set true infinitely often (and
    /// all of `fairness`) violates it.
    pub justice: Vec<Named<Vec<Lit>>>,
    /// Assumed to be true infinitely often, for justice only.
    pub fairness: Vec<Named<Lit>>,
    /// Lines of the comment section.
    pub comments: Vec<String>,
}

impl Aig {
    /// A graph with no inputs, latches or properties.
    pub fn new() -> Self {
        let mut aig = Self::default();
        aig.nodes.push(Node::False);
        aig
    }

    /// Adds an input.
    pub fn input(&mut self, name: Option<String>) -> Lit {
        let var = self.nodes.push(Node::Input(self.inputs.len() as u32));
        self.inputs.push(Input { var, name });
        Lit::new(var, false)
    }

    /// Adds a latch; its next state is itself until [`Aig::set_next`].
    pub fn latch(&mut self, reset: Reset, name: Option<String>) -> Lit {
        let var = self.nodes.push(Node::Latch(self.latches.len() as u32));
        self.latches.push(Latch { var, reset, next: Lit::new(var, false), name });
        Lit::new(var, false)
    }

    /// Sets the next state of the latch.
    ///
    /// # Panics
    /// If `latch` is not a plain literal of a latch.
    pub fn set_next(&mut self, latch: Lit, next: Lit) {
        match self.nodes[latch.var()] {
            Node::Latch(k) if !latch.is_negated() => self.latches[k as usize].next = next,
            _ => panic!("set_next on a literal that is not a latch"),
        }
    }

    /// Conjunction, with constants, equal and complementary operands folded and the rules of
    /// [`Aig::two_level`] applied. At most one node is added.
    pub fn and(&mut self, mut a: Lit, mut b: Lit) -> Lit {
        loop {
            (a, b) = if a < b { (b, a) } else { (a, b) };
            if b == Lit::FALSE || a == !b {
                return Lit::FALSE;
            }
            if b == Lit::TRUE || a == b {
                return a;
            }
            if let Some(&var) = self.unique.get(&(a, b)) {
                return Lit::new(var, false);
            }
            match self.two_level(a, b) {
                Local::Lit(lit) => return lit,
                Local::And(x, y) => (a, b) = (x, y),
                Local::Keep => break,
            }
        }
        let var = self.nodes.push(Node::And(a, b));
        self.unique.insert((a, b), var);
        Lit::new(var, false)
    }

    /// Disjunction.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let both = self.and(a, b);
        let none = self.and(!a, !b);
        self.and(!both, !none)
    }

    /// `if c then a else b`.
    pub fn ite(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if a == b {
            return a;
        }
        let x = self.and(c, a);
        let y = self.and(!c, b);
        self.or(x, y)
    }

    /// Conjunction of all; true if there is none.
    pub fn and_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        lits.into_iter().fold(Lit::TRUE, |a, b| self.and(a, b))
    }

    /// Disjunction of all; false if there is none.
    pub fn or_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        lits.into_iter().fold(Lit::FALSE, |a, b| self.or(a, b))
    }

    /// The nodes; operands of ands precede them.
    pub fn nodes(&self) -> &IndexVec<Var, Node> {
        &self.nodes
    }

    /// What the node is.
    pub fn node(&self, var: Var) -> Node {
        self.nodes[var]
    }

    /// The inputs in order.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The latches in order.
    pub fn latches(&self) -> &[Latch] {
        &self.latches
    }

    /// Number of ands.
    pub fn num_ands(&self) -> usize {
        self.nodes.len() - 1 - self.inputs.len() - self.latches.len()
    }
}
