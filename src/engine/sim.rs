//! Random simulation: 64 runs at a time, with random inputs, until one is bad.
//!
//! It proves nothing and finds no violation that needs a rare value; but it costs nothing to go
//! deep, where the solvers of the other engines must first exclude all that is shallow. Schedulers'
//! inputs are choices among threads, and a wrong order of theirs is often not rare.
//!
//! Runs differ in how long they keep to the inputs that they have, since a run that always changes
//! from thread to thread gets nowhere. A frame that a constraint forbids, or that does not move, is
//! tried again with other inputs, fewer and fewer of which are true. When a violation is found,
//! some more runs look for shorter ones.

use std::thread::sleep;
use std::time::Duration;

use super::{Capabilities, Engine, Problem, Progress};
use crate::aig::{Reset, Simulator};
use crate::base::{Budget, Rng, Stop};
use crate::outcome::{Reason, Trace, Verdict};

/// Options of [`Sim`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimOptions {
    /// The last frame to look at, 0 being the first; `None`: no bound.
    pub max_depth: Option<usize>,
    /// Stop at the first violation.
    pub first: bool,
    /// What the random numbers come from.
    pub seed: u64,
    /// How many times 64 runs more look for a shorter violation at least, when there is one.
    pub polish: usize,
    /// Waits so long before it starts. For one that runs beside others.
    pub delay: Duration,
    /// After each bit of work rests as many times as long as it has worked seconds by then, at
    /// least as long and at most so many times as long; 0: never rests. For one that runs beside
    /// others.
    pub rest: u32,
}

impl Default for SimOptions {
    fn default() -> Self {
        Self { max_depth: None, first: false, seed: 1, polish: 20, delay: Duration::ZERO, rest: 0 }
    }
}

/// Random simulation.
#[derive(Clone, Debug, Default)]
pub struct Sim(pub SimOptions);

impl Engine for Sim {
    fn name(&self) -> &'static str {
        "sim"
    }

    fn description(&self) -> &'static str {
        "random simulation; finds deep violations that are not rare"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            refutes: true,
            proves_terminating: false,
            proves_looping: false,
            shortest: false,
        }
    }

    fn run(&self, problem: &Problem, progress: &mut dyn Progress, budget: &Budget) -> Vec<Verdict> {
        let mut search = Search::new(problem, &self.0, budget);
        let reason = search.run(progress);
        let unknown = |v: Option<Verdict>| v.unwrap_or_else(|| Verdict::Unknown(reason.clone()));
        search.verdicts.into_iter().map(unknown).collect()
    }
}

/// Frames of the first runs; they get longer as long as most of them do not end.
const FIRST_LENGTH: usize = 64;

/// Most frames of a run: what is remembered of it are all of its inputs.
const MAX_LENGTH: usize = 1 << 16;

/// How often a frame is tried.
const TRIES: u32 = 24;

/// Nodes that are computed between two looks at the clock.
const BURST: usize = 1 << 22;

