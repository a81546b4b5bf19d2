//! Assertions that make the runs of a program tell themselves apart.

use std::collections::BTreeMap;

use crate::base::IndexVec;
use crate::base::{Budget, Id, Rng};
use crate::expr::mask;
use crate::program::explore::{ExploreOptions, Explorer};
use crate::program::{
    Edge, LocId, LocKind, Location, Machine, Program, Scope, Site, SiteKind, State, Sync, ThreadId,
    VarId,
};

/// Adds up to `count` assertions to a program that may be explored, each at some location of some
/// thread: that the thread's locals have not the values that they have there in some run (or, now
/// and then, values near those). So whatever a circuit or a reduction does to the values that
/// reach a thread, or to the interleavings that bring them, has a chance to change a verdict;
/// and since only locals are read, nothing becomes visible to other threads that was not.
///
/// States are sampled from the first `max_states` of the exploration.
pub fn add_observers(rng: &mut Rng, program: &mut Program, count: usize, max_states: usize) {
    let mut states: Vec<State> = vec![];
    {
        let machine = Machine::new(program);
        let mut visit = |state: &State, _| states.push(state.clone());
        let options = ExploreOptions { max_states: Some(max_states), ..ExploreOptions::default() };
        let explorer = Explorer::new(&machine, options).visit(&mut visit);
        if explorer.run(&Budget::unlimited()).is_err() {
            return;
        }
    }
    for k in 0..count {
        let t = ThreadId::new(rng.below(program.threads.len()));
        let scope = Scope::Local(t);
        let locals: Vec<VarId> =
            program.vars.iter_enumerated().filter(|(_, v)| v.scope == scope).map(|x| x.0).collect();
        let Some(loc) = place(rng, program, t, &states) else { continue };
        if locals.is_empty() {
            continue;
        }
        let at: Vec<&State> = states.iter().filter(|s| s.loc(t) == loc).collect();
        let seen = valuation(rng, &locals, &at);
        let first = rng.below(locals.len());
        let mut all = program.pool.bool(true);
        for (j, (&v, value)) in locals.iter().zip(seen).enumerate() {
            if j != first && rng.one_in(3) {
                continue;
            }
            let width = program.vars[v].width;
            let value = match rng.below(12) {
                0 => rng.next_u128() & mask(width),
                1 => rng.pick(&states).value(v),
                _ => value,
            };
            let (read, value) = (program.var(v), program.pool.constant(value, width));
            let same = program.pool.eq(read, value);
            all = program.pool.and(all, same);
        }
        splice(program, t, loc, all, &format!("observer {k}"));
    }
}

/// Values that the variables have in some of the states; as often as not the rarest.
fn valuation(rng: &mut Rng, vars: &[VarId], states: &[&State]) -> Vec<u128> {
    let mut counts: BTreeMap<Vec<u128>, usize> = BTreeMap::new();
    for state in states {
        *counts.entry(vars.iter().map(|&v| state.value(v)).collect()).or_default() += 1;
    }
    let mut all: Vec<_> = counts.into_iter().collect();
    all.sort_by_key(|(_, n)| *n);
    let k = if rng.one_in(2) { 0 } else { rng.below(all.len()) };
    all.swap_remove(k).0
}

/// A running location that the thread is at in some of the states. Not where a thread waits for
/// its creation, nor where it waits for ever.
fn place(rng: &mut Rng, program: &Program, t: ThreadId, states: &[State]) -> Option<LocId> {
    let thread = &program.threads[t];
    let fits = |l: &LocId| {
        let start = t.index() != 0 && *l == thread.start;
        let leads_on = thread.edges_from(*l).next().is_some();
        thread.locations[*l].kind == LocKind::Running && leads_on && !start
    };
    let mut places: Vec<LocId> = states.iter().map(|s| s.loc(t)).filter(fits).collect();
    places.sort_unstable();
    places.dedup();
    (!places.is_empty()).then(|| *rng.pick(&places))
}

/// Puts `assert(!condition)` before everything that leaves the location.
fn splice(
    program: &mut Program,
    t: ThreadId,
    loc: LocId,
    condition: crate::program::ProgExpr,
    text: &str,
) {
    let not = program.pool.not(condition);
    let thread = &mut program.threads[t];
    let here = thread.locations[loc].clone();
    let (span, atomic) = (here.span, here.atomic);
    let stop = Location { kind: LocKind::Stopped, blocking: false, labels: vec![], atomic, span };
    let stop = thread.locations.push(stop);
    let on = thread.locations.push(Location { labels: vec![], ..here });
    thread.locations[loc].blocking = false;
    for edge in thread.edges.iter_mut().filter(|e| e.from == loc) {
        edge.from = on;
    }
    let site = Site { kind: SiteKind::Assertion, span, text: text.into() };
    let site = Some(program.sites.push(site));
    for (to, guard, site) in [(stop, condition, site), (on, not, None)] {
        thread.edges.push(Edge {
            from: loc,
            to,
            guard,
            derefs: IndexVec::new(),
            assigns: vec![],
            sync: Sync::None,
            atomic_access: false,
            site,
            span,
            text: text.into(),
        });
    }
}
