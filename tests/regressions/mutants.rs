//! Wrong stubborn sets: each loses what its program is known for, so the comparison can fail; the
//! right ones lose nothing.

use std::collections::BTreeSet;

use latchwork::analysis::{Alive, Facts, Held, Stops};
use latchwork::base::{Budget, Id};
use latchwork::program::contention::contended;
use latchwork::program::explore::{
    ExploreOptions, Explorer, Moves, Reduction, StepExplorer, Stubborn, StubbornRules, Token,
    Tokens,
};
use latchwork::program::{
    AccessKind, EdgeId, LocId, LocKind, Machine, ObjId, Place, Program, Role, Scope, State, Sync,
    ThreadId, VarId, accesses,
};

use super::program;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    Nothing,
    /// The smallest set may be that of a thread that cannot move.
    BeginsDisabled,
    /// Who waits is in conflict with nobody.
    WaitsAlone,
    /// All that some way needs, in place of what each way needs.
    UnionOfWays,
    /// A thread keeps what it may hold.
    MayHold,
    /// A trylock that fails has the mutex, too.
    TryLockHas,
    /// A pointer to a mutex is taken for one to `m`.
    PointerIsM,
    /// Readers keep each other out.
    ReadersExclude,
    /// No location is sticky.
    NotSticky,
    /// Only loops that access shared variables are.
    StickyIfShared,
    /// Only one thread has sticky locations.
    StickyInOne,
    /// Writes that properties look at are like others.
    Invisible,
    /// Increments commute.
    Increments,
    /// A thread that enters an atomic section is in conflict with nobody.
    SectionsAlone,
    /// Of a condition with `||` only one side counts.
    OneDisjunct,
    /// An unlock is in conflict with nobody.
    UnlocksAlone,
    /// A lock is in conflict with nobody.
    LocksAlone,
    /// Whoever unlocks is taken for the owner.
    AllOrderly,
    /// Who is not born happens in parallel with nobody.
    UnbornAlone,
    /// After the end of the process nothing is looked at.
    EndStopsAll,
    /// What a transaction begins with stands for all of it.
    FirstEdge,
    /// As sets for temporal formulas have to be: whoever goes round a loop, or writes what a
    /// formula looks at, is in conflict with all, be it the first of its set or not.
    Live,
}

struct Rules<'a> {
    program: &'a Program,
    held: Held,
    wrong: Wrong,
    /// Whether properties look at x and y in every state.
    observed: bool,
}

impl<'a> Rules<'a> {
    fn new(program: &'a Program, wrong: Wrong) -> Self {
        let facts = Facts::new(program, &[], &[], &Budget::unlimited()).expect("no limit");
        let held = Held::new(program, &facts, &Alive::new(program, &facts));
        Self { program, held, wrong, observed: wrong == Wrong::Nothing }
    }

    fn var(&self, name: &str) -> VarId {
        let mut vars = self.program.vars.iter_enumerated();
        vars.find(|(_, v)| v.name == name).expect("all programs have it").0
    }

    /// Whether the thread is where a loop begins, or about to write x or y.
    fn turns_or_shows(&self, state: &State, t: ThreadId) -> bool {
        let (thread, loc) = (&self.program.threads[t], state.loc(t));
        let shown = [self.var("x"), self.var("y")].map(Place::Var);
        let shows = thread.edges_from(loc).any(|(_, e)| {
            let writes = accesses(self.program, e).into_iter();
            writes.filter(|a| a.kind == AccessKind::Write).any(|a| shown.contains(&a.place))
        });
        shows || thread.edges.iter().any(|e| e.to == loc && e.from >= loc)
    }

    fn is_at(&self, state: &State, t: ThreadId, sync: Sync) -> bool {
        self.program.threads[t].edges_from(state.loc(t)).any(|(_, e)| e.sync == sync)
    }
}

