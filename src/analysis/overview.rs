//! What the analyses found, as data that can be shown.

use serde::Serialize;

use crate::program::contention::Item;
use crate::program::{LocId, LocKind, Program, ThreadId, VarId};

use super::alive::Alive;
use super::facts::{Facts, Sharing};
use super::held::Held;
use super::lock_order::LockOrder;
use super::mhp::may_happen_in_parallel;
use super::patterns::{Mode, Object, Patterns};
use super::races::Contention;
use super::sticky::sticky;
use super::tokens::Token;
use super::transactions::Transactions;

/// All of it.
#[derive(Clone, Debug, Serialize)]
pub struct Overview {
    /// The threads.
    pub threads: Vec<ThreadFacts>,
    /// Data that several threads access.
    pub shared: Vec<SharedFacts>,
    /// The mutexes.
    pub mutexes: Vec<String>,
    /// Which mutex is taken while which is held.
    pub lock_order: Vec<NestedFacts>,
}

/// One thread.
#[derive(Clone, Debug, Serialize)]
pub struct ThreadFacts {
    /// Its name.
    pub name: String,
    /// The locations that a run can reach.
    pub locations: Vec<LocationFacts>,
}

/// One location of a thread.
#[derive(Clone, Debug, Serialize)]
pub struct LocationFacts {
    /// Its number.
    pub location: String,
    /// Where the statement that comes next is.
    pub place: String,
    /// Its text.
    pub statement: String,
    /// How it moves over the steps of other threads: `B` both ways, `R`, `L`, `N` in no way.
    pub moves: &'static str,
    /// Whether a transaction `begins`, or how far it may have got: `before` or `after` the step
    /// that moves in no way.
    pub transaction: &'static str,
    /// The mutexes that are certainly held.
    pub held: Vec<String>,
    /// The threads that may be running.
    pub running: Vec<String>,
    /// Whether every endless run passes here or at another such location.
    pub sticky: bool,
    /// For each object that the thread may still access, the minimal sets of what it needs on its
    /// way there (`any` access, or a `write`).
    pub ways: Vec<String>,
    /// Where other threads may be.
    pub parallel: Vec<ParallelFacts>,
}

/// The source lines where another thread may be.
#[derive(Clone, Debug, Serialize)]
pub struct ParallelFacts {
    /// Its name.
    pub thread: String,
    /// The lines, ascending.
    pub lines: Vec<usize>,
}

/// Data that several threads access.
#[derive(Clone, Debug, Serialize)]
pub struct SharedFacts {
    /// Its name.
    pub name: String,
    /// Whether two accesses may race, as far as the analyses know.
    pub may_race: bool,
    /// The mutexes that are held at all accesses that could meet.
    pub mutexes: Vec<String>,
    /// Two accesses that may race: thread and place.
    pub accesses: Vec<(String, String)>,
}

/// A mutex that is taken while another one is held.
#[derive(Clone, Debug, Serialize)]
pub struct NestedFacts {
    /// The mutex that is held.
    pub held: String,
    /// The mutex that is taken.
    pub taken: String,
    /// Thread and place.
    pub places: Vec<(String, String)>,
    /// Whether that is certain, or one of several possibilities.
    pub certain: bool,
    /// Whether it lies on a cycle.
    pub cyclic: bool,
}

/// What an overview is made from.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its facts.
    pub facts: &'a Facts,
    /// Its transactions.
    pub transactions: &'a Transactions,
    /// Its lock acquisition patterns.
    pub patterns: &'a Patterns,
    /// What is known of data that several threads access.
    pub contention: &'a [(Item, Contention)],
}

impl Overview {
    /// Collects what was found.
    pub fn new(from: Sources<'_>) -> Self {
        let Sources { program, facts, transactions, contention, .. } = from;
        let order = LockOrder::new(program, facts, &transactions.movers.held);
        let name = |v: VarId| program.vars[v].name.clone();
        let place = |&(t, e): &(ThreadId, crate::program::EdgeId)| {
            let thread = &program.threads[t];
            let place = program.sources.show_line(thread.edges[e].span);
            (thread.name.clone(), place.to_string())
        };
        let nested = order.nested.iter().map(|n| NestedFacts {
            held: name(n.held),
            taken: name(n.taken),
            places: n.places.iter().map(place).collect(),
            certain: n.certain,
            cyclic: order.is_cyclic(n),
        });
        let shared = contention.iter().map(|(item, contention)| {
            let (mutexes, accesses) = match contention {
                Contention::Apart { mutexes } => {
                    (mutexes.iter().map(|&m| name(m)).collect(), vec![])
                }
                Contention::Open(pair) => (vec![], pair.iter().map(place).collect()),
            };
            let may_race = !contention.is_apart();
            SharedFacts { name: item.name(program).to_string(), may_race, mutexes, accesses }
        });
        Self {
            threads: program.threads.ids().map(|t| thread_facts(from, t)).collect(),
            shared: shared.collect(),
            mutexes: order.mutexes.iter().map(|&m| name(m)).collect(),
            lock_order: nested.collect(),
        }
    }
}

