//! Statements.

use lang_c::ast;
use lang_c::span::{Node, Span as LSpan};

use super::super::hir::{Case, Expr, ExprKind, For, Label, LabelId, Loc, Stmt, StmtKind, Switch};
use super::super::source::{COMPUTED_GOTO, authored_name};
use super::super::types::{Qt, Type};
use super::scope::{OpenSwitch, R, Sema};
use crate::expr::mask;

/// Whether inline assembly only keeps accesses in order or waits a little: it has no operands, and
/// each instruction is one of these.
fn is_barrier(a: &ast::AsmStatement) -> bool {
    let template = match a {
        ast::AsmStatement::GnuBasic(text) => &text.node,
        ast::AsmStatement::GnuExtended(x) if x.outputs.is_empty() && x.inputs.is_empty() => {
            &x.template.node
        }
        ast::AsmStatement::GnuExtended(_) => return false,
    };
    let text: String = template.iter().map(|part| part.trim_matches('"')).collect();
    let text = text.replace("\\n", ";").replace("\\t", " ");
    text.split(';').all(|instruction| {
        let word = instruction.split_whitespace().next().unwrap_or("");
        matches!(word, "" | "mfence" | "lfence" | "sfence" | "nop" | "pause" | "rep")
            || matches!(word, "dmb" | "dsb" | "isb" | "sync" | "lwsync" | "isync" | "yield")
    })
}

/// Where the call that a computed goto has become leads.
fn computed_goto(e: &Node<ast::Expression>) -> Option<&Node<ast::Expression>> {
    let ast::Expression::Call(call) = &e.node else { return None };
    match &call.node.callee.node {
        ast::Expression::Identifier(id) if id.node.name == COMPUTED_GOTO => {
            call.node.arguments.first()
        }
        _ => None,
    }
}

