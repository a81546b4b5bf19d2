//! A program and a question to a circuit.

use crate::aig::{Aig, Lit, Named, Restore, Roots, cone, simplify};
use crate::analysis::{Facts, Transactions};
use crate::base::{Budget, IndexVec, Stop};
use crate::bitblast::{BitMap, bitblast};
use crate::encode::{EncodeOptions, Encoding, encode};
use crate::instrument::{BadSignal, instrument};
use crate::outcome::{Lasso, LassoSchedule};
use crate::program::{Program, ThreadId};
use crate::property::Question;
use crate::report::Statistics;
use crate::sched::{Reduction, schedule};
use crate::ts::TsNamed;
use crate::witness::Lifter;

/// How the circuit is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CircuitOptions {
    /// Bad states count only as long as no frame stuttered: for other people's bounded model
    /// checkers.
    pub no_stutter: bool,
    /// Which interleavings are left out.
    pub reduction: Reduction,
}

/// The circuit of a program and a question.
#[derive(Debug)]
pub struct Circuit {
    /// The circuit that engines and other tools see. Its outputs are those of `full`.
    pub reduced: Aig,
    /// What its bads stand for.
    pub signals: Vec<BadSignal>,
    encoding: Encoding,
    full: Aig,
    bits: BitMap,
    restore: Restore,
    execute: IndexVec<ThreadId, Lit>,
    statistics: Statistics,
    options: CircuitOptions,
}

/// Positions of the signals in the outputs of the circuit.
const MOVED: usize = 0;
const CAN_MOVE: usize = 1;
const EXECUTE: usize = 2;

impl Circuit {
    /// Analyses, encodes, schedules, instruments, bit-blasts and simplifies.
    ///
    /// # Errors
    /// The reason, if the budget ends first.
    pub fn build(
        program: &Program,
        question: &Question,
        options: CircuitOptions,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let facts = Facts::new(program, &question.observed_vars(), budget)?;
        let observed = question.observed_locs(program);
        let reduction = options.reduction;
        let transactions = match reduction.has_transactions() {
            true => Some(Transactions::new(program, &facts, &observed, budget)?),
            false => None,
        };
        let encode_options = EncodeOptions {
            transactions: transactions.as_ref(),
            parallel: reduction.is_parallel(),
        };
        let mut encoding = encode(program, &facts, &observed, encode_options, budget)?;
        let scheduled = schedule(&mut encoding, reduction);
        let signals = instrument(program, question, &mut encoding, &scheduled);
        if options.no_stutter {
            gate_stuttering(&mut encoding, scheduled.moved);
        }
        let outputs = &mut encoding.ts.outputs;
        outputs.push(TsNamed { name: "moved".into(), value: scheduled.moved });
        outputs.push(TsNamed { name: "can_move".into(), value: scheduled.can_move });
        for (t, thread) in program.threads.iter_enumerated() {
            let name = format!("execute.{}", thread.name);
            outputs.push(TsNamed { name, value: scheduled.execute[t] });
        }
        let (full, bits) = bitblast(&encoding.ts, budget)?;
        let execute = full.outputs[EXECUTE..].iter().map(|o| o.value).collect();
        let (reduced, restore) = simplify(&full, Roots::PropertiesAndOutputs, budget);
        let statistics = Statistics {
            steps: encoding.points.iter().map(|p| p.list().len()).sum(),
            inputs: reduced.inputs().len(),
            latches: reduced.latches().len(),
            ands: reduced.num_ands(),
            ..Statistics::of(program)
        };
        Ok(Self { reduced, signals, encoding, full, bits, restore, execute, statistics, options })
    }

    /// True in frames in which some thread moves; a literal of `reduced`.
    pub fn moved(&self) -> Lit {
        self.reduced.outputs[MOVED].value
    }

    /// True in states in which some thread can move; a literal of `reduced`.
    pub fn can_move(&self) -> Lit {
        self.reduced.outputs[CAN_MOVE].value
    }

    /// For each thread, whether it moves in a frame; literals of `reduced`.
    pub fn execute(&self) -> Vec<Lit> {
        self.reduced.outputs[EXECUTE..].iter().map(|o| o.value).collect()
    }

    /// How it was built.
    pub fn options(&self) -> CircuitOptions {
        self.options
    }

    /// Sizes.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// The step relations that the circuit was made from.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// The way from `reduced` back to the circuit that [`Circuit::lifter`] knows.
    pub fn restore(&self) -> &Restore {
        &self.restore
    }

    /// Where the words of the encoding are in the circuit before simplification.
    pub fn bits(&self) -> &BitMap {
        &self.bits
    }

    /// What lifts runs of the circuit before simplification.
    pub fn lifter(&self) -> Lifter<'_> {
        Lifter {
            encoding: &self.encoding,
            bits: &self.bits,
            aig: &self.full,
            execute: &self.execute,
        }
    }

    /// The schedule of a run of `reduced` that goes on for ever.
    pub fn lift_lasso(&self, lasso: &Lasso) -> LassoSchedule {
        let (initial, inputs) = self.restore.run(&lasso.initial, &lasso.inputs);
        self.lifter().lift_lasso(&Lasso { initial, inputs, ..lasso.clone() })
    }

    /// The target (position in `Question::targets`) of a bad of `reduced`.
    pub fn target(&self, bad: usize) -> usize {
        let original = self.restore.bad(bad);
        let signal = self.signals.iter().find(|s| s.bad == original);
        signal.expect("each bad stands for a target").target
    }
}

/// What stands in an exported file, and the way back to [`Circuit::reduced`].
#[derive(Debug)]
pub struct Model {
    /// The circuit.
    pub aig: Aig,
    /// From [`Circuit::reduced`] to it.
    pub restore: Restore,
}

impl Circuit {
    /// The exported form: without the outputs, unless they are asked for; only the bad at
    /// position `part`, if one is given.
    ///
    /// # Panics
    /// If there is no such bad.
    pub fn model(&self, probe: bool, part: Option<usize>) -> Model {
        let roots = match part {
            Some(bad) => Roots::Bad(bad),
            None if probe => Roots::PropertiesAndOutputs,
            None => Roots::Properties,
        };
        let (mut aig, restore) = cone(&self.reduced, roots);
        if aig.bads.is_empty() {
            // ABC aborts on a graph without any property.
            aig.bads
                .push(Named { value: Lit::FALSE, name: Some("nothing-can-be-violated".into()) });
        }
        Model { aig, restore }
    }
}

/// Makes bad states count only while every frame before moved.
fn gate_stuttering(encoding: &mut Encoding, moved: crate::ts::TsExpr) {
    let ts = &mut encoding.ts;
    let (state, stuttered) = ts.add_state("stuttered", 1, Some(0));
    let still = ts.pool.not(moved);
    ts.states[state].next = ts.pool.or(stuttered, still);
    let fresh = ts.pool.not(stuttered);
    for bad in &mut ts.bads {
        bad.value = ts.pool.and(bad.value, fresh);
    }
}
