//! The engine.

use super::model::Model;
use super::options::Ic3Options;
use super::search::Search;
use crate::aig::Lit;
use crate::base::Budget;
use crate::engine::{Capabilities, Engine, FrameReport, Problem, Progress};
use crate::outcome::{Certificate, Verdict};

/// IC3; the properties are treated one after the other.
#[derive(Clone, Debug, Default)]
pub struct Ic3(pub Ic3Options);

impl Engine for Ic3 {
    fn name(&self) -> &'static str {
        "ic3"
    }

    fn description(&self) -> &'static str {
        "IC3 / property directed reachability; proves and refutes without unrolling"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            refutes: true,
            proves_terminating: true,
            proves_looping: true,
            shortest: false,
        }
    }

    fn run(&self, problem: &Problem, progress: &mut dyn Progress, budget: &Budget) -> Vec<Verdict> {
        let total = problem.bads.len();
        let mut verdicts = Vec::with_capacity(total);
        for (done, &bad) in problem.bads.iter().enumerate() {
            verdicts.push(self.property(problem, bad, total - done, progress, budget));
        }
        verdicts
    }
}

impl Ic3 {
    fn property(
        &self,
        problem: &Problem,
        bad: usize,
        open: usize,
        progress: &mut dyn Progress,
        budget: &Budget,
    ) -> Verdict {
        if problem.aig.bads[bad].value == Lit::FALSE {
            return Verdict::Safe(Certificate::Trivial);
        }
        let model = Model::new(problem.aig, bad);
        let mut search = Search::new(&model, &self.0, budget);
        loop {
            let stats = search.stats();
            progress.frame(&FrameReport {
                engine: self.name(),
                depth: search.depth(),
                open,
                vars: stats.vars,
                clauses: stats.clauses,
                elapsed: budget.elapsed(),
            });
            if let Some(verdict) = search.frame() {
                return verdict;
            }
        }
    }
}
