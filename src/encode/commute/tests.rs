//! What counts as a sum, step by step: each test fails if one of the conditions is left out.

use crate::analysis::{Facts, points_to};
use crate::base::{Budget, HashSet, Id};
use crate::encode::{EncodeOptions, Encoding, Stored, encode};
use crate::expr::Op2;
use crate::program::build::{EdgeSpec, ProgramBuilder};
use crate::program::{Program, ThreadId, VarId};
use crate::ts::{Simulator, StateId};

/// Two threads and shared variables x and y of two bits. The second thread reads and writes both,
/// so that they are kept at full width whatever the first one does.
struct Two {
    b: ProgramBuilder,
    x: VarId,
    y: VarId,
    first: ThreadId,
}

impl Two {
    fn new() -> Self {
        let mut b = ProgramBuilder::new(4);
        let [x, y] = ["x", "y"].map(|name| b.shared(name, 2, 0));
        let first = b.thread("first");
        let second = b.thread("second");
        b.create(first, second);
        for v in [x, y] {
            let input = b.input("any", 2);
            let any = b.program().input(input);
            b.next(second, EdgeSpec::new("v = any").set(v, any).atomic_access());
        }
        for v in [x, y] {
            let is = b.has_value(v, 0);
            b.assert(second, is, "v == 0");
        }
        b.end(second);
        Self { b, x, y, first }
    }

    /// `x = x op by`, as one step.
    fn change(&mut self, op: Op2, by: VarId) -> EdgeSpec {
        let (x, by) = (self.b.var(self.x), self.b.var(by));
        let value = self.b.pool().op2(op, x, by);
        EdgeSpec::new("x op= by").set(self.x, value).atomic_access()
    }

    fn encoded(mut self) -> Sums {
        self.b.end(self.first);
        let mut program = self.b.finish();
        points_to(&mut program);
        let facts = Facts::new(&program, &[], &[], &Budget::unlimited()).expect("no limit");
        let observed = program.threads.iter().map(|_| HashSet::default()).collect();
        let options = EncodeOptions { parallel: true, ..EncodeOptions::default() };
        let encoding = encode(&program, &facts, &observed, options, &Budget::unlimited());
        let (encoding, x) = (encoding.expect("no limit"), self.x);
        Sums { program, encoding, x }
    }
}

struct Sums {
    program: Program,
    encoding: Encoding,
    x: VarId,
}

impl Sums {
    fn state(&self, name: &str) -> StateId {
        let mut vars = self.program.vars.iter_enumerated();
        let v = vars.find(|(_, v)| v.name == name).expect("a variable of the program").0;
        match self.encoding.states.stored(v) {
            Stored::State { state, .. } => state,
            Stored::Constant(_) => panic!("{name} changes"),
        }
    }

    /// How much the first thread's step from its `k`-th point adds to x where y has a value, if it
    /// does no more than add.
    fn added(&self, k: usize, y: u128) -> Option<u128> {
        let step = &self.encoding.threads[ThreadId::new(0)];
        let sum = step.footprint.adds.get(&self.x)?;
        let mut ts = self.encoding.ts.clone();
        let (pc, y_state) = (step.pc.expect("more than one point"), self.state("y"));
        ts.states.iter_mut().for_each(|s| s.init = Some(0));
        ts.states[pc].init = Some(k as u128);
        ts.states[y_state].init = Some(y);
        let mut simulator = Simulator::new(&ts, |_| 0);
        simulator.evaluate(|_| 0);
        simulator.is_true(sum.when).then(|| simulator.value(sum.amount))
    }
}

/// The point behind the creation of the second thread.
const NEXT: usize = 1;

#[test]
fn what_is_added_may_be_another_variable() {
    let mut p = Two::new();
    let spec = p.change(Op2::Add, p.y);
    p.b.next(p.first, spec);
    let sums = p.encoded();
    assert_eq!([0, 1, 3].map(|y| sums.added(NEXT, y)), [Some(0), Some(1), Some(3)]);
}

