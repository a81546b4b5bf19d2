//! Operations on objects of the thread library: each is one edge or a few that leave one location,
//! which test and write the fields of one or two objects at once.

use super::super::hir::{Expr, ExprKind, Loc};
use super::super::types::Type;
use super::place::{Memory, Place};
use super::state::{Lower, R, below_casts};
use crate::base::IndexVec;
use crate::program::{
    Assign, Deref, DerefId, Edge, Leaf, LocId, ProgExpr, SiteId, SiteKind, Sync, Target, Undefined,
    VarId,
};

/// Byte offset and width in bits of a field of a library object.
pub type Field = (u64, u32);

/// Where a field is on the edges of an operation.
#[derive(Clone, Copy)]
struct Slot {
    target: Target,
    value: ProgExpr,
}

/// An operation on library objects whose edges are being made.
pub struct Operation {
    slots: Vec<Slot>,
    derefs: IndexVec<DerefId, Deref>,
    /// When the addresses are those of living objects.
    valid: ProgExpr,
    /// Where its edges leave.
    pub from: LocId,
    /// Where it leads.
    pub to: LocId,
}

impl Operation {
    /// The value of the field of this number, on each edge of the operation.
    pub fn value(&self, field: usize) -> ProgExpr {
        self.slots[field].value
    }
}

/// One edge of an operation.
#[derive(Default)]
pub struct Case {
    guard: Option<ProgExpr>,
    sets: Vec<(usize, ProgExpr)>,
    vars: Vec<(VarId, ProgExpr)>,
    sync: Option<Sync>,
    site: Option<SiteId>,
    to: Option<LocId>,
}

impl Case {
    /// The edge that is taken when `guard` holds.
    pub fn when(guard: ProgExpr) -> Self {
        Self { guard: Some(guard), ..Self::default() }
    }

    /// An edge that is always taken.
    pub fn always() -> Self {
        Self::default()
    }

    /// Writing a field.
    #[must_use]
    pub fn set(mut self, field: usize, value: ProgExpr) -> Self {
        self.sets.push((field, value));
        self
    }

    /// Writing another variable.
    #[must_use]
    pub fn put(mut self, var: VarId, value: ProgExpr) -> Self {
        self.vars.push((var, value));
        self
    }

    /// With this synchronisation.
    #[must_use]
    pub fn sync(mut self, sync: Sync) -> Self {
        self.sync = Some(sync);
        self
    }

    /// With this site.
    #[must_use]
    pub fn site(mut self, site: SiteId) -> Self {
        self.site = Some(site);
        self
    }

    /// Leading somewhere else.
    #[must_use]
    pub fn to(mut self, to: LocId) -> Self {
        self.to = Some(to);
        self
    }
}

