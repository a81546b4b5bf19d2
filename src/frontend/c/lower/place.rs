//! Lvalues: where they are.

use std::sync::Arc;

use super::super::hir::{Expr, ExprKind, Init, Loc, LocalId};
use super::super::types::{Type, TypeId};
use super::state::{Lower, R, Storage};
use crate::expr::Op2;
use crate::program::{Lifetime, ObjId, ProgExpr, SiteKind, Undefined, VarId};

/// Where an lvalue is.
#[derive(Clone, Debug)]
pub enum Place {
    /// At this offset of a local that lives in plain variables.
    Vars(Arc<[(u64, VarId)]>, u64),
    /// At this offset of an object, inside of it.
    Object(ObjId, u64),
    /// At an address.
    Memory(Memory),
    /// A constant parameter.
    Value(ProgExpr),
    /// In hardware: it reads as any value, and what is written does not come back.
    Input,
    /// Nowhere: control does not get here, or it is an error that was reported as a site.
    Nowhere,
}

/// A place that is given by an address.
#[derive(Clone, Debug)]
pub struct Memory {
    /// As wide as a pointer.
    pub addr: ProgExpr,
    /// The only object that it may be in, if it is known.
    pub object: Option<ObjId>,
    /// Least size in bytes of the object that it is in.
    pub room: u64,
    /// What must hold besides that the address is valid.
    pub guard: Option<ProgExpr>,
    /// What it is called if it is not valid.
    pub problem: Undefined,
    /// The expression that a site names.
    pub loc: Loc,
}

