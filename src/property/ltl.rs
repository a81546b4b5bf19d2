//! Formulas of linear temporal logic over a program.
//!
//! Atoms are C expressions as in invariants, with more names: `T:f:i` is the local `i` of function
//! `f` in thread `T`, `enabled(T)` holds where thread `T` can move, `owner(m)` is the number of the
//! thread that holds mutex `m`, 0 if it is free, and the name of a thread is its number. `ended(T)`
//! holds for ever once the thread has ended or the process is over. Binary
//! operators from tight to loose: those of C down to `|`; `U`, `R` and `W`; `&&`; `||`; `?:`; `->`;
//! `<->`. `F`, `G` and `X` reach as far as `|`: `F x == 1` is `F (x == 1)`.

use crate::base::{HashSet, IndexVec};
use crate::expr::ExprId;
use crate::ltl::{FormulaId, Formulas, Node};
use crate::program::{LocId, LocKind, Program, Role, ThreadId, VarId};

use super::expression::{Atom, AtomPool, Invariant, MAX_DEPTH, ParseError, Parser, Value};

/// Which runs a formula is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fairness {
    /// All.
    #[default]
    None,
    /// Weak fairness: a thread that can move from some time on moves infinitely often.
    Threads,
    /// Besides, strong fairness for locks: a thread that infinitely often waits for a lock that is
    /// free takes a lock infinitely often.
    Locks,
}

impl Fairness {
    /// All kinds, with what stands before the formula in the name of a property.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::None, "ltl"), (Self::Threads, "ltl,fair"), (Self::Locks, "ltl,fair-locks")];

