//! Which reduction is used for what.

use crate::base::HashSet;
use crate::expr::ExprId;
use crate::program::{
    AccessKind, Lifetime, LocId, LocKind, Place, Program, Role, Sync, Thread, VarId, accesses,
    candidates, is_shared,
};
use crate::property::{Fairness, Ltl, PropertyKind, Question};
use crate::sched::Reduction;

use super::error::DriverError;
use super::part::Part;

/// The reduction that was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReductionChoice {
    /// The one that measured best for the properties and the engine (`docs/reduction.md`).
    #[default]
    Auto,
    /// This one.
    Fixed(Reduction),
}

impl ReductionChoice {
    /// The choice with this name: `auto`, or that of a reduction.
    ///
    /// # Errors
    /// A message that lists the names, if there is none.
    pub fn parse(name: &str) -> Result<Self, DriverError> {
        if name == "auto" {
            return Ok(Self::Auto);
        }
        Reduction::parse(name).map(Self::Fixed).ok_or_else(|| {
            let names: Vec<&str> = Reduction::ALL.iter().map(|r| r.name()).collect();
            DriverError::File(format!(
                "no reduction `{name}`: there are auto, {}",
                names.join(", ")
            ))
        })
    }

    /// The parts of a question with one reduction each: what does not keep a property is turned off
    /// for that property alone. Formulas are in no part; the implicit properties are in each.
    ///
    /// # Errors
    /// If a reduction and a bound on switches of threads are given.
    pub(super) fn split(
        self,
        program: &Program,
        question: &Question,
        engine: &str,
        context_bound: Option<u32>,
    ) -> Result<Vec<Part>, DriverError> {
        let one_by_one = engine == "ic3" && !has_many_with_locks(program);
        let candidates = self.candidates(one_by_one, context_bound)?;
        let mut groups: Vec<Vec<PropertyKind>> = vec![vec![]; 3 * candidates.len()];
        let is_formula = |p: &PropertyKind| {
            question.targets.iter().any(|t| t.property == *p && t.kind.is_formula())
        };
        for p in question.properties.iter().filter(|p| !p.is_implicit() && !is_formula(p)) {
            let own = candidates.iter().position(|r| keeps(*r, p)).expect("none keeps all");
            // Where these make transactions stop, others need not wait for them, nor one for the
            // other: to a deadlock, data does not matter that threads race for.
            let apart = match p {
                PropertyKind::Race if candidates[own].has_transactions() => 1,
                PropertyKind::Deadlock if candidates[own].has_transactions() => 2,
                _ => 0,
            };
            groups[3 * own + apart].push(p.clone());
        }
        groups.retain(|g| !g.is_empty());
        if groups.is_empty() {
            groups.push(vec![]);
        }
        let part = |own: Vec<PropertyKind>| {
            let (reduction, reduction_off) = self.weakest(&candidates, &own);
            let is_in = |p: &PropertyKind| p.is_implicit() || own.contains(p);
            let properties = question.properties.iter().filter(|p| is_in(p)).cloned().collect();
            let all = question.targets.iter().enumerate();
            let (targets, list) =
                all.filter(|(_, t)| is_in(&t.property)).map(|(k, t)| (k, t.clone())).unzip();
            let question = Question { properties, targets: list };
            Part { question, targets, reduction, reduction_off }
        };
        Ok(groups.into_iter().map(part).collect())
    }

    /// The one reduction for all properties of a question, and why it is another one than asked
    /// for, if it is: what does not keep a property is turned off.
    ///
    /// # Errors
    /// If a reduction and a bound on switches of threads are given.
    pub fn resolve(
        self,
        question: &Question,
        context_bound: Option<u32>,
    ) -> Result<(Reduction, Option<String>), DriverError> {
        let candidates = self.candidates(false, context_bound)?;
        Ok(self.weakest(&candidates, &question.properties))
    }

