//! The programs are right and varied, and the explorer agrees with itself and a naive search.

use std::collections::{BTreeSet, VecDeque};

use super::{RandomOptions, random_program};
use crate::base::{Budget, HashSet, Rng};
use crate::expr::mask;
use crate::program::explore::{
    Exploration, ExploreOptions, Explorer, Terminal, Terminals, VisitedKind,
};
use crate::program::{
    InputId, Machine, Program, SiteId, SiteKind, State, Sync, print, run_step, validate,
};

const SEEDS: u64 = 300;
const MAX_STATES: usize = 20_000;

fn program(seed: u64) -> Program {
    random_program(&mut Rng::new(seed), &RandomOptions::default())
}

fn explore(program: &Program, options: ExploreOptions) -> Exploration {
    let options = ExploreOptions { max_states: Some(MAX_STATES), ..options };
    Explorer::new(&Machine::new(program), options)
        .run(&Budget::unlimited())
        .expect("guards are right and inputs narrow")
}

#[test]
fn programs_are_valid_small_and_reproducible() {
    let mut sizes = vec![];
    for seed in 0..SEEDS {
        let p = program(seed);
        if let Err(invalid) = validate(&p) {
            panic!("seed {seed}: {invalid}\n{}", print(&p));
        }
        assert_eq!(print(&p), print(&program(seed)));
        sizes.push(explore(&p, ExploreOptions::default()).states);
    }
    sizes.sort_unstable();
    let small = sizes.iter().filter(|&&n| n < 3000).count() as u64;
    assert!(small * 20 > SEEDS * 17, "only {small} of {SEEDS} have below 3000 states");
    assert!(sizes[sizes.len() / 4] > 20, "many programs are trivial");
}

#[test]
fn programs_are_varied() {
    let mut counts = [0; 12];
    for seed in 0..SEEDS {
        let p = program(seed);
        let found = explore(&p, ExploreOptions::default());
        let edges = || p.threads.iter().flat_map(|t| &t.edges);
        let violated =
            |kind: fn(SiteKind) -> bool| found.violated().any(|(s, _)| kind(p.sites[s].kind));
        let facts = [
            violated(|k| k == SiteKind::Assertion),
            violated(|k| k == SiteKind::AtomicBlocked),
            violated(|k| matches!(k, SiteKind::Undefined(_))),
            violated(|k| matches!(k, SiteKind::Bound(_))),
            found.violated().count() == 0 && !p.sites.is_empty(),
            found.terminals.deadlock > 0,
            found.terminals.ended > 0,
            found.terminals.discarded > 0,
            found.terminals.stopped > 0,
            edges().any(|e| matches!(e.sync, Sync::Join(_))),
            edges().any(|e| !e.derefs.is_empty() && !e.assigns.is_empty()),
            p.threads.iter().any(|t| t.reusable),
        ];
        for (count, fact) in counts.iter_mut().zip(facts) {
            *count += usize::from(fact);
        }
    }
    assert!(counts.iter().all(|&n| n >= 4), "something is rare: {counts:?} of {SEEDS}");
}

/// States, transitions, violated sites and terminal states, found without any of the explorer's
/// code but [`Machine::step`].
fn naive(program: &Program) -> (usize, usize, BTreeSet<SiteId>, Terminals) {
    let machine = Machine::new(program);
    let mut seen: HashSet<State> = HashSet::default();
    let mut queue = VecDeque::from([machine.initial()]);
    seen.insert(machine.initial());
    let (mut transitions, mut sites) = (0, BTreeSet::new());
    let mut terminals = Terminals::default();
    while let Some(state) = queue.pop_front() {
        let mut moves = 0;
        for t in program.threads.ids() {
            // Counts through all values of all inputs that are asked for.
            let mut values: Vec<(InputId, u128)> = vec![];
            loop {
                let mut next = state.clone();
                let mut asked = vec![];
                let step = machine.step(&mut next, t, &mut |i| {
                    asked.push(i);
                    values.iter().find(|v| v.0 == i).map_or(0, |v| v.1)
                });
                let Ok(info) = step else { break };
                moves += 1;
                sites.extend(info.site);
                if seen.insert(next.clone()) {
                    queue.push_back(next);
                }
                for &i in &asked {
                    if !values.iter().any(|v| v.0 == i) {
                        values.push((i, 0));
                    }
                }
                let more = values.iter_mut().any(|(i, v)| {
                    *v = (*v + 1) & mask(program.inputs[*i].width);
                    *v != 0
                });
                if !more {
                    break;
                }
            }
        }
        transitions += moves;
        if moves == 0 {
            *match Terminal::of(program, &state) {
                Terminal::Discarded => &mut terminals.discarded,
                Terminal::Stopped => &mut terminals.stopped,
                Terminal::Ended => &mut terminals.ended,
                Terminal::Deadlock => &mut terminals.deadlock,
            } += 1;
        }
    }
    (seen.len(), transitions, sites, terminals)
}