    /// The name of properties with it, without the formula.
    pub fn prefix(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// A formula that all runs of a program should satisfy.
#[derive(Clone, Debug)]
pub struct Ltl {
    /// Its conditions.
    pub pool: AtomPool,
    /// Its formulas; the atoms are conditions of `pool`, 1 bit.
    pub formulas: Formulas<ExprId>,
    /// The whole formula.
    pub root: FormulaId,
    /// Which runs it is about.
    pub fairness: Fairness,
}

impl Ltl {
    /// The conditions that occur in it.
    pub fn atoms(&self) -> Vec<ExprId> {
        let nodes = self.formulas.parts(self.root).into_iter().map(|f| self.formulas.node(f));
        nodes.filter_map(|n| if let Node::Atom(e) = n { Some(e) } else { None }).collect()
    }

    fn leaves(&self) -> Vec<Atom> {
        let mut list = vec![];
        for e in self.atoms() {
            self.pool.for_each_leaf(e, |atom, _| list.push(atom));
        }
        list
    }

    /// The variables that it reads.
    pub fn vars(&self) -> Vec<VarId> {
        let leaves = self.leaves().into_iter();
        let mut vars: Vec<VarId> =
            leaves.filter_map(|a| if let Atom::Var(v) = a { Some(v) } else { None }).collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// The locations that it asks for.
    pub fn locations(&self) -> Vec<(ThreadId, LocId)> {
        let leaves = self.leaves().into_iter();
        leaves.filter_map(|a| if let Atom::At(t, l) = a { Some((t, l)) } else { None }).collect()
    }

    /// The same for each thread.
    pub fn locs(&self, program: &Program) -> IndexVec<ThreadId, HashSet<LocId>> {
        let mut observed = IndexVec::filled(HashSet::default(), program.threads.len());
        for (t, loc) in self.locations() {
            observed[t].insert(loc);
        }
        observed
    }

    /// Whether it says something about the very next state.
    pub fn has_next(&self) -> bool {
        let nodes = self.formulas.parts(self.root).into_iter().map(|f| self.formulas.node(f));
        nodes.into_iter().any(|n| matches!(n, Node::Next(_)))
    }

    /// Whether its truth depends on each single edge, so that nothing may be merged: if it has
    /// `X` or `enabled`, or asks for strong fairness.
    pub fn is_exact(&self) -> bool {
        self.has_next()
            || self.fairness == Fairness::Locks
            || self.leaves().iter().any(|a| matches!(a, Atom::Enabled(_)))
    }

    /// The condition, if the formula says only that it holds in all states.
    pub fn as_invariant(&self) -> Option<Invariant> {
        let Node::Release(never, always) = self.formulas.node(self.root) else { return None };
        let (Node::Const(false), Node::Atom(condition)) =
            (self.formulas.node(never), self.formulas.node(always))
        else {
            return None;
        };
        let mut state_only = true;
        self.pool.for_each_leaf(condition, |a, _| state_only &= !matches!(a, Atom::Enabled(_)));
        state_only.then(|| Invariant { pool: self.pool.clone(), condition })
    }

    /// Whether the condition holds, given the value of each leaf.
    pub fn holds(&self, condition: ExprId, leaf: &mut impl FnMut(Atom) -> u128) -> bool {
        self.pool.eval(condition, leaf) == 1
    }
}

/// Reads a formula.
///
/// # Errors
/// If it is none, or names something that the program does not have.
pub fn parse_ltl(program: &Program, text: &str, fairness: Fairness) -> Result<Ltl, ParseError> {
    let mut parser = Parser::new(program, text, Some(Formulas::default()))?;
    let value = parser.formula()?;
    parser.end()?;
    let root = parser.truth_of(value);
    let formulas = parser.formulas.expect("it was given");
    Ok(Ltl { pool: parser.pool, formulas, root, fairness })
}

impl Parser<'_> {
    fn formulas(&mut self) -> &mut Formulas<ExprId> {
        self.formulas.as_mut().expect("only temporal formulas get here")
    }

    /// `a <-> b <-> c`.
    pub(super) fn formula(&mut self) -> Result<Value, ParseError> {
        self.deeper()?;
        let mut left = self.implication()?;
        while self.accept("<->") {
            let right = self.implication()?;
            left = self.connect("<->", left, right);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn deeper(&mut self) -> Result<(), ParseError> {
        self.depth += 1;
        match self.depth > MAX_DEPTH {
            true => Err(self.error("nested too deeply")),
            false => Ok(()),
        }
    }

    /// `a -> b -> c`, which is `a -> (b -> c)`.
    fn implication(&mut self) -> Result<Value, ParseError> {
        let mut operands = vec![self.ternary()?];
        while self.accept("->") {
            operands.push(self.ternary()?);
        }
        let last = operands.pop().expect("there is one");
        Ok(operands.into_iter().rev().fold(last, |right, left| self.connect("->", left, right)))
    }

    /// `a U b U c`, which is `a U (b U c)`, and so for `R` and `W`.
    pub(super) fn temporal(&mut self) -> Result<Value, ParseError> {
        let mut operands = vec![self.binary(Self::BITWISE)?];
        let mut operators = vec![];
        while let Some(op) = ["U", "R", "W"].into_iter().find(|op| self.peek() == *op) {
            self.at += 1;
            operators.push(op);
            operands.push(self.binary(Self::BITWISE)?);
        }
        let mut right = operands.pop().expect("there is one");
        for (op, left) in operators.into_iter().zip(operands).rev() {
            let (a, b) = (self.truth_of(left), self.truth_of(right));
            let formulas = self.formulas();
            let formula = match op {
                "U" => formulas.until(a, b),
                "R" => formulas.release(a, b),
                _ => formulas.weak_until(a, b),
            };
            right = self.as_value(formula);
        }
        Ok(right)
    }

    /// Whether `F`, `G` or `X` follows as an operator: a variable with such a name counts only
    /// where no operand comes after it.
    pub(super) fn at_temporal_prefix(&self) -> bool {
        if !matches!(self.peek(), "F" | "G" | "X") {
            return false;
        }
        let next = self.tokens.get(self.at + 1).map_or("", |t| &t.text);
        let operand = !matches!(next, "U" | "R" | "W")
            && next.starts_with(|c: char| c.is_ascii_alphanumeric() || "_(!~".contains(c));
        operand || !self.program.vars.iter().any(|v| v.name == self.peek())
    }

    pub(super) fn temporal_prefix(&mut self) -> Result<Value, ParseError> {
        let op = self.peek().to_string();
        self.at += 1;
        self.deeper()?;
        let value = self.binary(Self::BITWISE)?;
        self.depth -= 1;
        let operand = self.truth_of(value);
        let formulas = self.formulas();
        let formula = match op.as_str() {
            "F" => formulas.finally(operand),
            "G" => formulas.globally(operand),
            _ => formulas.next(operand),
        };
        Ok(self.as_value(formula))
    }

    /// The formula that a value stands for: whether it is not 0.
    fn truth_of(&mut self, value: Value) -> FormulaId {
        if let Some(formula) = value.formula {
            return formula;
        }
        let condition = self.pool.is_nonzero(value.expr);
        let mut constant = true;
        self.pool.for_each_leaf(condition, |_, _| constant = false);
        if constant {
            let holds = self.pool.eval(condition, &mut |_| unreachable!("it has no leaf")) == 1;
            return self.formulas().constant(holds);
        }
        self.formulas().atom(condition)
    }

    fn as_value(&mut self, formula: FormulaId) -> Value {
        let expr = self.pool.bool(false);
        Value { expr, signed: true, formula: Some(formula) }
    }

    /// `&&`, `||`, `->` or `<->`. Of two conditions it is a condition.
    pub(super) fn connect(&mut self, op: &str, left: Value, right: Value) -> Value {
        if left.formula.is_none() && right.formula.is_none() {
            let (a, b) = (self.pool.is_nonzero(left.expr), self.pool.is_nonzero(right.expr));
            let bit = match op {
                "&&" => self.pool.and(a, b),
                "||" => self.pool.or(a, b),
                "<->" => self.pool.eq(a, b),
                _ => {
                    let not = self.pool.not(a);
                    self.pool.or(not, b)
                }
            };
            return self.truth(bit);
        }
        let (a, b) = (self.truth_of(left), self.truth_of(right));
        let formulas = self.formulas();
        let formula = match op {
            "&&" => formulas.and(a, b),
            "||" => formulas.or(a, b),
            "<->" => formulas.equal(a, b),
            _ => formulas.implies(a, b),
        };
        self.as_value(formula)
    }

    pub(super) fn negate(&mut self, value: Value) -> Value {
        let formula = self.truth_of(value);
        let formula = self.formulas().not(formula);
        self.as_value(formula)
    }

    /// What only temporal formulas know: `true`, `false`, `enabled(T)`, `owner(m)` and the number
    /// of a thread. The name has been read.
    pub(super) fn temporal_name(&mut self, name: &str) -> Result<Option<Value>, ParseError> {
        let is_variable = self.program.vars.iter().any(|v| v.name == name);
        Ok(match name {
            "true" | "false" if !is_variable => {
                let bit = self.pool.bool(name == "true");
                Some(self.truth(bit))
            }
            "enabled" if self.accept("(") => {
                let t = self.thread_argument()?;
                let leaf = self.pool.leaf(Atom::Enabled(t), 1);
                Some(self.truth(leaf))
            }
            "owner" if self.accept("(") => Some(self.owner()?),
            _ if is_variable || matches!(self.peek(), "@" | "." | ":" | "[") => None,
            _ => self.thread(name).map(|t| self.thread_number(t)),
        })
    }

    /// As owners of mutexes are numbered.
    fn thread_number(&mut self, t: ThreadId) -> Value {
        let number = self.pool.constant(crate::base::Id::index(t) as u128 + 1, 32);
        Value { expr: number, signed: true, formula: None }
    }

    /// Whether the thread has ended, be it detached or joined, or the process is over.
    pub(super) fn never_again(&mut self, t: ThreadId) -> ExprId {
        let mut some = self.pool.bool(false);
        for (u, thread) in self.program.threads.iter_enumerated() {
            for (loc, l) in thread.locations.iter_enumerated() {
                if l.kind == LocKind::Stopped || l.kind == LocKind::Ended && u == t {
                    let here = self.pool.leaf(Atom::At(u, loc), 1);
                    some = self.pool.or(some, here);
                }
            }
        }
        some
    }

    /// The argument of `owner`, and the closing parenthesis.
    fn owner(&mut self) -> Result<Value, ParseError> {
        let start = self.at;
        let first = self.peek().to_string();
        self.at += 1;
        let (path, _) = self.variable(first)?;
        let inside = format!("{path}.");
        let owners = self.program.vars.iter_enumerated().filter(|(_, v)| {
            v.role == Role::MutexOwner && (v.name == path || v.name.starts_with(&inside))
        });
        let owners: Vec<VarId> = owners.map(|(v, _)| v).collect();
        let [owner] = owners[..] else {
            self.at = start;
            return Err(self.error(format!("`{path}` is no mutex")));
        };
        self.expect(")")?;
        let leaf = self.pool.leaf(Atom::Var(owner), self.program.vars[owner].width);
        Ok(Value { expr: leaf, signed: false, formula: None })
    }
}
