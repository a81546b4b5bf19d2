//! The heap: a bounded number of objects for each allocation site of each thread.

use super::super::hir::{Expr, Loc, LocalId};
use super::super::layout::{LeafInfo, LeafKind};
use super::super::types::{LARGEST_ALIGNMENT, Type, TypeId};
use super::late::{Late, LateKind};
use super::mutex::{EINVAL, ENOMEM};
use super::state::{Lower, Name, R, Storage, below_casts};
use crate::base::Diagnostic;
use crate::expr::Op2;
use crate::program::{
    Assign, Bound, Lifetime, LocId, ObjId, ProgExpr, Role, SiteKind, Sync, Target, Undefined, VarId,
};

/// Most objects of one allocation site.
const MOST_SLOTS: u64 = 64;
/// Most scalars of one allocated object.
const MOST_LEAVES: u64 = 1 << 12;

/// Where allocated objects are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Region {
    /// Their addresses are multiples of this.
    Heap(u64),
    /// They live until their function or block ends, and never fail to exist.
    Stack,
}

/// Bytes of a page, to whose start `valloc` aligns.
const PAGE: u64 = 4096;
/// What `malloc` gives is aligned for every type.
const HEAP: Region = Region::Heap(16);

/// The objects of one size of an allocation site.
struct Sized {
    /// When an object of this size is asked for.
    when: ProgExpr,
    slots: Vec<ObjId>,
    leaves: Vec<LeafInfo>,
}

