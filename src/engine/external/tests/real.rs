use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::super::{Method, ToolKind};
use super::{engine, script, tool};
use crate::aig::random::shortest_violations;
use crate::aig::{Aig, Lit, Named, Reset};
use crate::base::{Budget, Cancel};
use crate::engine::audit::{Audit, AuditOptions, audit};
use crate::engine::external::Tool;
use crate::engine::tests::agreement::{circuits, sample};
use crate::engine::tests::reference::is_run;
use crate::engine::{Engine, Problem, Silent};
use crate::outcome::{Certificate, Reason, Verdict};

#[derive(Debug, Default)]
struct Counts {
    safe: usize,
    violated: usize,
    unknown: usize,
}

/// Compares the method's answers about as many random circuits with full search.
fn compare(tool: &Tool, method: Method, circuits: u64) -> Counts {
    let counts = Mutex::new(Counts::default());
    let next = AtomicU64::new(0);
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= circuits {
                break;
            }
            let found = compare_one(tool, method, seed);
            let mut counts = counts.lock().unwrap();
            counts.safe += found.safe;
            counts.violated += found.violated;
            counts.unknown += found.unknown;
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    counts.into_inner().unwrap()
}

fn compare_one(tool: &Tool, method: Method, seed: u64) -> Counts {
    let sample = sample(2 << 32 | seed, 6);
    let expected = shortest_violations(&sample.aig);
    let mut problem = sample.problem();
    if !method.capabilities().proves_looping {
        // It would look for what is not there until its time is over.
        problem.bads.retain(|&bad| expected[bad].is_some());
    }
    let budget = Budget::new(Some(Duration::from_secs(60)), None, Cancel::new());
    let verdicts = engine(tool, method).run(&problem, &mut Silent, &budget);
    let audits = audit(&problem, &verdicts, &AuditOptions::default(), &Budget::unlimited());
    let mut counts = Counts::default();
    for (k, &bad) in problem.bads.iter().enumerate() {
        let reachable = expected[bad].is_some();
        let at = format!("{} seed {seed}, property {bad}: {:?}", method.name(), verdicts[k]);
        match &verdicts[k] {
            Verdict::Safe(Certificate::Claim) => {
                assert!(!reachable && !method.certifies(), "{at}");
                counts.safe += 1;
            }
            Verdict::Safe(certificate) => {
                assert_eq!(audits[k], Audit::Confirmed, "{at}");
                counts.safe += usize::from(*certificate != Certificate::Trivial);
            }
            Verdict::Unsafe(trace) => {
                assert!(reachable && trace.bad == bad && is_run(&sample.aig, trace), "{at}");
                counts.violated += 1;
            }
            Verdict::Unknown(reason) => {
                println!("{at}: {reason}");
                counts.unknown += 1;
            }
        }
    }
    counts
}

/// The method decides everything, or, if it cannot prove, everything that is violated.
fn decides(method: Method) {
    let Some(tool) = tool(method.tool()) else { return };
    let counts = compare(&tool, method, circuits(100));
    let proves = method.capabilities().proves_looping;
    let wanted = counts.violated > 30 && (counts.safe > 20) == proves && counts.unknown == 0;
    assert!(wanted, "{}: {counts:?}", method.name());
}

#[test]
fn abc_pdr_agrees_with_full_search_and_its_invariants_are_confirmed() {
    decides(Method::AbcPdr);
}

#[test]
fn abc_bmc3_agrees_with_full_search() {
    decides(Method::AbcBmc3);
}

#[test]
fn abc_int_agrees_with_full_search() {
    decides(Method::AbcInt);
}

#[test]
fn nusmv_induction_agrees_with_full_search() {
    decides(Method::NusmvInduction);
}

#[test]
fn ric3_agrees_with_full_search_and_its_certificates_are_confirmed() {
    decides(Method::Ric3);
}

#[test]
fn nusmv_agrees_with_full_search() {
    decides(Method::NusmvBdd);
}

#[test]
fn abc_bmc3_finds_what_there_is() {
    let Some(tool) = tool(ToolKind::Abc) else { return };
    let (mut aig, bits) = counter(5);
    let hit = equals(&mut aig, &bits, 9);
    aig.bads.push(Named { value: hit, name: None });
    let verdicts =
        engine(&tool, Method::AbcBmc3).run(&Problem::new(&aig), &mut Silent, &Budget::unlimited());
    assert!(matches!(&verdicts[0], Verdict::Unsafe(t) if t.inputs.len() == 10), "{verdicts:?}");
}

