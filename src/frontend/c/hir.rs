//! The typed tree of a C program: names resolved, conversions explicit, constants folded.
//!
//! An expression is an lvalue (`Local`, `Global`, `Str`, `Deref`, `Index`, `Member`, `Literal`),
//! a function designator (`Func`), or a value; [`ExprKind::Load`] turns an lvalue into its value.

use super::types::{Qt, TypeId, Types};
use crate::base::{HashMap, HashSet, IndexVec};

crate::define_id! {
    /// A local variable or parameter of one function.
    pub struct LocalId, "local";
    /// A function of the program.
    pub struct FuncId, "fn";
    /// An object of static storage duration.
    pub struct GlobalId, "g";
    /// A label of one function, `case` and `default` included.
    pub struct LabelId, "label";
    /// A string literal.
    pub struct StrId, "s";
}

/// A range of the text of one source unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loc {
    /// Index of the unit.
    pub unit: u32,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// An operator with two operands of one type (shifts: of two).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

impl BinOp {
    /// Whether the result is the `int` 0 or 1.
    pub fn is_comparison(self) -> bool {
        use BinOp as B;
        matches!(self, B::Eq | B::Ne | B::Lt | B::Le | B::Gt | B::Ge)
    }

    /// Whether gcc may swap the operands (comparisons then turn around).
    pub fn swaps(self) -> bool {
        use BinOp as B;
        self.is_comparison() || matches!(self, B::Add | B::Mul | B::And | B::Or | B::Xor)
    }
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type, with qualifiers if it is an lvalue.
    pub ty: Qt,
    /// Where it stands.
    pub loc: Loc,
}

/// How a modifying operator computes.
#[derive(Clone, Debug)]
pub struct Modify {
    /// The lvalue.
    pub target: Expr,
    /// The operator.
    pub op: BinOp,
    /// The right operand, converted.
    pub rhs: Expr,
    /// The type that the operator computes in; for pointers the pointer type.
    pub at: TypeId,
    /// Size of what a pointer points to; 0 if the target is no pointer.
    pub scale: u64,
    /// Whether the value of the expression is the old one (postfix).
    pub old: bool,
}

/// Where a bit-field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitPlace {
    /// Byte offset of its storage unit in the struct.
    pub offset: u64,
    /// Size of the storage unit in bytes.
    pub unit: u32,
    /// Its lowest bit in the unit.
    pub bit: u32,
    /// Its width in bits.
    pub width: u32,
}

/// An atomic operation on an object.
#[derive(Clone, Debug)]
pub struct Atomic {
    /// What is done.
    pub op: AtomicOp,
    /// The object, an lvalue.
    pub target: Expr,
    /// Values of the object's type; see [`AtomicOp`].
    pub args: Vec<Expr>,
}

