//! The text of an edge.

use std::fmt::{self, Write};

use super::expr::Printer;
use crate::program::{Edge, Program, Sync, Target};

/// Writes an edge: a line with its end and guard, then indented lines with the rest.
pub(super) fn write_edge(out: &mut String, p: &Program, edge: &Edge) -> fmt::Result {
    let mut roots: Vec<_> = edge.derefs.iter().map(|d| d.addr).collect();
    roots.push(edge.guard);
    roots.extend(edge.assigns.iter().map(|a| a.value));
    let printer = Printer::new(p, &roots);

    write!(out, "    -> {:?}", edge.to)?;
    if !p.pool.is_true(edge.guard) {
        write!(out, " if {}", printer.show(edge.guard))?;
    }
    match edge.sync {
        Sync::None => {}
        Sync::Create(t) => write!(out, " create {}", p.threads[t].name)?,
        Sync::Join(t) => write!(out, " join {}", p.threads[t].name)?,
        sync => write!(out, " {}", sync_word(sync))?,
    }
    if edge.atomic_access {
        write!(out, " atomic-access")?;
    }
    if let Some(site) = edge.site {
        write!(out, " violates {site:?}")?;
    }
    writeln!(out, "  # {}: {}", p.sources.show_line(edge.span), edge.text)?;
    for (name, value) in printer.lets() {
        writeln!(out, "       let {name} = {value}")?;
    }
    for (d, deref) in edge.derefs.iter_enumerated() {
        write!(out, "       {d:?}: {} bytes at {}", deref.bytes, printer.show(deref.addr))?;
        if let Some(list) = &deref.objects {
            let names: Vec<&str> = list.iter().map(|&o| p.objects[o].name.as_str()).collect();
            write!(out, " in {}", if names.is_empty() { "none".into() } else { names.join(", ") })?;
        }
        writeln!(out)?;
    }
    for assign in &edge.assigns {
        let target = match assign.target {
            Target::Var(v) => p.vars[v].name.clone(),
            Target::Deref(d) => format!("*{d:?}"),
        };
        writeln!(out, "       {target} := {}", printer.show(assign.value))?;
    }
    Ok(())
}

fn sync_word(sync: Sync) -> &'static str {
    match sync {
        Sync::None => "none",
        Sync::Lock => "lock",
        Sync::ReadLock => "read-lock",
        Sync::ReadUnlock => "read-unlock",
        Sync::Wait => "wait",
        Sync::Signal => "signal",
        Sync::Broadcast => "broadcast",
        Sync::Barrier => "barrier",
        Sync::Take => "take",
        Sync::Post => "post",
        Sync::Allocate(_) => "allocate",
        Sync::Free(_) => "free",
        Sync::Unlock => "unlock",
        Sync::Create(_) => "create",
        Sync::Join(_) => "join",
        Sync::ThreadEnd => "thread-end",
        Sync::ProcessEnd => "process-end",
        Sync::AtomicBegin => "atomic-begin",
        Sync::AtomicEnd => "atomic-end",
        Sync::Discard => "discard",
    }
}
