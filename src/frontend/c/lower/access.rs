//! Loads and stores.

use super::super::hir::{Expr, ExprKind, Loc};
use super::super::layout::{LeafInfo, LeafKind};
use super::super::types::TypeId;
use super::place::{Memory, Place};
use super::state::{Lower, R};
use crate::expr::{Op2, mask};
use crate::program::{
    Assign, Deref, DerefId, Leaf, ObjId, ProgExpr, SiteId, Target, Undefined, VarId,
};

/// Values of the scalar leaves of a struct.
pub type Leaves = Vec<(LeafInfo, ProgExpr)>;

impl Lower<'_> {
    pub fn leaf_bits(&self, kind: LeafKind) -> u32 {
        match kind {
            LeafKind::Scalar(ty) => self.width(ty),
            LeafKind::Library(leaf) => leaf.bits(),
            LeafKind::Bytes(n) => 8 * n,
        }
    }

    /// The value of a scalar object of this width.
    pub fn load(&mut self, place: &Place, bits: u32, loc: Loc) -> R<ProgExpr> {
        if self.cur.is_none() {
            return Ok(self.constant(0, bits));
        }
        match place {
            Place::Nowhere => Ok(self.constant(0, bits)),
            Place::Value(v) => Ok(*v),
            Place::Input => {
                self.begin_access()?;
                let v = self.fresh_input("mmio", bits);
                let t = self.temp(bits);
                self.assign(t, v);
                Ok(self.var(t))
            }
            Place::Vars(leaves, at) => Ok(self.load_vars(leaves, *at, bits)),
            Place::Object(o, at) => match self.leaf_at(&self.prog.objects[*o].leaves, *at, bits) {
                Some(v) if self.constants.contains(o) => Ok(self.initial_value(v)),
                Some(v) => self.load_var(v),
                None => {
                    let m = self.memory(place.clone(), loc).expect("objects are in memory");
                    self.load_memory(&m, bits)
                }
            },
            Place::Memory(m) => self.load_memory(m, bits),
        }
    }

    /// What a variable of a constant object holds; a pointer as an address of its object, so that
    /// points-to analysis knows which one it is.
    fn initial_value(&mut self, v: VarId) -> ProgExpr {
        let (init, bits) = (self.prog.vars[v].init, self.prog.vars[v].width);
        let Some(&o) = self.initial_addresses.get(&v) else { return self.constant(init, bits) };
        let base = self.prog.address(o);
        let offset = init.wrapping_sub(self.prog.objects[o].address.into()) & mask(bits);
        let offset = self.constant(offset, bits);
        self.add(base, offset)
    }

    pub fn leaf_at(&self, leaves: &[(u64, VarId)], at: u64, bits: u32) -> Option<VarId> {
        let i = leaves.binary_search_by_key(&at, |l| l.0).ok()?;
        let v = leaves[i].1;
        (self.prog.vars[v].width == bits).then_some(v)
    }

    /// The value of `bits` bits at a byte offset of what lives in plain variables.
    fn load_vars(&mut self, leaves: &[(u64, VarId)], at: u64, bits: u32) -> ProgExpr {
        if let Some(v) = self.leaf_at(leaves, at, bits) {
            return self.var(v);
        }
        let mut result: Option<ProgExpr> = None;
        for byte in at..at + u64::from(bits / 8) {
            let part = match self.leaf_around(leaves, byte) {
                Some((start, v)) => {
                    let whole = self.var(v);
                    self.prog.pool.extract(whole, 8 * (byte - start) as u32, 8)
                }
                None => self.constant(0, 8),
            };
            result = Some(match result {
                Some(low) => self.prog.pool.concat(part, low),
                None => part,
            });
        }
        result.expect("an access has at least one byte")
    }

    /// Stores at a byte offset of what lives in plain variables.
    fn store_vars(&mut self, leaves: &[(u64, VarId)], at: u64, value: ProgExpr) {
        let bits = self.prog.pool.width(value);
        if let Some(v) = self.leaf_at(leaves, at, bits) {
            return self.assign(v, value);
        }
        // The value may read a leaf that has its new value before the next one is written.
        let t = self.temp(bits);
        self.assign(t, value);
        let value = self.var(t);
        for &(start, v) in leaves {
            let old = self.var(v);
            let new = self.overwritten(old, 8 * start, value, 8 * at);
            if new != old {
                self.assign(v, new);
            }
        }
    }

    /// `old`, whose lowest bit is at `old_at`, with the bits of `value` from `at` on.
    pub fn overwritten(
        &mut self,
        old: ProgExpr,
        old_at: u64,
        value: ProgExpr,
        at: u64,
    ) -> ProgExpr {
        let (w, n) = (self.prog.pool.width(old), self.prog.pool.width(value));
        let (first, last) = (old_at.max(at), (old_at + u64::from(w)).min(at + u64::from(n)));
        if first >= last {
            return old;
        }
        let count = (last - first) as u32;
        let low = (first - old_at) as u32;
        let part = match self.prog.pool.as_const(value) {
            Some(v) => {
                let v = (v >> (first - at)) & crate::expr::mask(count);
                self.constant(v, count)
            }
            None if count == n => value,
            None => self.prog.pool.extract(value, (first - at) as u32, count),
        };
        if count == w {
            return part;
        }
        let wide = self.resize(part, w, false);
        let shift = self.constant(low.into(), w);
        let placed = self.op2(Op2::Shl, wide, shift);
        let hole = self.constant(!(mask(count) << low) & mask(w), w);
        let kept = self.op2(Op2::And, old, hole);
        self.op2(Op2::Or, kept, placed)
    }

    fn leaf_around(&self, leaves: &[(u64, VarId)], byte: u64) -> Option<(u64, VarId)> {
        let k = leaves.partition_point(|l| l.0 <= byte).checked_sub(1)?;
        let (start, v) = leaves[k];
        (byte < start + u64::from(self.prog.vars[v].width / 8)).then_some((start, v))
    }

    /// The value of the scalar lvalue `lv` at its place, which for a bit-field is that of its unit.
    pub fn load_lvalue(&mut self, place: &Place, lv: &Expr) -> R<ProgExpr> {
        let width = self.width(lv.ty.id);
        let ExprKind::BitField(_, b) = &lv.kind else { return self.load(place, width, lv.loc) };
        let unit = self.load(place, 8 * b.unit, lv.loc)?;
        let field = self.prog.pool.extract(unit, b.bit, b.width);
        Ok(self.resize(field, width, self.hir.types.is_signed(lv.ty.id)))
    }

    /// Stores into the scalar lvalue `lv` at its place; gives the value that it then has.
    pub fn store_lvalue(&mut self, place: &Place, lv: &Expr, value: ProgExpr) -> R<ProgExpr> {
        let ExprKind::BitField(_, b) = &lv.kind else {
            self.store(place, value, lv.loc)?;
            return Ok(value);
        };
        let unit = self.load(place, 8 * b.unit, lv.loc)?;
        let field = self.resize(value, b.width, false);
        let new = self.overwritten(unit, 0, field, b.bit.into());
        self.store(place, new, lv.loc)?;
        Ok(self.resize(field, self.width(lv.ty.id), self.hir.types.is_signed(lv.ty.id)))
    }

    fn load_var(&mut self, v: VarId) -> R<ProgExpr> {
        self.begin_access()?;
        let value = self.var(v);
        let t = self.temp(self.prog.vars[v].width);
        self.assign(t, value);
        Ok(self.var(t))
    }

    fn load_memory(&mut self, m: &Memory, bits: u32) -> R<ProgExpr> {
        let d = self.begin_deref(m, bits / 8, false)?;
        let value = self.prog.pool.leaf(Leaf::Loaded(d), bits);
        let t = self.temp(bits);
        self.assign(t, value);
        Ok(self.var(t))
    }

    /// The site of an invalid access.
    pub fn memory_site(&mut self, m: &Memory) -> Option<SiteId> {
        self.undefined_site(m.problem, m.loc)
    }

    /// A dereference over the state in which the pending edge starts.
    pub fn new_deref(&mut self, m: &Memory, bytes: u32, writes: bool) -> Deref {
        let addr = self.current(m.addr);
        let mut deref = Deref { addr, bytes, objects: None, writes, room: m.room };
        let fits = |o: &ObjId| deref.fits(&self.prog.objects[*o]);
        deref.objects = m.object.map(|o| Some(o).into_iter().filter(fits).collect());
        deref
    }

    /// Makes the pending edge access memory: it is taken if the access is valid, and another one
    /// leads to a site if it is not.
    fn begin_deref(&mut self, m: &Memory, bytes: u32, writes: bool) -> R<DerefId> {
        self.begin_access()?;
        let deref = self.new_deref(m, bytes, writes);
        let d = self.block.derefs.push(deref);
        if let Some(site) = self.memory_site(m) {
            let mut ok = self.prog.pool.leaf(Leaf::Valid(d), 1);
            if let Some(g) = m.guard {
                let g = self.current(g);
                ok = self.and(ok, g);
            }
            let not = self.not(ok);
            self.block.guard = Some(ok);
            self.block.failing.push((not, site));
        }
        Ok(d)
    }

    /// Stores into a scalar object.
    pub fn store(&mut self, place: &Place, value: ProgExpr, loc: Loc) -> R<()> {
        if self.cur.is_none() {
            return Ok(());
        }
        let bits = self.prog.pool.width(value);
        match place {
            Place::Nowhere | Place::Input => Ok(()),
            Place::Value(_) => Err(self.error(loc, "an assignment to a constant")),
            Place::Vars(leaves, at) => {
                self.store_vars(&leaves.clone(), *at, value);
                Ok(())
            }
            Place::Object(o, _) if self.prog.objects[*o].read_only => self.constant_written(loc),
            Place::Object(o, at) => match self.leaf_at(&self.prog.objects[*o].leaves, *at, bits) {
                Some(v) => {
                    self.begin_access()?;
                    self.assign_shared(v, value);
                    Ok(())
                }
                None => {
                    let m = self.memory(place.clone(), loc).expect("objects are in memory");
                    self.store_memory(&m, value)
                }
            },
            Place::Memory(m) => self.store_memory(m, value),
        }
    }

    /// A read-only object is written: that is undefined, and nothing happens where it is assumed
    /// away.
    pub fn constant_written(&mut self, loc: Loc) -> R<()> {
        match self.undefined_site(Undefined::InvalidDereference, loc) {
            Some(site) => self.fail(site),
            None => Ok(()),
        }
    }

    fn store_memory(&mut self, m: &Memory, value: ProgExpr) -> R<()> {
        let bits = self.prog.pool.width(value);
        let d = self.begin_deref(m, bits / 8, true)?;
        let value = self.current(value);
        self.block.assigns.push(Assign { target: Target::Deref(d), value });
        Ok(())
    }

    /// The values of all leaves of a struct, loaded in ascending order.
    pub fn load_leaves(&mut self, place: &Place, ty: TypeId, loc: Loc) -> R<Leaves> {
        let mut out = vec![];
        for leaf in self.leaves(ty, loc)? {
            let bits = self.leaf_bits(leaf.kind);
            let at = self.at_offset(place.clone(), leaf.offset);
            let v = self.load(&at, bits, loc)?;
            out.push((leaf, v));
        }
        Ok(out)
    }

    /// Copies a struct leaf by leaf.
    pub fn copy(&mut self, to: &Place, from: &Place, ty: TypeId, loc: Loc) -> R<()> {
        for leaf in self.leaves(ty, loc)? {
            let bits = self.leaf_bits(leaf.kind);
            let source = self.at_offset(from.clone(), leaf.offset);
            let target = self.at_offset(to.clone(), leaf.offset);
            let v = self.load(&source, bits, loc)?;
            self.store(&target, v, loc)?;
        }
        Ok(())
    }

    /// Stores a struct that was evaluated leaf by leaf.
    pub fn store_leaves(&mut self, to: &Place, leaves: &Leaves, loc: Loc) -> R<()> {
        for (leaf, v) in leaves {
            let target = self.at_offset(to.clone(), leaf.offset);
            self.store(&target, *v, loc)?;
        }
        Ok(())
    }

    /// The values of the leaves of a struct expression.
    pub fn struct_value(&mut self, e: &Expr) -> R<Leaves> {
        use super::super::hir::ExprKind as K;
        match &e.kind {
            K::Load(lv) if lv.ty.quals.atomic => self.atomic_whole(lv, None),
            K::Atomic(a) => Ok(self.atomic_struct(a, e.loc)?.0),
            K::Load(lv) => {
                let place = self.place(lv)?;
                self.load_leaves(&place, e.ty.id, e.loc)
            }
            K::Comma(a, b) => {
                self.effect(a)?;
                self.struct_value(b)
            }
            K::Assign(lv, v) if lv.ty.quals.atomic => {
                let leaves = self.struct_value(v)?;
                self.atomic_whole(lv, Some(&leaves))?;
                Ok(leaves)
            }
            K::Assign(lv, v) => {
                let to = self.place(lv)?;
                let leaves = self.struct_value(v)?;
                self.store_leaves(&to, &leaves, lv.loc)?;
                Ok(leaves)
            }
            K::Cond(..) | K::Block(..) => self.struct_by_branches(e),
            _ => {
                let place = self.place(e)?;
                self.load_leaves(&place, e.ty.id, e.loc)
            }
        }
    }

    /// A place for a struct in temporaries.
    pub fn temp_place(&mut self, ty: TypeId, loc: Loc) -> R<Place> {
        let mut vars = vec![];
        for leaf in self.leaves(ty, loc)? {
            vars.push((leaf.offset, self.temp(self.leaf_bits(leaf.kind))));
        }
        Ok(Place::Vars(vars.into(), 0))
    }

    fn struct_by_branches(&mut self, e: &Expr) -> R<Leaves> {
        let place = self.temp_place(e.ty.id, e.loc)?;
        self.struct_into(e, &place)?;
        self.load_leaves(&place, e.ty.id, e.loc)
    }

    pub fn struct_into(&mut self, e: &Expr, to: &Place) -> R<()> {
        use super::super::hir::ExprKind as K;
        match &e.kind {
            K::Cond(c, a, b) => {
                let (yes, no, end) = (self.new_loc(), self.new_loc(), self.new_loc());
                self.cond_jump(c, yes, no)?;
                self.set_cur(yes);
                self.struct_into(a, to)?;
                self.jump(end)?;
                self.set_cur(no);
                self.struct_into(b, to)?;
                self.jump(end)?;
                self.set_cur(end);
                Ok(())
            }
            K::Block(stmts, Some(v)) => {
                let mark = self.enter_scope();
                self.statements(stmts)?;
                self.struct_into(v, to)?;
                self.leave_scope(mark)
            }
            _ => {
                let leaves = self.struct_value(e)?;
                self.store_leaves(to, &leaves, e.loc)
            }
        }
    }
}