/// What an atomic operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOp {
    /// Gives the value. No arguments.
    Load,
    /// Writes the argument.
    Store,
    /// Writes the argument, gives the old value.
    Exchange,
    /// Applies an operator (`None` is nand) with the argument.
    Update {
        /// The operator.
        op: Option<BinOp>,
        /// Whether it gives the new value rather than the old one.
        new: bool,
    },
    /// Writes the second argument if the value is that of the first, an lvalue, and tells whether
    /// it was; if not, the value goes there.
    CompareExchange {
        /// Whether it may fail for no reason.
        weak: bool,
    },
    /// Writes the second argument if the value is the first.
    Swap {
        /// Whether it gives the old value rather than whether it wrote.
        value: bool,
    },
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant of scalar type, below `2^width`.
    Int(u128),
    /// A local variable.
    Local(LocalId),
    /// A global or static variable.
    Global(GlobalId),
    /// A function.
    Func(FuncId),
    /// A string literal, an array.
    Str(StrId),
    /// What a pointer points to.
    Deref(Box<Expr>),
    /// An element of an array.
    Index(Box<Expr>, Box<Expr>),
    /// A member at this byte offset of a struct.
    Member(Box<Expr>, u64),
    /// A bit-field of a struct.
    BitField(Box<Expr>, BitPlace),
    /// Not an expression but the value of a bit-field in an [`Init`].
    Bits(Box<Expr>, BitPlace),
    /// A compound literal: initialises the local, then is that local.
    Literal(LocalId, Init),
    /// The value of an lvalue.
    Load(Box<Expr>),
    /// The address of an lvalue or function; arrays and functions decay by it.
    AddrOf(Box<Expr>),
    /// Conversion to the type of this expression.
    Cast(Box<Expr>),
    /// `-`
    Neg(Box<Expr>),
    /// `~`
    BitNot(Box<Expr>),
    /// `!`
    Not(Box<Expr>),
    /// An arithmetic or comparing operator.
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// Whether the result of an operator, which knows no bounds, is none of a type.
    Overflows(BinOp, Box<Expr>, Box<Expr>, TypeId),
    /// Pointer plus (or minus, if the flag is set) an index of pointer width times a size.
    PtrAdd(Box<Expr>, Box<Expr>, u64, bool),
    /// Difference of two pointers, over a size.
    PtrDiff(Box<Expr>, Box<Expr>, u64),
    /// `&&`
    LogAnd(Box<Expr>, Box<Expr>),
    /// `||`
    LogOr(Box<Expr>, Box<Expr>),
    /// `?:`
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `,`
    Comma(Box<Expr>, Box<Expr>),
    /// `=`
    Assign(Box<Expr>, Box<Expr>),
    /// `op=`, `++`, `--`
    Modify(Box<Modify>),
    /// An atomic operation.
    Atomic(Box<Atomic>),
    /// What `va_start` stores in the list.
    VaStart,
    /// `va_arg` of the list, an lvalue.
    VaArg(Box<Expr>),
    /// A call of a function designator or of a pointer value.
    Call(Box<Expr>, Vec<Expr>),
    /// A statement expression and its value.
    Block(Vec<Stmt>, Option<Box<Expr>>),
}

impl Expr {
    /// The value of a constant.
    pub fn as_int(&self) -> Option<u128> {
        match self.kind {
            ExprKind::Int(v) => Some(v),
            _ => None,
        }
    }

    /// Whether evaluating it changes something or calls.
    pub fn has_side_effects(&self) -> bool {
        let mut found = false;
        self.walk(&mut |e| {
            found |= matches!(
                e.kind,
                ExprKind::Assign(..)
                    | ExprKind::Modify(_)
                    | ExprKind::Call(..)
                    | ExprKind::Block(..)
                    | ExprKind::Literal(..)
                    | ExprKind::Atomic(_)
                    | ExprKind::VaArg(_)
            );
        });
        found
    }

    /// Calls `f` with this expression and all below it, but not inside statement expressions'
    /// statements.
    pub fn walk<'a>(&'a self, f: &mut impl FnMut(&'a Expr)) {
        f(self);
        self.children(&mut |e| e.walk(f));
    }

    /// Calls `f` with each operand.
    pub fn children<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        use ExprKind as K;
        match &self.kind {
            K::Int(_) | K::Local(_) | K::Global(_) | K::Func(_) | K::Str(_) | K::VaStart => {}
            K::Deref(a)
            | K::Member(a, _)
            | K::BitField(a, _)
            | K::Bits(a, _)
            | K::Load(a)
            | K::AddrOf(a)
            | K::VaArg(a)
            | K::Cast(a) => f(a),
            K::Neg(a) | K::BitNot(a) | K::Not(a) => f(a),
            K::Index(a, b) | K::Binary(_, a, b) | K::PtrAdd(a, b, ..) => {
                f(a);
                f(b);
            }
            K::PtrDiff(a, b, _) | K::LogAnd(a, b) | K::LogOr(a, b) | K::Overflows(_, a, b, _) => {
                f(a);
                f(b);
            }
            K::Comma(a, b) | K::Assign(a, b) => {
                f(a);
                f(b);
            }
            K::Cond(a, b, c) => {
                f(a);
                f(b);
                f(c);
            }
            K::Modify(m) => {
                f(&m.target);
                f(&m.rhs);
            }
            K::Atomic(a) => {
                f(&a.target);
                a.args.iter().for_each(f);
            }
            K::Call(callee, args) => {
                f(callee);
                args.iter().for_each(f);
            }
            K::Literal(_, init) => init.entries.iter().for_each(|(_, e)| f(e)),
            K::Block(_, value) => {
                if let Some(v) = value {
                    f(v);
                }
            }
        }
    }
}