impl StubbornRules for Rules<'_> {
    fn counts_tokens(&self) -> bool {
        true
    }

    fn is_orderly(&self, mutex: VarId) -> bool {
        let all =
            matches!(self.wrong, Wrong::AllOrderly | Wrong::PointerIsM | Wrong::ReadersExclude);
        all || self.held.is_orderly(mutex)
    }

    fn is_observed(&self, v: VarId) -> bool {
        self.observed && [self.var("x"), self.var("y")].contains(&v)
    }

    fn is_observed_loc(&self, _: ThreadId, _: LocId) -> bool {
        false
    }

    fn is_raced(&self, _: ObjId) -> bool {
        false
    }

    fn needs(&self, t: ThreadId, e: EdgeId, mut right: Tokens) -> Tokens {
        let thread = &self.program.threads[t];
        let edge = &thread.edges[e];
        let takes = |l: LocId| thread.edges_from(l).any(|(_, x)| x.sync == Sync::Lock);
        let added = match self.wrong {
            Wrong::TryLockHas => takes(edge.from),
            Wrong::PointerIsM => &*edge.text == "lock m[k]",
            _ => false,
        };
        if added {
            right.insert(Token::Mutex(self.var("m")));
        }
        right
    }

    fn add_way(&self, ways: &mut Vec<Tokens>, new: Tokens) -> bool {
        if self.wrong == Wrong::UnionOfWays {
            let all: Tokens = ways.iter().flatten().chain(&new).copied().collect();
            let grew = *ways != vec![all.clone()];
            *ways = vec![all];
            return grew;
        }
        let needed = !ways.iter().any(|way| way.is_subset(&new));
        if needed {
            ways.push(new);
        }
        needed
    }

    fn keeps(&self, state: &State, t: ThreadId, token: Token, right: bool) -> bool {
        let reads = || {
            let readers =
                self.program.vars.iter_enumerated().find(|(_, v)| v.role == Role::Readers);
            readers.is_some_and(|(v, _)| state.value(v) > 0) && t.index() == 0
        };
        match (self.wrong, token) {
            (Wrong::MayHold, Token::Mutex(_)) => right || t.index() == 0,
            (Wrong::ReadersExclude, Token::Mutex(_)) => right || reads(),
            _ => right,
        }
    }

    fn conflicts(&self, state: &State, t: ThreadId, enabled: bool, right: u64) -> u64 {
        let thread = &self.program.threads[t];
        let alone = match self.wrong {
            Wrong::WaitsAlone => !enabled,
            Wrong::UnbornAlone => !enabled && state.loc(t) == thread.start && t.index() == 1,
            Wrong::Increments => thread.edges_from(state.loc(t)).any(|(_, e)| &*e.text == "x++"),
            Wrong::SectionsAlone => self.is_at(state, t, Sync::AtomicBegin),
            Wrong::UnlocksAlone => self.is_at(state, t, Sync::Unlock),
            Wrong::LocksAlone | Wrong::FirstEdge => self.is_at(state, t, Sync::Lock),
            _ => false,
        };
        match self.wrong {
            _ if alone => 0,
            Wrong::Live if enabled && self.turns_or_shows(state, t) => {
                u64::MAX >> (64 - self.program.threads.len())
            }
            Wrong::OneDisjunct if !enabled && t.index() == 1 => right & !(1 << 2),
            _ => right,
        }
    }

    fn is_sticky(&self, t: ThreadId, loc: LocId, right: bool) -> bool {
        let thread = &self.program.threads[t];
        let shared = || {
            thread.edges_from(loc).any(|(_, e)| {
                let places = accesses(self.program, e).into_iter().map(|a| a.place);
                places.into_iter().any(|p| latchwork::program::is_shared(self.program, p))
            })
        };
        match self.wrong {
            Wrong::NotSticky => false,
            Wrong::StickyIfShared => right && shared(),
            Wrong::StickyInOne => right && t.index() == 0,
            _ => right,
        }
    }

    fn may_begin(&self, state: &State, t: ThreadId, enabled: bool) -> bool {
        let mut threads = self.program.threads.iter_enumerated();
        match self.wrong {
            Wrong::BeginsDisabled => true,
            Wrong::FirstEdge => enabled || self.is_at(state, t, Sync::Lock),
            Wrong::EndStopsAll => {
                let stopped = |(t, thread): (ThreadId, &latchwork::program::Thread)| {
                    thread.locations[state.loc(t)].kind == LocKind::Stopped
                };
                enabled && !threads.any(stopped)
            }
            _ => enabled,
        }
    }
}