impl Lower<'_> {
    /// Lowers a call of a heap function and gives what it returns; `None` if it is none.
    pub fn heap_function(&mut self, name: &str, e: &Expr, args: &[Expr]) -> R<Option<ProgExpr>> {
        let zero = self.constant(0, 32);
        Ok(Some(match (name, args) {
            ("malloc" | "lw_malloc", [n]) => {
                let n = self.word(n)?;
                self.allocate(e, n, false, HEAP)?
            }
            ("valloc", [n]) => {
                let n = self.word(n)?;
                self.allocate(e, n, false, Region::Heap(PAGE))?
            }
            ("alloca", [n]) => {
                let n = self.word(n)?;
                self.allocate(e, n, false, Region::Stack)?
            }
            ("calloc", [a, b]) => {
                let b = self.word(b)?;
                let a = self.word(a)?;
                let n = self.op2(Op2::Mul, a, b);
                self.allocate(e, n, true, HEAP)?
            }
            ("aligned_alloc" | "memalign", [align, n]) => {
                let n = self.word(n)?;
                match self.alignment(align)? {
                    Some(align) => self.allocate(e, n, false, Region::Heap(align))?,
                    None => self.constant(0, self.pointer_bits()),
                }
            }
            ("posix_memalign", [p, align, n]) => {
                let n = self.word(n)?;
                let place = self.out_place(p)?;
                let Some(align) = self.alignment(align)? else {
                    return Ok(Some(self.constant(EINVAL, 32)));
                };
                let address = self.allocate(e, n, false, Region::Heap(align))?;
                let failed = self.eq_const(address, 0);
                let none = self.constant(ENOMEM, 32);
                let result = self.prog.pool.ite(failed, none, zero);
                let t = self.temp(32);
                self.assign(t, result);
                if let Some(place) = place {
                    self.store(&place, address, p.loc)?;
                }
                self.var(t)
            }
            ("free" | "cfree", [p]) => {
                let p = self.word(p)?;
                self.free(e, p)?;
                zero
            }
            ("realloc", [p, n]) => {
                let n = self.word(n)?;
                let p = self.word(p)?;
                self.realloc(e, p, n)?
            }
            ("reallocarray", [p, a, b]) => {
                let b = self.word(b)?;
                let a = self.word(a)?;
                let p = self.word(p)?;
                let n = self.op2(Op2::Mul, a, b);
                self.realloc(e, p, n)?
            }
            ("memset", [d, c, n]) => return self.memset(d, c, n),
            ("memmove", [d, s, n]) => return self.memmove(d, s, n, true),
            ("memcpy", [d, s, n]) => return self.memmove(d, s, n, false),
            _ => return Ok(None),
        }))
    }

    /// An argument as wide as a pointer, also where nobody declared the function.
    fn word(&mut self, e: &Expr) -> R<ProgExpr> {
        let v = self.rvalue(e)?;
        Ok(self.resize(v, self.pointer_bits(), self.hir.types.is_signed(e.ty.id)))
    }

    /// An alignment that a program asks for; `None` if there can be none such.
    fn alignment(&mut self, e: &Expr) -> R<Option<u64>> {
        let value = self.word(e)?;
        let Some(align) = self.prog.pool.as_const(value) else {
            return Err(self.unsupported(e.loc, "an alignment that is no constant"));
        };
        match u64::try_from(align) {
            Ok(align) if !align.is_power_of_two() => Ok(None),
            Ok(align) if align <= LARGEST_ALIGNMENT => Ok(Some(align.max(16))),
            _ => Err(self.unsupported(e.loc, "an alignment above 65536")),
        }
    }

    /// The address of a new object of `n` bytes, for the call `e`.
    fn allocate(&mut self, e: &Expr, n: ProgExpr, zero: bool, region: Region) -> R<ProgExpr> {
        let t = self.temp(self.pointer_bits());
        let size = self.temp(self.prog.pool.width(n));
        let known = self.prog.pool.as_const(n);
        if known.is_none() {
            self.assign(size, n);
        }
        self.flush()?;
        if self.cur.is_none() {
            return Ok(self.constant(0, self.pointer_bits()));
        }
        let element = self.heap_type.filter(|&ty| self.hir.types.size(ty).is_some_and(|s| s > 0));
        let sizes = match known {
            Some(n) => {
                let n = u64::try_from(n).unwrap_or(u64::MAX);
                let when = self.prog.pool.bool(true);
                vec![(when, self.heap_leaves(element, n, e.loc)?, n)]
            }
            None => self.variable_sizes(element, size, e.loc)?,
        };
        let count = match self.repetitions() {
            Some(n) => n.clamp(1, MOST_SLOTS) as usize,
            None => self.options.heap_per_site,
        };
        let mut list = vec![];
        for (when, leaves, n) in sizes {
            let mut slots = vec![];
            for _ in 0..count {
                slots.push(self.heap_object(&leaves, n, region, e.loc)?);
            }
            list.push(Sized { when, slots, leaves });
        }
        if region == Region::Stack {
            let made: Vec<ObjId> = list.iter().flat_map(|s| s.slots.iter().copied()).collect();
            self.frame().stack.extend(made);
        }
        self.allocation_edges(&list, t, zero, region)?;
        Ok(self.var(t))
    }

    /// Begins the lifetime of a variable-length array: there is an object for each length up to a
    /// bound.
    pub fn declare_array(&mut self, l: LocalId, length: LocalId) -> R<()> {
        let (f, nesting) = (self.frame().func, self.frame().nesting);
        let (ty, loc) = (self.local(f, l).ty.id, self.local(f, l).loc);
        let name = self.local_name(f, nesting, l);
        let (Storage::Vars(pointer), Storage::Vars(length)) =
            (self.local_storage(l)?, self.local_storage(length)?)
        else {
            unreachable!("nobody takes the address of either, and both are declared");
        };
        let (pointer, length) = (pointer[0].1, length[0].1);
        let n = self.var(length);
        let zero = self.constant(0, self.pointer_bits());
        let positive = self.op2(Op2::Slt, zero, n);
        let site = self.undefined_site(Undefined::OutOfBounds, loc);
        self.check(positive, site)?;
        self.flush()?;
        let element = self.hir.types.pointee(ty).expect("a pointer to the elements").id;
        let unit = self.hir.types.size(element).expect("checked by the analysis");
        let mut list = vec![];
        let mut made = vec![];
        for k in 1..=self.options.array_length.max(1) {
            let leaves = self.heap_leaves(Some(element), k * unit, loc)?;
            let o = match self.variable_arrays.get(&(f, nesting, l)) {
                Some(known) => known[made.len()],
                None => self.slot(format!("{name}.{k}"), &leaves, (k * unit, 16), loc)?,
            };
            let n = self.var(length);
            list.push(Sized { when: self.eq_const(n, k.into()), slots: vec![o], leaves });
            made.push(o);
        }
        self.variable_arrays.insert((f, nesting, l), made);
        self.allocation_edges(&list, pointer, false, Region::Stack)
    }

    /// The sizes of an object of an unknown number of elements, up to a bound.
    fn variable_sizes(
        &mut self,
        element: Option<TypeId>,
        size: VarId,
        loc: Loc,
    ) -> R<Vec<(ProgExpr, Vec<LeafInfo>, u64)>> {
        let unit = element.and_then(|ty| self.hir.types.size(ty)).unwrap_or(1);
        let mut list = vec![];
        for k in 0..=self.options.array_length {
            let n = k * unit;
            let value = self.var(size);
            let when = self.eq_const(value, n.into());
            list.push((when, self.heap_leaves(element, n, loc)?, n));
        }
        Ok(list)
    }

    fn too_large(&self, loc: Loc, what: &str) -> Diagnostic {
        let note =
            "each one becomes latches: allocate less, say by a smaller constant under a macro";
        self.error(loc, format!("a heap object of more than {MOST_LEAVES} {what}")).note(note)
    }

    /// The scalars of `n` bytes of heap, which hold elements of a type if one is known.
    fn heap_leaves(&self, element: Option<TypeId>, n: u64, loc: Loc) -> R<Vec<LeafInfo>> {
        let mut out = vec![];
        let mut at = 0;
        if let Some(ty) = element {
            let size = self.hir.types.size(ty).unwrap_or(1);
            let leaves = self.leaves(ty, loc)?;
            if n / size * leaves.len() as u64 > MOST_LEAVES {
                return Err(self.too_large(loc, "scalars"));
            }
            let whole = n / size;
            for k in 0..whole {
                for l in &leaves {
                    let path = if whole == 1 { l.path.clone() } else { format!("[{k}]{}", l.path) };
                    out.push(LeafInfo { offset: k * size + l.offset, kind: l.kind, path });
                }
            }
            at = whole * size;
            if whole == 1 {
                at = self.flexible_part(ty, n, at, &mut out, loc)?;
            }
        }
        if n - at > MOST_LEAVES {
            return Err(self.too_large(loc, "bytes of no known type"));
        }
        for k in at..n {
            out.push(LeafInfo { offset: k, kind: LeafKind::Bytes(1), path: format!("[{k}]") });
        }
        Ok(out)
    }

    /// The elements of a flexible array that a struct of type `ty` ends with; gives the end.
    fn flexible_part(
        &self,
        ty: TypeId,
        n: u64,
        at: u64,
        out: &mut Vec<LeafInfo>,
        loc: Loc,
    ) -> R<u64> {
        let Type::Record(r) = self.hir.types.get(ty) else { return Ok(at) };
        let Some(last) = self.hir.types.records[*r].fields.as_ref().and_then(|f| f.last()) else {
            return Ok(at);
        };
        let Type::Array(of, None | Some(0)) = self.hir.types.get(last.ty.id) else {
            return Ok(at);
        };
        let size = self.hir.types.size(of.id).unwrap_or(1).max(1);
        let mut next = last.offset;
        let mut k = 0;
        while next + size <= n && k < MOST_LEAVES {
            for l in self.leaves(of.id, loc)? {
                let path = format!(".{}[{k}]{}", last.name, l.path);
                out.push(LeafInfo { offset: next + l.offset, kind: l.kind, path });
            }
            next += size;
            k += 1;
        }
        Ok(next.max(at))
    }

    fn heap_object(&mut self, leaves: &[LeafInfo], n: u64, region: Region, loc: Loc) -> R<ObjId> {
        let line = self.span(loc).line;
        let Region::Heap(align) = region else {
            let rest = format!("stack@{line}.{}", self.frame().stack.len());
            return self.slot(rest, leaves, (n, 16), loc);
        };
        let rest = format!("heap@{line}.{}", self.heap.len());
        let o = self.slot(rest, leaves, (n, align), loc)?;
        self.heap.push(o);
        Ok(o)
    }

    /// An object that lives now and then, of this size and alignment in bytes.
    fn slot(
        &mut self,
        rest: String,
        leaves: &[LeafInfo],
        (n, align): (u64, u64),
        loc: Loc,
    ) -> R<ObjId> {
        let name = Name { thread: Some(self.thread), rest: rest.clone() };
        let o = self.raw_object(name, n.max(1), align, leaves, loc)?;
        let name = Name { thread: Some(self.thread), rest: format!("{rest}.alive") };
        let alive = self.new_shared(name, 1, Role::Alive(o));
        self.prog.objects[o].lifetime = Lifetime::While(alive);
        Ok(o)
    }

    pub fn alive_var(&self, o: ObjId) -> VarId {
        match self.prog.objects[o].lifetime {
            Lifetime::While(v) => v,
            Lifetime::Static => unreachable!("heap objects have lifetimes"),
        }
    }

    /// The edges that choose a free object and begin its lifetime. Without calls of `free` the
    /// objects are used one after another: which one it is makes no difference.
    fn allocation_edges(&mut self, list: &[Sized], t: VarId, zero: bool, region: Region) -> R<()> {
        let heap = region != Region::Stack;
        let frees = heap && ["free", "realloc", "reallocarray"].iter().any(|f| self.hir.uses(f));
        let most = list.iter().map(|s| s.slots.len()).max().unwrap_or(1);
        let choice = match most {
            2.. if frees => {
                let bits = usize::BITS - (most - 1).leading_zeros();
                let v = self.temp(bits);
                self.begin_access()?;
                let input = self.fresh_input("slot", bits);
                self.assign(v, input);
                Some(v)
            }
            _ => None,
        };
        let fails = match self.options.malloc_may_fail && heap {
            true => {
                let v = self.temp(1);
                self.begin_access()?;
                let input = self.fresh_input("fails", 1);
                self.assign(v, input);
                Some(v)
            }
            false => None,
        };
        self.flush()?;
        let Some(from) = self.cur else { return Ok(()) };
        let to = self.new_loc();
        let mut rest = self.prog.pool.bool(true);
        if let Some(v) = fails {
            let fails = self.var(v);
            let mut edge = self.plain_edge(from, to, fails);
            let null = self.constant(0, self.pointer_bits());
            edge.assigns.push(Assign { target: Target::Var(t), value: null });
            self.push_edge(edge)?;
            rest = self.not(fails);
        }
        let mut full = rest;
        for sized in list {
            let any = self.sized_edges(sized, (from, to), t, zero, choice, rest)?;
            let not = self.not(any);
            full = self.and(full, not);
        }
        if !self.prog.pool.is_false(full) {
            let kind = if list.len() > 1 { Bound::ArrayLength } else { Bound::Heap };
            let site = self.site_here(SiteKind::Bound(kind));
            let stop = self.stopped();
            let mut edge = self.plain_edge(from, stop, full);
            edge.site = Some(site);
            edge.atomic_access = true;
            self.push_edge(edge)?;
        }
        self.graph.nodes[to].depth = Some(self.depth);
        self.set_cur(to);
        Ok(())
    }

    /// The edges of one size; gives when one of them is taken.
    fn sized_edges(
        &mut self,
        sized: &Sized,
        (from, to): (LocId, LocId),
        t: VarId,
        zero: bool,
        choice: Option<VarId>,
        rest: ProgExpr,
    ) -> R<ProgExpr> {
        let mut free = vec![];
        let mut chosen_free = self.prog.pool.bool(false);
        for (j, &o) in sized.slots.iter().enumerate() {
            let alive = self.var(self.alive_var(o));
            let here = self.not(alive);
            free.push(here);
            if let Some(v) = choice {
                let v = self.var(v);
                let is = self.eq_const(v, j as u128);
                let both = self.and(is, here);
                chosen_free = self.prog.pool.or(chosen_free, both);
            }
        }
        let mut taken = self.prog.pool.bool(false);
        let mut first = self.not(chosen_free);
        for (j, &o) in sized.slots.iter().enumerate() {
            let mut goes = self.and(first, free[j]);
            if let Some(v) = choice {
                let v = self.var(v);
                let is = self.eq_const(v, j as u128);
                let chosen = self.and(is, free[j]);
                goes = self.prog.pool.or(goes, chosen);
            }
            let used = self.not(free[j]);
            first = self.and(first, used);
            let guard = self.and(sized.when, goes);
            let guard = self.and(rest, guard);
            let mut edge = self.plain_edge(from, to, guard);
            self.begin_heap_object(&mut edge.assigns, o, &sized.leaves, zero);
            let address = self.prog.address(o);
            edge.assigns.push(Assign { target: Target::Var(t), value: address });
            edge.sync = Sync::Allocate(o);
            edge.atomic_access = true;
            self.push_edge(edge)?;
            taken = self.prog.pool.or(taken, guard);
        }
        Ok(taken)
    }

    fn begin_heap_object(
        &mut self,
        assigns: &mut Vec<Assign>,
        o: ObjId,
        leaves: &[LeafInfo],
        zero: bool,
    ) {
        let alive = self.alive_var(o);
        let yes = self.constant(1, 1);
        assigns.push(Assign { target: Target::Var(alive), value: yes });
        let vars: Vec<VarId> = self.prog.objects[o].leaves.iter().map(|l| l.1).collect();
        let none = crate::base::HashMap::default();
        for (leaf, v) in leaves.iter().zip(vars) {
            let value = self.leaf_start(leaf, &none, zero, "heap");
            assigns.push(Assign { target: Target::Var(v), value });
        }
    }

    /// `free`: which objects there are is known when all threads have been built.
    fn free(&mut self, e: &Expr, p: ProgExpr) -> R<()> {
        let t = self.temp(self.pointer_bits());
        self.assign(t, p);
        self.flush()?;
        let site = self.undefined_site(Undefined::InvalidFree, e.loc);
        let address = self.var(t);
        self.late_operation(LateKind::Free { address, copy: None, site });
        Ok(())
    }

    /// `realloc`: always another object; the old one goes in the step that copies it. Without
    /// memory the old one stays, and nothing is left of an object of size 0, as in glibc.
    fn realloc(&mut self, e: &Expr, p: ProgExpr, n: ProgExpr) -> R<ProgExpr> {
        let (old, size) = (self.temp(self.pointer_bits()), self.temp(self.prog.pool.width(n)));
        let result = self.temp(self.pointer_bits());
        let null = self.constant(0, self.pointer_bits());
        self.assign(old, p);
        self.assign(size, n);
        self.assign(result, null);
        self.flush()?;
        let (some, none, end) = (self.new_loc(), self.new_loc(), self.new_loc());
        let site = self.undefined_site(Undefined::InvalidFree, e.loc);
        let n = if self.is_constant(n) { n } else { self.var(size) };
        // `realloc(0, 0)` is `malloc(0)`.
        let (empty, address) = (self.eq_const(n, 0), self.var(old));
        let null = self.eq_const(address, 0);
        let given = self.not(null);
        let goes = self.and(empty, given);
        self.branch(goes, none, some)?;
        self.set_cur(none);
        self.late_operation(LateKind::Free { address, copy: None, site });
        self.jump(end)?;
        self.set_cur(some);
        if self.cur.is_some() {
            let first = self.heap.len();
            let new = self.allocate(e, n, false, HEAP)?;
            self.assign(result, new);
            self.flush()?;
            let copy = Some((self.var(result), self.heap[first..].to_vec()));
            self.late_operation(LateKind::Free { address, copy, site });
        }
        self.jump(end)?;
        self.set_cur(end);
        Ok(self.var(result))
    }

    /// An operation from here to a new location, where lowering goes on.
    fn late_operation(&mut self, kind: LateKind) {
        let Some(from) = self.cur else { return };
        let from = self.graph.find(from);
        let to = self.new_loc();
        self.stopped();
        let (thread, depth, context) = (self.thread, self.depth, self.context.clone());
        self.graph.nodes[from].span.get_or_insert(context.span);
        self.late.push(Late { thread, from, to, depth, context, kind });
        self.graph.nodes[to].depth = Some(depth);
        self.set_cur(to);
    }

    /// What a pointer argument points to, below conversions, and how many of them `n` bytes are.
    fn pointed_elements(&self, p: &Expr, n: &Expr) -> Option<(TypeId, u64)> {
        let to = self.hir.types.pointee(below_casts(p).ty.id)?;
        let size = self.hir.types.size(to.id).filter(|&s| s > 0)?;
        let n = u64::try_from(below_casts(n).as_int()?).ok()?;
        let void = *self.hir.types.get(to.id) == Type::Void;
        (!void && n % size == 0 && n / size <= MOST_LEAVES).then_some((to.id, n / size))
    }

    /// `memset` of a known number of whole objects; `None` if it is another one.
    fn memset(&mut self, d: &Expr, c: &Expr, n: &Expr) -> R<Option<ProgExpr>> {
        let Some((ty, count)) = self.pointed_elements(d, n) else { return Ok(None) };
        let byte = self.rvalue(c)?;
        let byte = self.resize(byte, 8, false);
        let address = self.rvalue(d)?;
        let place = self.place_at(address, d.loc);
        let size = self.hir.types.size(ty).unwrap_or(1);
        for k in 0..count {
            for leaf in self.leaves(ty, d.loc)? {
                let bytes = self.leaf_bits(leaf.kind) / 8;
                let mut value = byte;
                for _ in 1..bytes {
                    value = match self.prog.pool.as_const(byte) {
                        Some(_) => {
                            let old = self.prog.pool.as_const(value).unwrap_or(0);
                            let low = self.prog.pool.as_const(byte).unwrap_or(0);
                            let w = self.prog.pool.width(value) + 8;
                            self.constant(old << 8 | low, w)
                        }
                        None => self.prog.pool.concat(value, byte),
                    };
                }
                let at = self.at_offset(place.clone(), k * size + leaf.offset);
                self.store(&at, value, d.loc)?;
            }
        }
        Ok(Some(address))
    }

    /// `memmove` or `memcpy` (whose ranges must not overlap) of a known number of whole objects;
    /// `None` if it is another one.
    fn memmove(&mut self, d: &Expr, s: &Expr, n: &Expr, may_overlap: bool) -> R<Option<ProgExpr>> {
        let elements = self.pointed_elements(d, n).or_else(|| self.pointed_elements(s, n));
        let Some((ty, count)) = elements else { return Ok(None) };
        let source = self.rvalue(s)?;
        let address = self.rvalue(d)?;
        let (from, to) = (self.place_at(source, s.loc), self.place_at(address, d.loc));
        let size = self.hir.types.size(ty).unwrap_or(1);
        let apart = self.apart(address, source, count * size);
        if !may_overlap && !self.prog.pool.is_true(apart) {
            let site = self.argument_site();
            self.check(apart, site)?;
        }
        // The objects may overlap, so all is read first.
        let mut values = vec![];
        for k in 0..count {
            let from = self.at_offset(from.clone(), k * size);
            values.push(self.load_leaves(&from, ty, s.loc)?);
        }
        for (k, leaves) in (0..count).zip(values) {
            let to = self.at_offset(to.clone(), k * size);
            self.store_leaves(&to, &leaves, d.loc)?;
        }
        Ok(Some(address))
    }

    /// Whether ranges of `n` bytes at two addresses share none.
    fn apart(&mut self, a: ProgExpr, b: ProgExpr, n: u64) -> ProgExpr {
        if let (Some((o, at)), Some((p, from))) = (self.as_address(a), self.as_address(b)) {
            return self.prog.pool.bool(o != p || at.abs_diff(from) >= n);
        }
        let n = self.constant(n.into(), self.pointer_bits());
        let mut apart = self.prog.pool.bool(true);
        for (x, y) in [(a, b), (b, a)] {
            let distance = self.op2(Op2::Sub, x, y);
            let near = self.op2(Op2::Ult, distance, n);
            let far = self.not(near);
            apart = self.and(apart, far);
        }
        apart
    }
}
