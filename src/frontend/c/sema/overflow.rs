//! gcc's arithmetic that tells whether it overflows: `__builtin_add_overflow` and its like.

use lang_c::ast;
use lang_c::span::Node;

use super::super::hir::{BinOp, Expr, ExprKind, Init, Loc, Stmt, StmtKind};
use super::super::types::{IntKind, Qt, Type, TypeId};
use super::scope::{R, Sema};

/// Which of the functions one is.
struct Form {
    op: BinOp,
    /// The type of the operands and of the result, if the name says it.
    kind: Option<IntKind>,
    /// Whether the third argument only gives a type.
    predicate: bool,
}

/// The form of `__builtin_NAME`: `[su](add|sub|mul)(l|ll|)_overflow`, without the first letter
/// `(add|sub|mul)_overflow` or `(add|sub|mul)_overflow_p`.
fn form(name: &str) -> Option<Form> {
    use IntKind as K;
    let name = name.strip_prefix("__builtin_")?;
    let (name, predicate) = match name.strip_suffix("_overflow") {
        Some(name) => (name, false),
        None => (name.strip_suffix("_overflow_p")?, true),
    };
    let operator = |name: &str| {
        Some(match name {
            "add" => BinOp::Add,
            "sub" => BinOp::Sub,
            "mul" => BinOp::Mul,
            _ => return None,
        })
    };
    if let Some(op) = operator(name) {
        return Some(Form { op, kind: None, predicate });
    }
    let (word, size) = name.get(1..4).zip(name.get(4..))?;
    let kind = match (name.as_bytes()[0], size) {
        _ if predicate => return None,
        (b's', "") => K::Int,
        (b's', "l") => K::Long,
        (b's', "ll") => K::LongLong,
        (b'u', "") => K::UInt,
        (b'u', "l") => K::ULong,
        (b'u', "ll") => K::ULongLong,
        _ => return None,
    };
    Some(Form { op: operator(word)?, kind: Some(kind), predicate })
}

impl Sema<'_> {
    /// A call of such a function; `None` if it is none.
    pub fn overflow_function(
        &mut self,
        name: &str,
        c: &Node<ast::CallExpression>,
    ) -> R<Option<Expr>> {
        let loc = self.loc(c.span);
        let Some(form) = form(name) else { return Ok(None) };
        let [a, b, result] = &c.node.arguments[..] else {
            let n = c.node.arguments.len();
            return Err(self.error_at(loc, format!("{n} arguments where 3 are needed")));
        };
        let (a, b) = (self.operand(a, &form)?, self.operand(b, &form)?);
        if form.predicate {
            let ty = self.value_unevaluated(result)?.ty.id;
            self.check_integer(ty, loc)?;
            return Ok(Some(self.overflows(form.op, a, b, ty, loc)));
        }
        let pointer = self.value(result)?;
        let target = self.deref(pointer, loc)?;
        let ty = target.ty.id;
        self.check_integer(ty, loc)?;
        if form.kind.is_some_and(|k| *self.types.get(ty) != Type::Int(k)) {
            let ty = self.types.show(ty);
            return Err(self.error_at(loc, format!("the result of `{name}` is no `{ty}`")));
        }
        if self.at_file_scope() {
            return Err(self.error_at(loc, "a call outside of a function"));
        }
        self.in_block(|s| {
            let (mut stmts, mut held) = (vec![], vec![]);
            for operand in [a, b] {
                let (stmt, value) = s.hold(operand, loc);
                stmts.push(stmt);
                held.push(value);
            }
            // What is stored is the result modulo a power of two.
            let wide = s.types.int(IntKind::ULongLong);
            let (x, y) = (s.cast(held[0].clone(), wide), s.cast(held[1].clone(), wide));
            let value = s.binary(form.op, x, y, loc);
            let value = s.cast(value, ty);
            let stored = Qt::plain(ty);
            let kind = ExprKind::Assign(Box::new(target), Box::new(value));
            let store = StmtKind::Expr(Expr { kind, ty: stored, loc });
            stmts.push(s.stmt_at(store, loc));
            let (b, a) = (held.pop().expect("two"), held.pop().expect("two"));
            let told = s.overflows(form.op, a, b, ty, loc);
            let ty = told.ty;
            Ok(Some(Expr { kind: ExprKind::Block(stmts, Some(Box::new(told))), ty, loc }))
        })
    }

    fn operand(&mut self, e: &Node<ast::Expression>, form: &Form) -> R<Expr> {
        let v = self.value(e)?;
        match form.kind {
            Some(kind) => {
                let ty = self.types.int(kind);
                self.assignable(v, Qt::plain(ty))
            }
            None if self.types.is_integer(v.ty.id) => Ok(v),
            None => {
                let ty = self.types.show(v.ty.id);
                Err(self.error_at(v.loc, format!("an integer is needed, not `{ty}`")))
            }
        }
    }

    fn check_integer(&self, ty: TypeId, loc: Loc) -> R<()> {
        match self.types.get(ty) {
            Type::Int(_) => Ok(()),
            _ => {
                let ty = self.types.show(ty);
                Err(self.error_at(loc, format!("the result is of an integer type, not `{ty}`")))
            }
        }
    }

    /// A variable of the open block that holds the value, and its value.
    pub fn hold(&mut self, value: Expr, loc: Loc) -> (Stmt, Expr) {
        let ty = Qt::plain(value.ty.id);
        let local = self.declare_local("<operand>", ty, loc);
        let init = Init { entries: vec![(0, value)], zero: true };
        let stmt = self.stmt_at(StmtKind::Decl(local, Some(init)), loc);
        let local = Expr { kind: ExprKind::Local(local), ty, loc };
        (stmt, Expr { kind: ExprKind::Load(Box::new(local)), ty, loc })
    }

    fn overflows(&mut self, op: BinOp, a: Expr, b: Expr, ty: TypeId, loc: Loc) -> Expr {
        let kind = ExprKind::Overflows(op, Box::new(a), Box::new(b), ty);
        Expr { kind, ty: Qt::plain(self.types.intern(Type::Bool)), loc }
    }
}