/// The initialisation of an object.
#[derive(Clone, Debug, Default)]
pub struct Init {
    /// Byte offset and value (scalar, or a whole struct), in the order of evaluation; a later
    /// entry overrides an earlier one.
    pub entries: Vec<(u64, Expr)>,
    /// Whether all other bytes become zero.
    pub zero: bool,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it stands.
    pub loc: Loc,
    /// Its position in the function, in the order of the text.
    pub id: u32,
}

impl Stmt {
    /// Calls `f` with each statement in this one, itself first, and each whole expression.
    pub fn visit<'a>(&'a self, stmt: &mut dyn FnMut(&'a Stmt), expr: &mut dyn FnMut(&'a Expr)) {
        stmt(self);
        match &self.kind {
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) | StmtKind::GotoAddress(e) => expr(e),
            StmtKind::Decl(_, Some(init)) => init.entries.iter().for_each(|(_, e)| expr(e)),
            StmtKind::Block(list) => list.iter().for_each(|s| s.visit(stmt, expr)),
            StmtKind::If(c, a, b) => {
                expr(c);
                a.visit(stmt, expr);
                if let Some(b) = b {
                    b.visit(stmt, expr);
                }
            }
            StmtKind::While(c, b) | StmtKind::DoWhile(b, c) => {
                expr(c);
                b.visit(stmt, expr);
            }
            StmtKind::For(x) => {
                x.init.iter().for_each(|s| s.visit(stmt, expr));
                x.cond.iter().chain(&x.step).for_each(&mut *expr);
                x.body.visit(stmt, expr);
            }
            StmtKind::Switch(x) => {
                expr(&x.value);
                x.body.visit(stmt, expr);
            }
            _ => {}
        }
    }
}

