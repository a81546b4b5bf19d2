//! The declarations and the frame of a program's text.

use std::fmt::{self, Write};

use super::edge::write_edge;
use crate::program::{
    Lifetime, LocId, LocKind, Location, Program, Role, Scope, SiteKind, Status, Thread, ThreadId,
    Variable,
};

/// The text of a whole program that `program::validate` accepts.
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    write_program(&mut out, program).expect("writing to a string cannot fail");
    out
}

fn write_program(out: &mut String, p: &Program) -> fmt::Result {
    writeln!(out, "pointer {} bytes", p.pointer_bytes)?;
    for var in &p.vars {
        write_variable(out, p, var)?;
    }
    for object in &p.objects {
        write!(out, "object {} at {} size {}", object.name, object.address, object.size)?;
        if let Lifetime::While(v) = object.lifetime {
            write!(out, " while {}", p.vars[v].name)?;
        }
        let leaves: Vec<String> =
            object.leaves.iter().map(|(at, v)| format!("{at}: {}", p.vars[*v].name)).collect();
        writeln!(out, " {{{}}}", leaves.join(", "))?;
    }
    for input in &p.inputs {
        writeln!(out, "input {}: {}", input.name, input.width)?;
    }
    for (id, site) in p.sites.iter_enumerated() {
        write!(out, "{id:?}: ")?;
        match site.kind {
            SiteKind::Assertion => write!(out, "assertion")?,
            SiteKind::Undefined(kind) => write!(out, "undefined {kind:?}")?,
            SiteKind::Bound(bound) => write!(out, "bound {bound:?}")?,
            SiteKind::AtomicBlocked => write!(out, "atomic-blocked")?,
            SiteKind::Relock => write!(out, "relock")?,
            SiteKind::Arithmetic(kind) => write!(out, "arithmetic {kind:?}")?,
        }
        writeln!(out, " {:?} at {}", site.text, p.sources.show(site.span))?;
    }
    for (t, thread) in p.threads.iter_enumerated() {
        write_thread(out, p, t, thread)?;
    }
    Ok(())
}

fn write_variable(out: &mut String, p: &Program, var: &Variable) -> fmt::Result {
    let scope = match var.scope {
        Scope::Shared => "shared".to_string(),
        Scope::Local(t) => format!("local {}", p.threads[t].name),
    };
    let sign = if var.signed { "s" } else { "u" };
    write!(out, "{scope} {}: {sign}{} = {}", var.name, var.width, var.init)?;
    match var.role {
        Role::Data => {}
        Role::Temp => write!(out, ", temp")?,
        Role::MutexOwner => write!(out, ", mutex owner")?,
        Role::Readers => write!(out, ", readers")?,
        Role::ReadHolds { lock, thread } => {
            let (lock, thread) = (&p.vars[lock].name, &p.threads[thread].name);
            write!(out, ", how often {thread} is one of {lock}")?;
        }
        Role::Waiters => write!(out, ", waiters")?,
        Role::Semaphore => write!(out, ", semaphore")?,
        Role::Status(t) => {
            let value = match var.init {
                Status::FREE => "free",
                Status::RUNNING => "running",
                _ => "ended",
            };
            write!(out, ", status of {} ({value})", p.threads[t].name)?;
        }
        Role::Argument(t) => write!(out, ", argument of {}", p.threads[t].name)?,
        Role::Result(t) => write!(out, ", result of {}", p.threads[t].name)?,
        Role::Alive(o) => write!(out, ", lifetime of {}", p.objects[o].name)?,
        Role::Bookkeeping => write!(out, ", bookkeeping")?,
    }
    writeln!(out)
}

fn write_thread(out: &mut String, p: &Program, t: ThreadId, thread: &Thread) -> fmt::Result {
    let reusable = if thread.reusable { " reusable" } else { "" };
    writeln!(out, "thread {t:?} {}{reusable} from {:?}", thread.name, thread.start)?;
    for (l, loc) in thread.locations.iter_enumerated() {
        write_location(out, p, l, loc)?;
        for (_, edge) in thread.edges_from(l) {
            write_edge(out, p, edge)?;
        }
    }
    Ok(())
}

fn write_location(out: &mut String, p: &Program, l: LocId, loc: &Location) -> fmt::Result {
    write!(out, "  {l:?}")?;
    match loc.kind {
        LocKind::Running => {}
        LocKind::Ended => write!(out, " ended")?,
        LocKind::Discarded => write!(out, " discarded")?,
        LocKind::Stopped => write!(out, " stopped")?,
    }
    if loc.blocking {
        write!(out, " blocking")?;
    }
    if loc.atomic {
        write!(out, " atomic")?;
    }
    for label in &loc.labels {
        write!(out, " @{label}")?;
    }
    writeln!(out, "  # {}", p.sources.show(loc.span))
}
