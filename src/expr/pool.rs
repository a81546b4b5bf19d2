//! The arena of expressions: building, looking, evaluating, moving to another pool.

use std::fmt;
use std::hash::Hash;

use super::op::{Op1, Op2, mask, sign_extend};
use super::rewrite::Fuel;
use crate::base::{HashMap, Id};

/// Largest width of an expression, in bits.
pub const MAX_WIDTH: u32 = 128;

crate::define_id! {
    /// An expression of one [`Pool`].
    pub struct ExprId, "e";
}

/// What a leaf may be.
pub trait Leaf: Copy + Eq + Hash + fmt::Debug {}
impl<T: Copy + Eq + Hash + fmt::Debug> Leaf for T {}

/// One expression; operands are expressions of the same pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node<L> {
    /// A constant below `2^width`.
    Const(u128),
    /// A named value.
    Leaf(L),
    /// Operator with one operand.
    Op1(Op1, ExprId),
    /// Operator with two operands of equal width.
    Op2(Op2, ExprId, ExprId),
    /// `if condition (width 1) then a else b`; `a` and `b` have equal width.
    Ite(ExprId, ExprId, ExprId),
    /// High operand, low operand; the width is the sum.
    Concat(ExprId, ExprId),
    /// Bits `lo .. lo + width` of the operand.
    Extract(ExprId, u32),
    /// Zeros above the operand.
    ZeroExtend(ExprId),
    /// Copies of the sign bit above the operand.
    SignExtend(ExprId),
}

/// An arena of hash-consed expressions with leaves of type `L`.
#[derive(Clone, Debug)]
pub struct Pool<L> {
    nodes: Vec<(Node<L>, u32)>,
    unique: HashMap<(Node<L>, u32), ExprId>,
    rewrite: bool,
    pub(super) fuel: Fuel,
}

impl<L: Leaf> Pool<L> {
    /// A pool that keeps what is built.
    pub fn raw() -> Self {
        Self { nodes: vec![], unique: HashMap::default(), rewrite: false, fuel: Fuel::default() }
    }

    /// A pool that simplifies while building.
    pub fn rewriting() -> Self {
        Self { rewrite: true, ..Self::raw() }
    }

    /// Number of different expressions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing was built yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The expression's operator and operands.
    pub fn node(&self, e: ExprId) -> Node<L> {
        self.nodes[e.index()].0
    }

    /// The expression's width in bits, 1 to 128.
    pub fn width(&self, e: ExprId) -> u32 {
        self.nodes[e.index()].1
    }

    /// The value, if the expression is a constant.
    pub fn as_const(&self, e: ExprId) -> Option<u128> {
        match self.node(e) {
            Node::Const(v) => Some(v),
            _ => None,
        }
    }

    /// Whether this is the constant of width 1 with value 1.
    pub fn is_true(&self, e: ExprId) -> bool {
        self.width(e) == 1 && self.as_const(e) == Some(1)
    }

    /// Whether this is the constant of width 1 with value 0.
    pub fn is_false(&self, e: ExprId) -> bool {
        self.width(e) == 1 && self.as_const(e) == Some(0)
    }

    pub(super) fn intern(&mut self, node: Node<L>, width: u32) -> ExprId {
        assert!((1..=MAX_WIDTH).contains(&width), "width {width} is outside 1..=128");
        if let Some(&e) = self.unique.get(&(node, width)) {
            return e;
        }
        let e = ExprId::new(self.nodes.len());
        self.nodes.push((node, width));
        self.unique.insert((node, width), e);
        e
    }

    /// A constant; bits of `value` above `width` are dropped.
    pub fn constant(&mut self, value: u128, width: u32) -> ExprId {
        self.intern(Node::Const(value & mask(width)), width)
    }

    /// The constant of width 1.
    pub fn bool(&mut self, value: bool) -> ExprId {
        self.constant(u128::from(value), 1)
    }

    /// A leaf of a width. One leaf is always used with one width.
    pub fn leaf(&mut self, leaf: L, width: u32) -> ExprId {
        self.intern(Node::Leaf(leaf), width)
    }

