//! All thread instances, and the finished program.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::super::hir::{FuncId, Hir};
use super::super::order;
use super::super::sema;
use super::super::source::{DataModel, Parsed, parse_text};
use super::super::types::Type;
use super::block::{Block, Final, Graph};
use super::firmware::Interrupts;
use super::scope::Argument;
use super::shared::SharedBodies;
use super::state::{Built, Context, Kind, Lower, R};
use super::{Failed, LowerOptions, Lowered};
use super::{finish, indirect};
use crate::base::{HashMap, HashSet, Id, SourceMap};
use crate::program::{Assign, Program, Role, Status, Target, ThreadId};

/// First address of an object; below are NULL and what is no pointer.
const FIRST_ADDRESS: u64 = 16;

/// Functions of the C library in C, each `f` called `__lw_f`.
const LIBRARY: &str = include_str!("library.c");

/// Whether the program names a function of the library.
fn needs_library(units: &[Parsed]) -> bool {
    let names = LIBRARY
        .match_indices("__lw_")
        .filter_map(|(at, prefix)| LIBRARY[at + prefix.len()..].split('(').next());
    let names: Vec<&str> = names.collect();
    units.iter().any(|u| {
        names
            .iter()
            .any(|n| u.text.contains(&format!("{n}(")) || u.text.contains(&format!("{n} (")))
    })
}

/// Lowers the source files of one program.
///
/// # Errors
/// What is wrong or not modelled in what `main` can reach.
pub fn lower(
    units: &[Parsed],
    sources: SourceMap,
    options: &LowerOptions,
) -> Result<Lowered, Failed> {
    let word = match options.data_model {
        DataModel::Lp64 => 8,
        DataModel::Ilp32 => 4,
    };
    let mut sources = sources;
    let library = needs_library(units).then(|| {
        // `size_t` as the target has it.
        let text = match options.data_model {
            DataModel::Lp64 => LIBRARY.to_string(),
            DataModel::Ilp32 => LIBRARY.replacen("unsigned long lw", "unsigned int lw", 1),
        };
        let text = text.replace("LW_KEYS", &options.array_length.max(1).to_string());
        parse_text("<latchwork library>", &text, &mut sources).expect("the library is C")
    });
    let authored = units.len();
    let units: Vec<&Parsed> = units.iter().chain(&library).collect();
    let (hir, mut warnings) = match sema::analyse(&units, word, &options.firmware) {
        Ok(x) => x,
        Err(errors) => return Err(Failed { errors, sources }),
    };
    let mut lower = Lower::new(&hir, units.clone(), options.clone(), sources);
    lower.authored = authored;
    warnings.extend(order::warnings(&hir, |loc| lower.span(loc)));
    lower.prog.assumed_defined = options.assume_defined;
    lower.prog.weak_order = hir.weak_order.map(|loc| lower.span(loc));
    match lower.all_threads() {
        Ok(()) => Ok(Lowered { program: lower.prog, warnings }),
        Err(e) => Err(Failed { errors: vec![e], sources: lower.prog.sources }),
    }
}

impl<'a> Lower<'a> {
    fn new(
        hir: &'a Hir,
        units: Vec<&'a Parsed>,
        options: LowerOptions,
        sources: SourceMap,
    ) -> Self {
        let prog = Program::new(sources, hir.types.word as u32);
        let main = hir.funcs[hir.main].loc;
        let lines = &units[main.unit as usize].lines;
        let span = lines.span(lang_c::span::Span::span(main.start, main.end));
        Self {
            hir,
            authored: units.len(),
            units,
            options,
            prog,
            var_names: vec![],
            input_names: vec![],
            object_names: vec![],
            next_address: FIRST_ADDRESS,
            globals: HashMap::default(),
            thread_objects: HashMap::default(),
            strings: HashMap::default(),
            functions: IndexMap::new(),
            heap: vec![],
            heap_type: None,
            address_taken: indirect::address_taken(hir),
            constants: HashSet::default(),
            initial_addresses: HashMap::default(),
            sites: IndexMap::new(),
            instances: vec![],
            pools: vec![],
            joins: vec![],
            id_uses: vec![],
            id_stores: HashMap::default(),
            late: vec![],
            semaphore_posts: 0,
            cond_waiters: BTreeSet::new(),
            errno: HashMap::default(),
            built: vec![],
            thread: ThreadId::new(0),
            graph: Graph::default(),
            cur: None,
            depth: 0,
            block: Block::default(),
            context: Context { span, text: "".into() },
            temps: IndexMap::new(),
            shared: SharedBodies::default(),
            frames: vec![],
            extra: vec![],
            storage: HashMap::default(),
            alive: vec![],
            alive_with_thread: vec![],
            variable_arrays: HashMap::default(),
            mmio: vec![],
            interrupts: Interrupts::default(),
            loops: vec![],
            copies: 1,
        }
    }

