//! Programs without a `main` of pthreads: an entry of another name, threads and interrupt handlers
//! that are started from outside, functions and objects of the hardware.

use super::super::firmware::{Extern, Mask};
use super::super::hir::{Expr, FuncId, GlobalId, Hir};
use super::super::types::Type;
use super::place::Place;
use super::state::{Instance, Kind, Lower, Name, R};
use crate::base::{Diagnostic, Id};
use crate::program::{Assign, ProgExpr, Role, Status, Sync, Target, ThreadId, VarId};

/// What masks an interrupt handler.
#[derive(Clone, Debug)]
enum Gate {
    Open,
    /// It runs while this variable of the program is not 0.
    Flag(GlobalId),
    /// It runs while this bit is 1; calls of the functions clear and set it.
    Bit {
        bit: VarId,
        off: Option<String>,
        on: String,
    },
}

/// The interrupt handlers.
#[derive(Default)]
pub struct Interrupts(Vec<(ThreadId, Gate)>);

fn find(hir: &Hir, name: &str, option: &str) -> R<FuncId> {
    let found = hir.funcs.iter_enumerated().find(|(_, f)| f.name == name && f.body.is_some());
    found.map(|f| f.0).ok_or_else(|| {
        Diagnostic::error_without_span(format!("no function `{name}` with a body ({option})"))
    })
}

fn variable(hir: &Hir, name: &str) -> Option<GlobalId> {
    hir.globals.iter_enumerated().find(|(_, g)| g.name == name).map(|g| g.0)
}

