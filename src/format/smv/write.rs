//! From a transition system to a model.

use std::fmt::{Display, Write};

use super::name::Names;
use super::value::constant;
use crate::base::Id;
use crate::expr::{Node, Op1, Op2, mask};
use crate::ts::{TransitionSystem, TsExpr, TsLeaf, TsNamed};

/// A variable of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Bits; 1 is a Boolean, more are an unsigned word.
    pub width: u32,
}

/// The variables of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables {
    /// Those of the inputs, in order.
    pub inputs: Vec<Variable>,
    /// Those of the states, in order.
    pub states: Vec<Variable>,
}

impl Variables {
    /// All of them, inputs first.
    pub fn iter(&self) -> impl Iterator<Item = &Variable> {
        self.inputs.iter().chain(&self.states)
    }
}

/// A model and what things are called in it.
#[derive(Clone, Debug)]
pub struct SmvModel {
    /// The text.
    pub text: String,
    /// The variables.
    pub variables: Variables,
    /// Names of the invariants (`check_invar -P NAME`), in the order of the bads.
    pub bads: Vec<String>,
    /// Names of the LTL specifications (`check_ltlspec -P NAME`), in the order of the justice
    /// sets.
    pub justice: Vec<String>,
}

/// The model of a system.
///
/// Constraints become `INVAR`. If there is justice, that would be wrong: a dead end satisfies
/// every LTL formula for some of NuSMV's algorithms and not for others. Then a variable
/// `violated` tells whether a constraint was false before, and all properties count only while
/// none is or was.
pub fn write(ts: &TransitionSystem) -> SmvModel {
    let mut names = Names::new();
    let mut variable = |name: &str, width| Variable { name: names.identifier(name), width };
    let inputs = ts.inputs.iter().map(|i| variable(&i.name, i.width)).collect();
    let states = ts.states.iter().map(|s| variable(&s.name, s.width)).collect();
    let variables = Variables { inputs, states };
    let fold = !ts.constraints.is_empty() && !ts.justice.is_empty();
    let violated = fold.then(|| names.identifier("violated"));
    let bads = ts.bads.iter().map(|b| names.identifier(&b.name)).collect();
    let justice = ts.justice.iter().map(|j| names.identifier(&j.name)).collect();
    let model = SmvModel { text: String::new(), variables, bads, justice };
    let mut writer = Writer { ts, model, operands: vec![String::new(); ts.pool.len()], violated };
    writer.line("MODULE main");
    writer.variables();
    writer.definitions();
    writer.transitions();
    writer.properties();
    writer.model
}

struct Writer<'a> {
    ts: &'a TransitionSystem,
    model: SmvModel,
    /// By the expression's index: what stands for it where it is an operand; empty where nothing
    /// needs it.
    operands: Vec<String>,
    violated: Option<String>,
}