/// What an exploration finds: violated sites; whether some state has x == 0 and y == 1, and whether
/// x == 1 and y == 0; whether two threads race; whether there is a deadlock.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    sites: Vec<bool>,
    states: [bool; 2],
    race: bool,
    deadlock: bool,
}

fn explore(program: &Program, moves: Moves, rules: Option<&Rules<'_>>) -> Found {
    explore_steps(program, moves, rules, &|_, _| true)
}

fn explore_steps(
    program: &Program,
    moves: Moves,
    rules: Option<&Rules<'_>>,
    boundary: &dyn Fn(ThreadId, LocId) -> bool,
) -> Found {
    let machine = Machine::new(program);
    let stubborn = rules.map(|rules| Stubborn::new(program, rules));
    let var = |name: &str| {
        let mut vars = program.vars.iter_enumerated();
        vars.find(|(_, v)| v.name == name).expect("all programs have it").0
    };
    let (x, y) = (var("x"), var("y"));
    let one = |s: &State| !(s.value(x) == 0 && s.value(y) == 1);
    let other = |s: &State| !(s.value(x) == 1 && s.value(y) == 0);
    let no_race = |s: &State| !races(&machine, s);
    let mut explorer = StepExplorer::new(&machine, boundary, moves)
        .invariant(&one)
        .invariant(&other)
        .invariant(&no_race);
    if let Some(stubborn) = &stubborn {
        explorer = explorer.stubborn(stubborn);
    }
    let found = explorer.run(&Budget::unlimited()).expect("explored");
    Found {
        sites: found.sites.iter().map(Option::is_some).collect(),
        states: [0, 1].map(|k| found.invariants[k].is_some()),
        race: found.invariants[2].is_some(),
        deadlock: found.terminals.deadlock > 0,
    }
}

/// Whether two threads can both go on, and one writes what the other accesses, not both atomically.
fn races(machine: &Machine<'_>, state: &State) -> bool {
    let program = machine.program();
    let mut next: Vec<(BTreeSet<VarId>, BTreeSet<VarId>)> = vec![];
    for (t, thread) in program.threads.iter_enumerated() {
        let (mut all, mut writes) = (BTreeSet::new(), BTreeSet::new());
        if let Ok(Some(e)) = machine.enabled(state, t) {
            let edge = &thread.edges[e];
            for access in accesses(program, edge).into_iter().filter(|_| !edge.atomic_access) {
                if let Place::Var(v) = access.place
                    && program.vars[v].scope == Scope::Shared
                {
                    all.insert(v);
                    if access.kind == AccessKind::Write {
                        writes.insert(v);
                    }
                }
            }
        }
        next.push((all, writes));
    }
    (0..next.len()).any(|a| (0..next.len()).any(|b| a != b && !next[a].1.is_disjoint(&next[b].0)))
}

#[test]
fn the_right_sets_lose_nothing() {
    for (name, program) in super::programs() {
        let full = explore(&program, Moves::Single, None);
        for moves in [Moves::Single, Moves::Sleep] {
            let rules = Rules::new(&program, Wrong::Nothing);
            let found = explore(&program, moves, Some(&rules));
            assert_eq!(found, full, "{name}, {moves:?}");
        }
        let found = explore(&program, Moves::Peephole, None);
        assert_eq!(found.sites, full.sites, "{name}, peephole");
        assert_eq!((found.states, found.race), (full.states, full.race), "{name}, peephole");
    }
}

