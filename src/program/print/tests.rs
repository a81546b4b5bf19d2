use super::print;
use crate::expr::Op2;
use crate::program::build::{EdgeSpec, ProgramBuilder};
use crate::program::validate;

/// Two threads, an object with a lifetime, a mutex, a choice and an assertion.
#[test]
fn golden() {
    let mut b = ProgramBuilder::new(4);
    let main = b.thread("main");
    let worker = b.thread("worker");
    let m = b.mutex("m");
    let (object, leaves) = b.object("a", 64, 4, &[(0, 8, 7), (2, 16, 0)]);
    let alive = b.lifetime(object, true);
    let n = b.input("n", 2);
    let i = b.local(main, "i", 32, 0);

    let choice = b.program().input(n);
    let wide = b.pool().zero_extend(choice, 32);
    b.set(main, i, wide);
    b.create(main, worker);
    b.lock(main, m);
    let base = b.program().address(object);
    let index = b.var(i);
    let addr = b.pool().op2(Op2::Add, base, index);
    let mut store = EdgeSpec::new("a[i] = -(i + 1)");
    let d = store.deref(addr, 1, Some(&[object]));
    let valid = b.valid(d);
    let next = b.plus(i, 1);
    let low = b.pool().extract(next, 0, 8);
    let value = b.pool().op1(crate::expr::Op1::Neg, low);
    b.next(main, store.guard(valid).store(d, value).set(i, next));
    b.unlock(main, m);
    b.join(main, worker);
    let zero = b.has_value(i, 0);
    let not = b.pool().not(zero);
    b.assert(main, not, "i != 0");
    b.end_process(main);

    let dead = b.value_for(alive, 0);
    b.next(worker, EdgeSpec::new("free").set(alive, dead).atomic_access());
    let one = b.value_for(leaves[1], 1);
    b.set(worker, leaves[1], one);
    b.end(worker);

    let program = b.finish();
    // The store's guard has no counterpart for an invalid dereference: only the interpreter sees.
    assert_eq!(validate(&program), Ok(()));
    assert_eq!(print(&program), include_str!("golden.txt"));
}
