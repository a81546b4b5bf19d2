//! The engine.

use super::model::Model;
use super::options::Ic3Options;
use super::search::Search;
use crate::aig::Lit;
use crate::base::{Budget, HashMap};
use crate::engine::sweep::{SweepOptions, sweep};
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
        let Some(options) = &self.0.sweep else {
            let verdicts = self.search(problem, None, progress, budget);
            return verdicts.into_iter().map(|v| v.expect(PATIENT)).collect();
        };
        let attempts = match self.0.signals_after {
            None => vec![(false, None)],
            Some(0) => vec![(true, None)],
            Some(questions) => vec![(false, Some(questions)), (true, None)],
        };
        let mut verdicts: Vec<Found> = vec![Err(0); problem.bads.len()];
        for (signals, patience) in attempts {
            let open: Vec<usize> = (0..verdicts.len()).filter(|&k| verdicts[k].is_err()).collect();
            if open.is_empty() {
                break;
            }
            let bads = open.iter().map(|&k| problem.bads[k]).collect();
            let rest = Problem { bads, ..problem.clone() };
            let options = SweepOptions { signals, ..options.clone() };
            let found = self.swept(&rest, &options, patience, progress, budget);
            for (k, found) in open.into_iter().zip(found) {
                let clean = verdicts[k].clone().err();
                verdicts[k] = found.map(|verdict| reached(verdict, clean));
            }
        }
        verdicts.into_iter().map(|v| v.expect(PATIENT)).collect()
    }
}

/// A verdict, or the number of frames that are known to be clean where the search was given up.
type Found = Result<Verdict, usize>;

/// The verdict, with regard to what an earlier search has shown.
fn reached(verdict: Verdict, clean: Option<usize>) -> Verdict {
    match verdict {
        Verdict::Unknown(Reason::Stopped { stop, depth }) => {
            let depth = depth.max(clean.filter(|&d| d > 0));
            Verdict::Unknown(Reason::Stopped { stop, depth })
        }
        other => other,
    }
}

/// What the last search owes.
const PATIENT: &str = "a search without a limit on questions ends with verdicts";

impl Ic3 {
    /// Treats the circuit after a sweep.
    fn swept(
        &self,
        problem: &Problem,
        options: &SweepOptions,
        patience: Option<usize>,
        progress: &mut dyn Progress,
        budget: &Budget,
    ) -> Vec<Found> {
        match sweep(problem, options, budget) {
            Ok(swept) => {
                let found = self.search(&swept.problem(problem), patience, progress, budget);
                let back = |v: Found| v.map(|v| swept.verdict(problem.aig, v));
                found.into_iter().map(back).collect()
            }
            Err(stop) => {
                let unknown = Verdict::Unknown(Reason::Stopped { stop, depth: None });
                vec![Ok(unknown); problem.bads.len()]
            }
        }
    }

    /// Treats the circuit as it is, with up to so many questions for each search.
    fn search(
        &self,
        problem: &Problem,
        patience: Option<usize>,
        progress: &mut dyn Progress,
        budget: &Budget,
    ) -> Vec<Found> {
        let all = &problem.bads;
        let trivial = |&bad: &usize| problem.aig.bads[bad].value == Lit::FALSE;
        let mut verdicts: HashMap<usize, Found> = HashMap::default();
        for bad in all.iter().copied().filter(trivial) {
            verdicts.insert(bad, Ok(Verdict::Safe(Certificate::Trivial)));
        }
        let asked: Vec<usize> = all.iter().copied().filter(|bad| !trivial(bad)).collect();
        let size = if self.0.together { asked.len().max(1) } else { 1 };
        for group in asked.chunks(size) {
            self.group(problem, group, patience, &mut verdicts, progress, budget);
        }
        all.iter().map(|bad| verdicts.remove(bad).expect("each bad state was treated")).collect()
    }

    /// Treats the properties at the positions `group` together.
    fn group(
        &self,
        problem: &Problem,
        group: &[usize],
        patience: Option<usize>,
        verdicts: &mut HashMap<usize, Found>,
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
                open: problem.bads.len() - decided,
                vars: stats.vars,
                clauses: stats.clauses,
                elapsed: budget.elapsed(),
            });
            if let Some(rest) = search.frame() {
                break Ok(rest);
            }
            if patience.is_some_and(|p| search.questions() > p) {
                break Err(search.depth());
            }
        };
        for trace in search.violations {
            verdicts.insert(trace.bad, Ok(Verdict::Unsafe(trace)));
        }
        verdicts.extend(search.open.into_iter().map(|bad| (bad, rest.clone())));
    }
}
