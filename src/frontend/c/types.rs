//! C types, interned: equal types have equal ids, structs and unions are nominal.

use super::hir::LocalId;
use crate::base::{HashMap, IndexVec};

/// The largest alignment, in bytes, that a program may ask for.
pub const LARGEST_ALIGNMENT: u64 = 1 << 16;

crate::define_id! {
    /// An interned C type of one [`Types`].
    pub struct TypeId, "t";
    /// A struct or union of one [`Types`].
    pub struct RecordId, "r";
}

/// How wide the C types are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntKind {
    /// `char`, signed.
    Char,
    /// `signed char`.
    SChar,
    /// `unsigned char`.
    UChar,
    /// `short`.
    Short,
    /// `unsigned short`.
    UShort,
    /// `int`.
    Int,
    /// `unsigned int`.
    UInt,
    /// `long`.
    Long,
    /// `unsigned long`.
    ULong,
    /// `long long`.
    LongLong,
    /// `unsigned long long`.
    ULongLong,
}

impl IntKind {
    /// Whether values may be negative.
    pub fn signed(self) -> bool {
        use IntKind as K;
        matches!(self, K::Char | K::SChar | K::Short | K::Int | K::Long | K::LongLong)
    }

    /// Conversion rank; `_Bool` is below all.
    pub fn rank(self) -> u32 {
        use IntKind as K;
        match self {
            K::Char | K::SChar | K::UChar => 1,
            K::Short | K::UShort => 2,
            K::Int | K::UInt => 3,
            K::Long | K::ULong => 4,
            K::LongLong | K::ULongLong => 5,
        }
    }

    /// The unsigned type of the same rank.
    pub fn to_unsigned(self) -> Self {
        use IntKind as K;
        match self {
            K::Char | K::SChar | K::UChar => K::UChar,
            K::Short | K::UShort => K::UShort,
            K::Int | K::UInt => K::UInt,
            K::Long | K::ULong => K::ULong,
            K::LongLong | K::ULongLong => K::ULongLong,
        }
    }
}

/// Types of libraries that have no C structure here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opaque {
    /// `pthread_mutex_t`: the owner at offset 0.
    Mutex,
    /// `pthread_mutexattr_t`.
    MutexAttr,
    /// `pthread_attr_t`.
    ThreadAttr,
    /// `pthread_cond_t`.
    Cond,
    /// `pthread_condattr_t`.
    CondAttr,
    /// `pthread_rwlock_t`.
    RwLock,
    /// `pthread_rwlockattr_t`.
    RwLockAttr,
    /// `pthread_barrier_t`.
    Barrier,
    /// `pthread_barrierattr_t`.
    BarrierAttr,
    /// `sem_t`.
    Semaphore,
    /// `pthread_spinlock_t`.
    Spin,
}

impl Opaque {
    /// The library type of this typedef name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "pthread_mutex_t" | "mtx_t" => Opaque::Mutex,
            "pthread_mutexattr_t" => Opaque::MutexAttr,
            "pthread_attr_t" => Opaque::ThreadAttr,
            "pthread_cond_t" | "cnd_t" => Opaque::Cond,
            "pthread_condattr_t" => Opaque::CondAttr,
            "pthread_rwlock_t" => Opaque::RwLock,
            "pthread_rwlockattr_t" => Opaque::RwLockAttr,
            "pthread_barrier_t" => Opaque::Barrier,
            "pthread_barrierattr_t" => Opaque::BarrierAttr,
            "sem_t" => Opaque::Semaphore,
            "pthread_spinlock_t" => Opaque::Spin,
            _ => return None,
        })
    }

    /// The typedef name.
    pub fn name(self) -> &'static str {
        match self {
            Opaque::Mutex => "pthread_mutex_t",
            Opaque::MutexAttr => "pthread_mutexattr_t",
            Opaque::ThreadAttr => "pthread_attr_t",
            Opaque::Cond => "pthread_cond_t",
            Opaque::CondAttr => "pthread_condattr_t",
            Opaque::RwLock => "pthread_rwlock_t",
            Opaque::RwLockAttr => "pthread_rwlockattr_t",
            Opaque::Barrier => "pthread_barrier_t",
            Opaque::BarrierAttr => "pthread_barrierattr_t",
            Opaque::Semaphore => "sem_t",
            Opaque::Spin => "pthread_spinlock_t",
        }
    }
}