impl Lower<'_> {
    /// Evaluates pointers to library objects, the last one first, and gets ready for edges on
    /// their fields, which are numbered through; `None` in unreachable code.
    pub fn operation(&mut self, objects: &[(&Expr, &[Field])]) -> R<Option<Operation>> {
        if self.cur.is_none() {
            return Ok(None);
        }
        let mut places = vec![];
        for (e, _) in objects.iter().rev() {
            places.push(self.library_place(e)?);
        }
        places.reverse();
        self.flush()?;
        let Some(from) = self.cur else { return Ok(None) };
        let to = self.new_loc();
        let valid = self.prog.pool.bool(true);
        let mut op = Operation { slots: vec![], derefs: IndexVec::new(), valid, from, to };
        let mut problems = vec![];
        for (place, (e, fields)) in places.into_iter().zip(objects) {
            let room = self.library_size(e);
            self.add_slots(&mut op, place, e.loc, (fields, false, room), &mut problems)?;
        }
        self.invalid_edges(&mut op, &problems)?;
        Ok(Some(op))
    }

    /// As [`Lower::operation`], on scalars at offsets from a place in memory, which it `writes`.
    pub fn operation_on(
        &mut self,
        place: Place,
        fields: &[Field],
        writes: bool,
        loc: Loc,
    ) -> R<Option<Operation>> {
        self.flush()?;
        if let Place::Object(o, _) = place
            && writes
            && self.prog.objects[o].read_only
        {
            self.constant_written(loc)?;
        }
        let Some(from) = self.cur else { return Ok(None) };
        let to = self.new_loc();
        let valid = self.prog.pool.bool(true);
        let mut op = Operation { slots: vec![], derefs: IndexVec::new(), valid, from, to };
        let mut problems = vec![];
        self.add_slots(&mut op, place, loc, (fields, writes, 0), &mut problems)?;
        for (_, valid) in &mut problems {
            for d in op.derefs.ids().skip(1) {
                let also = self.prog.pool.leaf(Leaf::Valid(d), 1);
                *valid = self.and(*valid, also);
            }
        }
        self.invalid_edges(&mut op, &problems)?;
        Ok(Some(op))
    }

    /// Size of the library object that a pointer points to; 0 if it is none.
    fn library_size(&self, e: &Expr) -> u64 {
        let types = &self.hir.types;
        match types.pointee(e.ty.id) {
            Some(to) if matches!(types.get(to.id), Type::Opaque(_)) => {
                types.size(to.id).unwrap_or(0)
            }
            _ => 0,
        }
    }

    fn library_place(&mut self, e: &Expr) -> R<Place> {
        match &below_casts(e).kind {
            ExprKind::AddrOf(lv) => self.place(lv),
            _ => {
                let addr = self.rvalue(e)?;
                Ok(self.place_at(addr, e.loc))
            }
        }
    }

    fn add_slots(
        &mut self,
        op: &mut Operation,
        place: Place,
        loc: Loc,
        (fields, writes, room): (&[Field], bool, u64),
        problems: &mut Vec<(Memory, ProgExpr)>,
    ) -> R<()> {
        if let Place::Object(o, at) = &place
            && at + room <= self.prog.objects[*o].size
        {
            let leaves = &self.prog.objects[*o].leaves;
            let find = |&(offset, bits): &Field| {
                let leaf = leaves.iter().find(|l| l.0 == at + offset)?;
                (self.prog.vars[leaf.1].width == bits).then_some(leaf.1)
            };
            if let Some(vars) = fields.iter().map(find).collect::<Option<Vec<_>>>() {
                for v in vars {
                    op.slots.push(Slot { target: Target::Var(v), value: self.var(v) });
                }
                return Ok(());
            }
        }
        let small = matches!(place, Place::Object(o, at)
            if at + room > self.prog.objects[o].size);
        let Some(mut m) = self.memory(place, loc) else {
            return Err(self.error(loc, "this is no object of the thread library"));
        };
        m.room = room;
        if small {
            m.guard = Some(self.prog.pool.bool(false));
        }
        let first = op.derefs.next_id();
        for &(offset, bits) in fields {
            let addr = self.add_const(m.addr, offset);
            let deref = self.new_deref(&Memory { addr, ..m.clone() }, bits / 8, writes);
            let d = op.derefs.push(deref);
            let value = self.prog.pool.leaf(Leaf::Loaded(d), bits);
            op.slots.push(Slot { target: Target::Deref(d), value });
        }
        let mut valid = self.prog.pool.leaf(Leaf::Valid(first), 1);
        if let Some(g) = m.guard {
            valid = self.and(valid, g);
        }
        problems.push((m, valid));
        Ok(())
    }

    /// The edges to sites if an address is that of no object, the first such one named. Without
    /// sites the other edges are taken whatever the address is.
    fn invalid_edges(&mut self, op: &mut Operation, problems: &[(Memory, ProgExpr)]) -> R<()> {
        if self.options.assume_defined {
            return Ok(());
        }
        for (m, valid) in problems {
            let not = self.not(*valid);
            let guard = self.and(op.valid, not);
            if let Some(site) = self.memory_site(m) {
                let stop = self.stopped();
                let mut edge = self.plain_edge(op.from, stop, guard);
                edge.derefs = op.derefs.clone();
                edge.site = Some(site);
                edge.atomic_access = true;
                self.push_edge(edge)?;
            }
            op.valid = self.and(op.valid, *valid);
        }
        Ok(())
    }

    /// The edge of a case.
    pub fn case(&mut self, op: &Operation, case: Case) -> R<()> {
        let edge = self.case_edge(op, case);
        self.push_edge(edge)
    }

    /// As [`Lower::case`], without adding it.
    pub fn case_edge(&mut self, op: &Operation, case: Case) -> Edge {
        let guard = match case.guard {
            Some(g) => self.and(op.valid, g),
            None => op.valid,
        };
        let to = case.to.unwrap_or(op.to);
        let mut edge = self.plain_edge(op.from, to, guard);
        edge.derefs = op.derefs.clone();
        for (field, value) in case.sets {
            edge.assigns.push(Assign { target: op.slots[field].target, value });
        }
        for (v, value) in case.vars {
            edge.assigns.push(Assign { target: Target::Var(v), value });
        }
        edge.sync = case.sync.unwrap_or(Sync::None);
        edge.site = case.site;
        edge.atomic_access = true;
        edge
    }

    /// Where the value of a field goes on the edges of an operation.
    pub fn field_target(&self, op: &Operation, field: usize) -> Target {
        op.slots[field].target
    }

    /// The edge to a site of this kind.
    pub fn case_site(&mut self, op: &Operation, kind: SiteKind, guard: ProgExpr) -> R<()> {
        let site = self.site_here(kind);
        let to = self.stopped();
        self.case(
            op,
            Case { guard: Some(guard), site: Some(site), to: Some(to), ..Case::default() },
        )
    }

    /// The edge for what the standard leaves undefined: to a site, or (if that is assumed away)
    /// on without effect.
    pub fn misuse(&mut self, op: &Operation, guard: ProgExpr) -> R<()> {
        if self.options.assume_defined {
            return self.case(op, Case::when(guard));
        }
        self.case_site(op, SiteKind::Undefined(Undefined::MutexMisuse), guard)
    }

    /// What happens while none of the cases so far applies, which is when `guard` holds: the
    /// thread waits; inside an atomic section it must not.
    pub fn wait_while(&mut self, op: &Operation, guard: ProgExpr) -> R<()> {
        if self.depth > 0 {
            return self.case_site(op, SiteKind::AtomicBlocked, guard);
        }
        let from = self.graph.find(op.from);
        self.graph.nodes[from].blocking = true;
        Ok(())
    }

    /// As [`Lower::wait_while`] for a lock; a thread that has it already (when `mine` holds) waits
    /// for itself, behind a site if somebody wants to know.
    pub fn wait_for_lock(&mut self, op: &Operation, mine: ProgExpr, guard: ProgExpr) -> R<()> {
        if !self.options.checks.relock || self.depth > 0 {
            return self.wait_while(op, guard);
        }
        let again = self.and(guard, mine);
        let (site, waits) = (self.site_here(SiteKind::Relock), self.new_loc());
        self.case(op, Case::when(again).site(site).to(waits))?;
        self.graph.nodes[waits].depth = Some(self.depth);
        self.graph.nodes[waits].blocking = true;
        self.graph.nodes[waits].span = Some(self.context.span);
        let not = self.not(again);
        let rest = self.and(guard, not);
        self.wait_while(op, rest)
    }

    /// Goes on behind the operation.
    pub fn finish(&mut self, op: &Operation) {
        self.graph.nodes[op.to].depth = Some(self.depth);
        self.set_cur(op.to);
    }

    /// Goes on at a second location of an operation, where edges on the same objects leave.
    pub fn second(&mut self, op: Operation, at: LocId) -> Operation {
        self.graph.nodes[at].depth = Some(self.depth);
        Operation { from: at, ..op }
    }

    /// Whether a value is this constant.
    pub fn is(&mut self, value: ProgExpr, constant: u128) -> ProgExpr {
        self.eq_const(value, constant)
    }

    /// Whether a value is not this constant.
    pub fn is_not(&mut self, value: ProgExpr, constant: u128) -> ProgExpr {
        let is = self.eq_const(value, constant);
        self.not(is)
    }
}
