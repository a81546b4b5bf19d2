//! From C text to what the explorer finds.

use crate::base::{Budget, Diagnostic, HashMap, SourceMap};
use crate::frontend::c::{LowerOptions, Parsed, lower, parse_text};
use crate::program::explore::{ExploreOptions, Explorer};
use crate::program::{
    Leaf, Machine, ProgExpr, ProgPool, Program, SiteKind, Undefined, print, validate,
};

/// What C programs need to be declared in short tests.
pub const HEADER: &str = "
typedef unsigned long pthread_t; typedef int pthread_attr_t;
typedef struct { int x; } pthread_mutex_t; typedef unsigned long size_t;
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **); void pthread_exit(void *); pthread_t pthread_self(void);
int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *); int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_init(pthread_mutex_t *, const void *);
void abort(void); void reach_error(void); void __VERIFIER_assert(int);
void __VERIFIER_assume(int); unsigned char __VERIFIER_nondet_uchar(void);
_Bool __VERIFIER_nondet_bool(void); int printf(const char *, ...);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
# 1 \"user.c\"
";

/// Lowers C texts as one program, each in a file of its own.
fn lower_units(texts: &[&str], options: &LowerOptions) -> Result<(Program, Vec<String>), String> {
    let mut sources = SourceMap::new();
    let show = |list: &[Diagnostic], sources: &SourceMap| -> Vec<String> {
        list.iter().map(|d| d.render(sources)).collect()
    };
    let mut units: Vec<Parsed> = vec![];
    for (i, text) in texts.iter().enumerate() {
        let name = if i == 0 { "user.c".to_string() } else { format!("user{i}.c") };
        let text = HEADER.replace("user.c", &name) + text;
        let unit = parse_text("header.h", &text, &mut sources);
        units.push(unit.map_err(|list| show(&list, &sources).concat())?);
    }
    match lower(&units, sources, options) {
        Ok(l) => {
            let warnings = show(&l.warnings, &l.program.sources);
            Ok((l.program, warnings))
        }
        Err(f) => Err(show(&f.errors, &f.sources).concat()),
    }
}

pub fn lower_with(text: &str, options: &LowerOptions) -> Result<Program, String> {
    Ok(lower_units(&[text], options)?.0)
}

/// A program of several files.
pub fn lower_files(texts: &[&str]) -> Result<Program, String> {
    Ok(lower_units(texts, &LowerOptions::default())?.0)
}

/// The warnings about a C text.
pub fn warnings(text: &str) -> Vec<String> {
    match lower_units(&[text], &LowerOptions::default()) {
        Ok((_, warnings)) => warnings,
        Err(e) => panic!("{e}"),
    }
}

pub fn lower_text(text: &str) -> Result<Program, String> {
    lower_with(text, &LowerOptions::default())
}

/// Whether a choice is too wide to be enumerated: more than 8 bits, or an unknown thread id (7
/// bits), of which there may be several on one edge.
fn is_narrowed(width: u32) -> bool {
    width > 8 || width == 7
}

/// The program with choices of two values for each choice of more: enough where only whether
/// something is uninitialised matters.
fn narrowed(program: &Program) -> Program {
    let mut out = program.clone();
    out.pool = ProgPool::raw();
    let mut memo = HashMap::default();
    let mut go = |e: ProgExpr, pool: &mut ProgPool| {
        let mut leaf = |p: &mut ProgPool, l: Leaf, w: u32| match l {
            Leaf::Input(_) if is_narrowed(w) => {
                let bit = p.leaf(l, 1);
                p.sign_extend(bit, w)
            }
            _ => p.leaf(l, w),
        };
        program.pool.translate(e, pool, &mut leaf, &mut memo)
    };
    for t in out.threads.iter_mut() {
        for e in t.edges.iter_mut() {
            e.guard = go(e.guard, &mut out.pool);
            for d in e.derefs.iter_mut() {
                d.addr = go(d.addr, &mut out.pool);
            }
            for a in &mut e.assigns {
                a.value = go(a.value, &mut out.pool);
            }
        }
    }
    for i in out.inputs.iter_mut() {
        i.width = if is_narrowed(i.width) { 1 } else { i.width };
    }
    out
}

/// The violated sites, as words.
pub fn violations(program: &Program) -> Vec<String> {
    if let Err(e) = validate(program) {
        panic!("{e}\n{}", print(program));
    }
    let program = &narrowed(program);
    let machine = Machine::new(program);
    let options = ExploreOptions { local_merge: true, ..ExploreOptions::default() };
    let found = match Explorer::new(&machine, options).run(&Budget::unlimited()) {
        Ok(found) => found,
        Err(e) => panic!("{e}\n{}", print(program)),
    };
    assert!(found.incomplete.is_none());
    let mut out: Vec<String> = found.violated().map(|(s, _)| kind(program.sites[s].kind)).collect();
    if found.terminals.deadlock > 0 {
        out.push("deadlock".into());
    }
    out
}

fn kind(k: SiteKind) -> String {
    match k {
        SiteKind::Assertion => "assert".into(),
        SiteKind::Undefined(Undefined::InvalidDereference) => "deref".into(),
        SiteKind::Undefined(Undefined::OutOfBounds) => "bounds".into(),
        SiteKind::Undefined(u) => format!("{u:?}"),
        SiteKind::Bound(b) => format!("{b:?}"),
        SiteKind::AtomicBlocked => "blocked".into(),
        SiteKind::Relock => "relock".into(),
        SiteKind::Arithmetic(a) => format!("{a:?}"),
    }
}

/// As [`lower_text`], calls sharing bodies wherever they can.
pub fn lower_shared(text: &str) -> Result<Program, String> {
    lower_with(text, &LowerOptions { inline_limit: 0, ..LowerOptions::default() })
}

/// The violated sites of a C text, which are the same whether calls are inlined or share bodies.
pub fn check(text: &str) -> Vec<String> {
    let [inlined, shared] = [lower_text, lower_shared].map(|lower| match lower(text) {
        Ok(p) => violations(&p),
        Err(e) => panic!("{e}"),
    });
    assert_eq!(inlined, shared, "shared bodies differ:\n{text}");
    inlined
}

/// The violated sites of a body of `main`, in which `A(c)` asserts.
pub fn check_main(globals: &str, body: &str) -> Vec<String> {
    let body = body.replace("A(", "__VERIFIER_assert(");
    check(&format!("{globals}\nint main(void) {{\n{body}\nreturn 0; }}"))
}

/// The message of the error of a C text.
pub fn error(text: &str) -> String {
    match lower_text(text) {
        Ok(_) => panic!("this should be an error:\n{text}"),
        Err(e) => e,
    }
}
