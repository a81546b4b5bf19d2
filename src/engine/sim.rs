//! Random simulation: many runs side by side, with random inputs, until one is bad.
//!
//! It proves nothing and finds no violation that needs a rare value; but it costs nothing to go
//! deep, where the solvers of the other engines must first exclude all that is shallow. Schedulers'
//! inputs are choices among threads, and a wrong order of theirs is often not rare.
//!
//! Runs differ in how long they keep to the inputs that they have, since a run that always changes
//! from thread to thread gets nowhere. A frame that a constraint forbids, or that does not move, is
//! tried again with other inputs, fewer and fewer of which are true. No run waits for another one:
//! while one tries a frame again, others go on, and one that ends gives its place to a new one.
//! When a violation is found, some more runs look for shorter ones.

use std::collections::VecDeque;
use std::thread::sleep;
use std::time::Duration;

use super::{Capabilities, Engine, Problem, Progress};
use crate::aig::{Reset, Simulator};
use crate::base::{Budget, Lanes, Rng, Stop};
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
    /// How many times [`Lanes::COUNT`] runs more look for a shorter violation at least, when there
    /// is one.
    pub polish: usize,
    /// Most values of inputs, of [`Lanes::COUNT`] runs each, that are remembered for traces: with
    /// many inputs runs are shorter.
    pub memory: usize,
    /// Waits so long before it starts. For one that runs beside others.
    pub delay: Duration,
    /// After each bit of work rests as many times as long as it has worked seconds by then, at
    /// least as long and at most so many times as long; 0: never rests. For one that runs beside
    /// others.
    pub rest: u32,
}

