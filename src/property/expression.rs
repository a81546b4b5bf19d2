//! C expressions over a program's variables, labels and ends of threads, for invariants.
//!
//! Names are those that circuits and traces show: `x`, `a[2].f`, `worker.f.i`. `T@label` holds
//! while thread `T` is at the label, `ended(T)` once it has ended. Operators, precedence and the
//! integer conversions are those of C.

use std::fmt;

use crate::expr::{ExprId, Node, Op1, Op2, Pool};
use crate::ltl::{FormulaId, Formulas};
use crate::program::{LocId, Program, Status, ThreadId, VarId, Variable};

/// A leaf of an invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// A variable's value.
    Var(VarId),
    /// Whether the thread is at the location, 1 bit.
    At(ThreadId, LocId),
    /// Whether the thread can move, 1 bit; in temporal formulas only.
    Enabled(ThreadId),
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

/// An invariant or formula that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What it was to be: `invariant` or `ltl`.
    pub what: &'static str,
    /// The text.
    pub text: String,
    /// Column of the problem in it, 1-based.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.what, self.text, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Reads an invariant.
///
/// # Errors
/// If it is no C expression, or names something that the program does not have.
pub fn parse_invariant(program: &Program, text: &str) -> Result<Invariant, ParseError> {
    let mut parser = Parser::new(program, text, None)?;
    let value = parser.ternary()?;
    parser.end()?;
    let condition = parser.pool.is_nonzero(value.expr);
    Ok(Invariant { pool: parser.pool, condition })
}

pub(super) struct Token {
    pub text: String,
    pub column: usize,
}

const OPERATORS: [&str; 34] = [
    "<->", "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "%", "<", ">",
    "!", "~", "&", "|", "^", "?", ":", "(", ")", "@", ".", "[", "]", ",", "=", "{", "}",
];

fn tokens(what: &'static str, text: &str) -> Result<Vec<Token>, ParseError> {
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
            return Err(ParseError { what, text: text.into(), column, message });
        };
        list.push(Token { text: rest[..length].to_string(), column });
        rest = &rest[length..];
    }
    Ok(list)
}

/// A value with its C type: width and signedness. In temporal formulas perhaps a formula, which
/// has no value.
#[derive(Clone, Copy)]
pub(super) struct Value {
    pub expr: ExprId,
    pub signed: bool,
    pub formula: Option<FormulaId>,
}

pub(super) struct Parser<'a> {
    pub program: &'a Program,
    pub text: &'a str,
    pub tokens: Vec<Token>,
    pub at: usize,
    pub depth: u32,
    pub pool: AtomPool,
    /// The formulas over conditions, if temporal operators are allowed.
    pub formulas: Option<Formulas<ExprId>>,
}

/// Deepest nesting of parentheses and unary operators.
pub(super) const MAX_DEPTH: u32 = 200;

impl<'a> Parser<'a> {
    pub(super) fn new(
        program: &'a Program,
        text: &'a str,
        formulas: Option<Formulas<ExprId>>,
    ) -> Result<Self, ParseError> {
        let what = if formulas.is_some() { "ltl" } else { "invariant" };
        let tokens = tokens(what, text)?;
        Ok(Self { program, text, tokens, at: 0, depth: 0, pool: Pool::raw(), formulas })
    }

    pub(super) fn error(&self, message: impl Into<String>) -> ParseError {
        let column = self.tokens.get(self.at).map_or(self.text.len() + 1, |t| t.column);
        let what = if self.formulas.is_some() { "ltl" } else { "invariant" };
        ParseError { what, text: self.text.into(), column, message: message.into() }
    }

    /// Nothing may follow.
    pub(super) fn end(&self) -> Result<(), ParseError> {
        match self.tokens.get(self.at) {
            Some(extra) => Err(self.error(format!("unexpected `{}`", extra.text))),
            None => Ok(()),
        }
    }

