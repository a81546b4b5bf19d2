//! Values of program expressions before an edge, as circuit signals.

use crate::base::HashMap;
use crate::expr::{Node, Op2};
use crate::program::{DerefId, Edge, EdgeId, Leaf, ProgExpr, Program, VarId};
use crate::ts::{TransitionSystem, TsExpr};

use super::super::memory::{self, Case};
use super::{Builder, Env};

impl Builder<'_> {
    /// The edge's guard in the environment before it.
    pub(super) fn guard(&mut self, values: &mut EdgeValues) -> TsExpr {
        match self.facts.ranges.guard(self.program, self.thread, values.id) {
            Some(truth) => self.ts.pool.bool(truth),
            None => self.expr(values, values.edge.guard),
        }
    }

    /// The cases of a dereference in the environment before the edge.
    pub(super) fn cases(&mut self, values: &mut EdgeValues, d: DerefId) -> Vec<Case> {
        let addr = self.expr(values, values.edge.derefs[d].addr);
        let places = self.facts.places(self.thread, values.id, d);
        let (program, states, env) = (self.program, self.states, values.env);
        let mut current = |ts: &mut TransitionSystem, v: VarId| {
            env.get(&v).copied().unwrap_or_else(|| states.current(program, ts, v))
        };
        memory::cases(program, self.ts, places, addr, &mut current)
    }

    /// A program expression in the environment before the edge.
    pub(super) fn expr(&mut self, values: &mut EdgeValues, root: ProgExpr) -> TsExpr {
        if let Some(&e) = values.memo.get(&root) {
            return e;
        }
        let mut leaves = vec![];
        self.program.pool.for_each_leaf(root, |leaf, width| leaves.push((leaf, width)));
        for (leaf, width) in leaves {
            if !values.leaves.contains_key(&leaf) {
                let value = self.leaf(values, leaf, width);
                values.leaves.insert(leaf, value);
            }
        }
        let known = &values.leaves;
        self.program.pool.translate(
            root,
            &mut self.ts.pool,
            &mut |_, leaf, _| known[&leaf],
            &mut values.memo,
        )
    }

    fn leaf(&mut self, values: &mut EdgeValues, leaf: Leaf, width: u32) -> TsExpr {
        match leaf {
            Leaf::Var(v) => match values.env.get(&v) {
                Some(&value) => value,
                None => self.states.current(self.program, self.ts, v),
            },
            Leaf::Address(o) => {
                self.ts.pool.constant(u128::from(self.program.objects[o].address), width)
            }
            Leaf::Input(i) => {
                let (input, expr) = self.choices.take(self.ts, width);
                self.step_choices.push((i, input));
                expr
            }
            Leaf::Valid(d) => {
                let cases = self.cases(values, d);
                let none = self.ts.pool.bool(false);
                cases.iter().fold(none, |a, c| self.ts.pool.or(a, c.hit))
            }
            Leaf::Loaded(d) => self.load(values, d, width),
        }
    }

    fn load(&mut self, values: &mut EdgeValues, d: DerefId, width: u32) -> TsExpr {
        let bytes = u64::from(values.edge.derefs[d].bytes);
        let cases = self.cases(values, d);
        let (program, states, env) = (self.program, self.states, values.env);
        let mut current = |ts: &mut TransitionSystem, v: VarId| {
            env.get(&v).copied().unwrap_or_else(|| states.current(program, ts, v))
        };
        let mut result: Option<TsExpr> = None;
        if !guarded_by_valid(program, values.edge, d) {
            result = Some(self.ts.pool.constant(0, width));
        }
        for case in cases.iter().rev() {
            let value = memory::load(program, self.ts, case.place, bytes, &mut current);
            result = Some(match result {
                None => value,
                Some(rest) => self.ts.pool.ite(case.hit, value, rest),
            });
        }
        result.unwrap_or_else(|| self.ts.pool.constant(0, width))
    }
}

/// Whether the guard is a conjunction that contains the validity of this dereference, so that
/// the value of an invalid one does not matter.
fn guarded_by_valid(program: &Program, edge: &Edge, d: DerefId) -> bool {
    let mut stack = vec![edge.guard];
    while let Some(e) = stack.pop() {
        match program.pool.node(e) {
            Node::Leaf(Leaf::Valid(x)) if x == d => return true,
            Node::Op2(Op2::And, a, b) => stack.extend([a, b]),
            _ => {}
        }
    }
    false
}

/// Values of one edge's expressions in the environment before it.
pub(super) struct EdgeValues<'a> {
    pub(super) edge: &'a Edge,
    pub(super) id: EdgeId,
    env: &'a Env,
    leaves: HashMap<Leaf, TsExpr>,
    memo: HashMap<ProgExpr, TsExpr>,
}

impl<'a> EdgeValues<'a> {
    pub(super) fn new(edge: &'a Edge, id: EdgeId, env: &'a Env) -> Self {
        Self { edge, id, env, leaves: HashMap::default(), memo: HashMap::default() }
    }
}
