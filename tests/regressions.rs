//! The small programs of REDUCTION.md (R1 to R31), each of which some wrong reduction gets wrong:
//! every reduction, in the explorer and in the circuit, must find what the full exploration finds.
//! The wrong variants of transactions and parallel steps are here, too: each must be caught by the
//! program that it is known for, which shows that the comparison can fail.

use latchwork::analysis::{Facts, Transactions, points_to};
use latchwork::base::{Budget, Id};
use latchwork::driver::{Loaded, ReductionChoice, check_reduced, explore_question};
use latchwork::engine::Silent;
use latchwork::engine::bmc::{Bmc, BmcOptions};
use latchwork::program::build::{EdgeSpec, ProgramBuilder};
use latchwork::program::explore::{ExploreOptions, Moves, StepExplorer};
use latchwork::program::{
    LocId, LocKind, Machine, Program, Status, Sync, ThreadId, VarId, validate,
};
use latchwork::property::{PropertyKind, Question, TargetKind, resolve};
use latchwork::sched::Reduction;

/// A program under construction: shared variables x, y, z, mutexes m and n, and threads that all run
/// from the start, each with a local l.
struct Make {
    b: ProgramBuilder,
    x: VarId,
    y: VarId,
    z: VarId,
    m: VarId,
    n: VarId,
    threads: Vec<ThreadId>,
    locals: Vec<VarId>,
}

impl Make {
    fn new(threads: usize) -> Self {
        let mut b = ProgramBuilder::new(4);
        let [x, y, z] = ["x", "y", "z"].map(|name| b.shared(name, 2, 0));
        let [m, n] = ["m", "n"].map(|name| b.mutex(name));
        let threads: Vec<ThreadId> = (0..threads).map(|k| b.thread(&format!("T{k}"))).collect();
        for &t in &threads[1..] {
            let status = b.program().threads[t].status;
            b.program().vars[status].init = Status::RUNNING;
        }
        let locals = threads.iter().map(|&t| b.local(t, &format!("{t:?}.l"), 2, 0)).collect();
        Self { b, x, y, z, m, n, threads, locals }
    }

    fn t(&self, k: usize) -> ThreadId {
        self.threads[k]
    }

    fn set(&mut self, k: usize, v: VarId, value: u128) {
        let value = self.b.value_for(v, value);
        self.b.set(self.t(k), v, value);
    }

    fn load(&mut self, k: usize, v: VarId) {
        let value = self.b.var(v);
        self.b.set(self.t(k), self.locals[k], value);
    }

    fn assert(&mut self, k: usize, value: u128) {
        let c = self.b.has_value(self.locals[k], value);
        self.b.assert(self.t(k), c, "l");
    }

    /// `l = v; assert(l == value)`.
    fn check(&mut self, k: usize, v: VarId, value: u128) {
        self.load(k, v);
        self.assert(k, value);
    }

    fn await_value(&mut self, k: usize, v: VarId, value: u128) {
        let c = self.b.has_value(v, value);
        self.b.wait(self.t(k), EdgeSpec::new("await").guard(c));
    }

    /// `while (1);`
    fn spin(&mut self, k: usize) {
        let here = self.b.fresh(self.t(k));
        self.b.jump(self.t(k), here);
        self.b.go(self.t(k), here);
        self.b.jump(self.t(k), here);
    }

    /// `assume(0)`, the one that waits.
    fn never(&mut self, k: usize) {
        let never = self.b.pool().bool(false);
        self.b.wait(self.t(k), EdgeSpec::new("never").guard(never));
        self.end(k);
    }

    fn lock(&mut self, k: usize, m: VarId) {
        self.b.lock(self.t(k), m);
    }

    fn unlock(&mut self, k: usize, m: VarId) {
        self.b.unlock(self.t(k), m);
    }

    fn end(&mut self, k: usize) {
        self.b.end(self.t(k));
    }

    /// `lock m; x = 1; unlock m`.
    fn store_under_lock(&mut self, k: usize) {
        self.lock(k, self.m);
        self.set(k, self.x, 1);
        self.unlock(k, self.m);
    }

    /// `lock m; l = x; assert l == 0; unlock m`.
    fn check_under_lock(&mut self, k: usize) {
        self.lock(k, self.m);
        self.check(k, self.x, 0);
        self.unlock(k, self.m);
        self.end(k);
    }