/// Runs that were made, and the seed and length of the next.
struct Search<'a> {
    problem: &'a Problem<'a>,
    options: &'a SimOptions,
    budget: &'a Budget,
    rng: Rng,
    length: usize,
    /// Batches of runs so far.
    batches: usize,
    /// In the order of `problem.bads`; `None` while open.
    verdicts: Vec<Option<Verdict>>,
    /// Nodes computed since the last look at the clock, and when that was.
    work: usize,
    since: Duration,
    /// How long it has worked.
    worked: Duration,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem<'a>, options: &'a SimOptions, budget: &'a Budget) -> Self {
        Self {
            rng: Rng::new(options.seed),
            length: FIRST_LENGTH,
            batches: 0,
            verdicts: vec![None; problem.bads.len()],
            work: 0,
            since: budget.elapsed(),
            worked: Duration::ZERO,
            problem,
            options,
            budget,
        }
    }

    /// Runs until all is decided; the reason for what is not.
    fn run(&mut self, progress: &mut dyn Progress) -> Reason {
        if let Some(stop) = self.pause(self.options.delay) {
            return Reason::Stopped { stop, depth: None };
        }
        self.since = self.budget.elapsed();
        loop {
            let mut open = self.open();
            for &k in open.iter().filter(|&&k| progress.is_closed(k)) {
                let reason = Reason::Stopped { stop: Stop::Cancelled, depth: None };
                self.verdicts[k] = Some(Verdict::Unknown(reason));
            }
            open.retain(|&k| self.verdicts[k].is_none());
            if open.is_empty() {
                return Reason::Stopped { stop: Stop::Cancelled, depth: None };
            }
            let found = match self.batch(&open, self.longest()) {
                Ok(found) => found,
                Err(stop) => return Reason::Stopped { stop, depth: None },
            };
            for (k, trace) in found {
                let trace = match self.shorter(k, trace) {
                    Ok(trace) | Err((trace, _)) => trace,
                };
                let verdict = Verdict::Unsafe(trace);
                progress.decided(k, &verdict);
                self.verdicts[k] = Some(verdict);
                if self.options.first && self.problem.some_asked_violated(&self.verdicts) {
                    return Reason::FirstOnly(None);
                }
                if self.problem.all_asked_violated(&self.verdicts) {
                    return Reason::AllAskedViolated(None);
                }
            }
        }
    }

    fn open(&self) -> Vec<usize> {
        (0..self.verdicts.len()).filter(|&k| self.verdicts[k].is_none()).collect()
    }

    /// Frames of the next runs.
    fn longest(&self) -> usize {
        self.options.max_depth.map_or(self.length, |depth| self.length.min(depth + 1))
    }

    /// A violation that is at most as long as `best`, with it in any case; when time is over, the
    /// reason as well.
    fn shorter(&mut self, position: usize, mut best: Trace) -> Result<Trace, (Trace, Stop)> {
        for _ in 0..self.options.polish.max(self.batches / 2) {
            let longest = best.inputs.len() - 1;
            if longest == 0 {
                break;
            }
            match self.batch(&[position], longest) {
                Ok(found) => best = found.into_iter().next().map_or(best, |(_, trace)| trace),
                Err(stop) => return Err((best, stop)),
            }
        }
        Ok(best)
    }

    /// Makes 64 runs of at most so many frames; the first violation among them of each of the
    /// properties at these positions of `problem.bads`.
    fn batch(&mut self, open: &[usize], longest: usize) -> Result<Vec<(usize, Trace)>, Stop> {
        let problem = self.problem;
        let mut runs = Runs::new(problem, &mut self.rng);
        let mut found: Vec<(usize, Trace)> = vec![];
        self.batches += 1;
        while runs.inputs.len() < longest && runs.alive != 0 && found.len() < open.len() {
            let mut waiting = runs.alive;
            let mut frame = runs.last().to_vec();
            for attempt in 0..TRIES {
                if let Some(stop) = self.work(problem.aig.nodes().len()) {
                    return if found.is_empty() { Err(stop) } else { Ok(found) };
                }
                let inputs = runs.draw(attempt, &mut self.rng);
                let legal = waiting & runs.eval(&inputs);
                for &k in open {
                    let bad = legal & runs.sim.value(problem.aig.bads[problem.bads[k]].value);
                    if bad != 0 && found.iter().all(|&(j, _)| j != k) {
                        let lane = bad.trailing_zeros();
                        found.push((k, runs.trace(problem.bads[k], lane, &inputs)));
                    }
                }
                let goes = legal & problem.moved.map_or(!0, |moved| runs.sim.value(moved));
                runs.accept(goes, &inputs, &mut frame);
                waiting &= !goes;
                if waiting == 0 {
                    break;
                }
            }
            runs.alive &= !waiting;
            runs.advance(frame);
        }
        // Most runs go on.
        if runs.alive.count_ones() > 16 && found.is_empty() && longest == self.length {
            self.length = (2 * self.length).min(MAX_LENGTH);
        }
        Ok(found)
    }

    /// Counts work; now and then rests, and looks whether the budget has ended.
    fn work(&mut self, nodes: usize) -> Option<Stop> {
        self.work += nodes;
        if self.work < BURST {
            return None;
        }
        self.work = 0;
        let worked = self.budget.elapsed().saturating_sub(self.since);
        self.worked += worked;
        let seconds = u32::try_from(self.worked.as_secs()).unwrap_or(u32::MAX).max(1);
        let stop = self.pause(worked * seconds.min(self.options.rest));
        self.since = self.budget.elapsed();
        stop
    }

    /// Sleeps so long, but not beyond the budget's end.
    fn pause(&self, time: Duration) -> Option<Stop> {
        let end = self.budget.elapsed() + time;
        loop {
            if let Some(stop) = self.budget.check() {
                return Some(stop);
            }
            let left = end.saturating_sub(self.budget.elapsed());
            if left.is_zero() {
                return None;
            }
            sleep(left.min(Duration::from_millis(2)));
        }
    }
}

