//! Bodies that calls share.
//!
//! Calls are inlined until a thread has [`LowerOptions::inline_limit`] edges. Behind that a function
//! gets one body in the thread: a call passes its arguments in the function's own parameters, and a
//! register says which call it is, so that the end of the body knows where to go on.
//!
//! The graph has paths, then, that enter the body from one call and leave it to another one. No run
//! takes them, but analyses that only look at the graph see a loop where two calls follow each other,
//! so that they find out less. Functions that would mean something else in a loop are inlined always:
//! those that create, join or end threads or allocate memory (each call has threads and objects of its
//! own), and those with variable arguments. So are recursive ones, whose calls have variables of their
//! own.
//!
//! [`LowerOptions::inline_limit`]: super::LowerOptions::inline_limit

use super::super::firmware::Extern;
use super::super::hir::{Expr, ExprKind, FuncId, Stmt};
use super::loops::called;
use super::scope::Argument;
use super::state::{Lower, R, Storage};
use super::threads::start_argument;
use crate::base::{Diagnostic, HashMap, HashSet};
use crate::program::{Assign, LocId, Role, Target, VarId};

/// Width of the register that tells the calls of a body apart. 0 is none of them.
const CALL_BITS: u32 = 16;

/// What a body depends on besides the thread.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Variant {
    func: FuncId,
    /// Atomic sections around the call.
    depth: u32,
    /// Whether somebody looks at the result.
    used: bool,
    /// The result's parts: byte offset and width.
    result: Vec<(u64, u32)>,
}

/// A body and how calls get there.
#[derive(Clone)]
struct Body {
    entry: LocId,
    exit: LocId,
    /// The number of the call.
    call: VarId,
    /// Where the result is at the exit.
    result: Vec<(u64, VarId)>,
    /// How many calls there are.
    calls: u128,
}

/// The bodies of the thread that is being built.
#[derive(Default)]
pub struct SharedBodies {
    bodies: HashMap<Variant, Body>,
    /// Whether calls of a function may share a body.
    suited: HashMap<FuncId, bool>,
    /// Numbers of the bodies that are being lowered, outermost first, from 1.
    open: Vec<usize>,
}

impl SharedBodies {
    /// The number of the body that is being lowered; 0 for the thread's own code.
    pub fn current(&self) -> usize {
        self.open.last().copied().unwrap_or(0)
    }
}

