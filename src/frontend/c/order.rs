//! Warnings where C leaves open in which order a variable is accessed and the order matters.
//!
//! The check is syntactic: it knows accesses to global variables by name, also those of called
//! functions, and none through pointers.

use super::hir::{Expr, ExprKind, FuncId, GlobalId, Hir, Loc, Stmt};
use crate::base::{Diagnostic, HashSet, IndexVec, Span};

/// The globals that something accesses.
#[derive(Clone, Default)]
struct Effects {
    reads: HashSet<GlobalId>,
    writes: HashSet<GlobalId>,
}

impl Effects {
    fn add(&mut self, other: &Effects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
    }

    fn size(&self) -> usize {
        self.reads.len() + self.writes.len()
    }

    /// A variable that one of both writes and the other accesses; the first one declared.
    fn conflict(&self, other: &Effects) -> Option<GlobalId> {
        let ours = self.writes.iter();
        let ours = ours.filter(|g| other.writes.contains(g) || other.reads.contains(g));
        let theirs = other.writes.iter().filter(|g| self.reads.contains(g));
        ours.chain(theirs).min().copied()
    }
}

/// One warning for each operator whose operands conflict, in the functions that have bodies.
pub fn warnings(hir: &Hir, span: impl Fn(Loc) -> Span) -> Vec<Diagnostic> {
    let mut check = Check { hir, functions: IndexVec::filled(Effects::default(), hir.funcs.len()) };
    check.solve();
    let mut out = vec![];
    for f in hir.funcs.iter() {
        for e in f.body.iter().flat_map(|b| whole_expressions(&b.stmts)) {
            check.expression(e, &mut |g, loc| {
                let name = &hir.globals[g].name;
                let message = format!("C does not fix the order of the accesses to `{name}` here");
                let note = "gcc's order is taken; use two statements to fix it";
                out.push(Diagnostic::warning(span(loc), message).note(note));
            });
        }
    }
    out
}

fn whole_expressions(stmts: &[Stmt]) -> Vec<&Expr> {
    let mut out = vec![];
    for s in stmts {
        s.visit(&mut |_| {}, &mut |e| out.push(e));
    }
    out
}

struct Check<'a> {
    hir: &'a Hir,
    functions: IndexVec<FuncId, Effects>,
}

impl Check<'_> {
    /// Finds the effects of all functions, calls included.
    fn solve(&mut self) {
        loop {
            let mut changed = false;
            for (f, func) in self.hir.funcs.iter_enumerated() {
                let mut all = self.functions[f].clone();
                for e in func.body.iter().flat_map(|b| whole_expressions(&b.stmts)) {
                    all.add(&self.effects(e));
                }
                changed |= all.size() > self.functions[f].size();
                self.functions[f] = all;
            }
            if !changed {
                return;
            }
        }
    }

    fn effects(&self, e: &Expr) -> Effects {
        let mut out = Effects::default();
        match &e.kind {
            ExprKind::Load(lv) => out.reads.extend(base_global(lv)),
            ExprKind::Assign(lv, _) => out.writes.extend(base_global(lv)),
            ExprKind::Modify(m) => {
                out.reads.extend(base_global(&m.target));
                out.writes.extend(base_global(&m.target));
            }
            ExprKind::Call(callee, _) => {
                if let ExprKind::Func(f) = callee.kind {
                    out.add(&self.functions[f]);
                }
            }
            ExprKind::Block(stmts, _) => {
                for x in whole_expressions(stmts) {
                    out.add(&self.effects(x));
                }
            }
            _ => {}
        }
        e.children(&mut |c| out.add(&self.effects(c)));
        out
    }

    /// Reports conflicts between operands of `e` and below.
    fn expression(&self, e: &Expr, report: &mut dyn FnMut(GlobalId, Loc)) {
        let mut groups: Vec<Effects> = vec![];
        match &e.kind {
            ExprKind::Binary(_, a, b)
            | ExprKind::PtrAdd(a, b, ..)
            | ExprKind::PtrDiff(a, b, _)
            | ExprKind::Overflows(_, a, b, _)
            | ExprKind::Index(a, b)
            | ExprKind::Assign(a, b) => groups.extend([self.effects(a), self.effects(b)]),
            ExprKind::Modify(m) => {
                let mut target = self.effects(&m.target);
                target.reads.extend(base_global(&m.target));
                groups.extend([target, self.effects(&m.rhs)]);
            }
            ExprKind::Call(_, args) => groups.extend(args.iter().map(|a| self.effects(a))),
            ExprKind::Block(stmts, _) => {
                whole_expressions(stmts).into_iter().for_each(|x| self.expression(x, report));
            }
            _ => {}
        }
        let mut found = None;
        for (i, a) in groups.iter().enumerate() {
            found = groups[..i].iter().find_map(|b| a.conflict(b)).or(found);
        }
        if let Some(g) = found {
            report(g, e.loc);
        }
        e.children(&mut |c| self.expression(c, report));
    }
}

fn base_global(lv: &Expr) -> Option<GlobalId> {
    match &lv.kind {
        ExprKind::Global(g) => Some(*g),
        ExprKind::Index(base, _) | ExprKind::Member(base, _) | ExprKind::BitField(base, _) => {
            base_global(base)
        }
        _ => None,
    }
}
