//! From justice to bad states and back.

use std::time::Duration;

use crate::aig::{Aig, Monitored, Roots, cone, k_liveness, liveness_to_safety};
use crate::base::Budget;
use crate::engine::{Engine, Problem, Progress};
use crate::outcome::{Lasso, LiveVerdict, Reason, Reduction, Trace, Verdict};

/// Which reductions are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// A while k-liveness, for k = 0, 1, 2, 4 and so on; then liveness to safety.
    #[default]
    Both,
    /// Liveness to safety only.
    LivenessToSafety,
    /// k-liveness only, which finds no violation.
    KLiveness,
}

/// Options of [`solve`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LivenessOptions {
    /// Which reductions are used.
    pub method: Method,
    /// The last k of k-liveness.
    pub max_k: usize,
    /// Most time for all k together where liveness to safety comes after it.
    pub share: Duration,
}

impl Default for LivenessOptions {
    fn default() -> Self {
        Self { method: Method::Both, max_k: 16, share: Duration::from_secs(10) }
    }
}

/// A verdict for each of the justice sets at these positions, in order, by the engine.
///
/// # Panics
/// If there is no justice set at one of the positions.
pub fn solve(
    aig: &Aig,
    justice: &[usize],
    engine: &dyn Engine,
    options: &LivenessOptions,
    progress: &mut dyn Progress,
    budget: &Budget,
) -> Vec<LiveVerdict> {
    justice.iter().map(|&k| one(aig, k, engine, options, progress, budget)).collect()
}

fn one(
    aig: &Aig,
    justice: usize,
    engine: &dyn Engine,
    options: &LivenessOptions,
    progress: &mut dyn Progress,
    budget: &Budget,
) -> LiveVerdict {
    let mut last = None;
    if options.method != Method::LivenessToSafety {
        let alone = options.method == Method::KLiveness;
        let share = if alone { budget.clone() } else { budget.shorter(options.share) };
        let ks = std::iter::successors(Some(0), |&k| Some(1.max(2 * k)));
        for k in ks.take_while(|&k| k <= options.max_k) {
            let reduction = Reduction::KLiveness { k };
            match ask(&monitored(aig, justice, reduction), engine, progress, &share) {
                Verdict::Safe(certificate) => return LiveVerdict::Safe { reduction, certificate },
                // More is needed.
                Verdict::Unsafe(_) => {}
                Verdict::Unknown(reason) => {
                    last = Some(reason);
                    break;
                }
            }
        }
        if alone {
            let most = || Reason::Unsupported(format!("not {}-live", options.max_k));
            return LiveVerdict::Unknown(last.unwrap_or_else(most));
        }
    }
    let reduction = Reduction::LivenessToSafety;
    let storing = monitored(aig, justice, reduction);
    match ask(&storing, engine, progress, budget) {
        Verdict::Safe(certificate) => LiveVerdict::Safe { reduction, certificate },
        Verdict::Unsafe(trace) => LiveVerdict::Unsafe(lasso_of(aig, justice, &storing, &trace)),
        Verdict::Unknown(reason) => LiveVerdict::Unknown(reason),
    }
}

/// The circuit with a bad state for the justice set at a position: of the set's cone of influence.
///
/// # Panics
/// If there is no justice set at the position.
pub fn monitored(aig: &Aig, justice: usize, reduction: Reduction) -> Monitored {
    let (cone, _) = cone(aig, Roots::Justice(justice));
    match reduction {
        Reduction::LivenessToSafety => liveness_to_safety(&cone, 0),
        Reduction::KLiveness { k } => k_liveness(&cone, 0, k),
    }
}

fn ask(
    monitored: &Monitored,
    engine: &dyn Engine,
    progress: &mut dyn Progress,
    budget: &Budget,
) -> Verdict {
    engine.run(&Problem::new(&monitored.aig), progress, budget).remove(0)
}

/// The lasso of a run to the bad state of the circuit that stores a state.
///
/// # Panics
/// If the run stores none.
pub fn lasso_of(aig: &Aig, justice: usize, monitored: &Monitored, trace: &Trace) -> Lasso {
    let save = monitored.save.expect("liveness to safety stores a state");
    let first = trace.inputs.iter().position(|frame| frame[save]);
    let loop_start = first.expect("a bad state comes after a stored one");
    let (reduced, restore) = cone(aig, Roots::Justice(justice));
    // The last frame only shows that the state has come again.
    let frames = &trace.inputs[..trace.inputs.len() - 1];
    let inputs: Vec<Vec<bool>> = frames.iter().map(|f| f[..save].to_vec()).collect();
    let initial = trace.initial[..reduced.latches().len()].to_vec();
    let (initial, inputs) = restore.run(&initial, &inputs);
    Lasso { justice, initial, inputs, loop_start }
}
