//! Memory objects: globals, string literals, locals that live in memory.

use super::super::hir::{Expr, ExprKind, FuncId, GlobalId, Init, Loc, LocalId, StrId};
use super::super::layout::{LeafInfo, LeafKind, LibraryLeaf};
use super::super::sema::convert;
use super::super::types::{Qt, Quals, Type, TypeId};
use super::state::{Lower, Name, R};
use crate::base::{Id, Span};
use crate::expr::mask;
use crate::program::{Lifetime, ObjId, Object, Role, Scope, VarId, Variable};

impl Lower<'_> {
    pub fn leaves(&self, ty: TypeId, loc: Loc) -> R<Vec<LeafInfo>> {
        self.hir.types.leaves(ty).map_err(|what| self.unsupported(loc, &what))
    }

    /// Makes an object of this type with an address of its own.
    fn new_object(&mut self, name: Name, ty: Qt, loc: Loc) -> R<ObjId> {
        let leaves = self.leaves(ty.id, loc)?;
        let Some(size) = self.hir.types.size(ty.id) else {
            return Err(self.unsupported(loc, "an object of an incomplete type"));
        };
        let align = self.hir.types.align_of(ty).max(1);
        self.raw_object(name, size, align, &leaves, loc)
    }

    /// Makes an object with these leaves and an address of its own.
    pub fn raw_object(
        &mut self,
        name: Name,
        size: u64,
        align: u64,
        leaves: &[LeafInfo],
        loc: Loc,
    ) -> R<ObjId> {
        let address = self.next_address.next_multiple_of(align);
        let limit = mask(self.pointer_bits() - 1);
        if u128::from(address) + u128::from(size) >= limit {
            return Err(self.error(loc, "the program's objects do not fit the address space"));
        }
        // A gap of a byte: the address behind an object is in no other.
        self.next_address = address + size.max(1) + 1;
        let id = self.prog.objects.push(Object {
            name: String::new(),
            address,
            size,
            leaves: vec![],
            lifetime: Lifetime::Static,
            read_only: false,
        });
        let span = self.span(loc);
        for leaf in leaves {
            let v = self.leaf_var(&name, leaf, Scope::Shared, Some(id), span);
            self.prog.objects[id].leaves.push((leaf.offset, v));
        }
        self.object_names.push(name);
        Ok(id)
    }

    /// The variable of one leaf.
    pub fn leaf_var(
        &mut self,
        base: &Name,
        leaf: &LeafInfo,
        scope: Scope,
        object: Option<ObjId>,
        span: Span,
    ) -> VarId {
        let (width, signed, role) = match leaf.kind {
            LeafKind::Scalar(ty) => (self.width(ty), self.hir.types.is_signed(ty), Role::Data),
            LeafKind::Bytes(n) => (8 * n, false, Role::Data),
            LeafKind::Library(leaf) => {
                let role = match leaf {
                    LibraryLeaf::Owner | LibraryLeaf::SpinOwner => Role::MutexOwner,
                    LibraryLeaf::Waiters => Role::Waiters,
                    LibraryLeaf::Readers => Role::Readers,
                    LibraryLeaf::Value => Role::Semaphore,
                    LibraryLeaf::Gone | LibraryLeaf::Other(_) => Role::Bookkeeping,
                };
                (leaf.bits(), false, role)
            }
        };
        let name = Name { thread: base.thread, rest: format!("{}{}", base.rest, leaf.path) };
        let span = Some(span);
        let init = match leaf.kind {
            LeafKind::Library(leaf) => leaf.start(true),
            _ => 0,
        };
        let var = Variable { name: String::new(), width, signed, scope, role, init, object, span };
        self.new_var(name, var)
    }

    /// The object of a global variable.
    ///
    /// # Errors
    /// What is wrong with its declaration: it matters because the variable is used.
    pub fn global_object(&mut self, g: GlobalId, used_at: Loc) -> R<ObjId> {
        let name = &self.hir.globals[g].name;
        if self.hir.globals[g].thread_local {
            if let Some(&o) = self.thread_objects.get(&(g, self.thread)) {
                return Ok(o);
            }
            let name = Name { thread: Some(self.thread), rest: name.clone() };
            let o = self.static_object(g, name, used_at)?;
            self.thread_objects.insert((g, self.thread), o);
            return Ok(o);
        }
        if let Some(known) = self.globals.get(&g) {
            return known.clone();
        }
        let name = Name { thread: None, rest: name.clone() };
        let o = self.static_object(g, name, used_at)?;
        // Its address may stand in its own initialiser.
        self.globals.insert(g, Ok(o));
        if let Some(init) = &self.hir.globals[g].init
            && let Err(e) = self.initial_values(o, init)
        {
            self.globals.insert(g, Err(e.clone()));
            return Err(e);
        }
        Ok(o)
    }

    /// Begins the lifetimes of the thread's own variables; those of `main` live from the start.
    pub fn begin_thread_locals(&mut self) -> R<()> {
        let first = self.thread.index() == 0;
        for g in self.hir.thread_locals.clone() {
            let global = &self.hir.globals[g];
            let o = self.global_object(g, global.loc)?;
            if let Some(init) = &global.init {
                self.initial_values(o, init)?;
            }
            let alive = match global.address_taken {
                true => {
                    let rest = format!("{}.alive", global.name);
                    let name = Name { thread: Some(self.thread), rest };
                    let alive = self.new_shared(name, 1, Role::Alive(o));
                    self.prog.objects[o].lifetime = Lifetime::While(alive);
                    self.prog.vars[alive].init = first.into();
                    self.alive_with_thread.push(o);
                    Some(alive)
                }
                false => None,
            };
            if first {
                continue;
            }
            self.begin_access()?;
            // Nobody else can access the object yet.
            self.block.atomic_access = true;
            for (_, v) in self.prog.objects[o].leaves.clone() {
                let var = &self.prog.vars[v];
                let (init, width) = (var.init, var.width);
                let init = self.constant(init, width);
                self.assign_shared(v, init);
            }
            if let Some(alive) = alive {
                let yes = self.constant(1, 1);
                self.assign_shared(alive, yes);
            }
            self.flush()?;
        }
        Ok(())
    }

    /// The object of a global variable, or the current thread's own one, without initial values.
    fn static_object(&mut self, g: GlobalId, name: Name, used_at: Loc) -> R<ObjId> {
        let global = &self.hir.globals[g];
        if let Some(e) = &global.error {
            return Err(e.clone());
        }
        if global.is_stream() && self.hir.types.is_pointer(global.ty.id) {
            return self.stream(g, name);
        }
        if !global.defined {
            let message = format!("`{}` is declared but not defined", global.name);
            return Err(self.error(used_at, message).note("add the source file that defines it"));
        }
        let mut ty = global.ty;
        if let Type::Array(of, None) = *self.hir.types.get(ty.id) {
            // A tentative definition without a length has one element.
            let one = self.hir.types.size(of.id).map(|_| of);
            ty = one.ok_or_else(|| self.unsupported(global.loc, "an array of unknown length"))?;
        }
        let id = self.new_object(name, ty, global.loc)?;
        let quals = self.element_quals(global.ty);
        self.prog.objects[id].read_only = quals.constant;
        if quals.constant && !quals.volatile {
            self.constants.insert(id);
        }
        Ok(id)
    }

    /// One of the C library's streams: a pointer to what nobody looks into.
    fn stream(&mut self, g: GlobalId, name: Name) -> R<ObjId> {
        let global = &self.hir.globals[g];
        let id = self.new_object(name, global.ty, global.loc)?;
        let file = self.opaque_object(format!("*{}", global.name));
        let (_, pointer) = self.prog.objects[id].leaves[0];
        self.prog.vars[pointer].init = self.prog.objects[file].address.into();
        self.initial_addresses.insert(pointer, file);
        Ok(id)
    }

    /// The qualifiers of an object, or of the elements if it is an array.
    fn element_quals(&self, mut ty: Qt) -> Quals {
        let mut quals = ty.quals;
        while let Type::Array(of, _) = self.hir.types.get(ty.id) {
            ty = *of;
            quals = quals.with(ty.quals);
        }
        quals
    }

    fn initial_values(&mut self, id: ObjId, init: &Init) -> R<()> {
        for (offset, e) in &init.entries {
            let (value, at, n) = match &e.kind {
                ExprKind::Bits(inner, b) => {
                    (self.static_value(inner)?, 8 * offset + u64::from(b.bit), b.width)
                }
                _ if !self.hir.types.is_scalar(e.ty.id) => {
                    return Err(
                        self.error(e.loc, "the initialiser of a static object is no scalar")
                    );
                }
                _ => (self.static_value(e)?, 8 * offset, self.width(e.ty.id)),
            };
            let addressed = self.addressed(e);
            let leaves = self.prog.objects[id].leaves.clone();
            for (start, v) in leaves {
                let var = &mut self.prog.vars[v];
                let start = 8 * start;
                let (first, last) =
                    (start.max(at), (start + u64::from(var.width)).min(at + u64::from(n)));
                if first < last {
                    let part = mask((last - first) as u32);
                    let low = (first - start) as u32;
                    let new = (value >> (first - at)) & part;
                    var.init = (var.init & !(part << low) | new << low) & mask(var.width);
                    match addressed {
                        Some(o) if (start, var.width) == (at, n) => {
                            self.initial_addresses.insert(v, o);
                        }
                        _ => {
                            self.initial_addresses.remove(&v);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The object whose address the value of a constant expression is computed from.
    fn addressed(&self, e: &Expr) -> Option<ObjId> {
        match &e.kind {
            ExprKind::Cast(a) | ExprKind::PtrAdd(a, ..) | ExprKind::Deref(a) => self.addressed(a),
            ExprKind::AddrOf(a) | ExprKind::Member(a, _) | ExprKind::Index(a, _) => {
                self.addressed(a)
            }
            ExprKind::Global(g) => self.globals.get(g)?.as_ref().ok().copied(),
            ExprKind::Str(s) => self.strings.get(s).copied(),
            ExprKind::Func(f) => self.functions.get(f).copied(),
            _ => None,
        }
    }

    /// The value of a constant expression, addresses as numbers.
    fn static_value(&mut self, e: &Expr) -> R<u128> {
        let not_constant =
            |s: &Self| Err(s.error(e.loc, "the initialiser of a static object is not constant"));
        match &e.kind {
            ExprKind::Int(v) => Ok(*v),
            ExprKind::Cast(inner)
                if self.hir.types.is_scalar(inner.ty.id) && self.hir.types.is_scalar(e.ty.id) =>
            {
                let v = self.static_value(inner)?;
                Ok(convert(&self.hir.types, v, inner.ty.id, e.ty.id))
            }
            ExprKind::AddrOf(lv) => self.static_address(lv),
            ExprKind::PtrAdd(p, i, size, sub) => {
                let base = self.static_value(p)?;
                let step = self.static_value(i)?.wrapping_mul((*size).into());
                let sum = if *sub { base.wrapping_sub(step) } else { base.wrapping_add(step) };
                Ok(sum & mask(self.pointer_bits()))
            }
            _ => not_constant(self),
        }
    }

    fn static_address(&mut self, lv: &Expr) -> R<u128> {
        match &lv.kind {
            ExprKind::Global(g) if self.hir.globals[*g].thread_local => {
                let message = "the address of a thread-local variable is not constant";
                Err(self.error(lv.loc, message))
            }
            ExprKind::Global(g) => {
                let o = self.global_object(*g, lv.loc)?;
                Ok(self.prog.objects[o].address.into())
            }
            ExprKind::Str(s) => {
                let o = self.string_object(*s, lv.loc)?;
                Ok(self.prog.objects[o].address.into())
            }
            ExprKind::Deref(p) => self.static_value(p),
            ExprKind::Member(base, offset) => {
                Ok(self.static_address(base)?.wrapping_add((*offset).into()))
            }
            ExprKind::Index(base, i) => {
                let start = self.static_address(base)?;
                let i_value = self.static_value(i)?;
                let wide = self.hir.types.is_signed(i.ty.id);
                let w = self.width(i.ty.id);
                let i_value =
                    if wide { crate::expr::sign_extend(i_value, w) as u128 } else { i_value };
                let size = self.hir.types.size(lv.ty.id).unwrap_or(0);
                let sum = start.wrapping_add(i_value.wrapping_mul(size.into()));
                Ok(sum & mask(self.pointer_bits()))
            }
            ExprKind::Func(f) => {
                let o = self.function_object(*f);
                Ok(self.prog.objects[o].address.into())
            }
            _ => Err(self.error(lv.loc, "the initialiser of a static object is not constant")),
        }
    }

    /// The variable of the current thread's `errno`.
    pub fn errno_var(&mut self) -> VarId {
        let o = self.errno_object();
        self.prog.objects[o].leaves[0].1
    }

    /// The object of the current thread's `errno`.
    pub fn errno_object(&mut self) -> ObjId {
        if let Some(&o) = self.errno.get(&self.thread) {
            return o;
        }
        let leaf = LeafInfo { offset: 0, kind: LeafKind::Bytes(4), path: String::new() };
        let name = Name { thread: Some(self.thread), rest: "errno".into() };
        let loc = self.hir.funcs[self.hir.main].loc;
        let o = self.raw_object(name, 4, 4, &[leaf], loc).expect("four bytes fit");
        self.errno.insert(self.thread, o);
        o
    }

    pub fn string_object(&mut self, s: StrId, loc: Loc) -> R<ObjId> {
        if let Some(&o) = self.strings.get(&s) {
            return Ok(o);
        }
        let bytes = &self.hir.strings[s];
        let name = Name { thread: None, rest: format!("<string {}>", self.strings.len()) };
        let size = bytes.len() as u64;
        let id = self.raw_object(name.clone(), size, 1, &[], loc)?;
        self.prog.objects[id].read_only = true;
        let span = Some(self.span(loc));
        for (i, &b) in bytes.iter().enumerate() {
            let var = Variable {
                name: String::new(),
                width: 8,
                signed: true,
                scope: Scope::Shared,
                role: Role::Data,
                init: b.into(),
                object: Some(id),
                span,
            };
            let name = Name { thread: None, rest: format!("{}[{i}]", name.rest) };
            let v = self.new_var(name, var);
            self.prog.objects[id].leaves.push((i as u64, v));
        }
        self.strings.insert(s, id);
        self.constants.insert(id);
        Ok(id)
    }

    /// The object of a local of the current thread.
    pub fn local_object(&mut self, f: FuncId, nesting: usize, l: LocalId) -> R<ObjId> {
        let func = &self.hir.funcs[f];
        let local = &func.body.as_ref().expect("an inlined function has a body").locals[l];
        let rest = self.local_name(f, nesting, l);
        let name = Name { thread: Some(self.thread), rest: rest.clone() };
        let id = self.new_object(name, local.ty, local.loc)?;
        self.prog.objects[id].read_only = self.element_quals(local.ty).constant;
        if local.address_taken {
            let name = Name { thread: Some(self.thread), rest: format!("{rest}.alive") };
            let alive = self.new_shared(name, 1, Role::Alive(id));
            self.prog.objects[id].lifetime = Lifetime::While(alive);
        }
        Ok(id)
    }
}
