//! Functions that are modelled without a body.

use std::sync::Arc;

use super::super::hir::{Expr, ExprKind};
use super::super::types::{Type, TypeId};
use super::block::Final;
use super::state::{Frame, Lower, R, below_casts};
use crate::program::{Bound, ProgExpr, SiteId, SiteKind, Sync, Undefined};

impl Lower<'_> {
    /// Lowers a call of a function that is built in and gives what it returns (0 if nothing);
    /// `None` if it is not.
    pub fn builtin(
        &mut self,
        name: &str,
        e: &Expr,
        args: &[Expr],
        used: bool,
    ) -> R<Option<ProgExpr>> {
        let zero = self.constant(0, 32);
        match name {
            "abort" | "_Exit" | "_exit" | "quick_exit" => {
                self.evaluate(args)?;
                self.end_process()?;
            }
            "exit" => {
                self.evaluate(args)?;
                self.run_exit_handlers()?;
                self.end_process()?;
            }
            "__builtin_unreachable" => match self.undefined_site(Undefined::Unreachable, e.loc) {
                Some(site) => self.fail(site)?,
                None => self.discard()?,
            },
            "__assert_fail" | "__assert" | "__assert_perror_fail" => {
                self.fail_assertion(e, args.first())?;
            }
            "__CPROVER_assert" | "__ESBMC_assert" if args.len() == 2 => {
                self.assertion(e, &args[0])?;
            }
            "reach_error" | "__VERIFIER_error" => self.fail_assertion(e, None)?,
            "__VERIFIER_assert" | "assert" if args.len() == 1 => self.assertion(e, &args[0])?,
            "__VERIFIER_assume" | "assume_abort_if_not" | "__CPROVER_assume" | "__ESBMC_assume"
                if args.len() == 1 =>
            {
                self.assume(&args[0])?;
            }
            "__lw_keys_used_up" | "__lw_handlers_used_up" => {
                let site = self.site_here(SiteKind::Bound(Bound::ArrayLength));
                self.fail(site)?;
            }
            "__lw_invalid_argument" => {
                if let Some(site) = self.argument_site() {
                    self.fail(site)?;
                }
            }
            "__VERIFIER_atomic_begin" | "__CPROVER_atomic_begin" | "__ESBMC_atomic_begin" => {
                self.atomic_begin()?;
            }
            "__VERIFIER_atomic_end" | "__CPROVER_atomic_end" | "__ESBMC_atomic_end" => {
                self.atomic_end(e.loc)?;
            }
            "rand" | "random" | "lrand48" if args.is_empty() => {
                let wide = self.hir.types.is_scalar(e.ty.id);
                let width = if wide { self.width(e.ty.id).min(32) } else { 32 };
                let v = self.choose(name, width - 1, width)?;
                return Ok(Some(v));
            }
            // CBMC and ESBMC take any function of such a name as a choice.
            _ if name.starts_with("__VERIFIER_nondet_") || name.starts_with("nondet_") => {
                self.evaluate(args)?;
                return Ok(Some(self.nondet(name, e)?));
            }
            "sprintf" if args.len() > 1 => return self.print_into(name, e, args, 2),
            "snprintf" if args.len() > 2 => return self.print_into(name, e, args, 3),
            "scanf" if !args.is_empty() => return Ok(Some(self.scan(e, &args[1..])?)),
            "sscanf" | "fscanf" if args.len() > 1 => return Ok(Some(self.scan(e, &args[2..])?)),
            _ if is_output(name) => {
                self.evaluate(args)?;
                if used && self.hir.types.is_integer(e.ty.id) {
                    let w = self.width(e.ty.id);
                    return Ok(Some(self.choose(name, w, w)?));
                }
            }
            "sched_yield"
            | "usleep"
            | "sleep"
            | "nanosleep"
            | "pthread_yield"
            | "thrd_yield"
            | "thrd_sleep"
            | "srand"
            | "srandom"
            | "__CPROVER_fence"
            | "pthread_setconcurrency" => self.evaluate(args)?,
            _ => match self.heap_function(name, e, args)? {
                Some(v) => return Ok(Some(v)),
                None => return self.thread_function(name, e, args),
            },
        }
        Ok(Some(zero))
    }

    /// The site of a call of the library that its arguments do not allow: where the program calls
    /// it.
    pub fn argument_site(&mut self) -> Option<SiteId> {
        if self.options.assume_defined {
            return None;
        }
        let own = |f: &&Frame| self.hir.funcs[f.func].loc.unit as usize >= self.authored;
        let inner = self.frames.iter().rev().take_while(own).last();
        let context = inner.map_or(&self.context, |f| &f.caller).clone();
        let kind = SiteKind::Undefined(Undefined::InvalidArgument);
        Some(self.site(kind, context.span, context.text))
    }

    /// Evaluates arguments for their effects, the last one first.
    pub fn evaluate(&mut self, args: &[Expr]) -> R<()> {
        for a in args.iter().rev() {
            if is_string(a) || self.is_stream(a) {
                continue;
            }
            if self.hir.types.is_scalar(a.ty.id) {
                self.rvalue(a)?;
            } else {
                self.effect(a)?;
            }
        }
        Ok(())
    }

    /// `scanf`: each number that it may read gets any value or keeps its own, and so does the
    /// result.
    fn scan(&mut self, e: &Expr, args: &[Expr]) -> R<ProgExpr> {
        for a in args {
            let to = below_casts(a);
            let number = match self.hir.types.pointee(to.ty.id) {
                Some(t) if self.hir.types.is_integer(t.id) && self.width(t.id) > 8 => t.id,
                _ => return Err(self.unsupported(a.loc, "`scanf` of what is no integer")),
            };
            let width = self.width(number);
            let Some(place) = self.out_place(a)? else { continue };
            let old = self.load(&place, width, a.loc)?;
            let read = self.choose("read", 1, 1)?;
            let new = self.choose("scanf", width, width)?;
            let value = self.ite(read, new, old);
            self.store(&place, value, a.loc)?;
        }
        self.choose("scanf", self.width(e.ty.id), self.width(e.ty.id))
    }

    /// Whether it is one of the C library's streams: not read by what the library does with it.
    fn is_stream(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Load(lv) => match lv.kind {
                ExprKind::Global(g) => self.hir.globals[g].is_stream(),
                _ => false,
            },
            _ => false,
        }
    }

    /// A fresh choice of `bits` bits in a value of `width` bits.
    pub fn choose(&mut self, what: &str, bits: u32, width: u32) -> R<ProgExpr> {
        self.begin_access()?;
        let v = self.fresh_input(what, bits);
        let v = self.number(v, width);
        let t = self.temp(width);
        self.assign(t, v);
        Ok(self.var(t))
    }

    fn nondet(&mut self, name: &str, e: &Expr) -> R<ProgExpr> {
        let ty: TypeId = e.ty.id;
        match self.hir.types.get(ty) {
            Type::Bool => self.choose(name, 1, 8),
            Type::Pointer(_) => self.choose(name, self.width(ty), self.width(ty)),
            Type::Int(_) => {
                let bits = if name == "__VERIFIER_nondet_bool" { 1 } else { self.width(ty) };
                self.choose(name, bits, self.width(ty))
            }
            Type::Float(_) => Err(self.unsupported(e.loc, "floating-point arithmetic")),
            _ => Err(self.error(e.loc, format!("`{name}` returns no number"))),
        }
    }

    fn assertion(&mut self, e: &Expr, cond: &Expr) -> R<()> {
        let (yes, no) = (self.new_loc(), self.new_loc());
        self.cond_jump(cond, yes, no)?;
        self.set_cur(no);
        if self.cur.is_some() {
            let text = self.text(cond.loc);
            let site = self.site(SiteKind::Assertion, self.span(e.loc), text);
            self.fail(site)?;
        }
        self.set_cur(yes);
        Ok(())
    }

    fn fail_assertion(&mut self, e: &Expr, shown: Option<&Expr>) -> R<()> {
        let text = match shown.map(|s| &below_casts(s).kind) {
            Some(ExprKind::AddrOf(s)) => match s.kind {
                ExprKind::Str(id) => {
                    let bytes = self.hir.strings[id].strip_suffix(&[0]).unwrap_or(&[]);
                    Arc::from(String::from_utf8_lossy(bytes).into_owned())
                }
                _ => self.text(e.loc),
            },
            _ => self.text(e.loc),
        };
        let site = self.site(SiteKind::Assertion, self.span(e.loc), text);
        self.fail(site)
    }

    fn assume(&mut self, cond: &Expr) -> R<()> {
        let (yes, no) = (self.new_loc(), self.new_loc());
        self.cond_jump(cond, yes, no)?;
        self.set_cur(no);
        self.discard()?;
        self.set_cur(yes);
        Ok(())
    }

    /// The thread never moves again.
    fn discard(&mut self) -> R<()> {
        self.flush()?;
        let Some(from) = self.cur.take() else { return Ok(()) };
        let to = self.final_loc(Final::Discarded(self.depth > 0));
        let always = self.prog.pool.bool(true);
        let mut edge = self.plain_edge(from, to, always);
        edge.sync = Sync::Discard;
        self.push_edge(edge)
    }

    /// Runs what `atexit` was given. A handler that exits ends the process.
    pub fn run_exit_handlers(&mut self) -> R<()> {
        self.flush()?;
        match self.hir.exit_handlers {
            Some(f) if self.cur.is_some() && self.frames.iter().all(|x| x.func != f) => {
                self.enter_function(f, vec![], vec![], false)
            }
            _ => Ok(()),
        }
    }

    /// Ends the process.
    pub fn end_process(&mut self) -> R<()> {
        self.flush()?;
        let Some(from) = self.cur.take() else { return Ok(()) };
        let to = self.stopped();
        let always = self.prog.pool.bool(true);
        let mut edge = self.plain_edge(from, to, always);
        edge.sync = Sync::ProcessEnd;
        self.push_edge(edge)
    }
}

fn is_string(e: &Expr) -> bool {
    match &below_casts(e).kind {
        ExprKind::AddrOf(inner) => matches!(inner.kind, ExprKind::Str(_)),
        _ => false,
    }
}

/// Functions that write text somewhere, or tell other verifiers something.
fn is_output(name: &str) -> bool {
    matches!(
        name,
        "printf"
            | "fprintf"
            | "dprintf"
            | "vprintf"
            | "vfprintf"
            | "vdprintf"
            | "syslog"
            | "vsyslog"
            | "__VERIFIER_loop_begin"
            | "__VERIFIER_loop_bound"
            | "__VERIFIER_spin_start"
            | "__VERIFIER_spin_end"
            | "puts"
            | "fputs"
            | "putchar"
            | "putc"
            | "fputc"
            | "fflush"
            | "setbuf"
            | "setvbuf"
            | "perror"
            | "__VERIFIER_print"
            | "__printf_chk"
            | "__fprintf_chk"
    )
}