/// The locations of a thread that a run can reach.
fn running<'a>(
    program: &'a Program,
    facts: &'a Facts,
    t: ThreadId,
) -> impl Iterator<Item = LocId> + 'a {
    let locations = program.threads[t].locations.iter_enumerated();
    let live = locations.filter(|(_, l)| l.kind == LocKind::Running);
    live.map(|(l, _)| l).filter(move |&l| facts.ranges.is_reachable(t, l))
}

fn thread_facts(from: Sources<'_>, t: ThreadId) -> ThreadFacts {
    let Sources { program, facts, .. } = from;
    let everywhere = program.threads[t].locations.ids().map(|_| true).collect();
    let sticky = sticky(program, facts, t, &everywhere);
    let locations = running(program, facts, t);
    let facts_of = |l| LocationFacts { sticky: sticky.contains(&l), ..location_facts(from, t, l) };
    ThreadFacts {
        name: program.threads[t].name.clone(),
        locations: locations.map(facts_of).collect(),
    }
}

fn location_facts(from: Sources<'_>, t: ThreadId, l: LocId) -> LocationFacts {
    let Sources { program, facts, transactions: found, patterns, .. } = from;
    let (place, text) = next_statement(program, t, l);
    let mover = found.movers.at(t, l);
    let moves = match (mover.right, mover.left) {
        (true, true) => "B",
        (true, false) => "R",
        (false, true) => "L",
        (false, false) => "N",
    };
    let phases = found.phases(t, l);
    let transaction = match (phases.before, phases.after) {
        _ if found.is_boundary(t, l) => "begins",
        (true, true) => "before+after",
        (true, false) => "before",
        (false, true) => "after",
        (false, false) => "unreached",
    };
    let others = program.threads.ids().filter(|&u| u != t);
    let running = others.filter(|&u| found.movers.alive.runs_at(t, l, u));
    let (held, alive) = (&found.movers.held, &found.movers.alive);
    LocationFacts {
        location: format!("{l:?}"),
        place,
        statement: text.to_string(),
        moves,
        transaction,
        held: held.at(t, l).iter().map(|&m| program.vars[m].name.clone()).collect(),
        running: running.map(|u| program.threads[u].name.clone()).collect(),
        sticky: false,
        ways: ways(program, facts, patterns, t, l),
        parallel: parallel(program, facts, (alive, held), t, l),
    }
}

/// The source lines where each other thread may be.
fn parallel(
    program: &Program,
    facts: &Facts,
    (alive, held): (&Alive, &Held),
    t: ThreadId,
    l: LocId,
) -> Vec<ParallelFacts> {
    let others = program.threads.ids().filter(|&u| u != t);
    let lines = |u| {
        let at = running(program, facts, u)
            .filter(|&m| may_happen_in_parallel(program, alive, held, (t, l), (u, m)));
        let mut lines: Vec<usize> = at
            .filter_map(|m| next_statement(program, u, m).0.rsplit(':').next()?.parse().ok())
            .collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    };
    others
        .map(|u| ParallelFacts { thread: program.threads[u].name.clone(), lines: lines(u) })
        .collect()
}

fn ways(
    program: &Program,
    facts: &Facts,
    patterns: &Patterns,
    t: ThreadId,
    l: LocId,
) -> Vec<String> {
    let vars = program.vars.ids().filter(|&v| facts.sharing(v) == Sharing::Shared);
    let objects = vars.map(Object::Var).chain([Object::Visible, Object::Section]);
    let name = |object| match object {
        Object::Var(v) => program.vars[v].name.clone(),
        Object::Raced(item) => item.name(program).into(),
        Object::Visible => "what is visible".into(),
        Object::Section => "staying in an atomic section".into(),
    };
    let token = |token: &Token| match *token {
        Token::Mutex(v) | Token::Readers(v) => program.vars[v].name.clone(),
        Token::Join(u) => format!("end of {}", program.threads[u].name),
    };
    let sets = |object, mode| {
        let sets = patterns.sets(t, l, object, mode).iter().map(|set| {
            let names: Vec<String> = set.iter().map(token).collect();
            format!("{{{}}}", names.join(", "))
        });
        sets.collect::<Vec<_>>().join(" or ")
    };
    let mut list = vec![];
    for object in objects {
        let (any, write) = (sets(object, Mode::Any), sets(object, Mode::Write));
        if !any.is_empty() {
            let writes = if write.is_empty() { String::new() } else { format!(" write {write}") };
            list.push(format!("{} any {any}{writes}", name(object)));
        }
    }
    list
}

/// Where the statement that comes next is, and its text.
fn next_statement(program: &Program, t: ThreadId, l: LocId) -> (String, &str) {
    let edge = program.threads[t].edges_from(l).find(|(_, e)| e.site.is_none()).map(|(_, e)| e);
    edge.map_or((String::new(), ""), |e| (program.sources.show_line(e.span).to_string(), &*e.text))
}