/// Qualifiers of a type that matter here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Quals {
    /// `const`.
    pub constant: bool,
    /// `volatile`.
    pub volatile: bool,
    /// `_Atomic`.
    pub atomic: bool,
    /// Alignment in bytes that a declaration asks for; 0 if it is that of the type.
    pub align: u32,
}

impl Quals {
    /// Both qualifications at once.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            constant: self.constant || other.constant,
            volatile: self.volatile || other.volatile,
            atomic: self.atomic || other.atomic,
            align: self.align.max(other.align),
        }
    }

    /// The same without an alignment.
    #[must_use]
    pub fn unaligned(self) -> Self {
        Self { align: 0, ..self }
    }
}

/// A qualified type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Qt {
    /// The type.
    pub id: TypeId,
    /// Its qualifiers.
    pub quals: Quals,
}

impl Qt {
    /// The type without qualifiers.
    pub fn plain(id: TypeId) -> Self {
        Self { id, quals: Quals::default() }
    }
}

/// A C type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`.
    Void,
    /// `_Bool`.
    Bool,
    /// A standard integer type other than `_Bool`; enumerations are one of these.
    Int(IntKind),
    /// A floating type of this size in bytes.
    Float(u64),
    /// A pointer.
    Pointer(Qt),
    /// An array; `None` is an incomplete array.
    Array(Qt, Option<u64>),
    /// An array whose length, or that of its elements, is no constant, and the variable that
    /// holds its length; none in a prototype.
    Vla(Qt, Option<LocalId>),
    /// A struct or union.
    Record(RecordId),
    /// A function.
    Function {
        /// What it returns.
        ret: Qt,
        /// Its parameters; `None` if there is no prototype.
        params: Option<Vec<Qt>>,
        /// Whether more arguments may follow.
        variadic: bool,
    },
    /// A type of a library.
    Opaque(Opaque),
    /// A type that exists but cannot be used, such as a vector.
    Unsupported(&'static str),
}

/// A member of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; empty for an anonymous struct or union.
    pub name: String,
    /// Its type.
    pub ty: Qt,
    /// Width in bits of a bit-field.
    pub bits: Option<u64>,
    /// Byte offset; 0 until the layout is known. Of a bit-field: that of its storage unit.
    pub offset: u64,
    /// Size of a bit-field's storage unit in bytes, 0 for other members.
    pub unit: u64,
    /// Position of a bit-field's lowest bit in its storage unit.
    pub bit: u64,
    /// Alignment that its declaration asks for; 0 if none.
    pub align: u64,
    /// Whether it is packed though its record may not be.
    pub packed: bool,
}

impl Field {
    /// A member whose place is not known yet.
    pub fn new(name: String, ty: Qt, bits: Option<u64>) -> Self {
        Self { name, ty, bits, offset: 0, unit: 0, bit: 0, align: 0, packed: false }
    }

    /// Where a bit-field is; `None` for other members.
    pub fn bit_place(&self) -> Option<super::hir::BitPlace> {
        let width = self.bits? as u32;
        let (unit, bit) = (self.unit as u32, self.bit as u32);
        Some(super::hir::BitPlace { offset: self.offset, unit, bit, width })
    }
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its tag, or a made-up name.
    pub name: String,
    /// Whether it is a union.
    pub union: bool,
    /// Its members with their offsets; `None` while it is incomplete.
    pub fields: Option<Vec<Field>>,
    /// Size in bytes, once complete.
    pub size: u64,
    /// Alignment in bytes, once complete.
    pub align: u64,
    /// Alignment limit of a packed record.
    pub packed: bool,
}

