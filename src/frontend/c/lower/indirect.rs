//! Function pointers: a call branches over the functions whose address is taken and whose type
//! fits.
//!
//! A function's address is that of an object that is never alive, so that it is no other address
//! and nothing can be read or written there.

use super::super::hir::{Expr, ExprKind, FuncId, Hir};
use super::super::types::{Type, TypeId, Types};
use super::state::{Lower, Name, R};
use crate::base::HashSet;
use crate::program::{Lifetime, ObjId, Object, ProgExpr, Role, Undefined};

/// The functions whose address is a value somewhere, ascending.
pub fn address_taken(hir: &Hir) -> Vec<FuncId> {
    let mut found = HashSet::default();
    for f in hir.funcs.iter() {
        for s in f.body.iter().flat_map(|b| &b.stmts) {
            s.visit(&mut |_| {}, &mut |e| values(hir, e, &mut found));
        }
    }
    for &g in &hir.named_globals {
        for (_, e) in hir.globals[g].init.iter().flat_map(|i| &i.entries) {
            values(hir, e, &mut found);
        }
    }
    let mut list: Vec<FuncId> = found.into_iter().collect();
    list.sort();
    list
}

fn values(hir: &Hir, e: &Expr, found: &mut HashSet<FuncId>) {
    match &e.kind {
        ExprKind::AddrOf(inner) => {
            if let ExprKind::Func(f) = inner.kind {
                found.insert(f);
            }
        }
        // Started by name.
        ExprKind::Call(callee, args) => {
            let starts = match callee.kind {
                ExprKind::Func(f) => super::threads::start_argument(&hir.funcs[f].name),
                _ => None,
            };
            values(hir, callee, found);
            for (i, a) in args.iter().enumerate() {
                if Some(i) != starts || super::scope::named_function(a).is_none() {
                    values(hir, a, found);
                }
            }
            return;
        }
        ExprKind::Block(stmts, _) => {
            for s in stmts {
                s.visit(&mut |_| {}, &mut |e| values(hir, e, found));
            }
        }
        _ => {}
    }
    e.children(&mut |c| values(hir, c, found));
}

/// Whether a function of type `f` may be called as one of type `as_type`: as many parameters of
/// the same sizes, and a result of the same size.
fn fits(types: &Types, f: TypeId, as_type: TypeId) -> bool {
    let (Type::Function { ret: r, params: p, .. }, Type::Function { ret: s, params: q, .. }) =
        (types.get(f), types.get(as_type))
    else {
        return false;
    };
    let same = |a: TypeId, b: TypeId| {
        a == b || types.is_scalar(a) && types.is_scalar(b) && types.width(a) == types.width(b)
    };
    let params = match (p, q) {
        (Some(p), Some(q)) => p.len() == q.len() && p.iter().zip(q).all(|(a, b)| same(a.id, b.id)),
        _ => true,
    };
    params && (same(r.id, s.id) || *types.get(s.id) == Type::Void)
}

impl Lower<'_> {
    /// The object that stands for a function.
    pub fn function_object(&mut self, f: FuncId) -> ObjId {
        if let Some(&o) = self.functions.get(&f) {
            return o;
        }
        let o = self.opaque_object(self.hir.funcs[f].name.clone());
        self.functions.insert(f, o);
        o
    }

    /// An object that has an address and is never accessed.
    pub fn opaque_object(&mut self, name: String) -> ObjId {
        let address = self.next_address.next_multiple_of(16);
        self.next_address = address + 2;
        let object = Object {
            name: String::new(),
            address,
            size: 1,
            leaves: vec![],
            lifetime: Lifetime::Static,
            read_only: true,
        };
        let o = self.prog.objects.push(object);
        self.object_names.push(Name { thread: None, rest: name.clone() });
        let name = Name { thread: None, rest: format!("{name}.alive") };
        let alive = self.new_shared(name, 1, Role::Alive(o));
        self.prog.objects[o].lifetime = Lifetime::While(alive);
        o
    }

    /// The address of a function.
    pub fn function_address(&mut self, f: FuncId) -> ProgExpr {
        let o = self.function_object(f);
        self.prog.address(o)
    }

    /// The value of a pointer to the function that is called.
    fn function_value(&mut self, callee: &Expr) -> R<ProgExpr> {
        match &callee.kind {
            ExprKind::Deref(p)
                if matches!(self.hir.types.get(callee.ty.id), Type::Function { .. }) =>
            {
                self.function_value(p)
            }
            _ => self.rvalue(callee),
        }
    }

    /// Runs `each` for every function that the value of `callee` may be, on paths of their own
    /// that meet again. The type of the call is that of the pointer.
    pub fn each_function(
        &mut self,
        callee: &Expr,
        each: &mut dyn FnMut(&mut Self, FuncId) -> R<()>,
    ) -> R<()> {
        let value = self.function_value(callee)?;
        if let Some((o, 0)) = self.as_address(value)
            && let Some((&f, _)) = self.functions.iter().find(|(_, x)| **x == o)
        {
            return each(self, f);
        }
        let t = self.temp(self.pointer_bits());
        self.assign(t, value);
        self.flush()?;
        let ty = self.hir.types.pointee(callee.ty.id).unwrap_or(callee.ty).id;
        let candidates: Vec<FuncId> = self
            .address_taken
            .iter()
            .copied()
            .filter(|&f| fits(&self.hir.types, self.hir.funcs[f].ty, ty))
            .collect();
        let end = self.new_loc();
        for f in candidates {
            if self.cur.is_none() {
                break;
            }
            let (yes, no) = (self.new_loc(), self.new_loc());
            let (value, address) = (self.var(t), self.function_address(f));
            let is = self.op2(crate::expr::Op2::Eq, value, address);
            self.branch(is, yes, no)?;
            self.set_cur(yes);
            let marks = (self.temp_mark(), self.alive.clone());
            if self.cur.is_some() {
                each(self, f)?;
            }
            self.release(&marks.0);
            self.alive = marks.1;
            self.jump(end)?;
            self.set_cur(no);
        }
        if self.cur.is_some() {
            self.fail_undefined(Undefined::InvalidDereference, callee.loc)?;
        }
        self.set_cur(end);
        Ok(())
    }
}
