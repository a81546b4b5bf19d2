//! Reports for people.

use std::fmt::Write;

use crate::program::Program;
use crate::property::TargetKind;

use super::result::{
    CheckReport, CircuitReport, Evidence, PropertyReport, PropertyVerdict, Violation,
};
use super::trace::{
    Leaked, Racing, TraceLine, Waiting, leaked, lines_of, local, racing, trace_lines, waiting,
};
use crate::witness::{Executed, LassoReplay};

/// How much of a trace is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TraceDetail {
    /// Long traces only with what other threads can see and where threads switch.
    #[default]
    Short,
    /// Every statement.
    Full,
    /// No trace.
    None,
}

/// A trace with more lines than this is shortened.
const LONG_TRACE: usize = 30;

/// The verdicts, a line each, and then the traces.
pub fn text_report(report: &CheckReport, detail: TraceDetail) -> String {
    let mut out = String::new();
    if let Some(c) = &report.exploration {
        let _ = writeln!(
            out,
            "{} states, {} transitions, depth {}; ends: {} ended, {} deadlocked, {} discarded, {} \
             stopped",
            c.states, c.transitions, c.depth, c.ended, c.deadlocked, c.discarded, c.stopped
        );
    }
    for property in &report.properties {
        out += &verdict_line(report, property);
        let restrictions = report.program.restrictions();
        if matches!(property.verdict, PropertyVerdict::Safe(_)) && !restrictions.is_empty() {
            let _ = write!(out, " ({})", restrictions.join(", "));
        }
        out.push('\n');
    }
    if detail != TraceDetail::None {
        report.circuits.iter().for_each(|c| out += &circuit_lines(report, c));
    }
    if detail != TraceDetail::None {
        for violation in report.properties.iter().flat_map(|p| &p.violations) {
            out.push('\n');
            out += &text_violation(&report.program, violation, detail);
        }
    }
    out
}

/// What is worth saying of a circuit: its engines, if there were several, and how it is another one
/// than the first one, or than asked for.
fn circuit_lines(report: &CheckReport, circuit: &CircuitReport) -> String {
    let own = circuit.properties.iter().filter(|p| !p.is_implicit());
    let names: Vec<String> = own.map(|p| p.title()).collect();
    let about = match report.circuits.len() {
        1 => String::new(),
        // What is always asked only.
        _ if names.is_empty() => return String::new(),
        _ => format!("{}: ", names.join(", ")),
    };
    let mut out = String::new();
    let first = report.circuits.first().is_some_and(|f| f.properties == circuit.properties);
    if !first || circuit.reduction_off.is_some() {
        let why = circuit.reduction_off.as_ref().map(|why| format!(", as {why}"));
        let size = match circuit.statistics.filter(|_| !first) {
            None => String::new(),
            Some(s) => {
                format!(", on a circuit of {} latches and {} ands", s.latches, s.ands)
            }
        };
        let why = why.unwrap_or_default();
        let _ = writeln!(out, "({about}reduction {}{why}{size})", circuit.reduction);
    }
    if circuit.members.len() > 1 {
        let members: Vec<String> = circuit.members.iter().map(ToString::to_string).collect();
        let _ = writeln!(out, "({about}engines: {})", members.join("; "));
    }
    out
}

/// `assert: SAFE (bmc, depth 12, 0.41 s)` and its like.
fn verdict_line(report: &CheckReport, property: &PropertyReport) -> String {
    let name = property.property.title();
    let seconds = report.elapsed_of(&property.property).as_secs_f64();
    let engine = report.engines_of(property);
    match &property.verdict {
        PropertyVerdict::Safe(evidence) => {
            let what = evidence_text(&engine, *evidence, &report.depth_unit(property));
            format!("{name}: SAFE ({what}, {seconds:.2} s)")
        }
        PropertyVerdict::Unsafe => {
            if property.violations.iter().any(|v| v.cycle_start.is_some()) {
                return format!(
                    "{name}: UNSAFE by a run that goes on for ever ({engine}, {seconds:.2} s)"
                );
            }
            let places: Vec<String> =
                property.violations.iter().flat_map(|v| places(&report.program, v)).collect();
            format!("{name}: UNSAFE at {} ({engine}, {seconds:.2} s)", places.join(" and "))
        }
        PropertyVerdict::Unknown(why) => {
            let unit =
                if why.contains("depth ") { report.depth_unit(property) } else { String::new() };
            format!("{name}: UNKNOWN ({why}{unit})")
        }
    }
}

/// Who has proved it, how, and whether somebody else agrees.
pub(super) fn evidence_text(engine: &str, evidence: Evidence, unit: &str) -> String {
    let how = match evidence {
        Evidence::Unreachable => "by analysis".to_string(),
        Evidence::Explored { states } => format!("explore, all {states} states"),
        Evidence::Claimed => format!("{engine}, without evidence"),
        Evidence::Complete { depth, .. } => format!("{engine}, complete at depth {depth}{unit}"),
        Evidence::Induction { k, .. } => format!("{engine}, {k}-inductive"),
        Evidence::Circuit { ands, .. } => format!("{engine}, inductive invariant of {ands} gates"),
        Evidence::Invariant { clauses, .. } => {
            let plural = if clauses == 1 { "" } else { "s" };
            format!("{engine}, inductive invariant of {clauses} clause{plural}")
        }
    };
    match evidence.audited() {
        Some(true) => how + ", audited",
        Some(false) => how + ", not audited",
        None => how,
    }
}

