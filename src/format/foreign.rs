//! What ABC makes of written graphs, and what the reader of its counterexamples makes of those.

use std::path::Path;
use std::process::Command;

use super::aiger::{self, Encoding, WriteOptions};
use super::witness::{Witness, read, read_abc, write};
use crate::aig::random::{RandomOptions, random_aig, shortest_violations};
use crate::aig::{Aig, run};
use crate::base::Rng;
use crate::outcome::Trace;

/// ABC's output on a script, `None` (and a message) if there is no ABC.
fn abc(script: &str) -> Option<String> {
    match Command::new("berkeley-abc").args(["-q", script]).output() {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(_) => {
            println!("skipped: berkeley-abc not found");
            None
        }
    }
}

/// The number that follows `key` and blanks.
fn number_after(text: &str, key: &str) -> Option<usize> {
    let rest = text.split_once(key)?.1.trim_start();
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn violates(aig: &Aig, trace: &Trace) -> bool {
    let frames = run(aig, &trace.initial, &trace.inputs);
    aig.bad_reset(&trace.initial).is_none()
        && frames.iter().all(|f| f.legal())
        && frames.last().is_some_and(|f| f.bads[trace.bad])
}

/// Runs ABC's bounded model checker on a written graph and compares with full enumeration.
fn compare(aig: &Aig, options: WriteOptions, passes: &str, dir: &Path, what: &str) -> Option<bool> {
    let (model, cex) = (dir.join("model.aig"), dir.join("cex.txt"));
    std::fs::write(&model, aiger::write(aig, options).unwrap()).unwrap();
    let _ = std::fs::remove_file(&cex);
    let output = abc(&format!(
        "read_aiger {}; print_stats; {passes}; bmc3 -F 64; print_status; write_cex -a {}",
        model.display(),
        cex.display()
    ))?;
    let has = |key| number_after(&output, key);
    assert_eq!(has("i/o ="), Some(aig.inputs().len()), "{what}: {output}");
    assert_eq!(has("lat ="), Some(aig.latches().len()), "{what}: {output}");
    let Some(depth) = shortest_violations(aig)[0] else {
        assert!(!output.contains("Status = 0"), "{what}: {output}");
        return Some(false);
    };
    assert!(output.contains("Status = 0"), "{what}: {output}");
    let text = std::fs::read(&cex).unwrap();
    let trace = read_abc(&text, aig, 0).unwrap();
    assert_eq!(trace.inputs.len(), depth + 1, "{what}");
    assert!(violates(aig, &trace), "{what}: {trace:?}");
    let witness = Witness::Violated(trace);
    assert_eq!(read(&text, aig, 0).as_ref(), Ok(&witness), "{what}: detection");
    assert_eq!(read(write(&witness).as_bytes(), aig, 0), Ok(witness), "{what}");
    Some(true)
}

#[test]
fn abc_agrees_on_plain_outputs_and_its_witnesses_hold() {
    let dir = tempfile::tempdir().unwrap();
    let mut violated = 0;
    for seed in 0..20 {
        let aig = random_aig(&mut Rng::new(seed), &RandomOptions::tiny());
        let options = WriteOptions { encoding: Encoding::Binary, outputs_as_bad: true };
        let what = format!("seed {seed}");
        let Some(found) = compare(&aig, options, "strash", dir.path(), &what) else { return };
        violated += usize::from(found);
    }
    assert!((5..20).contains(&violated), "{violated} of 20 violated");
}

#[test]
fn abc_agrees_on_bads_and_constraints() {
    let dir = tempfile::tempdir().unwrap();
    let graph = RandomOptions { constraints: 2, names: true, ..RandomOptions::tiny() };
    let mut violated = 0;
    for seed in 0..15 {
        let aig = random_aig(&mut Rng::new(seed), &graph);
        let options = WriteOptions::new(Encoding::Binary);
        let what = format!("seed {seed}");
        let passes = "strash; fold; strash";
        let Some(found) = compare(&aig, options, passes, dir.path(), &what) else { return };
        violated += usize::from(found);
    }
    assert!((2..15).contains(&violated), "{violated} of 15 violated");
}
