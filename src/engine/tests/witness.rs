//! Witness circuits, as files.

use super::reference::{Kind, Sample};
use crate::aig::random::shortest_violations;
use crate::aig::{Aig, Named, Reset, Restore, Roots, cone};
use crate::base::{Budget, Rng};
use crate::engine::audit::{Audit, AuditOptions, audit};
use crate::engine::bmc::Bmc;
use crate::engine::certificate::{Flaw, Unsupported, check, witness_circuit};
use crate::engine::ic3::Ic3;
use crate::engine::kind::{Kind as Induction, KindOptions};
use crate::engine::{Engine, Problem, Silent};
use crate::format::aiger::{self, Encoding, WriteOptions};
use crate::outcome::{Certificate, Verdict};
use crate::sat::Backend;

/// The graph, written to a file and read back.
fn file(aig: &Aig) -> Aig {
    let bytes = aiger::write(aig, WriteOptions::new(Encoding::Binary)).expect("it can be written");
    aiger::read(&bytes).expect("what was written can be read")
}

fn model(problem: &Problem, bad: usize) -> (Aig, Restore) {
    let (model, restore) = cone(problem.aig, Roots::Bad(bad));
    (file(&model), restore)
}

/// What the check says about the claim's witness circuit.
fn claim(
    problem: &Problem,
    bad: usize,
    certificate: &Certificate,
) -> Result<Result<(), Flaw>, Unsupported> {
    let (model, restore) = model(problem, bad);
    let budget = Budget::unlimited();
    let witness = file(&witness_circuit(problem, bad, certificate, &restore, &budget)?);
    Ok(check(&model, &witness, Backend::Batsat, &budget))
}

#[test]
fn proofs_of_all_engines_have_witness_circuits() {
    let without = KindOptions { unique: false, max_depth: Some(6), ..KindOptions::default() };
    // The last number is how many proofs at least need a memory.
    let engines: [(&dyn Engine, Kind, usize); 5] = [
        (&Bmc::default(), Kind::Ending, 10),
        (&Ic3::default(), Kind::Plain, 0),
        (&Ic3::default(), Kind::Moving, 0),
        (&Induction(without.clone()), Kind::Plain, 1),
        (&Induction(KindOptions { relations: None, ..without }), Kind::Moving, 10),
    ];
    for (engine, kind, memories) in engines {
        let mut found = [0; 2];
        for seed in 0..150 {
            let sample = Sample::random(seed, kind);
            let problem = sample.problem();
            let verdicts = engine.run(&problem, &mut Silent, &Budget::unlimited());
            for (bad, verdict) in verdicts.iter().enumerate() {
                let Verdict::Safe(certificate) = verdict else { continue };
                // Nothing is shared by a property that depends on nothing.
                let (model, _) = model(&problem, bad);
                if model.inputs().is_empty() && model.latches().is_empty() {
                    continue;
                }
                let at =
                    format!("{}, {kind:?}, seed {seed}, {bad}: {certificate:?}", engine.name());
                let memory = match certificate {
                    Certificate::KInduction { k, .. } => *k,
                    Certificate::Completeness { depth } => *depth,
                    _ => 0,
                };
                found[usize::from(memory > 0)] += 1;
                assert_eq!(claim(&problem, bad, certificate), Ok(Ok(())), "{at}");
            }
        }
        let enough = found[0] > 10 && found[1] >= memories;
        assert!(enough, "{}, {kind:?}: {found:?}", engine.name());
    }
}

