//! Which answers count: proofs are audited, counterexamples simulated.

use std::time::Duration;

use crate::base::Budget;
use crate::engine::audit::{Audit, AuditOptions, audit};
use crate::engine::bmc::{Bmc, BmcOptions};
use crate::engine::{Engine, Problem, Silent};
use crate::outcome::Verdict;

/// Time that an audit may take however fast the engine was.
const AUDIT_LEAST: Duration = Duration::from_secs(2);

/// Audits the verdicts on these positions of `problem.bads`. The audit may take about as long as
/// all has taken so far: first with a solver of another kind than the engines', and where that
/// one is too slow with a fresh one of their kind on the audit's own unrolling.
pub(super) fn audits(
    problem: &Problem,
    verdicts: &[(usize, &Verdict)],
    budget: &Budget,
) -> Vec<Audit> {
    let part = part(problem, verdicts.iter().map(|&(k, _)| k));
    let verdicts: Vec<Verdict> = verdicts.iter().map(|&(_, v)| v.clone()).collect();
    // A solver of another kind is done soon or, on long unrollings, not at all.
    let spent = budget.elapsed();
    let (first, second) = (AUDIT_LEAST + spent / 8, AUDIT_LEAST + spent);
    let other = AuditOptions::default();
    let mut audits = audit(&part, &verdicts, &other, &budget.shorter(first));
    let open: Vec<usize> =
        (0..audits.len()).filter(|&k| matches!(audits[k], Audit::NotDone(_))).collect();
    if !open.is_empty() {
        let same = AuditOptions { backend: other.backend.other() };
        let rest = self::part(&part, open.iter().copied());
        let verdicts: Vec<Verdict> = open.iter().map(|&k| verdicts[k].clone()).collect();
        let again = audit(&rest, &verdicts, &same, &budget.shorter(second));
        for (k, audit) in open.into_iter().zip(again) {
            audits[k] = audit;
        }
    }
    audits
}

/// The problem about these positions of `problem.bads` only.
pub(super) fn part<'a>(
    problem: &Problem<'a>,
    positions: impl Iterator<Item = usize>,
) -> Problem<'a> {
    let bads: Vec<usize> = positions.map(|k| problem.bads[k]).collect();
    let asked = problem.asked.iter().copied().filter(|bad| bads.contains(bad)).collect();
    Problem { bads, asked, ..problem.clone() }
}

/// Frames in which a violation is looked for that a tool without evidence should have seen.
const DOUBT_DEPTH: usize = 30;

/// Bounded model checking of what is only claimed to be safe, as long as an audit might take:
/// verdicts on the positions.
pub(super) fn doubts(problem: &Problem, positions: &[usize], budget: &Budget) -> Vec<Verdict> {
    let part = part(problem, positions.iter().copied());
    let options =
        BmcOptions { max_depth: Some(DOUBT_DEPTH), exhaustive: true, ..BmcOptions::default() };
    let share = AUDIT_LEAST + budget.elapsed() / 2;
    Bmc(options).run(&part, &mut Silent, &budget.shorter(share))
}
