//! A program and a question to a circuit.

use crate::aig::{Aig, Lit, Named, Restore, Roots, cone, simplify};
use crate::analysis::{
    Alive, Facts, Held, PatternOptions, Patterns, Prefix, Ranks, Stops, Transactions, contention,
};
use crate::base::{Budget, HashSet, Id, IndexVec, Stop};
use crate::bitblast::{BitMap, bitblast};
use crate::encode::{EncodeOptions, Encoding, encode};
use crate::instrument::{BadSignal, end_process, instrument, instrument_ltl};
use crate::outcome::{Lasso, LassoSchedule, ScheduleStep};
use crate::program::contention::Item;
use crate::program::{LocId, Program, State, ThreadId};
use crate::property::{Ltl, Question, TargetKind};
use crate::report::Statistics;
use crate::sched::{
    Reduction, Scheduled, SchedulerFacts, StubbornOptions, schedule, schedule_bounded,
    schedule_free, schedule_nothing, schedule_stubborn,
};
use crate::ts::TsNamed;
use crate::witness::{Lifter, holds};

use super::error::DriverError;
use super::justice::closed;

/// How the circuit is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CircuitOptions {
    /// Bad states count only as long as no frame stuttered: for other people's bounded model
    /// checkers.
    pub no_stutter: bool,
    /// Which interleavings are left out.
    pub reduction: Reduction,
    /// How often another thread may go on, if that is bounded; then `reduction` is none.
    pub context_bound: Option<u32>,
    /// Under reductions with lock patterns, the most sets of tokens for the ways from a location to
    /// an access ([`PatternOptions::sets`]); `None` for the
    /// usual number.
    pub lock_sets: Option<usize>,
    /// Keeps what the scheduler decided by as outputs.
    pub probe: bool,
    /// Leaves the scheduler out, to see how large it is: each thread moves when it is told to. Such
    /// a circuit is no model of the program.
    pub no_scheduler: bool,
    /// The circuit starts where the program does, and not behind the only run of `main` before it
    /// creates a thread ([`Prefix`]).
    pub whole_run: bool,
}

impl CircuitOptions {
    fn patterns(&self) -> Option<PatternOptions> {
        let usual = self.reduction.patterns()?;
        Some(PatternOptions { sets: self.lock_sets.unwrap_or(usual.sets), ..usual })
    }
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
    facts: Facts,
    /// The steps before the circuit's start.
    prefix: Vec<ScheduleStep>,
    /// What its choices stand for.
    ranks: Ranks,
}

/// The facts that a question needs. Items that cannot race are left out.
///
/// # Errors
/// The reason, if the budget ends first.
pub(super) fn analyse(
    program: &Program,
    question: &Question,
    budget: &Budget,
) -> Result<Facts, Stop> {
    let (observed, raced) = (question.observed_vars(), question.raced());
    let facts = Facts::new(program, &observed, &raced, budget)?;
    if raced.is_empty() {
        return Ok(facts);
    }
    let found = contention(program, &facts, &raced);
    let open: Vec<Item> =
        found.into_iter().filter(|(_, c)| !c.is_apart()).map(|(item, _)| item).collect();
    if open.len() == raced.len() {
        Ok(facts)
    } else {
        Facts::new(program, &observed, &open, budget)
    }
}

/// What stubborn sets need to know of a program, if they are asked for.
fn patterns(
    program: &Program,
    facts: &Facts,
    observed: &IndexVec<ThreadId, HashSet<LocId>>,
    of: Option<PatternOptions>,
    budget: &Budget,
) -> Result<Option<Patterns>, Stop> {
    let Some(of) = of else { return Ok(None) };
    let held = Held::new(program, facts, &Alive::new(program, facts));
    Patterns::new(program, facts, held, observed, of, budget).map(Some)
}

/// Where transactions must stop for the question's sake.
pub(super) fn stops(question: &Question) -> Stops {
    Stops { waiting: question.targets.iter().any(|t| matches!(t.kind, TargetKind::Deadlock)) }
}

/// Positions of the signals in the outputs of the circuit.
const MOVED: usize = 0;
const CAN_MOVE: usize = 1;
const EXECUTE: usize = 2;

