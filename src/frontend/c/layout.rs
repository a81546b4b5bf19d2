//! Sizes, alignments, offsets and scalar leaves of types, as gcc lays them out on x86.

use super::types::{Field, Opaque, Qt, RecordId, Type, TypeId, Types};

/// A scalar part of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafInfo {
    /// Byte offset in the object.
    pub offset: u64,
    /// What is there.
    pub kind: LeafKind,
    /// How C names it within the object: `[2].next`, empty for the whole.
    pub path: String,
}

/// What a leaf holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafKind {
    /// A value of this scalar type.
    Scalar(TypeId),
    /// A field of an object of the thread library.
    Library(LibraryLeaf),
    /// Bytes that belong to several members of a union or to bit-fields.
    Bytes(u32),
}

/// A field of an object of the thread library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LibraryLeaf {
    /// The owner of a mutex or read-write lock, 32 bits; where all is zero it is free.
    Owner,
    /// The owner of a spin lock, 32 bits; where all is zero it is not initialised.
    SpinOwner,
    /// The threads that wait, 64 bits.
    Waiters,
    /// The readers of a read-write lock, 32 bits.
    Readers,
    /// The value of a semaphore, 32 bits.
    Value,
    /// Whether a condition variable is not initialised, or destroyed, 32 bits.
    Gone,
    /// Anything else, 32 bits; 0 before it is initialised.
    Other(&'static str),
}

impl LibraryLeaf {
    /// Width in bits.
    pub fn bits(self) -> u32 {
        if self == LibraryLeaf::Waiters { 64 } else { 32 }
    }

    /// How it is called within its object.
    pub fn name(self) -> &'static str {
        match self {
            LibraryLeaf::Owner | LibraryLeaf::SpinOwner => "",
            LibraryLeaf::Waiters => ".waiters",
            LibraryLeaf::Readers => ".readers",
            LibraryLeaf::Value => "",
            LibraryLeaf::Gone => ".gone",
            LibraryLeaf::Other(name) => name,
        }
    }

    /// What it holds at the start of a lifetime, of an object that is all zero or uninitialised.
    pub fn start(self, zero: bool) -> u128 {
        match self {
            LibraryLeaf::SpinOwner => MUTEX_UNINITIALISED,
            LibraryLeaf::Owner if !zero => MUTEX_UNINITIALISED,
            LibraryLeaf::Gone if !zero => 1,
            _ => 0,
        }
    }
}

/// Offset and width in bits of how often a recursive mutex is locked, less one.
pub const MUTEX_COUNT: (u64, u32) = (4, 32);
/// Offset and width in bits of a mutex's kind.
pub const MUTEX_KIND: (u64, u32) = (16, 32);
/// Offset and width in bits of whether a condition variable is not initialised, or destroyed.
pub const COND_GONE: (u64, u32) = (8, 32);
/// Offset and width in bits of whether a semaphore is initialised.
pub const SEMAPHORE_READY: (u64, u32) = (4, 32);
/// The owner of a lock that is not initialised, or destroyed.
pub const MUTEX_UNINITIALISED: u128 = 0xffff_ffff;
/// Offset and width in bits of the number of readers of a read-write lock.
pub const RW_READERS: (u64, u32) = (4, 32);
/// Offset and width in bits of the number of threads that a barrier waits for.
pub const BARRIER_LIMIT: (u64, u32) = (8, 32);
/// Offset and width in bits of the number of threads that wait at a barrier.
pub const BARRIER_ARRIVED: (u64, u32) = (12, 32);
/// Offset and width in bits of whether one of them is told that it is the serial thread.
pub const BARRIER_CLAIMED: (u64, u32) = (16, 32);

/// The fields of an object of the thread library, ascending by offset.
fn library_leaves(o: Opaque) -> &'static [(u64, LibraryLeaf)] {
    use LibraryLeaf as L;
    match o {
        Opaque::Mutex => &[(0, L::Owner), (4, L::Other(".count")), (16, L::Other(".kind"))],
        Opaque::MutexAttr => &[(0, L::Other(".kind"))],
        Opaque::ThreadAttr => &[(0, L::Other(".detached"))],
        Opaque::Cond => &[(0, L::Waiters), (8, L::Gone)],
        Opaque::RwLock => &[(0, L::Owner), (4, L::Readers)],
        Opaque::Barrier => &[
            (0, L::Waiters),
            (8, L::Other(".limit")),
            (12, L::Other(".arrived")),
            (16, L::Other(".claimed")),
        ],
        Opaque::Semaphore => &[(0, L::Value), (4, L::Other(".ready"))],
        Opaque::Spin => &[(0, L::SpinOwner)],
        Opaque::CondAttr | Opaque::RwLockAttr | Opaque::BarrierAttr => &[],
    }
}