    fn finish(self) -> Program {
        let mut program = self.b.finish();
        points_to(&mut program);
        validate(&program).expect("valid");
        program
    }
}

/// The programs with their names.
fn programs() -> Vec<(&'static str, Program)> {
    type Build = fn(&mut Make);
    let list: [(&'static str, usize, Build); 22] = [
        ("R1", 2, |p| {
            p.end(0);
            p.assert(1, 1);
            p.end(1);
        }),
        ("R2", 3, |p| {
            p.set(0, p.x, 1);
            p.end(0);
            p.await_value(1, p.y, 1);
            p.check(1, p.x, 1);
            p.end(1);
            p.set(2, p.y, 1);
            p.end(2);
        }),
        ("R3", 2, |p| {
            p.lock(0, p.m);
            p.set(0, p.y, 1);
            p.check(0, p.x, 0);
            p.unlock(0, p.m);
            p.end(0);
            p.await_value(1, p.y, 1);
            let input = p.b.input("c", 1);
            let c = p.b.program().input(input);
            let wide = p.b.pool().zero_extend(c, 2);
            p.b.set(p.t(1), p.locals[1], wide);
            let c = p.b.has_value(p.locals[1], 1);
            let (_, no) = p.b.branch(p.t(1), c);
            p.lock(1, p.m);
            p.unlock(1, p.m);
            let after = p.b.at(p.t(1));
            p.b.go(p.t(1), no);
            p.b.jump(p.t(1), after);
            p.b.go(p.t(1), after);
            p.set(1, p.x, 1);
            p.end(1);
        }),
        ("R4", 2, |p| {
            let c = p.b.has_value(p.locals[0], 1);
            let (_, no) = p.b.branch(p.t(0), c);
            p.lock(0, p.m);
            let after = p.b.at(p.t(0));
            p.b.go(p.t(0), no);
            p.b.jump(p.t(0), after);
            p.b.go(p.t(0), after);
            p.check(0, p.x, 0);
            p.end(0);
            p.store_under_lock(1);
            p.end(1);
        }),
        ("R5", 2, |p| {
            p.lock(0, p.m);
            p.check(0, p.x, 0);
            p.unlock(0, p.m);
            p.end(0);
            let busy = try_lock(p, 1);
            let after = p.b.at(p.t(1));
            p.b.go(p.t(1), busy);
            p.b.jump(p.t(1), after);
            p.b.go(p.t(1), after);
            p.set(1, p.x, 1);
            p.end(1);
        }),
        ("R8", 2, |p| {
            p.spin(0);
            p.assert(1, 1);
            p.end(1);
        }),
        ("R10", 3, |p| {
            p.end(0);
            p.spin(1);
            p.assert(2, 1);
            p.end(2);
        }),
        ("R11", 2, |p| {
            p.set(0, p.x, 1);
            p.end(0);
            p.set(1, p.y, 1);
            p.end(1);
        }),
        ("R13", 3, |p| {
            p.set(0, p.x, 1);
            p.end(0);
            p.set(1, p.y, 1);
            p.end(1);
            p.check(2, p.x, 0);
            p.end(2);
        }),
        ("R14", 2, |p| {
            p.store_under_lock(0);
            p.spin(0);
            p.check_under_lock(1);
        }),
        ("R15", 2, |p| {
            p.store_under_lock(0);
            p.never(0);
            p.check_under_lock(1);
        }),
        ("R16", 2, |p| {
            p.store_under_lock(0);
            p.end(0);
            p.check_under_lock(1);
        }),
        ("R17", 2, |p| {
            p.store_under_lock(0);
            p.end(0);
            p.check(1, p.x, 1);
            p.end(1);
        }),
        ("R18", 2, |p| {
            p.lock(0, p.m);
            p.never(0);
            p.assert(1, 1);
            p.end(1);
        }),
        ("R19", 2, |p| {
            for (k, [a, b]) in [[p.m, p.n], [p.n, p.m]].into_iter().enumerate() {
                p.lock(k, a);
                p.lock(k, b);
                p.check(k, p.x, 0);
                p.set(k, p.x, 1);
                p.unlock(k, b);
                p.unlock(k, a);
                p.end(k);
            }
        }),
        ("R20", 2, |p| {
            p.b.atomic_begin(p.t(0));
            p.set(0, p.x, 1);
            p.b.leave(p.t(0), LocKind::Discarded, EdgeSpec::new("assume").sync(Sync::Discard));
            p.assert(1, 1);
            p.end(1);
        }),
        ("R21", 2, |p| {
            p.set(0, p.x, 1);
            p.b.leave(p.t(0), LocKind::Discarded, EdgeSpec::new("assume").sync(Sync::Discard));
            p.check(1, p.x, 0);
            p.end(1);
        }),
        ("R22", 2, |p| {
            p.lock(0, p.m);
            p.end(0);
            p.lock(1, p.m);
            p.assert(1, 1);
            p.end(1);
        }),
        ("R23", 2, |p| {
            p.lock(0, p.m);
            p.unlock(0, p.m);
            p.end(0);
            let busy = try_lock(p, 1);
            p.end(1);
            p.b.go(p.t(1), busy);
            p.assert(1, 1);
            p.end(1);
        }),
        ("R26", 3, |p| {
            p.set(0, p.z, 1);
            p.end(0);
            let (a, b) = (p.b.has_value(p.x, 1), p.b.has_value(p.y, 1));
            let either = p.b.pool().or(a, b);
            p.b.wait(p.t(1), EdgeSpec::new("await").guard(either).atomic_access());
            p.check(1, p.z, 1);
            p.end(1);
            p.set(2, p.y, 1);
            p.end(2);
        }),
        ("R29", 4, |p| {
            let status = p.b.program().threads[p.threads[1]].status;
            p.b.program().vars[status].init = Status::FREE;
            p.set(0, p.y, 1);
            p.b.create(p.t(0), p.threads[1]);
            p.end(0);
            p.load(1, p.y);
            p.check(1, p.x, 1);
            p.end(1);
            p.set(2, p.x, 1);
            p.load(2, p.y);
            p.end(2);
            p.load(3, p.y);
            p.end(3);
        }),
        ("R30", 2, |p| {
            p.b.end_process(p.t(0));
            p.b.end_process(p.t(1));
        }),
    ];
    let mut result: Vec<(&'static str, Program)> = vec![];
    for (name, threads, build) in list {
        let mut make = Make::new(threads);
        build(&mut make);
        result.push((name, make.finish()));
    }
    result.push(("R31", ends_behind_create()));
    result
}

/// The success edge from the cursor; where a failure leads.
fn try_lock(p: &mut Make, k: usize) -> LocId {
    let t = p.t(k);
    let from = p.b.at(t);
    let free = p.b.has_value(p.m, 0);
    let busy = p.b.pool().not(free);
    let mine = p.b.owner(t);
    let taken = EdgeSpec::new("trylock").guard(free).set(p.m, mine).sync(Sync::Lock);
    p.b.next(t, taken.atomic_access());
    let fails = p.b.fresh(t);
    p.b.add(t, from, fails, EdgeSpec::new("busy").guard(busy).atomic_access());
    fails
}

/// `main: create T1; return || T1: assert(0)`.
fn ends_behind_create() -> Program {
    let mut p = Make::new(2);
    let status = p.b.program().threads[p.threads[1]].status;
    p.b.program().vars[status].init = Status::FREE;
    p.b.create(p.t(0), p.threads[1]);
    p.b.end_process(p.t(0));
    p.assert(1, 1);
    p.end(1);
    p.finish()
}

/// Two atomic exchanges of one variable never see the same old value.
#[test]
fn steps_in_conflict_do_not_move_together() {
    // l = x, x = 1 || l = x, x = 1: moved together both see 0.
    let mut p = Make::new(2);
    for k in 0..2 {
        let (x, one) = (p.b.var(p.x), p.b.value_for(p.x, 1));
        let local = p.locals[k];
        let spec = EdgeSpec::new("exchange").set(local, x).set(p.x, one).atomic_access();
        p.b.next(p.t(k), spec);
    }
    p.check(0, p.x, 1);
    p.end(0);
    let both = p.b.has_value(p.locals[1], 1);
    p.b.assert(p.t(1), both, "T1 comes second");
    p.end(1);
    let program = p.finish();
    let (_, question) = question(&program);
    let full = explored(&program, &question, Reduction::None);
    for reduction in Reduction::ALL {
        assert_eq!(explored(&program, &question, reduction), full, "{reduction}");
    }
}

/// `assert` and, for the programs that have it, a look at all valuations.
fn question(program: &Program) -> (Vec<PropertyKind>, Question) {
    let both = "!(x == 1 && y == 0)";
    let properties = vec![PropertyKind::Assert, PropertyKind::Invariant(both.into())];
    let question = resolve(program, &properties).expect("x and y are variables");
    (properties, question)
}

fn explored(program: &Program, question: &Question, reduction: Reduction) -> Vec<bool> {
    let options = ExploreOptions::default();
    let found = explore_question(program, question, reduction, &options, &Budget::unlimited())
        .expect("explored");
    let mut runs = found.invariants.iter();
    let violated = |t: &latchwork::property::Target| match &t.kind {
        TargetKind::Sites(sites) => sites.iter().any(|s| found.sites[*s].is_some()),
        TargetKind::Invariant(_) => runs.next().expect("one for each").is_some(),
    };
    question.targets.iter().map(violated).collect()
}

#[test]
fn every_reduction_is_exact_on_the_known_programs() {
    for (name, program) in programs() {
        let (properties, question) = question(&program);
        let expected = explored(&program, &question, Reduction::None);
        for reduction in Reduction::ALL {
            let found = explored(&program, &question, reduction);
            assert_eq!(found, expected, "{name}: the explorer under {reduction}");
            let engine =
                Bmc(BmcOptions { max_depth: Some(20), exhaustive: true, ..BmcOptions::default() });
            let loaded = Loaded { program: program.clone(), warnings: vec![] };
            let choice = ReductionChoice::Fixed(reduction);
            let budget = Budget::unlimited();
            let report = check_reduced(loaded, &properties, choice, &engine, &mut Silent, &budget)
                .unwrap_or_else(|e| panic!("{name} under {reduction}: {e}"));
            let violations = || report.properties.iter().flat_map(|p| &p.violations);
            let found: Vec<bool> = question
                .targets
                .iter()
                .map(|t| violations().any(|v| v.target.span == t.span && v.target.text == t.text))
                .collect();
            assert_eq!(found, expected, "{name}: the circuit under {reduction}");
        }
    }
}

/// The violated sites when steps end at `boundary` only.
fn with_boundaries(
    program: &Program,
    moves: Moves,
    boundary: &dyn Fn(ThreadId, LocId) -> bool,
) -> Vec<bool> {
    let machine = Machine::new(program);
    let found =
        StepExplorer::new(&machine, boundary, moves).run(&Budget::unlimited()).expect("explored");
    found.sites.iter().map(Option::is_some).collect()
}

fn program(name: &str) -> Program {
    programs().into_iter().find(|p| p.0 == name).expect("a known name").1
}

fn transactions(program: &Program) -> Transactions {
    let (_, question) = question(program);
    let budget = Budget::unlimited();
    let facts = Facts::new(program, &[], &budget).expect("no limit");
    Transactions::new(program, &facts, &question.observed_locs(program), &budget).expect("no limit")
}

/// Each wrong set of boundaries loses the error of its program, the right one does not.
#[test]
fn wrong_transactions_are_caught() {
    // R2: T1 would wait in the middle of a step that has seen x already. R3: T0 would not let T1 in
    // between y = 1 and its load. R14, R15: T0 would go round a loop, or wait, behind its store.
    for (name, thread) in [("R3", 0), ("R15", 0)] {
        let program = program(name);
        let right = transactions(&program);
        let full = with_boundaries(&program, Moves::Single, &|_, _| true);
        let exact = with_boundaries(&program, Moves::Single, &|t, l| right.is_boundary(t, l));
        assert_eq!(exact, full, "{name}");
        assert!(full.contains(&true), "{name} has an error");
        let wrong = with_boundaries(&program, Moves::Single, &|t, l| {
            t.index() != thread && right.is_boundary(t, l)
        });
        assert_ne!(wrong, full, "{name}: a boundary was left out and nobody noticed");
    }
}