/// The types of a program.
#[derive(Clone, Debug)]
pub struct Types {
    types: IndexVec<TypeId, Type>,
    known: HashMap<Type, TypeId>,
    /// The structs and unions.
    pub records: IndexVec<RecordId, Record>,
    /// `pthread_t`: an `unsigned long` that is told apart because few of its values mean
    /// something.
    pub thread_id: TypeId,
    /// Size of a pointer and of `long` in bytes, 4 or 8.
    pub word: u64,
}

impl Types {
    /// No type but the basic ones; `word` is the size of a pointer in bytes.
    pub fn new(word: u64) -> Self {
        let mut types = IndexVec::new();
        let thread_id = types.push(Type::Int(IntKind::ULong));
        Self { types, known: HashMap::default(), records: IndexVec::new(), thread_id, word }
    }

    /// The id of a type.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.known.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.known.insert(ty, id);
        id
    }

    /// The type.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }

    /// An integer type.
    pub fn int(&mut self, kind: IntKind) -> TypeId {
        self.intern(Type::Int(kind))
    }

    /// A pointer type.
    pub fn pointer(&mut self, to: Qt) -> TypeId {
        self.intern(Type::Pointer(to))
    }

    /// `size_t`.
    pub fn size_type(&mut self) -> TypeId {
        self.int(if self.word == 8 { IntKind::ULong } else { IntKind::UInt })
    }

    /// `ptrdiff_t`.
    pub fn diff_type(&mut self) -> TypeId {
        self.int(if self.word == 8 { IntKind::Long } else { IntKind::Int })
    }

    /// Size of an integer type in bytes.
    pub fn int_size(&self, kind: IntKind) -> u64 {
        match kind.rank() {
            1 => 1,
            2 => 2,
            3 => 4,
            4 => self.word,
            _ => 8,
        }
    }

    /// Whether it is an integer type.
    pub fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_) | Type::Bool)
    }

    /// Whether it is a pointer type.
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer(_))
    }

    /// Whether it is an integer or pointer type: held in one variable.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        self.is_integer(id) || self.is_pointer(id)
    }

    /// What a pointer points to.
    pub fn pointee(&self, id: TypeId) -> Option<Qt> {
        match self.get(id) {
            Type::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    /// Whether arithmetic on it is signed.
    pub fn is_signed(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(k) if k.signed())
    }

    /// Width of a scalar type in bits.
    ///
    /// # Panics
    /// If the type is not scalar.
    pub fn width(&self, id: TypeId) -> u32 {
        match self.get(id) {
            Type::Bool => 8,
            Type::Int(k) => 8 * self.int_size(*k) as u32,
            Type::Pointer(_) => 8 * self.word as u32,
            other => panic!("{other:?} is not scalar"),
        }
    }

    /// The type as a C programmer writes it, for messages.
    pub fn show(&self, id: TypeId) -> String {
        match self.get(id) {
            Type::Void => "void".into(),
            Type::Bool => "_Bool".into(),
            Type::Int(k) => show_int(*k).into(),
            Type::Float(4) => "float".into(),
            Type::Float(8) => "double".into(),
            Type::Float(_) => "long double".into(),
            Type::Pointer(to) => format!("{} *", self.show(to.id)),
            Type::Array(of, Some(n)) => format!("{}[{n}]", self.show(of.id)),
            Type::Array(of, None) => format!("{}[]", self.show(of.id)),
            Type::Vla(of, _) => format!("{}[*]", self.show(of.id)),
            Type::Record(r) => {
                let word = if self.records[*r].union { "union" } else { "struct" };
                format!("{word} {}", self.records[*r].name)
            }
            Type::Function { ret, .. } => format!("{} (...)", self.show(ret.id)),
            Type::Opaque(o) => o.name().into(),
            Type::Unsupported(what) => (*what).into(),
        }
    }
}

fn show_int(kind: IntKind) -> &'static str {
    use IntKind as K;
    match kind {
        K::Char => "char",
        K::SChar => "signed char",
        K::UChar => "unsigned char",
        K::Short => "short",
        K::UShort => "unsigned short",
        K::Int => "int",
        K::UInt => "unsigned int",
        K::Long => "long",
        K::ULong => "unsigned long",
        K::LongLong => "long long",
        K::ULongLong => "unsigned long long",
    }
}
