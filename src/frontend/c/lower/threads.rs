//! Thread functions: create, detach, exit.

use super::super::hir::{Expr, ExprKind, FuncId};
use super::super::sema::SPAWN;
use super::block::Final;
use super::c11::THRD_ERROR;
use super::join::Codes;
use super::late::{Late, LateKind};
use super::mutex::{EAGAIN, EBUSY, EDEADLK, ETIMEDOUT};
use super::place::Place;
use super::state::{Instance, Kind, Lower, Name, PoolInfo, R, below_casts};
use super::sync::{Case, Field};
use crate::base::{Diagnostic, Id};
use crate::expr::Op2;
use crate::program::{
    Assign, Bound, ProgExpr, Role, SiteKind, Status, Sync, Target, ThreadId, Undefined,
};

/// Whether a thread is created detached, in `pthread_attr_t`.
const DETACHED: Field = (0, 32);

/// Functions whose effects cannot be seen here.
fn is_harmless(name: &str) -> bool {
    matches!(
        name,
        "pthread_attr_destroy"
            | "pthread_attr_setstacksize"
            | "pthread_attr_setscope"
            | "pthread_attr_setinheritsched"
            | "pthread_attr_setschedpolicy"
            | "pthread_attr_setschedparam"
            | "pthread_attr_setguardsize"
            | "pthread_setschedparam"
            | "pthread_setname_np"
            | "pthread_setaffinity_np"
            | "pthread_setconcurrency"
            | "pthread_mutexattr_setpshared"
            | "pthread_mutexattr_setprotocol"
            | "pthread_mutexattr_setprioceiling"
            | "pthread_mutexattr_setrobust"
            | "pthread_condattr_init"
            | "pthread_condattr_destroy"
            | "pthread_condattr_setclock"
            | "pthread_condattr_setpshared"
            | "pthread_rwlockattr_init"
            | "pthread_rwlockattr_destroy"
            | "pthread_rwlockattr_setpshared"
            | "pthread_rwlockattr_setkind_np"
            | "pthread_barrierattr_init"
            | "pthread_barrierattr_destroy"
            | "pthread_barrierattr_setpshared"
    )
}

/// Which argument of a function names a function that it starts or calls.
pub fn start_argument(name: &str) -> Option<usize> {
    match name {
        "pthread_create" => Some(2),
        SPAWN => Some(0),
        "thrd_create" | "pthread_once" | "call_once" => Some(1),
        _ => None,
    }
}

/// Most thread instances of a program.
pub const MAX_THREADS: usize = 64;

