//! From a transition system to a file.

use std::fmt::{Display, Write};

use crate::base::HashMap;
use crate::expr::{Node, Op1, Op2, mask};
use crate::ts::{TransitionSystem, TsExpr, TsLeaf, TsNamed};

/// The file of a system. Inputs and states stand in the system's order; of the expressions only
/// those stand there that something needs. Symbols are the names; characters that a symbol
/// cannot have become `_`.
pub fn write(ts: &TransitionSystem) -> String {
    let mut writer = Writer {
        ts,
        out: String::new(),
        last: 0,
        sorts: HashMap::default(),
        nodes: HashMap::default(),
    };
    writer.leaves();
    writer.expressions();
    writer.properties();
    writer.out
}

struct Writer<'a> {
    ts: &'a TransitionSystem,
    out: String,
    last: usize,
    /// By width.
    sorts: HashMap<u32, usize>,
    nodes: HashMap<TsExpr, usize>,
}

/// A name without what a symbol cannot have.
fn symbol(name: &str) -> String {
    let keep = |c: char| if c.is_ascii_graphic() && c != ';' { c } else { '_' };
    name.chars().map(keep).collect()
}

impl Writer<'_> {
    /// Writes a line; its number.
    fn line(&mut self, text: impl Display) -> usize {
        self.last += 1;
        let _ = writeln!(self.out, "{} {text}", self.last);
        self.last
    }

    fn sort(&mut self, width: u32) -> usize {
        if let Some(&id) = self.sorts.get(&width) {
            return id;
        }
        let id = self.line(format_args!("sort bitvec {width}"));
        self.sorts.insert(width, id);
        id
    }

    fn leaves(&mut self) {
        let ts = self.ts;
        for input in &ts.inputs {
            let sort = self.sort(input.width);
            let id = self.line(format_args!("input {sort} {}", symbol(&input.name)));
            self.nodes.insert(input.expr, id);
        }
        // An initial value must stand above its state.
        let mut constants: HashMap<(u128, u32), usize> = HashMap::default();
        for state in &ts.states {
            let sort = self.sort(state.width);
            let init = state.init.map(|value| {
                *constants
                    .entry((value, state.width))
                    .or_insert_with(|| self.line(constant(value, state.width, sort)))
            });
            let id = self.line(format_args!("state {sort} {}", symbol(&state.name)));
            self.nodes.insert(state.expr, id);
            if let Some(init) = init {
                self.line(format_args!("init {sort} {id} {init}"));
            }
        }
    }

    fn expressions(&mut self) {
        let ts = self.ts;
        for e in ts.needed() {
            if !self.nodes.contains_key(&e) {
                let id = self.expression(e);
                self.nodes.insert(e, id);
            }
        }
        for state in &ts.states {
            let (sort, id) = (self.sort(state.width), self.nodes[&state.expr]);
            let next = self.nodes[&state.next];
            self.line(format_args!("next {sort} {id} {next}"));
        }
    }

    fn expression(&mut self, e: TsExpr) -> usize {
        let pool = &self.ts.pool;
        let width = pool.width(e);
        let sort = self.sort(width);
        let id = |x: TsExpr| self.nodes[&x];
        let text = match pool.node(e) {
            Node::Const(value) => constant(value, width, sort),
            Node::Leaf(TsLeaf::Input(_) | TsLeaf::State(_)) => {
                unreachable!("the leaves are written first")
            }
            Node::Op1(op, a) => {
                let word = match op {
                    Op1::Not => "not",
                    Op1::Neg => "neg",
                };
                format!("{word} {sort} {}", id(a))
            }
            Node::Op2(op, a, b) => format!("{} {sort} {} {}", op2(op), id(a), id(b)),
            Node::Ite(c, a, b) => format!("ite {sort} {} {} {}", id(c), id(a), id(b)),
            Node::Concat(a, b) => format!("concat {sort} {} {}", id(a), id(b)),
            Node::Extract(a, lo) => format!("slice {sort} {} {} {lo}", id(a), lo + width - 1),
            Node::ZeroExtend(a) => format!("uext {sort} {} {}", id(a), width - pool.width(a)),
            Node::SignExtend(a) => format!("sext {sort} {} {}", id(a), width - pool.width(a)),
        };
        self.line(text)
    }

    fn properties(&mut self) {
        let ts = self.ts;
        self.list("constraint", &ts.constraints);
        self.list("bad", &ts.bads);
        self.list("fair", &ts.fairness);
        for TsNamed { name, value } in &ts.justice {
            let mut text = format!("justice {}", value.len());
            for e in value {
                let _ = write!(text, " {}", self.nodes[e]);
            }
            self.line(format_args!("{text} {}", symbol(name)));
        }
        self.list("output", &ts.outputs);
    }

    fn list(&mut self, word: &str, list: &[TsNamed<TsExpr>]) {
        for TsNamed { name, value } in list {
            let id = self.nodes[value];
            self.line(format_args!("{word} {id} {}", symbol(name)));
        }
    }
}

fn constant(value: u128, width: u32, sort: usize) -> String {
    match value {
        0 => format!("zero {sort}"),
        1 => format!("one {sort}"),
        _ if value == mask(width) => format!("ones {sort}"),
        _ => format!("constd {sort} {value}"),
    }
}

fn op2(op: Op2) -> &'static str {
    match op {
        Op2::And => "and",
        Op2::Or => "or",
        Op2::Xor => "xor",
        Op2::Add => "add",
        Op2::Sub => "sub",
        Op2::Mul => "mul",
        Op2::UDiv => "udiv",
        Op2::URem => "urem",
        Op2::SDiv => "sdiv",
        Op2::SRem => "srem",
        Op2::Shl => "sll",
        Op2::LShr => "srl",
        Op2::AShr => "sra",
        Op2::Eq => "eq",
        Op2::Ult => "ult",
        Op2::Ule => "ulte",
        Op2::Slt => "slt",
        Op2::Sle => "slte",
    }
}