#[test]
fn wrong_sets_are_caught() {
    for (name, wrong) in [
        ("R1", Wrong::BeginsDisabled),
        ("R2", Wrong::WaitsAlone),
        ("R3", Wrong::UnionOfWays),
        ("R4", Wrong::MayHold),
        ("R5", Wrong::TryLockHas),
        ("R6", Wrong::PointerIsM),
        ("R7", Wrong::ReadersExclude),
        ("R8", Wrong::NotSticky),
        ("R8", Wrong::StickyIfShared),
        ("R10", Wrong::StickyInOne),
        ("R10b", Wrong::NotSticky),
        ("R11", Wrong::Invisible),
        ("R12", Wrong::Increments),
        ("R20", Wrong::SectionsAlone),
        ("R22", Wrong::LocksAlone),
        ("R23", Wrong::UnlocksAlone),
        ("R26", Wrong::OneDisjunct),
        ("R27", Wrong::AllOrderly),
        ("R29", Wrong::UnbornAlone),
        ("R30", Wrong::EndStopsAll),
        ("R31", Wrong::EndStopsAll),
    ] {
        let program = program(name);
        let full = explore(&program, Moves::Single, None);
        let found = explore(&program, Moves::Single, Some(&Rules::new(&program, wrong)));
        if wrong == Wrong::Invisible {
            assert_ne!(found.states, full.states, "{name}, {wrong:?}: nobody noticed");
            continue;
        }
        let rules = Rules { observed: false, ..Rules::new(&program, Wrong::Nothing) };
        let right = explore(&program, Moves::Single, Some(&rules));
        let local = |f: &Found| (f.sites.clone(), f.race, f.deadlock);
        assert_eq!(local(&right), local(&full), "{name}");
        assert_ne!(local(&found), local(&full), "{name}, {wrong:?}: nobody noticed");
    }
}

/// R13: peepholes and stubborn sets each lose nothing, but both together do, unless the memory is
/// of what was left in a set.
#[test]
fn peepholes_do_not_go_with_stubborn_sets() {
    let program = program("R13");
    let full = explore(&program, Moves::Single, None);
    let rules = Rules::new(&program, Wrong::Invisible);
    assert_eq!(explore(&program, Moves::Sleep, Some(&rules)).sites, full.sites);
    assert_ne!(explore(&program, Moves::Peephole, Some(&rules)).sites, full.sites);
}

/// R19 and R19b: transactions that stop for no state lose deadlocks and races; those that do keep
/// them.
#[test]
fn transactions_lose_deadlocks_and_races() {
    for (name, deadlock) in [("R19", true), ("R19b", false)] {
        let program = program(name);
        let full = explore(&program, Moves::Single, None);
        let raced = contended(&program);
        let right = super::stopping(&program, &raced, Stops { waiting: true });
        let kept = explore_steps(&program, Moves::Single, None, &|t, l| right.is_boundary(t, l));
        assert_eq!((kept.deadlock, kept.race), (full.deadlock, full.race), "{name}");
        let wrong = super::transactions(&program);
        let found = explore_steps(&program, Moves::Single, None, &|t, l| wrong.is_boundary(t, l));
        assert_eq!(found.sites, full.sites);
        match deadlock {
            true => assert!(full.deadlock && !found.deadlock, "{name}"),
            false => assert!(full.race && !found.race, "{name}"),
        }
    }
}

/// R17, R18: a set of transactions has to count all that each of them accesses, and a transaction
/// that waits on its way cannot begin.
#[test]
fn stubborn_sets_look_at_whole_transactions() {
    for name in ["R17", "R18"] {
        let program = program(name);
        let right = super::transactions(&program);
        let boundary = |t, l| right.is_boundary(t, l);
        let full = explore(&program, Moves::Single, None);
        assert!(full.sites.contains(&true), "{name} has an error");
        let sites = |wrong| {
            let rules = Rules { observed: false, ..Rules::new(&program, wrong) };
            explore_steps(&program, Moves::Single, Some(&rules), &boundary).sites
        };
        assert_eq!(sites(Wrong::Nothing), full.sites, "{name}");
        assert_ne!(sites(Wrong::FirstEdge), full.sites, "{name}: nobody noticed");
    }
}