/// Where the property is violated: at its place, where threads are in the last state, or after so
/// many steps.
fn places(program: &Program, v: &Violation) -> Vec<String> {
    let mut places: Vec<String> = match (v.target.span, &v.target.kind) {
        (Some(span), _) => vec![program.sources.show_line(span)],
        (None, TargetKind::Deadlock) => {
            waiting(program, &v.replay.state).map(|w| w.place).collect()
        }
        (None, TargetKind::Local(found, kind)) => {
            local(program, &v.replay.state, found, *kind).map(|w| w.place).collect()
        }
        (None, TargetKind::Race(item)) => {
            racing(program, &v.replay.state, *item).map(|r| r.place).collect()
        }
        (None, TargetKind::Leak(leak)) => {
            leaked(program, &v.replay.state, leak).map(|l| l.place).collect()
        }
        (None, _) => vec![format!("step {}", v.schedule.steps.len())],
    };
    places.dedup();
    places
}

/// One violation's trace as a table.
pub fn text_violation(program: &Program, violation: &Violation, detail: TraceDetail) -> String {
    let target = &violation.target;
    if let Some(cycle_start) = violation.cycle_start {
        let tables = lasso_tables(program, &violation.replay.edges, cycle_start, detail);
        return format!("{}:\n{tables}", target.property.title());
    }
    let place = target.span.map(|s| format!(" at {}", program.sources.show_line(s)));
    let mut out =
        format!("{}{}: {}\n", target.property.title(), place.unwrap_or_default(), target.text);
    let lines = trace_lines(program, &violation.replay);
    let (shown, omitted) = select(&lines, detail);
    out += &table(&shown);
    if omitted > 0 {
        let _ = writeln!(out, "  ({omitted} local statements left out; --full-trace shows them)");
    }
    if matches!(target.kind, TargetKind::Invariant(_)) {
        out += "  and then the invariant does not hold\n";
    }
    if matches!(target.kind, TargetKind::Deadlock) {
        out += "  and then no thread can move:\n";
        for Waiting { thread, place, text } in waiting(program, &violation.replay.state) {
            let _ = writeln!(out, "    {thread} waits at {place}: {text}");
        }
    }
    if let TargetKind::Local(found, kind) = &target.kind {
        out += "  and then, whatever others do, for ever:\n";
        for Waiting { thread, place, text } in local(program, &violation.replay.state, found, *kind)
        {
            let _ = writeln!(out, "    {thread} waits at {place}: {text}");
        }
    }
    if let TargetKind::Leak(leak) = &target.kind {
        out += "  and then the process ends without having freed:\n";
        for Leaked { object, place, text } in leaked(program, &violation.replay.state, leak) {
            let _ = writeln!(out, "    {object}, allocated at {place}: {text}");
        }
    }
    if let TargetKind::Race(item) = target.kind {
        out += "  and then two threads are about to access it:\n";
        for r in racing(program, &violation.replay.state, item) {
            let Racing { thread, place, text, .. } = &r;
            let _ = writeln!(out, "    {thread} {} at {place}: {text}{}", r.how(), r.holds());
        }
    }
    out
}

/// A run that goes on for ever, as two tables: the stem and the loop.
pub fn text_lasso(program: &Program, lasso: &LassoReplay, detail: TraceDetail) -> String {
    lasso_tables(program, &lasso.edges, lasso.cycle_start, detail)
}

fn lasso_tables(
    program: &Program,
    edges: &[Executed],
    cycle_start: usize,
    detail: TraceDetail,
) -> String {
    let (stem, cycle) = edges.split_at(cycle_start);
    let mut out = String::new();
    for (head, edges) in [("", stem), ("and then for ever:\n", cycle)] {
        out += head;
        if edges.is_empty() {
            out += if head.is_empty() { "  from the start\n" } else { "  nothing moves\n" };
            continue;
        }
        let lines = lines_of(program, edges);
        let (shown, omitted) = select(&lines, detail);
        out += &table(&shown);
        if omitted > 0 {
            let _ = writeln!(out, "  ({omitted} local statements left out)");
        }
    }
    out
}

/// The lines to show, and how many are left out.
fn select(lines: &[TraceLine], detail: TraceDetail) -> (Vec<&TraceLine>, usize) {
    if detail == TraceDetail::Full || lines.len() <= LONG_TRACE {
        return (lines.iter().collect(), 0);
    }
    let last = lines.len() - 1;
    let kept: Vec<_> = lines
        .iter()
        .enumerate()
        .filter(|(k, l)| *k == 0 || *k == last || l.shared || l.switch || l.violation)
        .map(|(_, l)| l)
        .collect();
    let omitted = lines.len() - kept.len();
    (kept, omitted)
}

fn table(lines: &[&TraceLine]) -> String {
    let width = |f: fn(&TraceLine) -> usize, head: usize| {
        lines.iter().map(|l| f(l)).max().unwrap_or(0).max(head)
    };
    let thread = width(|l| l.thread.chars().count(), 6);
    let place = width(|l| l.place.chars().count(), 5);
    let statement = width(|l| l.statement.chars().count().min(48), 9);
    let mut out = String::new();
    let mut row = |step: &str, a: &str, b: &str, c: &str, d: &str| {
        let text = format!("  {step:>4}  {a:<thread$}  {b:<place$}  {c:<statement$}  {d}");
        let _ = writeln!(out, "{}", text.trim_end());
    };
    row("step", "thread", "place", "statement", "what it writes");
    for line in lines {
        let changes: Vec<String> =
            line.changes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let mut changes = changes.join(", ");
        if line.violation {
            changes = "violated".to_string();
        }
        let step = line.step.to_string();
        row(&step, &line.thread, &line.place, &shorten(&line.statement), &changes);
    }
    out
}

/// A statement in at most 48 characters.
fn shorten(statement: &str) -> String {
    if statement.chars().count() <= 48 {
        return statement.to_string();
    }
    statement.chars().take(45).collect::<String>() + "..."
}
