//! The word-level form of a circuit: what is exported as BTOR2 and SMV, runs of it, and the
//! signals that waveform viewers show.

use crate::base::{Budget, IndexVec, Stop};
use crate::format::vcd::Waves;
use crate::outcome::Trace;
use crate::ts::{Run, TransitionSystem, TsMap, TsNamed, remove_constant_states};

use super::circuit::Circuit;

/// What stands in an exported word-level file, and the way back.
#[derive(Debug)]
pub struct WordModel {
    /// The system.
    pub ts: TransitionSystem,
    /// From the encoding's system to it.
    map: TsMap,
    /// For each bad, its position in the bads of [`Circuit::reduced`]; empty if there is none and
    /// the system's only bad is there because some tools want one.
    bads: Vec<usize>,
}

impl WordModel {
    /// The position in the bads of [`Circuit::reduced`] of a bad, if it stands for one.
    pub fn bad(&self, bad: usize) -> Option<usize> {
        self.bads.get(bad).copied()
    }
}

impl Circuit {
    /// The exported form: without the outputs, unless they are asked for; only the bad at
    /// position `part` of [`Circuit::reduced`], if one is given.
    ///
    /// # Errors
    /// If the budget ends.
    ///
    /// # Panics
    /// If there is no such bad.
    pub fn word_model(
        &self,
        probe: bool,
        part: Option<usize>,
        budget: &Budget,
    ) -> Result<WordModel, Stop> {
        let mut ts = self.encoding().ts.clone();
        let bads: Vec<usize> = match part {
            Some(bad) => vec![bad],
            None => (0..self.reduced.bads.len()).collect(),
        };
        let all = std::mem::take(&mut ts.bads);
        ts.bads = bads.iter().map(|&k| all[self.restore().bad(k)].clone()).collect();
        if !probe {
            ts.outputs.clear();
        }
        let (mut ts, map) = remove_constant_states(&ts, &[], budget)?;
        if ts.bads.is_empty() && ts.justice.is_empty() {
            let value = ts.pool.bool(false);
            ts.bads.push(TsNamed { name: "nothing-can-be-violated".into(), value });
        }
        Ok(WordModel { ts, map, bads })
    }

    /// The run of [`Circuit::reduced`] that a run of the word-level form is, for the bad at this
    /// position of it.
    pub fn reduced_trace(&self, model: &WordModel, run: &Run, bad: usize) -> Option<Trace> {
        let ts = &self.encoding().ts;
        let initial = self.bits().state_frame(|s| {
            // A state that is gone keeps its first value, or decides nothing.
            let first = model.map.state(s).map(|s| run.initial[s]);
            ts.states[s].init.or(first).unwrap_or(0)
        });
        let frame = |values: &IndexVec<_, u128>| {
            self.bits().input_frame(|i| model.map.input(i).map_or(0, |i| values[i]))
        };
        let inputs: Vec<Vec<bool>> = run.inputs.iter().map(frame).collect();
        let (initial, inputs) = self.restore().forward(&initial, &inputs);
        Some(Trace { bad: model.bad(bad)?, initial, inputs })
    }

    /// The signals of a run of [`Circuit::reduced`]: all that the encoding names.
    pub fn waves(&self, trace: &Trace) -> Waves {
        let (initial, inputs) = self.restore().run(&trace.initial, &trace.inputs);
        let ts = &self.encoding().ts;
        let frame = |v: &Vec<bool>| -> IndexVec<_, u128> {
            ts.inputs.ids().map(|i| self.bits().input_value(i, v)).collect()
        };
        let run = Run {
            initial: ts.states.ids().map(|s| self.bits().state_value(s, &initial)).collect(),
            inputs: inputs.iter().map(frame).collect(),
        };
        Waves::of_system(ts, &run)
    }
}