/// R24, R28: sets that keep each thread from being ignored for ever only where they begin with it,
/// or that order what a formula looks at only against itself, lose states that runs which go on for
/// ever pass: T1 spinning with x == 1 and z == 0, and T0 spinning with x == 0.
#[test]
fn stubborn_sets_lose_runs_that_go_on_for_ever() {
    for name in ["R24", "R28"] {
        let program = program(name);
        let machine = Machine::new(&program);
        let rules = |wrong| Rules { observed: true, ..Rules::new(&program, wrong) };
        let passes = |rules: Option<&Rules<'_>>| {
            let stubborn = rules.map(|rules| Stubborn::new(&program, rules));
            let var = |name| Rules::new(&program, Wrong::Nothing).var(name);
            let (x, z) = (var("x"), var("z"));
            let local = match name {
                "R24" => None,
                _ => program
                    .vars
                    .ids()
                    .find(|&v| program.vars[v].scope == Scope::Local(ThreadId::new(0))),
            };
            let spins = |s: &State| match local {
                None => s.value(x) == 1 && s.value(z) == 0,
                Some(l) => s.value(x) == 0 && s.value(l) == 1,
            };
            let never = |s: &State| !spins(s);
            let mut explorer =
                StepExplorer::new(&machine, &|_, _| true, Moves::Single).invariant(&never);
            if let Some(stubborn) = &stubborn {
                explorer = explorer.stubborn(stubborn);
            }
            explorer.run(&Budget::unlimited()).expect("explored").invariants[0].is_some()
        };
        assert!(passes(None), "{name}");
        assert!(passes(Some(&rules(Wrong::Live))), "{name}");
        assert!(!passes(Some(&rules(Wrong::Nothing))), "{name}: nobody noticed");
    }
}

/// The thesis's rule in place of larger steps: a thread that is inside of a transaction moves
/// alone.
struct Inside<'a> {
    inside: &'a dyn Fn(ThreadId, LocId) -> bool,
    /// Whether a thread whose assumption fails takes back the whole run.
    prunes: bool,
}

impl Reduction for Inside<'_> {
    fn choose(
        &mut self,
        machine: &Machine<'_>,
        state: &State,
        enabled: &[ThreadId],
        chosen: &mut Vec<ThreadId>,
    ) {
        let threads = &machine.program().threads;
        let kind = |t: ThreadId| threads[t].locations[state.loc(t)].kind;
        if self.prunes && threads.ids().any(|t| kind(t) == LocKind::Discarded) {
            return;
        }
        match threads.ids().find(|&t| (self.inside)(t, state.loc(t))) {
            Some(t) => chosen.extend(enabled.iter().filter(|&&e| e == t)),
            None => chosen.extend(enabled),
        }
    }
}

/// R14, R15, R16: inside of a transaction that has begun to show, a thread must not go round a
/// loop, wait, or be done. R21: an assumption that fails stops a thread, it does not take back what
/// the thread has done.
#[test]
fn wrong_ends_of_transactions_are_caught() {
    for name in ["R14", "R15", "R16", "R21"] {
        let program = program(name);
        let machine = Machine::new(&program);
        let right = super::transactions(&program);
        let first = ThreadId::new(0);
        let start = program.threads[first].start;
        let sites = |inside: &dyn Fn(ThreadId, LocId) -> bool, prunes| {
            let mut rule = Inside { inside, prunes };
            let explorer = Explorer::new(&machine, ExploreOptions::default()).reduction(&mut rule);
            let found = explorer.run(&Budget::unlimited()).expect("explored");
            found.sites.iter().map(Option::is_some).collect::<Vec<_>>()
        };
        let full = sites(&|_, _| false, false);
        assert!(full.contains(&true), "{name} has an error");
        // Loops are cut by whoever builds steps.
        let heads =
            |t: ThreadId, l| program.threads[t].edges.iter().any(|e| e.to == l && e.from >= l);
        let inside = |t, l| !right.is_boundary(t, l) && !heads(t, l);
        assert_eq!(sites(&inside, false), full, "{name}");
        let wrong = match name {
            "R21" => sites(&|t, l| t == first && l != start && is_running(&program, t, l), true),
            _ => sites(&|t, l| inside(t, l) || (t == first && l != start), false),
        };
        assert_ne!(wrong, full, "{name}: nobody noticed");
    }
}

fn is_running(program: &Program, t: ThreadId, loc: LocId) -> bool {
    program.threads[t].locations[loc].kind == LocKind::Running
}
