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
    format!("  {} then {}{may}{cycle}: {}\n", n.held, n.taken, places(n).join("; "))
}

/// Threads that one place is named with; there can be dozens of instances.
const NAMED: usize = 3;

/// One text for each place, with the threads that are there.
fn places(n: &NestedFacts) -> Vec<String> {
    let mut by_place: Vec<(&str, Vec<&str>)> = vec![];
    for (thread, place) in &n.places {
        match by_place.iter_mut().find(|(p, _)| p == place) {
            Some((_, threads)) => threads.push(thread),
            None => by_place.push((place, vec![thread])),
        }
    }
    let text = |(place, threads): (&str, Vec<&str>)| {
        let named = threads[..threads.len().min(NAMED)].join(", ");
        match threads.len() {
            0..=NAMED => format!("{named} at {place}"),
            n => format!("{named} and {} more at {place}", n - NAMED),
        }
    };
    by_place.into_iter().map(text).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_name_their_threads_once() {
        let at = |thread: &str, place: &str| (thread.to_owned(), place.to_owned());
        let mut nested = NestedFacts {
            held: "a".into(),
            taken: "b".into(),
            places: vec![at("main", "f.c:3"), at("t#1", "f.c:7"), at("t#2", "f.c:7")],
            certain: true,
            cyclic: false,
        };
        assert_eq!(nested_line(&nested), "  a then b: main at f.c:3; t#1, t#2 at f.c:7\n");
        nested.places.extend((3..=6).map(|k| at(&format!("t#{k}"), "f.c:7")));
        let line = "  a then b: main at f.c:3; t#1, t#2, t#3 and 3 more at f.c:7\n";
        assert_eq!(nested_line(&nested), line);
    }
}