impl Lower<'_> {
    /// Evaluates an lvalue up to its access.
    pub fn place(&mut self, lv: &Expr) -> R<Place> {
        match &lv.kind {
            ExprKind::Local(l) => self.local_place(*l),
            ExprKind::Global(g) => self.global_place(*g, lv.loc),
            ExprKind::Str(s) => Ok(Place::Object(self.string_object(*s, lv.loc)?, 0)),
            ExprKind::Literal(l, init) => self.literal_place(*l, init),
            ExprKind::Deref(p) => {
                let addr = self.rvalue(p)?;
                Ok(self.place_at(addr, lv.loc))
            }
            ExprKind::Member(base, offset) => {
                let place = self.place(base)?;
                Ok(self.at_offset(place, *offset))
            }
            ExprKind::BitField(base, b) => {
                let place = self.place(base)?;
                Ok(self.at_offset(place, b.offset))
            }
            ExprKind::Index(base, index) => {
                let place = self.place(base)?;
                let value = self.rvalue(index)?;
                self.element(place, base, index.ty.id, value, lv)
            }
            // A value: it is in temporaries.
            ExprKind::Call(..) | ExprKind::Block(..) | ExprKind::Atomic(_) => self.value_place(lv),
            ExprKind::Cond(..) | ExprKind::Comma(..) | ExprKind::Assign(..) => self.value_place(lv),
            _ => Err(self.error(lv.loc, "this is no object")),
        }
    }

    fn local_place(&mut self, l: LocalId) -> R<Place> {
        Ok(match self.local_storage(l)? {
            Storage::Vars(leaves) => Place::Vars(leaves, 0),
            Storage::Object(o) => Place::Object(o, 0),
            Storage::Value(v) => Place::Value(v),
            Storage::Func(f) => Place::Value(self.function_address(f)),
        })
    }

    fn literal_place(&mut self, l: LocalId, init: &Init) -> R<Place> {
        self.declare(l, Some(init))?;
        self.local_place(l)
    }

    /// The place at an address.
    pub fn place_at(&mut self, addr: ProgExpr, loc: Loc) -> Place {
        if let Some((o, offset)) = self.as_address(addr)
            && offset < self.prog.objects[o].size
            && self.surely_alive(o)
        {
            return Place::Object(o, offset);
        }
        let problem = Undefined::InvalidDereference;
        Place::Memory(Memory { addr, object: None, room: 0, guard: None, problem, loc })
    }

    fn surely_alive(&self, o: ObjId) -> bool {
        self.prog.objects[o].lifetime == Lifetime::Static
            || self.alive.contains(&o)
            || self.alive_with_thread.contains(&o)
    }

    /// The place `offset` bytes further, inside of the same lvalue.
    pub fn at_offset(&mut self, place: Place, offset: u64) -> Place {
        match place {
            Place::Vars(leaves, at) => Place::Vars(leaves, at + offset),
            Place::Object(o, at) => Place::Object(o, at + offset),
            Place::Memory(m) => {
                let addr = self.add_const(m.addr, offset);
                Place::Memory(Memory { addr, ..m })
            }
            other => other,
        }
    }

    /// The element of the array `base` (at `place`) with this index.
    fn element(
        &mut self,
        place: Place,
        base: &Expr,
        index_ty: TypeId,
        index: ProgExpr,
        lv: &Expr,
    ) -> R<Place> {
        if matches!(place, Place::Input) {
            return Ok(place);
        }
        let length = match self.hir.types.get(base.ty.id) {
            Type::Array(_, n) => n.filter(|&n| n > 0),
            _ => None,
        };
        let size = self.hir.types.size(lv.ty.id).unwrap_or(1);
        let signed = self.hir.types.is_signed(index_ty);
        if let Some(v) = self.prog.pool.as_const(index) {
            let w = self.prog.pool.width(index);
            let v = if signed { crate::expr::sign_extend(v, w) } else { v as i128 };
            let inside = v >= 0 && length.is_none_or(|n| v < i128::from(n));
            if inside && !matches!(place, Place::Value(_)) {
                let offset = u64::try_from(v).ok().and_then(|v| v.checked_mul(size));
                if let Some(offset) = offset {
                    return Ok(self.checked_offset(place, offset, lv.loc));
                }
            }
            if matches!(place, Place::Vars(..)) {
                self.fail_undefined(Undefined::OutOfBounds, lv.loc)?;
                return Ok(Place::Nowhere);
            }
        }
        let in_range = self.index_guard(&place, length, index, signed, size);
        if matches!(place, Place::Vars(..)) && self.cur.is_some() {
            let what = "an index that is no constant into what is no object";
            return Err(self.unsupported(lv.loc, what));
        }
        let Some(m) = self.memory(place, lv.loc) else { return Ok(Place::Nowhere) };
        let wide = self.resize(index, self.pointer_bits(), signed);
        let step = self.scaled(wide, size);
        let addr = self.add(m.addr, step);
        let guard = match (m.guard, in_range) {
            (Some(a), Some(b)) => Some(self.and(a, b)),
            (a, b) => a.or(b),
        };
        let named = m.object.is_some();
        let problem = if named { Undefined::OutOfBounds } else { m.problem };
        Ok(Place::Memory(Memory { addr, guard, problem, loc: lv.loc, ..m }))
    }

    /// A constant offset into an array of unknown length may leave the object.
    fn checked_offset(&mut self, place: Place, offset: u64, loc: Loc) -> Place {
        match self.at_offset(place, offset) {
            Place::Object(o, at) if at >= self.prog.objects[o].size => {
                let base = self.prog.address(o);
                let addr = self.add_const(base, at);
                let problem = Undefined::OutOfBounds;
                Place::Memory(Memory { addr, object: Some(o), room: 0, guard: None, problem, loc })
            }
            place => place,
        }
    }

    /// What must hold for an index to be in its array, where it does not follow from the address
    /// being in the object.
    fn index_guard(
        &mut self,
        place: &Place,
        length: Option<u64>,
        index: ProgExpr,
        signed: bool,
        size: u64,
    ) -> Option<ProgExpr> {
        let length = length?;
        let whole = match place {
            Place::Object(o, 0) => self.prog.objects[*o].size == length.saturating_mul(size),
            _ => false,
        };
        let w = self.prog.pool.width(index);
        let wraps = w >= self.pointer_bits();
        if whole && !wraps {
            return None;
        }
        let w = w.max(64) + 1;
        let wide = self.resize(index, w, signed);
        let length = self.constant(length.into(), w);
        Some(self.op2(Op2::Ult, wide, length))
    }

    /// The place as one given by an address.
    pub fn memory(&mut self, place: Place, loc: Loc) -> Option<Memory> {
        match place {
            Place::Memory(m) => Some(m),
            Place::Object(o, at) => {
                let base = self.prog.address(o);
                let addr = self.add_const(base, at);
                let problem = Undefined::InvalidDereference;
                Some(Memory { addr, object: Some(o), room: 0, guard: None, problem, loc })
            }
            Place::Vars(..) | Place::Value(_) | Place::Input | Place::Nowhere => None,
        }
    }

    /// The address of an lvalue.
    pub fn address_of(&mut self, lv: &Expr) -> R<ProgExpr> {
        if let ExprKind::Func(f) = lv.kind {
            return Ok(self.function_address(f));
        }
        // `&a[i]` may point behind the array, so its guard does not count.
        let place = self.place(lv)?;
        match self.memory(place, lv.loc) {
            Some(m) => Ok(m.addr),
            None if self.cur.is_none() => Ok(self.constant(0, self.pointer_bits())),
            None => {
                let message = "the address of what is not in memory (a parameter, or --mmio)";
                Err(self.error(lv.loc, message))
            }
        }
    }

    /// Stops at a site of undefined behaviour.
    pub fn fail_undefined(&mut self, kind: Undefined, loc: Loc) -> R<()> {
        let (span, text) = (self.span(loc), self.text(loc));
        let site = self.site(SiteKind::Undefined(kind), span, text);
        self.fail(site)
    }
}
