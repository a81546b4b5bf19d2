//! Edges and locations. What is pending in the [`Block`] is one edge that leaves the current
//! location once it is flushed.

use std::sync::Arc;

use super::arith::substitute;
use super::state::{Context, Lower, MAX_EDGES, R};
use crate::base::{Diagnostic, HashMap, IndexVec, Span};
use crate::program::{
    Assign, Deref, DerefId, Edge, LocId, LocKind, ProgExpr, SiteId, SiteKind, Sync, Target, VarId,
};

/// A location under construction.
#[derive(Clone, Debug)]
pub struct Node {
    pub kind: LocKind,
    pub blocking: bool,
    /// Depth of atomic sections; unknown until something leads here.
    pub depth: Option<u32>,
    pub labels: Vec<Arc<str>>,
    pub span: Option<Span>,
    /// The location that this one is the same as.
    pub same: Option<LocId>,
}

/// Where the last edge of a run of the thread leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Final {
    Ended,
    Stopped(bool),
    Discarded(bool),
}

/// A control-flow graph under construction.
#[derive(Default)]
pub struct Graph {
    pub nodes: IndexVec<LocId, Node>,
    pub edges: Vec<Edge>,
    pub finals: HashMap<Final, LocId>,
}

impl Graph {
    /// The location that stands for `l`.
    pub fn find(&self, mut l: LocId) -> LocId {
        while let Some(next) = self.nodes[l].same {
            l = next;
        }
        l
    }
}

/// The edge that is being put together.
#[derive(Default)]
pub struct Block {
    /// When the edge can be taken; `None` is always.
    pub guard: Option<ProgExpr>,
    /// Edges to sites that leave the same location when the guard does not hold.
    pub failing: Vec<(ProgExpr, SiteId)>,
    pub derefs: IndexVec<DerefId, Deref>,
    /// Whether it makes its shared access already.
    pub access: bool,
    pub assigns: Vec<Assign>,
    /// What the local variables assigned by it hold after it, over the state before it.
    pub values: HashMap<VarId, ProgExpr>,
    pub sync: Option<Sync>,
    pub atomic_access: bool,
    pub context: Option<Context>,
}

impl Block {
    pub fn is_empty(&self) -> bool {
        self.guard.is_none() && self.assigns.is_empty() && self.sync.is_none()
    }
}