    /// The reduction of a formula's circuit, and why it is not the one that was asked for, if it is
    /// not.
    pub(super) fn for_formula(self, program: &Program, ltl: &Ltl) -> (Reduction, Option<String>) {
        match self {
            Self::Auto => (Reduction::None, None),
            Self::Fixed(reduction) => match keeps_formula(reduction, program, ltl) {
                Ok(()) => (reduction, None),
                Err(why) => (Reduction::None, Some(format!("{reduction} {why}"))),
            },
        }
    }

    /// What to use, best first; of `auto` without parallel steps if threads are to move one by one.
    /// The last one is none, which keeps everything.
    fn candidates(
        self,
        one_by_one: bool,
        context_bound: Option<u32>,
    ) -> Result<Vec<Reduction>, DriverError> {
        let mut list = match self {
            Self::Auto | Self::Fixed(Reduction::None) if context_bound.is_some() => vec![],
            Self::Fixed(reduction) if context_bound.is_some() => {
                return Err(DriverError::File(format!(
                    "--context-bound counts the switches that --reduction {reduction} leaves out: \
                     use one of them"
                )));
            }
            Self::Auto if one_by_one => vec![Reduction::Transactions],
            Self::Auto => vec![Reduction::ParallelTransactions, Reduction::Foata],
            Self::Fixed(Reduction::ParallelTransactions) => {
                vec![Reduction::ParallelTransactions, Reduction::Foata]
            }
            Self::Fixed(Reduction::None) => vec![],
            Self::Fixed(reduction) => vec![reduction],
        };
        list.push(Reduction::None);
        Ok(list)
    }

    /// The best candidate that keeps these properties, and what the best of all does not keep, if
    /// it was asked for.
    fn weakest(
        self,
        candidates: &[Reduction],
        properties: &[PropertyKind],
    ) -> (Reduction, Option<String>) {
        let best = candidates[0];
        let lost: Vec<String> =
            properties.iter().filter(|p| !keeps(best, p)).map(PropertyKind::name).collect();
        let all = |r: &&Reduction| properties.iter().all(|p| keeps(**r, p));
        let used = *candidates.iter().find(all).expect("none keeps all");
        let asked = self != Self::Auto && !lost.is_empty();
        (used, asked.then(|| format!("{best} does not keep {}", lost.join(", "))))
    }
}

/// Whether IC3, too, is faster where threads move in parallel: the orders in which many of them can
/// take locks are more than it learns one by one. With few threads, or without locks, the larger
/// circuit costs more than that saves (the table of `docs/reduction.md`).
fn has_many_with_locks(program: &Program) -> bool {
    const MANY: usize = 5;
    program.threads.len() >= MANY && program.vars.iter().any(|v| v.role == Role::MutexOwner)
}

/// Whether the property is violated under the reduction exactly if it is violated at all.
pub fn keeps(reduction: Reduction, property: &PropertyKind) -> bool {
    match property {
        // Violated by one step of one thread. Who locks again what it has finds that out by its own
        // doing, and then waits as others do.
        PropertyKind::Assert
        | PropertyKind::Undefined
        | PropertyKind::Bound
        | PropertyKind::AtomicBlocked
        | PropertyKind::LockMisuse
        | PropertyKind::Overflow => true,
        // Transactions do not move over what an invariant looks at; parallel steps keep all states.
        PropertyKind::Invariant(_) => true,
        // An invariant, or checked on a circuit of its own that has no reduction.
        PropertyKind::Ltl(..) => true,
        // Parallel steps and peepholes keep all states between steps, in which these are looked
        // for; stubborn sets keep the states without a successor, and both orders of steps that
        // race, but leaks and local deadlocks depend on the end of the process, which is no step to
        // them. Transactions stop where a thread may wait or race, but not where another's wait is
        // hopeless.
        PropertyKind::Race | PropertyKind::Deadlock => true,
        PropertyKind::Memory | PropertyKind::LocalDeadlock => {
            !reduction.has_transactions() && !reduction.is_stubborn()
        }
    }
}