impl Circuit {
    /// Lets choices be few, runs `main` as far as it is alone, analyses, encodes, schedules,
    /// instruments, bit-blasts and simplifies.
    ///
    /// # Errors
    /// The reason, if the budget ends first.
    pub fn build(
        program: &Program,
        question: &Question,
        options: CircuitOptions,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        // Leaks are about what all values may point to.
        let ranks = match question.targets.iter().any(|t| matches!(t.kind, TargetKind::Leak(_))) {
            true => Ranks::default(),
            false => Ranks::new(program, &question.observed_vars(), budget)?,
        };
        let circuit = match ranks.is_empty() {
            true => Self::build_behind_main(program, question, options, budget)?,
            false => Self::build_behind_main(&ranks.apply(program), question, options, budget)?,
        };
        Ok(Self { ranks, ..circuit })
    }

    fn build_behind_main(
        program: &Program,
        question: &Question,
        options: CircuitOptions,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        if options.whole_run {
            return Self::build_from(program, question, options, vec![], budget);
        }
        let violates = |state: &State| {
            question.targets.iter().any(|target| match &target.kind {
                TargetKind::Invariant(invariant) => !holds(invariant, state),
                TargetKind::Leak(leak) => !leak.objects(program, state).is_empty(),
                // Only `main` runs, and it can move.
                TargetKind::Sites(_)
                | TargetKind::Race(_)
                | TargetKind::Deadlock
                | TargetKind::Local(..) => false,
                // Asked elsewhere.
                TargetKind::Ltl(_) => false,
            })
        };
        let prefix = Prefix::new(program, &question.observed_vars(), violates, budget)?;
        let steps = schedule_of_main(&prefix.path);
        Self::build_from(&prefix.rest(program), question, options, steps, budget)
    }

    fn build_from(
        program: &Program,
        question: &Question,
        options: CircuitOptions,
        prefix: Vec<ScheduleStep>,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let facts = analyse(program, question, budget)?;
        let observed = question.observed_locs(program);
        let reduction = options.reduction;
        let transactions = match reduction.has_transactions() {
            true => Some(Transactions::new(program, &facts, &observed, stops(question), budget)?),
            false => None,
        };
        let encode_options = EncodeOptions {
            transactions: transactions.as_ref(),
            parallel: reduction.is_parallel(),
            footprints: reduction.patterns().is_some(),
        };
        let patterns = patterns(program, &facts, &observed, options.patterns(), budget)?;
        let mut encoding = encode(program, &facts, &observed, encode_options, budget)?;
        let known =
            patterns.as_ref().map(|patterns| SchedulerFacts { program, facts: &facts, patterns });
        let scheduled = match options.context_bound {
            _ if options.no_scheduler => schedule_nothing(&mut encoding),
            Some(switches) => schedule_bounded(&mut encoding, switches),
            None => schedule(&mut encoding, reduction, known.as_ref()),
        };
        let signals = instrument(program, question, &mut encoding, &scheduled);
        if options.no_stutter {
            gate_stuttering(&mut encoding, scheduled.moved);
        }
        let circuit = Self::finish(program, facts, encoding, &scheduled, signals, options, budget)?;
        Ok(Self { prefix, ..circuit })
    }

    /// The circuit of one temporal formula: its only justice set are the runs that violate it. Of
    /// the options, the reduction (which keeps the formula), `lock_sets` and `probe` count.
    ///
    /// # Errors
    /// If the budget ends first, or the formula cannot be asked of the program.
    pub fn live(
        program: &Program,
        ltl: &Ltl,
        options: CircuitOptions,
        budget: &Budget,
    ) -> Result<Self, DriverError> {
        let options = CircuitOptions { whole_run: true, ..options };
        let facts = Facts::new(program, &ltl.vars(), &[], budget)?;
        let observed = observed_by(program, ltl);
        let of = options.patterns().map(|usual| PatternOptions { live: true, ..usual });
        let patterns = patterns(program, &facts, &ltl.locs(program), of, budget)?;
        let encode_options =
            EncodeOptions { footprints: patterns.is_some(), ..EncodeOptions::default() };
        let mut encoding = encode(program, &facts, &observed, encode_options, budget)?;
        end_process(program, &mut encoding);
        let scheduled = match &patterns {
            None => schedule_free(&mut encoding),
            Some(patterns) => {
                let from = SchedulerFacts { program, facts: &facts, patterns };
                let how = StubbornOptions { live: true, ..StubbornOptions::default() };
                schedule_stubborn(&mut encoding, &from, how)
            }
        };
        instrument_ltl(program, ltl, &mut encoding, &scheduled)
            .map_err(|e| DriverError::File(e.to_string()))?;
        Ok(Self::finish(program, facts, encoding, &scheduled, vec![], options, budget)?)
    }

