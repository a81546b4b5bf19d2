//! Random runs of the circuit against the interpreter, frame by frame: every move is a step of
//! the program, with the same values after it; a selected thread stays only if it must; and what
//! is violated is violated there.

use latchwork::aig::{Lit, Reset, Simulator};
use latchwork::analysis::Facts;
use latchwork::base::{Budget, Id, Rng};
use latchwork::driver::{Circuit, CircuitOptions, visible_holds};
use latchwork::encode::Stored;
use latchwork::expr::{mask, sign_extend};
use latchwork::outcome::Trace;
use latchwork::program::contention::{Item, race};
use latchwork::program::{Machine, Program, Scope, SiteId, State, ThreadId, run_step};
use latchwork::property::{Question, TargetKind};
use latchwork::witness::{Lifter, is_deadlock};

use crate::case::Case;

const RUNS: usize = 4;
const FRAMES: usize = 40;

/// What stays the same in all runs of a program.
struct Runs<'a> {
    program: &'a Program,
    question: &'a Question,
    machine: Machine<'a>,
    circuit: &'a Circuit,
    lifter: Lifter<'a>,
    /// Where the circuit starts.
    start: State,
    facts: &'a Facts,
    can_move: Lit,
    /// What a failure says.
    name: &'a str,
}

/// Compares some runs.
pub fn simulate(seed: u64, case: &Case) {
    let Case { program, question, name, .. } = case;
    let budget = Budget::unlimited();
    let options = CircuitOptions { whole_run: seed.is_multiple_of(4), ..CircuitOptions::default() };
    let circuit = Circuit::build(program, question, options, &budget);
    let circuit = circuit.expect("no limit is set");
    // Here each frame is lifted for itself.
    let prefix = circuit.lifter().prefix;
    let lifter = Lifter { prefix: &[], ..circuit.lifter() };
    let can_move = lifter.aig.outputs.iter().find(|o| o.name.as_deref() == Some("can_move"));
    let can_move = can_move.expect("it is an output").value;
    let machine = Machine::new(program);
    let mut start = machine.initial();
    for step in prefix {
        run_step(&machine, &mut start, step.thread, step.until, &mut |_| 0, 10_000)
            .expect("the circuit starts behind a run");
    }
    let circuit = &circuit;
    let facts = circuit.facts();
    let runs = Runs { program, question, machine, circuit, lifter, start, facts, can_move, name };
    let mut rng = Rng::new(seed);
    (0..RUNS).for_each(|_| runs.run(&mut rng));
}