impl Lower<'_> {
    /// Lowers a call of a thread function and gives what it returns; `None` if it is none.
    pub fn thread_function(&mut self, name: &str, e: &Expr, args: &[Expr]) -> R<Option<ProgExpr>> {
        let zero = self.constant(0, 32);
        match (name, args) {
            ("pthread_create", [id, attr, start, arg]) => {
                return self.create_call(e, [id, attr, start, arg], EAGAIN).map(Some);
            }
            ("thrd_create", [id, start, arg]) => {
                let attr = Expr { kind: ExprKind::Int(0), ..arg.clone() };
                return self.create_call(e, [id, &attr, start, arg], THRD_ERROR).map(Some);
            }
            (SPAWN, [start, args @ ..]) => self.spawn(e, start, args)?,
            ("pthread_join", [id, result]) => {
                return self.join(e, id, result, Codes { busy: None, own: EDEADLK }).map(Some);
            }
            ("thrd_join", [id, result]) => {
                return self.join(e, id, result, Codes { busy: None, own: THRD_ERROR }).map(Some);
            }
            ("pthread_tryjoin_np", [id, result]) => {
                let codes = Codes { busy: Some(EBUSY), own: EBUSY };
                return self.join(e, id, result, codes).map(Some);
            }
            // The time may be up whenever the thread has not ended.
            ("pthread_timedjoin_np" | "pthread_clockjoin_np", [id, result, .., time]) => {
                self.rvalue(time)?;
                let codes = Codes { busy: Some(ETIMEDOUT), own: EDEADLK };
                return self.join(e, id, result, codes).map(Some);
            }
            ("pthread_exit" | "thrd_exit", [value]) => {
                let v = self.rvalue(value)?;
                let v = self.resize(v, self.pointer_bits(), true);
                let v = self.run_cleanup_handlers(v)?;
                self.end_all_lifetimes()?;
                self.end_thread(v)?;
            }
            ("pthread_self" | "thrd_current", []) => {
                let v = self.constant(self.self_number(), self.pointer_bits());
                return Ok(Some(v));
            }
            ("__errno_location", []) => {
                let o = self.errno_object();
                return Ok(Some(self.prog.address(o)));
            }
            ("pthread_equal" | "thrd_equal", [a, b]) => {
                let y = self.rvalue(b)?;
                let x = self.rvalue(a)?;
                let same = self.op2(Op2::Eq, x, y);
                return Ok(Some(self.number(same, 32)));
            }
            ("pthread_detach" | "thrd_detach", [id]) => self.detach(e, id)?,
            ("pthread_attr_init", [a]) => return Ok(Some(self.set_field(a, DETACHED, zero)?)),
            ("pthread_attr_setdetachstate", [a, how]) => {
                let how = self.rvalue(how)?;
                return Ok(Some(self.set_field(a, DETACHED, how)?));
            }
            ("pthread_attr_getdetachstate", [a, out]) => {
                return Ok(Some(self.get_field(a, DETACHED, out)?));
            }
            _ if is_harmless(name) => self.evaluate(args)?,
            // Parts of the macros pthread_cleanup_push and pthread_cleanup_pop.
            ("__sigsetjmp_cancel" | "__sigsetjmp", [_, _])
            | ("__pthread_register_cancel" | "__pthread_unregister_cancel", [_])
                if self.cleanup_handler(usize::MAX).is_some() => {}
            // Without cancellation there is nothing to be switched off or tested.
            ("pthread_testcancel", []) => {}
            ("pthread_setcancelstate" | "pthread_setcanceltype", [kind, old]) => {
                self.rvalue(kind)?;
                if let Some(place) = self.out_place(old)? {
                    self.store(&place, zero, old.loc)?;
                }
            }
            ("pthread_cancel" | "pthread_cleanup_push" | "pthread_cleanup_pop", _)
            | ("pthread_kill", _) => {
                return Err(self.unsupported(e.loc, &format!("`{name}` (cancellation)")));
            }
            _ => return self.c11_function(name, args),
        }
        Ok(Some(zero))
    }

    /// Where a function stores through a pointer argument; `None` for NULL.
    pub fn out_place(&mut self, e: &Expr) -> R<Option<Place>> {
        if let ExprKind::AddrOf(lv) = &below_casts(e).kind
            && self.hir.types.is_scalar(lv.ty.id)
        {
            return Ok(Some(self.place(lv)?));
        }
        let addr = self.rvalue(e)?;
        if self.prog.pool.as_const(addr) == Some(0) {
            return Ok(None);
        }
        Ok(Some(self.place_at(addr, e.loc)))
    }

    /// Starts a thread; gives 0, or `failure` where creating may fail.
    fn create_call(&mut self, e: &Expr, args: [&Expr; 4], failure: u128) -> R<ProgExpr> {
        let [id, attr, start, arg] = args;
        if !self.options.create_may_fail {
            self.create(e, id, attr, start, arg)?;
            return Ok(self.constant(0, 32));
        }
        let fails = self.choose("fails", 1, 1)?;
        let code = self.temp(32);
        let (fail, succeed, end) = (self.new_loc(), self.new_loc(), self.new_loc());
        self.branch(fails, fail, succeed)?;
        self.set_cur(fail);
        self.rvalue(arg)?;
        if self.function_argument(start)?.is_none() {
            self.rvalue(start)?;
        }
        self.rvalue(attr)?;
        self.out_place(id)?;
        let failure = self.constant(failure, 32);
        self.assign(code, failure);
        self.jump(end)?;
        self.set_cur(succeed);
        self.create(e, id, attr, start, arg)?;
        let zero = self.constant(0, 32);
        self.assign(code, zero);
        self.jump(end)?;
        self.set_cur(end);
        Ok(self.var(code))
    }

    fn create(&mut self, e: &Expr, id: &Expr, attr: &Expr, start: &Expr, arg: &Expr) -> R<()> {
        let argument = self.rvalue(arg)?;
        let named = self.function_argument(start)?;
        if let Some(f) = named {
            self.has_body(f, start)?;
        }
        let detached = self.detached_by(attr)?;
        let place = self.out_place(id)?;
        self.flush()?;
        if self.cur.is_none() {
            return Ok(());
        }
        let number = self.temp(self.pointer_bits());
        let first = self.pools.len();
        match named {
            Some(f) => self.create_edges(e, f, (argument, &[]), number, detached)?,
            None => {
                let t = self.temp(self.pointer_bits());
                self.assign(t, argument);
                let argument = self.var(t);
                self.each_function(start, &mut |l, f| {
                    l.has_body(f, start)?;
                    l.flush()?;
                    l.create_edges(e, f, (argument, &[]), number, detached)
                })?;
            }
        }
        if let Some(place) = place {
            self.note_ids(first, &place);
            let v = self.var(number);
            self.store(&place, v, id.loc)?;
        }
        Ok(())
    }

    /// Starts a thread of CBMC's own, which nobody joins.
    fn spawn(&mut self, e: &Expr, start: &Expr, args: &[Expr]) -> R<()> {
        let f = self.function_argument(start)?.expect("the analysis names the function");
        let mut values = vec![];
        for a in args {
            let v = self.rvalue(a)?;
            let t = self.temp(self.width(a.ty.id));
            self.assign(t, v);
            values.push(self.var(t));
        }
        self.flush()?;
        if self.cur.is_none() {
            return Ok(());
        }
        let number = self.temp(self.pointer_bits());
        let argument = self.constant(0, self.pointer_bits());
        let detached = Some(self.prog.pool.bool(true));
        self.create_edges(e, f, (argument, &values), number, detached)
    }

    fn has_body(&self, f: FuncId, start: &Expr) -> R<()> {
        if self.hir.funcs[f].body.is_none() {
            let message = format!("the start function `{}` has no body", self.hir.funcs[f].name);
            return Err(self.error(start.loc, message));
        }
        Ok(())
    }

    /// How often the statement that is being lowered may run at most.
    pub fn repetitions(&self) -> Option<u64> {
        let cycle = self.frames.iter().any(|f| {
            let body = self.hir.funcs[f.func].body.as_ref();
            body.is_some_and(|b| b.in_goto_cycle(f.position))
        });
        if cycle {
            return None;
        }
        let mut n = self.instances[self.thread.index()].runs?;
        for l in &self.loops {
            n = n.saturating_mul((*l)?);
        }
        Some(n)
    }

    fn create_edges(
        &mut self,
        e: &Expr,
        f: FuncId,
        (argument, more): (ProgExpr, &[ProgExpr]),
        number: crate::program::VarId,
        detached: Option<ProgExpr>,
    ) -> R<()> {
        let pool = self.new_pool(e, f)?;
        let instances = self.pools[pool].instances.clone();
        for &k in &instances {
            for (i, &v) in more.iter().enumerate() {
                let name = Name { thread: Some(k), rest: format!("argument#{}", i + 2) };
                let var = self.new_shared(name, self.prog.pool.width(v), Role::Argument(k));
                self.instances[k.index()].more.push(var);
            }
        }
        let single = self.repetitions() == Some(1) && instances.len() == 1;
        let from = self.cur.expect("checked by the caller");
        let to = self.new_loc();
        let mut free = self.prog.pool.bool(true);
        for k in instances {
            let (status, arg) =
                (self.instances[k.index()].status, self.instances[k.index()].argument);
            let mut edge = self.plain_edge(from, to, free);
            if !single {
                let value = self.var(status);
                let here = self.eq_const(value, Status::FREE);
                edge.guard = self.and(free, here);
                let busy = self.not(here);
                free = self.and(free, busy);
            }
            let mut running = self.constant(Status::RUNNING, 2);
            if let Some(detached) = detached {
                let value = self.constant(Status::DETACHED, 2);
                running = self.ite(detached, value, running);
            }
            let id = self.constant(k.index() as u128 + 1, self.pointer_bits());
            edge.assigns = vec![
                Assign { target: Target::Var(status), value: running },
                Assign { target: Target::Var(arg), value: argument },
                Assign { target: Target::Var(number), value: id },
            ];
            let values: Vec<_> = self.instances[k.index()].more.iter().zip(more).collect();
            for (&var, &value) in values {
                edge.assigns.push(Assign { target: Target::Var(var), value });
            }
            edge.sync = Sync::Create(k);
            edge.atomic_access = true;
            self.push_edge(edge)?;
            self.graph.nodes[to].depth = Some(self.depth);
        }
        if !single {
            let site = self.site_here(SiteKind::Bound(Bound::Threads));
            let stop = self.stopped();
            let mut edge = self.plain_edge(from, stop, free);
            edge.site = Some(site);
            edge.atomic_access = true;
            self.push_edge(edge)?;
        }
        self.set_cur(to);
        Ok(())
    }

    /// The instances that a create site starts.
    fn new_pool(&mut self, e: &Expr, f: FuncId) -> R<usize> {
        let creator = &self.instances[self.thread.index()];
        let mut ancestors = vec![creator.start];
        ancestors.extend(&creator.ancestors);
        let nested = ancestors.iter().filter(|&&a| a == f).count();
        let repetitions = self.repetitions();
        // Whoever creates threads is started once per instance, so that its sites run as often
        // as they seem to.
        if let Some(p) = creator.pool
            && creator.runs.is_some()
        {
            self.pools[p].reusable = false;
        }
        let size = match repetitions {
            _ if nested >= self.options.threads.max(1) => 0,
            Some(n) => usize::try_from(n).unwrap_or(usize::MAX),
            None => self.options.threads,
        };
        if size > MAX_THREADS - self.instances.len().min(MAX_THREADS) {
            let message = format!("more than {MAX_THREADS} thread instances");
            let note = "bound the loop around this call by a small constant, or use --threads";
            return Err(Diagnostic::error(self.span(e.loc), message).note(note));
        }
        let pool = self.pools.len();
        let runs = repetitions.map(|_| 1);
        let instances: Vec<ThreadId> =
            (0..size).map(|_| self.new_instance(f, Some(pool), runs, ancestors.clone())).collect();
        let reusable = repetitions != Some(1);
        self.pools.push(PoolInfo { instances, reusable });
        Ok(pool)
    }

    pub fn new_instance(
        &mut self,
        start: FuncId,
        pool: Option<usize>,
        runs: Option<u64>,
        ancestors: Vec<FuncId>,
    ) -> ThreadId {
        let k = ThreadId::new(self.instances.len());
        let name = |rest: &str| Name { thread: Some(k), rest: rest.into() };
        let bits = self.pointer_bits();
        let status = self.new_shared(name("status"), 2, Role::Status(k));
        let argument = self.new_shared(name("argument"), bits, Role::Argument(k));
        let result = self.new_shared(name("result"), bits, Role::Result(k));
        let kind = Kind::Created;
        let new = Instance {
            start,
            kind,
            status,
            argument,
            more: vec![],
            result,
            id: None,
            joined: None,
            pool,
            runs,
            ancestors,
        };
        self.instances.push(new);
        k
    }

    /// Whether threads can be detached.
    pub fn has_detached(&self) -> bool {
        ["pthread_detach", "pthread_attr_setdetachstate", "thrd_detach", SPAWN]
            .iter()
            .any(|f| self.hir.uses(f))
    }

    /// Whether these attributes make a thread detached; `None` if none does.
    fn detached_by(&mut self, attr: &Expr) -> R<Option<ProgExpr>> {
        let plain = below_casts(attr).as_int() == Some(0);
        if plain || !self.hir.uses("pthread_attr_setdetachstate") {
            self.rvalue(attr)?;
            return Ok(None);
        }
        let t = self.temp(32);
        if let Some(op) = self.operation(&[(attr, &[DETACHED])])? {
            let value = op.value(0);
            self.case(&op, Case::always().put(t, value))?;
            self.finish(&op);
        }
        let value = self.var(t);
        Ok(Some(self.truth(value)))
    }

    fn detach(&mut self, e: &Expr, id: &Expr) -> R<()> {
        let number = self.rvalue(id)?;
        let number = self.resize(number, self.pointer_bits(), false);
        self.flush()?;
        let source = self.id_source(id, number)?;
        let (id, times) = (number, self.repetitions());
        let Some(from) = self.cur else { return Ok(()) };
        self.id_uses.push((source, times));
        let site = self.undefined_site(Undefined::InvalidThread, e.loc);
        let to = self.new_loc();
        self.stopped();
        let (thread, depth, context) = (self.thread, self.depth, self.context.clone());
        let from = self.graph.find(from);
        self.graph.nodes[from].span.get_or_insert(context.span);
        let kind = LateKind::Detach { id, site };
        self.late.push(Late { thread, from, to, depth, context, kind });
        self.graph.nodes[to].depth = Some(depth);
        self.set_cur(to);
        Ok(())
    }

    /// Runs the destructors of the thread's keys. A destructor that ends the thread ends it.
    fn run_destructors(&mut self) -> R<()> {
        match self.hir.destructors {
            Some(f) if self.frames.iter().all(|x| x.func != f) => {
                self.enter_function(f, vec![], vec![], false)
            }
            _ => Ok(()),
        }
    }

    /// Ends the thread with a result.
    pub fn end_thread(&mut self, value: ProgExpr) -> R<()> {
        self.flush()?;
        if self.cur.is_none() {
            return Ok(());
        }
        if self.depth > 0 {
            let message = "a thread ends inside of an atomic section";
            return Err(Diagnostic::error(self.context.span, message));
        }
        let result = self.temp(self.pointer_bits());
        self.assign(result, value);
        self.flush()?;
        self.run_destructors()?;
        let own = self.alive_with_thread.clone();
        self.end_objects(&own)?;
        let value = self.var(result);
        let Some(from) = self.cur else { return Ok(()) };
        let to = self.final_loc(Final::Ended);
        let always = self.prog.pool.bool(true);
        let mut edge = self.plain_edge(from, to, always);
        let (status, result) = {
            let me = &self.instances[self.thread.index()];
            (me.status, me.result)
        };
        let mut ended = self.constant(Status::ENDED, 2);
        if self.has_detached() {
            let value = self.var(status);
            let detached = self.eq_const(value, Status::DETACHED);
            let free = self.constant(Status::FREE, 2);
            ended = self.ite(detached, free, ended);
        }
        edge.assigns = vec![
            Assign { target: Target::Var(status), value: ended },
            Assign { target: Target::Var(result), value },
        ];
        edge.sync = Sync::ThreadEnd;
        edge.atomic_access = true;
        self.push_edge(edge)?;
        self.cur = None;
        Ok(())
    }
}
