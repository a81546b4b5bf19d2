//! Facts as text: a line for each location that a run can reach.

use std::fmt::Write;

use crate::program::{LocId, LocKind, Program, ThreadId};

use super::alive::Alive;
use super::facts::{Facts, Sharing};
use super::held::Held;
use super::mhp::may_happen_in_parallel;
use super::patterns::{Mode, Object, Patterns};
use super::sticky::sticky;
use super::tokens::Token;
use super::transactions::Transactions;

/// What the analyses of transactions found, location by location: the statement that comes next,
/// how it moves (`B` both ways, `R`, `L`, `N` in no way), the mutexes certainly held, the threads
/// that may be running, the phases of transactions, and whether a transaction begins there.
pub fn print_transactions(program: &Program, facts: &Facts, found: &Transactions) -> String {
    let mut out = String::new();
    for (t, thread) in program.threads.iter_enumerated() {
        let _ = writeln!(out, "thread {}", thread.name);
        for (l, location) in thread.locations.iter_enumerated() {
            if location.kind == LocKind::Running && facts.ranges.is_reachable(t, l) {
                let _ = writeln!(out, "  {}", line(program, found, t, l));
            }
        }
    }
    out
}

fn line(program: &Program, found: &Transactions, t: ThreadId, l: LocId) -> String {
    let (place, text) = next_statement(program, t, l);
    let mover = found.movers.at(t, l);
    let letter = match (mover.right, mover.left) {
        (true, true) => 'B',
        (true, false) => 'R',
        (false, true) => 'L',
        (false, false) => 'N',
    };
    let held: Vec<&str> =
        found.movers.held.at(t, l).iter().map(|&m| program.vars[m].name.as_str()).collect();
    let others = program.threads.ids().filter(|&u| u != t);
    let running: Vec<&str> = others
        .filter(|&u| found.movers.alive.runs_at(t, l, u))
        .map(|u| program.threads[u].name.as_str())
        .collect();
    let phases = found.phases(t, l);
    let mut result = format!("{l:?} {letter}");
    if found.is_boundary(t, l) {
        result += " begins";
    } else {
        result += match (phases.before, phases.after) {
            (true, true) => " before+after",
            (true, false) => " before",
            (false, true) => " after",
            (false, false) => " unreached",
        };
    }
    let _ = write!(result, " held {{{}}} running {{{}}}", held.join(", "), running.join(", "));
    let _ = write!(result, "  # {place}: {text}");
    result
}

/// Lock acquisition patterns, location by location: for each object that the thread may still
/// access, the minimal sets of what it needs on its way there (`any` access, or a `write`), and
/// whether the location is sticky.
pub fn print_patterns(program: &Program, facts: &Facts, patterns: &Patterns) -> String {
    let mut out = String::new();
    for (t, thread) in program.threads.iter_enumerated() {
        let _ = writeln!(out, "ways of {}", thread.name);
        let everywhere = thread.locations.ids().map(|_| true).collect();
        let sticky = sticky(program, facts, t, &everywhere);
        for (l, location) in thread.locations.iter_enumerated() {
            if location.kind != LocKind::Running || !facts.ranges.is_reachable(t, l) {
                continue;
            }
            let mark = if sticky.contains(&l) { " sticky" } else { "" };
            let (place, text) = next_statement(program, t, l);
            let ways = ways(program, facts, patterns, t, l);
            let _ = writeln!(out, "  {l:?}{mark} {ways}  # {place}: {text}");
        }
    }
    out
}

fn ways(program: &Program, facts: &Facts, patterns: &Patterns, t: ThreadId, l: LocId) -> String {
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
    list.join("; ")
}

/// What may happen in parallel, location by location: the source lines where each other thread may
/// be.
pub fn print_parallel(program: &Program, facts: &Facts, alive: &Alive, held: &Held) -> String {
    let mut out = String::new();
    let running = |t: ThreadId| {
        let locations = program.threads[t].locations.iter_enumerated();
        let live = locations.filter(move |(_, l)| l.kind == LocKind::Running);
        live.map(|(l, _)| l).filter(move |&l| facts.ranges.is_reachable(t, l))
    };
    for (t, thread) in program.threads.iter_enumerated() {
        let _ = writeln!(out, "parallel to {}", thread.name);
        for l in running(t) {
            let mut list = vec![];
            for u in program.threads.ids().filter(|&u| u != t) {
                let mut lines: Vec<usize> = running(u)
                    .filter(|&m| may_happen_in_parallel(program, alive, held, (t, l), (u, m)))
                    .filter_map(|m| {
                        next_statement(program, u, m).0.rsplit(':').next()?.parse().ok()
                    })
                    .collect();
                lines.sort_unstable();
                lines.dedup();
                list.push(format!("{} {lines:?}", program.threads[u].name));
            }
            let (place, text) = next_statement(program, t, l);
            let _ = writeln!(out, "  {l:?} {}  # {place}: {text}", list.join(", "));
        }
    }
    out
}

/// Where the statement that comes next is, and its text.
fn next_statement(program: &Program, t: ThreadId, l: LocId) -> (String, &str) {
    let edge = program.threads[t].edges_from(l).find(|(_, e)| e.site.is_none()).map(|(_, e)| e);
    edge.map_or((String::new(), ""), |e| (program.sources.show_line(e.span).to_string(), &*e.text))
}
