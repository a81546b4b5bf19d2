//! Which locals have their address taken, are indexed by what is no constant, are assigned.

use super::super::hir::{Body, Expr, ExprKind, GlobalId, Init, Local, LocalId, Stmt, StmtKind};
use super::super::types::{Type, Types};
use super::scope::Sema;
use crate::base::IndexVec;

struct Marks<'a, 's> {
    sema: &'a Sema<'s>,
    locals: &'a mut IndexVec<LocalId, Local>,
    /// The global variables whose address is taken.
    pointed: Vec<GlobalId>,
}

/// Fills in the usage of a body's locals, and whose address is taken among the thread-local
/// variables.
pub fn mark(body: &mut Body, sema: &mut Sema) {
    for l in body.locals.iter_mut() {
        l.in_memory |= is_volatile(&sema.types, l);
    }
    let mut marks = Marks { sema, locals: &mut body.locals, pointed: vec![] };
    for s in &body.stmts {
        marks.stmt(s);
    }
    for g in marks.pointed {
        sema.globals[g].address_taken = sema.globals[g].thread_local;
    }
}

/// Whether the object or a part of it is volatile.
fn is_volatile(types: &Types, l: &Local) -> bool {
    let mut ty = l.ty;
    loop {
        if ty.quals.volatile {
            return true;
        }
        match types.get(ty.id) {
            Type::Array(of, _) => ty = *of,
            Type::Record(r) => {
                let fields = types.records[*r].fields.as_deref().unwrap_or(&[]);
                return fields.iter().any(|f| f.ty.quals.volatile);
            }
            _ => return false,
        }
    }
}

/// Functions that only store through these arguments: the address does not get out.
fn stores_through(name: &str, argument: usize) -> bool {
    matches!(
        (name, argument),
        ("pthread_create" | "thrd_create", 0) | ("pthread_join" | "thrd_join", 1)
    )
}

impl Marks<'_, '_> {
    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Decl(_, init) => {
                if let Some(i) = init {
                    self.init(i);
                }
            }
            StmtKind::Block(list) => list.iter().for_each(|s| self.stmt(s)),
            StmtKind::If(c, a, b) => {
                self.expr(c);
                self.stmt(a);
                if let Some(b) = b {
                    self.stmt(b);
                }
            }
            StmtKind::While(c, b) | StmtKind::DoWhile(b, c) => {
                self.expr(c);
                self.stmt(b);
            }
            StmtKind::For(f) => {
                f.init.iter().for_each(|s| self.stmt(s));
                f.cond.iter().chain(&f.step).for_each(|e| self.expr(e));
                self.stmt(&f.body);
            }
            StmtKind::Switch(x) => {
                self.expr(&x.value);
                self.stmt(&x.body);
            }
            StmtKind::Return(Some(e)) | StmtKind::GotoAddress(e) => self.expr(e),
            StmtKind::Return(None) | StmtKind::Label(_) | StmtKind::Goto(_) => {}
            StmtKind::Break | StmtKind::Continue | StmtKind::Empty => {}
        }
    }

    fn init(&mut self, init: &Init) {
        init.entries.iter().for_each(|(_, e)| self.expr(e));
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::AddrOf(lv) => match root(lv).kind {
                ExprKind::Local(base) | ExprKind::Literal(base, _) => {
                    self.locals[base].address_taken = true;
                }
                ExprKind::Global(g) => self.pointed.push(g),
                _ => {}
            },
            ExprKind::Index(array, index) if index.as_int().is_none() => {
                if let Some(base) = base_local(array) {
                    self.locals[base].in_memory = true;
                }
            }
            ExprKind::Assign(lv, _) | ExprKind::VaArg(lv) => self.assigned(lv),
            ExprKind::Modify(m) => self.assigned(&m.target),
            ExprKind::Atomic(a) => {
                self.assigned(&a.target);
                a.args.iter().for_each(|arg| self.assigned(arg));
            }
            ExprKind::Call(callee, args) => {
                self.expr(callee);
                for (i, a) in args.iter().enumerate() {
                    self.argument(callee, i, a);
                }
                return;
            }
            ExprKind::Block(stmts, _) => stmts.iter().for_each(|s| self.stmt(s)),
            _ => {}
        }
        e.children(&mut |c| self.expr(c));
    }

    fn argument(&mut self, callee: &Expr, i: usize, a: &Expr) {
        let mut inner = a;
        while let ExprKind::Cast(x) = &inner.kind {
            inner = x;
        }
        if let (ExprKind::Func(f), ExprKind::AddrOf(lv)) = (&callee.kind, &inner.kind)
            && stores_through(&self.sema.funcs[*f].name, i)
            && self.sema.types.is_scalar(lv.ty.id)
        {
            self.assigned(lv);
            self.expr(lv);
        } else {
            self.expr(a);
        }
    }

    fn assigned(&mut self, lv: &Expr) {
        if let Some(base) = base_local(lv) {
            self.locals[base].assigned += 1;
        }
    }
}

/// The local that an lvalue is, or is a part of.
pub fn base_local(lv: &Expr) -> Option<LocalId> {
    match root(lv).kind {
        ExprKind::Local(l) | ExprKind::Literal(l, _) => Some(l),
        _ => None,
    }
}

/// The lvalue of which this one is a part.
fn root(lv: &Expr) -> &Expr {
    match &lv.kind {
        ExprKind::Index(base, _) | ExprKind::Member(base, _) | ExprKind::BitField(base, _) => {
            root(base)
        }
        _ => lv,
    }
}