impl Lower<'_> {
    pub fn new_loc(&mut self) -> LocId {
        self.graph.nodes.push(Node {
            kind: LocKind::Running,
            blocking: false,
            depth: None,
            labels: vec![],
            span: None,
            same: None,
        })
    }

    /// The location where runs of the thread end in this way.
    pub fn final_loc(&mut self, f: Final) -> LocId {
        if let Some(&l) = self.graph.finals.get(&f) {
            return l;
        }
        let l = self.new_loc();
        let (kind, depth) = match f {
            Final::Ended => (LocKind::Ended, 0),
            Final::Stopped(atomic) => (LocKind::Stopped, u32::from(atomic)),
            Final::Discarded(atomic) => (LocKind::Discarded, u32::from(atomic)),
        };
        self.graph.nodes[l].kind = kind;
        self.graph.nodes[l].depth = Some(depth);
        self.graph.finals.insert(f, l);
        l
    }

    pub fn stopped(&mut self) -> LocId {
        self.final_loc(Final::Stopped(self.depth > 0))
    }

    /// Notes that control can reach `to` from here.
    fn reach(&mut self, to: LocId) -> R<()> {
        let to = self.graph.find(to);
        let node = &mut self.graph.nodes[to];
        match node.depth {
            None => node.depth = Some(self.depth),
            Some(d) if d == self.depth || node.kind != LocKind::Running => {}
            Some(_) => {
                let message =
                    "control flow meets here from inside and outside of an atomic section";
                return Err(Diagnostic::error(self.context.span, message)
                    .note("begin and end atomic sections on the same paths"));
            }
        }
        Ok(())
    }

    /// Goes on at a location; if nothing leads there, what follows is unreachable.
    pub fn set_cur(&mut self, l: LocId) {
        let l = self.graph.find(l);
        self.cur = match self.graph.nodes[l].depth {
            Some(d) => {
                self.depth = d;
                Some(l)
            }
            None => None,
        };
    }

    /// Adds an edge from the current location, which stays current.
    pub fn push_edge(&mut self, edge: Edge) -> R<()> {
        if self.graph.edges.len() >= MAX_EDGES {
            let message = format!("a thread of more than {MAX_EDGES} edges after inlining");
            let note = "with a smaller --inline-limit, more calls share the body of their function";
            return Err(Diagnostic::error(self.context.span, message).note(note));
        }
        let from = self.graph.find(edge.from);
        let node = &mut self.graph.nodes[from];
        node.span = node.span.or(Some(edge.span));
        self.graph.edges.push(edge);
        Ok(())
    }

    /// An edge without effects from the current location.
    pub fn plain_edge(&mut self, from: LocId, to: LocId, guard: ProgExpr) -> Edge {
        Edge {
            from,
            to,
            guard,
            derefs: IndexVec::new(),
            assigns: vec![],
            sync: Sync::None,
            atomic_access: false,
            site: None,
            span: self.context.span,
            text: Arc::clone(&self.context.text),
        }
    }

    /// Makes an edge of what is pending and goes on behind it.
    pub fn flush(&mut self) -> R<()> {
        if self.block.is_empty() || self.cur.is_none() {
            self.block = Block::default();
            return Ok(());
        }
        let to = self.new_loc();
        self.flush_to(to)?;
        self.set_cur(to);
        Ok(())
    }

    /// Makes an edge to `to` of what is pending, which is not nothing.
    fn flush_to(&mut self, to: LocId) -> R<()> {
        let block = std::mem::take(&mut self.block);
        let Some(from) = self.cur else { return Ok(()) };
        let yes = self.prog.pool.bool(true);
        let context = block.context.unwrap_or_else(|| self.context.clone());
        for (guard, site) in block.failing {
            let stop = self.stopped();
            let mut edge = self.plain_edge(from, stop, guard);
            edge.derefs = block.derefs.clone();
            edge.site = Some(site);
            edge.span = context.span;
            edge.text = Arc::clone(&context.text);
            self.push_edge(edge)?;
        }
        let edge = Edge {
            from,
            to,
            guard: block.guard.unwrap_or(yes),
            derefs: block.derefs,
            assigns: block.assigns,
            sync: block.sync.unwrap_or(Sync::None),
            atomic_access: block.atomic_access,
            site: None,
            span: context.span,
            text: context.text,
        };
        self.reach(to)?;
        self.push_edge(edge)
    }

    /// Goes to `to`; nothing follows here.
    pub fn jump(&mut self, to: LocId) -> R<()> {
        let Some(_) = self.cur else { return Ok(()) };
        if !self.block.is_empty() {
            self.flush_to(to)?;
            self.cur = None;
            return Ok(());
        }
        let cur = self.cur.take().expect("looked at above");
        let (here, there) = (self.graph.find(cur), self.graph.find(to));
        self.reach(there)?;
        if here == there {
            let yes = self.prog.pool.bool(true);
            let edge = self.plain_edge(here, there, yes);
            return self.push_edge(edge);
        }
        // Nothing leaves `here` yet: both are one location.
        let node = self.graph.nodes[here].clone();
        self.graph.nodes[here].same = Some(there);
        let target = &mut self.graph.nodes[there];
        target.labels.extend(node.labels);
        target.span = target.span.or(node.span);
        Ok(())
    }

    /// Goes to `yes` if `cond` (1 bit) holds, else to `no`.
    pub fn branch(&mut self, cond: ProgExpr, yes: LocId, no: LocId) -> R<()> {
        if self.prog.pool.is_true(cond) {
            return self.jump(yes);
        }
        if self.prog.pool.is_false(cond) {
            return self.jump(no);
        }
        self.flush()?;
        let Some(from) = self.cur.take() else { return Ok(()) };
        let not = self.not(cond);
        for (guard, to) in [(cond, yes), (not, no)] {
            self.reach(to)?;
            let edge = self.plain_edge(from, to, guard);
            self.push_edge(edge)?;
        }
        Ok(())
    }

    /// An edge without effects between two locations.
    pub fn edge_to(&mut self, from: LocId, to: LocId, guard: ProgExpr) -> R<()> {
        self.reach(to)?;
        let edge = self.plain_edge(from, to, guard);
        self.push_edge(edge)
    }

    /// Stops at a violated site.
    pub fn fail(&mut self, site: SiteId) -> R<()> {
        self.flush()?;
        let Some(from) = self.cur.take() else { return Ok(()) };
        let stop = self.stopped();
        let yes = self.prog.pool.bool(true);
        let mut edge = self.plain_edge(from, stop, yes);
        edge.site = Some(site);
        self.push_edge(edge)
    }

    /// Goes on only if `cond` holds; otherwise the site is violated.
    pub fn check(&mut self, cond: ProgExpr, site: Option<SiteId>) -> R<()> {
        let Some(site) = site else { return Ok(()) };
        if self.cur.is_none() || self.prog.pool.is_true(cond) {
            return Ok(());
        }
        if self.prog.pool.is_false(cond) {
            return self.fail(site);
        }
        self.flush()?;
        let not = self.not(cond);
        self.block.guard = Some(cond);
        self.block.failing.push((not, site));
        self.block.context = Some(self.context.clone());
        Ok(())
    }

    /// Assigns a variable that only this thread uses.
    pub fn assign(&mut self, v: VarId, value: ProgExpr) {
        if self.cur.is_none() {
            return;
        }
        let value = self.current(value);
        self.block.context.get_or_insert_with(|| self.context.clone());
        let target = Target::Var(v);
        self.block.assigns.retain(|a| a.target != target);
        self.block.assigns.push(Assign { target, value });
        self.block.values.insert(v, value);
    }

    /// A value over the state in which the pending edge starts.
    pub fn current(&mut self, value: ProgExpr) -> ProgExpr {
        substitute(&mut self.prog.pool, value, &self.block.values)
    }

    /// Makes room for a shared access in the pending edge.
    pub fn begin_access(&mut self) -> R<()> {
        if self.block.access || self.block.guard.is_some() || self.block.sync.is_some() {
            self.flush()?;
        }
        self.block.access = true;
        self.block.context.get_or_insert_with(|| self.context.clone());
        Ok(())
    }

    /// Writes a shared variable; room was made.
    pub fn assign_shared(&mut self, v: VarId, value: ProgExpr) {
        if self.cur.is_none() {
            return;
        }
        let value = self.current(value);
        self.block.assigns.push(Assign { target: Target::Var(v), value });
    }

    /// A site of this kind at the current statement.
    pub fn site_here(&mut self, kind: SiteKind) -> SiteId {
        let (span, text) = (self.context.span, Arc::clone(&self.context.text));
        self.site(kind, span, text)
    }
}
