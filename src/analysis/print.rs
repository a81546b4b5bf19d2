//! Facts as text: a line for each location that a run can reach.

use std::fmt::Write;

use crate::program::{LocId, LocKind, Program, ThreadId};

use super::facts::Facts;
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
    let thread = &program.threads[t];
    let edge = thread.edges_from(l).find(|(_, e)| e.site.is_none()).map(|(_, e)| e);
    let (place, text) = edge
        .map_or((String::new(), ""), |e| (program.sources.show_line(e.span).to_string(), &*e.text));
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
