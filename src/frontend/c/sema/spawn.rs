//! CBMC's own threads: a statement with a label `__CPROVER_ASYNC_…` runs in a thread of its own.
//!
//! The statement becomes the body of a function and its place a call of [`SPAWN`]. As in CBMC the
//! thread works on copies of the local variables, taken when it begins; nobody joins it.

use lang_c::ast;
use lang_c::span::Node;

use super::super::hir::{Body, Expr, ExprKind, Func, LabelId, LocalId, Stmt, StmtKind};
use super::super::types::{Qt, Type};
use super::scope::{R, Sema};
use crate::base::HashSet;

/// The function that starts a thread: of this function, with these arguments.
pub const SPAWN: &str = "__lw_spawn";

/// What stands in the statements of a thread.
#[derive(Default)]
struct Contents {
    locals: Vec<LocalId>,
    labels: HashSet<LabelId>,
    gotos: Vec<LabelId>,
    /// A statement that leaves the function.
    leaves: bool,
}

impl Contents {
    fn add(&mut self, stmts: &[Stmt]) {
        let mut expressions = vec![];
        for s in stmts {
            let mut kinds = vec![];
            s.visit(&mut |s| kinds.push(&s.kind), &mut |e| expressions.push(e));
            for kind in kinds {
                match kind {
                    StmtKind::Label(l) => _ = self.labels.insert(*l),
                    StmtKind::Goto(l) => self.gotos.push(*l),
                    StmtKind::Return(_) | StmtKind::GotoAddress(_) => self.leaves = true,
                    _ => {}
                }
            }
        }
        for e in expressions {
            e.walk(&mut |e| match &e.kind {
                ExprKind::Local(l) => self.locals.push(*l),
                ExprKind::Block(stmts, _) => self.add(stmts),
                _ => {}
            });
        }
    }
}

impl Sema<'_> {
    /// The statement behind a label `__CPROVER_ASYNC_…`.
    pub fn spawn(&mut self, s: &Node<ast::Statement>, out: &mut Vec<Stmt>) -> R<()> {
        let loc = self.loc(s.span);
        let outside = self.open.in_scope.clone();
        // What these lead to is outside of the thread.
        let (loops, breakable) = (self.open.loops, self.open.breakable);
        (self.open.loops, self.open.breakable) = (0, 0);
        let mut stmts = vec![];
        let result = self.in_block(|x| x.statement(s, &mut stmts));
        (self.open.loops, self.open.breakable) = (loops, breakable);
        result?;
        let mut contents = Contents::default();
        contents.add(&stmts);
        if contents.leaves || contents.gotos.iter().any(|l| !contents.labels.contains(l)) {
            return Err(self.unsupported(s.span, "a jump out of a thread of CBMC's own"));
        }
        let mut params: Vec<LocalId> =
            contents.locals.into_iter().filter(|l| outside.contains(l)).collect();
        params.sort();
        params.dedup();
        let mut args = vec![];
        for &l in &params {
            let ty = self.open.locals[l].ty;
            if !self.types.is_scalar(ty.id) {
                let what = "a local array or struct used in a thread of CBMC's own";
                return Err(self.unsupported(s.span, what));
            }
            let lv = Box::new(Expr { kind: ExprKind::Local(l), ty, loc });
            args.push(Expr { kind: ExprKind::Load(lv), ty: Qt::plain(ty.id), loc });
        }
        let thread = self.thread_function(params, stmts, loc);
        args.insert(0, thread);
        let call = self.spawn_call(args, loc)?;
        let stmt = self.stmt_at(StmtKind::Expr(call), loc);
        out.push(stmt);
        Ok(())
    }

    /// A function with this body, as a value.
    fn thread_function(
        &mut self,
        params: Vec<LocalId>,
        stmts: Vec<Stmt>,
        loc: super::super::hir::Loc,
    ) -> Expr {
        let name = match &stmts[..] {
            [Stmt { kind: StmtKind::Expr(Expr { kind: ExprKind::Call(callee, _), .. }), .. }] => {
                match callee.kind {
                    ExprKind::Func(f) => self.funcs[f].name.clone(),
                    _ => "async".into(),
                }
            }
            _ => "async".into(),
        };
        let types = params.iter().map(|&l| Qt::plain(self.open.locals[l].ty.id)).collect();
        let ret = Qt::plain(self.types.intern(Type::Void));
        let ty = Type::Function { ret, params: Some(types), variadic: false };
        let ty = self.types.intern(ty);
        let open = &self.open;
        let mut body = Body {
            params,
            locals: open.locals.clone(),
            labels: open.labels.clone(),
            gotos: open.gotos.clone(),
            stmts,
            va_start: false,
            end: loc,
        };
        super::usage::mark(&mut body, self);
        let f = self.funcs.push(Func { name, ty, loc, body: Some(body) });
        let func = Expr { kind: ExprKind::Func(f), ty: Qt::plain(ty), loc };
        let ty = Qt::plain(self.types.pointer(Qt::plain(ty)));
        Expr { kind: ExprKind::AddrOf(Box::new(func)), ty, loc }
    }

    fn spawn_call(&mut self, args: Vec<Expr>, loc: super::super::hir::Loc) -> R<Expr> {
        let ret = Qt::plain(self.types.intern(Type::Void));
        let ty = self.types.intern(Type::Function { ret, params: None, variadic: false });
        let f = self.declare_function(SPAWN, ty, false, loc)?;
        self.name_function(f);
        let callee = Expr { kind: ExprKind::Func(f), ty: Qt::plain(ty), loc };
        Ok(Expr { kind: ExprKind::Call(Box::new(callee), args), ty: ret, loc })
    }
}
