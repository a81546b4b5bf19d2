//! Sizes, alignments, offsets and scalar leaves of types, as gcc lays them out on x86.

use super::types::{Field, Opaque, RecordId, Type, TypeId, Types};

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
    /// The owner of a mutex, 32 bits.
    MutexOwner,
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
            Type::Array(_, None) | Type::Vla(_) | Type::Unsupported(_) => return None,
        })
    }

    /// Alignment in bytes.
    pub fn align(&self, id: TypeId) -> u64 {
        match self.get(id) {
            // i386 aligns 8-byte scalars in structs to 4; see `field_align`.
            Type::Int(k) => self.int_size(*k),
            Type::Float(16) if self.word == 4 => 4,
            Type::Float(n) => *n,
            Type::Pointer(_) => self.word,
            Type::Array(of, _) | Type::Vla(of) => self.align(of.id),
            Type::Record(r) => self.records[*r].align.max(1),
            Type::Opaque(Opaque::Mutex | Opaque::Cond | Opaque::RwLock | Opaque::Barrier)
            | Type::Opaque(Opaque::Semaphore | Opaque::ThreadAttr | Opaque::RwLockAttr) => {
                self.word
            }
            Type::Opaque(_) => 4,
            Type::Bool | Type::Void | Type::Function { .. } | Type::Unsupported(_) => 1,
        }
    }

    fn field_align(&self, id: TypeId) -> u64 {
        let align = self.align(id);
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
            Opaque::MutexAttr | Opaque::CondAttr | Opaque::BarrierAttr => 4,
        }
    }

    /// Gives a record its members and lays them out. Bit-fields are packed as gcc does on x86:
    /// one does not cross a boundary of its declared type. An incomplete member has size 0 (a
    /// flexible array).
    pub fn complete_record(&mut self, id: RecordId, mut fields: Vec<Field>) {
        let (union, packed) = (self.records[id].union, self.records[id].packed);
        let (mut bit, mut size, mut align) = (0u64, 0u64, 1u64);
        for f in &mut fields {
            let fsize = self.size(f.ty.id).unwrap_or(0);
            let falign = if packed { 1 } else { self.field_align(f.ty.id) };
            if union {
                bit = 0;
            }
            match f.bits {
                Some(0) => bit = round_up(bit, 8 * falign),
                Some(n) => {
                    let unit = 8 * fsize.max(1);
                    if !packed && bit / unit != (bit + n - 1) / unit {
                        bit = round_up(bit, unit);
                    }
                    f.offset = bit / unit * unit / 8;
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
        let record = &mut self.records[id];
        record.size = round_up(size, align.max(record.align));
        record.align = align.max(record.align);
        record.fields = Some(fields);
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
            Type::Opaque(Opaque::Mutex) => {
                out.push(LeafInfo { offset, kind: LeafKind::MutexOwner, path });
            }
            Type::Opaque(_) => {}
            Type::Array(of, n) => {
                let size = self.size(of.id).ok_or("an array of an incomplete type")?;
                for i in 0..n.unwrap_or(0) {
                    self.collect(of.id, offset + i * size, format!("{path}[{i}]"), out)?;
                }
            }
            Type::Record(r) => {
                let record = &self.records[*r];
                if record.union {
                    return Err("a union".into());
                }
                for f in record.fields.as_ref().ok_or("an incomplete struct")? {
                    if f.bits.is_some() {
                        return Err("a bit-field".into());
                    }
                    let name = if f.name.is_empty() { "<anonymous>" } else { &f.name };
                    self.collect(f.ty.id, offset + f.offset, format!("{path}.{name}"), out)?;
                }
            }
            Type::Float(_) => return Err("a floating-point type".into()),
            Type::Vla(_) => return Err("a variable-length array".into()),
            Type::Void => return Err("an object of type void".into()),
            Type::Function { .. } => return Err("a function as an object".into()),
            Type::Unsupported(what) => return Err((*what).into()),
        }
        Ok(())
    }
}
