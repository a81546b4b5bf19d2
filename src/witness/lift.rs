//! Lifting: which thread moves in each frame of a circuit's run, with which choices, to where.

use crate::aig::{Aig, Lit, Simulator};
use crate::base::{Id, IndexVec};
use crate::bitblast::BitMap;
use crate::encode::Encoding;
use crate::outcome::{Schedule, ScheduleStep, Trace};
use crate::program::{LocId, ThreadId};

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
        let mut simulator = Simulator::new(self.aig, &trace.initial);
        let mut steps = vec![];
        let mut last = vec![];
        let count = trace.inputs.len() - usize::from(!last_moves);
        for inputs in &trace.inputs[..count] {
            simulator.eval(inputs);
            let moving: Vec<ThreadId> = self
                .execute
                .iter_enumerated()
                .filter(|&(_, &lit)| simulator.value(lit))
                .map(|(t, _)| t)
                .collect();
            simulator.advance();
            steps.append(&mut last);
            last.extend(moving.into_iter().map(|t| self.step(t, inputs, simulator.state())));
        }
        if !last_moves || last.is_empty() {
            steps.append(&mut last);
            return vec![Schedule { steps, site: None }];
        }
        let with = |step: ScheduleStep| {
            let steps = steps.iter().cloned().chain([step]).collect();
            Schedule { steps, site: None }
        };
        last.into_iter().map(with).collect()
    }

    /// A thread's step in a frame with these inputs, after which the latches are `after`.
    fn step(&self, thread: ThreadId, inputs: &[bool], after: &[bool]) -> ScheduleStep {
        let step = &self.encoding.threads[thread];
        let choices = step.choices.iter();
        ScheduleStep {
            thread,
            inputs: choices
                .map(|&(choice, input)| (choice, self.bits.input_value(input, inputs)))
                .filter(|&(_, value)| value != 0)
                .collect(),
            until: self.location(thread, after),
        }
    }

    fn location(&self, thread: ThreadId, latches: &[bool]) -> LocId {
        let points = self.encoding.points[thread].list();
        let pc = self.encoding.threads[thread].pc;
        let index = pc.map_or(0, |state| self.bits.state_value(state, latches) as usize);
        points.get(index).copied().unwrap_or(LocId::new(0))
    }
}
