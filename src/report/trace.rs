//! The lines of a trace: executed edges of one statement of one thread, taken together.

use crate::base::{Id, Span};
use crate::program::contention::{Item, Touch, race};
use crate::program::explore::unended;
use crate::program::leak::Leak;
use crate::program::standstill::{Local, Standstill};
use crate::program::{
    Edge, Leaf, Machine, Program, Role, Scope, State, Sync, ThreadId, VarId, read_holds,
};
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

/// A thread that waits.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Waiting {
    /// Its name.
    pub thread: String,
    /// `file:line`.
    pub place: String,
    /// The statement, and who holds the mutex that it is about.
    pub text: String,
}

/// The threads that wait in a state in which none can move.
pub fn waiting<'a>(program: &'a Program, state: &'a State) -> impl Iterator<Item = Waiting> + 'a {
    unended(program, state).map(|t| waits(program, state, t))
}

/// The threads that wait for ever, though others may go on.
pub fn local<'a>(
    program: &'a Program,
    state: &'a State,
    found: &Standstill,
    kind: Local,
) -> impl Iterator<Item = Waiting> + 'a {
    let threads = found.threads(&Machine::new(program), state, kind).unwrap_or_default();
    threads.into_iter().map(|t| waits(program, state, t))
}

/// What a thread waits for.
fn waits(program: &Program, state: &State, t: ThreadId) -> Waiting {
    let thread = &program.threads[t];
    let loc = state.loc(t);
    let place = program.sources.show_line(thread.locations[loc].span);
    let mut text = String::new();
    if thread.edges_from(loc).next().is_none() {
        text += "takes again what it has";
    }
    let mut edges = thread.edges_from(loc).map(|(_, e)| e);
    if let Some(edge) = edges.next() {
        text += &edge.text;
        let name = |u: ThreadId| match u == t {
            true => "itself",
            false => &program.threads[u].name,
        };
        let names: Vec<&str> = holders(program, state, edge).into_iter().map(name).collect();
        if !names.is_empty() {
            text += &format!(" (held by {})", names.join(", "));
        }
    }
    Waiting { thread: thread.name.clone(), place, text }
}

/// A thread of a race.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Racing {
    /// Its name.
    pub thread: String,
    /// `file:line`.
    pub place: String,
    /// The statement.
    pub text: String,
    /// Whether it writes.
    pub write: bool,
    /// Whether the access is atomic.
    pub atomic: bool,
    /// The mutexes that it holds.
    pub held: Vec<String>,
}

impl Racing {
    /// What it does.
    pub(super) fn how(&self) -> &'static str {
        match (self.write, self.atomic) {
            (false, false) => "reads",
            (false, true) => "reads atomically",
            (true, false) => "writes",
            (true, true) => "writes atomically",
        }
    }

    /// What it holds.
    pub(super) fn holds(&self) -> String {
        match &self.held[..] {
            [] => " (holds no mutex)".to_string(),
            list => format!(" (holds {})", list.join(", ")),
        }
    }
}

/// The two threads that race for an item in a state.
pub fn racing(program: &Program, state: &State, item: Item) -> impl Iterator<Item = Racing> {
    let machine = Machine::new(program);
    let pair = race(&machine, state, item).ok().flatten();
    let one = |touch: Touch| {
        let edge = &program.threads[touch.thread].edges[touch.edge];
        let owners = program.vars.iter_enumerated().filter(|(v, var)| {
            var.role == Role::MutexOwner && state.value(*v) == touch.thread.index() as u128 + 1
        });
        Racing {
            thread: program.threads[touch.thread].name.clone(),
            place: program.sources.show_line(edge.span),
            text: edge.text.to_string(),
            write: touch.write,
            atomic: touch.atomic,
            held: owners.map(|(_, var)| var.name.clone()).collect(),
        }
    };
    pair.into_iter().flat_map(|(a, b)| [a, b]).map(one).collect::<Vec<_>>().into_iter()
}

/// Something that is not freed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Leaked {
    /// Its name.
    pub object: String,
    /// `file:line` of the first statement that may have allocated it.
    pub place: String,
    /// That statement.
    pub text: String,
}

/// What the process leaves on the heap if it ends in a state.
pub fn leaked(program: &Program, state: &State, leak: &Leak) -> impl Iterator<Item = Leaked> {
    let objects = leak.objects(program, state);
    objects.into_iter().filter_map(|o| {
        let mut edges = program.threads.iter().flat_map(|t| t.edges.iter());
        let edge = edges.find(|e| e.sync == Sync::Allocate(o))?;
        Some(Leaked {
            object: program.objects[o].name.clone(),
            place: program.sources.show_line(edge.span),
            text: edge.text.to_string(),
        })
    })
}

/// Who holds the lock that the edge takes, if it takes one that is named directly; who reads it, as
/// far as the program remembers.
fn holders(program: &Program, state: &State, edge: &Edge) -> Vec<ThreadId> {
    if !matches!(edge.sync, Sync::Lock | Sync::ReadLock) {
        return vec![];
    }
    let mut locks = vec![];
    program.pool.for_each_leaf(edge.guard, |leaf, _| match leaf {
        Leaf::Var(v) if state.value(v) != 0 => locks.push(v),
        _ => {}
    });
    let holds = |u: ThreadId| {
        let owns = |v: &VarId| {
            let role = program.vars[*v].role;
            role == Role::MutexOwner && state.value(*v) == u.index() as u128 + 1
        };
        let reads = read_holds(program).any(|(lock, thread, held)| {
            thread == u && locks.contains(&lock) && state.value(held) != 0
        });
        reads || locks.iter().any(owns)
    };
    program.threads.ids().filter(|&u| holds(u)).collect()
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