/// Whether some run violates the formula under the reduction exactly if one does at all.
///
/// # Errors
/// If it is not known to be so: why, as what the reduction does.
pub fn keeps_formula(
    reduction: Reduction,
    program: &Program,
    ltl: &Ltl,
) -> Result<(), &'static str> {
    match reduction {
        Reduction::None => Ok(()),
        Reduction::Stubborn | Reduction::LockPatterns if ltl.is_exact() => {
            Err("leaves out states that X, enabled and --fair-locks tell apart")
        }
        // A thread that waits for several variables can have to wait again and again in one order
        // of independent steps, and be able to go on all the time in another one.
        Reduction::Stubborn | Reduction::LockPatterns
            if ltl.fairness != Fairness::None && waits_for_several(program) =>
        {
            Err("keeps fair runs only where each thread waits for one variable at a time")
        }
        Reduction::Stubborn | Reduction::LockPatterns => Ok(()),
        _ => Err("is not proved to keep temporal formulas"),
    }
}

/// Whether whether a thread has to wait depends on more than one shared variable somewhere.
fn waits_for_several(program: &Program) -> bool {
    program.threads.iter().any(|thread| {
        let locs = thread.locations.iter_enumerated();
        let mut waits = locs.filter(|(_, l)| l.blocking && l.kind == LocKind::Running);
        waits.any(|(loc, _)| waited_for(program, thread, loc) > 1)
    })
}

/// The number of shared variables, and addresses of such, by which the guards at a location decide.
/// Those of a join are one: which thread it waits for does not change, and one that has ended stays
/// so.
fn waited_for(program: &Program, thread: &Thread, loc: LocId) -> usize {
    let mut vars: HashSet<VarId> = HashSet::default();
    let mut addresses: HashSet<ExprId> = HashSet::default();
    let joins = thread.edges_from(loc).any(|(_, e)| matches!(e.sync, Sync::Join(_)));
    let joined = |v: VarId| joins && matches!(program.vars[v].role, Role::Status(_));
    let mut ends = false;
    for (_, edge) in thread.edges_from(loc) {
        for access in accesses(program, edge).into_iter().filter(|a| a.kind == AccessKind::Guard) {
            match access.place {
                Place::Var(v) if joined(v) => ends = true,
                Place::Var(v) if is_shared(program, access.place) => {
                    vars.insert(v);
                }
                Place::Var(_) => {}
                Place::Deref(d) => {
                    addresses.insert(edge.derefs[d].addr);
                    let objects = candidates(program, edge, d).into_iter();
                    vars.extend(objects.filter_map(|o| match program.objects[o].lifetime {
                        Lifetime::While(alive) => Some(alive),
                        Lifetime::Static => None,
                    }));
                }
            }
        }
    }
    vars.len() + addresses.len() + usize::from(ends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::build::ProgramBuilder;
    use crate::property::resolve;

    /// The reduction of assertions in a program with so many threads, with a mutex or without.
    fn chosen(threads: usize, mutex: bool, engine: &str) -> Reduction {
        let mut b = ProgramBuilder::new(8);
        if mutex {
            b.mutex("m");
        }
        for k in 0..threads {
            let t = b.thread(&format!("t{k}"));
            b.end(t);
        }
        let program = b.finish();
        let question = resolve(&program, &[PropertyKind::Assert]).expect("resolved");
        let parts = ReductionChoice::Auto.split(&program, &question, engine, None).expect("split");
        parts[0].reduction
    }

    #[test]
    fn ic3_moves_many_threads_with_locks_in_parallel() {
        assert_eq!(chosen(4, true, "ic3"), Reduction::Transactions);
        assert_eq!(chosen(5, true, "ic3"), Reduction::ParallelTransactions);
        assert_eq!(chosen(5, false, "ic3"), Reduction::Transactions);
        assert_eq!(chosen(2, false, "bmc"), Reduction::ParallelTransactions);
    }
}