#[test]
fn proofs_without_evidence_are_claims() {
    let (mut aig, bits) = counter(2);
    // The counter stops at 2.
    let stop = aig.and(bits[1], !bits[0]);
    for &bit in &bits {
        let next = aig.latches()[bits.iter().position(|&b| b == bit).unwrap()].next;
        let next = aig.ite(stop, bit, next);
        aig.set_next(bit, next);
    }
    let hit = aig.and(bits[0], bits[1]);
    aig.bads.push(Named { value: hit, name: None });
    let problem = Problem::new(&aig);
    for method in [Method::AbcInt, Method::NusmvBdd, Method::NusmvInduction] {
        let Some(tool) = tool(method.tool()) else { continue };
        let verdicts = engine(&tool, method).run(&problem, &mut Silent, &Budget::unlimited());
        assert_eq!(verdicts, [Verdict::Safe(Certificate::Claim)], "{}", method.name());
        let audits = audit(&problem, &verdicts, &AuditOptions::default(), &Budget::unlimited());
        assert_eq!(audits, [Audit::NoEvidence]);
    }
}

/// nuXmv cannot be had here: its commands are tested on NuSMV, which knows most of them. What
/// it does not know is translated first.
#[test]
fn nuxmv_is_driven_by_its_documented_commands() {
    let Some(nusmv) = tool(ToolKind::Nusmv) else { return };
    let dir = tempfile::tempdir().unwrap();
    let text = format!(
        "test \"$1\" = -source || exit 9
sed -e s/build_boolean_model/build_model/ -e s/check_invar_ic3/check_invar/ \"$2\" >translated
exec {} -source translated",
        nusmv.path.display()
    );
    let path = script(dir.path(), "nuXmv", &text);
    let nuxmv = Tool { kind: ToolKind::Nuxmv, path };
    for method in [Method::NuxmvIc3, Method::NuxmvBdd] {
        let (mut violated, mut safe) = (0, 0);
        for seed in 0..20 {
            let counts = compare_one(&nuxmv, method, seed);
            assert_eq!(counts.unknown, 0, "{method:?}, seed {seed}");
            violated += counts.violated;
            safe += counts.safe;
        }
        assert!(violated > 2 && safe > 2, "{violated} {safe}");
    }
}

#[test]
fn a_tool_that_is_too_slow_is_stopped_in_time() {
    let Some(tool) = tool(ToolKind::Abc) else { return };
    // Two counters of different lengths meet late: bounded model checking goes on and on.
    let (mut aig, bits) = counter(24);
    let hit = equals(&mut aig, &bits, (1 << 24) - 1);
    aig.bads.push(Named { value: hit, name: None });
    let budget = Budget::new(Some(Duration::from_secs(1)), None, Cancel::new());
    let verdicts = engine(&tool, Method::AbcBmc3).run(&Problem::new(&aig), &mut Silent, &budget);
    assert!(matches!(verdicts[0], Verdict::Unknown(Reason::Stopped { .. })), "{verdicts:?}");
    assert!(budget.elapsed() < Duration::from_secs(20));
}

#[test]
fn versions_are_found() {
    for kind in ToolKind::ALL {
        let Some(tool) = tool(kind) else { continue };
        let version = tool.version(&Budget::unlimited());
        let digits = version.as_ref().is_some_and(|v| v.starts_with(|c: char| c.is_ascii_digit()));
        assert!(digits, "{}: {version:?}", kind.name());
    }
}

/// A counter of `width` bits that counts up in each frame, and its bits.
fn counter(width: usize) -> (Aig, Vec<Lit>) {
    let mut aig = Aig::new();
    let bits: Vec<Lit> = (0..width).map(|_| aig.latch(Reset::Zero, None)).collect();
    let mut carry = Lit::TRUE;
    for &bit in &bits {
        let next = aig.xor(bit, carry);
        carry = aig.and(bit, carry);
        aig.set_next(bit, next);
    }
    (aig, bits)
}

fn equals(aig: &mut Aig, bits: &[Lit], value: usize) -> Lit {
    let lits: Vec<Lit> = bits.iter().enumerate().map(|(k, b)| b.xor(value >> k & 1 == 0)).collect();
    aig.and_all(lits)
}
