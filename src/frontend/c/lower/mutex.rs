//! Operations on mutexes.

use super::super::hir::{Expr, ExprKind};
use super::place::{Memory, Place};
use super::state::{Lower, R, below_casts};
use crate::base::IndexVec;
use crate::program::{
    Assign, DerefId, Edge, Leaf, LocId, ProgExpr, SiteKind, Sync, Target, Undefined, VarId,
};

/// What `pthread_mutex_trylock` returns for a busy mutex.
const EBUSY: u128 = 16;

/// The owner of a free mutex.
const FREE: u128 = 0;

/// A mutex and the ends of the edges of an operation on it.
struct Operation {
    owner: Owner,
    from: LocId,
    to: LocId,
}

/// What the owner must be.
#[derive(Clone, Copy)]
enum Test {
    Is(u128),
    IsNot(u128),
}

/// What an edge does.
struct Action {
    owner: Option<u128>,
    sync: Sync,
    result: Option<(VarId, u128)>,
}

impl Default for Action {
    fn default() -> Self {
        Self { owner: None, sync: Sync::None, result: None }
    }
}

/// Where the owner of a mutex is.
enum Owner {
    Var(VarId),
    Memory(Memory),
}

impl Lower<'_> {
    /// Lowers a call of a mutex function and gives what it returns; `None` if it is none.
    pub fn mutex_function(&mut self, name: &str, e: &Expr, args: &[Expr]) -> R<Option<ProgExpr>> {
        let zero = self.constant(0, 32);
        match (name, args) {
            ("pthread_mutex_lock", [m]) => self.lock(m)?,
            ("pthread_mutex_trylock", [m]) => return Ok(Some(self.try_lock(m)?)),
            ("pthread_mutex_unlock", [m]) => self.unlock(m)?,
            ("pthread_mutex_init", [m, attr]) => {
                self.rvalue(attr)?;
                self.initialise(m)?;
            }
            ("pthread_mutex_destroy", [m]) => self.destroy(m)?,
            ("pthread_mutexattr_init" | "pthread_mutexattr_destroy", [_]) => {}
            ("pthread_mutexattr_settype", [_, kind]) => self.set_type(kind, e)?,
            _ => return Ok(None),
        }
        Ok(Some(zero))
    }

    fn set_type(&mut self, kind: &Expr, e: &Expr) -> R<()> {
        let text = self.text(kind.loc);
        match (below_casts(kind).as_int(), &*text) {
            (Some(1), _) => Err(self.unsupported(e.loc, "a mutex of type PTHREAD_MUTEX_RECURSIVE")),
            (Some(2), _) => {
                Err(self.unsupported(e.loc, "a mutex of type PTHREAD_MUTEX_ERRORCHECK"))
            }
            (Some(_), _) => Ok(()),
            (None, _) => Err(self.unsupported(e.loc, "a mutex of a type that is not constant")),
        }
    }

    fn owner(&mut self, m: &Expr) -> R<Owner> {
        let place = match &below_casts(m).kind {
            ExprKind::AddrOf(lv) => self.place(lv)?,
            _ => {
                let addr = self.rvalue(m)?;
                self.place_at(addr, m.loc)
            }
        };
        if let Place::Object(o, at) = &place
            && let Some((_, v)) = self.prog.objects[*o].leaves.iter().find(|l| l.0 == *at)
            && self.prog.vars[*v].width == 32
        {
            return Ok(Owner::Var(*v));
        }
        match self.memory(place, m.loc) {
            Some(m) => Ok(Owner::Memory(m)),
            None => Err(self.error(m.loc, "this is no mutex")),
        }
    }

    /// An edge that tests and writes the owner: its parts, and the value of the owner before.
    fn owner_edge(&mut self, owner: &Owner, from: LocId, to: LocId) -> (Edge, ProgExpr, Target) {
        let yes = self.prog.pool.bool(true);
        let mut edge = self.plain_edge(from, to, yes);
        edge.atomic_access = true;
        match owner {
            Owner::Var(v) => {
                let value = self.var(*v);
                (edge, value, Target::Var(*v))
            }
            Owner::Memory(m) => {
                edge.derefs = self.one_deref(m, 4);
                let d: DerefId = IndexVec::<DerefId, ()>::new().next_id();
                let valid = self.prog.pool.leaf(Leaf::Valid(d), 1);
                // Without the site the edge for an invalid address has to go on.
                edge.guard = match m.guard {
                    _ if self.options.assume_defined => yes,
                    Some(g) => self.and(valid, g),
                    None => valid,
                };
                let value = self.prog.pool.leaf(Leaf::Loaded(d), 32);
                (edge, value, Target::Deref(d))
            }
        }
    }

    /// An edge for owners that pass the test.
    fn on_owner(&mut self, at: &Operation, test: Test, action: Action) -> R<()> {
        let (mut edge, value, target) = self.owner_edge(&at.owner, at.from, at.to);
        edge.guard = self.tested(edge.guard, value, test);
        if let Some(new) = action.owner {
            let value = self.constant(new, 32);
            edge.assigns.push(Assign { target, value });
        }
        if let Some((t, v)) = action.result {
            let value = self.constant(v, 32);
            edge.assigns.push(Assign { target: Target::Var(t), value });
        }
        edge.sync = action.sync;
        self.push_edge(edge)
    }

    /// The edge to a site for owners that pass the test; if undefined behaviour is assumed away,
    /// it goes on.
    fn owner_site(&mut self, at: &Operation, kind: SiteKind, test: Test) -> R<()> {
        if matches!(kind, SiteKind::Undefined(_)) && self.options.assume_defined {
            return self.on_owner(at, test, Action::default());
        }
        let site = self.site_here(kind);
        let stop = self.stopped();
        let (mut edge, value, _) = self.owner_edge(&at.owner, at.from, stop);
        edge.guard = self.tested(edge.guard, value, test);
        edge.site = Some(site);
        self.push_edge(edge)
    }

    fn tested(&mut self, guard: ProgExpr, owner: ProgExpr, test: Test) -> ProgExpr {
        let holds = match test {
            Test::Is(v) => self.eq_const(owner, v),
            Test::IsNot(v) => {
                let is = self.eq_const(owner, v);
                self.not(is)
            }
        };
        self.and(guard, holds)
    }

    /// The edge to a site if there is no mutex at the address.
    fn no_mutex(&mut self, owner: &Owner, from: LocId) -> R<()> {
        let Owner::Memory(m) = owner else { return Ok(()) };
        let Some(site) = self.memory_site(m) else { return Ok(()) };
        let stop = self.stopped();
        let (mut edge, ..) = self.owner_edge(owner, from, stop);
        edge.guard = self.not(edge.guard);
        edge.site = Some(site);
        self.push_edge(edge)
    }

    /// Evaluates the mutex and gets ready for edges of its own; `None` in unreachable code.
    fn start(&mut self, m: &Expr) -> R<Option<Operation>> {
        if self.cur.is_none() {
            return Ok(None);
        }
        let owner = self.owner(m)?;
        self.flush()?;
        let Some(from) = self.cur else { return Ok(None) };
        let to = self.new_loc();
        self.no_mutex(&owner, from)?;
        Ok(Some(Operation { owner, from, to }))
    }

    fn finish(&mut self, at: &Operation) {
        self.graph.nodes[at.to].depth = Some(self.depth);
        self.set_cur(at.to);
    }

    fn lock(&mut self, m: &Expr) -> R<()> {
        let Some(at) = self.start(m)? else { return Ok(()) };
        let take = Action { owner: Some(self.self_number()), sync: Sync::Lock, result: None };
        self.on_owner(&at, Test::Is(FREE), take)?;
        if self.depth > 0 {
            self.owner_site(&at, SiteKind::AtomicBlocked, Test::IsNot(FREE))?;
        } else {
            let from = self.graph.find(at.from);
            self.graph.nodes[from].blocking = true;
        }
        self.finish(&at);
        Ok(())
    }

    fn try_lock(&mut self, m: &Expr) -> R<ProgExpr> {
        let t = self.temp(32);
        let Some(at) = self.start(m)? else { return Ok(self.var(t)) };
        let me = Some(self.self_number());
        let take = Action { owner: me, sync: Sync::Lock, result: Some((t, 0)) };
        self.on_owner(&at, Test::Is(FREE), take)?;
        let busy = Action { result: Some((t, EBUSY)), ..Action::default() };
        self.on_owner(&at, Test::IsNot(FREE), busy)?;
        self.finish(&at);
        Ok(self.var(t))
    }

    fn unlock(&mut self, m: &Expr) -> R<()> {
        let Some(at) = self.start(m)? else { return Ok(()) };
        let me = self.self_number();
        let give = Action { owner: Some(FREE), sync: Sync::Unlock, result: None };
        self.on_owner(&at, Test::Is(me), give)?;
        let misuse = SiteKind::Undefined(Undefined::MutexMisuse);
        self.owner_site(&at, misuse, Test::IsNot(me))?;
        self.finish(&at);
        Ok(())
    }

    fn initialise(&mut self, m: &Expr) -> R<()> {
        let Some(at) = self.start(m)? else { return Ok(()) };
        let (mut edge, _, target) = self.owner_edge(&at.owner, at.from, at.to);
        let value = self.constant(FREE, 32);
        edge.assigns.push(Assign { target, value });
        self.push_edge(edge)?;
        self.finish(&at);
        Ok(())
    }

    fn destroy(&mut self, m: &Expr) -> R<()> {
        let Some(at) = self.start(m)? else { return Ok(()) };
        self.on_owner(&at, Test::Is(FREE), Action::default())?;
        let misuse = SiteKind::Undefined(Undefined::MutexMisuse);
        self.owner_site(&at, misuse, Test::IsNot(FREE))?;
        self.finish(&at);
        Ok(())
    }
}
