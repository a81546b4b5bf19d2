//! Verdicts about justice properties of a circuit.

use super::{Certificate, Reason, ScheduleStep};

/// A run of a circuit that goes on for ever: a stem, then a loop that is repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The property: position in `Aig::justice`.
    pub justice: usize,
    /// Values of all latches in the first frame, in order.
    pub initial: Vec<bool>,
    /// Values of all inputs, in order, for each frame of the stem and then of the loop.
    pub inputs: Vec<Vec<bool>>,
    /// Number of frames of the stem. The loop has at least one frame.
    pub loop_start: usize,
}

/// How a justice property becomes a bad-state property of another circuit
/// (`engine::liveness` makes it).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// A state is stored; it must not come again with all signals seen in between.
    LivenessToSafety,
    /// The signals must not all be seen more than `k` times in turn.
    KLiveness {
        /// Number of times that they may.
        k: usize,
    },
}

/// An engine's answer about one justice property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiveVerdict {
    /// No run makes all its signals true infinitely often: the only bad state of the circuit that
    /// the reduction makes cannot be reached.
    Safe {
        /// Which circuit the certificate is about.
        reduction: Reduction,
        /// Why.
        certificate: Certificate,
    },
    /// A run that does.
    Unsafe(Lasso),
    /// Not known.
    Unknown(Reason),
}

/// A run of a program that goes on for ever, to be replayed by the interpreter: a stem, then a
/// cycle that is repeated. Where the cycle has no step nothing moves after the stem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LassoSchedule {
    /// The steps before the cycle.
    pub stem: Vec<ScheduleStep>,
    /// The steps of the cycle.
    pub cycle: Vec<ScheduleStep>,
}
