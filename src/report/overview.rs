//! What the analyses found, for people, for programs, and as a graph.

use std::fmt::Write;

use serde_json::json;

use crate::analysis::{LocationFacts, NestedFacts, Overview, SharedFacts};

use super::json::pretty;

/// Location by location: how the next statement moves, mutexes held, threads that may be running
/// and transactions; then, behind an empty line each, lock acquisition patterns and sticky
/// locations, what may happen in parallel, shared data, and the order in which mutexes are taken.
pub fn text_overview(found: &Overview) -> String {
    let section = |title: &str, line: fn(&LocationFacts) -> String| {
        let mut out = String::new();
        for thread in &found.threads {
            let _ = writeln!(out, "{title} {}", thread.name);
            for l in &thread.locations {
                let fact = line(l);
                let _ = writeln!(out, "  {} {fact}  # {}: {}", l.location, l.place, l.statement);
            }
        }
        out
    };
    let mut shared = String::from("shared data\n");
    found.shared.iter().for_each(|s| shared += &shared_line(s));
    let mut order = String::from("lock order\n");
    found.lock_order.iter().for_each(|n| order += &nested_line(n));
    let parts = [
        section("thread", |l| {
            let (held, running) = (l.held.join(", "), l.running.join(", "));
            format!("{} {} held {{{held}}} running {{{running}}}", l.moves, l.transaction)
        }),
        section("ways of", |l| {
            let ways = l.ways.join("; ");
            if l.sticky { format!("sticky {ways}") } else { ways }
        }),
        section("parallel to", |l| {
            let list = l.parallel.iter().map(|p| format!("{} {:?}", p.thread, p.lines));
            list.collect::<Vec<_>>().join(", ")
        }),
        shared,
        order,
    ];
    parts.join("\n")
}

fn shared_line(s: &SharedFacts) -> String {
    let what = if s.may_race {
        let list = s.accesses.iter().map(|(thread, place)| format!("{thread} at {place}"));
        format!("may race: {}", list.collect::<Vec<_>>().join(", "))
    } else if s.mutexes.is_empty() {
        "no race: create and join keep the accesses apart, or different mutexes each time".into()
    } else {
        format!("no race: always with {} held", s.mutexes.join(", "))
    };
    format!("  {}: {what}\n", s.name)
}

fn nested_line(n: &NestedFacts) -> String {
    let may = if n.certain { "" } else { " (perhaps)" };
    let cycle = if n.cyclic { ", on a cycle" } else { "" };
    format!("  {} then {}{may}{cycle}: {}\n", n.held, n.taken, places(n).join(", "))
}

fn places(n: &NestedFacts) -> Vec<String> {
    n.places.iter().map(|(thread, place)| format!("{thread} at {place}")).collect()
}

/// One JSON object with a `schema` version.
pub fn json_overview(found: &Overview) -> String {
    pretty(&json!({
        "schema": 1,
        "threads": found.threads,
        "shared": found.shared,
        "mutexes": found.mutexes,
        "lock_order": found.lock_order,
    }))
}

/// The order of mutexes in the language of Graphviz: dashed where it is only possible, red on
/// cycles.
pub fn dot_overview(found: &Overview) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut out = String::from("digraph lock_order {\n");
    for mutex in &found.mutexes {
        let _ = writeln!(out, "  {};", quoted(mutex));
    }
    for n in &found.lock_order {
        let style = if n.certain { "solid" } else { "dashed" };
        let color = if n.cyclic { "red" } else { "black" };
        let label = quoted(&places(n).join("\n")).replace('\n', "\\n");
        let (from, to) = (quoted(&n.held), quoted(&n.taken));
        let _ = writeln!(out, "  {from} -> {to} [style={style}, color={color}, label={label}];");
    }
    out + "}\n"
}