/// Most leaves that one object may have.
pub const MAX_LEAVES: u64 = 1 << 16;

fn round_up(n: u64, align: u64) -> u64 {
    n.div_ceil(align) * align
}

impl Types {
    /// Size in bytes; `None` for incomplete types, functions and variable-length arrays.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        Some(match self.get(id) {
            Type::Bool => 1,
            Type::Int(k) => self.int_size(*k),
            // gcc stores the 80-bit type in 16 bytes on LP64 and in 12 on ILP32.
            Type::Float(16) if self.word == 4 => 12,
            Type::Float(n) => *n,
            Type::Pointer(_) => self.word,
            Type::Array(of, Some(n)) => self.size(of.id)?.checked_mul(*n)?,
            Type::Record(r) => {
                let record = &self.records[*r];
                record.fields.as_ref()?;
                record.size
            }
            Type::Opaque(o) => self.opaque_size(*o),
            // gcc's extension.
            Type::Void | Type::Function { .. } => 1,
            Type::Array(_, None) | Type::Vla(..) | Type::Unsupported(_) => return None,
        })
    }

    /// Alignment in bytes of an object that is declared so.
    pub fn align_of(&self, ty: Qt) -> u64 {
        match (ty.quals.align, self.get(ty.id)) {
            (0, Type::Array(of, _) | Type::Vla(of, _)) => self.align_of(*of),
            (0, Type::Record(_) | Type::Int(_)) if ty.quals.atomic => {
                // So that one access can be atomic.
                match self.size(ty.id) {
                    Some(size @ (1 | 2 | 4 | 8 | 16)) => self.align(ty.id).max(size),
                    _ => self.align(ty.id),
                }
            }
            (0, _) => self.align(ty.id),
            (align, _) => align.into(),
        }
    }

    /// Alignment in bytes.
    fn align(&self, id: TypeId) -> u64 {
        match self.get(id) {
            // i386 aligns 8-byte scalars in structs to 4; see `field_align`.
            Type::Int(k) => self.int_size(*k),
            Type::Float(16) if self.word == 4 => 4,
            Type::Float(n) => *n,
            Type::Pointer(_) => self.word,
            Type::Array(of, _) | Type::Vla(of, _) => self.align_of(*of),
            Type::Record(r) => self.records[*r].align.max(1),
            Type::Opaque(Opaque::Mutex | Opaque::Cond | Opaque::RwLock | Opaque::Barrier)
            | Type::Opaque(Opaque::Semaphore | Opaque::ThreadAttr | Opaque::RwLockAttr) => {
                self.word
            }
            Type::Opaque(_) => 4,
            Type::Bool | Type::Void | Type::Function { .. } | Type::Unsupported(_) => 1,
        }
    }

    /// Alignment of a member of a record that is not packed.
    fn field_align(&self, f: &Field) -> u64 {
        let (id, align) = (f.ty.id, self.align_of(f.ty));
        if f.packed || f.align > 0 || f.ty.quals.align > 0 || f.ty.quals.atomic {
            let own = if f.packed { 1 } else { align };
            return own.max(f.align);
        }
        let base = match self.get(id) {
            Type::Array(of, _) => self.get(of.id),
            other => other,
        };
        match base {
            Type::Int(_) | Type::Float(_) if self.word == 4 => align.min(4),
            _ => align,
        }
    }

    fn opaque_size(&self, o: Opaque) -> u64 {
        let wide = self.word == 8;
        let pick = |lp64, ilp32| if wide { lp64 } else { ilp32 };
        match o {
            Opaque::Mutex => pick(40, 24),
            Opaque::ThreadAttr => pick(56, 36),
            Opaque::Cond => 48,
            Opaque::RwLock => pick(56, 32),
            Opaque::RwLockAttr => 8,
            Opaque::Barrier => pick(32, 20),
            Opaque::Semaphore => pick(32, 16),
            Opaque::MutexAttr | Opaque::CondAttr | Opaque::BarrierAttr | Opaque::Spin => 4,
        }
    }

    /// Gives a record its members and lays them out. Bit-fields are packed as gcc does on x86:
    /// one spans no more units of its type's alignment than its type has. An incomplete member has
    /// size 0 (a flexible array).
    pub fn complete_record(&mut self, id: RecordId, mut fields: Vec<Field>) {
        let (union, packed) = (self.records[id].union, self.records[id].packed);
        let (mut bit, mut size, mut align) = (0u64, 0u64, 1u64);
        for f in &mut fields {
            let fsize = self.size(f.ty.id).unwrap_or(0);
            let falign = if packed { f.align.max(1) } else { self.field_align(f) };
            if union {
                bit = 0;
            }
            match f.bits {
                Some(0) => bit = round_up(bit, 8 * falign),
                Some(n) => {
                    // On i386 a 64-bit type has two units.
                    let unit = 8 * falign;
                    if !packed && bit % unit + n > 8 * fsize.max(1) {
                        bit = round_up(bit, unit);
                    }
                    // The position in the record until the storage units are known.
                    f.bit = bit;
                    f.unit = fsize.max(1);
                    bit += n;
                    if !f.name.is_empty() {
                        align = align.max(falign);
                    }
                }
                None => {
                    f.offset = round_up(bit.div_ceil(8), falign);
                    bit = 8 * (f.offset + fsize);
                    align = align.max(falign);
                }
            }
            size = size.max(bit.div_ceil(8));
        }
        let align = align.max(self.records[id].align);
        let size = round_up(size, align);
        self.storage_units(union, &mut fields, size);
        let record = &mut self.records[id];
        record.size = size;
        record.align = align;
        record.fields = Some(fields);
    }

    /// Gives each bit-field its storage unit: that of its declared type, less what other members
    /// occupy.
    fn storage_units(&self, union: bool, fields: &mut [Field], size: u64) {
        let others: Vec<(u64, u64)> = fields
            .iter()
            .filter(|f| f.bits.is_none() && !union)
            .map(|f| (f.offset, f.offset + self.size(f.ty.id).unwrap_or(0)))
            .collect();
        for f in fields.iter_mut() {
            let Some(n) = f.bits.filter(|&n| n > 0) else { continue };
            let position = f.bit;
            let (first, last) = (position / 8, (position + n).div_ceil(8));
            let align = self.field_align(f);
            let mut start = position / (8 * align) * align;
            let mut end = (start + f.unit).max(last).min(size.max(last));
            for &(from, to) in &others {
                if to <= first {
                    start = start.max(to);
                } else if from >= last {
                    end = end.min(from);
                }
            }
            f.offset = start;
            f.unit = end - start;
            f.bit = position - 8 * start;
        }
    }

    /// Finds a member, also inside anonymous members: its offset, type, and width if it is a
    /// bit-field.
    pub fn find_field(&self, id: RecordId, name: &str) -> Option<(u64, Field)> {
        for f in self.records[id].fields.as_ref()? {
            if f.name == name {
                return Some((f.offset, f.clone()));
            }
            if f.name.is_empty()
                && f.bits.is_none()
                && let Type::Record(inner) = self.get(f.ty.id)
                && let Some((offset, found)) = self.find_field(*inner, name)
            {
                return Some((f.offset + offset, found));
            }
        }
        None
    }

    /// The scalar leaves of an object of this type, ascending.
    ///
    /// # Errors
    /// The name of a construct that has no leaves (yet).
    pub fn leaves(&self, id: TypeId) -> Result<Vec<LeafInfo>, String> {
        let mut out = vec![];
        self.collect(id, 0, String::new(), &mut out)?;
        // Bit-fields come before the other members of their struct.
        out.sort_by_key(|l| l.offset);
        Ok(out)
    }

    fn collect(
        &self,
        id: TypeId,
        offset: u64,
        path: String,
        out: &mut Vec<LeafInfo>,
    ) -> Result<(), String> {
        if out.len() as u64 > MAX_LEAVES {
            return Err(format!("an object of more than {MAX_LEAVES} scalars"));
        }
        match self.get(id) {
            Type::Bool | Type::Int(_) | Type::Pointer(_) => {
                out.push(LeafInfo { offset, kind: LeafKind::Scalar(id), path });
            }
            Type::Opaque(o) => {
                for &(at, leaf) in library_leaves(*o) {
                    let path = format!("{path}{}", leaf.name());
                    let kind = LeafKind::Library(leaf);
                    out.push(LeafInfo { offset: offset + at, kind, path });
                }
            }
            Type::Array(of, n) => {
                let size = self.size(of.id).ok_or("an array of an incomplete type")?;
                for i in 0..n.unwrap_or(0) {
                    self.collect(of.id, offset + i * size, format!("{path}[{i}]"), out)?;
                }
            }
            Type::Record(r) => {
                let record = &self.records[*r];
                let fields = record.fields.as_ref().ok_or("an incomplete struct")?;
                if record.union {
                    return self.collect_union(fields, offset, &path, out);
                }
                bit_field_leaves(fields, offset, &path, out);
                for f in fields.iter().filter(|f| f.bits.is_none()) {
                    let name = if f.name.is_empty() { "<anonymous>" } else { &f.name };
                    self.collect(f.ty.id, offset + f.offset, format!("{path}.{name}"), out)?;
                }
            }
            Type::Float(n) => {
                let n = self.size(id).unwrap_or(*n) as u32;
                out.push(LeafInfo { offset, kind: LeafKind::Bytes(n), path });
            }
            Type::Vla(..) => return Err("a variable-length array".into()),
            Type::Void => return Err("an object of type void".into()),
            Type::Function { .. } => return Err("a function as an object".into()),
            Type::Unsupported(what) => return Err((*what).into()),
        }
        Ok(())
    }

    /// The leaves of the largest member of a union, and bytes where only others are.
    fn collect_union(
        &self,
        fields: &[Field],
        offset: u64,
        path: &str,
        out: &mut Vec<LeafInfo>,
    ) -> Result<(), String> {
        let mut lists = vec![];
        for f in fields {
            let mut list = vec![];
            if f.bits.is_some() {
                bit_field_leaves(std::slice::from_ref(f), offset, path, &mut list);
            } else {
                let name = if f.name.is_empty() { "<anonymous>" } else { &f.name };
                self.collect(f.ty.id, offset + f.offset, format!("{path}.{name}"), &mut list)?;
            }
            lists.push((self.size(f.ty.id).unwrap_or(0), list));
        }
        // The first one of the largest.
        lists.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
        let mut lists = lists.into_iter().map(|(_, list)| list);
        let mut chosen = lists.next().unwrap_or_default();
        for leaf in lists.flatten() {
            for at in leaf.offset..leaf.offset + self.leaf_bytes(leaf.kind) {
                let covered =
                    |l: &LeafInfo| (l.offset..l.offset + self.leaf_bytes(l.kind)).contains(&at);
                if !chosen.iter().any(covered) {
                    let path = format!("{path}.<byte {}>", at - offset);
                    chosen.push(LeafInfo { offset: at, kind: LeafKind::Bytes(1), path });
                }
            }
        }
        chosen.sort_by_key(|l| l.offset);
        out.extend(chosen);
        Ok(())
    }

    /// Whether an object of this type has bytes that belong to no scalar.
    pub fn has_padding(&self, id: TypeId) -> bool {
        let used = |l: &LeafInfo| self.leaf_bytes(l.kind);
        let leaves = self.leaves(id).unwrap_or_default();
        Some(leaves.iter().map(used).sum()) != self.size(id)
    }

    /// Size of a leaf in bytes.
    fn leaf_bytes(&self, kind: LeafKind) -> u64 {
        match kind {
            LeafKind::Scalar(ty) => u64::from(self.width(ty)) / 8,
            LeafKind::Library(l) => u64::from(l.bits()) / 8,
            LeafKind::Bytes(n) => n.into(),
        }
    }
}

/// The leaves of the bit-fields among these members: one for each storage unit, or bytes where
/// units overlap.
fn bit_field_leaves(fields: &[Field], offset: u64, path: &str, out: &mut Vec<LeafInfo>) {
    let mut units: Vec<(u64, u64)> = fields
        .iter()
        .filter(|f| f.bits.is_some_and(|n| n > 0))
        .map(|f| (f.offset, f.offset + f.unit))
        .collect();
    units.sort_unstable();
    units.dedup();
    let mut at = 0;
    while at < units.len() {
        let (start, mut end) = units[at];
        let first = at;
        at += 1;
        while at < units.len() && units[at].0 < end {
            end = end.max(units[at].1);
            at += 1;
        }
        let path = |k: u64| format!("{path}.<bits {k}>");
        if at - first == 1 && end - start <= 8 {
            let kind = LeafKind::Bytes((end - start) as u32);
            out.push(LeafInfo { offset: offset + start, kind, path: path(start) });
        } else {
            for k in start..end {
                let kind = LeafKind::Bytes(1);
                out.push(LeafInfo { offset: offset + k, kind, path: path(k) });
            }
        }
    }
}