    /// An operator with one operand.
    pub fn op1(&mut self, op: Op1, a: ExprId) -> ExprId {
        let w = self.width(a);
        if self.rewrite
            && let Some(e) = self.rewrite_op1(op, a, w)
        {
            return e;
        }
        self.intern(Node::Op1(op, a), w)
    }

    /// An operator with two operands.
    ///
    /// # Panics
    /// If the widths differ.
    pub fn op2(&mut self, op: Op2, a: ExprId, b: ExprId) -> ExprId {
        let w = self.width(a);
        assert_eq!(w, self.width(b), "operands of {op:?} differ in width");
        let mut operands = (a, b);
        if self.rewrite {
            if op.is_commutative() {
                operands = self.ordered(a, b);
            }
            if let Some(e) = self.rewrite_op2(op, operands.0, operands.1, w) {
                return e;
            }
        }
        let width = if op.is_comparison() { 1 } else { w };
        self.intern(Node::Op2(op, operands.0, operands.1), width)
    }

    /// `if c then a else b`.
    ///
    /// # Panics
    /// If `c` is not of width 1 or the widths of `a` and `b` differ.
    pub fn ite(&mut self, c: ExprId, a: ExprId, b: ExprId) -> ExprId {
        assert_eq!(self.width(c), 1, "a condition has width 1");
        let w = self.width(a);
        assert_eq!(w, self.width(b), "branches of ite differ in width");
        if self.rewrite
            && let Some(e) = self.rewrite_ite(c, a, b, w)
        {
            return e;
        }
        self.intern(Node::Ite(c, a, b), w)
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: ExprId, low: ExprId) -> ExprId {
        let w = self.width(high) + self.width(low);
        if self.rewrite
            && let Some(e) = self.rewrite_concat(high, low, w)
        {
            return e;
        }
        self.intern(Node::Concat(high, low), w)
    }

    /// `width` bits of `a` from bit `lo` on.
    ///
    /// # Panics
    /// If they are not inside `a`.
    pub fn extract(&mut self, a: ExprId, lo: u32, width: u32) -> ExprId {
        assert!(width >= 1 && lo + width <= self.width(a), "extract outside of the operand");
        if lo == 0 && width == self.width(a) {
            return a;
        }
        if self.rewrite
            && let Some(e) = self.rewrite_extract(a, lo, width)
        {
            return e;
        }
        self.intern(Node::Extract(a, lo), width)
    }

    /// `a` with zeros above, to `width` bits.
    ///
    /// # Panics
    /// If `width` is below the width of `a`.
    pub fn zero_extend(&mut self, a: ExprId, width: u32) -> ExprId {
        assert!(width >= self.width(a), "extension to fewer bits");
        if width == self.width(a) {
            return a;
        }
        if self.rewrite
            && let Some(e) = self.rewrite_extend(a, width, false)
        {
            return e;
        }
        self.intern(Node::ZeroExtend(a), width)
    }

    /// `a` with copies of its sign above, to `width` bits.
    ///
    /// # Panics
    /// If `width` is below the width of `a`.
    pub fn sign_extend(&mut self, a: ExprId, width: u32) -> ExprId {
        assert!(width >= self.width(a), "extension to fewer bits");
        if width == self.width(a) {
            return a;
        }
        if self.rewrite
            && let Some(e) = self.rewrite_extend(a, width, true)
        {
            return e;
        }
        self.intern(Node::SignExtend(a), width)
    }

    /// `a` cut or extended to `width` bits, with its sign if `signed`.
    pub fn resize(&mut self, a: ExprId, width: u32, signed: bool) -> ExprId {
        if width <= self.width(a) {
            self.extract(a, 0, width)
        } else if signed {
            self.sign_extend(a, width)
        } else {
            self.zero_extend(a, width)
        }
    }

    /// Bitwise (for width 1: logical) complement.
    pub fn not(&mut self, a: ExprId) -> ExprId {
        self.op1(Op1::Not, a)
    }

