//! Constant bounds of loops: their condition and step are run on constants.

use super::super::hir::{BinOp, Expr, ExprKind, For, FuncId, LocalId, Stmt, StmtKind};
use super::super::sema::{apply, base_local, convert};
use super::state::{Lower, Storage};
use super::threads::{MAX_THREADS, start_argument};
use crate::base::HashSet;
use crate::expr::{Op1, mask};

/// How the rounds of a loop are counted.
pub struct Counted {
    /// The variable, which nothing but the loop's step writes.
    pub counter: LocalId,
    /// Its value in each round, and the one that ends the loop.
    pub values: Vec<u128>,
}

impl Counted {
    /// How often the body runs at most; above [`MAX_THREADS`], at least.
    pub fn bound(&self) -> u64 {
        self.values.len() as u64 - 1
    }
}

/// A variable and its value.
type Known = Option<(LocalId, u128)>;

impl Lower<'_> {
    /// How the rounds of a `for` are counted, if a variable counts them.
    pub fn counted(&mut self, f: &For) -> Option<Counted> {
        let (counter, start) = self.counter(f.init.last()?)?;
        let touched = count_assignments(&f.body, counter);
        if touched > 0 || self.is_shared(counter) || is_entered(&f.body) {
            return None;
        }
        let values = self.simulate(counter, start, f.cond.as_ref()?, f.step.as_ref()?)?;
        Some(Counted { counter, values })
    }

    /// Whether a statement may create threads or join them, also in functions that it calls.
    pub fn starts_or_joins(&self, s: &Stmt) -> bool {
        self.about_threads(s, &mut HashSet::default())
    }

    fn about_threads(&self, s: &Stmt, seen: &mut HashSet<FuncId>) -> bool {
        let mut calls = vec![];
        s.visit(&mut |_| {}, &mut |e| called(e, &mut calls));
        calls.into_iter().any(|f| {
            let func = &self.hir.funcs[f];
            match &func.body {
                None => start_argument(&func.name).is_some() || func.name.contains("join"),
                Some(body) => {
                    seen.insert(f) && body.stmts.iter().any(|s| self.about_threads(s, seen))
                }
            }
        })
    }

    /// As [`Lower::for_bound`], for `i = c; while (...) { ... i++; ... }`.
    pub fn while_bound(
        &mut self,
        previous: Option<&Stmt>,
        cond: &Expr,
        body: &Stmt,
    ) -> Option<u64> {
        let (l, start) = self.counter(previous?)?;
        let StmtKind::Block(list) = &body.kind else { return None };
        let mut continues = false;
        body.visit(&mut |s| continues |= matches!(s.kind, StmtKind::Continue), &mut |_| {});
        if continues || count_assignments(body, l) != 1 || self.is_shared(l) || is_entered(body) {
            return None;
        }
        let step = list.iter().find_map(|s| match &s.kind {
            StmtKind::Expr(e) if assigned(e) == Some(l) => Some(e),
            _ => None,
        })?;
        Some(self.simulate(l, start, cond, step)?.len() as u64 - 1)
    }

    fn is_shared(&mut self, l: LocalId) -> bool {
        let f = self.frame().func;
        let local = self.local(f, l);
        local.address_taken || local.in_memory
    }

    /// The variable that a statement sets to a constant.
    fn counter(&mut self, s: &Stmt) -> Option<(LocalId, u128)> {
        match &s.kind {
            StmtKind::Decl(l, Some(init)) => match &init.entries[..] {
                [(0, e)] => Some((*l, self.constant_value(e, None)?)),
                _ => None,
            },
            StmtKind::Expr(e) => match &e.kind {
                ExprKind::Assign(lv, v) => match lv.kind {
                    ExprKind::Local(l) => Some((l, self.constant_value(v, None)?)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// The counter's values in each round, and the one that ends the loop; or more than
    /// [`MAX_THREADS`] and one.
    fn simulate(&mut self, l: LocalId, start: u128, cond: &Expr, step: &Expr) -> Option<Vec<u128>> {
        let mut values = vec![start];
        while values.len() <= MAX_THREADS + 1 {
            let value = *values.last().expect("there is one at least");
            if self.constant_value(cond, Some((l, value)))? == 0 {
                return Some(values);
            }
            values.push(self.step(l, value, step)?);
        }
        Some(values)
    }

    /// The counter's value after the step.
    fn step(&mut self, l: LocalId, value: u128, step: &Expr) -> Option<u128> {
        let known = Some((l, value));
        match &step.kind {
            ExprKind::Modify(m) if assigned(step) == Some(l) && m.scale == 0 => {
                let types = &self.hir.types;
                let old = convert(types, value, m.target.ty.id, m.at);
                let rhs = self.constant_value(&m.rhs, known)?;
                let types = &self.hir.types;
                let new = apply(types, m.op, old, rhs, m.at)?;
                Some(convert(types, new, m.at, m.target.ty.id))
            }
            ExprKind::Assign(_, v) if assigned(step) == Some(l) => self.constant_value(v, known),
            ExprKind::Cast(e) => self.step(l, value, e),
            _ => None,
        }
    }

    /// The value of an expression over constants and one known variable.
    fn constant_value(&mut self, e: &Expr, known: Known) -> Option<u128> {
        let ty = e.ty.id;
        match &e.kind {
            ExprKind::Int(v) => Some(*v),
            ExprKind::Load(lv) => self.run_load(lv, known),
            ExprKind::Cast(a) if self.hir.types.is_scalar(ty) => {
                let v = self.constant_value(a, known)?;
                Some(convert(&self.hir.types, v, a.ty.id, ty))
            }
            ExprKind::Neg(a) => {
                Some(Op1::Neg.apply(self.constant_value(a, known)?, self.hir.types.width(ty)))
            }
            ExprKind::Not(a) => Some(u128::from(self.constant_value(a, known)? == 0)),
            ExprKind::Binary(op, a, b) => {
                let x = self.constant_value(a, known)?;
                let y = self.constant_value(b, known)?;
                let y = match op {
                    BinOp::Shl | BinOp::Shr => convert(&self.hir.types, y, b.ty.id, a.ty.id),
                    _ => y,
                };
                apply(&self.hir.types, *op, x, y, a.ty.id)
            }
            // What is not known can only end the loop earlier.
            ExprKind::LogAnd(a, b) => {
                match (self.constant_value(a, known), self.constant_value(b, known)) {
                    (Some(0), _) | (_, Some(0)) => Some(0),
                    (Some(_), _) | (_, Some(_)) => Some(1),
                    (None, None) => None,
                }
            }
            _ => None,
        }
    }

    fn run_load(&mut self, lv: &Expr, known: Known) -> Option<u128> {
        match &lv.kind {
            ExprKind::Local(l) => match known {
                Some((k, v)) if k == *l => Some(v),
                _ => match self.frame().bound.get(l) {
                    Some(Storage::Value(v)) => {
                        let v = *v;
                        self.prog.pool.as_const(v)
                    }
                    _ => None,
                },
            },
            ExprKind::Global(g) => {
                let o = *self.globals.get(g)?.as_ref().ok()?;
                self.constants.get(&o)?;
                let &(_, v) = self.prog.objects[o].leaves.first()?;
                let var = &self.prog.vars[v];
                (self.hir.types.is_scalar(lv.ty.id)
                    && var.init <= mask(self.hir.types.width(lv.ty.id)))
                .then_some(var.init)
            }
            _ => None,
        }
    }
}

/// The local that an expression assigns as a whole.
fn assigned(e: &Expr) -> Option<LocalId> {
    let lv = match &e.kind {
        ExprKind::Assign(lv, _) => lv,
        ExprKind::Modify(m) => &m.target,
        _ => return None,
    };
    match lv.kind {
        ExprKind::Local(l) => Some(l),
        _ => None,
    }
}

/// Whether a statement can be entered past its start: a label in it is named, or is a case of a
/// switch around it.
fn is_entered(s: &Stmt) -> bool {
    let (mut labels, mut inner) = (vec![], vec![]);
    s.visit(
        &mut |s| match &s.kind {
            StmtKind::Label(l) => labels.push(*l),
            StmtKind::Switch(x) => {
                inner.extend(x.cases.iter().map(|c| c.label));
                inner.extend(x.default);
            }
            _ => {}
        },
        &mut |_| {},
    );
    labels.iter().any(|l| !inner.contains(l))
}

/// Number of assignments to a local in a statement, and of its declarations there.
fn count_assignments(s: &Stmt, l: LocalId) -> usize {
    let (mut found, mut declared) = (0, 0);
    s.visit(
        &mut |s| declared += usize::from(matches!(s.kind, StmtKind::Decl(d, _) if d == l)),
        &mut |e| {
            count_in(e, l, &mut found);
        },
    );
    found + declared
}

fn count_in(e: &Expr, l: LocalId, found: &mut usize) {
    e.walk(&mut |x| match &x.kind {
        ExprKind::Assign(lv, _) if base_local(lv) == Some(l) => *found += 1,
        ExprKind::Modify(m) if base_local(&m.target) == Some(l) => *found += 1,
        // The thread functions store through their pointer arguments.
        ExprKind::AddrOf(lv) if base_local(lv) == Some(l) => *found += 1,
        ExprKind::Block(stmts, _) => {
            for s in stmts {
                *found += count_assignments(s, l);
            }
        }
        _ => {}
    });
}

/// Adds the functions that an expression names.
pub fn called(e: &Expr, found: &mut Vec<FuncId>) {
    e.walk(&mut |x| match &x.kind {
        ExprKind::Func(f) => found.push(*f),
        ExprKind::Block(stmts, _) => {
            for s in stmts {
                s.visit(&mut |_| {}, &mut |e| called(e, found));
            }
        }
        _ => {}
    });
}