impl Default for SimOptions {
    fn default() -> Self {
        Self {
            max_depth: None,
            first: false,
            seed: 1,
            polish: 5,
            memory: 1 << 23,
            delay: Duration::ZERO,
            rest: 0,
        }
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

/// Frames of the first runs; they get longer as long as many of them do not end before.
const FIRST_LENGTH: usize = 64;

/// Most frames of a run.
const MAX_LENGTH: usize = 1 << 16;

/// How often a frame is tried.
const TRIES: u32 = 24;

/// Nodes that are computed between two looks at the clock.
const BURST: usize = 1 << 20;

/// Most steps until it looks whether others have closed what it is about.
const ROUND: usize = 256;

/// Runs that were made, and the length of the next.
struct Search<'a> {
    problem: &'a Problem<'a>,
    options: &'a SimOptions,
    budget: &'a Budget,
    rng: Rng,
    length: usize,
    /// Runs that have ended.
    ended: usize,
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
            ended: 0,
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
        let mut runs = Runs::new(self.problem, &mut self.rng);
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
            let found = match self.round(&mut runs, &open) {
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

    /// Some steps of the runs, until one of the properties at these positions of `problem.bads` is
    /// violated; the violations of the last step.
    fn round(&mut self, runs: &mut Runs, open: &[usize]) -> Result<Vec<(usize, Trace)>, Stop> {
        for _ in 0..ROUND.min(BURST / self.problem.aig.nodes().len() + 1) {
            let longest = self.options.max_depth.map_or(self.length, |d| self.length.min(d + 1));
            let found = self.step(runs, open, longest)?;
            // Many runs go on.
            let Ended { all, by_length } = runs.ended;
            if all >= Lanes::COUNT {
                if 4 * by_length > all && longest == self.length {
                    self.length = (2 * self.length).min(MAX_LENGTH);
                }
                self.ended += all;
                runs.ended = Ended::default();
            }
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(vec![])
    }

    /// A violation that is at most as long as `best`, with it in any case; when time is over, the
    /// reason as well.
    fn shorter(&mut self, position: usize, mut best: Trace) -> Result<Trace, (Trace, Stop)> {
        let mut runs = Runs::new(self.problem, &mut self.rng);
        let enough = (Lanes::COUNT * self.options.polish).max(self.ended / 2);
        while runs.ended.all < enough && best.inputs.len() > 1 {
            match self.step(&mut runs, &[position], best.inputs.len() - 1) {
                Ok(found) => best = found.into_iter().next().map_or(best, |(_, trace)| trace),
                Err(stop) => return Err((best, stop)),
            }
        }
        Ok(best)
    }

    /// One step of the runs, none of which gets longer than so many frames. A violation of each
    /// of the properties at these positions of `problem.bads` that are violated in it.
    fn step(
        &mut self,
        runs: &mut Runs,
        open: &[usize],
        longest: usize,
    ) -> Result<Vec<(usize, Trace)>, Stop> {
        if let Some(stop) = self.work(self.problem.aig.nodes().len()) {
            return Err(stop);
        }
        let age = self.options.memory / self.problem.aig.inputs().len().max(1);
        runs.end(longest, age, &mut self.rng);
        let inputs = runs.draw(&mut self.rng);
        let legal = runs.eval(&inputs);
        let violation = |&k: &usize| {
            let bad = self.problem.bads[k];
            let lane = (legal & runs.sim.value(self.problem.aig.bads[bad].value)).first()?;
            Some((k, runs.trace(bad, lane, &inputs)))
        };
        let found = open.iter().filter_map(violation).collect();
        let goes = legal & self.problem.moved.map_or(Lanes::ALL, |moved| runs.sim.value(moved));
        runs.advance(goes, inputs);
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

/// How many runs have ended, and how many of them because of their length.
#[derive(Clone, Copy, Default)]
struct Ended {
    all: usize,
    by_length: usize,
}

/// A run: the step it began with, its frames, and how often it has tried the next one.
#[derive(Clone, Copy, Default)]
struct Run {
    first: usize,
    frames: usize,
    tries: u32,
}

/// Inputs of a step, and the runs that went on with them.
struct Step {
    inputs: Vec<Lanes>,
    goes: Lanes,
}

/// Runs side by side. A step is an attempt of each of them at its next frame.
struct Runs<'a> {
    problem: &'a Problem<'a>,
    sim: Simulator<'a, Lanes>,
    runs: Vec<Run>,
    /// Values of the latches in the runs' first frames, and in those that they try.
    initial: Vec<Lanes>,
    state: Vec<Lanes>,
    /// Inputs of the runs' last frames.
    last: Vec<Lanes>,
    /// The runs that try a frame for the first time.
    fresh: Lanes,
    /// The latest steps, and how many came before.
    history: VecDeque<Step>,
    forgotten: usize,
    ended: Ended,
}

impl<'a> Runs<'a> {
    fn new(problem: &'a Problem<'a>, rng: &mut Rng) -> Self {
        let none = vec![Lanes::NONE; problem.aig.latches().len()];
        let mut runs = Self {
            sim: Simulator::new(problem.aig, &none),
            runs: vec![Run::default(); Lanes::COUNT],
            initial: none.clone(),
            state: none,
            last: vec![Lanes::NONE; problem.aig.inputs().len()],
            fresh: Lanes::NONE,
            history: VecDeque::new(),
            forgotten: 0,
            ended: Ended::default(),
            problem,
        };
        runs.restart(Lanes::ALL, rng);
        runs
    }

    /// Steps so far.
    fn now(&self) -> usize {
        self.forgotten + self.history.len()
    }

    /// Ends the runs that have so many frames, that began more than so many steps ago, or that have
    /// tried a frame often enough.
    fn end(&mut self, longest: usize, age: usize, rng: &mut Rng) {
        let oldest = self.now().saturating_sub(age);
        let mut over = Lanes::NONE;
        for (lane, run) in self.runs.iter().enumerate() {
            let long = run.frames >= longest;
            if long || run.tries >= TRIES || run.first < oldest {
                over.set(lane, true);
                self.ended.all += 1;
                self.ended.by_length += usize::from(long);
            }
        }
        if over != Lanes::NONE {
            self.restart(over, rng);
            let first = self.runs.iter().map(|run| run.first).min().unwrap_or(0);
            self.history.drain(..first - self.forgotten);
            self.forgotten = first;
        }
    }

    /// Lets these runs begin anew.
    fn restart(&mut self, over: Lanes, rng: &mut Rng) {
        for (k, latch) in self.problem.aig.latches().iter().enumerate() {
            let reset = match latch.reset {
                Reset::Zero => Lanes::NONE,
                Reset::One => Lanes::ALL,
                Reset::Free => Lanes::random(rng),
            };
            self.initial[k] = over.select(reset, self.initial[k]);
            self.state[k] = over.select(reset, self.state[k]);
        }
        for last in &mut self.last {
            *last = *last & !over;
        }
        self.fresh = self.fresh | over;
        let first = self.now();
        for (lane, run) in self.runs.iter_mut().enumerate() {
            if over.get(lane) {
                *run = Run { first, ..Run::default() };
            }
        }
    }

    /// Inputs for an attempt at the next frames. The first attempt keeps those of the last frame in
    /// some runs: always the same eighth never does, the next does every other time, and so on.
    fn draw(&self, rng: &mut Rng) -> Vec<Lanes> {
        let mut keep = Lanes::NONE;
        let mut change = Lanes::ALL;
        for eighth in 1..8 {
            change = change & Lanes::random(rng);
            keep = keep | !change & Lanes::repeat(0xff << (8 * eighth));
        }
        keep = keep & self.fresh;
        let rare = self.now() % 5;
        let draw = |&last: &Lanes| {
            let often = Lanes::random(rng);
            let seldom = (0..rare).fold(often, |word, _| word & Lanes::random(rng));
            keep.select(last, self.fresh.select(often, seldom))
        };
        self.last.iter().map(draw).collect()
    }

    /// Computes an attempt; the runs in which it is legal.
    fn eval(&mut self, inputs: &[Lanes]) -> Lanes {
        self.sim.set_state(&self.state);
        self.sim.eval(inputs);
        let constraints = self.problem.aig.constraints.iter();
        constraints.fold(Lanes::ALL, |legal, c| legal & self.sim.value(c.value))
    }

    /// Lets these runs go where the attempt leads.
    fn advance(&mut self, goes: Lanes, inputs: Vec<Lanes>) {
        for (old, latch) in self.state.iter_mut().zip(self.problem.aig.latches()) {
            *old = goes.select(self.sim.value(latch.next), *old);
        }
        for (old, &new) in self.last.iter_mut().zip(&inputs) {
            *old = goes.select(new, *old);
        }
        for (lane, run) in self.runs.iter_mut().enumerate() {
            if goes.get(lane) {
                run.frames += 1;
                run.tries = 0;
            } else {
                run.tries += 1;
            }
        }
        self.fresh = goes;
        self.history.push_back(Step { inputs, goes });
    }

    /// One of the runs, with the attempt as its last frame.
    fn trace(&self, bad: usize, lane: usize, attempt: &[Lanes]) -> Trace {
        let bits = |lanes: &[Lanes]| lanes.iter().map(|l| l.get(lane)).collect::<Vec<_>>();
        let steps = self.history.iter().skip(self.runs[lane].first - self.forgotten);
        let frames = steps.filter(|step| step.goes.get(lane)).map(|step| step.inputs.as_slice());
        let inputs = frames.chain([attempt]).map(bits).collect();
        Trace { bad, initial: bits(&self.initial), inputs }
    }
}
