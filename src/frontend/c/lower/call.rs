//! Calls: functions with a body are inlined or share it, others are built in or an error.

use super::super::hir::{Expr, ExprKind, FuncId};
use super::super::types::Type;
use super::place::Place;
use super::scope::{Argument, named_function};
use super::state::{Frame, Lower, R, Storage, below_casts};
use crate::base::HashMap;
use crate::program::{Bound, LocId, ProgExpr, SiteKind, Sync, Undefined, VarId};

/// Functions that mean what they mean even if the program defines them.
fn always_built_in(name: &str) -> bool {
    matches!(
        name,
        "reach_error"
            | "__VERIFIER_error"
            | "__VERIFIER_assume"
            | "__VERIFIER_atomic_begin"
            | "__VERIFIER_atomic_end"
            | "__assert_fail"
    ) || name.starts_with("__VERIFIER_nondet_")
        || name.starts_with("__CPROVER_")
        || name.starts_with("__ESBMC_")
}

/// Functions that are modelled where their arguments are right.
fn modelled(name: &str) -> bool {
    const OTHERS: &[&str] = &[
        "aligned_alloc",
        "alloca",
        "calloc",
        "call_once",
        "free",
        "malloc",
        "memcpy",
        "memmove",
        "memset",
        "posix_memalign",
        "rand",
        "random",
        "realloc",
        "scanf",
        "__VERIFIER_assert",
        "__VERIFIER_assume",
    ];
    const GROUPS: &[&str] = &[
        "pthread_attr_",
        "pthread_barrier_",
        "pthread_cond_",
        "pthread_mutex",
        "pthread_rwlock_",
        "pthread_spin_",
        "sem_",
        "mtx_",
        "cnd_",
        "thrd_",
    ];
    const THREADS: &[&str] = &[
        "create",
        "join",
        "tryjoin_np",
        "timedjoin_np",
        "exit",
        "self",
        "equal",
        "detach",
        "once",
    ];
    OTHERS.contains(&name)
        || GROUPS.iter().any(|group| name.starts_with(group))
        || name.strip_prefix("pthread_").is_some_and(|rest| THREADS.contains(&rest))
}

