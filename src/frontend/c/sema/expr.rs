//! Expressions.

use lang_c::ast;
use lang_c::span::{Node, Span as LSpan};

use super::super::hir::{BinOp, BitPlace, Expr, ExprKind, Init, Loc, Modify, StmtKind};
use super::super::source::{LABEL_ADDRESS, SAME_AS_CONDITION};
use super::super::types::{IntKind, Qt, Type, TypeId};
use super::scope::{R, Sema, Sym};
use crate::expr::Op1;

impl Sema<'_> {
    /// An expression; it may be an lvalue or a function.
    pub fn expr(&mut self, e: &Node<ast::Expression>) -> R<Expr> {
        use ast::Expression as E;
        let loc = self.loc(e.span);
        match &e.node {
            E::Identifier(id) => self.identifier(id),
            E::Constant(c) => self.constant(c),
            E::StringLiteral(s) => self.string_literal(&s.node, s.span),
            E::GenericSelection(g) => self.generic(g),
            E::Member(m) => self.member(m),
            E::Call(c) => self.call(c),
            E::CompoundLiteral(c) => self.compound_literal(c),
            E::SizeOfTy(t) => self.with_lengths(|s| {
                let ty = s.type_name(&t.node.0)?;
                s.size_of(ty, loc)
            }),
            E::SizeOfVal(v) => {
                let e = self.expr_unevaluated(&v.node.0)?;
                self.size_of(e.ty, loc)
            }
            E::AlignOf(t) => {
                let ty = self.type_name(&t.node.0)?;
                let align = self.types.align_of(ty);
                Ok(self.size_const(align, loc))
            }
            E::UnaryOperator(u) => self.unary_operator(u),
            E::Cast(c) => self.with_lengths(|s| s.cast_expression(c)),
            E::BinaryOperator(b) => self.binary_operator(b),
            E::Conditional(c) => self.conditional(c),
            E::Comma(list) => self.comma(list, loc),
            E::OffsetOf(o) => self.offset_of(o),
            E::VaArg(v) => {
                let list = self.argument_list(&v.node.va_list)?;
                let ty = self.type_name(&v.node.type_name)?;
                if !self.types.is_scalar(ty.id) {
                    return Err(self.unsupported(v.span, "`va_arg` of what is no scalar"));
                }
                let kind = ExprKind::VaArg(Box::new(list));
                Ok(Expr { kind, ty: Qt::plain(ty.id), loc })
            }
            E::Statement(s) => self.statement_expression(s, loc),
        }
    }

    /// The value of an expression: lvalues are loaded, arrays and functions decay.
    pub fn value(&mut self, e: &Node<ast::Expression>) -> R<Expr> {
        let e = self.expr(e)?;
        self.rvalue(e)
    }

    /// A value of scalar type.
    pub fn scalar(&mut self, e: &Node<ast::Expression>) -> R<Expr> {
        let v = self.value(e)?;
        self.check_scalar(&v)?;
        Ok(v)
    }

    fn check_scalar(&self, v: &Expr) -> R<()> {
        match self.types.get(v.ty.id) {
            Type::Bool | Type::Int(_) | Type::Pointer(_) => Ok(()),
            Type::Float(_) => {
                Err(self.error_at(v.loc, "floating-point arithmetic is not modelled yet"))
            }
            Type::Unsupported(what) => {
                Err(self.error_at(v.loc, format!("{what} is not modelled yet")))
            }
            _ => {
                let ty = self.types.show(v.ty.id);
                Err(self.error_at(v.loc, format!("a number or pointer is needed, not `{ty}`")))
            }
        }
    }

    /// A promoted integer value.
    fn integer_value(&mut self, e: &Node<ast::Expression>) -> R<Expr> {
        let v = self.scalar(e)?;
        self.promoted(v)
    }

    pub fn promoted(&mut self, v: Expr) -> R<Expr> {
        if !self.types.is_integer(v.ty.id) {
            let ty = self.types.show(v.ty.id);
            return Err(self.error_at(v.loc, format!("an integer is needed, not `{ty}`")));
        }
        let ty = self.promoted_type(v.ty.id);
        Ok(self.cast(v, ty))
    }

    fn promoted_type(&mut self, ty: TypeId) -> TypeId {
        match self.types.get(ty) {
            Type::Int(k) if k.rank() >= 3 => ty,
            _ => self.int_type(),
        }
    }

    pub fn rvalue(&mut self, e: Expr) -> R<Expr> {
        let loc = e.loc;
        match self.types.get(e.ty.id).clone() {
            Type::Array(of, _) => {
                let of = Qt { id: of.id, quals: of.quals.with(e.ty.quals.unaligned()) };
                let ty = Qt::plain(self.types.pointer(of));
                return Ok(Expr { kind: ExprKind::AddrOf(Box::new(e)), ty, loc });
            }
            Type::Vla(of, _) => {
                let ExprKind::Deref(p) = e.kind else {
                    return Err(self.error_at(loc, "a variable-length array that is no object"));
                };
                let ty = Qt::plain(self.types.pointer(of));
                return Ok(Expr { ty, loc, ..*p });
            }
            Type::Function { .. } => {
                let ty = Qt::plain(self.types.pointer(e.ty));
                return Ok(Expr { kind: ExprKind::AddrOf(Box::new(e)), ty, loc });
            }
            _ => {}
        }
        if !is_lvalue(&e) {
            return Ok(e);
        }
        self.check_access(&e)?;
        let ty = Qt::plain(e.ty.id);
        let promoted = self.bit_field_type(&e);
        let load = Expr { kind: ExprKind::Load(Box::new(e)), ty, loc };
        Ok(match promoted {
            Some(to) => self.cast(load, to),
            None => load,
        })
    }

    /// What a bit-field is promoted to whatever its declared type is: `int` or, if that cannot hold
    /// it, `unsigned`. `None` for wider ones and for what is none.
    fn bit_field_type(&mut self, e: &Expr) -> Option<TypeId> {
        match e.kind {
            ExprKind::BitField(_, b) if b.width == 32 && !self.types.is_signed(e.ty.id) => {
                Some(self.types.int(IntKind::UInt))
            }
            ExprKind::BitField(_, b) if b.width <= 32 => Some(self.int_type()),
            _ => None,
        }
    }

    /// An error if the lvalue cannot be read or written.
    pub fn check_access(&self, lv: &Expr) -> R<()> {
        match self.types.get(lv.ty.id) {
            Type::Void => Err(self.error_at(lv.loc, "a value of type void is used")),
            Type::Float(_) => {
                Err(self.error_at(lv.loc, "floating-point arithmetic is not modelled yet"))
            }
            Type::Unsupported(what) => {
                Err(self.error_at(lv.loc, format!("{what} is not modelled yet")))
            }
            _ => Ok(()),
        }
    }

    fn identifier(&mut self, id: &Node<ast::Identifier>) -> R<Expr> {
        let loc = self.loc(id.span);
        let name = id.node.name.as_str();
        let (kind, ty) = match self.lookup(name).cloned() {
            Some(Sym::Constant(v, ty)) => (ExprKind::Int(v), Qt::plain(ty)),
            Some(Sym::Local(l)) => {
                let ty = self.open.locals[l].ty;
                let local = Expr { kind: ExprKind::Local(l), ty, loc };
                let Some(array) = self.open.locals[l].array else { return Ok(local) };
                let pointer = Expr { kind: ExprKind::Load(Box::new(local)), ty, loc };
                let ty = array;
                return Ok(Expr { kind: ExprKind::Deref(Box::new(pointer)), ty, loc });
            }
            Some(Sym::Global(g)) => {
                self.name_global(g);
                (ExprKind::Global(g), self.globals[g].ty)
            }
            Some(Sym::Func(f)) => {
                self.name_function(f);
                (ExprKind::Func(f), Qt::plain(self.funcs[f].ty))
            }
            Some(Sym::Typedef(_)) => {
                return Err(self.error(id.span, format!("`{name}` is a type, not a value")));
            }
            None if matches!(name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") => {
                let mut bytes = self.open.name.clone().into_bytes();
                bytes.push(0);
                return Ok(self.string_expr(bytes, IntKind::Char, loc));
            }
            None if let Some(label) = name.strip_prefix(LABEL_ADDRESS)
                && !self.at_file_scope() =>
            {
                return Ok(self.label_address(label, id.span));
            }
            None => return Err(self.error(id.span, format!("`{name}` is not declared"))),
        };
        Ok(Expr { kind, ty, loc })
    }

    fn generic(&mut self, g: &Node<ast::GenericSelection>) -> R<Expr> {
        let ty = self.value_unevaluated(&g.node.expression)?.ty.id;
        let mut default = None;
        for a in &g.node.associations {
            match &a.node {
                ast::GenericAssociation::Default(e) => default = Some(e),
                ast::GenericAssociation::Type(t) => {
                    let listed = self.type_name(&t.node.type_name)?.id;
                    if self.one_type(listed, ty) {
                        return self.expr(&t.node.expression);
                    }
                }
            }
        }
        match default {
            Some(e) => self.expr(e),
            None => Err(self.error(g.span, "no association of this generic selection fits")),
        }
    }

    fn member(&mut self, m: &Node<ast::MemberExpression>) -> R<Expr> {
        let loc = self.loc(m.span);
        let base = match m.node.operator.node {
            ast::MemberOperator::Direct => self.expr(&m.node.expression)?,
            ast::MemberOperator::Indirect => {
                let p = self.value(&m.node.expression)?;
                self.deref(p, loc)?
            }
        };
        let name = &m.node.identifier.node.name;
        let Type::Record(r) = *self.types.get(base.ty.id) else {
            let ty = self.types.show(base.ty.id);
            return Err(self.error(m.span, format!("member `{name}` of a `{ty}`")));
        };
        if base.ty.quals.atomic {
            let message = format!("member `{name}` of an _Atomic struct: its value is read whole");
            return Err(self.error(m.span, message));
        }
        let Some((offset, field)) = self.types.find_field(r, name) else {
            let ty = self.types.show(base.ty.id);
            return Err(self.error(m.span, format!("`{ty}` has no member `{name}`")));
        };
        let ty = Qt { id: field.ty.id, quals: field.ty.quals.with(base.ty.quals.unaligned()) };
        if let Some(place) = field.bit_place() {
            // The offset found counts from the outermost struct.
            let place = BitPlace { offset, ..place };
            return Ok(Expr { kind: ExprKind::BitField(Box::new(base), place), ty, loc });
        }
        Ok(Expr { kind: ExprKind::Member(Box::new(base), offset), ty, loc })
    }

    /// What a pointer value points to.
    pub fn deref(&mut self, p: Expr, loc: Loc) -> R<Expr> {
        let Some(to) = self.types.pointee(p.ty.id) else {
            let ty = self.types.show(p.ty.id);
            return Err(self.error_at(loc, format!("a pointer is needed, not `{ty}`")));
        };
        let kind = match p.kind {
            ExprKind::AddrOf(inner) if inner.ty.id == to.id => return Ok(Expr { loc, ..*inner }),
            // What an array's name decays to points to its first element.
            ExprKind::AddrOf(inner) if self.is_array_of(inner.ty.id, to.id) => {
                let zero = self.int_const(0, loc);
                ExprKind::Index(inner, Box::new(zero))
            }
            ExprKind::PtrAdd(base, index, size, false) => match base.kind {
                ExprKind::AddrOf(inner) if self.is_array_of(inner.ty.id, to.id) => {
                    ExprKind::Index(inner, index)
                }
                _ => ExprKind::Deref(Box::new(Expr {
                    kind: ExprKind::PtrAdd(base, index, size, false),
                    ..p
                })),
            },
            kind => ExprKind::Deref(Box::new(Expr { kind, ..p })),
        };
        Ok(Expr { kind, ty: to, loc })
    }

    fn is_array_of(&self, array: TypeId, element: TypeId) -> bool {
        matches!(self.types.get(array), Type::Array(of, _) if of.id == element)
    }

    fn size_of(&mut self, ty: Qt, loc: Loc) -> R<Expr> {
        if let Some(size) = self.variable_size(ty, loc)? {
            return Ok(size);
        }
        match self.types.size(ty.id) {
            Some(n) => Ok(self.size_const(n, loc)),
            None => {
                let ty = self.types.show(ty.id);
                Err(self.error_at(loc, format!("the size of `{ty}` is not known")))
            }
        }
    }

    fn size_const(&mut self, n: u64, loc: Loc) -> Expr {
        let ty = Qt::plain(self.types.size_type());
        Expr { kind: ExprKind::Int(n.into()), ty, loc }
    }

    fn offset_of(&mut self, o: &Node<ast::OffsetOfExpression>) -> R<Expr> {
        let mut ty = self.type_name(&o.node.type_name)?.id;
        let mut offset = 0;
        let d = &o.node.designator.node;
        let first = std::iter::once(ast::OffsetMember::Member(d.base.clone()));
        for m in first.chain(d.members.iter().map(|m| m.node.clone())) {
            match (m, self.types.get(ty).clone()) {
                (ast::OffsetMember::Member(id), Type::Record(r)) => {
                    let Some((at, f)) = self.types.find_field(r, &id.node.name) else {
                        let message = format!("no member `{}`", id.node.name);
                        return Err(self.error(id.span, message));
                    };
                    offset += at;
                    ty = f.ty.id;
                }
                (ast::OffsetMember::Index(e), Type::Array(of, _)) => {
                    let i = u64::try_from(self.int_constant(&e)?).unwrap_or(0);
                    offset += i.saturating_mul(self.types.size(of.id).unwrap_or(0));
                    ty = of.id;
                }
                _ => return Err(self.error(o.span, "an offset in what has no such member")),
            }
        }
        Ok(self.size_const(offset, self.loc(o.span)))
    }

    fn compound_literal(&mut self, c: &Node<ast::CompoundLiteral>) -> R<Expr> {
        let loc = self.loc(c.span);
        let ty = self.type_name(&c.node.type_name)?;
        let (ty, init) = self.initialiser_list(ty, &c.node.initializer_list, c.span)?;
        let kind = if self.at_file_scope() {
            ExprKind::Global(self.literal_global(ty, init, loc))
        } else {
            let local = self.declare_local("<literal>", ty, loc);
            ExprKind::Literal(local, Init { zero: true, ..init })
        };
        Ok(Expr { kind, ty, loc })
    }

    fn cast_expression(&mut self, c: &Node<ast::CastExpression>) -> R<Expr> {
        let loc = self.loc(c.span);
        let to = self.type_name(&c.node.type_name)?;
        let v = self.value(&c.node.expression)?;
        let to_id = to.id;
        if *self.types.get(to_id) == Type::Void {
            return Ok(Expr { kind: ExprKind::Cast(Box::new(v)), ty: Qt::plain(to_id), loc });
        }
        if v.ty.id == to_id {
            return Ok(Expr { loc, ..v });
        }
        if matches!(self.types.get(to_id), Type::Float(_)) {
            return Err(self.unsupported(c.span, "floating-point arithmetic"));
        }
        self.check_scalar(&v)?;
        if !self.types.is_scalar(to_id) {
            let ty = self.types.show(to_id);
            return Err(self.error(c.span, format!("a cast to `{ty}`")));
        }
        Ok(Expr { loc, ..self.cast(v, to_id) })
    }

    fn comma(&mut self, list: &[Node<ast::Expression>], loc: Loc) -> R<Expr> {
        let mut result: Option<Expr> = None;
        for e in list {
            let v = self.value(e)?;
            result = Some(match result {
                None => v,
                Some(first) => {
                    let ty = v.ty;
                    Expr { kind: ExprKind::Comma(Box::new(first), Box::new(v)), ty, loc }
                }
            });
        }
        result.ok_or_else(|| self.error_at(loc, "an empty expression"))
    }

    fn conditional(&mut self, c: &Node<ast::ConditionalExpression>) -> R<Expr> {
        let loc = self.loc(c.span);
        let cond = self.scalar(&c.node.condition)?;
        if let ast::Expression::Identifier(id) = &c.node.then_expression.node
            && id.node.name == SAME_AS_CONDITION.trim()
        {
            return self.condition_or(cond, &c.node.else_expression, loc);
        }
        let a = self.value(&c.node.then_expression)?;
        let b = self.value(&c.node.else_expression)?;
        self.choice(cond, a, b, loc)
    }

    /// `cond ?: other`, which evaluates the condition once.
    fn condition_or(&mut self, cond: Expr, other: &Node<ast::Expression>, loc: Loc) -> R<Expr> {
        if cond.as_int().is_some() || self.at_file_scope() {
            let other = self.value(other)?;
            return self.choice(cond.clone(), cond, other, loc);
        }
        self.in_block(|s| {
            let ty = cond.ty;
            let local = s.declare_local("<condition>", ty, loc);
            let init = Init { entries: vec![(0, cond)], zero: true };
            let stmts = vec![s.stmt_at(StmtKind::Decl(local, Some(init)), loc)];
            let local = Expr { kind: ExprKind::Local(local), ty, loc };
            let held = Expr { kind: ExprKind::Load(Box::new(local)), ty, loc };
            let other = s.value(other)?;
            let value = s.choice(held.clone(), held, other, loc)?;
            let ty = value.ty;
            Ok(Expr { kind: ExprKind::Block(stmts, Some(Box::new(value))), ty, loc })
        })
    }

    fn choice(&mut self, cond: Expr, a: Expr, b: Expr, loc: Loc) -> R<Expr> {
        let (a, b) = self.same_type(a, b, loc)?;
        match cond.as_int() {
            Some(0) => Ok(Expr { loc, ..b }),
            Some(_) => Ok(Expr { loc, ..a }),
            None => {
                let ty = a.ty;
                let kind = ExprKind::Cond(Box::new(cond), Box::new(a), Box::new(b));
                Ok(Expr { kind, ty, loc })
            }
        }
    }

    /// Gives the branches of `?:` one type.
    fn same_type(&mut self, a: Expr, b: Expr, loc: Loc) -> R<(Expr, Expr)> {
        let (x, y) = (a.ty.id, b.ty.id);
        // Equal integer types are promoted all the same: `sizeof(c ? b : b)` of _Bool is int's.
        if x == y && !self.types.is_integer(x) {
            return Ok((a, b));
        }
        let void = self.types.intern(Type::Void);
        if x == void || y == void {
            let to_void = |e: Expr| {
                let loc = e.loc;
                Expr { kind: ExprKind::Cast(Box::new(e)), ty: Qt::plain(void), loc }
            };
            let fix = |e: Expr| if e.ty.id == void { e } else { to_void(e) };
            return Ok((fix(a), fix(b)));
        }
        self.check_scalar(&a)?;
        self.check_scalar(&b)?;
        let ty = match (self.types.pointee(x), self.types.pointee(y)) {
            (None, None) => self.usual_type(x, y),
            (Some(_), None) => x,
            (None, Some(_)) => y,
            (Some(_), Some(q)) if q.id == void && a.as_int() != Some(0) => y,
            (Some(p), Some(_)) if p.id == void && b.as_int() != Some(0) => x,
            (Some(p), Some(_)) if p.id == void => y,
            (Some(_), Some(_)) => x,
        };
        if !self.types.is_scalar(ty) {
            return Err(self.error_at(loc, "the branches have different types"));
        }
        Ok((self.cast(a, ty), self.cast(b, ty)))
    }

    /// The common type of two integer types.
    pub fn usual_type(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let (a, b) = (self.promoted_type(a), self.promoted_type(b));
        let (&Type::Int(x), &Type::Int(y)) = (self.types.get(a), self.types.get(b)) else {
            return a;
        };
        if x.signed() == y.signed() {
            return if x.rank() >= y.rank() { a } else { b };
        }
        let (s, u) = if x.signed() { (x, y) } else { (y, x) };
        let kind = if u.rank() >= s.rank() {
            u
        } else if self.types.int_size(s) > self.types.int_size(u) {
            s
        } else {
            s.to_unsigned()
        };
        self.types.int(kind)
    }

    fn unary_operator(&mut self, u: &Node<ast::UnaryOperatorExpression>) -> R<Expr> {
        use ast::UnaryOperator as U;
        let loc = self.loc(u.span);
        let operand = &u.node.operand;
        match u.node.operator.node {
            U::PostIncrement => self.step(operand, BinOp::Add, true, loc),
            U::PostDecrement => self.step(operand, BinOp::Sub, true, loc),
            U::PreIncrement => self.step(operand, BinOp::Add, false, loc),
            U::PreDecrement => self.step(operand, BinOp::Sub, false, loc),
            U::Address => self.address_of(operand, loc),
            U::Indirection => {
                let p = self.value(operand)?;
                self.deref(p, loc)
            }
            U::Plus => Ok(Expr { loc, ..self.integer_value(operand)? }),
            U::Minus => {
                let v = self.integer_value(operand)?;
                Ok(self.unary(Op1::Neg, v, loc))
            }
            U::Complement => {
                let v = self.integer_value(operand)?;
                Ok(self.unary(Op1::Not, v, loc))
            }
            U::Negate => {
                let v = self.scalar(operand)?;
                Ok(self.not(v, loc))
            }
        }
    }

    fn address_of(&mut self, operand: &Node<ast::Expression>, loc: Loc) -> R<Expr> {
        let e = self.expr(operand)?;
        let function = matches!(self.types.get(e.ty.id), Type::Function { .. });
        if matches!(e.kind, ExprKind::BitField(..)) {
            return Err(self.error_at(loc, "the address of a bit-field"));
        }
        if !is_lvalue(&e) && !function {
            return Err(self.error_at(loc, "the address of what is no object"));
        }
        let to = Qt { quals: e.ty.quals.unaligned(), ..e.ty };
        let ty = Qt::plain(self.types.pointer(to));
        match e.kind {
            ExprKind::Deref(p) => Ok(Expr { ty, loc, ..*p }),
            _ => Ok(Expr { kind: ExprKind::AddrOf(Box::new(e)), ty, loc }),
        }
    }

    fn step(&mut self, operand: &Node<ast::Expression>, op: BinOp, old: bool, loc: Loc) -> R<Expr> {
        let target = self.lvalue(operand)?;
        let one = self.int_const(1, loc);
        self.modify(target, op, one, old, loc)
    }

    pub fn lvalue(&mut self, e: &Node<ast::Expression>) -> R<Expr> {
        let lv = self.expr(e)?;
        if !is_lvalue(&lv) {
            return Err(self.error(e.span, "an assignment to what is no object"));
        }
        self.check_access(&lv)?;
        self.check_writable(&lv)?;
        Ok(lv)
    }

    /// An error if the lvalue must not be written.
    pub fn check_writable(&self, lv: &Expr) -> R<()> {
        let what = if lv.ty.quals.constant {
            "const"
        } else if self.has_constant_member(lv.ty.id) {
            "a struct or union with a const member"
        } else {
            return Ok(());
        };
        let text = &self.units[lv.loc.unit as usize].text;
        let text = text.get(lv.loc.start..lv.loc.end).unwrap_or("this").trim();
        Err(self.error_at(lv.loc, format!("`{text}` is assigned though it is {what}")))
    }

    fn has_constant_member(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Array(of, _) => of.quals.constant || self.has_constant_member(of.id),
            Type::Record(r) => self.types.records[*r]
                .fields
                .iter()
                .flatten()
                .any(|f| f.ty.quals.constant || self.has_constant_member(f.ty.id)),
            _ => false,
        }
    }

    /// `target op= rhs`; `rhs` is a scalar value.
    pub fn modify(&mut self, target: Expr, op: BinOp, rhs: Expr, old: bool, loc: Loc) -> R<Expr> {
        let ty = Qt::plain(target.ty.id);
        let modify = if let Some(to) = self.types.pointee(ty.id) {
            if !matches!(op, BinOp::Add | BinOp::Sub) {
                return Err(self.error_at(loc, "this operator does not apply to pointers"));
            }
            let rhs = self.index_value(rhs)?;
            let (scale, count) = self.step_size(to, loc)?;
            let rhs = self.times(rhs, count, loc);
            Modify { target, op, rhs, at: ty.id, scale, old }
        } else {
            self.check_scalar(&target)?;
            let rhs = self.promoted(rhs)?;
            let shift = matches!(op, BinOp::Shl | BinOp::Shr);
            let own = self.bit_field_type(&target).unwrap_or(ty.id);
            let at = if shift { self.promoted_type(own) } else { self.usual_type(own, rhs.ty.id) };
            let rhs = self.cast(rhs, at);
            Modify { target, op, rhs, at, scale: 0, old }
        };
        Ok(Expr { kind: ExprKind::Modify(Box::new(modify)), ty, loc })
    }

    /// An index, as wide as a pointer.
    pub fn index_value(&mut self, v: Expr) -> R<Expr> {
        let v = self.promoted(v)?;
        let wide = if self.types.is_signed(v.ty.id) {
            self.types.diff_type()
        } else {
            self.types.size_type()
        };
        Ok(self.cast(v, wide))
    }

    pub fn element_size(&self, to: Qt, loc: Loc) -> R<u64> {
        self.types.size(to.id).ok_or_else(|| {
            let ty = self.types.show(to.id);
            self.error_at(loc, format!("arithmetic on a pointer to `{ty}`"))
        })
    }

    pub fn unsupported_at(&self, loc: Loc, what: &str) -> crate::base::Diagnostic {
        self.unsupported(LSpan::span(loc.start, loc.end), what)
    }
}

/// Whether the expression designates an object.
pub fn is_lvalue(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::Str(_) => true,
        ExprKind::Deref(_) | ExprKind::Index(..) | ExprKind::Literal(..) => true,
        ExprKind::Member(base, _) | ExprKind::BitField(base, _) => {
            // A member of a value is no lvalue in C, but loaded like one.
            use ExprKind as K;
            is_lvalue(base)
                || matches!(base.kind, K::Call(..) | K::Block(..) | K::Atomic(_))
                || matches!(base.kind, K::Cond(..) | K::Comma(..) | K::Assign(..))
        }
        _ => false,
    }
}
