//! ABC. It reads binary AIGER only, takes constraints for further outputs and latches without
//! reset for 0, so that it gets normalised models. Its exit code says nothing (0 even for a
//! model that it cannot read); `print_status` prints the verdict. Its invariants come as the
//! cubes of excluded states in a PLA file; counterexamples as the text of `write_cex -a`.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use super::method::{Claim, Grounds};
use super::process::Finished;
use super::transcript::{Said, complaint, exit, file, statement};
use crate::aig::{Aig, Reset};
use crate::format::aiger::{Encoding, WriteOptions, write};
use crate::format::witness::read_abc;

/// Names of files.
const MODEL: &str = "model.aig";
const INVARIANT: &str = "invariant.pla";
const TRACE: &str = "trace.txt";

/// Property-directed reachability, in normal form of options: no bound on frames that matters,
/// the invariant with a column for each latch (`-e`).
pub(super) const PDR: &str = "pdr -F 1000000000 -d -e -I invariant.pla";
/// Bounded model checking.
pub(super) const BMC3: &str = "bmc3";
/// Interpolation, with enough frames.
pub(super) const INT: &str = "int -F 1000000000";

/// Writes the model; the arguments.
pub(super) fn prepare(command: &str, model: &Aig, directory: &Path) -> io::Result<Vec<OsString>> {
    let mut model = model.clone();
    if model.inputs().is_empty() {
        // Some commands abort on a model without inputs. (The reader of traces ignores it.)
        model.input(None);
    }
    if model.latches().is_empty() && command != PDR {
        // The others refuse one without latches.
        model.latch(Reset::Zero, None);
    }
    let bytes = write(&model, WriteOptions::new(Encoding::Binary)).map_err(io::Error::other)?;
    std::fs::write(directory.join(MODEL), bytes)?;
    let script =
        format!("read_aiger {MODEL}; strash; {command}; print_status; write_cex -a {TRACE}");
    Ok(vec!["-q".into(), script.into()])
}

/// What the run claims.
///
/// # Errors
/// Why it claims nothing that makes sense.
pub(super) fn claim(
    command: &str,
    model: &Aig,
    finished: &Finished,
    directory: &Path,
) -> Result<Claim, String> {
    exit(finished, 0)?;
    if finished.stdout.lines().filter(|l| l.starts_with(STATUS)).count() != 1 {
        return Err(complaint("no single line of status", finished));
    }
    match statement(finished, meaning)? {
        Said::Unknown => Ok(Claim::Unknown("undecided".into())),
        Said::Unsafe => {
            let text = file(&directory.join(TRACE), "counterexample", finished)?;
            let trace = read_abc(text.as_bytes(), model, 0)
                .map_err(|e| complaint(&format!("bad counterexample ({e})"), finished))?;
            Ok(Claim::Unsafe(trace))
        }
        Said::Safe if command == PDR => {
            let text = file(&directory.join(INVARIANT), "invariant", finished)?;
            let clauses = read_pla(&text, model.latches().len())
                .map_err(|e| complaint(&format!("bad invariant ({e})"), finished))?;
            Ok(Claim::Safe(Grounds::Clauses(clauses)))
        }
        Said::Safe => Ok(Claim::Safe(Grounds::None)),
    }
}

const STATUS: &str = "Status = ";

fn meaning(line: &str) -> Option<Said> {
    if let Some(rest) = line.strip_prefix(STATUS) {
        return match rest.split_whitespace().next() {
            Some("1") => Some(Said::Safe),
            Some("0") => Some(Said::Unsafe),
            _ => Some(Said::Unknown),
        };
    }
    if line.starts_with("Property proved.") {
        Some(Said::Safe)
    } else if line.starts_with("Output ") && line.contains(" was asserted in frame ") {
        Some(Said::Unsafe)
    } else if line.starts_with("Property UNDECIDED.") {
        Some(Said::Unknown)
    } else {
        None
    }
}

/// The clauses of a PLA file of excluded cubes over this many latches.
fn read_pla(text: &str, latches: usize) -> Result<Vec<Vec<(usize, bool)>>, String> {
    if !text.starts_with("# Inductive invariant ") {
        // After a failure the clauses of the last frame are written to the same file.
        return Err("the file does not say that it is an inductive invariant".into());
    }
    let mut clauses = vec![];
    let (mut inputs, mut products) = (None, None);
    for (k, line) in text.lines().enumerate() {
        let fault = |what: &str| Err(format!("line {}: {what}", k + 1));
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some(".e"), None) => {
                return match (inputs, products) {
                    (Some(i), Some(p)) if i == latches && p == clauses.len() => Ok(clauses),
                    _ => fault("wrong numbers of latches or clauses"),
                };
            }
            (Some(".i"), Some(n)) => inputs = n.parse::<usize>().ok(),
            (Some(".p"), Some(n)) => products = n.parse::<usize>().ok(),
            (Some(word), _) if word.starts_with(['.', '#']) => {}
            (None, _) => {}
            (Some(cube), Some("1")) if cube.len() == latches => match clause(cube) {
                Some(clause) => clauses.push(clause),
                None => return fault("a value is none of 0, 1, -"),
            },
            _ => return fault("not a row"),
        }
    }
    Err("the file ends too early".into())
}

/// The clause that excludes the cube.
fn clause(cube: &str) -> Option<Vec<(usize, bool)>> {
    let mut clause = vec![];
    for (k, value) in cube.bytes().enumerate() {
        match value {
            b'0' => clause.push((k, true)),
            b'1' => clause.push((k, false)),
            b'-' => {}
            _ => return None,
        }
    }
    Some(clause)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "# Inductive invariant for \"m\"\n# generated by PDR in ABC\n.i 3\n.o 1\n\
                        .p 2\n.ilb a b c\n.ob inv\n1-0 1\n-1- 1\n.e\n";

    #[test]
    fn invariants_are_read_strictly() {
        let clauses = vec![vec![(0, false), (2, true)], vec![(1, false)]];
        assert_eq!(read_pla(GOOD, 3), Ok(clauses));
        assert!(read_pla(GOOD, 4).is_err());
        for (from, to) in [
            ("Inductive invariant", "Clauses of the last timeframe"),
            (".p 2", ".p 3"),
            (".i 3", ".i 4"),
            ("1-0 1", "1-0 0"),
            ("1-0 1", "1-0"),
            ("1-0 1", "1-00 1"),
            ("1-0 1", "1x0 1"),
            (".e\n", ""),
        ] {
            let text = GOOD.replacen(from, to, 1);
            assert!(text != GOOD && read_pla(&text, 3).is_err(), "{text}");
        }
        for cut in 0..GOOD.len() - 1 {
            assert!(read_pla(&GOOD[..cut], 3).is_err(), "{cut}");
        }
    }
}
