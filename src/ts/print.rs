//! A transition system as text: one line for each input, state, named subexpression, next state
//! and property. Its size is linear in the number of expressions in use.

use std::fmt;

use super::system::{TransitionSystem, TsExpr, TsLeaf, TsNamed, TsPool};
use crate::base::Id;
use crate::expr::Node;

/// Nesting at which a subexpression gets a line of its own even if it is used once.
const MAX_NESTING: u32 = 12;

impl TransitionSystem {
    /// Whether the expression with each index gets a line of its own.
    fn own_lines(&self) -> Vec<bool> {
        let n = self.pool.len();
        let mut uses = vec![0u32; n];
        let next = self.states.iter().map(|s| s.next);
        next.chain(self.property_roots()).for_each(|e| uses[e.index()] += 1);
        for e in (0..n).rev().map(TsExpr::new).filter(|&e| !is_atom(&self.pool, e)) {
            if uses[e.index()] > 0 {
                self.pool.operands(e).for_each(|x| uses[x.index()] += 1);
            }
        }
        let mut own = vec![false; n];
        let mut nesting = vec![0; n];
        for e in (0..n).map(TsExpr::new).filter(|&e| !is_atom(&self.pool, e)) {
            let inner = self.pool.operands(e).map(|x| nesting[x.index()]).max();
            nesting[e.index()] = 1 + inner.unwrap_or(0);
            if uses[e.index()] > 1 || (uses[e.index()] == 1 && nesting[e.index()] >= MAX_NESTING) {
                own[e.index()] = true;
                nesting[e.index()] = 0;
            }
        }
        own
    }
}

fn is_atom(pool: &TsPool, e: TsExpr) -> bool {
    matches!(pool.node(e), Node::Const(_) | Node::Leaf(_))
}

impl fmt::Display for TransitionSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for input in &self.inputs {
            writeln!(f, "input {} : {}", input.name, input.width)?;
        }
        for state in &self.states {
            match state.init {
                Some(v) => writeln!(f, "state {} : {} = {v}", state.name, state.width)?,
                None => writeln!(f, "state {} : {}", state.name, state.width)?,
            }
        }
        let own = self.own_lines();
        let show = |e: TsExpr, top: bool| {
            self.pool.show_named(e, usize::MAX, |x| match self.pool.node(x) {
                Node::Leaf(TsLeaf::Input(id)) => Some(self.inputs[id].name.clone()),
                Node::Leaf(TsLeaf::State(id)) => Some(self.states[id].name.clone()),
                _ => (own[x.index()] && !(top && x == e)).then(|| format!("{x:?}")),
            })
        };
        for e in (0..self.pool.len()).map(TsExpr::new).filter(|e| own[e.index()]) {
            writeln!(f, "{e:?} : {} = {}", self.pool.width(e), show(e, true))?;
        }
        for state in &self.states {
            writeln!(f, "next {} = {}", state.name, show(state.next, false))?;
        }
        let lists = [
            ("constraint", &self.constraints),
            ("bad", &self.bads),
            ("fairness", &self.fairness),
            ("output", &self.outputs),
        ];
        for (word, list) in lists {
            for TsNamed { name, value } in list {
                writeln!(f, "{word} {name} = {}", show(*value, false))?;
            }
        }
        for TsNamed { name, value } in &self.justice {
            let value: Vec<_> = value.iter().map(|&e| show(e, false)).collect();
            writeln!(f, "justice {name} = {}", value.join(", "))?;
        }
        Ok(())
    }
}