    fn all_threads(&mut self) -> R<()> {
        let hir = self.hir;
        for (g, global) in hir.globals.iter_enumerated() {
            // What cannot be modelled matters where it is used, as do the library's own.
            let own = global.loc.unit as usize >= self.authored;
            if global.defined && global.error.is_none() && !global.thread_local && !own {
                let _ = self.global_object(g, global.loc);
            }
        }
        self.new_instance(hir.main, None, Some(1), vec![]);
        let status = self.instances[0].status;
        self.prog.vars[status].init = Status::RUNNING;
        self.new_interrupts()?;
        let mut next = 0;
        while next < self.instances.len() {
            self.build(ThreadId::new(next))?;
            next += 1;
        }
        let ids = self.thread_ids();
        for j in std::mem::take(&mut self.joins) {
            std::mem::swap(&mut self.graph, &mut self.built[j.thread.index()].graph);
            self.thread = j.thread;
            let result = self.join_edges(&j, &ids);
            std::mem::swap(&mut self.graph, &mut self.built[j.thread.index()].graph);
            result?;
        }
        self.late_edges()?;
        self.finish_threads();
        self.give_names();
        Ok(())
    }

    /// Builds the graph of one thread instance.
    fn build(&mut self, k: ThreadId) -> R<()> {
        self.thread = k;
        self.graph = Graph::default();
        self.block = Block::default();
        self.depth = 0;
        self.temps.clear();
        self.shared = SharedBodies::default();
        self.frames.clear();
        self.storage.clear();
        self.alive.clear();
        self.alive_with_thread.clear();
        self.variable_arrays.clear();
        self.loops.clear();
        let f = self.instances[k.index()].start;
        self.context = self.context_at(self.hir.funcs[f].loc);
        let start = self.new_loc();
        self.graph.nodes[start].depth = Some(0);
        self.graph.nodes[start].span = Some(self.context.span);
        self.cur = Some(start);
        match self.instances[k.index()].kind {
            _ if k.index() == 0 => self.main_body(f)?,
            Kind::Interrupt => self.interrupt_body(f)?,
            Kind::Created | Kind::Given => self.thread_body(f)?,
        }
        let graph = std::mem::take(&mut self.graph);
        self.built.push(Built { graph, start });
        Ok(())
    }

    fn main_body(&mut self, f: FuncId) -> R<()> {
        if !self.hir.has_entry {
            return self.entry_ends();
        }
        let args = self.main_arguments(f)?;
        self.flush()?;
        self.begin_thread_locals()?;
        self.enter_function(f, args, vec![], false)?;
        self.entry_ends()
    }

    /// The process ends with its entry, unless options say what else runs.
    fn entry_ends(&mut self) -> R<()> {
        if self.cur.is_some() && self.start_given()? {
            let zero = self.constant(0, self.pointer_bits());
            return self.end_thread(zero);
        }
        self.context.text = "main returns".into();
        self.run_exit_handlers()?;
        self.end_process()
    }

