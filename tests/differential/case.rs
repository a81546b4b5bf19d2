//! What is compared: a program and what is asked of it.

use std::collections::BTreeSet;

use latchwork::analysis::points_to;
use latchwork::base::{Budget, Id, Rng};
use latchwork::program::explore::{ExploreError, ExploreOptions, Explorer};
use latchwork::program::random::{
    DisciplineOptions, RandomOptions, add_observers, random_disciplined, random_program,
};
use latchwork::program::{
    Edge, LocId, Location, Machine, Program, Role, Scope, Site, SiteKind, State, Sync, Target,
    ThreadId, VarId, print, remember_readers, validate,
};
use latchwork::property::{PropertyKind, Question, resolve};

use crate::c::Source;

/// A program and what is asked of it.
pub struct Case {
    pub program: Program,
    pub properties: Vec<PropertyKind>,
    pub question: Question,
    /// What a failure says of it.
    pub name: String,
}

impl Case {
    fn new(name: String, program: Program, properties: Vec<PropertyKind>) -> Self {
        validate(&program).unwrap_or_else(|e| panic!("{e}\n{name}"));
        let question = resolve(&program, &properties).expect("the invariants are about variables");
        Self { program, properties, question, name }
    }

    /// A random thread program. Some keep mostly to their locks.
    pub fn random(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut program = if rng.one_in(2) {
            let options = RandomOptions {
                threads: 1 + rng.below(4),
                statements: 2 + rng.below(9),
                loops: !rng.one_in(3),
                arrays: !rng.one_in(3),
                ..RandomOptions::default()
            };
            random_program(&mut rng, &options)
        } else {
            let options = DisciplineOptions {
                statements: 2 + rng.below(5),
                slips: *rng.pick(&[0, 4, 12]),
                trylocks: rng.one_in(2),
                free_loops: rng.one_in(2),
                ..DisciplineOptions::default()
            };
            random_disciplined(&mut rng, &options)
        };
        points_to(&mut program);
        if rng.one_in(2) {
            add_relocks(&mut program);
        }
        let properties = ask(&mut rng, &mut program);
        Self::new(format!("seed {seed}\n{}", print(&program)), program, properties)
    }

    /// A program that was made from C.
    pub fn of_c(source: &Source, mut program: Program) -> Self {
        let mut rng = Rng::new(source.seed);
        let properties = ask(&mut rng, &mut program);
        Self::new(format!("seed {} of C\n{}", source.seed, source.text), program, properties)
    }
}

/// Where a thread locks, it may find that it has the mutex already.
fn add_relocks(program: &mut Program) {
    let lock = |program: &Program, t: ThreadId, from: LocId| -> Option<(Edge, VarId)> {
        let thread = &program.threads[t];
        let mut edges = thread.edges_from(from).map(|(_, e)| e);
        let (edge, location) = (edges.next()?, &thread.locations[from]);
        let plain = location.blocking && !location.atomic && edges.next().is_none();
        let [assign] = edge.assigns[..] else { return None };
        let Target::Var(owner) = assign.target else { return None };
        (plain && edge.sync == Sync::Lock).then(|| (edge.clone(), owner))
    };
    for t in program.threads.ids() {
        for from in program.threads[t].locations.ids() {
            let Some((edge, owner)) = lock(program, t, from) else { continue };
            let (kind, span) = (SiteKind::Relock, edge.span);
            let text = format!("site of {t:?} {from:?}").into();
            let site = program.sites.push(Site { kind, span, text });
            let waits = Location { labels: vec![], ..program.threads[t].locations[from].clone() };
            let to = program.threads[t].locations.push(waits);
            let width = program.vars[owner].width;
            let (now, me) = (program.var(owner), t.index() as u128 + 1);
            let me = program.pool.constant(me, width);
            let guard = program.pool.eq(now, me);
            let (assigns, sync, site) = (vec![], Sync::None, Some(site));
            program.threads[t].edges.push(Edge { to, guard, assigns, sync, site, ..edge });
        }
    }
}

/// Adds observers to the program, and deadlock, races and invariants to what is asked. These make
/// more accesses visible, so many programs have none.
fn ask(rng: &mut Rng, program: &mut Program) -> Vec<PropertyKind> {
    validate(program).unwrap_or_else(|e| panic!("{e}\n{}", print(program)));
    let observers = rng.below(4);
    add_observers(rng, program, observers, 2000);
    let mut properties = vec![PropertyKind::Assert];
    if rng.one_in(2) {
        properties.push(match rng.one_in(2) {
            true => PropertyKind::Deadlock,
            false => PropertyKind::LocalDeadlock,
        });
    }
    for local in [PropertyKind::LockMisuse, PropertyKind::Overflow, PropertyKind::Memory] {
        if rng.one_in(2) {
            properties.push(local);
        }
    }
    if rng.one_in(3) {
        properties.push(PropertyKind::Race);
    }
    if rng.one_in(3) {
        invariants(rng, program, &mut properties);
    }
    if properties.contains(&PropertyKind::LocalDeadlock) {
        remember_readers(program);
    }
    properties
}

/// Invariants about pairs of shared variables, some of which a run is known to violate.
fn invariants(rng: &mut Rng, program: &Program, properties: &mut Vec<PropertyKind>) {
    let plain = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let shared: Vec<_> = program
        .vars
        .iter_enumerated()
        .filter(|(_, v)| v.scope == Scope::Shared && v.role == Role::Data && plain(&v.name))
        .collect();
    if shared.is_empty() {
        return;
    }
    for _ in 0..1 + rng.below(3) {
        let (&(a, x), &(b, y)) = (rng.pick(&shared), rng.pick(&shared));
        let e = if rng.one_in(2) {
            format!("{} <= {} + {}", x.name, y.name, rng.below(3))
        } else {
            let (va, vb) = match rng.one_in(3) {
                true => (rng.below(3) as u128, rng.below(3) as u128),
                false => some_values(rng, program, a, b),
            };
            format!("!({} == {va} && {} == {vb})", x.name, y.name)
        };
        if !properties.contains(&PropertyKind::Invariant(e.clone())) {
            properties.push(PropertyKind::Invariant(e));
        }
    }
}

/// Values that two variables have at the same time in some run, as often as not rare ones.
fn some_values(rng: &mut Rng, program: &Program, a: VarId, b: VarId) -> (u128, u128) {
    let mut pairs = BTreeSet::new();
    let mut visit = |state: &State, _| {
        pairs.insert((state.value(a), state.value(b)));
    };
    let options = ExploreOptions { max_states: Some(2000), ..ExploreOptions::default() };
    let machine = Machine::new(program);
    let explorer = Explorer::new(&machine, options).visit(&mut visit);
    match explorer.run(&Budget::unlimited()) {
        // What was seen before a choice of too many values will do.
        Ok(_) | Err(ExploreError::InputTooWide { .. }) => {}
        Err(e) => panic!("random programs are right: {e}"),
    }
    let pairs: Vec<_> = pairs.into_iter().collect();
    if pairs.is_empty() { (0, 0) } else { *rng.pick(&pairs) }
}