impl Sema<'_> {
    fn next_position(&mut self) -> u32 {
        self.open.next_stmt += 1;
        self.open.next_stmt
    }

    pub fn stmt_at(&mut self, kind: StmtKind, loc: Loc) -> Stmt {
        Stmt { kind, loc, id: self.next_position() }
    }

    pub fn block_items(&mut self, items: &[Node<ast::BlockItem>], out: &mut Vec<Stmt>) -> R<()> {
        for item in items {
            match &item.node {
                ast::BlockItem::Declaration(d) => self.declaration(d, out)?,
                ast::BlockItem::StaticAssert(a) => self.static_assert(a)?,
                ast::BlockItem::Statement(s) => self.statement(s, out)?,
            }
        }
        Ok(())
    }

    /// Analyses a statement that is one whatever it consists of.
    fn single(&mut self, s: &Node<ast::Statement>) -> R<Stmt> {
        let mut out = vec![];
        self.in_block(|x| x.statement(s, &mut out))?;
        let loc = self.loc(s.span);
        match out.len() {
            1 => Ok(out.remove(0)),
            _ => Ok(self.stmt_at(StmtKind::Block(out), loc)),
        }
    }

    pub fn statement(&mut self, s: &Node<ast::Statement>, out: &mut Vec<Stmt>) -> R<()> {
        use ast::Statement as S;
        let loc = self.loc(s.span);
        // Taken first: positions follow the order of the text.
        let position = self.next_position();
        let kind = match &s.node {
            S::Labeled(l) => return self.labeled(l, out),
            S::Compound(items) => {
                let mut inner = vec![];
                self.in_block(|x| x.block_items(items, &mut inner))?;
                StmtKind::Block(inner)
            }
            S::Expression(None) => StmtKind::Empty,
            S::Expression(Some(e)) if let Some(to) = computed_goto(e) => {
                self.open.computed_gotos.push(position);
                StmtKind::GotoAddress(self.scalar(to)?)
            }
            S::Expression(Some(e)) => StmtKind::Expr(self.effect(e)?),
            S::If(i) => {
                let cond = self.scalar(&i.node.condition)?;
                let then = Box::new(self.single(&i.node.then_statement)?);
                let other = match &i.node.else_statement {
                    Some(x) => Some(Box::new(self.single(x)?)),
                    None => None,
                };
                StmtKind::If(cond, then, other)
            }
            S::Switch(x) => self.switch(x)?,
            S::While(w) => {
                let cond = self.scalar(&w.node.expression)?;
                StmtKind::While(cond, Box::new(self.loop_body(&w.node.statement)?))
            }
            S::DoWhile(w) => {
                let body = Box::new(self.loop_body(&w.node.statement)?);
                StmtKind::DoWhile(body, self.scalar(&w.node.expression)?)
            }
            S::For(f) => self.in_block(|x| x.for_statement(f))?,
            S::Goto(id) => {
                let label = self.label_named(&id.node.name, id.span);
                self.open.gotos.push((position, label));
                StmtKind::Goto(label)
            }
            S::Continue if self.open.loops == 0 => {
                return Err(self.error(s.span, "`continue` outside of a loop"));
            }
            S::Continue => StmtKind::Continue,
            S::Break if self.open.breakable == 0 => {
                return Err(self.error(s.span, "`break` outside of a loop or switch"));
            }
            S::Break => StmtKind::Break,
            S::Return(e) => StmtKind::Return(self.returned(e.as_deref())?),
            // A barrier is nothing where all accesses are in order.
            S::Asm(a) if is_barrier(&a.node) => StmtKind::Empty,
            S::Asm(_) => return Err(self.unsupported(s.span, "inline assembly")),
        };
        out.push(Stmt { kind, loc, id: position });
        Ok(())
    }

    /// An expression whose value does not matter.
    fn effect(&mut self, e: &Node<ast::Expression>) -> R<super::super::hir::Expr> {
        let e = self.expr(e)?;
        // A void expression has no value to load.
        if *self.types.get(e.ty.id) == Type::Void { Ok(e) } else { self.rvalue(e) }
    }

    fn returned(
        &mut self,
        e: Option<&Node<ast::Expression>>,
    ) -> R<Option<super::super::hir::Expr>> {
        let Some(e) = e else { return Ok(None) };
        let v = self.effect(e)?;
        let ret = self.open.ret.expect("a statement is inside of a function");
        if *self.types.get(ret.id) == Type::Void {
            return Ok(Some(v));
        }
        Ok(Some(self.assignable(v, ret)?))
    }

    fn loop_body(&mut self, s: &Node<ast::Statement>) -> R<Stmt> {
        self.open.loops += 1;
        self.open.breakable += 1;
        let body = self.single(s);
        self.open.loops -= 1;
        self.open.breakable -= 1;
        body
    }

    fn for_statement(&mut self, f: &Node<ast::ForStatement>) -> R<StmtKind> {
        let mut init = vec![];
        match &f.node.initializer.node {
            ast::ForInitializer::Empty => {}
            ast::ForInitializer::Expression(e) => {
                let v = self.effect(e)?;
                let loc = self.loc(e.span);
                let stmt = self.stmt_at(StmtKind::Expr(v), loc);
                init.push(stmt);
            }
            ast::ForInitializer::Declaration(d) => self.declaration(d, &mut init)?,
            ast::ForInitializer::StaticAssert(a) => self.static_assert(a)?,
        }
        let cond = match &f.node.condition {
            Some(e) => Some(self.scalar(e)?),
            None => None,
        };
        let step = match &f.node.step {
            Some(e) => Some(self.effect(e)?),
            None => None,
        };
        let body = self.loop_body(&f.node.statement)?;
        Ok(StmtKind::For(Box::new(For { init, cond, step, body })))
    }

    fn switch(&mut self, x: &Node<ast::SwitchStatement>) -> R<StmtKind> {
        let value = self.scalar(&x.node.expression)?;
        let value = self.promoted(value)?;
        let open = OpenSwitch { ty: value.ty.id, cases: vec![], default: None };
        self.open.switches.push(open);
        self.open.breakable += 1;
        let body = self.single(&x.node.statement);
        self.open.breakable -= 1;
        let open = self.open.switches.pop().expect("it was pushed above");
        let body = body?;
        let (cases, default) = (open.cases, open.default);
        Ok(StmtKind::Switch(Box::new(Switch { value, body, cases, default })))
    }

    fn labeled(&mut self, l: &Node<ast::LabeledStatement>, out: &mut Vec<Stmt>) -> R<()> {
        let span = l.node.label.span;
        let label = match &l.node.label.node {
            ast::Label::Identifier(id) if id.node.name.starts_with("__CPROVER_ASYNC") => {
                return self.spawn(&l.node.statement, out);
            }
            ast::Label::Identifier(id) => self.label_named(&id.node.name, id.span),
            other => self.case_label(other, span)?,
        };
        let stmt = self.stmt_at(StmtKind::Label(label), self.loc(span));
        if self.open.labels[label].at.is_some() {
            return Err(self.error(span, "a label that is defined twice"));
        }
        self.open.labels[label].at = Some(stmt.id);
        self.open.labels[label].in_scope = self.open.in_scope.clone();
        out.push(stmt);
        self.statement(&l.node.statement, out)
    }

    /// The address of a label of this function: a number that is the address of nothing else.
    pub fn label_address(&mut self, name: &str, span: LSpan) -> Expr {
        let label = self.label_named(name, span);
        let number = match self.open.labels[label].address {
            Some(number) => number,
            None => {
                // Objects are below the middle of the address space.
                self.label_addresses += 1;
                (1 << (8 * self.types.word - 1)) + 16 * self.label_addresses
            }
        };
        self.open.labels[label].address = Some(number);
        let void = Qt::plain(self.types.intern(Type::Void));
        let ty = Qt::plain(self.types.pointer(void));
        Expr { kind: ExprKind::Int(number.into()), ty, loc: self.loc(span) }
    }

    fn label_named(&mut self, name: &str, span: LSpan) -> LabelId {
        if let Some(&l) = self.open.label_names.get(name) {
            return l;
        }
        let loc = self.loc(span);
        let shown = Some(authored_name(name));
        let label = Label { name: shown, in_scope: vec![], at: None, loc, address: None };
        let id = self.open.labels.push(label);
        self.open.label_names.insert(name.to_string(), id);
        id
    }

    fn case_label(&mut self, l: &ast::Label, span: LSpan) -> R<LabelId> {
        let loc = self.loc(span);
        let label = Label { name: None, in_scope: vec![], at: None, loc, address: None };
        let label = self.open.labels.push(label);
        let Some(ty) = self.open.switches.last().map(|s| s.ty) else {
            return Err(self.error(span, "a case outside of a switch"));
        };
        let (low, high) = match l {
            ast::Label::Case(e) => {
                let v = self.int_constant(e)?;
                (v, v)
            }
            ast::Label::CaseRange(r) => {
                (self.int_constant(&r.node.low)?, self.int_constant(&r.node.high)?)
            }
            _ => {
                let open = self.open.switches.last_mut().expect("looked at above");
                let twice = open.default.replace(label).is_some();
                return if twice { Err(self.error(span, "a second `default`")) } else { Ok(label) };
            }
        };
        let width = self.types.width(ty);
        let (low, high) = (low as u128 & mask(width), high as u128 & mask(width));
        let open = self.open.switches.last_mut().expect("looked at above");
        let twice = low == high && open.cases.iter().any(|c| c.low == low && c.high == low);
        open.cases.push(Case { low, high, label });
        if twice { Err(self.error(span, "a second case of this value")) } else { Ok(label) }
    }
}
