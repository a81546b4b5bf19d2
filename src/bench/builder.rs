//! Shorthand for building transition systems.

use crate::expr::Op2;
use crate::ts::{StateId, TransitionSystem, TsExpr, TsNamed};

/// A register: its state and its current value.
#[derive(Clone, Copy)]
pub(super) struct Reg {
    state: StateId,
    /// The current value.
    pub now: TsExpr,
}

/// A system under construction.
#[derive(Default)]
pub(super) struct Builder {
    ts: TransitionSystem,
}

impl Builder {
    /// An input of this width in bits.
    pub fn input(&mut self, name: &str, width: u32) -> TsExpr {
        self.ts.add_input(name, width).1
    }

    /// A register that starts with `init`.
    pub fn reg(&mut self, name: &str, width: u32, init: u128) -> Reg {
        let (state, now) = self.ts.add_state(name, width, Some(init));
        Reg { state, now }
    }

    /// Registers `name0`, `name1` and so on.
    pub fn regs(&mut self, name: &str, count: usize, width: u32, init: u128) -> Vec<Reg> {
        (0..count).map(|k| self.reg(&format!("{name}{k}"), width, init)).collect()
    }

    /// The register's next value.
    pub fn next(&mut self, reg: Reg, value: TsExpr) {
        self.ts.states[reg.state].next = value;
    }

    /// The register takes the value where `enable` is true, and else keeps its own.
    pub fn load(&mut self, reg: Reg, enable: TsExpr, value: TsExpr) {
        let next = self.ite(enable, value, reg.now);
        self.next(reg, next);
    }

    /// The property: this must never be true.
    pub fn bad(&mut self, value: TsExpr) {
        self.ts.bads.push(TsNamed { name: "bad".into(), value });
    }

    /// The system.
    pub fn finish(self) -> TransitionSystem {
        self.ts
    }

    pub fn constant(&mut self, value: u128, width: u32) -> TsExpr {
        self.ts.pool.constant(value, width)
    }

    pub fn op(&mut self, op: Op2, a: TsExpr, b: TsExpr) -> TsExpr {
        self.ts.pool.op2(op, a, b)
    }

    /// `a` op a constant.
    pub fn with(&mut self, op: Op2, a: TsExpr, constant: u128) -> TsExpr {
        let b = self.constant(constant, self.ts.pool.width(a));
        self.op(op, a, b)
    }

    pub fn is(&mut self, a: TsExpr, constant: u128) -> TsExpr {
        self.with(Op2::Eq, a, constant)
    }

    pub fn not(&mut self, a: TsExpr) -> TsExpr {
        self.ts.pool.not(a)
    }

    pub fn and(&mut self, a: TsExpr, b: TsExpr) -> TsExpr {
        self.ts.pool.and(a, b)
    }

    pub fn or(&mut self, a: TsExpr, b: TsExpr) -> TsExpr {
        self.ts.pool.or(a, b)
    }

    pub fn ite(&mut self, c: TsExpr, a: TsExpr, b: TsExpr) -> TsExpr {
        self.ts.pool.ite(c, a, b)
    }

    pub fn bit(&mut self, a: TsExpr, k: u32) -> TsExpr {
        self.ts.pool.extract(a, k, 1)
    }

    /// The low bits become the high ones, and `low` comes in.
    pub fn shift_in(&mut self, word: TsExpr, low: TsExpr) -> TsExpr {
        let width = self.ts.pool.width(word);
        let kept = self.ts.pool.extract(word, 0, width - 1);
        self.ts.pool.concat(kept, low)
    }

    /// Whether two of the conditions are true.
    pub fn two_of(&mut self, conditions: &[TsExpr]) -> TsExpr {
        let (mut one, mut two) = (self.ts.pool.bool(false), self.ts.pool.bool(false));
        for &c in conditions {
            let both = self.and(one, c);
            two = self.or(two, both);
            one = self.or(one, c);
        }
        two
    }

    /// The item at the position, the last one where it is too large.
    pub fn select(&mut self, items: &[TsExpr], position: TsExpr) -> TsExpr {
        let mut result = items[items.len() - 1];
        for (k, &item) in items.iter().enumerate().rev() {
            let here = self.is(position, k as u128);
            result = self.ite(here, item, result);
        }
        result
    }
}
