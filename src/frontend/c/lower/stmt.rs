//! Statements.

use super::super::hir::{Case, Expr, For, Stmt, StmtKind, Switch};
use super::super::types::Type;
use super::loops::Counted;
use super::state::{Context, Lower, R, Storage};
use super::threads::MAX_THREADS;
use crate::expr::Op2;
use crate::program::{LocId, ProgExpr, Undefined};

impl Lower<'_> {
    pub fn statements(&mut self, list: &[Stmt]) -> R<()> {
        let mut previous = None;
        for s in list {
            self.statement(s, previous)?;
            previous = Some(s);
        }
        Ok(())
    }

    fn statement(&mut self, s: &Stmt, previous: Option<&Stmt>) -> R<()> {
        let mark = self.temp_mark();
        self.frame().position = s.id;
        match &s.kind {
            StmtKind::Expr(e) => self.with_context(s.loc, |l| {
                l.effect(e)?;
                l.flush()
            })?,
            StmtKind::Decl(local, init) => self.with_context(s.loc, |l| {
                l.declare(*local, init.as_ref())?;
                l.flush()
            })?,
            StmtKind::Block(list) => {
                let mark = self.enter_scope();
                self.statements(list)?;
                self.leave_scope(mark)?;
            }
            StmtKind::If(c, a, b) => self.if_statement(c, a, b.as_deref())?,
            StmtKind::While(c, body) => {
                let bound = self.while_bound(previous, c, body);
                self.while_loop(c, body, bound)?;
            }
            StmtKind::DoWhile(body, c) => self.do_while(body, c)?,
            StmtKind::For(f) => self.for_loop(f)?,
            StmtKind::Switch(x) => self.switch(x)?,
            StmtKind::Label(l) => self.at_label(*l)?,
            StmtKind::Goto(l) => self.with_context(s.loc, |x| x.jump_to_label(*l))?,
            StmtKind::GotoAddress(e) => self.with_context(s.loc, |l| l.jump_to_address(e))?,
            StmtKind::Break => {
                let target = self.frame().breaks.last().copied();
                self.leave_to(target, s)?;
            }
            StmtKind::Continue => {
                let target = self.frame().continues.last().copied();
                self.leave_to(target, s)?;
            }
            StmtKind::Return(e) => self.with_context(s.loc, |l| l.return_value(e.as_ref()))?,
            StmtKind::Empty => {}
        }
        self.release(&mark);
        Ok(())
    }

    /// `break` or `continue`: to a location where so many variables are in scope.
    fn leave_to(&mut self, target: Option<(LocId, usize)>, s: &Stmt) -> R<()> {
        let (loc, scope) = target.expect("checked by the analysis");
        self.with_context(s.loc, |l| {
            l.end_lifetimes(scope)?;
            l.jump(loc)
        })
    }

    /// Branches on a condition; edges are shown as `word (condition)`.
    fn test(&mut self, word: &str, c: &Expr, yes: LocId, no: LocId) -> R<()> {
        let mut context = self.context_at(c.loc);
        // The `if` inside of an assertion macro is not the author's.
        if !context.text.starts_with("assert") {
            context.text = format!("{word} ({})", context.text).into();
        }
        let old = std::mem::replace(&mut self.context, context);
        let mark = self.temp_mark();
        let result = self.cond_jump(c, yes, no);
        self.release(&mark);
        self.context = old;
        result
    }

    /// To the label whose address this is.
    fn jump_to_address(&mut self, e: &Expr) -> R<()> {
        let value = self.rvalue(e)?;
        let value = self.resize(value, self.pointer_bits(), false);
        let t = self.temp(self.pointer_bits());
        self.assign(t, value);
        self.flush()?;
        let f = self.frame().func;
        let body = self.hir.funcs[f].body.as_ref().expect("an inlined function has a body");
        for (l, label) in body.labels.iter_enumerated() {
            let Some(address) = label.address else { continue };
            let (here, rest) = (self.new_loc(), self.new_loc());
            let value = self.var(t);
            let is = self.eq_const(value, address.into());
            self.branch(is, here, rest)?;
            self.set_cur(here);
            self.jump_to_label(l)?;
            self.set_cur(rest);
        }
        if self.cur.is_some() {
            self.fail_undefined(Undefined::InvalidDereference, e.loc)?;
        }
        self.cur = None;
        Ok(())
    }

    fn if_statement(&mut self, c: &Expr, a: &Stmt, b: Option<&Stmt>) -> R<()> {
        let (yes, no, end) = (self.new_loc(), self.new_loc(), self.new_loc());
        self.test("if", c, yes, no)?;
        self.set_cur(yes);
        self.statement(a, None)?;
        self.jump(end)?;
        self.set_cur(no);
        if let Some(b) = b {
            self.statement(b, None)?;
        }
        self.jump(end)?;
        self.set_cur(end);
        Ok(())
    }

    /// The body of a loop whose `break` and `continue` lead to these locations.
    fn body(&mut self, body: &Stmt, end: LocId, next: LocId, bound: Option<u64>) -> R<()> {
        self.loops.push(bound);
        let result = self.one_round(body, end, next);
        self.loops.pop();
        result
    }

    /// One round of it.
    fn one_round(&mut self, body: &Stmt, end: LocId, next: LocId) -> R<()> {
        let scope = self.enter_scope();
        self.frame().breaks.push((end, scope));
        self.frame().continues.push((next, scope));
        let result = self.statement(body, None);
        self.frame().breaks.pop();
        self.frame().continues.pop();
        result
    }

    /// Goes on at the head of a loop. If only jumps into its body lead there, which come later,
    /// it is taken as reached.
    fn at_head(&mut self, head: LocId, body: &Stmt) -> R<()> {
        self.jump(head)?;
        let mut labels = false;
        body.visit(&mut |s| labels |= matches!(s.kind, StmtKind::Label(_)), &mut |_| {});
        let node = self.graph.find(head);
        if labels && self.graph.nodes[node].depth.is_none() {
            self.graph.nodes[node].depth = Some(self.depth);
        }
        self.set_cur(head);
        Ok(())
    }

    /// Runs `f` as part of a loop that may repeat it any number of times.
    fn repeated<T>(&mut self, f: impl FnOnce(&mut Self) -> R<T>) -> R<T> {
        self.loops.push(None);
        let result = f(self);
        self.loops.pop();
        result
    }

    fn while_loop(&mut self, c: &Expr, body: &Stmt, bound: Option<u64>) -> R<()> {
        let (head, inside, end) = (self.new_loc(), self.new_loc(), self.new_loc());
        self.at_head(head, body)?;
        self.repeated(|l| l.test("while", c, inside, end))?;
        self.set_cur(inside);
        self.body(body, end, head, bound)?;
        self.jump(head)?;
        self.set_cur(end);
        Ok(())
    }

    fn do_while(&mut self, body: &Stmt, c: &Expr) -> R<()> {
        let (head, next, end) = (self.new_loc(), self.new_loc(), self.new_loc());
        self.at_head(head, body)?;
        // `do ... while (0)` runs once.
        let bound = (c.as_int() == Some(0)).then_some(1);
        self.body(body, end, next, bound)?;
        self.jump(next)?;
        self.set_cur(next);
        self.repeated(|l| l.test("while", c, head, end))?;
        self.set_cur(end);
        Ok(())
    }

    fn for_loop(&mut self, f: &For) -> R<()> {
        let scope = self.enter_scope();
        self.statements(&f.init)?;
        let counted = self.counted(f);
        if let Some(counted) = &counted
            && self.is_written_out(f, counted)
        {
            self.write_out(f, counted)?;
            return self.leave_scope(scope);
        }
        let bound = counted.map(|c| c.bound());
        let (head, inside) = (self.new_loc(), self.new_loc());
        let (next, end) = (self.new_loc(), self.new_loc());
        self.at_head(head, &f.body)?;
        match &f.cond {
            Some(c) => self.repeated(|l| l.test("for", c, inside, end))?,
            None => self.jump(inside)?,
        }
        self.set_cur(inside);
        self.body(&f.body, end, next, bound)?;
        self.jump(next)?;
        self.set_cur(next);
        if let Some(step) = &f.step {
            let mark = self.temp_mark();
            self.repeated(|l| {
                l.with_context(step.loc, |l| {
                    l.effect(step)?;
                    l.flush()
                })
            })?;
            self.release(&mark);
        }
        self.jump(head)?;
        self.set_cur(end);
        self.leave_scope(scope)
    }

    /// Whether each round of the loop becomes code of its own: it creates or joins threads, so that
    /// each of them is known by the round.
    fn is_written_out(&self, f: &For, counted: &Counted) -> bool {
        self.copies * counted.bound() <= MAX_THREADS as u64 && self.starts_or_joins(&f.body)
    }

    /// The rounds of a loop one behind the other, its counter being a constant in each.
    fn write_out(&mut self, f: &For, counted: &Counted) -> R<()> {
        let copies = self.copies;
        self.copies *= counted.bound();
        let result = self.rounds(f, counted);
        self.copies = copies;
        result
    }

    fn rounds(&mut self, f: &For, counted: &Counted) -> R<()> {
        let end = self.new_loc();
        let (func, counter) = (self.frame().func, counted.counter);
        let width = {
            let ty = self.local(func, counter).ty.id;
            self.hir.types.width(ty)
        };
        let Storage::Vars(vars) = self.local_storage(counter)? else {
            unreachable!("a counter that nobody has the address of is a variable")
        };
        for (k, &value) in counted.values.iter().enumerate() {
            let inside = self.new_loc();
            let value = self.constant(value, width);
            let known = self.frame().bound.insert(counter, Storage::Value(value));
            debug_assert!(known.is_none(), "a counter is no constant");
            let result = self.round(f, inside, end, counted.values.get(k + 1).is_some());
            self.frame().bound.remove(&counter);
            result?;
            if let (Some(step), Some(&next)) = (&f.step, counted.values.get(k + 1)) {
                let next = self.constant(next, width);
                self.with_context(step.loc, |l| {
                    l.assign(vars[0].1, next);
                    l.flush()
                })?;
            }
        }
        self.set_cur(end);
        Ok(())
    }

    /// The condition, and the body if there is a round. (The last condition is false, but finding
    /// that out may have effects.)
    fn round(&mut self, f: &For, inside: LocId, end: LocId, runs: bool) -> R<()> {
        match &f.cond {
            Some(c) => self.test("for", c, inside, end)?,
            None => self.jump(inside)?,
        }
        self.set_cur(inside);
        if runs {
            let next = self.new_loc();
            self.forget_labels(&f.body);
            self.one_round(&f.body, end, next)?;
            self.jump(next)?;
            self.set_cur(next);
        }
        Ok(())
    }

    fn switch(&mut self, x: &Switch) -> R<()> {
        let text = format!("switch ({})", self.text(x.value.loc)).into();
        let context = Context { span: self.span(x.value.loc), text };
        let old = std::mem::replace(&mut self.context, context);
        let end = self.new_loc();
        let value = self.rvalue(&x.value)?;
        self.dispatch(x, value, end)?;
        self.context = old;
        let scope = self.enter_scope();
        self.frame().breaks.push((end, scope));
        self.cur = None;
        let result = self.statement(&x.body, None);
        self.frame().breaks.pop();
        result?;
        self.jump(end)?;
        self.set_cur(end);
        Ok(())
    }

    /// The edges from the head of a switch to its labels, or to `end`.
    fn dispatch(&mut self, x: &Switch, value: ProgExpr, end: LocId) -> R<()> {
        let signed = self.hir.types.is_signed(x.value.ty.id);
        self.flush()?;
        let mut other = self.constant(1, 1);
        let mut targets = vec![];
        for c in &x.cases {
            let here = self.in_case(value, c, signed);
            let not = self.not(here);
            targets.push((self.and(other, here), Some(c.label)));
            other = self.and(other, not);
        }
        targets.push((other, x.default));
        let Some(from) = self.cur else { return Ok(()) };
        for (guard, label) in targets {
            if self.prog.pool.is_false(guard) {
                continue;
            }
            // From a location of its own, so that a constant value needs no branch.
            let stub = self.new_loc();
            self.cur = Some(from);
            let always = self.prog.pool.is_true(guard);
            if always {
                self.jump(stub)?;
            } else {
                self.edge_to(from, stub, guard)?;
            }
            self.set_cur(stub);
            match label {
                Some(l) if self.enters_scopes(l) => self.jump_to_label(l)?,
                Some(l) => {
                    let loc = self.label_loc(l);
                    self.jump(loc)?;
                }
                None => self.jump(end)?,
            }
            if always {
                break;
            }
        }
        self.cur = None;
        Ok(())
    }

    fn in_case(&mut self, value: ProgExpr, c: &Case, signed: bool) -> ProgExpr {
        if c.low == c.high {
            return self.eq_const(value, c.low);
        }
        let w = self.prog.pool.width(value);
        let (low, high) = (self.constant(c.low, w), self.constant(c.high, w));
        let op = if signed { Op2::Sle } else { Op2::Ule };
        let above = self.op2(op, low, value);
        let below = self.op2(op, value, high);
        self.and(above, below)
    }

    fn return_value(&mut self, e: Option<&Expr>) -> R<()> {
        let result = self.frame().result.clone();
        match e {
            None => {}
            Some(e) if *self.hir.types.get(e.ty.id) == Type::Void => self.effect(e)?,
            Some(e) if self.hir.types.is_scalar(e.ty.id) => {
                let v = self.rvalue(e)?;
                // A function of type void may return a number by mistake.
                if let [(_, t)] = result[..]
                    && self.prog.vars[t].width == self.prog.pool.width(v)
                {
                    self.assign(t, v);
                }
            }
            Some(e) => {
                let leaves = self.struct_value(e)?;
                for (leaf, v) in leaves {
                    if let Some(&(_, t)) = result.iter().find(|r| r.0 == leaf.offset) {
                        self.assign(t, v);
                    }
                }
            }
        }
        self.end_lifetimes(0)?;
        let exit = self.frame().exit;
        self.jump(exit)
    }
}
