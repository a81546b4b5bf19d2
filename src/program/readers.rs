//! Who holds read-write locks for reading.
//!
//! A lock counts its readers, and that is all that running a program takes. Who they are is added
//! for the properties that ask who waits for whom.

use crate::expr::{Op2, mask};

use super::accesses::whole;
use super::types::{
    Assign, Edge, EdgeId, ProgExpr, Program, Role, Scope, Sync, Target, ThreadId, VarId, Variable,
};

/// Adds variables with [`Role::ReadHolds`] to a program whose dereferences are resolved: one for
/// each lock and thread that may read it. They change nothing that the program does.
///
/// A thread that gives back what it does not hold leaves them as they are; other library functions
/// that write the number of readers (the lock's initialisation) set them to 0.
pub fn remember_readers(program: &mut Program) {
    let mut added: Vec<(ThreadId, EdgeId, Assign)> = vec![];
    for lock in readers(program) {
        for reader in program.threads.ids().collect::<Vec<_>>() {
            let reads = program.threads[reader]
                .edges
                .iter()
                .any(|edge| edge.sync == Sync::ReadLock && !writes(program, edge, lock).is_empty());
            if reads {
                let holds = variable(program, lock, reader);
                note(program, lock, reader, holds, &mut added);
            }
        }
    }
    for (t, e, assign) in added {
        program.threads[t].edges[e].assigns.push(assign);
    }
}

/// The variables that say who holds a lock for reading: the lock's number of readers, the thread,
/// the variable.
pub fn read_holds(program: &Program) -> impl Iterator<Item = (VarId, ThreadId, VarId)> + '_ {
    program.vars.iter_enumerated().filter_map(|(v, var)| match var.role {
        Role::ReadHolds { lock, thread } => Some((lock, thread, v)),
        _ => None,
    })
}

/// The numbers of readers.
fn readers(program: &Program) -> Vec<VarId> {
    let list = program.vars.iter_enumerated();
    list.filter(|(_, var)| var.role == Role::Readers).map(|(v, _)| v).collect()
}

fn variable(program: &mut Program, lock: VarId, thread: ThreadId) -> VarId {
    let readers = &program.vars[lock];
    let variable = Variable {
        name: format!("{}.{}", readers.name, program.threads[thread].name),
        width: readers.width,
        signed: false,
        scope: Scope::Shared,
        role: Role::ReadHolds { lock, thread },
        init: 0,
        object: None,
        span: readers.span,
    };
    program.vars.push(variable)
}

/// How the edge's assignments may write the number of readers: address and that of the number, `None`
/// where it is named directly. A plain store is no operation of the lock, wherever it may lead.
fn writes(program: &Program, edge: &Edge, lock: VarId) -> Vec<Option<(ProgExpr, u64)>> {
    if !edge.atomic_access {
        return vec![];
    }
    let one = |a: &Assign| match a.target {
        Target::Var(v) => (v == lock).then_some(None),
        Target::Deref(d) => {
            let at = whole(program, edge, d).find(|w| w.1 == lock)?.0;
            Some(Some((edge.derefs[d].addr, at)))
        }
    };
    edge.assigns.iter().filter_map(one).collect()
}