#[test]
fn the_explorer_agrees_with_a_naive_search() {
    for seed in 0..SEEDS {
        let p = program(seed);
        let found = explore(&p, ExploreOptions::default());
        if found.incomplete.is_some() {
            continue;
        }
        let sites: BTreeSet<SiteId> = found.violated().map(|(s, _)| s).collect();
        let mine = (found.states, found.transitions, sites, found.terminals);
        assert_eq!(mine, naive(&p), "seed {seed}\n{}", print(&p));

        let options = ExploreOptions { visited: VisitedKind::Hash128, ..ExploreOptions::default() };
        let hashed = explore(&p, options);
        assert_eq!((hashed.states, hashed.sites), (found.states, found.sites), "seed {seed}");
    }
}

/// The states in which no thread can move, but those in which an atomic section is closed for
/// ever: it can keep a thread from going on to the end of its merged step.
fn ends(program: &Program, local_merge: bool) -> HashSet<(Terminal, State)> {
    let machine = Machine::new(program);
    let mut list = HashSet::default();
    let mut visit = |state: &State, end: Option<Terminal>| {
        let open = program
            .threads
            .iter_enumerated()
            .all(|(t, thread)| !thread.locations[state.loc(t)].atomic);
        list.extend(end.filter(|_| open).map(|end| (end, state.clone())));
    };
    let options = ExploreOptions { local_merge, ..ExploreOptions::default() };
    Explorer::new(&machine, options).visit(&mut visit).run(&Budget::unlimited()).unwrap();
    list
}

#[test]
fn merging_local_edges_loses_nothing() {
    let (mut full_states, mut merged_states) = (0, 0);
    for seed in 0..SEEDS {
        let p = program(seed);
        let full = explore(&p, ExploreOptions::default());
        if full.incomplete.is_some() {
            continue;
        }
        let options = ExploreOptions { local_merge: true, ..ExploreOptions::default() };
        let merged = explore(&p, options);
        let sites = |e: &Exploration| e.violated().map(|(s, _)| s).collect::<Vec<_>>();
        assert_eq!(sites(&full), sites(&merged), "seed {seed}\n{}", print(&p));
        assert_eq!(ends(&p, false), ends(&p, true), "seed {seed}\n{}", print(&p));
        full_states += full.states;
        merged_states += merged.states;
    }
    assert!(merged_states * 10 < full_states * 9, "{merged_states} of {full_states} states");
}

#[test]
fn runs_replay_edge_by_edge() {
    for seed in 0..SEEDS {
        let p = program(seed);
        let machine = Machine::new(&p);
        for local_merge in [false, true] {
            let options = ExploreOptions { local_merge, ..ExploreOptions::default() };
            for (site, run) in explore(&p, options).violated() {
                let mut state = machine.initial();
                let mut last = None;
                for step in run {
                    // A merged step can go on to a site of its own.
                    assert!(last.is_none() || local_merge, "a run ends with the violation");
                    let mut value = |i| step.inputs.iter().find(|x| x.0 == i).unwrap().1;
                    let done =
                        run_step(&machine, &mut state, step.thread, step.until, &mut value, 1)
                            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
                    last = done[0].site;
                }
                assert_eq!(last, Some(site), "seed {seed}");
            }
        }
    }
}