    fn thread_body(&mut self, f: FuncId) -> R<()> {
        let hir = self.hir;
        let body = hir.funcs[f].body.as_ref().expect("start functions have bodies");
        let (status, argument) = {
            let me = &self.instances[self.thread.index()];
            (me.status, me.argument)
        };
        let from = self.cur.expect("set by the caller");
        let to = self.new_loc();
        let value = self.var(status);
        let mut running = self.eq_const(value, Status::RUNNING);
        if self.has_detached() {
            let detached = self.eq_const(value, Status::DETACHED);
            running = self.prog.pool.or(running, detached);
        }
        let mut edge = self.plain_edge(from, to, running);
        edge.text = format!("{} starts", hir.funcs[f].name).into();
        edge.atomic_access = true;
        let mut args = vec![];
        let (given, more) = {
            let me = &self.instances[self.thread.index()];
            (me.is_given(), me.more.clone())
        };
        for (i, &v) in more.iter().enumerate() {
            let bits = self.prog.vars[v].width;
            let name = format!("start.argument#{}", i + 2);
            let t = self.new_local(name, bits, false, Role::Temp);
            let value = self.var(v);
            edge.assigns.push(Assign { target: Target::Var(t), value });
            args.push(Argument::Scalar(self.var(t)));
        }
        if let Some(&p) = body.params.first().filter(|_| !given && more.is_empty()) {
            let ty = body.locals[p].ty.id;
            let bits = self.pointer_bits();
            let t = self.new_local("start.argument".into(), bits, false, Role::Temp);
            let value = self.var(argument);
            edge.assigns.push(Assign { target: Target::Var(t), value });
            let v = self.var(t);
            if !hir.types.is_scalar(ty) {
                let message = "a start function takes a pointer";
                return Err(self.error(body.locals[p].loc, message));
            }
            let wide = self.hir.types.width(ty);
            args.push(Argument::Scalar(self.resize(v, wide, false)));
        }
        self.graph.nodes[from].blocking = true;
        self.push_edge(edge)?;
        self.graph.nodes[to].depth = Some(0);
        self.set_cur(to);
        args.extend(self.unknown_arguments(f, args.len())?);
        let ret = match hir.types.get(hir.funcs[f].ty) {
            Type::Function { ret, .. } if hir.types.is_scalar(ret.id) => Some(ret.id),
            _ => None,
        };
        let width = ret.map_or(self.pointer_bits(), |r| hir.types.width(r));
        let result = self.new_local("result.value".into(), width, false, Role::Temp);
        self.begin_thread_locals()?;
        self.enter_function(f, args, vec![(0, result)], false)?;
        if self.cur.is_none() {
            return Ok(());
        }
        let signed = ret.is_some_and(|r| hir.types.is_signed(r));
        let v = self.var(result);
        let v = self.resize(v, self.pointer_bits(), signed);
        self.context.text = format!("{} ends", hir.funcs[f].name).into();
        self.end_thread(v)
    }

    /// Unknown values for the parameters from the `first` on.
    pub fn unknown_arguments(&mut self, f: FuncId, first: usize) -> R<Vec<Argument>> {
        let hir = self.hir;
        let body = hir.funcs[f].body.as_ref().expect("start functions have bodies");
        let mut args = vec![];
        for &p in body.params.iter().skip(first) {
            let local = &body.locals[p];
            if !hir.types.is_scalar(local.ty.id) {
                return Err(self.error(local.loc, "a struct parameter of a start function"));
            }
            args.push(Argument::Scalar(self.any_value(local.ty.id, &local.name)));
        }
        Ok(args)
    }

    fn finish_threads(&mut self) {
        for (k, b) in std::mem::take(&mut self.built).into_iter().enumerate() {
            let instance = &self.instances[k];
            let reusable = instance.pool.is_some_and(|p| self.pools[p].reusable);
            let mut graph = b.graph;
            if reusable && let Some(&ended) = graph.finals.get(&Final::Ended) {
                graph.nodes[ended].same = Some(b.start);
            }
            let fallback = self.span(self.hir.funcs[instance.start].loc);
            let thread =
                finish::thread(&self.prog, graph, b.start, instance.status, reusable, fallback);
            self.prog.threads.push(thread);
        }
    }
}
