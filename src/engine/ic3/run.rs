//! The engine.

use super::model::Model;
use super::options::Ic3Options;
use super::search::Search;
use crate::aig::Lit;
use crate::base::{Budget, HashMap, Stop};
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
            let verdicts = self.search(problem, Patience::Endless, progress, budget);
            return verdicts.into_iter().map(|v| v.expect(PATIENT)).collect();
        };
        let mut verdicts: Vec<Found> = vec![Err(0); problem.bads.len()];
        for (signals, patience) in self.attempts(problem) {
            let open: Vec<usize> = (0..verdicts.len()).filter(|&k| verdicts[k].is_err()).collect();
            if open.is_empty() {
                break;
            }
            let bads = open.iter().map(|&k| problem.bads[k]).collect();
            let rest = Problem { bads, ..problem.clone() };
            let options = SweepOptions { signals, ..options.clone() };
            let mut part = Part { positions: &open, progress };
            let found = self.swept(&rest, &options, patience, &mut part, budget);
            for (&k, found) in open.iter().zip(found) {
                let clean = verdicts[k].clone().err();
                verdicts[k] = found.map(|verdict| reached(verdict, clean));
                if let Ok(verdict @ (Verdict::Safe(_) | Verdict::Unsafe(_))) = &verdicts[k] {
                    progress.decided(k, verdict);
                }
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

/// At most so many properties are left for later, one by one.
const HARD: usize = 3;

/// What the last search owes.
const PATIENT: &str = "a search without a limit on questions ends with verdicts";

/// When a search is given up.
#[derive(Clone, Copy)]
enum Patience {
    /// Never.
    Endless,
    /// After so many questions.
    Questions(usize),
    /// After so many questions for one property, that with the most bad states; then after twice
    /// as many for the next one, and so on.
    Easy(usize),
}

/// Passes on what concerns some of the properties.
struct Part<'a> {
    /// Where they are among all.
    positions: &'a [usize],
    progress: &'a mut dyn Progress,
}

impl Progress for Part<'_> {
    fn frame(&mut self, report: &FrameReport) {
        self.progress.frame(report);
    }

    fn decided(&mut self, position: usize, verdict: &Verdict) {
        self.progress.decided(self.positions[position], verdict);
    }

    fn is_closed(&self, position: usize) -> bool {
        self.progress.is_closed(self.positions[position])
    }
}

impl Ic3 {
    /// The searches, one after the other for what is open still: whether equal signals are one,
    /// and when they are given up.
    fn attempts(&self, problem: &Problem) -> Vec<(bool, Patience)> {
        let options = &self.0;
        let (first, last) = match options.signals_after {
            None => (None, (false, Patience::Endless)),
            Some(0) => (None, (true, Patience::Endless)),
            Some(questions) => {
                (Some((false, Patience::Questions(questions))), (true, Patience::Endless))
            }
        };
        let open = problem.bads.iter().filter(|&&b| problem.aig.bads[b].value != Lit::FALSE);
        let several = options.together && open.count() > 1;
        let easy = options.hard_after.filter(|_| several).map(|n| (false, Patience::Easy(n)));
        easy.into_iter().chain(first).chain([last]).collect()
    }

    /// Treats the circuit after a sweep.
    fn swept(
        &self,
        problem: &Problem,
        options: &SweepOptions,
        patience: Patience,
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

    /// Treats the circuit as it is.
    fn search(
        &self,
        problem: &Problem,
        patience: Patience,
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
        patience: Patience,
        verdicts: &mut HashMap<usize, Found>,
        progress: &mut dyn Progress,
        budget: &Budget,
    ) {
        let model = Model::new(problem.aig, self.0.eliminate);
        let asked = group.iter().copied().filter(|bad| problem.asked.contains(bad)).collect();
        let mut search = Search::new(&model, group, asked, &self.0, budget);
        // How many properties were too hard.
        let mut left = 0;
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
            let closed: Vec<usize> = (0..problem.bads.len())
                .filter(|&k| progress.is_closed(k))
                .map(|k| problem.bads[k])
                .collect();
            for bad in closed {
                if search.leave(bad) {
                    let reason = Reason::Stopped { stop: Stop::Cancelled, depth: None };
                    verdicts.insert(bad, Ok(Verdict::Unknown(reason)));
                }
            }
            match patience {
                Patience::Questions(n) if search.questions() > n => break Err(search.depth()),
                // The sum of n, 2n, 4n, …
                Patience::Easy(n) if search.questions() > n * ((2 << left) - 1) => {
                    left += 1;
                    let Some(hard) = search.hardest().filter(|_| left <= HARD) else {
                        break Err(search.depth());
                    };
                    search.leave(hard);
                    verdicts.insert(hard, Err(search.depth()));
                }
                _ => {}
            }
        };
        for trace in search.violations {
            verdicts.insert(trace.bad, Ok(Verdict::Unsafe(trace)));
        }
        verdicts.extend(search.open.into_iter().map(|bad| (bad, rest.clone())));
    }
}
