//! The lines of a trace: executed edges of one statement of one thread, taken together.

use crate::base::Span;
use crate::program::{Program, Role, Scope, VarId};
use crate::witness::{Executed, Replay, show_value};

/// A line of a trace: what one thread did in one statement.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct TraceLine {
    /// The step of the schedule, 1-based.
    pub step: usize,
    /// Name of the thread.
    pub thread: String,
    /// `file:line`.
    pub place: String,
    /// Column, 1-based.
    pub column: u32,
    /// The statement.
    pub statement: String,
    /// What was written, be it the old value again: name and new value, without the front end's
    /// temporaries.
    pub changes: Vec<(String, String)>,
    /// Whether something was written that another thread could see.
    pub shared: bool,
    /// Whether another thread moved just before.
    pub switch: bool,
    /// Whether the line violates the property.
    pub violation: bool,
}

/// The lines of a replay.
pub fn trace_lines(program: &Program, replay: &Replay) -> Vec<TraceLine> {
    lines_of(program, &replay.edges)
}

/// The lines of executed edges.
pub(super) fn lines_of(program: &Program, edges: &[Executed]) -> Vec<TraceLine> {
    let mut lines: Vec<TraceLine> = vec![];
    let mut previous: Option<&Executed> = None;
    for executed in edges {
        let thread = &program.threads[executed.thread];
        let edge = &thread.edges[executed.edge];
        let same = previous.is_some_and(|p| {
            let e = &program.threads[p.thread].edges[p.edge];
            p.thread == executed.thread && same_statement(e.span, &e.text, edge.span, &edge.text)
        });
        if !same {
            lines.push(TraceLine {
                step: executed.step + 1,
                thread: thread.name.clone(),
                place: program.sources.show_line(edge.span),
                column: edge.span.col,
                statement: edge.text.to_string(),
                changes: vec![],
                shared: false,
                switch: previous.is_some_and(|p| p.thread != executed.thread),
                violation: false,
            });
        }
        if executed.site.is_some() && lines.len() > 1 {
            // The branch that finds the condition false says nothing that the violation does not.
            let branch = &lines[lines.len() - 2];
            let line = &lines[lines.len() - 1];
            if branch.place == line.place && branch.step == line.step && branch.changes.is_empty() {
                lines.remove(lines.len() - 2);
            }
        }
        let line = lines.last_mut().expect("a line was just pushed or is extended");
        line.violation |= executed.site.is_some();
        for &(v, _, new) in &executed.changes {
            note_change(program, line, v, new);
        }
        previous = Some(executed);
    }
    lines
}

fn same_statement(a: Span, text: &str, b: Span, other: &str) -> bool {
    (a.file, a.line) == (b.file, b.line) && text == other
}

fn note_change(program: &Program, line: &mut TraceLine, v: VarId, new: u128) {
    let var = &program.vars[v];
    let shown = matches!(var.role, Role::Data | Role::MutexOwner | Role::Semaphore);
    line.shared |= var.scope == Scope::Shared && shown;
    if !shown {
        return;
    }
    let value = match (var.role, new) {
        (Role::MutexOwner, 0) => "free".to_string(),
        (Role::MutexOwner, n) => {
            let owner = program.threads.iter().nth(n as usize - 1);
            owner.map_or_else(|| "destroyed".into(), |t| format!("held by {}", t.name))
        }
        _ => show_value(program, v, new),
    };
    match line.changes.iter_mut().find(|c| c.0 == var.name) {
        Some(known) => known.1 = value,
        None => line.changes.push((var.name.clone(), value)),
    }
}
