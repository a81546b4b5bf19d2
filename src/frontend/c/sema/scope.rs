//! The state of the analysis: scopes, linkage, errors.

use lang_c::ast;
use lang_c::span::{Node, Span as LSpan};

use super::super::firmware::Firmware;
use super::super::hir::{
    Body, Case, Expr, ExprKind, Func, FuncId, Global, GlobalId, Hir, Label, LabelId, Loc, Local,
    LocalId, Stmt, StrId,
};
use super::super::source::{Parsed, authored_name};
use super::super::types::{IntKind, Qt, RecordId, Type, TypeId, Types};
use crate::base::{Diagnostic, HashMap, HashSet, IndexVec, Span};

pub type R<T> = Result<T, Diagnostic>;

/// What an ordinary identifier means.
#[derive(Clone, Debug)]
pub enum Sym {
    Typedef(Qt),
    Constant(u128, TypeId),
    Global(GlobalId),
    Func(FuncId),
    Local(LocalId),
}

/// What a tag means.
#[derive(Clone, Copy, Debug)]
pub enum Tag {
    Record(RecordId),
    Enum(TypeId),
}

#[derive(Debug, Default)]
pub struct Scope {
    pub names: HashMap<String, Sym>,
    pub tags: HashMap<String, Tag>,
}

/// A `switch` whose body is being analysed.
pub struct OpenSwitch {
    pub ty: TypeId,
    pub cases: Vec<Case>,
    pub default: Option<LabelId>,
}

/// The function that is being analysed.
#[derive(Default)]
pub struct OpenFunc {
    pub name: String,
    pub ret: Option<Qt>,
    pub locals: IndexVec<LocalId, Local>,
    pub labels: IndexVec<LabelId, Label>,
    pub label_names: HashMap<String, LabelId>,
    pub gotos: Vec<(u32, LabelId)>,
    /// The positions of its computed `goto`s.
    pub computed_gotos: Vec<u32>,
    pub va_start: bool,
    pub in_scope: Vec<LocalId>,
    pub next_stmt: u32,
    pub switches: Vec<OpenSwitch>,
    pub breakable: u32,
    pub loops: u32,
    pub local_names: HashMap<String, u32>,
}

pub struct Sema<'a> {
    pub units: Vec<&'a Parsed>,
    pub unit: usize,
    pub types: Types,
    pub funcs: IndexVec<FuncId, Func>,
    pub globals: IndexVec<GlobalId, Global>,
    pub strings: IndexVec<StrId, Vec<u8>>,
    /// Names with external linkage, of all units.
    pub externals: HashMap<String, Sym>,
    /// The file scope of the current unit, then the open blocks.
    pub scopes: Vec<Scope>,
    pub defs: HashMap<FuncId, (usize, &'a Node<ast::FunctionDefinition>)>,
    pub open: OpenFunc,
    /// Functions named so far by what was analysed, in order.
    pub named: Vec<FuncId>,
    pub named_set: HashSet<FuncId>,
    pub named_globals: HashSet<GlobalId>,
    /// What evaluates the lengths that are no constants of the types named last.
    pub lengths: Vec<Stmt>,
    /// How many prototypes the analysis is in.
    pub prototype_depth: u32,
    /// What runs the destructors of keys, if keys are used.
    pub destructors: Option<FuncId>,
    /// What runs the functions given to `atexit`, if that is used.
    pub exit_handlers: Option<FuncId>,
    /// How many operands that are not evaluated the analysis is in.
    pub unevaluated_depth: u32,
    pub warnings: Vec<Diagnostic>,
    pub global_names: HashMap<String, u32>,
    pub anonymous: u32,
    /// How many labels have an address.
    pub label_addresses: u64,
    /// The functions of the C library that have a definition here.
    pub library: HashMap<FuncId, FuncId>,
    /// The first memory order that is weaker than sequential consistency.
    pub weak_order: Option<Loc>,
    /// Whether a mutex is initialised as one of another kind than the normal one.
    pub mutex_kinds: bool,
}