/// 64 runs side by side, one in each bit of a word.
struct Runs<'a> {
    problem: &'a Problem<'a>,
    sim: Simulator<'a, u64>,
    initial: Vec<u64>,
    /// The latches' values in the next frame, of the runs that have gone there.
    next: Vec<u64>,
    /// The inputs of each frame.
    inputs: Vec<Vec<u64>>,
    /// Those that have not come to an end.
    alive: u64,
    none: Vec<u64>,
}

impl<'a> Runs<'a> {
    fn new(problem: &'a Problem<'a>, rng: &mut Rng) -> Self {
        let aig = problem.aig;
        let initial: Vec<u64> = aig
            .latches()
            .iter()
            .map(|latch| match latch.reset {
                Reset::Zero => 0,
                Reset::One => !0,
                Reset::Free => rng.next_u64(),
            })
            .collect();
        Self {
            sim: Simulator::new(aig, &initial),
            next: initial.clone(),
            initial,
            inputs: vec![],
            alive: !0,
            none: vec![0; aig.inputs().len()],
            problem,
        }
    }

    /// The inputs of the last frame.
    fn last(&self) -> &[u64] {
        self.inputs.last().unwrap_or(&self.none)
    }

    /// Inputs for an attempt at the next frame. The first attempt keeps those of the last frame in
    /// some runs: always the same eighth never does, the next does every other time, and so on.
    fn draw(&self, attempt: u32, rng: &mut Rng) -> Vec<u64> {
        let mut keep = 0;
        if attempt == 0 {
            let mut change = !0;
            for eighth in 1..8 {
                change &= rng.next_u64();
                keep |= !change & 0xff << (8 * eighth);
            }
        }
        let rare = attempt % 5;
        let draw = |&last: &u64| {
            let fresh = (0..rare).fold(rng.next_u64(), |word, _| word & rng.next_u64());
            last & keep | fresh & !keep
        };
        self.last().iter().map(draw).collect()
    }

    /// Computes an attempt; the runs in which it is legal.
    fn eval(&mut self, inputs: &[u64]) -> u64 {
        self.sim.eval(inputs);
        let constraints = self.problem.aig.constraints.iter();
        constraints.fold(!0, |legal, c| legal & self.sim.value(c.value))
    }

    /// Lets these runs go where the attempt leads.
    fn accept(&mut self, goes: u64, inputs: &[u64], frame: &mut [u64]) {
        let mix = |old: u64, new: u64| old & !goes | new & goes;
        for (old, &new) in frame.iter_mut().zip(inputs) {
            *old = mix(*old, new);
        }
        for (old, latch) in self.next.iter_mut().zip(self.problem.aig.latches()) {
            *old = mix(*old, self.sim.value(latch.next));
        }
    }

    /// Goes to the next frame.
    fn advance(&mut self, frame: Vec<u64>) {
        self.inputs.push(frame);
        self.sim.set_state(&self.next);
    }

    /// The run of one bit, with the attempt as its last frame.
    fn trace(&self, bad: usize, lane: u32, attempt: &[u64]) -> Trace {
        let bits = |words: &[u64]| words.iter().map(|w| w >> lane & 1 == 1).collect::<Vec<_>>();
        let frames = self.inputs.iter().map(Vec::as_slice).chain([attempt]);
        Trace { bad, initial: bits(&self.initial), inputs: frames.map(bits).collect() }
    }
}
