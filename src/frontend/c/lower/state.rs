//! The state of lowering, its diagnostics, variables and sites.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;
use lang_c::span::Span as LSpan;

use super::super::hir::{Expr, FuncId, GlobalId, Hir, LabelId, Loc, LocalId, StrId};
use super::super::source::Parsed;
use super::super::types::TypeId;
use super::LowerOptions;
use super::block::{Block, Graph};
use super::firmware::Interrupts;
use super::join::{Codes, IdSource};
use super::late::Late;
use super::shared::SharedBodies;
use super::variadic::Extra;
use crate::base::{Diagnostic, HashMap, HashSet, Id, Span};
use crate::program::{
    InputId, InputVar, LocId, ObjId, ProgExpr, Program, Role, Scope, Site, SiteId, SiteKind,
    ThreadId, VarId, Variable,
};

pub type R<T> = Result<T, Diagnostic>;

/// Most edges of one thread.
pub const MAX_EDGES: usize = 200_000;

/// Where a local variable is.
#[derive(Clone, Debug)]
pub enum Storage {
    /// In plain variables, by byte offset.
    Vars(Arc<[(u64, VarId)]>),
    /// In memory.
    Object(ObjId),
    /// A parameter that is this constant wherever this call uses it.
    Value(ProgExpr),
    /// A parameter that is this function.
    Func(FuncId),
}

/// A function whose body is being lowered.
pub struct Frame {
    pub func: FuncId,
    /// How many calls of the same function it is in.
    pub nesting: usize,
    /// Parameters that are constants in this call.
    pub bound: HashMap<LocalId, Storage>,
    /// Declared variables whose scope has not ended, outermost first.
    pub in_scope: Vec<LocalId>,
    pub labels: HashMap<LabelId, LocId>,
    /// The arguments behind the named ones, if the function looks at them.
    pub extra: Vec<Extra>,
    /// Where `break` leads and how many variables are in scope there.
    pub breaks: Vec<(LocId, usize)>,
    /// As `breaks`, for `continue`.
    pub continues: Vec<(LocId, usize)>,
    /// Where `return` leads.
    pub exit: LocId,
    /// Where the result goes, by byte offset.
    pub result: Vec<(u64, VarId)>,
    /// Whether somebody looks at the result.
    pub used: bool,
    /// The statement that calls it.
    pub caller: Context,
    /// Position of the statement that is being lowered.
    pub position: u32,
    /// What `alloca` made, which lives until the function ends.
    pub stack: Vec<ObjId>,
    /// Whether other calls share the body, so that nothing of this call is known in it.
    pub shared: bool,
}

/// The statement that edges are attributed to.
#[derive(Clone)]
pub struct Context {
    pub span: Span,
    pub text: Arc<str>,
}

/// Temporaries of one width: those taken are `vars[..used]`.
#[derive(Clone, Default)]
pub struct Temps {
    pub vars: Vec<VarId>,
    pub used: usize,
}

/// The thread instances of one create site.
pub struct PoolInfo {
    pub instances: Vec<ThreadId>,
    /// Whether an instance may be created again.
    pub reusable: bool,
}

/// How an instance comes to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The program creates it, or it is the first one.
    Created,
    /// An option says so.
    Given,
    /// It is an interrupt handler.
    Interrupt,
}

/// A thread instance.
pub struct Instance {
    pub start: FuncId,
    pub kind: Kind,
    pub status: VarId,
    pub argument: VarId,
    /// What a thread of CBMC's own gets besides, in the order of its parameters.
    pub more: Vec<VarId>,
    pub result: VarId,
    /// Where its id is stored, if that is one variable.
    pub id: Option<VarId>,
    /// Whether it has been joined, where it may be twice.
    pub joined: Option<VarId>,
    /// Index of its pool; none for `main`.
    pub pool: Option<usize>,
    /// How often it may run at most; `None` is any number.
    pub runs: Option<u64>,
    /// The start functions of its creator, of its creator's creator, ...
    pub ancestors: Vec<FuncId>,
}

/// Names a variable gets once the threads have names.
#[derive(Clone, Debug)]
pub struct Name {
    pub thread: Option<ThreadId>,
    pub rest: String,
}

