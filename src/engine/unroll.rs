//! Unrolling of a sequential circuit into one combinational graph, from the initial state or from
//! any state on.
//!
//! Structural hashing works across frames and constants fold, so a part of the circuit that the
//! initial state determines costs nothing.

use crate::aig::{Aig, Latch, Lit, Node, Reset, Var};
use crate::base::IndexVec;

/// The nodes that `roots` depend on, over any number of frames.
pub(super) fn cone(aig: &Aig, roots: &[Lit]) -> IndexVec<Var, bool> {
    let mut live = IndexVec::filled(false, aig.nodes().len());
    let mut open = roots.to_vec();
    while let Some(lit) = open.pop() {
        if std::mem::replace(&mut live[lit.var()], true) {
            continue;
        }
        match aig.node(lit.var()) {
            Node::False | Node::Input(_) => {}
            Node::Latch(k) => open.push(aig.latches()[k as usize].next),
            Node::And(a, b) => open.extend([a, b]),
        }
    }
    live
}

/// The frames of a circuit's runs, one after the other, as functions in one combinational graph,
/// whose inputs are those of all frames and the latches without reset value.
pub(super) struct Unroller<'a> {
    aig: &'a Aig,
    /// The nodes that matter, in order.
    cone: Vec<Var>,
    /// The combinational graph.
    pub(super) graph: Aig,
    /// For each node of the cone its function in the current frame.
    current: IndexVec<Var, Lit>,
    /// For each latch, in order, its function in the first frame.
    initial: Vec<Lit>,
    /// For each frame up to the current one and each input, in order, its node in the graph;
    /// false if the input is not in the cone.
    inputs: Vec<Vec<Lit>>,
}

impl<'a> Unroller<'a> {
    /// The first frame of the cone of `roots`.
    pub(super) fn new(aig: &'a Aig, roots: &[Lit]) -> Self {
        Self::start(aig, roots, |latch| latch.reset)
    }

    /// A frame of the cone of `roots`, in any state.
    pub(super) fn anywhere(aig: &'a Aig, roots: &[Lit]) -> Self {
        Self::start(aig, roots, |_| Reset::Free)
    }

    fn start(aig: &'a Aig, roots: &[Lit], reset: impl Fn(&Latch) -> Reset) -> Self {
        let live = cone(aig, roots);
        let mut graph = Aig::new();
        let initial = aig
            .latches()
            .iter()
            .map(|latch| match reset(latch) {
                Reset::Zero => Lit::FALSE,
                Reset::One => Lit::TRUE,
                Reset::Free if live[latch.var] => graph.input(None),
                Reset::Free => Lit::FALSE,
            })
            .collect::<Vec<_>>();
        let mut unroller = Self {
            aig,
            cone: live.iter_enumerated().filter(|&(_, &l)| l).map(|(v, _)| v).collect(),
            graph,
            current: IndexVec::filled(Lit::FALSE, aig.nodes().len()),
            initial: initial.clone(),
            inputs: vec![],
        };
        unroller.frame(&initial);
        unroller
    }

    /// The function of a literal of the cone in the current frame.
    pub(super) fn lit(&self, lit: Lit) -> Lit {
        self.current[lit.var()].xor(lit.is_negated())
    }

    /// Goes to the next frame. Latches whose value (0 or 1) in it is known need no function.
    pub(super) fn advance(&mut self, known: impl Fn(usize) -> Option<bool>) {
        let latches = self.aig.latches().iter().enumerate();
        let state: Vec<Lit> =
            latches.map(|(k, l)| known(k).map_or_else(|| self.lit(l.next), Lit::from)).collect();
        self.frame(&state);
    }

    /// Builds a frame whose latches have these functions.
    fn frame(&mut self, state: &[Lit]) {
        let mut inputs = vec![Lit::FALSE; self.aig.inputs().len()];
        for &var in &self.cone {
            self.current[var] = match self.aig.node(var) {
                Node::False => Lit::FALSE,
                Node::Input(k) => {
                    inputs[k as usize] = self.graph.input(None);
                    inputs[k as usize]
                }
                Node::Latch(k) => state[k as usize],
                Node::And(a, b) => {
                    let (a, b) = (self.lit(a), self.lit(b));
                    self.graph.and(a, b)
                }
            };
        }
        self.inputs.push(inputs);
    }

    /// The run (values of all latches in the first frame, and of all inputs in each frame) that
    /// belongs to these values of the graph's inputs. What is not in the cone is 0, but latches
    /// have their reset values.
    pub(super) fn run(&self, value: impl Fn(Lit) -> bool) -> (Vec<bool>, Vec<Vec<bool>>) {
        let value = |&lit: &Lit| if lit.is_const() { lit == Lit::TRUE } else { value(lit) };
        let inputs = self.inputs.iter().map(|frame| frame.iter().map(value).collect()).collect();
        (self.initial.iter().map(value).collect(), inputs)
    }
}