impl Runs<'_> {
    fn run(&self, rng: &mut Rng) {
        let aig = self.lifter.aig;
        let initial: Vec<bool> = aig.latches().iter().map(|l| l.reset == Reset::One).collect();
        let mut simulator = Simulator::new(aig, &initial);
        let mut state = self.start.clone();
        for _ in 0..FRAMES {
            let inputs: Vec<bool> = aig.inputs().iter().map(|_| rng.one_in(2)).collect();
            let before = simulator.state().to_vec();
            simulator.eval(&inputs);
            let enabled = |t| self.machine.enabled(&state, t).expect("guards are right").is_some();
            let can_move = self.program.threads.ids().any(enabled);
            assert_eq!(simulator.value(self.can_move), can_move, "{}: can_move", self.name);
            let trace = Trace { bad: 0, initial: before, inputs: vec![inputs.clone()] };
            let schedules = self.lifter.lift(&trace, true);
            let steps: Vec<_> = schedules.into_iter().flat_map(|s| s.steps).collect();
            let mut after = state.clone();
            let mut site = None;
            match steps.as_slice() {
                [] => {
                    let idle = self.selected(&inputs).is_none_or(|t| !enabled(t));
                    assert!(idle, "{}: a thread stays that could move", self.name);
                }
                [step] => {
                    let value = |i| step.inputs.iter().find(|x| x.0 == i).map_or(0, |x| x.1);
                    let (machine, thread) = (&self.machine, step.thread);
                    let mut value = value;
                    let infos =
                        run_step(machine, &mut after, thread, step.until, &mut value, 10_000)
                            .unwrap_or_else(|e| panic!("{}: {e}", self.name));
                    site = infos.last().and_then(|i| i.site);
                }
                _ => panic!("{}: several threads move", self.name),
            }
            self.compare_bads(&simulator, &state, &trace, site);
            simulator.advance();
            self.compare_values(&after, simulator.state());
            state = after;
            if !can_move {
                break;
            }
        }
    }

    /// The thread that the scheduler's input selects, if there is one of that number.
    fn selected(&self, inputs: &[bool]) -> Option<ThreadId> {
        let ts = &self.lifter.encoding.ts;
        let select = ts.inputs.iter_enumerated().find(|(_, i)| i.name == "sched");
        let index = select.map_or(0, |(i, _)| self.lifter.bits.input_value(i, inputs) as usize);
        (index < self.program.threads.len()).then(|| ThreadId::new(index))
    }

    /// In the frame of `trace`, which starts in `state` and violates this site.
    fn compare_bads(
        &self,
        simulator: &Simulator<'_, bool>,
        state: &State,
        trace: &Trace,
        site: Option<SiteId>,
    ) {
        for signal in &self.circuit.signals {
            let target = &self.question.targets[signal.target];
            let expected = match &target.kind {
                TargetKind::Sites(sites) => site.is_some_and(|s| sites.contains(&s)),
                TargetKind::Invariant(i) => !visible_holds(self.program, i, state),
                TargetKind::Race(item) => self.races(state, trace, *item),
                TargetKind::Leak(leak) => !leak.objects(self.program, state).is_empty(),
                TargetKind::Deadlock => is_deadlock(&self.machine, state),
                TargetKind::Local(found, kind) => {
                    let threads = found.threads(&self.machine, state, *kind);
                    !threads.expect("guards are right").is_empty()
                }
                TargetKind::Ltl(_) => unreachable!("not asked"),
            };
            let found = simulator.value(self.lifter.aig.bads[signal.bad].value);
            assert_eq!(found, expected, "{}: {}", self.name, target.text);
        }
    }

    /// Whether there is a race in the state, or inside of an atomic section that a thread could
    /// enter with the frame's inputs, before the frame's step would end there.
    fn races(&self, state: &State, trace: &Trace, item: Item) -> bool {
        self.lifter.lift_race(trace).iter().any(|schedule| {
            let mut state = state.clone();
            let possible = schedule.steps.iter().all(|step| {
                let thread = &self.program.threads[step.thread];
                let mut value = |i| step.inputs.iter().find(|x| x.0 == i).map_or(0, |x| x.1);
                run_step(&self.machine, &mut state, step.thread, step.until, &mut value, 10_000)
                    .is_ok_and(|infos| {
                        let mut after = infos[1..].iter().map(|i| thread.edges[i.edge].from);
                        let points = &self.lifter.encoding.points[step.thread];
                        after.all(|l| thread.locations[l].atomic && points.index(l).is_none())
                    })
            });
            possible && race(&self.machine, &state, item).expect("guards are right").is_some()
        })
    }

    /// All that the circuit remembers.
    fn compare_values(&self, state: &State, latches: &[bool]) {
        let Lifter { encoding, bits, .. } = self.lifter;
        for (v, var) in self.program.vars.iter_enumerated() {
            let kept = match var.scope {
                Scope::Shared => self.facts.slice.has(v),
                Scope::Local(t) => self.facts.live[t].is_live(state.loc(t), v),
            };
            if !kept {
                continue;
            }
            let value = match encoding.states.stored(v) {
                Stored::Constant(value) => value,
                Stored::State { state, bits: width, signed } => {
                    let value = bits.state_value(state, latches);
                    if signed { sign_extend(value, width) as u128 & mask(var.width) } else { value }
                }
            };
            assert_eq!(value, state.value(v), "{}: value of {}", self.name, var.name);
        }
    }
}
