//! Assertions and other sites, and invariants.

use crate::base::HashMap;
use crate::encode::Encoding;
use crate::program::Program;
use crate::property::{Atom, Invariant, Question, Target, TargetKind};
use crate::sched::Scheduled;
use crate::ts::{TsExpr, TsNamed};

/// A bad signal of the transition system and the target that it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadSignal {
    /// Position in `Question::targets`.
    pub target: usize,
    /// Position in `TransitionSystem::bads`.
    pub bad: usize,
}

/// Adds a bad signal for each target that is not trivially unreachable. Targets without a signal
/// can never be violated.
///
/// A site is violated in the frame in which a thread moves over its edge. An invariant is looked
/// at in each state in which no thread is inside an atomic section.
pub fn instrument(
    program: &Program,
    question: &Question,
    encoding: &mut Encoding,
    scheduled: &Scheduled,
) -> Vec<BadSignal> {
    let mut signals = vec![];
    for (k, target) in question.targets.iter().enumerate() {
        let bad = match &target.kind {
            TargetKind::Sites(sites) => {
                let ts = &mut encoding.ts;
                let none = ts.pool.bool(false);
                let list = sites.iter().filter_map(|s| scheduled.sites.get(s));
                list.fold(none, |a, &b| ts.pool.or(a, b))
            }
            TargetKind::Invariant(invariant) => violated(program, invariant, encoding),
        };
        if !encoding.ts.pool.is_false(bad) {
            signals.push(BadSignal { target: k, bad: encoding.ts.bads.len() });
            encoding.ts.bads.push(TsNamed { name: symbol(program, target), value: bad });
        }
    }
    signals
}

/// The signal's symbol: property and place.
fn symbol(program: &Program, target: &Target) -> String {
    let name = target.property.name();
    match target.span {
        Some(span) => format!("{name}@{}", program.sources.show(span)),
        None => name,
    }
}

fn violated(program: &Program, invariant: &Invariant, encoding: &mut Encoding) -> TsExpr {
    let Encoding { ts, states, points, threads, .. } = encoding;
    let mut leaves: HashMap<Atom, TsExpr> = HashMap::default();
    let mut atoms = vec![];
    invariant.pool.for_each_leaf(invariant.condition, |atom, _| atoms.push(atom));
    for atom in atoms {
        let value = match atom {
            Atom::Var(v) => states.current(program, ts, v),
            Atom::At(t, loc) => match (points[t].index(loc), threads[t].pc) {
                (None, _) => ts.pool.bool(false),
                (Some(_), None) => ts.pool.bool(true),
                (Some(k), Some(pc)) => {
                    let leaf = ts.states[pc].expr;
                    let index = ts.pool.constant(u128::from(k), points[t].width());
                    ts.pool.eq(leaf, index)
                }
            },
        };
        leaves.insert(atom, value);
    }
    let condition = invariant.pool.translate(
        invariant.condition,
        &mut ts.pool,
        &mut |_, atom, _| leaves[&atom],
        &mut HashMap::default(),
    );
    let mut bad = ts.pool.not(condition);
    for step in threads.iter() {
        let outside = ts.pool.not(step.in_atomic);
        bad = ts.pool.and(bad, outside);
    }
    bad
}
