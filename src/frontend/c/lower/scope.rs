//! Local variables: storage, lifetimes, scopes.

use super::super::hir::{ExprKind, FuncId, Init, LabelId, Local, LocalId, Stmt, StmtKind};
use super::super::layout::{LeafInfo, LeafKind};
use super::super::types::TypeId;
use super::state::{Lower, Name, R, Storage};
use super::threads::MAX_THREADS;
use crate::base::HashMap;
use crate::program::{Lifetime, LocId, ObjId, ProgExpr, Scope, VarId};

impl Lower<'_> {
    pub fn local(&self, f: FuncId, l: LocalId) -> &Local {
        &self.hir.funcs[f].body.as_ref().expect("an inlined function has a body").locals[l]
    }

    /// How a local is called in its thread; a recursive call's says how deep it is.
    pub fn local_name(&self, f: FuncId, nesting: usize, l: LocalId) -> String {
        let (func, local) = (&self.hir.funcs[f].name, &self.local(f, l).name);
        match nesting {
            0 => format!("{func}.{local}"),
            n => format!("{func}~{n}.{local}"),
        }
    }

    /// Where a local of the current function is.
    pub fn local_storage(&mut self, l: LocalId) -> R<Storage> {
        let frame = self.frame();
        if let Some(s) = frame.bound.get(&l) {
            return Ok(s.clone());
        }
        let (f, nesting) = (frame.func, frame.nesting);
        if let Some(s) = self.storage.get(&(f, nesting, l)) {
            return Ok(s.clone());
        }
        let local = self.local(f, l);
        let storage = if local.address_taken || local.in_memory {
            Storage::Object(self.local_object(f, nesting, l)?)
        } else {
            let rest = self.local_name(f, nesting, l);
            let (ty, loc) = (local.ty.id, local.loc);
            let name = Name { thread: Some(self.thread), rest };
            let span = self.span(loc);
            let mut vars = vec![];
            for leaf in self.leaves(ty, loc)? {
                let v = self.leaf_var(&name, &leaf, Scope::Local(self.thread), None, span);
                vars.push((leaf.offset, v));
            }
            Storage::Vars(vars.into())
        };
        self.storage.insert((f, nesting, l), storage.clone());
        Ok(storage)
    }

    /// Begins the lifetime of a local and initialises it.
    pub fn declare(&mut self, l: LocalId, init: Option<&Init>) -> R<()> {
        self.frame().in_scope.push(l);
        if self.cur.is_none() {
            return Ok(());
        }
        let f = self.frame().func;
        if let Some(length) = self.local(f, l).length {
            return self.declare_array(l, length);
        }
        if self.is_cleanup_flag(l) {
            let no = self.constant(0, 32);
            self.frame().bound.insert(l, Storage::Value(no));
        }
        let storage = self.local_storage(l)?;
        let (ty, loc, name) = {
            let local = self.local(f, l);
            (local.ty.id, local.loc, local.name.clone())
        };
        let leaves = self.leaves(ty, loc)?;
        let values = match init {
            Some(init) => self.init_values(init, &leaves)?,
            None => HashMap::default(),
        };
        let zero = init.is_some();
        match storage {
            Storage::Vars(vars) => {
                if !zero {
                    self.begin_access()?;
                }
                for (leaf, &(_, v)) in leaves.iter().zip(vars.iter()) {
                    let value = self.leaf_start(leaf, &values, zero, &name);
                    self.assign(v, value);
                }
            }
            Storage::Object(o) => self.begin_object(o, &leaves, &values, zero, &name)?,
            Storage::Value(_) | Storage::Func(_) => {}
        }
        Ok(())
    }

    /// The values that an initialiser gives to leaves, by offset.
    fn init_values(&mut self, init: &Init, leaves: &[LeafInfo]) -> R<HashMap<u64, ProgExpr>> {
        let mut values = HashMap::default();
        for (offset, e) in &init.entries {
            if let ExprKind::Bits(inner, b) = &e.kind {
                let v = self.rvalue(inner)?;
                let v = self.resize(v, b.width, false);
                self.init_bits(leaves, &mut values, 8 * offset + u64::from(b.bit), v);
            } else if self.hir.types.is_scalar(e.ty.id) {
                let v = self.rvalue(e)?;
                self.init_bits(leaves, &mut values, 8 * offset, v);
            } else if leaves.iter().any(|l| l.offset >= *offset) {
                for (leaf, v) in self.struct_value(e)? {
                    values.insert(offset + leaf.offset, v);
                }
            }
        }
        Ok(values)
    }

    /// Gives the bits of `v` to the leaves at a bit offset; what an initialiser does not mention of
    /// a leaf is zero.
    fn init_bits(
        &mut self,
        leaves: &[LeafInfo],
        values: &mut HashMap<u64, ProgExpr>,
        at: u64,
        v: ProgExpr,
    ) {
        let end = at + u64::from(self.prog.pool.width(v));
        for leaf in leaves {
            let bits = self.leaf_bits(leaf.kind);
            let start = 8 * leaf.offset;
            if start >= end || start + u64::from(bits) <= at {
                continue;
            }
            let old = match values.get(&leaf.offset) {
                Some(&old) => old,
                None => self.constant(0, bits),
            };
            let new = self.overwritten(old, start, v, at);
            values.insert(leaf.offset, new);
        }
    }

    /// What a leaf holds when its lifetime begins.
    pub fn leaf_start(
        &mut self,
        leaf: &LeafInfo,
        values: &HashMap<u64, ProgExpr>,
        zero: bool,
        name: &str,
    ) -> ProgExpr {
        if let Some(&v) = values.get(&leaf.offset) {
            return v;
        }
        let width = self.leaf_bits(leaf.kind);
        match leaf.kind {
            LeafKind::Library(leaf) => self.constant(leaf.start(zero), width),
            _ if zero => self.constant(0, width),
            LeafKind::Bytes(_) => self.fresh_input(&format!("{name}{}", leaf.path), width),
            LeafKind::Scalar(ty) => self.any_value(ty, &format!("{name}{}", leaf.path)),
        }
    }

    /// An unknown value of a type. A pointer is invalid, 0 or 1; a _Bool is 0 or 1; a
    /// `pthread_t` is the number of any thread or of none, and no wider than those.
    pub fn any_value(&mut self, ty: TypeId, what: &str) -> ProgExpr {
        use super::super::types::Type;
        let width = self.width(ty);
        if ty == self.hir.types.thread_id {
            let number = self.fresh_input(what, MAX_THREADS.ilog2() + 1);
            return self.number(number, width);
        }
        match self.hir.types.get(ty) {
            Type::Bool | Type::Pointer(_) => {
                let bit = self.fresh_input(what, 1);
                self.number(bit, width)
            }
            _ => self.fresh_input(what, width),
        }
    }

    fn begin_object(
        &mut self,
        o: ObjId,
        leaves: &[LeafInfo],
        values: &HashMap<u64, ProgExpr>,
        zero: bool,
        name: &str,
    ) -> R<()> {
        self.begin_access()?;
        // Nobody else can access the object yet.
        self.block.atomic_access = true;
        let vars: Vec<VarId> = self.prog.objects[o].leaves.iter().map(|l| l.1).collect();
        for (leaf, v) in leaves.iter().zip(vars) {
            let value = self.leaf_start(leaf, values, zero, name);
            self.assign_shared(v, value);
        }
        if let Lifetime::While(alive) = self.prog.objects[o].lifetime {
            let yes = self.constant(1, 1);
            self.assign_shared(alive, yes);
            self.alive.push(o);
        }
        self.flush()
    }

    /// For [`Lower::leave_scope`].
    pub fn enter_scope(&mut self) -> usize {
        self.frame().in_scope.len()
    }

    /// Ends the lifetimes of what was declared since the mark.
    pub fn leave_scope(&mut self, mark: usize) -> R<()> {
        self.end_lifetimes(mark)?;
        self.forget_scope(mark)
    }

    /// Drops what was declared since the mark from the scope.
    fn forget_scope(&mut self, mark: usize) -> R<()> {
        let gone = self.frame().in_scope.split_off(mark);
        for l in gone {
            if let Storage::Object(o) = self.local_storage(l)? {
                self.alive.retain(|&x| x != o);
            }
        }
        Ok(())
    }

    /// Emits the end of the lifetimes of what was declared since the mark; the scope stays (other
    /// paths go on in it).
    pub fn end_lifetimes(&mut self, mark: usize) -> R<()> {
        let gone: Vec<LocalId> = self.frame().in_scope[mark..].to_vec();
        self.end_locals(&gone)
    }

    fn end_locals(&mut self, gone: &[LocalId]) -> R<()> {
        let mut objects = vec![];
        let (f, nesting) = (self.frame().func, self.frame().nesting);
        for &l in gone {
            if let Storage::Object(o) = self.local_storage(l)? {
                objects.push(o);
            }
            objects.extend(self.variable_arrays.get(&(f, nesting, l)).into_iter().flatten());
        }
        self.end_objects(&objects)
    }

    /// Ends the lifetimes of all locals of all open functions.
    pub fn end_all_lifetimes(&mut self) -> R<()> {
        let mut objects = self.alive.clone();
        objects.extend(self.frames.iter().flat_map(|f| &f.stack));
        objects.extend(self.variable_arrays.values().flatten());
        self.end_objects(&objects)
    }

    /// Ends the lifetimes of objects; some may have none now.
    pub fn end_objects(&mut self, objects: &[ObjId]) -> R<()> {
        let mut flags: Vec<VarId> = objects
            .iter()
            .filter_map(|&o| match self.prog.objects[o].lifetime {
                Lifetime::While(alive) => Some(alive),
                Lifetime::Static => None,
            })
            .collect();
        flags.sort();
        flags.dedup();
        if flags.is_empty() || self.cur.is_none() {
            return Ok(());
        }
        self.begin_access()?;
        self.block.atomic_access = true;
        let no = self.constant(0, 1);
        for alive in flags {
            self.assign_shared(alive, no);
        }
        self.flush()
    }

    pub fn label_loc(&mut self, l: LabelId) -> LocId {
        if let Some(&loc) = self.frame().labels.get(&l) {
            return loc;
        }
        let loc = self.new_loc();
        self.frame().labels.insert(l, loc);
        loc
    }

    /// The labels in a statement that is lowered once more lead to its new code.
    pub fn forget_labels(&mut self, s: &Stmt) {
        let labels = &mut self.frame().labels;
        let mut forget = |s: &Stmt| {
            if let StmtKind::Label(l) = s.kind {
                labels.remove(&l);
            }
        };
        s.visit(&mut forget, &mut |_| {});
    }

    /// Jumps to a label: lifetimes end and begin as the scopes say.
    pub fn jump_to_label(&mut self, l: LabelId) -> R<()> {
        let f = self.frame().func;
        let body = self.hir.funcs[f].body.as_ref().expect("an inlined function has a body");
        let target = body.labels[l].in_scope.clone();
        let here = self.frame().in_scope.clone();
        let gone: Vec<LocalId> = here.iter().copied().filter(|x| !target.contains(x)).collect();
        self.end_locals(&gone)?;
        let (scope, alive) = (here.clone(), self.alive.clone());
        for x in target {
            if !here.contains(&x) && !body.params.contains(&x) && !self.is_literal(f, x) {
                self.declare(x, None)?;
            }
        }
        self.frame().in_scope = scope;
        self.alive = alive;
        let loc = self.label_loc(l);
        self.jump(loc)
    }

    /// Whether jumping to the label begins lifetimes.
    pub fn enters_scopes(&mut self, l: LabelId) -> bool {
        let f = self.frame().func;
        let body = self.hir.funcs[f].body.as_ref().expect("an inlined function has a body");
        let here = &self.frame().in_scope;
        body.labels[l].in_scope.iter().any(|x| !here.contains(x) && !body.params.contains(x))
    }

    /// Goes on at a label.
    pub fn at_label(&mut self, l: LabelId) -> R<()> {
        let loc = self.label_loc(l);
        self.jump(loc)?;
        let f = self.frame().func;
        let body = self.hir.funcs[f].body.as_ref().expect("an inlined function has a body");
        let label = &body.labels[l];
        let later = |&(from, to): &(u32, LabelId)| to == l && Some(from) > label.at;
        let node = self.graph.find(loc);
        // What jumps here may stand further down.
        if body.gotos.iter().any(later) && self.graph.nodes[node].depth.is_none() {
            self.graph.nodes[node].depth = Some(self.depth);
        }
        if let Some(name) = &label.name {
            let name = format!("{}:{name}", self.hir.funcs[f].name);
            self.graph.nodes[node].labels.push(name.into());
        }
        self.set_cur(loc);
        for x in self.frame().in_scope.clone() {
            if let Storage::Object(o) = self.local_storage(x)?
                && !self.alive.contains(&o)
            {
                self.alive.push(o);
            }
        }
        Ok(())
    }

    fn is_literal(&self, f: FuncId, l: LocalId) -> bool {
        self.local(f, l).name.starts_with("<literal>")
    }

    /// Binds a parameter to its argument.
    pub fn bind(&mut self, l: LocalId, arg: Argument) -> R<()> {
        let f = self.frame().func;
        let shared = self.frame().shared;
        let local = self.local(f, l);
        let fixed = local.assigned == 0 && !local.address_taken && !local.in_memory && !shared;
        let ty = local.ty.id;
        match arg {
            Argument::Func(func) if fixed => {
                self.frame().bound.insert(l, Storage::Func(func));
                Ok(())
            }
            Argument::Func(func) => {
                let address = self.function_address(func);
                self.bind(l, Argument::Scalar(address))
            }
            Argument::Leaves(leaves) => {
                let storage = self.local_storage(l)?;
                self.frame().in_scope.push(l);
                let values: HashMap<u64, ProgExpr> =
                    leaves.iter().map(|(leaf, v)| (leaf.offset, *v)).collect();
                self.begin_parameter(storage, ty, &values, l)
            }
            Argument::Scalar(v) if fixed && self.is_constant(v) => {
                self.frame().bound.insert(l, Storage::Value(v));
                Ok(())
            }
            Argument::Scalar(v) => {
                let storage = self.local_storage(l)?;
                self.frame().in_scope.push(l);
                let mut values = HashMap::default();
                values.insert(0, v);
                self.begin_parameter(storage, ty, &values, l)
            }
        }
    }

    fn begin_parameter(
        &mut self,
        storage: Storage,
        ty: TypeId,
        values: &HashMap<u64, ProgExpr>,
        l: LocalId,
    ) -> R<()> {
        let f = self.frame().func;
        let loc = self.local(f, l).loc;
        let leaves = self.leaves(ty, loc)?;
        match storage {
            Storage::Vars(vars) => {
                for &(offset, v) in vars.iter() {
                    if let Some(&value) = values.get(&offset) {
                        self.assign(v, value);
                    }
                }
                Ok(())
            }
            Storage::Object(o) => self.begin_object(o, &leaves, values, true, ""),
            Storage::Value(_) | Storage::Func(_) => Ok(()),
        }
    }
}

/// An evaluated argument of a call.
pub enum Argument {
    Scalar(ProgExpr),
    Leaves(super::access::Leaves),
    Func(FuncId),
}

/// Whether storing the variables of a place needs no access.
pub fn plain(storage: &Storage) -> bool {
    matches!(storage, Storage::Vars(_) | Storage::Value(_))
}

/// The function that an argument names, below conversions.
pub fn named_function(e: &super::super::hir::Expr) -> Option<FuncId> {
    match &super::state::below_casts(e).kind {
        ExprKind::AddrOf(inner) => match inner.kind {
            ExprKind::Func(f) => Some(f),
            _ => None,
        },
        _ => None,
    }
}