impl Writer<'_> {
    fn line(&mut self, text: impl Display) {
        let _ = writeln!(self.model.text, "{text}");
    }

    fn variables(&mut self) {
        let ts = self.ts;
        let inputs = ts.inputs.iter().map(|i| (&i.name, i.expr));
        let originals = inputs.chain(ts.states.iter().map(|s| (&s.name, s.expr)));
        let variables: Vec<Variable> = self.model.variables.iter().cloned().collect();
        for ((original, expr), Variable { name, width }) in originals.zip(variables) {
            let original: String = original.chars().filter(|c| !c.is_control()).collect();
            let remark = if *original == name { String::new() } else { format!(" -- {original}") };
            match width {
                1 => self.line(format_args!("VAR {name} : boolean;{remark}")),
                _ => self.line(format_args!("VAR {name} : unsigned word[{width}];{remark}")),
            }
            self.operands[expr.index()] = name;
        }
        if let Some(violated) = &self.violated {
            let text = format!("VAR {violated} : boolean;");
            self.line(text);
        }
    }

    /// A definition for each expression that is needed.
    fn definitions(&mut self) {
        let ts = self.ts;
        for e in ts.needed() {
            match ts.pool.node(e) {
                Node::Const(value) => {
                    self.operands[e.index()] = constant(value, ts.pool.width(e));
                }
                Node::Leaf(TsLeaf::Input(_) | TsLeaf::State(_)) => {}
                _ => {
                    let name = format!("__{e:?}");
                    let text = self.expression(e, &name);
                    self.line(format_args!("DEFINE {name} := {text};"));
                    self.operands[e.index()] = name;
                }
            }
        }
    }

    fn operand(&self, e: TsExpr) -> &str {
        &self.operands[e.index()]
    }

    /// The operand as a word, whatever its width.
    fn word(&self, e: TsExpr) -> String {
        let text = self.operand(e);
        if self.ts.pool.width(e) == 1 { format!("word1({text})") } else { text.to_string() }
    }

    fn expression(&mut self, e: TsExpr, name: &str) -> String {
        let pool = &self.ts.pool;
        let width = pool.width(e);
        match pool.node(e) {
            Node::Const(_) | Node::Leaf(_) => unreachable!("these are operands"),
            Node::Op1(Op1::Not, a) => format!("!{}", self.operand(a)),
            // The negation of one bit is that bit.
            Node::Op1(Op1::Neg, a) if width == 1 => self.operand(a).to_string(),
            Node::Op1(Op1::Neg, a) => format!("-{}", self.operand(a)),
            Node::Op2(op, a, b) if pool.width(a) == 1 => bit(op, self.operand(a), self.operand(b)),
            Node::Op2(Op2::Shl | Op2::LShr | Op2::AShr, a, b) => self.shift(e, name, a, b),
            Node::Op2(op @ (Op2::UDiv | Op2::URem | Op2::SDiv | Op2::SRem), a, b) => {
                let (a, b) = (self.operand(a).to_string(), self.operand(b).to_string());
                self.division(op, name, &a, &b, width)
            }
            Node::Op2(op, a, b) => words(op, self.operand(a), self.operand(b)),
            Node::Ite(c, a, b) => {
                format!("({} ? {} : {})", self.operand(c), self.operand(a), self.operand(b))
            }
            Node::Concat(a, b) => format!("{} :: {}", self.word(a), self.word(b)),
            Node::Extract(a, lo) => {
                let slice = format!("{}[{}:{lo}]", self.word(a), lo + width - 1);
                if width == 1 { format!("bool({slice})") } else { slice }
            }
            Node::ZeroExtend(a) => format!("extend({}, {})", self.word(a), width - pool.width(a)),
            Node::SignExtend(a) => {
                format!("unsigned(extend(signed({}), {}))", self.word(a), width - pool.width(a))
            }
        }
    }

    /// A shift of a word of at least two bits, as a definition for each bit of the distance:
    /// NuSMV refuses distances above the width, even in branches that are not taken.
    fn shift(&mut self, e: TsExpr, name: &str, a: TsExpr, b: TsExpr) -> String {
        let pool = &self.ts.pool;
        let width = pool.width(e);
        let Node::Op2(op, ..) = pool.node(e) else { unreachable!("a shift has two operands") };
        let (a, b) = (self.operand(a).to_string(), self.operand(b).to_string());
        let mut word = a.clone();
        let mut stages = 0;
        while 1 << stages < width {
            let by = 1 << stages;
            let moved = match op {
                Op2::Shl => format!("{word} << {by}"),
                Op2::LShr => format!("{word} >> {by}"),
                _ => format!("unsigned(signed({word}) >> {by})"),
            };
            let stage = format!("{name}s{stages}");
            let text = format!("(bool({b}[{stages}:{stages}]) ? {moved} : {word})");
            self.line(format_args!("DEFINE {stage} := {text};"));
            word = stage;
            stages += 1;
        }
        if stages == width {
            return word;
        }
        let top = width - 1;
        let zero = constant(0, width);
        let fill = match op {
            Op2::AShr => {
                format!("(bool({a}[{top}:{top}]) ? {} : {zero})", constant(mask(width), width))
            }
            _ => zero,
        };
        let small = format!("{b}[{top}:{stages}] = 0ud{}_0", width - stages);
        format!("({small} ? {word} : {fill})")
    }

    /// A division of words of at least two bits, by subtraction: NuSMV's own one refuses divisors
    /// that a first look at the text takes for 0, even in branches that are never taken. A
    /// divisor of 0 gives what it must, all ones and the dividend.
    fn division(&mut self, op: Op2, name: &str, a: &str, b: &str, width: u32) -> String {
        let signed = matches!(op, Op2::SDiv | Op2::SRem);
        let top = width - 1;
        let (mut dividend, mut divisor) = (a.to_string(), b.to_string());
        if signed {
            for (word, letter) in [(&mut dividend, 'x'), (&mut divisor, 'y')] {
                let magnitude = format!("{name}{letter}");
                let text = format!("(bool({word}[{top}:{top}]) ? -{word} : {word})");
                self.line(format_args!("DEFINE {magnitude} := {text};"));
                *word = magnitude;
            }
        }
        let mut rest = constant(0, width);
        let mut quotient = vec![];
        for k in (0..width).rev() {
            let [t, g, r] = ["t", "g", "r"].map(|letter| format!("{name}{letter}{k}"));
            self.line(format_args!("DEFINE {t} := {rest} :: {dividend}[{k}:{k}];"));
            self.line(format_args!("DEFINE {g} := {t} >= extend({divisor}, 1);"));
            let less = format!("({g} ? {t} - extend({divisor}, 1) : {t})");
            self.line(format_args!("DEFINE {r} := {less};"));
            rest = format!("{r}[{top}:0]");
            quotient.push(format!("word1({g})"));
        }
        let quotient = quotient.join(" :: ");
        match op {
            Op2::UDiv => quotient,
            Op2::URem => rest,
            Op2::SRem => format!("(bool({a}[{top}:{top}]) ? -({rest}) : {rest})"),
            _ => {
                self.line(format_args!("DEFINE {name}q := {quotient};"));
                let differ = format!("bool({a}[{top}:{top}]) xor bool({b}[{top}:{top}])");
                format!("({differ} ? -{name}q : {name}q)")
            }
        }
    }

    fn transitions(&mut self) {
        let ts = self.ts;
        for (k, state) in ts.states.iter().enumerate() {
            let name = self.model.variables.states[k].name.clone();
            if let Some(value) = state.init {
                self.line(format_args!("ASSIGN init({name}) := {};", constant(value, state.width)));
            }
            let next = self.operand(state.next).to_string();
            self.line(format_args!("ASSIGN next({name}) := {next};"));
        }
        let constraints: Vec<String> =
            ts.constraints.iter().map(|c| self.operand(c.value).to_string()).collect();
        if let Some(violated) = self.violated.clone() {
            self.line(format_args!("DEFINE __legal := !{violated} & {};", constraints.join(" & ")));
            self.line(format_args!("ASSIGN init({violated}) := FALSE;"));
            self.line(format_args!("ASSIGN next({violated}) := !__legal;"));
        } else {
            constraints.iter().for_each(|c| self.line(format_args!("INVAR {c};")));
        }
        for TsNamed { value, .. } in &ts.fairness {
            let text = format!("FAIRNESS {};", self.operand(*value));
            self.line(text);
        }
    }

    fn properties(&mut self) {
        let ts = self.ts;
        let legal = if self.violated.is_some() { " & __legal" } else { "" };
        for (k, TsNamed { value, .. }) in ts.bads.iter().enumerate() {
            let (name, bad) = (&self.model.bads[k], self.operand(*value));
            let text = format!("INVARSPEC NAME {name} := !({bad}{legal});");
            self.line(text);
        }
        for (k, TsNamed { value, .. }) in ts.justice.iter().enumerate() {
            let mut often: Vec<String> =
                value.iter().map(|&e| format!("G F {}", self.operand(e))).collect();
            if self.violated.is_some() {
                often.push("G __legal".into());
            }
            if often.is_empty() {
                often.push("TRUE".into());
            }
            let text =
                format!("LTLSPEC NAME {} := !({});", self.model.justice[k], often.join(" & "));
            self.line(text);
        }
    }
}

