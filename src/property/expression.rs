//! C expressions over a program's variables, labels and ends of threads, for invariants.
//!
//! Names are those that circuits and traces show: `x`, `a[2].f`, `worker.f.i`. `T@label` holds
//! while thread `T` is at the label, `ended(T)` once it has ended. Operators, precedence and the
//! integer conversions are those of C.

use std::fmt;

use crate::expr::{ExprId, Node, Op1, Op2, Pool};
use crate::program::{LocId, Program, Status, ThreadId, VarId};

/// A leaf of an invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A variable's value.
    Var(VarId),
    /// Whether the thread is at the location, 1 bit.
    At(ThreadId, LocId),
}

/// The expressions of an invariant.
pub type AtomPool = Pool<Atom>;

/// A condition on states.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Its expressions.
    pub pool: AtomPool,
    /// The condition, 1 bit.
    pub condition: ExprId,
}

impl Invariant {
    /// The variables that it reads.
    pub fn vars(&self) -> Vec<VarId> {
        let mut list = vec![];
        self.pool.for_each_leaf(self.condition, |atom, _| {
            if let Atom::Var(v) = atom {
                list.push(v);
            }
        });
        list
    }

    /// The locations that it asks for.
    pub fn locations(&self) -> Vec<(ThreadId, LocId)> {
        let mut list = vec![];
        self.pool.for_each_leaf(self.condition, |atom, _| {
            if let Atom::At(t, l) = atom {
                list.push((t, l));
            }
        });
        list
    }
}

/// An invariant that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The text.
    pub text: String,
    /// Column of the problem in it, 1-based.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invariant:{}:{}: {}", self.text, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Reads an invariant.
///
/// # Errors
/// If it is no C expression, or names something that the program does not have.
pub fn parse_invariant(program: &Program, text: &str) -> Result<Invariant, ParseError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { program, text, tokens, at: 0, depth: 0, pool: Pool::raw() };
    let value = parser.ternary()?;
    if let Some(extra) = parser.tokens.get(parser.at) {
        let message = format!("unexpected `{}`", extra.text);
        return Err(parser.error(message));
    }
    let condition = parser.pool.is_nonzero(value.expr);
    Ok(Invariant { pool: parser.pool, condition })
}

struct Token {
    text: String,
    column: usize,
}

const OPERATORS: [&str; 32] = [
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "%", "<", ">", "!", "~",
    "&", "|", "^", "?", ":", "(", ")", "@", ".", "[", "]", ",", "=", "{", "}",
];

fn tokens(text: &str) -> Result<Vec<Token>, ParseError> {
    let mut list = vec![];
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let column = text.len() - rest.len() + 1;
        let length = if c.is_whitespace() {
            rest = &rest[c.len_utf8()..];
            continue;
        } else if c.is_ascii_alphanumeric() || c == '_' {
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '#'))
                .unwrap_or(rest.len())
        } else if let Some(op) = OPERATORS.iter().find(|op| rest.starts_with(**op)) {
            op.len()
        } else {
            let message = format!("unexpected character `{c}`");
            return Err(ParseError { text: text.into(), column, message });
        };
        list.push(Token { text: rest[..length].to_string(), column });
        rest = &rest[length..];
    }
    Ok(list)
}

/// A value with its C type: width and signedness.
#[derive(Clone, Copy)]
struct Value {
    expr: ExprId,
    signed: bool,
}

struct Parser<'a> {
    program: &'a Program,
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    pool: AtomPool,
}

/// Deepest nesting of parentheses and unary operators.
const MAX_DEPTH: u32 = 200;

