//! Lifting: which thread moves in each frame of a circuit's run, with which choices, to where.

use std::collections::BTreeSet;

use crate::aig::{Aig, Lit, Simulator};
use crate::analysis::Ranks;
use crate::base::{Id, IndexVec};
use crate::bitblast::BitMap;
use crate::encode::Encoding;
use crate::outcome::{Lasso, LassoSchedule, Schedule, ScheduleStep, Trace};
use crate::program::{InputId, LocId, ThreadId};

/// What lifting needs to know of a circuit.
#[derive(Clone, Copy, Debug)]
pub struct Lifter<'a> {
    /// The encoding that the circuit was made from.
    pub encoding: &'a Encoding,
    /// Where its words are in the circuit.
    pub bits: &'a BitMap,
    /// The circuit, as bit-blasted.
    pub aig: &'a Aig,
    /// For each thread, whether it moves in a frame.
    pub execute: &'a IndexVec<ThreadId, Lit>,
    /// The steps that led to its initial state.
    pub prefix: &'a [ScheduleStep],
    /// What its choices stand for.
    pub ranks: &'a Ranks,
}

impl Lifter<'_> {
    /// The schedules that a run of the circuit may stand for; at least one. Frames in which nobody
    /// moves are left out. The threads that move in one frame are listed in order: their steps do
    /// not depend on each other.
    ///
    /// If `last_moves`, a move in the bad frame is part of it (a site is violated by that move). If
    /// several threads move in that frame, there is a schedule for each, in which it alone moves
    /// last. Otherwise the schedule ends in the bad frame's state.
    pub fn lift(&self, trace: &Trace, last_moves: bool) -> Vec<Schedule> {
        let count = trace.inputs.len() - usize::from(!last_moves);
        let steps = self.steps(&trace.initial, &trace.inputs[..count]);
        let in_last = |&(frame, _): &(usize, ScheduleStep)| last_moves && frame + 1 == count;
        let (last, before): (Vec<_>, Vec<_>) = steps.into_iter().partition(in_last);
        let before = before.into_iter().map(|(_, step)| step);
        let before: Vec<ScheduleStep> = self.prefix.iter().cloned().chain(before).collect();
        if last.is_empty() {
            return vec![Schedule { steps: before, site: None }];
        }
        let with = |(_, step): (usize, ScheduleStep)| {
            let steps = before.iter().cloned().chain([step]).collect();
            Schedule { steps, site: None }
        };
        last.into_iter().map(with).collect()
    }

    /// The schedules that a run to a race may stand for: to the bad frame's state, and on from
    /// there to each place inside of an atomic section that a thread is about to enter, with the
    /// choices of the bad frame. That frame's move is no part of them.
    pub fn lift_race(&self, trace: &Trace) -> Vec<Schedule> {
        let mut schedules = self.lift(trace, false);
        let steps = schedules[0].steps.clone();
        let inputs = trace.inputs.last().expect("a trace has a frame");
        for (thread, step) in self.encoding.threads.iter_enumerated() {
            let places: BTreeSet<LocId> = step.touches.iter().filter_map(|t| t.inside).collect();
            for until in places {
                let last = ScheduleStep { thread, inputs: self.choices(thread, inputs), until };
                let steps = steps.iter().cloned().chain([last]).collect();
                schedules.push(Schedule { steps, site: None });
            }
        }
        schedules
    }

    /// The schedule of a run of the circuit that goes on for ever.
    pub fn lift_lasso(&self, lasso: &Lasso) -> LassoSchedule {
        let steps = self.steps(&lasso.initial, &lasso.inputs);
        let (stem, cycle): (Vec<_>, Vec<_>) =
            steps.into_iter().partition(|&(frame, _)| frame < lasso.loop_start);
        let bare = |list: Vec<(usize, ScheduleStep)>| list.into_iter().map(|(_, s)| s);
        let stem = self.prefix.iter().cloned().chain(bare(stem)).collect();
        LassoSchedule { stem, cycle: bare(cycle).collect() }
    }

    /// The steps of a run's frames, each with its frame.
    fn steps(&self, initial: &[bool], frames: &[Vec<bool>]) -> Vec<(usize, ScheduleStep)> {
        let mut simulator = Simulator::new(self.aig, initial);
        let mut steps = vec![];
        for (frame, inputs) in frames.iter().enumerate() {
            simulator.eval(inputs);
            let moving: Vec<ThreadId> = self
                .execute
                .iter_enumerated()
                .filter(|&(_, &lit)| simulator.value(lit))
                .map(|(t, _)| t)
                .collect();
            simulator.advance();
            for thread in moving {
                steps.push((frame, self.step(thread, inputs, simulator.state())));
            }
        }
        steps
    }

    /// A thread's step in a frame with these inputs, after which the latches are `after`.
    fn step(&self, thread: ThreadId, inputs: &[bool], after: &[bool]) -> ScheduleStep {
        let until = self.location(thread, after);
        ScheduleStep { thread, inputs: self.choices(thread, inputs), until }
    }

    /// What a thread's step chooses in a frame with these inputs; choices of 0 are left out.
    fn choices(&self, thread: ThreadId, inputs: &[bool]) -> Vec<(InputId, u128)> {
        let choices = self.encoding.threads[thread].choices.iter();
        choices
            .map(|&(choice, input)| (choice, self.bits.input_value(input, inputs)))
            .map(|(choice, value)| (choice, self.ranks.value(choice, value)))
            .filter(|&(_, value)| value != 0)
            .collect()
    }

    fn location(&self, thread: ThreadId, latches: &[bool]) -> LocId {
        let points = self.encoding.points[thread].list();
        let pc = self.encoding.threads[thread].pc;
        let index = pc.map_or(0, |state| self.bits.state_value(state, latches) as usize);
        points.get(index).copied().unwrap_or(LocId::new(0))
    }
}
