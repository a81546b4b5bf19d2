//! Options.

use crate::engine::sweep::SweepOptions;
use crate::sat::Backend;

/// Options of [`Ic3`](super::Ic3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ic3Options {
    /// The SAT solver.
    pub backend: Backend,
    /// Whether the properties share the frames: they are proved together, and a violated one
    /// leaves the search. Otherwise they are treated one after the other.
    pub together: bool,
    /// Number of counterexamples to generalisation that are blocked in a row for one dropped
    /// literal; 0 switches the technique off (Hassan, Bradley, Somenzi: Better generalization in
    /// IC3, FMCAD 2013).
    pub ctgs: usize,
    /// Counterexamples to generalisation are only looked at for an obligation whose successor has
    /// had this many predecessors, as sign of weak lemmas (after Su, Yang, Ci, Huang: Extended CTG
    /// generalization and dynamic adjustment of generalization strategies in IC3, 2025).
    pub ctg_after: usize,
    /// How deep counterexamples to generalisation are generalised in turn.
    pub ctg_depth: usize,
    /// Whether a blocked obligation is asked again in the next frame, which finds deep
    /// counterexamples (Eén, Mishchenko, Brayton, FMCAD 2011).
    pub reinsertion: bool,
    /// Whether the latches that lifting has found to matter are asked for again, in the opposite
    /// order, until none falls away.
    pub lift_again: bool,
    /// Whether a lemma that could not be pushed to the next frame is left alone as long as the
    /// state that was in its way is not excluded (Suda: Triggered clause pushing for IC3, 2013).
    pub triggered_pushing: bool,
    /// Whether gates get no variable where that needs no more clauses.
    pub eliminate: bool,
    /// A solver is made anew after this many questions with a clause of their own (Eén,
    /// Mishchenko, Brayton, FMCAD 2011).
    pub restart: usize,
    /// How the circuit is made smaller first; `None`: not at all.
    pub sweep: Option<SweepOptions>,
    /// Number of questions for a step after which the search starts anew on a circuit in which
    /// [equal signals](SweepOptions::signals) are one: finding them takes longer than many a
    /// search. 0: at once; `None`: never.
    pub signals_after: Option<usize>,
    /// Number of questions for a step after which, of several properties, the one with the most
    /// bad states so far is left for later, and so on for a few: a hard property must not keep
    /// easy ones from being proved. `None`: never.
    pub hard_after: Option<usize>,
    /// Stop at the first violation.
    pub first: bool,
    /// The last frame to look at, 0 being the first; `None`: no bound.
    pub max_depth: Option<usize>,
}

impl Default for Ic3Options {
    fn default() -> Self {
        Self {
            backend: Backend::Scoped,
            together: true,
            ctgs: 3,
            ctg_after: 3,
            ctg_depth: 1,
            reinsertion: true,
            lift_again: true,
            triggered_pushing: true,
            eliminate: true,
            restart: 300,
            sweep: Some(SweepOptions::default()),
            signals_after: Some(10_000),
            hard_after: Some(500),
            first: false,
            max_depth: None,
        }
    }
}