impl Parser<'_> {
    fn error(&self, message: impl Into<String>) -> ParseError {
        let column = self.tokens.get(self.at).map_or(self.text.len() + 1, |t| t.column);
        ParseError { text: self.text.into(), column, message: message.into() }
    }

    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |t| &t.text)
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.peek() == text;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Result<(), ParseError> {
        match self.accept(text) {
            true => Ok(()),
            false => Err(self.error(format!("expected `{text}`"))),
        }
    }

    fn ternary(&mut self) -> Result<Value, ParseError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("nested too deeply"));
        }
        let condition = self.binary(0)?;
        let result = if self.accept("?") {
            let a = self.ternary()?;
            self.expect(":")?;
            let b = self.ternary()?;
            let c = self.pool.is_nonzero(condition.expr);
            let (a, b, signed) = self.balance(a, b);
            Value { expr: self.pool.ite(c, a, b), signed }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(result)
    }

    /// Operators of at least this precedence (0 is `||`).
    fn binary(&mut self, level: usize) -> Result<Value, ParseError> {
        const LEVELS: [&[&str]; 10] = [
            &["||"],
            &["&&"],
            &["|"],
            &["^"],
            &["&"],
            &["==", "!="],
            &["<", ">", "<=", ">="],
            &["<<", ">>"],
            &["+", "-"],
            &["*", "/", "%"],
        ];
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(op) = operators.iter().find(|op| self.peek() == **op) {
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = self.apply(op, left, right);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Value, ParseError> {
        let Some(op) = ["!", "~", "-", "+"].into_iter().find(|op| self.peek() == *op) else {
            return self.primary();
        };
        self.at += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("nested too deeply"));
        }
        let value = self.unary()?;
        self.depth -= 1;
        if op == "!" {
            let nonzero = self.pool.is_nonzero(value.expr);
            let zero = self.pool.not(nonzero);
            return Ok(self.truth(zero));
        }
        let value = self.promote(value);
        let expr = match op {
            "~" => self.pool.op1(Op1::Not, value.expr),
            "-" => self.pool.op1(Op1::Neg, value.expr),
            _ => value.expr,
        };
        Ok(Value { expr, ..value })
    }

    fn primary(&mut self) -> Result<Value, ParseError> {
        if self.accept("(") {
            let value = self.ternary()?;
            self.expect(")")?;
            return Ok(value);
        }
        let first = self.peek().to_string();
        match first.chars().next() {
            Some(c) if c.is_ascii_digit() => self.number(&first),
            Some(c) if c.is_ascii_alphabetic() || c == '_' => self.name(first),
            _ => Err(self.error("expected a value")),
        }
    }

    fn number(&mut self, text: &str) -> Result<Value, ParseError> {
        let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
        let suffix = &text[digits.len()..];
        let parsed = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        let Ok(value) = parsed else {
            return Err(self.error(format!("`{text}` is not a number")));
        };
        self.at += 1;
        let signed = !suffix.contains(['u', 'U']) && value <= i64::MAX as u64;
        let long = suffix.contains(['l', 'L']) || value > u64::from(u32::MAX >> u32::from(signed));
        let width = if long { 64 } else { 32 };
        Ok(Value { expr: self.pool.constant(u128::from(value), width), signed })
    }

    /// A variable, `T@label` or `ended(T)`.
    fn name(&mut self, first: String) -> Result<Value, ParseError> {
        let start = self.at;
        self.at += 1;
        if first == "ended" && self.accept("(") {
            let at = self.at;
            let name = self.peek().to_string();
            self.at += 1;
            self.expect(")")?;
            return match self.thread(&name) {
                Some(t) => Ok(self.ended(t)),
                None => {
                    self.at = at;
                    Err(self.error(format!("no thread `{name}`")))
                }
            };
        }
        if self.accept("@") {
            let label = self.peek().to_string();
            self.at += 1;
            let Some(t) = self.thread(&first) else {
                self.at = start;
                return Err(self.error(format!("no thread `{first}`")));
            };
            return self.label(t, &label);
        }
        let mut path = first;
        loop {
            if self.accept(".") {
                path += &format!(".{}", self.peek());
                self.at += 1;
            } else if self.accept("[") {
                path += &format!("[{}]", self.peek());
                self.at += 1;
                self.expect("]")?;
            } else {
                break;
            }
        }
        let Some((v, var)) = self.program.vars.iter_enumerated().find(|(_, v)| v.name == path)
        else {
            self.at = start;
            return Err(self.error(format!("no variable `{path}` in the program")));
        };
        Ok(Value { expr: self.pool.leaf(Atom::Var(v), var.width), signed: var.signed })
    }

    fn thread(&self, name: &str) -> Option<ThreadId> {
        self.program.threads.iter_enumerated().find(|(_, t)| t.name == name).map(|(id, _)| id)
    }

    fn ended(&mut self, t: ThreadId) -> Value {
        let status = self.program.threads[t].status;
        let leaf = self.pool.leaf(Atom::Var(status), self.program.vars[status].width);
        let ended = self.pool.constant(Status::ENDED, self.program.vars[status].width);
        let truth = self.pool.eq(leaf, ended);
        self.truth(truth)
    }

    fn label(&mut self, t: ThreadId, label: &str) -> Result<Value, ParseError> {
        let mut result = self.pool.bool(false);
        for (loc, l) in self.program.threads[t].locations.iter_enumerated() {
            if l.labels.iter().any(|x| x.rsplit(':').next() == Some(label)) {
                let here = self.pool.leaf(Atom::At(t, loc), 1);
                result = self.pool.or(result, here);
            }
        }
        if matches!(self.pool.node(result), Node::Const(_)) {
            self.at -= 1;
            let name = &self.program.threads[t].name;
            return Err(self.error(format!("no label `{label}` in thread `{name}`")));
        }
        Ok(self.truth(result))
    }

    /// A truth value as C's int.
    fn truth(&mut self, bit: ExprId) -> Value {
        Value { expr: self.pool.zero_extend(bit, 32), signed: true }
    }

    /// C's integer promotion.
    fn promote(&mut self, v: Value) -> Value {
        match self.pool.width(v.expr) < 32 {
            true => Value { expr: self.pool.resize(v.expr, 32, v.signed), signed: true },
            false => v,
        }
    }

    /// C's usual arithmetic conversions.
    fn balance(&mut self, a: Value, b: Value) -> (ExprId, ExprId, bool) {
        let (a, b) = (self.promote(a), self.promote(b));
        let (wa, wb) = (self.pool.width(a.expr), self.pool.width(b.expr));
        let signed = match wa.cmp(&wb) {
            std::cmp::Ordering::Less => b.signed,
            std::cmp::Ordering::Greater => a.signed,
            std::cmp::Ordering::Equal => a.signed && b.signed,
        };
        let width = wa.max(wb);
        let x = self.pool.resize(a.expr, width, a.signed);
        let y = self.pool.resize(b.expr, width, b.signed);
        (x, y, signed)
    }

    fn apply(&mut self, op: &str, a: Value, b: Value) -> Value {
        if op == "&&" || op == "||" {
            let (x, y) = (self.pool.is_nonzero(a.expr), self.pool.is_nonzero(b.expr));
            let bit = if op == "&&" { self.pool.and(x, y) } else { self.pool.or(x, y) };
            return self.truth(bit);
        }
        if op == "<<" || op == ">>" {
            let (a, b) = (self.promote(a), self.promote(b));
            let amount = self.pool.resize(b.expr, self.pool.width(a.expr), b.signed);
            let shift = match (op, a.signed) {
                ("<<", _) => Op2::Shl,
                (_, true) => Op2::AShr,
                (_, false) => Op2::LShr,
            };
            return Value { expr: self.pool.op2(shift, a.expr, amount), signed: a.signed };
        }
        let (x, y, signed) = self.balance(a, b);
        let pick = |s: Op2, u: Op2| if signed { s } else { u };
        let (op, swap, negate) = match op {
            "|" => (Op2::Or, false, false),
            "^" => (Op2::Xor, false, false),
            "&" => (Op2::And, false, false),
            "+" => (Op2::Add, false, false),
            "-" => (Op2::Sub, false, false),
            "*" => (Op2::Mul, false, false),
            "/" => (pick(Op2::SDiv, Op2::UDiv), false, false),
            "%" => (pick(Op2::SRem, Op2::URem), false, false),
            "==" => (Op2::Eq, false, false),
            "!=" => (Op2::Eq, false, true),
            "<" => (pick(Op2::Slt, Op2::Ult), false, false),
            ">" => (pick(Op2::Slt, Op2::Ult), true, false),
            "<=" => (pick(Op2::Sle, Op2::Ule), false, false),
            _ => (pick(Op2::Sle, Op2::Ule), true, false),
        };
        let (x, y) = if swap { (y, x) } else { (x, y) };
        let mut expr = self.pool.op2(op, x, y);
        if negate {
            expr = self.pool.not(expr);
        }
        match op.is_comparison() {
            true => self.truth(expr),
            false => Value { expr, signed },
        }
    }
}
