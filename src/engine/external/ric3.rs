//! rIC3, in the dialect of its versions 1.3 to 1.5: `rIC3 -e ic3 MODEL FILE` prints one line
//! `RESULT: UNSAT`, `SAT` or `UNKNOWN` with exit code 20, 10 or 30, and writes a certificate or a
//! witness to the file. (Other versions have other options; they end in an error and so in
//! unknown.)
//!
//! Its certificate is a circuit whose bad states contain the model's and are not reachable in one
//! step from outside of them; inputs and latches are tied to the model's by symbols `= LITERAL`.
//! They may depend on inputs, which an invariant over latches may not: so the bad state is kept
//! in a latch `hit` for one frame, and `hit` is what must not be reached. Where `hit` is false
//! the certificate's good states are an invariant of the model itself, as no step from them makes
//! `hit` true.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use super::method::{Claim, Grounds};
use super::process::{End, Finished};
use super::transcript::{Said, complaint, file, statement};
use crate::aig::{Aig, Lit, Named, Reset};
use crate::engine::certificate::copy;
use crate::format::aiger::{Encoding, WriteOptions, read, write};
use crate::format::witness::{Witness, read_aiger};
use crate::outcome::Trace;

/// Names of files.
const MODEL: &str = "model.aag";
const EVIDENCE: &str = "evidence";

/// Writes the model; the arguments.
pub(super) fn prepare(model: &Aig, directory: &Path) -> io::Result<Vec<OsString>> {
    let options = WriteOptions::new(Encoding::Ascii);
    let bytes = write(&with_hit(model), options).map_err(io::Error::other)?;
    std::fs::write(directory.join(MODEL), bytes)?;
    Ok(["-e", "ic3", MODEL, EVIDENCE].map(OsString::from).into())
}

/// The model with the latch `hit`, the last one, which is the new bad.
fn with_hit(model: &Aig) -> Aig {
    let mut aig = model.clone();
    let hit = aig.latch(Reset::Zero, None);
    aig.set_next(hit, model.bads[0].value);
    aig.bads = vec![Named { value: hit, name: None }];
    aig
}

/// What the run claims.
///
/// # Errors
/// Why it claims nothing that makes sense.
pub(super) fn claim(model: &Aig, finished: &Finished, directory: &Path) -> Result<Claim, String> {
    let said = statement(finished, meaning)?;
    let code = match said {
        Said::Safe => 20,
        Said::Unsafe => 10,
        Said::Unknown => 30,
    };
    if finished.end != End::Exit(code) {
        return Err(complaint("abnormal end", finished));
    }
    let evidence = directory.join(EVIDENCE);
    match said {
        Said::Unknown => Ok(Claim::Unknown("undecided".into())),
        Said::Unsafe => {
            let text = file(&evidence, "counterexample", finished)?;
            trace(&text, model)
                .map(Claim::Unsafe)
                .map_err(|e| complaint(&format!("bad counterexample ({e})"), finished))
        }
        Said::Safe => {
            let text = file(&evidence, "certificate", finished)?;
            let certificate = read(text.as_bytes())
                .map_err(|e| complaint(&format!("bad certificate ({e})"), finished))?;
            let grounds = invariant(&certificate, model).map_or(Grounds::None, Grounds::Circuit);
            Ok(Claim::Safe(grounds))
        }
    }
}

fn meaning(line: &str) -> Option<Said> {
    match line.trim().strip_prefix("RESULT: ")? {
        "UNSAT" => Some(Said::Safe),
        "SAT" => Some(Said::Unsafe),
        _ => Some(Said::Unknown),
    }
}

/// The witness without the latch `hit` and the last frame, in which only that is bad.
fn trace(text: &str, model: &Aig) -> Result<Trace, String> {
    match read_aiger(text.as_bytes(), &with_hit(model), 0).map_err(|e| e.to_string())? {
        Witness::Violated(mut trace) => {
            trace.initial.pop();
            trace.inputs.pop();
            Ok(trace)
        }
        _ => Err("it is none of a violation".into()),
    }
}

/// The certificate's good states where `hit` is false, over the model's latches; `None` if they
/// depend on inputs or on latches that are not the model's.
fn invariant(certificate: &Aig, model: &Aig) -> Option<Box<Aig>> {
    let (inputs, latches) = (model.inputs().len(), model.latches().len());
    let mut graph = Aig::new();
    let states: Vec<Lit> = (0..latches).map(|_| graph.input(None)).collect();
    let origin = |name: &Option<String>| -> Option<usize> {
        let literal: usize = name.as_ref()?.strip_prefix("= ")?.trim().parse().ok()?;
        (literal / 2).checked_sub(1 + inputs)
    };
    let mut tied = vec![];
    for latch in certificate.latches() {
        let k = origin(&latch.name)?;
        tied.push(if k == latches { Lit::FALSE } else { *states.get(k)? });
    }
    // Inputs must not matter: with all of them false and with all of them true it is the same
    // circuit. (The audit judges what comes of it.)
    let mut good = |value: Lit| {
        let free = vec![value; certificate.inputs().len()];
        let lits = copy(&mut graph, certificate, &free, &tied);
        let bad = |b: &Named<Lit>| lits[b.value.var()].xor(b.value.is_negated());
        let bads: Vec<Lit> = certificate.bads.iter().map(bad).collect();
        !graph.or_all(bads)
    };
    let (value, other) = (good(Lit::FALSE), good(Lit::TRUE));
    graph.outputs = vec![Named { value, name: None }];
    (value == other).then(|| Box::new(graph))
}