#[test]
fn wrong_claims_have_flaws() {
    let mut found = [0; 3];
    for seed in 0..600 {
        let kind = [Kind::Plain, Kind::Moving, Kind::Ending][seed as usize % 3];
        let sample = Sample::random(seed, kind);
        let problem = Problem { bads: vec![0], ..sample.problem() };
        let (part, _) = model(&problem, 0);
        if part.inputs().is_empty() && part.latches().is_empty() {
            continue;
        }
        let violated = shortest_violations(&sample.aig)[0].is_some();
        let mut rng = Rng::new(seed);
        let latches = sample.aig.latches().len();
        let literal = |rng: &mut Rng| (rng.below(latches), rng.one_in(2));
        let clauses: Vec<Vec<_>> = (0..rng.below(3))
            .map(|_| (0..1 + rng.below(3)).map(|_| literal(&mut rng)).collect())
            .collect();
        for certificate in [
            Certificate::Trivial,
            Certificate::Invariant { clauses: clauses.clone() },
            Certificate::Completeness { depth: rng.below(4) },
            Certificate::KInduction { k: rng.below(3), unique: false, clauses: vec![] },
            Certificate::KInduction { k: rng.below(3), unique: false, clauses },
        ] {
            let at = format!("{kind:?}, seed {seed}: {certificate:?}");
            let checked = claim(&problem, 0, &certificate).expect("it can be written");
            let verdict = [Verdict::Safe(certificate)];
            let audits = audit(&problem, &verdict, &AuditOptions::default(), &Budget::unlimited());
            if violated {
                assert!(checked.is_err(), "{at}");
                found[0] += 1;
            } else if audits[0] == Audit::Confirmed {
                assert_eq!(checked, Ok(()), "{at}");
                found[1] += 1;
            } else {
                found[2] += usize::from(checked.is_err());
            }
        }
    }
    assert!(found.iter().all(|&n| n > 100), "{found:?}");
}

/// A latch that stays false, and a witness that says so.
fn pair() -> (Aig, Aig) {
    let mut model = Aig::new();
    let input = model.input(None);
    let latch = model.latch(Reset::Zero, None);
    let next = model.and(latch, input);
    model.set_next(latch, next);
    model.bads.push(Named { value: latch, name: None });
    let certificate = Certificate::Invariant { clauses: vec![vec![(0, false)]] };
    let problem = Problem::new(&model);
    let (_, restore) = cone(&model, Roots::Bad(0));
    let witness = witness_circuit(&problem, 0, &certificate, &restore, &Budget::unlimited());
    let witness = witness.expect("an invariant has a witness circuit");
    (model.clone(), witness)
}

#[test]
fn each_check_finds_its_flaw() {
    let (model, witness) = pair();
    let check = |model: &Aig, witness: &Aig| {
        check(model, witness, Backend::default(), &Budget::unlimited())
    };
    assert_eq!(check(&model, &witness), Ok(()));
    let latch = |aig: &Aig| crate::aig::Lit::new(aig.latches()[0].var, false);

    let mut strange = Aig::new();
    let free = strange.latch(Reset::One, Some("= 4".into()));
    strange.set_next(free, free);
    strange.bads.push(Named { value: crate::aig::Lit::FALSE, name: None });
    assert_eq!(check(&model, &strange), Err(Flaw::Reset));

    let mut steps = witness.clone();
    let now = latch(&steps);
    steps.set_next(now, now);
    assert_eq!(check(&model, &steps), Err(Flaw::Transition));

    let mut weak = witness.clone();
    weak.bads[0].value = crate::aig::Lit::FALSE;
    assert_eq!(check(&model, &weak), Err(Flaw::Property));

    let mut never = witness.clone();
    never.bads[0].value = crate::aig::Lit::TRUE;
    assert_eq!(check(&model, &never), Err(Flaw::Base));

    let mut model_changes = model.clone();
    let (now, input) = (latch(&model), crate::aig::Lit::new(model.inputs()[0].var, false));
    model_changes.set_next(now, input);
    let mut witness_changes = witness.clone();
    let (now, input) = (latch(&witness), crate::aig::Lit::new(witness.inputs()[0].var, false));
    witness_changes.set_next(now, input);
    assert_eq!(check(&model_changes, &witness_changes), Err(Flaw::Step));

    let named = |name: &str| {
        let mut aig = Aig::new();
        aig.input(Some(name.into()));
        aig.bads.push(Named { value: crate::aig::Lit::FALSE, name: None });
        aig
    };
    assert_eq!(check(&model, &named("x")), Err(Flaw::NothingShared));
    for name in ["= 3", "= 6", "= 1000000", "=", "= -2"] {
        assert!(matches!(check(&model, &named(name)), Err(Flaw::Symbol(_))), "{name}");
    }
    let mut empty = witness;
    empty.bads.clear();
    assert_eq!(check(&model, &empty), Err(Flaw::NoProperty));
}

#[test]
fn simple_paths_have_no_witness_circuit() {
    let (model, _) = pair();
    let problem = Problem::new(&model);
    let certificate = Certificate::KInduction { k: 1, unique: true, clauses: vec![] };
    assert_eq!(claim(&problem, 0, &certificate), Err(Unsupported::SimplePaths));
}
