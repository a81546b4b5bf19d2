//! Expressions as text.
//!
//! Infix in the style of C; `u` and `s` tell unsigned from signed operators (`<u`, `/s`,
//! `>>u`), `{h, l}` is a concatenation, `a[7:4]` an extract, `zext32(a)` an extension.

use std::fmt::Write;

use super::op::{Op1, Op2};
use super::pool::{ExprId, Leaf, Node, Pool};

/// Nesting beyond which `…` stands for an operand.
const MAX_DEPTH: u32 = 200;

/// What is left to print.
struct Printer<'a, L, F> {
    pool: &'a Pool<L>,
    name: F,
    out: String,
    /// Nodes that may still be printed.
    left: usize,
}

impl<L: Leaf> Pool<L> {
    /// The expression as text with at most about `limit` operators, leaves and constants; `…`
    /// stands for the rest. Shared operands are repeated.
    pub fn show(&self, e: ExprId, limit: usize, mut leaf: impl FnMut(L) -> String) -> String {
        self.show_named(e, limit, |e| match self.node(e) {
            Node::Leaf(l) => Some(leaf(l)),
            _ => None,
        })
    }

    /// As [`Pool::show`], with `name` instead of each operand that has one; all leaves should.
    pub fn show_named(
        &self,
        e: ExprId,
        limit: usize,
        name: impl FnMut(ExprId) -> Option<String>,
    ) -> String {
        let mut printer = Printer { pool: self, name, out: String::new(), left: limit };
        printer.expression(e, 0);
        printer.out
    }
}

/// Small numbers in decimal, others in hexadecimal.
fn number(v: u128) -> String {
    if v < 1024 { v.to_string() } else { format!("{v:#x}") }
}

fn symbol(op: Op2) -> &'static str {
    match op {
        Op2::And => "&",
        Op2::Or => "|",
        Op2::Xor => "^",
        Op2::Add => "+",
        Op2::Sub => "-",
        Op2::Mul => "*",
        Op2::UDiv => "/u",
        Op2::URem => "%u",
        Op2::SDiv => "/s",
        Op2::SRem => "%s",
        Op2::Shl => "<<",
        Op2::LShr => ">>u",
        Op2::AShr => ">>s",
        Op2::Eq => "==",
        Op2::Ult => "<u",
        Op2::Ule => "<=u",
        Op2::Slt => "<s",
        Op2::Sle => "<=s",
    }
}

impl<L: Leaf, F: FnMut(ExprId) -> Option<String>> Printer<'_, L, F> {
    fn expression(&mut self, e: ExprId, depth: u32) {
        if self.left == 0 || depth > MAX_DEPTH {
            self.out.push('…');
            return;
        }
        self.left -= 1;
        if let Some(name) = (self.name)(e) {
            self.out += &name;
            return;
        }
        let width = self.pool.width(e);
        match self.pool.node(e) {
            Node::Const(v) => self.out += &number(v),
            Node::Leaf(l) => self.text(format_args!("{l:?}")),
            Node::Op1(op, a) => {
                self.out.push_str(match op {
                    Op1::Not if width == 1 => "!",
                    Op1::Not => "~",
                    Op1::Neg => "-",
                });
                self.expression(a, depth + 1);
            }
            Node::Op2(op, a, b) => {
                self.list("(", &format!(" {} ", symbol(op)), ")", &[a, b], depth)
            }
            Node::Ite(c, a, b) => {
                self.out.push('(');
                self.expression(c, depth + 1);
                self.list(" ? ", " : ", ")", &[a, b], depth);
            }
            Node::Concat(h, l) => self.list("{", ", ", "}", &[h, l], depth),
            Node::Extract(a, lo) => {
                self.expression(a, depth + 1);
                match width {
                    1 => self.text(format_args!("[{lo}]")),
                    _ => self.text(format_args!("[{}:{lo}]", lo + width - 1)),
                }
            }
            Node::ZeroExtend(a) => self.list(&format!("zext{width}("), "", ")", &[a], depth),
            Node::SignExtend(a) => self.list(&format!("sext{width}("), "", ")", &[a], depth),
        }
    }

    fn list(&mut self, open: &str, between: &str, close: &str, operands: &[ExprId], depth: u32) {
        self.out += open;
        for (k, &e) in operands.iter().enumerate() {
            if k > 0 {
                self.out += between;
            }
            self.expression(e, depth + 1);
        }
        self.out += close;
    }

    fn text(&mut self, text: std::fmt::Arguments<'_>) {
        self.out.write_fmt(text).expect("a string takes all text");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form() {
        let mut p: Pool<char> = Pool::raw();
        let (a, b, c) = (p.leaf('a', 8), p.leaf('b', 8), p.leaf('c', 1));
        let k = p.constant(0xfff, 16);
        let less = p.op2(Op2::Slt, a, b);
        let no = p.not(less);
        let both = p.and(c, no);
        let flipped = p.not(b);
        let negated = p.op1(Op1::Neg, a);
        let ite = p.ite(both, flipped, negated);
        let wide = p.concat(a, ite);
        let sum = p.op2(Op2::Add, wide, k);
        let high = p.extract(sum, 8, 8);
        let bit = p.extract(sum, 0, 1);
        let (z, s) = (p.zero_extend(bit, 8), p.sign_extend(high, 16));
        let low = p.concat(high, z);
        let e = p.op2(Op2::UDiv, low, s);
        let sum = "({a, ((c & !(a <s b)) ? ~b : -a)} + 0xfff)";
        let expected = format!("({{{sum}[15:8], zext8({sum}[0])}} /u sext16({sum}[15:8]))");
        assert_eq!(p.show(e, 1000, |l| l.to_string()), expected);
    }

    #[test]
    fn size_is_bounded() {
        let mut p: Pool<char> = Pool::raw();
        let mut e = p.leaf('a', 8);
        for _ in 0..100_000 {
            e = p.op2(Op2::Add, e, e);
        }
        assert_eq!(p.show(e, 2, |l| l.to_string()), "((… + …) + …)");
        assert!(p.show(e, 10_000, |l| l.to_string()).len() < 200_000);
    }
}
