//! Tests of `solve` on random models against full enumeration.

mod lasso;

use std::path::{Path, PathBuf};

use crate::aig::random::{ALL_RESETS, RandomOptions, random_aig, shortest_violations};
use crate::aig::{Aig, Reset};
use crate::base::{Budget, Rng};
use crate::bitblast::bitblast;
use crate::engine::Silent;
use crate::engine::ic3::Ic3;
use crate::format::{aiger, btor2, witness};
use crate::report::{SolveReport, SolvedVerdict};
use crate::ts::random::{RandomOptions as TsOptions, random_system};

use super::{DriverError, SolveOptions, solve};

fn run(options: &SolveOptions) -> Result<SolveReport, DriverError> {
    solve(options, &Ic3::default(), &mut Silent, &Budget::unlimited())
}

/// Compares the report with the shortest violations; all traces were simulated already.
fn agree(report: &SolveReport, aig: &Aig, what: &str) -> usize {
    let expected = shortest_violations(aig);
    assert_eq!(report.properties.len(), expected.len(), "{what}");
    for (property, depth) in report.properties.iter().zip(&expected) {
        match (&property.verdict, depth) {
            (SolvedVerdict::Safe(evidence), None) => {
                assert_ne!(evidence.audited(), Some(false), "{what}");
            }
            (SolvedVerdict::Unsafe(trace), Some(depth)) => {
                assert!(trace.inputs.len() > *depth, "{what}");
            }
            other => panic!("{what}: {} is {other:?}", property.label),
        }
    }
    expected.iter().flatten().count()
}

fn write(path: &Path, bytes: impl AsRef<[u8]>) -> PathBuf {
    std::fs::write(path, bytes).unwrap();
    path.to_path_buf()
}

#[test]
fn random_aiger_models() {
    let dir = tempfile::tempdir().unwrap();
    let mut violated = 0;
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let old = seed % 3 == 0;
        let resets: &[Reset] = if old { &[Reset::Zero, Reset::One] } else { &ALL_RESETS };
        let options = RandomOptions {
            bads: 1 + rng.below(3),
            constraints: if old { 0 } else { rng.below(2) },
            resets,
            names: rng.one_in(2),
            ..RandomOptions::tiny()
        };
        let aig = random_aig(&mut rng, &options);
        let encoding = if rng.one_in(2) { aiger::Encoding::Ascii } else { aiger::Encoding::Binary };
        let form = aiger::WriteOptions { encoding, outputs_as_bad: old };
        let name = if encoding == aiger::Encoding::Ascii { "m.aag" } else { "m.aig" };
        let options = SolveOptions {
            model: write(&dir.path().join(name), aiger::write(&aig, form).unwrap()),
            witness: Some(dir.path().join("w")),
            vcd: Some(dir.path().join("v")),
        };
        let _ = std::fs::remove_file(dir.path().join("w"));
        let report = run(&options).unwrap();
        let found = agree(&report, &aig, &format!("seed {seed}"));
        violated += found;
        let text = std::fs::read(dir.path().join("w"));
        assert_eq!(text.is_ok(), found > 0, "seed {seed}");
        if let Ok(text) = text {
            let first = report.properties.iter().find_map(|p| match &p.verdict {
                SolvedVerdict::Unsafe(trace) => Some(trace.clone()),
                _ => None,
            });
            let expected = witness::Witness::Violated(first.unwrap());
            assert_eq!(witness::read(&text, &aig, 0), Ok(expected), "seed {seed}");
        }
    }
    assert!(violated > 30, "{violated} violated");
}

/// A bit that follows an input, a counter of two bits that stops, and a bit that nothing looks at
/// and that has another period than the loops.
const LIVE: &str = "1 sort bitvec 1\n2 sort bitvec 2\n3 input 1 x\n4 state 1 bit\n5 next 1 4 3\n\
    6 zero 2\n7 state 2 count\n8 init 2 7 6\n9 ones 2\n10 eq 1 7 9\n11 inc 2 7\n12 ite 2 10 7 11\n\
    13 next 2 7 12\n14 state 2 other\n15 init 2 14 6\n16 inc 2 14\n17 next 2 14 16\n\
    18 justice 2 4 -4 toggles\n19 justice 1 -10 counts\n20 justice 1 10\n21 bad 10 full\n";

#[test]
fn justice_is_decided() {
    let dir = tempfile::tempdir().unwrap();
    let check = |text: &str| {
        let model = write(&dir.path().join("m.btor2"), text);
        let witness = dir.path().join("w");
        let options = SolveOptions { model, witness: Some(witness.clone()), vcd: None };
        (run(&options).unwrap(), std::fs::read(witness))
    };
    let (report, _) = check(LIVE);
    let shown: Vec<&str> = report
        .properties
        .iter()
        .map(|p| match &p.verdict {
            SolvedVerdict::Safe(_) => "safe",
            SolvedVerdict::Unsafe(_) => "trace",
            SolvedVerdict::Lasso(_) => "lasso",
            SolvedVerdict::Unknown { why, .. } => why,
        })
        .collect();
    assert_eq!(shown, ["trace", "lasso", "safe", "lasso"]);
    let labels: Vec<&str> = report.properties.iter().map(|p| p.label.as_str()).collect();
    assert_eq!(labels, ["b0", "j0", "j1", "j2"]);
    assert_eq!(report.exit_code(), 10);
    // Without the bad the witness is about justice, and comes back to a state in all latches.
    let text = LIVE.replace("21 bad 10 full\n", "");
    let (_, witness) = check(&text);
    let btor2::Model { ts, layout } = btor2::read(text.as_bytes()).unwrap();
    let found = btor2::read_witness(&witness.unwrap(), &ts, &layout).unwrap();
    assert_eq!(found.properties, [btor2::Property::Justice(0)]);
    let mut states = vec![];
    let mut last = found.run.clone();
    last.inputs.push(last.inputs[0].clone());
    last.frames(&ts, |frame| states.push(frame.states().clone()));
    let end = states.pop().unwrap();
    assert!(states.contains(&end), "{states:?} do not lead back to {end:?}");
    // A constraint that rules out all infinite runs.
    let (report, _) = check(&(LIVE.to_string() + "22 constraint -10\n"));
    let safe = |p: &crate::report::SolvedProperty| matches!(p.verdict, SolvedVerdict::Safe(_));
    assert!(report.properties.iter().all(safe), "{report:?}");
    assert_eq!(report.exit_code(), 0);
}

#[test]
fn random_btor2_models() {
    let dir = tempfile::tempdir().unwrap();
    let mut violated = 0;
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let options = TsOptions {
            bads: 1 + rng.below(2),
            constraints: rng.below(2),
            free: rng.one_in(2),
            ..TsOptions::tiny()
        };
        let ts = random_system(&mut rng, &options);
        let (aig, _) = bitblast(&ts, &Budget::unlimited()).unwrap();
        let options = SolveOptions {
            model: write(&dir.path().join("m.btor2"), btor2::write(&ts)),
            witness: Some(dir.path().join("w")),
            vcd: None,
        };
        let report = run(&options).unwrap();
        let found = agree(&report, &aig, &format!("seed {seed}"));
        violated += found;
        if found > 0 {
            let text = std::fs::read(dir.path().join("w")).unwrap();
            let found = btor2::read_witness(&text, &ts, &btor2::Layout::of(&ts)).unwrap();
            let [btor2::Property::Bad(bad)] = found.properties[..] else { panic!("{found:?}") };
            assert!(found.run.violates(&ts, bad), "seed {seed}");
        }
    }
    assert!(violated > 20, "{violated} violated");
}