/// What the edges of all threads do to one of the variables.
fn note(
    program: &mut Program,
    lock: VarId,
    reader: ThreadId,
    holds: VarId,
    added: &mut Vec<(ThreadId, EdgeId, Assign)>,
) {
    let width = program.vars[holds].width;
    for t in program.threads.ids().collect::<Vec<_>>() {
        for e in program.threads[t].edges.ids().collect::<Vec<_>>() {
            let edge = &program.threads[t].edges[e];
            let (sync, written) = (edge.sync, writes(program, edge, lock));
            if written.is_empty() {
                continue;
            }
            let now = program.var(holds);
            let pool = &mut program.pool;
            let zero = pool.constant(0, width);
            let value = match sync {
                Sync::ReadLock | Sync::ReadUnlock if t != reader => continue,
                Sync::ReadLock => {
                    let one = pool.constant(1, width);
                    pool.op2(Op2::Add, now, one)
                }
                Sync::ReadUnlock => {
                    let minus = pool.constant(mask(width), width);
                    let (less, some) = (pool.op2(Op2::Add, now, minus), pool.is_nonzero(now));
                    pool.ite(some, less, zero)
                }
                _ => zero,
            };
            let mut here = pool.bool(false);
            for condition in written {
                let hit = match condition {
                    None => pool.bool(true),
                    Some((addr, at)) => {
                        let at = pool.constant(u128::from(at), pool.width(addr));
                        pool.eq(addr, at)
                    }
                };
                here = pool.or(here, hit);
            }
            let value = pool.ite(here, value, now);
            added.push((t, e, Assign { target: Target::Var(holds), value }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Id;
    use crate::program::build::{EdgeSpec, ProgramBuilder};
    use crate::program::standstill::{Local, Standstill};
    use crate::program::{Machine, State, Status, validate};

    /// Two locks, and a thread that takes one for reading and then the other one for writing, with
    /// the locks the other way round in the second thread.
    fn program() -> Program {
        let mut b = ProgramBuilder::new(4);
        let threads = [b.thread("main"), b.thread("other")];
        let status = b.program().threads[threads[1]].status;
        b.program().vars[status].init = Status::RUNNING;
        let locks = ["a", "b"].map(|name| {
            let (owner, readers) = (b.mutex(name), b.shared(&format!("{name}.readers"), 2, 0));
            b.program().vars[readers].role = Role::Readers;
            (owner, readers)
        });
        for (k, &t) in threads.iter().enumerate() {
            let ((owner, readers), (other, others)) = (locks[k], locks[1 - k]);
            let (free, more) = (b.has_value(owner, 0), b.plus(readers, 1));
            let spec = EdgeSpec::new("rdlock").guard(free).set(readers, more);
            b.wait(t, spec.sync(Sync::ReadLock).atomic_access());
            let (free, none, mine) = (b.has_value(other, 0), b.has_value(others, 0), b.owner(t));
            let both = b.pool().and(free, none);
            let spec = EdgeSpec::new("wrlock").guard(both).set(other, mine);
            b.wait(t, spec.sync(Sync::Lock).atomic_access());
            let less = b.plus(readers, 3);
            let spec = EdgeSpec::new("unlock").set(readers, less).sync(Sync::ReadUnlock);
            b.next(t, spec.atomic_access());
            b.end(t);
        }
        b.finish()
    }

    /// The state behind these steps of these threads.
    fn run(program: &Program, threads: &[usize]) -> State {
        let machine = Machine::new(program);
        let mut state = machine.initial();
        for &t in threads {
            machine.step(&mut state, ThreadId::new(t), &mut |_| 0).expect("it can move");
        }
        state
    }

    #[test]
    fn who_reads_is_remembered_until_it_is_given_back() {
        let mut p = program();
        remember_readers(&mut p);
        validate(&p).unwrap();
        let holds: Vec<(VarId, ThreadId, VarId)> = read_holds(&p).collect();
        assert_eq!(holds.len(), 2, "each thread reads one of the locks");
        let counts = |s: &State| -> Vec<u128> { holds.iter().map(|h| s.value(h.2)).collect() };
        assert_eq!(counts(&run(&p, &[])), [0, 0]);
        assert_eq!(counts(&run(&p, &[0])), [1, 0]);
        assert_eq!(counts(&run(&p, &[0, 0])), [1, 0]);
        assert_eq!(counts(&run(&p, &[0, 0, 0])), [0, 0]);
    }

    #[test]
    fn who_writes_waits_for_all_who_read() {
        let mut p = program();
        let cycle = |p: &Program, threads: &[usize]| {
            let found = Standstill::new(p);
            found.threads(&Machine::new(p), &run(p, threads), Local::Cycle).unwrap()
        };
        assert_eq!(cycle(&p, &[0, 1, 1]), [], "a program that remembers nothing");
        remember_readers(&mut p);
        assert_eq!(cycle(&p, &[0, 1, 1]), [ThreadId::new(0), ThreadId::new(1)]);
        assert_eq!(cycle(&p, &[0]), []);
    }
}