    pub(super) fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |t| &t.text)
    }

    pub(super) fn accept(&mut self, text: &str) -> bool {
        let found = self.peek() == text;
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, text: &str) -> Result<(), ParseError> {
        match self.accept(text) {
            true => Ok(()),
            false => Err(self.error(format!("expected `{text}`"))),
        }
    }

    pub(super) fn ternary(&mut self) -> Result<Value, ParseError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("nested too deeply"));
        }
        let condition = self.binary(0)?;
        let at = self.at;
        let result = if self.accept("?") {
            let a = self.ternary()?;
            self.expect(":")?;
            let b = self.ternary()?;
            self.no_formula(at, [condition, a, b])?;
            let c = self.pool.is_nonzero(condition.expr);
            let (a, b, signed) = self.balance(a, b);
            Value { expr: self.pool.ite(c, a, b), signed, formula: None }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(result)
    }

    /// Operators of at least this precedence (0 is `||`).
    pub(super) fn binary(&mut self, level: usize) -> Result<Value, ParseError> {
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
        let mut left = self.operand(level + 1)?;
        while let Some(op) = operators.iter().find(|op| self.peek() == **op) {
            let at = self.at;
            self.at += 1;
            let right = self.operand(level + 1)?;
            left = if level < Self::BITWISE && (left.formula.is_some() || right.formula.is_some()) {
                self.connect(op, left, right)
            } else {
                self.no_formula(at, [left, right])?;
                self.apply(op, left, right)
            };
        }
        Ok(left)
    }

    /// The loosest level of operators that have no truth values for operands.
    pub(super) const BITWISE: usize = 2;

    /// The operands of the operators at the level before this one. Temporal operators stand between
    /// those of truth values and all others.
    fn operand(&mut self, level: usize) -> Result<Value, ParseError> {
        match self.formulas.is_some() && level == Self::BITWISE {
            true => self.temporal(),
            false => self.binary(level),
        }
    }

    /// Formulas have no value.
    fn no_formula<const N: usize>(&mut self, at: usize, of: [Value; N]) -> Result<(), ParseError> {
        if of.iter().all(|v| v.formula.is_none()) {
            return Ok(());
        }
        self.at = at;
        let message = format!("`{}` needs values, and a temporal formula has none", self.peek());
        Err(self.error(message))
    }

    pub(super) fn unary(&mut self) -> Result<Value, ParseError> {
        if self.formulas.is_some() && self.at_temporal_prefix() {
            return self.temporal_prefix();
        }
        let Some(op) = ["!", "~", "-", "+"].into_iter().find(|op| self.peek() == *op) else {
            return self.primary();
        };
        let at = self.at;
        self.at += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("nested too deeply"));
        }
        let value = self.unary()?;
        self.depth -= 1;
        if op == "!" && value.formula.is_some() {
            return Ok(self.negate(value));
        }
        self.no_formula(at, [value])?;
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
            let value = match self.formulas.is_some() {
                true => self.formula()?,
                false => self.ternary()?,
            };
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
        let expr = self.pool.constant(u128::from(value), width);
        Ok(Value { expr, signed, formula: None })
    }

    /// A variable, `T@label` or `ended(T)`.
    fn name(&mut self, first: String) -> Result<Value, ParseError> {
        let start = self.at;
        self.at += 1;
        if first == "ended" && self.accept("(") {
            let t = self.thread_argument()?;
            return Ok(self.ended(t));
        }
        if self.formulas.is_some()
            && let Some(value) = self.temporal_name(&first)?
        {
            return Ok(value);
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
        let (path, found) = self.variable(first)?;
        let Some(v) = found else {
            self.at = start;
            return Err(self.error(format!("no variable `{path}` in the program")));
        };
        let Variable { width, signed, .. } = self.program.vars[v];
        Ok(Value { expr: self.pool.leaf(Atom::Var(v), width), signed, formula: None })
    }

    /// The argument of `ended` and its like, and the closing parenthesis.
    pub(super) fn thread_argument(&mut self) -> Result<ThreadId, ParseError> {
        let at = self.at;
        let name = self.peek().to_string();
        self.at += 1;
        self.expect(")")?;
        self.thread(&name).ok_or_else(|| {
            self.at = at;
            self.error(format!("no thread `{name}`"))
        })
    }

    /// The rest of a variable's name that begins like this: `a`, `a[2].f`, `worker.f.i`; in
    /// temporal formulas `worker:f:i` as well. The whole name, and the variable.
    pub(super) fn variable(
        &mut self,
        first: String,
    ) -> Result<(String, Option<VarId>), ParseError> {
        let colons = [self.at, self.at + 2].map(|k| self.tokens.get(k).map(|t| t.text.as_str()));
        let mut path = first;
        if self.formulas.is_some() && colons == [Some(":"); 2] && self.thread(&path).is_some() {
            let parts: Vec<&str> =
                [1, 3].iter().filter_map(|k| Some(&*self.tokens.get(self.at + k)?.text)).collect();
            path = format!("{path}.{}", parts.join("."));
            self.at += 4;
        }
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
        let found = self.program.vars.iter_enumerated().find(|(_, v)| v.name == path);
        let found = found.map(|(v, _)| v);
        Ok((path, found))
    }

    pub(super) fn thread(&self, name: &str) -> Option<ThreadId> {
        self.program.threads.iter_enumerated().find(|(_, t)| t.name == name).map(|(id, _)| id)
    }

    fn ended(&mut self, t: ThreadId) -> Value {
        let status = self.program.threads[t].status;
        let leaf = self.pool.leaf(Atom::Var(status), self.program.vars[status].width);
        let ended = self.pool.constant(Status::ENDED, self.program.vars[status].width);
        let mut truth = self.pool.eq(leaf, ended);
        if self.formulas.is_some() {
            let over = self.never_again(t);
            truth = self.pool.or(truth, over);
        }
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
    pub(super) fn truth(&mut self, bit: ExprId) -> Value {
        Value { expr: self.pool.zero_extend(bit, 32), signed: true, formula: None }
    }

    /// C's integer promotion.
    fn promote(&mut self, v: Value) -> Value {
        match self.pool.width(v.expr) < 32 {
            true => Value { expr: self.pool.resize(v.expr, 32, v.signed), signed: true, ..v },
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
            return Value { expr: self.pool.op2(shift, a.expr, amount), ..a };
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
            false => Value { expr, signed, formula: None },
        }
    }
}
