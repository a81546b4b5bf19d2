//! The step of k-induction.

use super::straight::Straight;
use super::{Audit, Clauses, Fault, depth, invariant};
use crate::aig::Lit;
use crate::base::Budget;
use crate::engine::Problem;
use crate::engine::unroll::cone;
use crate::sat::{Answer, Backend};

/// What a certificate says, see `outcome::Certificate::KInduction`.
pub(super) struct Claim<'a> {
    pub(super) k: usize,
    pub(super) unique: bool,
    pub(super) clauses: &'a Clauses,
}

/// Are the first `k` frames of all runs good, are the clauses an invariant, and does a path of `k`
/// good frames that meet them never go on to a bad one? Only `unique` makes the paths simple.
pub(super) fn check(
    problem: &Problem,
    bad: usize,
    claim: &Claim,
    backend: Backend,
    budget: &Budget,
) -> Audit {
    match depth::good(problem, bad, claim.k, backend, budget) {
        Audit::Confirmed => {}
        other => return other,
    }
    match invariant::holds(problem.aig, claim.clauses, backend, budget) {
        Audit::Confirmed => step(problem, bad, claim, backend, budget),
        other => other,
    }
}

fn step(problem: &Problem, bad: usize, claim: &Claim, backend: Backend, budget: &Budget) -> Audit {
    let moved = match depth::moving_latches(problem, backend, budget) {
        Ok(moving) => problem.moved.filter(|_| moving.is_empty()),
        Err(audit) => return audit,
    };
    let aig = problem.aig;
    let bad = aig.bads[bad].value;
    let roots = aig.constraints.iter().map(|c| c.value).chain([bad]).collect::<Vec<_>>();
    let live = cone(aig, &roots);
    let latches: Vec<Lit> =
        aig.latches().iter().filter(|l| live[l.var]).map(|l| Lit::new(l.var, false)).collect();
    let state = |path: &Straight| latches.iter().map(|&l| path.lit(l)).collect::<Vec<_>>();
    let mut path = Straight::anywhere(aig, backend);
    path.demand_clauses(claim.clauses);
    let mut states = vec![state(&path)];
    for _ in 0..claim.k {
        path.demand(!bad);
        if let Some(moved) = moved {
            path.demand(moved);
        }
        path.advance();
        path.demand_clauses(claim.clauses);
        states.push(state(&path));
    }
    let bad = path.lit(bad);
    loop {
        match path.ask(&[bad], budget) {
            Answer::Unsat => return Audit::Confirmed,
            Answer::Unknown(stop) => return Audit::NotDone(stop),
            Answer::Sat => {}
        }
        let values: Vec<Vec<bool>> =
            states.iter().map(|s| s.iter().map(|&l| path.solver_value(l)).collect()).collect();
        let pairs = (0..=claim.k).flat_map(|a| (0..a).map(move |b| (a, b)));
        let equal: Vec<_> =
            pairs.filter(|&(a, b)| claim.unique && values[a] == values[b]).collect();
        if equal.is_empty() {
            return Audit::Refuted(Fault::NoInduction(claim.k));
        }
        for (a, b) in equal {
            path.demand_different(&states[a], &states[b]);
        }
    }
}