impl Lower<'_> {
    /// Whether a call of the function leads to a body that others lead to as well.
    pub fn shares_body(&mut self, f: FuncId) -> bool {
        if self.cur.is_none() || self.graph.edges.len() < self.options.inline_limit {
            return false;
        }
        if let Some(&known) = self.shared.suited.get(&f) {
            return known;
        }
        let suited = self.is_suited(f);
        self.shared.suited.insert(f, suited);
        suited
    }

    /// Whether the function means the same if a body of it serves many calls.
    fn is_suited(&self, f: FuncId) -> bool {
        // What goes wrong in the library is reported where the program calls it.
        if self.hir.funcs[f].loc.unit as usize >= self.authored {
            return false;
        }
        let (mut seen, mut open) = (HashSet::default(), vec![f]);
        while let Some(g) = open.pop() {
            let g = self.hir.library.get(&g).copied().unwrap_or(g);
            let func = &self.hir.funcs[g];
            let starts = |x: &(String, Extern)| x.0 == func.name && x.1 == Extern::Start;
            if self.options.firmware.externs.iter().any(starts) {
                return false;
            }
            let Some(body) = &func.body else {
                if needs_its_own_code(&func.name) {
                    return false;
                }
                if func.name.contains("exit") {
                    open.extend(self.hir.exit_handlers.filter(|&h| seen.insert(h)));
                }
                continue;
            };
            let mut names = Names::default();
            for s in &body.stmts {
                names.visit(s);
            }
            if names.variadic {
                return false;
            }
            if names.pointers {
                names.functions.extend(&self.address_taken);
            }
            if names.functions.contains(&f) {
                return false;
            }
            open.extend(names.functions.into_iter().filter(|&h| seen.insert(h)));
        }
        true
    }

    /// Calls the body of a function that other calls share, and goes on behind the call.
    pub fn call_shared(
        &mut self,
        f: FuncId,
        args: Vec<Argument>,
        result: Vec<(u64, VarId)>,
        used: bool,
    ) -> R<()> {
        self.extra.clear();
        let variant = Variant {
            func: f,
            depth: self.depth,
            used,
            result: result.iter().map(|&(at, v)| (at, self.prog.vars[v].width)).collect(),
        };
        let known = self.shared.bodies.get(&variant).cloned();
        let is_new = known.is_none();
        let mut body = known.unwrap_or_else(|| self.new_body(&variant));
        body.calls += 1;
        if body.calls >= 1 << CALL_BITS {
            let message = format!(
                "`{}` is called more than {} times",
                self.hir.funcs[f].name,
                body.calls - 1
            );
            return Err(Diagnostic::error(self.context.span, message));
        }
        self.shared.bodies.insert(variant, body.clone());
        self.open_frame(f, body.exit, body.result.clone(), used);
        self.frame().shared = true;
        self.bind_all(args)?;
        let number = self.constant(body.calls, CALL_BITS);
        self.assign(body.call, number);
        self.jump(body.entry)?;
        if is_new {
            self.lower_shared(body.entry)?;
        }
        self.close_frame();
        self.set_cur(body.exit);
        self.return_from(&body, &result)
    }

    fn new_body(&mut self, variant: &Variant) -> Body {
        let name = self.hir.funcs[variant.func].name.clone();
        let result = variant.result.iter().map(|&(at, width)| {
            (at, self.new_local(format!("{name}.return"), width, false, Role::Temp))
        });
        let result = result.collect();
        Body {
            entry: self.new_loc(),
            exit: self.new_loc(),
            call: self.new_local(format!("{name}.call"), CALL_BITS, false, Role::Temp),
            result,
            calls: 0,
        }
    }

    /// The code of the innermost function, for all calls.
    fn lower_shared(&mut self, entry: LocId) -> R<()> {
        let number = self.shared.bodies.len();
        self.shared.open.push(number);
        // Nothing is known of the caller, and nobody knows how often this runs.
        let own: Vec<_> = self.frame().in_scope.clone();
        let own = own.into_iter().map(|l| self.local_storage(l)).collect::<R<Vec<_>>>()?;
        let own = own.into_iter().filter_map(|s| match s {
            Storage::Object(o) => Some(o),
            _ => None,
        });
        let alive = std::mem::replace(&mut self.alive, own.collect());
        let loops = std::mem::replace(&mut self.loops, vec![None]);
        self.set_cur(entry);
        self.lower_body()?;
        self.loops = loops;
        self.alive = alive;
        self.shared.open.pop();
        Ok(())
    }

    /// The edge from the end of a body to behind the call that was the last one.
    fn return_from(&mut self, body: &Body, result: &[(u64, VarId)]) -> R<()> {
        let Some(from) = self.cur else { return Ok(()) };
        let to = self.new_loc();
        let call = self.var(body.call);
        let here = self.eq_const(call, body.calls);
        self.edge_to(from, to, here)?;
        let edge = self.graph.edges.last_mut().expect("pushed above");
        let none = self.prog.pool.constant(0, CALL_BITS);
        edge.assigns.push(Assign { target: Target::Var(body.call), value: none });
        for (&(_, to), &(_, from)) in result.iter().zip(&body.result) {
            let value = self.prog.var(from);
            edge.assigns.push(Assign { target: Target::Var(to), value });
        }
        self.set_cur(to);
        Ok(())
    }
}

/// Whether each call of a library function has threads or objects of its own, or needs to know what
/// its callers have open.
fn needs_its_own_code(name: &str) -> bool {
    let starts = start_argument(name).is_some() && !name.contains("once");
    let words = ["alloc", "memalign", "join", "detach"];
    starts || words.iter().any(|w| name.contains(w)) || matches!(name, "pthread_exit" | "thrd_exit")
}

/// What the code of a function mentions.
#[derive(Default)]
struct Names {
    functions: Vec<FuncId>,
    /// Whether it calls through a pointer.
    pointers: bool,
    /// Whether it looks at variable arguments.
    variadic: bool,
}

impl Names {
    fn visit(&mut self, s: &Stmt) {
        s.visit(&mut |_| {}, &mut |e| self.expression(e));
    }

    fn expression(&mut self, e: &Expr) {
        called(e, &mut self.functions);
        e.walk(&mut |x| match &x.kind {
            ExprKind::Call(callee, _) => {
                self.pointers |= !matches!(callee.kind, ExprKind::Func(_));
            }
            ExprKind::VaStart | ExprKind::VaArg(_) => self.variadic = true,
            ExprKind::Block(stmts, _) => {
                for s in stmts {
                    self.visit(s);
                }
            }
            _ => {}
        });
    }
}
