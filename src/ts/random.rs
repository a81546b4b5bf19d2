//! Random systems: for tests and fuzzing only.

use super::run::Run;
use super::system::{TransitionSystem, TsExpr, TsNamed};
use crate::base::Rng;
use crate::expr::{Op1, Op2, Pool, mask};

/// Sizes and features of a random system.
#[derive(Clone, Debug)]
pub struct RandomOptions {
    /// Number of inputs.
    pub inputs: usize,
    /// Number of states.
    pub states: usize,
    /// Number of operators that are built.
    pub operators: usize,
    /// Widths that inputs and states have; not empty.
    pub widths: Vec<u32>,
    /// Number of bads.
    pub bads: usize,
    /// Number of constraints.
    pub constraints: usize,
    /// Number of justice sets, each of 1 to 3 expressions.
    pub justice: usize,
    /// Number of fairness expressions.
    pub fairness: usize,
    /// Number of outputs.
    pub outputs: usize,
    /// Whether some states have no initial value.
    pub free: bool,
    /// Whether expressions are kept as built.
    pub raw: bool,
}

impl RandomOptions {
    /// A few of everything.
    pub fn everything(rng: &mut Rng) -> Self {
        RandomOptions {
            inputs: rng.below(4),
            states: rng.below(5),
            operators: 5 + rng.below(40),
            widths: vec![1, 1, 2, 3, 8, 17, 64, 65, 128],
            bads: 1 + rng.below(3),
            constraints: rng.below(2),
            justice: rng.below(3),
            fairness: rng.below(2),
            outputs: rng.below(3),
            free: true,
            raw: rng.one_in(2),
        }
    }

    /// Small words and one bad: what a model checker decides at once.
    pub fn tiny() -> Self {
        RandomOptions {
            inputs: 2,
            states: 3,
            operators: 15,
            widths: vec![1, 2, 3],
            bads: 1,
            constraints: 0,
            justice: 0,
            fairness: 0,
            outputs: 0,
            free: false,
            raw: false,
        }
    }
}

/// A random system with all operators.
pub fn random_system(rng: &mut Rng, options: &RandomOptions) -> TransitionSystem {
    let mut ts = TransitionSystem::new();
    if options.raw {
        ts.pool = Pool::raw();
    }
    let mut exprs = vec![];
    for k in 0..options.inputs {
        exprs.push(ts.add_input(format!("in.{k}"), *rng.pick(&options.widths)).1);
    }
    let mut states = vec![];
    for k in 0..options.states {
        let width = *rng.pick(&options.widths);
        let value = if rng.one_in(2) { rng.below(2) as u128 } else { rng.next_u128() };
        let init = (!options.free || !rng.one_in(3)).then_some(value & mask(width));
        let (state, expr) = ts.add_state(format!("state.{k}"), width, init);
        states.push(state);
        exprs.push(expr);
    }
    exprs.push(ts.pool.constant(rng.next_u128(), *rng.pick(&options.widths)));
    for _ in 0..options.operators {
        let e = operator(rng, &mut ts, &exprs);
        exprs.push(e);
    }
    for state in states {
        let width = ts.states[state].width;
        let e = *rng.pick(&exprs);
        ts.states[state].next = ts.pool.resize(e, width, rng.one_in(2));
    }
    ts.bads = properties(rng, &mut ts, &exprs, "bad", options.bads);
    ts.constraints = properties(rng, &mut ts, &exprs, "constraint", options.constraints);
    ts.fairness = properties(rng, &mut ts, &exprs, "fair", options.fairness);
    for k in 0..options.justice {
        let count = 1 + rng.below(3);
        let value = (0..count).map(|_| bit(rng, &mut ts, &exprs)).collect();
        ts.justice.push(TsNamed { name: format!("justice.{k}"), value });
    }
    for k in 0..options.outputs {
        ts.outputs.push(TsNamed { name: format!("output.{k}"), value: *rng.pick(&exprs) });
    }
    ts
}

/// One of the expressions, more often a late one.
fn any(rng: &mut Rng, exprs: &[TsExpr]) -> TsExpr {
    let from = if rng.one_in(2) { exprs.len().saturating_sub(6) } else { 0 };
    *rng.pick(&exprs[from..])
}

/// An expression of width 1.
fn bit(rng: &mut Rng, ts: &mut TransitionSystem, exprs: &[TsExpr]) -> TsExpr {
    let e = any(rng, exprs);
    let lo = rng.below(ts.pool.width(e) as usize) as u32;
    ts.pool.extract(e, lo, 1)
}

fn properties(
    rng: &mut Rng,
    ts: &mut TransitionSystem,
    exprs: &[TsExpr],
    name: &str,
    count: usize,
) -> Vec<TsNamed<TsExpr>> {
    let mut list = vec![];
    for k in 0..count {
        list.push(TsNamed { name: format!("{name}.{k}"), value: bit(rng, ts, exprs) });
    }
    list
}

fn operator(rng: &mut Rng, ts: &mut TransitionSystem, exprs: &[TsExpr]) -> TsExpr {
    let a = any(rng, exprs);
    let b = any(rng, exprs);
    let pool = &mut ts.pool;
    let width = pool.width(a);
    match rng.below(10) {
        0 => pool.op1(*rng.pick(&[Op1::Not, Op1::Neg]), a),
        1 if width + pool.width(b) <= crate::expr::MAX_WIDTH => pool.concat(a, b),
        2 => {
            let lo = rng.below(width as usize) as u32;
            let bits = 1 + rng.below((width - lo) as usize) as u32;
            pool.extract(a, lo, bits)
        }
        3 if width + 5 <= crate::expr::MAX_WIDTH => {
            let more = width + 1 + rng.below(5) as u32;
            pool.resize(a, more, rng.one_in(2))
        }
        4 => {
            let b = pool.resize(b, width, false);
            let c = any(rng, exprs);
            let c = ts.pool.extract(c, 0, 1);
            ts.pool.ite(c, a, b)
        }
        _ => {
            let b = pool.resize(b, width, rng.one_in(2));
            pool.op2(*rng.pick(&Op2::ALL), a, b)
        }
    }
}

/// A random run of this many frames.
pub fn random_run(rng: &mut Rng, ts: &TransitionSystem, frames: usize) -> Run {
    let mut value = |width: u32| {
        let v = if rng.one_in(3) { rng.below(4) as u128 } else { rng.next_u128() };
        v & mask(width)
    };
    let states = ts.states.iter().map(|s| s.init.unwrap_or_else(|| value(s.width)));
    Run {
        initial: states.collect(),
        inputs: (0..frames).map(|_| ts.inputs.iter().map(|i| value(i.width)).collect()).collect(),
    }
}
