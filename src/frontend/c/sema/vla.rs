//! Variable-length arrays and pointers to them.
//!
//! A length that is no constant is held in a variable where the type is named first; the type knows
//! the variable. An array is a pointer to an object that lowering makes, of as many elements as
//! the product of its lengths.

use lang_c::ast;
use lang_c::span::Node;

use super::super::hir::{BinOp, Expr, ExprKind, Init, Loc, LocalId, Stmt, StmtKind};
use super::super::types::{Qt, Type};
use super::scope::{R, Sema};

/// A factor of a length above which no object can be made, and so the length is not exact.
const LARGE: i64 = 1 << 20;

impl Sema<'_> {
    /// A variable for the length that `e` gives; none where lengths are not evaluated.
    pub fn declare_length(&mut self, e: &Node<ast::Expression>) -> R<Option<LocalId>> {
        if self.at_file_scope() || self.prototype_depth > 0 {
            return Ok(None);
        }
        let loc = self.loc(e.span);
        let v = self.value(e)?;
        let v = self.promoted(v)?;
        let ty = self.types.diff_type();
        let v = self.cast(v, ty);
        let local = self.declare_local("<length>", Qt::plain(ty), loc);
        let init = Init { entries: vec![(0, v)], zero: true };
        let stmt = self.stmt_at(StmtKind::Decl(local, Some(init)), loc);
        self.lengths.push(stmt);
        Ok(Some(local))
    }

    /// What `f` makes, behind the statements that evaluate the lengths of the types that it names.
    pub fn with_lengths(&mut self, f: impl FnOnce(&mut Self) -> R<Expr>) -> R<Expr> {
        let outer = std::mem::take(&mut self.lengths);
        let depth = self.open.in_scope.len();
        let result = f(self);
        let stmts = std::mem::replace(&mut self.lengths, outer);
        if stmts.is_empty() {
            return result;
        }
        self.open.in_scope.truncate(depth);
        let value = result?;
        let (ty, loc) = (value.ty, value.loc);
        Ok(Expr { kind: ExprKind::Block(stmts, Some(Box::new(value))), ty, loc })
    }

    /// The innermost elements of an array type, which have a size, and the lengths around them.
    fn dimensions(&self, ty: Qt, loc: Loc) -> R<(Qt, Vec<LocalId>)> {
        let (mut of, mut lengths) = (ty, vec![]);
        while let Type::Vla(inner, length) = *self.types.get(of.id) {
            let Some(length) = length else {
                return Err(self.error_at(loc, "the length of this array is not known here"));
            };
            lengths.push(length);
            of = inner;
        }
        Ok((of, lengths))
    }

    fn length(&self, local: LocalId, loc: Loc) -> Expr {
        let ty = self.open.locals[local].ty;
        let local = Expr { kind: ExprKind::Local(local), ty, loc };
        Expr { kind: ExprKind::Load(Box::new(local)), ty, loc }
    }

    fn product(&mut self, lengths: &[LocalId], loc: Loc) -> Option<Expr> {
        let mut factors = lengths.iter().map(|&l| self.length(l, loc)).collect::<Vec<_>>();
        let first = factors.pop()?;
        Some(factors.into_iter().fold(first, |a, b| self.binary(BinOp::Mul, a, b, loc)))
    }

    /// The size of what pointer arithmetic steps over: a constant, times a value if there is one.
    pub fn step_size(&mut self, to: Qt, loc: Loc) -> R<(u64, Option<Expr>)> {
        let (of, lengths) = self.dimensions(to, loc)?;
        Ok((self.element_size(of, loc)?, self.product(&lengths, loc)))
    }

    /// The size of an array type; `None` if it is a constant.
    pub fn variable_size(&mut self, ty: Qt, loc: Loc) -> R<Option<Expr>> {
        if !matches!(self.types.get(ty.id), Type::Vla(..)) {
            return Ok(None);
        }
        let (size, count) = self.step_size(ty, loc)?;
        let to = self.types.size_type();
        let size = Expr { kind: ExprKind::Int(size.into()), ty: Qt::plain(to), loc };
        Ok(count.map(|count| {
            let count = self.cast(count, to);
            self.binary(BinOp::Mul, count, size, loc)
        }))
    }

    /// Declares an array: a variable with its length and a pointer to the object.
    pub fn declare_variable_array(
        &mut self,
        name: &str,
        ty: Qt,
        initialised: bool,
        loc: Loc,
        whole: Loc,
        out: &mut Vec<Stmt>,
    ) -> R<()> {
        if initialised {
            return Err(self.error_at(loc, "a variable-length array has no initialiser"));
        }
        let (of, lengths) = self.dimensions(ty, loc)?;
        self.element_size(of, loc)?;
        let total = self.total(&lengths, loc);
        let number = self.declare_local(&format!("{name}.length"), total.ty, loc);
        let init = Init { entries: vec![(0, total)], zero: true };
        let pointer = Qt::plain(self.types.pointer(of));
        let array = self.declare_local(name, pointer, loc);
        self.open.locals[array].length = Some(number);
        self.open.locals[array].array = Some(ty);
        for (local, init) in [(number, Some(init)), (array, None)] {
            let stmt = self.stmt_at(StmtKind::Decl(local, init), whole);
            out.push(stmt);
        }
        Ok(())
    }

    /// The number of elements: 0 if a length is not positive, and more than any bound if it would
    /// wrap around.
    fn total(&mut self, lengths: &[LocalId], loc: Loc) -> Expr {
        let factors: Vec<Expr> = lengths.iter().map(|&l| self.length(l, loc)).collect();
        let [only] = &factors[..] else {
            let ty = self.types.diff_type();
            let constant = |s: &mut Self, v: i64| {
                let v = s.int_const(v, loc);
                s.cast(v, ty)
            };
            let (one, zero) = (constant(self, 1), constant(self, 0));
            let large = constant(self, LARGE);
            let (mut product, mut positive, mut small) = (one.clone(), one.clone(), one);
            for f in factors {
                product = self.binary(BinOp::Mul, product, f.clone(), loc);
                let above = self.binary(BinOp::Gt, f.clone(), zero.clone(), loc);
                positive = self.logical(false, positive, above, loc);
                let below = self.binary(BinOp::Le, f, large.clone(), loc);
                small = self.logical(false, small, below, loc);
            }
            let kind = ExprKind::Cond(Box::new(small), Box::new(product), Box::new(large));
            let bounded = Expr { kind, ty: Qt::plain(ty), loc };
            let kind = ExprKind::Cond(Box::new(positive), Box::new(bounded), Box::new(zero));
            return Expr { kind, ty: Qt::plain(ty), loc };
        };
        only.clone()
    }
}
