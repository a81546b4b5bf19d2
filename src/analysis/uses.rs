//! How an edge uses a variable whose values mean something: the owner of a mutex, the status of a
//! thread. What does not fit the pattern is said to be opaque.

use std::collections::BTreeSet;

use crate::expr::{Node, Op2};
use crate::program::{Edge, EdgeId, Leaf, ProgExpr, Program, Target, ThreadId, VarId};

use super::facts::Facts;

/// A written value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Nothing is written.
    No,
    /// This constant, if the edge's address means the variable.
    Constant(u128),
    /// Something else.
    Other,
}

/// How one edge uses one variable. An access by address counts as a use of every variable that it
/// may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The constants that the guard compares it with.
    pub tests: BTreeSet<u128>,
    /// The constant that it must equal for the edge to be taken (if the address means it).
    pub required: Option<u128>,
    /// Whether it is read in any other way than by comparing it in the guard.
    pub opaque: bool,
    /// What is written to it.
    pub written: Written,
    /// Whether the write can be to no other variable.
    pub exact: bool,
}

impl Use {
    /// The use of `var` by an edge that the facts say can be taken.
    pub fn new(
        program: &Program,
        facts: &Facts,
        thread: ThreadId,
        edge: EdgeId,
        var: VarId,
    ) -> Self {
        let e = &program.threads[thread].edges[edge];
        let reader = Reader { program, facts, thread, id: edge, edge: e, var };
        let mut this = Self {
            tests: BTreeSet::new(),
            required: None,
            opaque: false,
            written: Written::No,
            exact: false,
        };
        reader.guard(&mut this);
        for (k, assign) in e.assigns.iter().enumerate() {
            if !facts.keeps(program, thread, edge, k) {
                continue;
            }
            this.opaque |= reader.reads(assign.value);
            let written = match program.pool.as_const(assign.value) {
                Some(value) => Written::Constant(value),
                None => Written::Other,
            };
            match assign.target {
                Target::Var(v) if v == var => (this.written, this.exact) = (written, true),
                Target::Var(_) => {}
                Target::Deref(d) => {
                    this.opaque |= reader.reads(e.derefs[d].addr);
                    let places = facts.places(thread, edge, d);
                    let bytes = u64::from(e.derefs[d].bytes);
                    if places.iter().any(|p| p.overlap(program, bytes).any(|v| v == var)) {
                        let whole = places.iter().all(|p| {
                            p.exact(program, bytes) == Some(var)
                                || p.overlap(program, bytes).all(|v| v != var)
                        });
                        this.written = if whole { written } else { Written::Other };
                        this.exact = places.len() == 1;
                    }
                }
            }
        }
        this
    }
}

struct Reader<'a> {
    program: &'a Program,
    facts: &'a Facts,
    thread: ThreadId,
    id: EdgeId,
    edge: &'a Edge,
    var: VarId,
}

impl Reader<'_> {
    /// Whether a leaf is the whole variable (`Some(true)`) or depends on it otherwise.
    fn leaf(&self, leaf: Leaf) -> Option<bool> {
        match leaf {
            Leaf::Var(v) => (v == self.var).then_some(true),
            Leaf::Loaded(d) => {
                let bytes = u64::from(self.edge.derefs[d].bytes);
                let mut found = None;
                for place in self.facts.places(self.thread, self.id, d) {
                    if place.overlap(self.program, bytes).any(|v| v == self.var) {
                        let whole = place.exact(self.program, bytes) == Some(self.var);
                        found = Some(whole && found != Some(false));
                    }
                }
                found
            }
            Leaf::Valid(_) | Leaf::Address(_) | Leaf::Input(_) => None,
        }
    }

    fn is_var(&self, e: ProgExpr) -> bool {
        let Node::Leaf(leaf) = self.program.pool.node(e) else { return false };
        let by_address = match leaf {
            // With one dereference only is the address that is tested the one that is written.
            Leaf::Loaded(d) => self.edge.derefs.len() == 1 && !self.reads(self.edge.derefs[d].addr),
            _ => true,
        };
        by_address && self.leaf(leaf) == Some(true)
    }

    /// `variable == constant`.
    fn test(&self, e: ProgExpr) -> Option<u128> {
        let pool = &self.program.pool;
        let Node::Op2(Op2::Eq, a, b) = pool.node(e) else { return None };
        match (self.is_var(a), self.is_var(b)) {
            (true, false) => pool.as_const(b),
            (false, true) => pool.as_const(a),
            _ => None,
        }
    }

    /// Whether the expression, or an address in it, reads the variable.
    fn reads(&self, root: ProgExpr) -> bool {
        let mut found = false;
        let mut roots = vec![root];
        while let Some(root) = roots.pop() {
            self.program.pool.for_each_leaf(root, |leaf, _| {
                found |= self.leaf(leaf).is_some();
                if let Leaf::Loaded(d) | Leaf::Valid(d) = leaf {
                    roots.push(self.edge.derefs[d].addr);
                }
            });
        }
        found
    }

    fn guard(&self, this: &mut Use) {
        let pool = &self.program.pool;
        let mut stack = vec![self.edge.guard];
        while let Some(e) = stack.pop() {
            match pool.node(e) {
                Node::Op2(Op2::And, a, b) => stack.extend([a, b]),
                _ => this.required = this.required.or(self.test(e)),
            }
        }
        let mut seen = crate::base::HashSet::default();
        stack.push(self.edge.guard);
        while let Some(e) = stack.pop() {
            if !seen.insert(e) {
                continue;
            }
            if let Some(value) = self.test(e) {
                this.tests.insert(value);
                continue;
            }
            match pool.node(e) {
                Node::Leaf(leaf) => {
                    this.opaque |= self.leaf(leaf).is_some();
                    if let Leaf::Loaded(d) | Leaf::Valid(d) = leaf {
                        this.opaque |= self.reads(self.edge.derefs[d].addr);
                    }
                }
                _ => stack.extend(pool.operands(e)),
            }
        }
    }
}