/// An operator on two bits.
fn bit(op: Op2, a: &str, b: &str) -> String {
    match op {
        Op2::And | Op2::Mul => format!("{a} & {b}"),
        Op2::Or => format!("{a} | {b}"),
        Op2::Xor | Op2::Add | Op2::Sub => format!("{a} xor {b}"),
        // By zero the quotient is 1, which is -1 as well.
        Op2::UDiv | Op2::SDiv => format!("!{b} | {a}"),
        // By one nothing remains; a distance of one moves everything out.
        Op2::URem | Op2::SRem | Op2::Shl | Op2::LShr => format!("{a} & !{b}"),
        Op2::AShr => a.to_string(),
        Op2::Eq => format!("{a} = {b}"),
        Op2::Ult => format!("!{a} & {b}"),
        Op2::Ule => format!("!{a} | {b}"),
        Op2::Slt => format!("{a} & !{b}"),
        Op2::Sle => format!("{a} | !{b}"),
    }
}

/// An operator but a shift or a division on two words of at least two bits.
fn words(op: Op2, a: &str, b: &str) -> String {
    match op {
        Op2::And => format!("{a} & {b}"),
        Op2::Or => format!("{a} | {b}"),
        Op2::Xor => format!("{a} xor {b}"),
        Op2::Add => format!("{a} + {b}"),
        Op2::Sub => format!("{a} - {b}"),
        Op2::Mul => format!("{a} * {b}"),
        Op2::Eq => format!("{a} = {b}"),
        Op2::Ult => format!("{a} < {b}"),
        Op2::Ule => format!("{a} <= {b}"),
        Op2::Slt => format!("signed({a}) < signed({b})"),
        Op2::Sle => format!("signed({a}) <= signed({b})"),
        _ => unreachable!("shifts and divisions have several definitions"),
    }
}