impl Lower<'_> {
    /// The function that is called, if it is known.
    fn callee(&mut self, callee: &Expr) -> R<Option<FuncId>> {
        match &callee.kind {
            ExprKind::Func(f) => Ok(Some(*f)),
            _ => self.function_argument(callee),
        }
    }

    /// The function that an expression names, perhaps through a parameter.
    pub fn function_argument(&mut self, e: &Expr) -> R<Option<FuncId>> {
        if let Some(f) = named_function(e) {
            return Ok(Some(f));
        }
        if let ExprKind::Load(lv) = &below_casts(e).kind
            && let ExprKind::Local(l) = lv.kind
            && let Some(Storage::Func(f)) = self.frame().bound.get(&l)
        {
            return Ok(Some(*f));
        }
        Ok(None)
    }

    pub fn call_value(&mut self, e: &Expr, callee: &Expr, args: &[Expr]) -> R<ProgExpr> {
        let width = match self.hir.types.is_scalar(e.ty.id) {
            true => self.width(e.ty.id),
            false => 32,
        };
        let known = self.callee(callee)?;
        if self.cur.is_none() {
            return Ok(self.constant(0, width));
        }
        let signed = self.hir.types.is_signed(e.ty.id);
        if let Some(f) = known
            && let Some(v) = self.built_in(f, e, args, true)?
        {
            return Ok(self.resize(v, width, signed));
        }
        let t = self.temp(width);
        match known {
            Some(f) => self.inline(f, args, vec![(0, t)], true, e)?,
            None => self.each_function(callee, &mut |l, f| {
                if let Some(v) = l.built_in(f, e, args, true)? {
                    let v = l.resize(v, width, signed);
                    l.assign(t, v);
                    return Ok(());
                }
                l.inline(f, args, vec![(0, t)], true, e)
            })?,
        }
        Ok(self.var(t))
    }

    /// Calls a function that is given as a value, with these arguments, for its effects.
    pub fn call_effect(&mut self, e: &Expr, callee: &Expr, args: &[Expr]) -> R<()> {
        let known = self.callee(callee)?;
        if self.cur.is_none() {
            return Ok(());
        }
        let mut call = |l: &mut Self, f| match l.built_in(f, e, args, false)? {
            Some(_) => Ok(()),
            None => l.inline(f, args, vec![], false, e),
        };
        match known {
            Some(f) => call(self, f),
            None => self.each_function(callee, &mut call),
        }
    }

    /// A struct that is a value, of a call perhaps: it is in temporaries.
    pub fn value_place(&mut self, e: &Expr) -> R<Place> {
        let ExprKind::Call(callee, args) = &e.kind else {
            if !matches!(self.hir.types.get(e.ty.id), Type::Record(_)) {
                return Err(self.error(e.loc, "this is no object"));
            }
            let place = self.temp_place(e.ty.id, e.loc)?;
            self.struct_into(e, &place)?;
            return Ok(place);
        };
        let known = self.callee(callee)?;
        if self.cur.is_none() {
            return Ok(Place::Nowhere);
        }
        let place = self.temp_place(e.ty.id, e.loc)?;
        let result = match &place {
            Place::Vars(vars, _) => vars.to_vec(),
            _ => vec![],
        };
        let mut call = |l: &mut Self, f| l.inline(f, args, result.clone(), true, e);
        match known {
            Some(f) => call(self, f)?,
            None => self.each_function(callee, &mut call)?,
        }
        Ok(place)
    }

    /// What a built-in function returns; `None` if the call is to be inlined.
    fn built_in(&mut self, f: FuncId, e: &Expr, args: &[Expr], used: bool) -> R<Option<ProgExpr>> {
        let func = &self.hir.funcs[f];
        if let Some(v) = self.described(&func.name, e, args)? {
            return Ok(Some(v));
        }
        if func.body.is_some() && !always_built_in(&func.name) {
            return Ok(None);
        }
        let name = func.name.clone();
        match self.builtin(&name, e, args, used)? {
            Some(v) => Ok(Some(v)),
            None if self.hir.library.contains_key(&f) => Ok(None),
            None if modelled(&name) => {
                let message = format!("wrong arguments for `{name}`: there are {}", args.len());
                Err(self.error(e.loc, message).note("include the header that declares it"))
            }
            None => Err(self
                .error(e.loc, format!("call of `{name}`, which has no body and is not modelled"))
                .note("add the source file that defines it, or a body that stands for it")),
        }
    }

    /// Evaluates arguments as gcc does, the last one first.
    fn arguments(&mut self, f: FuncId, args: &[Expr]) -> R<Vec<Argument>> {
        let body = self.hir.funcs[f].body.as_ref().expect("only functions with bodies are inlined");
        let params: Vec<_> = body.params.iter().map(|&p| body.locals[p].ty.id).collect();
        let (mut out, mut extra) = (vec![], vec![]);
        for (i, a) in args.iter().enumerate().rev() {
            let Some(&ty) = params.get(i) else {
                if !body.va_start || !self.hir.types.is_scalar(a.ty.id) {
                    self.effect(a)?;
                    extra.push(None);
                    continue;
                }
                let v = self.rvalue(a)?;
                let t = self.temp(self.width(a.ty.id));
                self.assign(t, v);
                extra.push(Some((t, a.ty.id)));
                continue;
            };
            out.push(if let Some(f) = self.function_argument(a)? {
                Argument::Func(f)
            } else if self.hir.types.is_scalar(a.ty.id) {
                let v = self.rvalue(a)?;
                Argument::Scalar(self.convert(v, a.ty.id, ty))
            } else {
                Argument::Leaves(self.struct_value(a)?)
            });
        }
        out.reverse();
        extra.reverse();
        self.extra = extra;
        Ok(out)
    }

    fn inline(
        &mut self,
        f: FuncId,
        args: &[Expr],
        result: Vec<(u64, VarId)>,
        used: bool,
        e: &Expr,
    ) -> R<()> {
        let f = self.hir.library.get(&f).copied().unwrap_or(f);
        let func = &self.hir.funcs[f];
        let Some(body) = func.body.as_ref() else {
            let message = format!("call of `{}`, which has no body and is not modelled", func.name);
            return Err(self.error(e.loc, message));
        };
        if self.frames.iter().filter(|x| x.func == f).count() >= self.options.recursion {
            let site = self.site_here(SiteKind::Bound(Bound::Recursion));
            return self.fail(site);
        }
        if args.len() < body.params.len() {
            let name = func.name.trim_start_matches("__lw_");
            let message = format!("wrong arguments for `{name}`: there are {}", args.len());
            return Err(self.error(e.loc, message));
        }
        let atomic = func.name.starts_with("__VERIFIER_atomic_");
        let args = self.arguments(f, args)?;
        if atomic {
            self.atomic_begin()?;
        }
        if self.shares_body(f) {
            self.call_shared(f, args, result, used)?;
        } else {
            self.enter_function(f, args, result, used)?;
        }
        if atomic && self.cur.is_some() {
            self.atomic_end(e.loc)?;
        }
        Ok(())
    }

    /// Lowers the body of a function and goes on behind it.
    pub fn enter_function(
        &mut self,
        f: FuncId,
        args: Vec<Argument>,
        result: Vec<(u64, VarId)>,
        used: bool,
    ) -> R<()> {
        let exit = self.new_loc();
        self.open_frame(f, exit, result, used);
        self.bind_all(args)?;
        self.flush()?;
        self.lower_body()?;
        let frame = self.close_frame();
        self.set_cur(exit);
        self.end_objects(&frame.stack)
    }

    /// Begins to lower a function whose `return` leads to `exit`.
    pub fn open_frame(&mut self, f: FuncId, exit: LocId, result: Vec<(u64, VarId)>, used: bool) {
        self.frames.push(Frame {
            func: f,
            nesting: self.frames.iter().filter(|x| x.func == f).count(),
            bound: HashMap::default(),
            in_scope: vec![],
            labels: HashMap::default(),
            extra: std::mem::take(&mut self.extra),
            breaks: vec![],
            continues: vec![],
            exit,
            result,
            used,
            caller: self.context.clone(),
            position: 0,
            stack: vec![],
            shared: false,
        });
    }

    /// Binds the parameters of the innermost function.
    pub fn bind_all(&mut self, args: Vec<Argument>) -> R<()> {
        let f = self.frame().func;
        let body = self.hir.funcs[f].body.as_ref().expect("only functions with bodies are entered");
        for (&p, a) in body.params.iter().zip(args) {
            self.bind(p, a)?;
        }
        Ok(())
    }

    /// The statements of the innermost function.
    pub fn lower_body(&mut self) -> R<()> {
        let f = self.frame().func;
        let body = self.hir.funcs[f].body.as_ref().expect("only functions with bodies are entered");
        self.statements(&body.stmts)?;
        if self.cur.is_some() {
            self.with_context(body.end, |l| l.fall_off(f))?;
        }
        Ok(())
    }

    /// Ends the innermost function; none of its variables is alive for sure.
    pub fn close_frame(&mut self) -> Frame {
        let frame = self.frames.pop().expect("a function was opened");
        for &l in &frame.in_scope {
            if let Some(Storage::Object(o)) = self.storage.get(&(frame.func, frame.nesting, l)) {
                let o = *o;
                self.alive.retain(|&x| x != o);
            }
        }
        frame
    }

    /// The closing brace of a function.
    fn fall_off(&mut self, f: FuncId) -> R<()> {
        let ret = match self.hir.types.get(self.hir.funcs[f].ty) {
            Type::Function { ret, .. } => ret.id,
            _ => self.hir.funcs[f].ty,
        };
        let void = *self.hir.types.get(ret) == Type::Void;
        if self.frame().used && !void && !self.options.assume_defined {
            let text = format!("end of {} without a value", self.hir.funcs[f].name);
            let kind = SiteKind::Undefined(Undefined::MissingReturn);
            let site = self.site(kind, self.context.span, text.into());
            return self.fail(site);
        }
        self.end_lifetimes(0)?;
        let exit = self.frame().exit;
        self.jump(exit)
    }

    pub fn atomic_begin(&mut self) -> R<()> {
        self.flush()?;
        if self.cur.is_none() {
            return Ok(());
        }
        if self.depth > 0 {
            self.depth += 1;
            return Ok(());
        }
        self.section_edge(Sync::AtomicBegin, 1)
    }

    pub fn atomic_end(&mut self, loc: super::super::hir::Loc) -> R<()> {
        self.flush()?;
        match self.depth {
            _ if self.cur.is_none() => Ok(()),
            0 => Err(self.error(loc, "an atomic section ends that did not begin")),
            1 => self.section_edge(Sync::AtomicEnd, 0),
            _ => {
                self.depth -= 1;
                Ok(())
            }
        }
    }

    fn section_edge(&mut self, sync: Sync, depth: u32) -> R<()> {
        let from = self.cur.expect("checked by the caller");
        let to = self.new_loc();
        self.graph.nodes[to].depth = Some(depth);
        let yes = self.prog.pool.bool(true);
        let mut edge = self.plain_edge(from, to, yes);
        edge.sync = sync;
        self.push_edge(edge)?;
        self.set_cur(to);
        Ok(())
    }
}
