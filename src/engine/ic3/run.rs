//! The engine.

use super::model::Model;
use super::options::Ic3Options;
use super::search::Search;
use crate::aig::Lit;
use crate::base::{Budget, HashMap};
use crate::engine::sweep::sweep;
use crate::engine::{Capabilities, Engine, FrameReport, Problem, Progress};
use crate::outcome::{Certificate, Reason, Verdict};

/// IC3.
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
        let Some(options) = &self.0.sweep else { return self.search(problem, progress, budget) };
        match sweep(problem, options, budget) {
            Ok(swept) => {
                let verdicts = self.search(&swept.problem(problem), progress, budget);
                verdicts.into_iter().map(|v| swept.verdict(problem.aig, v)).collect()
            }
            Err(stop) => {
                let unknown = Verdict::Unknown(Reason::Stopped { stop, depth: None });
                vec![unknown; problem.bads.len()]
            }
        }
    }
}

impl Ic3 {
    /// Treats the circuit as it is.
    fn search(
        &self,
        problem: &Problem,
        progress: &mut dyn Progress,
        budget: &Budget,
    ) -> Vec<Verdict> {
        let all = &problem.bads;
        let trivial = |&bad: &usize| problem.aig.bads[bad].value == Lit::FALSE;
        let mut verdicts: HashMap<usize, Verdict> = HashMap::default();
        for bad in all.iter().copied().filter(trivial) {
            verdicts.insert(bad, Verdict::Safe(Certificate::Trivial));
        }
        let asked: Vec<usize> = all.iter().copied().filter(|bad| !trivial(bad)).collect();
        let size = if self.0.together { asked.len().max(1) } else { 1 };
        for group in asked.chunks(size) {
            self.group(problem, group, all.len(), &mut verdicts, progress, budget);
        }
        all.iter().map(|bad| verdicts.remove(bad).expect("each property has a verdict")).collect()
    }

    /// Treats the properties at the positions `group` together; `total` is the number of all.
    fn group(
        &self,
        problem: &Problem,
        group: &[usize],
        total: usize,
        verdicts: &mut HashMap<usize, Verdict>,
        progress: &mut dyn Progress,
        budget: &Budget,
    ) {
        let model = Model::new(problem.aig);
        let asked = group.iter().copied().filter(|bad| problem.asked.contains(bad)).collect();
        let mut search = Search::new(&model, group, asked, &self.0, budget);
        let rest = loop {
            let decided = verdicts.len() + search.violations.len();
            let stats = search.stats();
            progress.frame(&FrameReport {
                engine: self.name(),
                depth: search.depth(),
                open: total - decided,
                vars: stats.vars,
                clauses: stats.clauses,
                elapsed: budget.elapsed(),
            });
            if let Some(rest) = search.frame() {
                break rest;
            }
        };
        for trace in search.violations {
            verdicts.insert(trace.bad, Verdict::Unsafe(trace));
        }
        for bad in search.open {
            verdicts.insert(bad, rest.clone());
        }
    }
}