/// A range of case values, as numbers of the switch's type.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// First value, below `2^width`.
    pub low: u128,
    /// Last value, below `2^width`.
    pub high: u128,
    /// Where it leads.
    pub label: LabelId,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// An expression.
    Expr(Expr),
    /// The declaration of an automatic variable.
    Decl(LocalId, Option<Init>),
    /// A compound statement.
    Block(Vec<Stmt>),
    /// `if`
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while`
    While(Expr, Box<Stmt>),
    /// `do while`
    DoWhile(Box<Stmt>, Expr),
    /// `for`
    For(Box<For>),
    /// `switch`
    Switch(Box<Switch>),
    /// A place that can be jumped to.
    Label(LabelId),
    /// `goto`
    Goto(LabelId),
    /// `goto *`: to a label of the function whose address this is.
    GotoAddress(Expr),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return(Option<Expr>),
    /// `;`
    Empty,
}

/// A `for` statement.
#[derive(Clone, Debug)]
pub struct For {
    /// What comes first.
    pub init: Vec<Stmt>,
    /// The condition, always true if missing.
    pub cond: Option<Expr>,
    /// What follows the body.
    pub step: Option<Expr>,
    /// The body.
    pub body: Stmt,
}

/// A `switch` statement.
#[derive(Clone, Debug)]
pub struct Switch {
    /// The value, promoted.
    pub value: Expr,
    /// The body, with its labels.
    pub body: Stmt,
    /// Its cases.
    pub cases: Vec<Case>,
    /// Its `default`.
    pub default: Option<LabelId>,
}

/// A local variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its C name, made unique in the function.
    pub name: String,
    /// Its type.
    pub ty: Qt,
    /// Where it is declared.
    pub loc: Loc,
    /// Whether a pointer to it may exist.
    pub address_taken: bool,
    /// Whether one of its arrays is indexed by what is no constant, or it is volatile.
    pub in_memory: bool,
    /// How many assignments there are, initialisers not counted.
    pub assigned: u32,
    /// For the pointer that stands for a variable-length array: the variable with its length.
    pub length: Option<LocalId>,
    /// For such a pointer: the type of the array.
    pub array: Option<Qt>,
}

/// A label.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name, if it is no `case` or `default`.
    pub name: Option<String>,
    /// The locals whose scope it is in, outermost first.
    pub in_scope: Vec<LocalId>,
    /// Position of the label in the function; `None` until it is defined.
    pub at: Option<u32>,
    /// Where it is named first.
    pub loc: Loc,
    /// The value of its address, if it is taken.
    pub address: Option<u64>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Func {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Where it is declared.
    pub loc: Loc,
    /// Its definition, once analysed.
    pub body: Option<Body>,
}

/// The definition of a function.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its parameters.
    pub params: Vec<LocalId>,
    /// Its variables.
    pub locals: IndexVec<LocalId, Local>,
    /// Its labels.
    pub labels: IndexVec<LabelId, Label>,
    /// The positions of its `goto`s and where they lead.
    pub gotos: Vec<(u32, LabelId)>,
    /// Its statements.
    pub stmts: Vec<Stmt>,
    /// Whether it looks at variable arguments.
    pub va_start: bool,
    /// Where it ends.
    pub end: Loc,
}

impl Body {
    /// Whether a statement at this position may be repeated by a `goto` backwards: each cycle
    /// has a jump backwards over each of its statements.
    pub fn in_goto_cycle(&self, position: u32) -> bool {
        self.gotos.iter().any(|&(from, to)| {
            self.labels[to].at.is_some_and(|at| at <= position && position <= from)
        })
    }
}

/// An object of static storage duration.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name, unique in the program.
    pub name: String,
    /// Its type.
    pub ty: Qt,
    /// Where it is declared.
    pub loc: Loc,
    /// Whether it has a definition, perhaps a tentative one.
    pub defined: bool,
    /// Its initialiser, constants only.
    pub init: Option<Init>,
    /// Whether each thread has its own.
    pub thread_local: bool,
    /// Whether it is thread-local and a pointer to it may exist.
    pub address_taken: bool,
    /// Why it cannot be used, if it cannot.
    pub error: Option<crate::base::Diagnostic>,
}

impl Global {
    /// Whether it is one of the C library's streams, which only the library defines.
    pub fn is_stream(&self) -> bool {
        !self.defined && matches!(&*self.name, "stdin" | "stdout" | "stderr")
    }
}

/// A program.
#[derive(Debug)]
pub struct Hir {
    /// Its types.
    pub types: Types,
    /// Its functions; those reachable from `main` have bodies.
    pub funcs: IndexVec<FuncId, Func>,
    /// Its global variables and static locals.
    pub globals: IndexVec<GlobalId, Global>,
    /// Those that a function with a body names, or the initialiser of one of them.
    pub named_globals: HashSet<GlobalId>,
    /// Its string literals, with the final zero.
    pub strings: IndexVec<StrId, Vec<u8>>,
    /// Where it starts; if it has no entry, the first of its threads.
    pub main: FuncId,
    /// Whether it has an entry.
    pub has_entry: bool,
    /// The names of the functions that what is analysed names.
    pub used: HashSet<String>,
    /// The thread-local variables that what is analysed names.
    pub thread_locals: Vec<GlobalId>,
    /// What runs the destructors of keys at the end of a thread, if there are any.
    pub destructors: Option<FuncId>,
    /// What runs the functions given to `atexit`, if there are any.
    pub exit_handlers: Option<FuncId>,
    /// What stands for functions of the C library without a body.
    pub library: HashMap<FuncId, FuncId>,
    /// The first memory order that is weaker than sequential consistency.
    pub weak_order: Option<Loc>,
    /// Whether a mutex is initialised statically as one of another kind than the normal one.
    pub mutex_kinds: bool,
}

impl Hir {
    /// Whether what is analysed names a function of this name.
    pub fn uses(&self, name: &str) -> bool {
        self.used.contains(name)
    }
}