    /// Bit-blasts and simplifies.
    fn finish(
        program: &Program,
        facts: Facts,
        mut encoding: Encoding,
        scheduled: &Scheduled,
        signals: Vec<BadSignal>,
        options: CircuitOptions,
        budget: &Budget,
    ) -> Result<Self, Stop> {
        let outputs = &mut encoding.ts.outputs;
        outputs.push(TsNamed { name: "moved".into(), value: scheduled.moved });
        outputs.push(TsNamed { name: "can_move".into(), value: scheduled.can_move });
        for (t, thread) in program.threads.iter_enumerated() {
            let name = format!("execute.{}", thread.name);
            outputs.push(TsNamed { name, value: scheduled.execute[t] });
        }
        if options.probe {
            outputs.extend(scheduled.probes.iter().cloned());
        }
        let (full, bits) = bitblast(&encoding.ts, budget)?;
        let moves = full.outputs[EXECUTE..].iter().take(program.threads.len());
        let execute = moves.map(|o| o.value).collect();
        let (reduced, restore) = simplify(&full, Roots::PropertiesAndOutputs, budget);
        let statistics = Statistics {
            steps: encoding.points.iter().map(|p| p.list().len()).sum(),
            inputs: reduced.inputs().len(),
            latches: reduced.latches().len(),
            ands: reduced.num_ands(),
            ..Statistics::of(program)
        };
        Ok(Self {
            reduced,
            signals,
            encoding,
            full,
            bits,
            restore,
            execute,
            statistics,
            options,
            facts,
            prefix: vec![],
            ranks: Ranks::default(),
        })
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
        let moves = self.reduced.outputs[EXECUTE..].iter().take(self.execute.len());
        moves.map(|o| o.value).collect()
    }

    /// What the analyses found in the program from the circuit's start on.
    pub fn facts(&self) -> &Facts {
        &self.facts
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
            prefix: &self.prefix,
            ranks: &self.ranks,
        }
    }

    /// The schedule of a run of `reduced` that goes on for ever.
    pub fn lift_lasso(&self, lasso: &Lasso) -> LassoSchedule {
        let (initial, inputs) = self.restore.run(&lasso.initial, &lasso.inputs);
        // What the formula does not depend on, such as where threads are after the end, has its own
        // loop.
        let full = closed(&self.full, &Lasso { initial, inputs, ..lasso.clone() });
        self.lifter().lift_lasso(&full)
    }

    /// The target (position in `Question::targets`) of a bad of `reduced`.
    pub fn target(&self, bad: usize) -> usize {
        let original = self.restore.bad(bad);
        let signal = self.signals.iter().find(|s| s.bad == original);
        signal.expect("each bad stands for a target").target
    }
}

/// The scheduling points that a formula needs: those that it looks at, and those where the process
/// may end or the run be discarded, before which others may run for ever. Where the formula sees
/// each single edge, all locations.
fn observed_by(program: &Program, ltl: &Ltl) -> IndexVec<ThreadId, HashSet<LocId>> {
    let mut observed = IndexVec::filled(HashSet::default(), program.threads.len());
    for (t, thread) in program.threads.iter_enumerated() {
        let over = |l: &LocId| thread.locations[*l].kind.is_over();
        match ltl.is_exact() {
            true => observed[t].extend(thread.locations.ids()),
            false => observed[t].extend(thread.locations.ids().filter(over)),
        }
    }
    for (t, loc) in ltl.locations() {
        observed[t].insert(loc);
    }
    observed
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
        if aig.bads.is_empty() && aig.justice.is_empty() {
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

/// The steps of `main` along these locations; each visits no location twice, so that it ends where
/// it should.
fn schedule_of_main(path: &[LocId]) -> Vec<ScheduleStep> {
    let step = |until| ScheduleStep { thread: ThreadId::new(0), inputs: vec![], until };
    let mut steps = vec![];
    let mut visited = HashSet::default();
    let mut last = None;
    for &loc in path {
        if !visited.insert(loc) {
            steps.extend(last.map(step));
            visited = HashSet::from_iter([loc]);
        }
        last = Some(loc);
    }
    steps.extend(last.map(step));
    steps
}