    /// Bitwise (for width 1: logical) and.
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.op2(Op2::And, a, b)
    }

    /// Bitwise (for width 1: logical) or.
    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.op2(Op2::Or, a, b)
    }

    /// Equality.
    pub fn eq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.op2(Op2::Eq, a, b)
    }

    /// Whether `a` differs from zero.
    pub fn is_nonzero(&mut self, a: ExprId) -> ExprId {
        let w = self.width(a);
        if w == 1 {
            return a;
        }
        let zero = self.constant(0, w);
        let eq = self.eq(a, zero);
        self.not(eq)
    }

    /// The operands, in order.
    pub fn operands(&self, e: ExprId) -> impl Iterator<Item = ExprId> + use<L> {
        let list = match self.node(e) {
            Node::Const(_) | Node::Leaf(_) => [None, None, None],
            Node::Op1(_, a) | Node::Extract(a, _) | Node::ZeroExtend(a) | Node::SignExtend(a) => {
                [Some(a), None, None]
            }
            Node::Op2(_, a, b) | Node::Concat(a, b) => [Some(a), Some(b), None],
            Node::Ite(c, a, b) => [Some(c), Some(a), Some(b)],
        };
        list.into_iter().flatten()
    }

    /// Calls `f` once with each leaf (and its width) below `e`, operands before users.
    pub fn for_each_leaf(&self, e: ExprId, mut f: impl FnMut(L, u32)) {
        let mut seen = crate::base::HashSet::default();
        let mut stack = vec![e];
        while let Some(e) = stack.pop() {
            if !seen.insert(e) {
                continue;
            }
            if let Node::Leaf(l) = self.node(e) {
                f(l, self.width(e));
            }
            stack.extend(self.operands(e));
        }
    }

    /// The value of an operator node whose operands' values `value` gives; `None` for a leaf.
    pub fn apply(&self, e: ExprId, mut value: impl FnMut(ExprId) -> u128) -> Option<u128> {
        let w = self.width(e);
        Some(match self.node(e) {
            Node::Const(v) => v,
            Node::Leaf(_) => return None,
            Node::Op1(op, a) => op.apply(value(a), w),
            Node::Op2(op, a, b) => op.apply(value(a), value(b), self.width(a)),
            Node::Ite(c, a, b) => {
                if value(c) == 1 {
                    value(a)
                } else {
                    value(b)
                }
            }
            Node::Concat(h, l) => (value(h) << self.width(l)) | value(l),
            Node::Extract(a, lo) => (value(a) >> lo) & mask(w),
            Node::ZeroExtend(a) => value(a),
            Node::SignExtend(a) => sign_extend(value(a), self.width(a)) as u128 & mask(w),
        })
    }

    /// The expression's value, given the leaves' values (below `2^width`).
    pub fn eval(&self, e: ExprId, leaf: &mut impl FnMut(L) -> u128) -> u128 {
        let mut values = HashMap::default();
        self.eval_memo(e, leaf, &mut values)
    }

    /// As [`Pool::eval`], for several expressions over the same leaves: `memo` keeps what is
    /// known.
    pub fn eval_memo(
        &self,
        e: ExprId,
        leaf: &mut impl FnMut(L) -> u128,
        memo: &mut HashMap<ExprId, u128>,
    ) -> u128 {
        let mut stack = vec![(e, false)];
        while let Some((e, ready)) = stack.pop() {
            if memo.contains_key(&e) {
                continue;
            }
            if ready {
                let v = self.apply(e, |x| memo[&x]).expect("leaves are never marked ready");
                memo.insert(e, v);
                continue;
            }
            match self.node(e) {
                Node::Const(v) => {
                    memo.insert(e, v);
                }
                Node::Leaf(l) => {
                    let v = leaf(l);
                    debug_assert!(v <= mask(self.width(e)), "leaf value exceeds its width");
                    memo.insert(e, v);
                }
                _ => {
                    stack.push((e, true));
                    stack.extend(self.operands(e).map(|x| (x, false)));
                }
            }
        }
        memo[&e]
    }

    /// Builds `e` of `self` in `target`, with each leaf replaced by what `leaf` gives (of the
    /// same width). `memo` carries what is built over several calls with the same replacement.
    ///
    /// # Panics
    /// If a replacement differs in width.
    pub fn translate<M: Leaf>(
        &self,
        e: ExprId,
        target: &mut Pool<M>,
        leaf: &mut impl FnMut(&mut Pool<M>, L, u32) -> ExprId,
        memo: &mut HashMap<ExprId, ExprId>,
    ) -> ExprId {
        let mut stack = vec![(e, false)];
        while let Some((e, ready)) = stack.pop() {
            if memo.contains_key(&e) {
                continue;
            }
            let w = self.width(e);
            if !ready {
                match self.node(e) {
                    Node::Const(v) => {
                        memo.insert(e, target.constant(v, w));
                    }
                    Node::Leaf(l) => {
                        let r = leaf(target, l, w);
                        assert_eq!(target.width(r), w, "replacement of {l:?} differs in width");
                        memo.insert(e, r);
                    }
                    _ => {
                        stack.push((e, true));
                        stack.extend(self.operands(e).map(|x| (x, false)));
                    }
                }
                continue;
            }
            let r = match self.node(e) {
                Node::Const(_) | Node::Leaf(_) => unreachable!("never marked ready"),
                Node::Op1(op, a) => target.op1(op, memo[&a]),
                Node::Op2(op, a, b) => target.op2(op, memo[&a], memo[&b]),
                Node::Ite(c, a, b) => target.ite(memo[&c], memo[&a], memo[&b]),
                Node::Concat(h, l) => target.concat(memo[&h], memo[&l]),
                Node::Extract(a, lo) => target.extract(memo[&a], lo, w),
                Node::ZeroExtend(a) => target.zero_extend(memo[&a], w),
                Node::SignExtend(a) => target.sign_extend(memo[&a], w),
            };
            memo.insert(e, r);
        }
        memo[&e]
    }

    /// As [`Pool::translate`] into a pool that rewrites, but what the replacement of leaves cuts
    /// off (the other branch of an if whose condition has become constant, the other operand of a
    /// conjunction or disjunction that is decided) is not looked at.
    ///
    /// # Panics
    /// If a replacement differs in width.
    pub fn translate_reached<M: Leaf>(
        &self,
        e: ExprId,
        target: &mut Pool<M>,
        leaf: &mut impl FnMut(&mut Pool<M>, L, u32) -> ExprId,
        memo: &mut HashMap<ExprId, ExprId>,
    ) -> ExprId {
        let mut stack = vec![e];
        while let Some(&e) = stack.last() {
            if memo.contains_key(&e) {
                stack.pop();
                continue;
            }
            let known = |x: ExprId| memo.get(&x).copied();
            let cut = match self.node(e) {
                Node::Ite(c, a, b) => match known(c).map(|c| target.as_const(c)) {
                    None => Err(c),
                    Some(Some(bit)) => {
                        let reached = if bit == 1 { a } else { b };
                        known(reached).map(Some).ok_or(reached)
                    }
                    Some(None) => Ok(None),
                },
                Node::Op2(op @ (Op2::And | Op2::Or), a, b) => {
                    let decides = if op == Op2::And { 0 } else { mask(self.width(e)) };
                    let (first, second) = (a.min(b), a.max(b));
                    match (known(first), known(second)) {
                        (Some(x), _) | (_, Some(x)) if target.as_const(x) == Some(decides) => {
                            Ok(Some(x))
                        }
                        (None, _) => Err(first),
                        (_, None) => Err(second),
                        _ => Ok(None),
                    }
                }
                _ => Ok(None),
            };
            match cut {
                Err(missing) => stack.push(missing),
                Ok(Some(result)) => {
                    memo.insert(e, result);
                }
                Ok(None) => match self.operands(e).find(|x| !memo.contains_key(x)) {
                    Some(missing) => stack.push(missing),
                    None => {
                        self.translate(e, target, leaf, memo);
                    }
                },
            }
        }
        memo[&e]
    }
}
