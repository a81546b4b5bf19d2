//! Tests of `solve` on random models against full enumeration.

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