#[test]
fn what_is_taken_away_is_added_as_its_negative() {
    let mut p = Two::new();
    let spec = p.change(Op2::Sub, p.y);
    p.b.next(p.first, spec);
    let sums = p.encoded();
    assert_eq!([0, 1, 3].map(|y| sums.added(NEXT, y)), [Some(0), Some(3), Some(1)]);
}

/// y - x reads x with the other sign.
#[test]
fn what_a_variable_is_taken_from_is_no_sum() {
    let mut p = Two::new();
    let (x, y) = (p.b.var(p.x), p.b.var(p.y));
    let value = p.b.pool().op2(Op2::Sub, y, x);
    p.b.next(p.first, EdgeSpec::new("x = y - x").set(p.x, value).atomic_access());
    assert_eq!(p.encoded().added(NEXT, 1), None);
}

#[test]
fn a_variable_added_to_itself_is_no_sum() {
    let mut p = Two::new();
    let spec = p.change(Op2::Add, p.x);
    p.b.next(p.first, spec);
    assert_eq!(p.encoded().added(NEXT, 0), None);
    // Nor are some of its bits, which no rule makes another operation of.
    let mut p = Two::new();
    let (x, y) = (p.b.var(p.x), p.b.var(p.y));
    let some = p.b.pool().op2(Op2::And, x, y);
    let value = p.b.pool().op2(Op2::Add, x, some);
    p.b.next(p.first, EdgeSpec::new("x += x & y").set(p.x, value).atomic_access());
    assert_eq!(p.encoded().added(NEXT, 1), None);
}

/// Whoever keeps the old value sees who came first.
#[test]
fn a_sum_whose_old_value_is_kept_is_none() {
    for kept in ["in a shared variable", "in a local one", "in where the thread is"] {
        let mut p = Two::new();
        let old = p.b.var(p.x);
        let local = p.b.local(p.first, "l", 2, 0);
        let one = p.b.value_for(p.x, 1);
        let more = p.b.pool().op2(Op2::Add, old, one);
        let spec = EdgeSpec::new("x++").set(p.x, more).atomic_access();
        match kept {
            "in a shared variable" => {
                p.b.next(p.first, spec.set(p.y, old));
            }
            "in a local one" => {
                p.b.next(p.first, spec.set(local, old));
                let local = p.b.var(local);
                p.b.next(p.first, EdgeSpec::new("y = l").set(p.y, local).atomic_access());
            }
            _ => {
                let is = p.b.has_value(p.x, 0);
                let not = p.b.pool().not(is);
                let from = p.b.at(p.first);
                let other = p.b.fresh(p.first);
                p.b.next(p.first, spec.clone().guard(is));
                let one = p.b.value_for(p.y, 1);
                p.b.set(p.first, p.y, one);
                p.b.jump(p.first, other);
                p.b.add(p.first, from, other, spec.guard(not));
                p.b.go(p.first, other);
            }
        }
        assert_eq!(p.encoded().added(NEXT, 0), None, "{kept}");
    }
}

/// The lowest bit of x, extended, is not x and nothing added.
#[test]
fn a_part_of_a_variable_is_no_sum() {
    for signed in [false, true] {
        let mut p = Two::new();
        let x = p.b.var(p.x);
        let bit = p.b.pool().extract(x, 0, 1);
        let bit = p.b.pool().resize(bit, 2, signed);
        p.b.next(p.first, EdgeSpec::new("x = (bit) x").set(p.x, bit).atomic_access());
        assert_eq!(p.encoded().added(NEXT, 0), None, "signed: {signed}");
    }
}

/// Each point of a thread has its own amount.
#[test]
fn each_step_adds_its_own() {
    let mut p = Two::new();
    for amount in [1, 2] {
        let more = p.b.plus(p.x, amount);
        p.b.next(p.first, EdgeSpec::new("x += amount").set(p.x, more).atomic_access());
    }
    let sums = p.encoded();
    assert_eq!([NEXT, NEXT + 1].map(|k| sums.added(k, 0)), [Some(1), Some(2)]);
}