/// A `pthread_join`: its edges are made when all instances are known.
pub struct Join {
    pub thread: ThreadId,
    pub from: LocId,
    pub to: LocId,
    /// What is joined, over locals of the thread.
    pub id: ProgExpr,
    /// Where the thread's result goes.
    pub result: VarId,
    /// Where the id comes from.
    pub source: IdSource,
    /// Where the code goes, if it may be another one than 0.
    pub code: Option<VarId>,
    pub codes: Codes,
    pub context: Context,
    pub site: Option<SiteId>,
    /// The site if it may not block (inside an atomic section).
    pub blocked: Option<SiteId>,
}

/// A thread whose graph is complete but for joins and ends.
pub struct Built {
    pub graph: Graph,
    pub start: LocId,
}

pub struct Lower<'a> {
    pub hir: &'a Hir,
    pub units: Vec<&'a Parsed>,
    /// How many of the units the user gave; others are the library's.
    pub authored: usize,
    pub options: LowerOptions,
    pub prog: Program,
    pub var_names: Vec<Name>,
    pub input_names: Vec<Name>,
    pub object_names: Vec<Name>,
    pub next_address: u64,
    /// The objects of global variables, or what is wrong with their initialisers.
    pub globals: HashMap<GlobalId, R<ObjId>>,
    /// The objects of thread-local variables.
    pub thread_objects: HashMap<(GlobalId, ThreadId), ObjId>,
    pub strings: HashMap<StrId, ObjId>,
    /// The objects that stand for functions.
    pub functions: IndexMap<FuncId, ObjId>,
    /// The objects of the heap.
    pub heap: Vec<ObjId>,
    /// What an allocation that is being lowered is for.
    pub heap_type: Option<TypeId>,
    /// The functions whose address is taken.
    pub address_taken: Vec<FuncId>,
    /// Objects that never change.
    pub constants: HashSet<ObjId>,
    /// The objects whose addresses variables of static objects hold at the start.
    pub initial_addresses: HashMap<VarId, ObjId>,
    pub sites: IndexMap<(SiteKind, Span, Arc<str>), SiteId>,
    pub instances: Vec<Instance>,
    pub pools: Vec<PoolInfo>,
    pub joins: Vec<Join>,
    /// The joins and detaches: where the id comes from, and how often they may run.
    pub id_uses: Vec<(IdSource, Option<u64>)>,
    /// How many create sites store an id in a variable.
    pub id_stores: HashMap<VarId, usize>,
    pub late: Vec<Late>,
    /// What may be added to all semaphores together, initial values included.
    pub semaphore_posts: u64,
    /// The threads that can wait at a condition variable.
    pub cond_waiters: BTreeSet<ThreadId>,
    /// The `errno` of each thread that uses it.
    pub errno: HashMap<ThreadId, ObjId>,
    pub built: Vec<Built>,
    // The thread that is being built.
    pub thread: ThreadId,
    pub graph: Graph,
    pub cur: Option<LocId>,
    /// Depth of atomic sections here.
    pub depth: u32,
    pub block: Block,
    pub context: Context,
    /// Temporaries by the shared body that they are of (0: none) and their width.
    pub temps: IndexMap<(usize, u32), Temps>,
    pub shared: SharedBodies,
    pub frames: Vec<Frame>,
    /// The variable arguments of the call that is about to be entered.
    pub extra: Vec<Extra>,
    pub storage: HashMap<(FuncId, usize, LocalId), Storage>,
    /// Local objects that are alive for sure here.
    pub alive: Vec<ObjId>,
    /// Objects that live as long as the thread.
    pub alive_with_thread: Vec<ObjId>,
    /// The objects of variable-length arrays, one for each length.
    pub variable_arrays: HashMap<(FuncId, usize, LocalId), Vec<ObjId>>,
    /// Objects of the hardware.
    pub mmio: Vec<GlobalId>,
    pub interrupts: Interrupts,
    /// How often each open loop may run its body, outermost first; `None` is any number.
    pub loops: Vec<Option<u64>>,
    /// How often the code of the loops that are written out is repeated here.
    pub copies: u64,
}

