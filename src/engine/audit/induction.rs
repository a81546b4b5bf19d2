//! The step of k-induction.

use super::straight::Straight;
use super::{Audit, Fault, depth};
use crate::aig::Lit;
use crate::base::Budget;
use crate::engine::Problem;
use crate::engine::unroll::cone;
use crate::sat::{Answer, Backend};

/// Are the first `k` frames of all runs good, and does a path of `k` good frames never go on to a
/// bad one? Only `unique` makes the paths simple.
pub(super) fn check(
    problem: &Problem,
    bad: usize,
    (k, unique): (usize, bool),
    backend: Backend,
    budget: &Budget,
) -> Audit {
    match depth::good(problem, bad, k, backend, budget) {
        Audit::Confirmed => step(problem, bad, (k, unique), backend, budget),
        other => other,
    }
}

fn step(
    problem: &Problem,
    bad: usize,
    (k, unique): (usize, bool),
    backend: Backend,
    budget: &Budget,
) -> Audit {
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
    let mut states = vec![state(&path)];
    for _ in 0..k {
        path.demand(!bad);
        if let Some(moved) = moved {
            path.demand(moved);
        }
        path.advance();
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
        let pairs = (0..=k).flat_map(|a| (0..a).map(move |b| (a, b)));
        let equal: Vec<_> = pairs.filter(|&(a, b)| unique && values[a] == values[b]).collect();
        if equal.is_empty() {
            return Audit::Refuted(Fault::NoInduction(k));
        }
        for (a, b) in equal {
            path.demand_different(&states[a], &states[b]);
        }
    }
}