impl Lower<'_> {
    /// Makes the instances of the interrupt handlers, which run from the start.
    pub fn new_interrupts(&mut self) -> R<()> {
        let hir = self.hir;
        for (name, mask) in self.options.firmware.isrs.clone() {
            let f = find(hir, &name, "--isr")?;
            let k = self.new_instance(f, None, None, vec![]);
            self.instances[k.index()].kind = Kind::Interrupt;
            self.prog.has_handlers = true;
            let status = self.instances[k.index()].status;
            self.prog.vars[status].init = Status::RUNNING;
            let known = |name: &String| hir.funcs.iter().any(|f| f.name == *name);
            let gate = match mask {
                Mask::Never => Gate::Open,
                Mask::Enabled(name) => match variable(hir, &name) {
                    Some(g) => Gate::Flag(g),
                    None if known(&name) => self.gate_bit(k, None, name),
                    None => {
                        let message = format!("no variable or function `{name}` (--isr)");
                        return Err(Diagnostic::error_without_span(message));
                    }
                },
                Mask::Switched(off, on) => {
                    if let Some(name) = [&off, &on].into_iter().find(|n| !known(n)) {
                        let message = format!("no function `{name}` (--isr)");
                        return Err(Diagnostic::error_without_span(message));
                    }
                    self.gate_bit(k, Some(off), on)
                }
            };
            self.interrupts.0.push((k, gate));
        }
        for name in &self.options.firmware.mmio {
            match variable(hir, name) {
                Some(g) => self.mmio.push(g),
                None => {
                    let message = format!("no variable `{name}` (--mmio)");
                    return Err(Diagnostic::error_without_span(message));
                }
            }
        }
        Ok(())
    }

    fn gate_bit(&mut self, k: ThreadId, off: Option<String>, on: String) -> Gate {
        let name = Name { thread: Some(k), rest: "enabled".into() };
        let bit = self.new_shared(name, 1, Role::Bookkeeping);
        self.prog.vars[bit].init = off.is_some().into();
        Gate::Bit { bit, off, on }
    }

    /// The graph of an interrupt handler: again and again it runs as one atomic section.
    pub fn interrupt_body(&mut self, f: FuncId) -> R<()> {
        let gate = self.interrupts.0.iter().find(|i| i.0 == self.thread).map(|i| i.1.clone());
        let first = self.cur.expect("set by the caller");
        let (start, inside) = (self.new_loc(), self.new_loc());
        let status = self.instances[self.thread.index()].status;
        let value = self.var(status);
        let running = self.eq_const(value, Status::RUNNING);
        let edge = self.plain_edge(first, start, running);
        self.graph.nodes[first].blocking = true;
        self.push_edge(edge)?;
        let open = match gate.expect("made with the instance") {
            Gate::Open => self.prog.pool.bool(true),
            Gate::Flag(g) => {
                let global = &self.hir.globals[g];
                if !self.hir.types.is_scalar(global.ty.id) {
                    return Err(self.error(global.loc, "the flag of an --isr is no number"));
                }
                let o = self.global_object(g, global.loc)?;
                let flag = self.var(self.prog.objects[o].leaves[0].1);
                self.truth(flag)
            }
            Gate::Bit { bit, .. } => self.var(bit),
        };
        self.graph.nodes[start].blocking = true;
        self.graph.nodes[start].depth = Some(0);
        self.graph.nodes[inside].depth = Some(1);
        let mut edge = self.plain_edge(start, inside, open);
        edge.sync = Sync::AtomicBegin;
        edge.atomic_access = true;
        edge.text = format!("interrupt {}", self.hir.funcs[f].name).into();
        self.push_edge(edge)?;
        self.set_cur(inside);
        let args = self.unknown_arguments(f, 0)?;
        self.flush()?;
        self.enter_function(f, args, vec![], false)?;
        if let Some(from) = self.cur {
            let always = self.prog.pool.bool(true);
            let mut edge = self.plain_edge(from, start, always);
            edge.sync = Sync::AtomicEnd;
            self.push_edge(edge)?;
            self.cur = None;
        }
        Ok(())
    }

    /// Starts the given threads, if it has not been done before; gives whether there is anything
    /// that runs beside the entry.
    pub fn start_given(&mut self) -> R<bool> {
        self.flush()?;
        for (name, count) in self.options.firmware.threads.clone() {
            let f = find(self.hir, &name, "--thread")?;
            for _ in 0..count {
                let Some(from) = self.cur else { return Ok(true) };
                let k = self.new_instance(f, None, Some(1), vec![]);
                self.instances[k.index()].kind = Kind::Given;
                let status = self.instances[k.index()].status;
                let to = self.new_loc();
                let always = self.prog.pool.bool(true);
                let mut edge = self.plain_edge(from, to, always);
                let running = self.constant(Status::RUNNING, 2);
                edge.assigns.push(Assign { target: Target::Var(status), value: running });
                edge.sync = Sync::Create(k);
                edge.atomic_access = true;
                edge.text = format!("starts {name}").into();
                self.push_edge(edge)?;
                self.graph.nodes[to].depth = Some(self.depth);
                self.set_cur(to);
            }
        }
        Ok(self.options.firmware.is_given())
    }

    /// Lowers a call of a function that an option describes; `None` if none does.
    pub fn described(&mut self, name: &str, e: &Expr, args: &[Expr]) -> R<Option<ProgExpr>> {
        let known = self.options.firmware.externs.iter().find(|x| x.0 == name).map(|x| x.1);
        let mut writes = vec![];
        for (_, gate) in &self.interrupts.0 {
            if let Gate::Bit { bit, off, on } = gate {
                if on == name {
                    writes.push((*bit, 1));
                } else if off.as_deref() == Some(name) {
                    writes.push((*bit, 0));
                }
            }
        }
        if known.is_none() && writes.is_empty() {
            return Ok(None);
        }
        self.evaluate(args)?;
        if !writes.is_empty() {
            self.begin_access()?;
            self.block.atomic_access = true;
            for (bit, value) in writes {
                let value = self.constant(value, 1);
                self.assign_shared(bit, value);
            }
            self.flush()?;
        }
        let ty = e.ty.id;
        let width = if self.hir.types.is_scalar(ty) { self.width(ty) } else { 32 };
        match known {
            Some(Extern::Nondet) if self.hir.types.is_scalar(ty) => {
                self.begin_access()?;
                let v = self.any_value(ty, name);
                let t = self.temp(width);
                self.assign(t, v);
                return Ok(Some(self.var(t)));
            }
            Some(Extern::Nondet) if *self.hir.types.get(ty) != Type::Void => {
                return Err(self.unsupported(e.loc, "a struct from `--extern NAME=nondet`"));
            }
            Some(Extern::Start) => {
                self.start_given()?;
                let zero = self.constant(0, self.pointer_bits());
                self.end_thread(zero)?;
            }
            _ => {}
        }
        Ok(Some(self.constant(0, width)))
    }

    /// The place of a global variable: one of the hardware's reads as an input.
    pub fn global_place(&mut self, g: GlobalId, loc: super::super::hir::Loc) -> R<Place> {
        match self.mmio.contains(&g) {
            true => Ok(Place::Input),
            false => Ok(Place::Object(self.global_object(g, loc)?, 0)),
        }
    }
}

impl Instance {
    /// Whether it runs from the outside: its arguments are unknown.
    pub fn is_given(&self) -> bool {
        self.kind != Kind::Created
    }
}
