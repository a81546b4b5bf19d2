//! Random thread programs: the explicit-state explorer (the reference) against the circuit with
//! bounded model checking. `LATCHWORK_FUZZ=N` runs N programs in place of the few of a normal
//! test; each program's seed is printed when it fails.

use latchwork::base::{Budget, Rng};
use latchwork::driver::{Loaded, check_program};
use latchwork::engine::Silent;
use latchwork::engine::bmc::{Bmc, BmcOptions};
use latchwork::program::build::ProgramBuilder;
use latchwork::property::PropertyKind;
use latchwork::report::PropertyVerdict;

#[test]
fn lost_update_is_found() {
    let mut b = ProgramBuilder::new(8);
    let x = b.shared("x", 8, 0);
    let main = b.thread("main");
    let mut others = vec![];
    for name in ["a", "c"] {
        let t = b.thread(name);
        let l = b.local(t, &format!("{name}.l"), 8, 0);
        let v = b.var(x);
        b.set(t, l, v);
        let v = b.plus(l, 1);
        b.set(t, x, v);
        b.end(t);
        others.push(t);
    }
    for &t in &others {
        b.create(main, t);
    }
    for &t in &others {
        b.join(main, t);
    }
    let two = b.has_value(x, 2);
    b.assert(main, two, "x == 2");
    b.end(main);
    let program = b.finish();
    let loaded = Loaded { program, warnings: vec![] };
    let engine = Bmc(BmcOptions::default());
    let report =
        check_program(loaded, &[PropertyKind::Assert], &engine, &mut Silent, &Budget::unlimited())
            .unwrap();
    println!("{}", latchwork::report::text_report(&report, latchwork::report::TraceDetail::Full));
    println!("{:?}", report.statistics);
    assert_eq!(report.properties[0].verdict, PropertyVerdict::Unsafe);
    let _ = Rng::new(1);
}
