//! The text of expressions. Shared subexpressions get names, so that the text stays as small as
//! the expression graph.

use crate::base::HashMap;
use crate::expr::{Node, Op1, Op2};
use crate::program::{Leaf, ProgExpr, Program};

/// Shows the expressions of one edge.
pub(super) struct Printer<'a> {
    program: &'a Program,
    /// Text of each expression below the roots, and whether it needs parentheses as an operand.
    texts: HashMap<ProgExpr, (String, bool)>,
    lets: Vec<(String, String)>,
}

impl<'a> Printer<'a> {
    pub(super) fn new(program: &'a Program, roots: &[ProgExpr]) -> Self {
        let mut printer = Self { program, texts: HashMap::default(), lets: vec![] };
        let (order, uses) = printer.walk(roots);
        for e in order {
            let (text, open) = printer.text(e);
            let shared = uses[&e] > 1 && program.pool.operands(e).next().is_some();
            let entry = if shared {
                let name = format!("t{}", printer.lets.len());
                printer.lets.push((name.clone(), text));
                (name, false)
            } else {
                (text, open)
            };
            printer.texts.insert(e, entry);
        }
        printer
    }

    /// The named subexpressions in order of dependence.
    pub(super) fn lets(&self) -> &[(String, String)] {
        &self.lets
    }

    /// The text of a root.
    pub(super) fn show(&self, e: ProgExpr) -> &str {
        &self.texts[&e].0
    }

    /// The expressions below the roots, operands first, and how often each is used.
    fn walk(&self, roots: &[ProgExpr]) -> (Vec<ProgExpr>, HashMap<ProgExpr, usize>) {
        let pool = &self.program.pool;
        let mut uses: HashMap<ProgExpr, usize> = HashMap::default();
        let mut order = vec![];
        let mut stack: Vec<(ProgExpr, bool)> = roots.iter().rev().map(|&e| (e, false)).collect();
        while let Some((e, done)) = stack.pop() {
            if done {
                order.push(e);
                continue;
            }
            let count = uses.entry(e).or_default();
            *count += 1;
            if *count == 1 {
                stack.push((e, true));
                let mut operands: Vec<_> = pool.operands(e).map(|x| (x, false)).collect();
                operands.reverse();
                stack.extend(operands);
            }
        }
        (order, uses)
    }

    /// The expression as an operand.
    fn closed(&self, e: ProgExpr) -> String {
        match &self.texts[&e] {
            (text, true) => format!("({text})"),
            (text, false) => text.clone(),
        }
    }

    /// The expression as an operand whose width must show.
    fn wide(&self, e: ProgExpr) -> String {
        match self.program.pool.as_const(e) {
            Some(v) => format!("{v}:{}", self.program.pool.width(e)),
            None => self.texts[&e].0.clone(),
        }
    }

    fn text(&self, e: ProgExpr) -> (String, bool) {
        let pool = &self.program.pool;
        let width = pool.width(e);
        match pool.node(e) {
            Node::Const(v) => (v.to_string(), false),
            Node::Leaf(leaf) => (self.leaf(leaf), false),
            Node::Op1(Op1::Not, a) if width == 1 => (format!("!{}", self.closed(a)), false),
            Node::Op1(Op1::Not, a) => (format!("~{}", self.closed(a)), false),
            Node::Op1(Op1::Neg, a) => (format!("-{}", self.closed(a)), false),
            Node::Op2(op, a, b) => {
                let both_const = pool.as_const(a).is_some() && pool.as_const(b).is_some();
                let left = if both_const { self.wide(a) } else { self.closed(a) };
                (format!("{left} {} {}", symbol(op), self.closed(b)), true)
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (self.closed(c), self.closed(a), self.closed(b));
                (format!("{c} ? {a} : {b}"), true)
            }
            Node::Concat(h, l) => (format!("{{{}, {}}}", self.wide(h), self.wide(l)), false),
            Node::Extract(a, lo) => {
                let a = if pool.as_const(a).is_some() { self.wide(a) } else { self.closed(a) };
                (format!("{a}[{}:{lo}]", lo + width - 1), false)
            }
            Node::ZeroExtend(a) => (format!("zext{width}({})", self.wide(a)), false),
            Node::SignExtend(a) => (format!("sext{width}({})", self.wide(a)), false),
        }
    }

    fn leaf(&self, leaf: Leaf) -> String {
        let p = self.program;
        match leaf {
            Leaf::Var(v) => p.vars[v].name.clone(),
            Leaf::Address(o) => format!("&{}", p.objects[o].name),
            Leaf::Input(i) => format!("?{}", p.inputs[i].name),
            Leaf::Loaded(d) => format!("*{d:?}"),
            Leaf::Valid(d) => format!("valid({d:?})"),
        }
    }
}

fn symbol(op: Op2) -> &'static str {
    match op {
        Op2::And => "&",
        Op2::Or => "|",
        Op2::Xor => "^",
        Op2::Add => "+",
        Op2::Sub => "-",
        Op2::Mul => "*",
        Op2::UDiv => "/",
        Op2::URem => "%",
        Op2::SDiv => "/s",
        Op2::SRem => "%s",
        Op2::Shl => "<<",
        Op2::LShr => ">>",
        Op2::AShr => ">>s",
        Op2::Eq => "==",
        Op2::Ult => "<",
        Op2::Ule => "<=",
        Op2::Slt => "<s",
        Op2::Sle => "<=s",
    }
}