impl Lower<'_> {
    pub fn span(&self, loc: Loc) -> Span {
        self.units[loc.unit as usize].lines.span(LSpan::span(loc.start, loc.end))
    }

    /// The source text, on one line and not too long.
    pub fn text(&self, loc: Loc) -> Arc<str> {
        let text = self.units[loc.unit as usize].lines.text(LSpan::span(loc.start, loc.end));
        let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.chars().count() > 120 {
            text = text.chars().take(117).chain("...".chars()).collect();
        }
        text.into()
    }

    pub fn context_at(&self, loc: Loc) -> Context {
        Context { span: self.span(loc), text: self.text(loc) }
    }

    pub fn error(&self, loc: Loc, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.span(loc), message)
    }

    pub fn unsupported(&self, loc: Loc, what: &str) -> Diagnostic {
        self.error(loc, format!("{what} is not modelled yet"))
            .note("rewrite the program without it, or leave the function that uses it uncalled")
    }

    pub fn pointer_bits(&self) -> u32 {
        8 * self.prog.pointer_bytes
    }

    pub fn new_var(&mut self, name: Name, mut var: Variable) -> VarId {
        var.name.clear();
        self.var_names.push(name);
        self.prog.vars.push(var)
    }

    /// A variable that only this thread uses.
    pub fn new_local(&mut self, rest: String, width: u32, signed: bool, role: Role) -> VarId {
        let name = Name { thread: Some(self.thread), rest };
        let var = Variable {
            name: String::new(),
            width,
            signed,
            scope: Scope::Local(self.thread),
            role,
            init: 0,
            object: None,
            span: None,
        };
        self.new_var(name, var)
    }

    /// A shared variable of the model itself.
    pub fn new_shared(&mut self, name: Name, width: u32, role: Role) -> VarId {
        let var = Variable {
            name: String::new(),
            width,
            signed: false,
            scope: Scope::Shared,
            role,
            init: 0,
            object: None,
            span: None,
        };
        self.new_var(name, var)
    }

    /// A temporary that stays taken until the statement ends.
    pub fn temp(&mut self, width: u32) -> VarId {
        let key = (self.shared.current(), width);
        let temps = self.temps.entry(key).or_default();
        if let Some(&v) = temps.vars.get(temps.used) {
            temps.used += 1;
            return v;
        }
        let n = temps.used;
        let v = self.new_local(format!("tmp{width}.{n}"), width, false, Role::Temp);
        let temps = self.temps.entry(key).or_default();
        temps.vars.push(v);
        temps.used += 1;
        v
    }

    /// How many temporaries are taken, for [`Lower::release`].
    pub fn temp_mark(&self) -> Vec<usize> {
        self.temps.values().map(|t| t.used).collect()
    }

    /// Gives back the temporaries taken since the mark.
    pub fn release(&mut self, mark: &[usize]) {
        for (i, t) in self.temps.values_mut().enumerate() {
            t.used = mark.get(i).copied().unwrap_or(0);
        }
    }

    /// A fresh choice; it belongs to the edge that is pending.
    pub fn fresh_input(&mut self, what: &str, width: u32) -> ProgExpr {
        let rest = match self.frames.last() {
            Some(f) => format!("{}.{what}", self.hir.funcs[f.func].name),
            None => what.to_string(),
        };
        self.input_names.push(Name { thread: Some(self.thread), rest });
        let id: InputId = self.prog.inputs.push(InputVar { name: String::new(), width });
        self.prog.input(id)
    }

    pub fn site(&mut self, kind: SiteKind, span: Span, text: Arc<str>) -> SiteId {
        let key = (kind, span, text);
        if let Some(&id) = self.sites.get(&key) {
            return id;
        }
        let (kind, span, text) = key.clone();
        let id = self.prog.sites.push(Site { kind, span, text });
        self.sites.insert(key, id);
        id
    }

    /// The site for undefined behaviour of an expression; none if it is assumed away.
    pub fn undefined_site(&mut self, kind: crate::program::Undefined, loc: Loc) -> Option<SiteId> {
        if self.options.assume_defined {
            return None;
        }
        let (span, text) = (self.span(loc), self.text(loc));
        Some(self.site(SiteKind::Undefined(kind), span, text))
    }

    /// The thread's number in mutex owners and `pthread_t` values.
    pub fn self_number(&self) -> u128 {
        self.thread.index() as u128 + 1
    }

    pub fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("statements are inside of a function")
    }

    /// Runs `f` with edges attributed to `loc`, then goes back to what was.
    pub fn with_context<T>(&mut self, loc: Loc, f: impl FnOnce(&mut Self) -> R<T>) -> R<T> {
        let context = self.context_at(loc);
        let old = std::mem::replace(&mut self.context, context);
        let result = f(self);
        self.context = old;
        result
    }
}

/// The innermost expression below conversions.
pub fn below_casts(e: &Expr) -> &Expr {
    let mut e = e;
    while let super::super::hir::ExprKind::Cast(inner) = &e.kind {
        e = inner;
    }
    e
}