/// Analyses a program that may have several source units.
///
/// # Errors
/// What is wrong or not modelled in a declaration of the file scope or in a function that `main`
/// can reach.
pub fn analyse(
    units: &[&Parsed],
    word: u64,
    firmware: &Firmware,
) -> Result<(Hir, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut sema = Sema::new(units, word);
    let mut errors = vec![];
    let mut file_scopes = vec![];
    for (i, unit) in units.iter().enumerate() {
        sema.unit = i;
        sema.scopes = vec![Scope::default()];
        for d in &unit.unit.0 {
            if let Err(e) = sema.external_declaration(d) {
                errors.push(e);
            }
        }
        file_scopes.push(std::mem::take(&mut sema.scopes));
    }
    let entry = firmware.entry.as_deref().unwrap_or("main");
    let first = firmware.roots().next().filter(|_| firmware.entry.is_none());
    let (main, has_entry) = match (sema.defined(entry), first.and_then(|f| sema.defined(f))) {
        (Some(f), _) => (f, true),
        (None, Some(f)) => (f, false),
        (None, None) => {
            let message = format!("no function `{}`", first.unwrap_or(entry));
            errors.push(Diagnostic::error_without_span(message));
            return Err(errors);
        }
    };
    sema.name_function(main);
    for f in firmware.roots() {
        match sema.defined(f) {
            Some(f) => sema.name_function(f),
            None => errors.push(Diagnostic::error_without_span(format!("no function `{f}`"))),
        }
    }
    let mut next = 0;
    while let Some(&f) = sema.named.get(next) {
        next += 1;
        let Some(&(unit, def)) = sema.defs.get(&f) else { continue };
        sema.unit = unit;
        sema.scopes = std::mem::take(&mut file_scopes[unit]);
        if let Err(e) = sema.function_body(f, def) {
            errors.push(e);
        }
        sema.scopes.truncate(1);
        file_scopes[unit] = std::mem::take(&mut sema.scopes);
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let used = sema.named.iter().map(|&f| sema.funcs[f].name.clone()).collect();
    let named = |g: &GlobalId| sema.globals[*g].thread_local && sema.named_globals.contains(g);
    let thread_locals = sema.globals.ids().filter(named).collect();
    let Sema { types, funcs, globals, named_globals, strings, warnings, mutex_kinds, .. } = sema;
    let Sema { weak_order, library, destructors, exit_handlers, .. } = sema;
    let hir = Hir {
        types,
        funcs,
        globals,
        named_globals,
        strings,
        main,
        has_entry,
        used,
        thread_locals,
        destructors,
        exit_handlers,
        library,
        mutex_kinds,
        weak_order,
    };
    Ok((hir, warnings))
}

impl<'a> Sema<'a> {
    fn new(units: &[&'a Parsed], word: u64) -> Self {
        Self {
            units: units.to_vec(),
            unit: 0,
            types: Types::new(word),
            funcs: IndexVec::new(),
            globals: IndexVec::new(),
            strings: IndexVec::new(),
            externals: HashMap::default(),
            scopes: vec![],
            defs: HashMap::default(),
            open: OpenFunc::default(),
            named: vec![],
            named_set: HashSet::default(),
            named_globals: HashSet::default(),
            lengths: vec![],
            prototype_depth: 0,
            destructors: None,
            exit_handlers: None,
            unevaluated_depth: 0,
            warnings: vec![],
            global_names: HashMap::default(),
            anonymous: 0,
            label_addresses: 0,
            library: HashMap::default(),
            weak_order: None,
            mutex_kinds: false,
        }
    }

    /// The function of this name that has a definition, whatever its linkage.
    fn defined(&self, name: &str) -> Option<FuncId> {
        match self.externals.get(name) {
            Some(Sym::Func(f)) if self.defs.contains_key(f) => return Some(*f),
            _ => {}
        }
        let named = |f: &FuncId| self.funcs[*f].name == name && self.defs.contains_key(f);
        self.funcs.ids().find(named)
    }

    pub fn loc(&self, span: LSpan) -> Loc {
        Loc { unit: self.unit as u32, start: span.start, end: span.end }
    }

    pub fn span(&self, loc: Loc) -> Span {
        self.units[loc.unit as usize].lines.span(LSpan::span(loc.start, loc.end))
    }

    pub fn error(&self, span: LSpan, message: impl Into<String>) -> Diagnostic {
        self.error_at(self.loc(span), message)
    }

    pub fn error_at(&self, loc: Loc, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.span(loc), message)
    }

    /// An error about a construct that C has and this front end does not model.
    pub fn unsupported(&self, span: LSpan, what: &str) -> Diagnostic {
        self.error(span, format!("{what} is not modelled yet"))
            .note("rewrite the program without it, or leave the function that uses it uncalled")
    }

    pub fn lookup(&self, name: &str) -> Option<&Sym> {
        self.scopes.iter().rev().find_map(|s| s.names.get(name))
    }

    pub fn lookup_tag(&self, name: &str) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|s| s.tags.get(name)).copied()
    }

    pub fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the file scope is always open")
    }

    pub fn at_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }

    /// Runs `f` in a new block scope.
    pub fn in_block<T>(&mut self, f: impl FnOnce(&mut Self) -> R<T>) -> R<T> {
        self.scopes.push(Scope::default());
        let depth = self.open.in_scope.len();
        let result = f(self);
        self.open.in_scope.truncate(depth);
        self.scopes.pop();
        result
    }

    /// Notes that a function is used.
    pub fn name_function(&mut self, f: FuncId) {
        if !self.named_set.insert(f) {
            return;
        }
        self.named.push(f);
        let runs = match self.funcs[f].name.as_str() {
            "__lw_pthread_key_create" => Some(("__lw_run_destructors", &mut self.destructors)),
            "__lw_atexit" => Some(("__lw_run_exit_handlers", &mut self.exit_handlers)),
            _ => None,
        };
        if let Some((name, slot)) = runs
            && let Some(&Sym::Func(run)) = self.externals.get(name)
        {
            *slot = Some(run);
            self.name_function(run);
        }
        let name = format!("__lw_{}", self.funcs[f].name);
        if !self.defs.contains_key(&f)
            && let Some(&Sym::Func(stands)) = self.externals.get(&name)
        {
            self.library.insert(f, stands);
            self.name_function(stands);
        }
    }

    /// Notes that a global variable is used, and so what its initialiser names.
    pub fn name_global(&mut self, g: GlobalId) {
        if self.unevaluated_depth > 0 || !self.named_globals.insert(g) {
            return;
        }
        let (mut funcs, mut globals) = (vec![], vec![]);
        for (_, e) in self.globals[g].init.iter().flat_map(|i| &i.entries) {
            e.walk(&mut |e| match e.kind {
                ExprKind::Func(f) => funcs.push(f),
                ExprKind::Global(g) => globals.push(g),
                _ => {}
            });
        }
        funcs.into_iter().for_each(|f| self.name_function(f));
        globals.into_iter().for_each(|g| self.name_global(g));
    }

    /// A name that no other global has: the name itself if it is free.
    pub fn unique_global_name(&mut self, name: &str) -> String {
        let n = self.global_names.entry(name.to_string()).or_insert(0);
        *n += 1;
        let name = authored_name(name);
        if *n == 1 { name } else { format!("{name}#{n}") }
    }

    pub fn int_type(&mut self) -> TypeId {
        self.types.int(IntKind::Int)
    }

    pub fn int_const(&mut self, value: i64, loc: Loc) -> Expr {
        let ty = Qt::plain(self.int_type());
        let value = u128::from(value as u64) & crate::expr::mask(32);
        Expr { kind: ExprKind::Int(value), ty, loc }
    }

    /// Whether C has one type for both.
    pub fn one_type(&self, a: TypeId, b: TypeId) -> bool {
        a == b
            || match (self.types.get(a), self.types.get(b)) {
                (Type::Int(k), Type::Int(l)) => k == l,
                (Type::Pointer(x), Type::Pointer(y)) => {
                    x.quals.unaligned() == y.quals.unaligned() && self.one_type(x.id, y.id)
                }
                (Type::Array(x, n), Type::Array(y, m)) => n == m && self.one_type(x.id, y.id),
                _ => false,
            }
    }

    /// Whether two declarations may be of one entity.
    pub fn compatible(&self, a: TypeId, b: TypeId, depth: u32) -> bool {
        if a == b || depth > 8 {
            return true;
        }
        match (self.types.get(a), self.types.get(b)) {
            (Type::Int(k), Type::Int(l)) => k == l,
            (Type::Pointer(x), Type::Pointer(y)) => self.compatible(x.id, y.id, depth + 1),
            (Type::Array(x, n), Type::Array(y, m)) => {
                (n.is_none() || m.is_none() || n == m) && self.compatible(x.id, y.id, depth + 1)
            }
            (Type::Vla(x, _), Type::Vla(y, _) | Type::Array(y, _))
            | (Type::Array(x, _), Type::Vla(y, _)) => self.compatible(x.id, y.id, depth + 1),
            (Type::Record(r), Type::Record(s)) => {
                let (r, s) = (&self.types.records[*r], &self.types.records[*s]);
                if r.union != s.union {
                    return false;
                }
                let (Some(f), Some(g)) = (&r.fields, &s.fields) else { return true };
                f.len() == g.len()
                    && f.iter().zip(g).all(|(x, y)| {
                        x.name == y.name
                            && x.bits == y.bits
                            && self.compatible(x.ty.id, y.ty.id, depth + 1)
                    })
            }
            (
                Type::Function { ret: r, params: p, variadic: v },
                Type::Function { ret: s, params: q, variadic: w },
            ) => {
                self.compatible(r.id, s.id, depth + 1)
                    && match (p, q) {
                        (Some(p), Some(q)) => {
                            v == w
                                && p.len() == q.len()
                                && p.iter()
                                    .zip(q)
                                    .all(|(x, y)| self.compatible(x.id, y.id, depth + 1))
                        }
                        _ => true,
                    }
            }
            _ => false,
        }
    }

    /// Ends the analysis of a function and gives its parts.
    pub fn close_function(&mut self, params: Vec<LocalId>, end: Loc) -> Body {
        let mut open = std::mem::take(&mut self.open);
        for &from in &open.computed_gotos {
            let with_address = |l: &LabelId| open.labels[*l].address.is_some();
            open.gotos.extend(open.labels.ids().filter(with_address).map(|to| (from, to)));
        }
        Body {
            params,
            locals: open.locals,
            labels: open.labels,
            gotos: open.gotos,
            stmts: vec![],
            va_start: open.va_start,
            end,
        }
    }
}
