//! Damaged sources, preprocessed sources and models on the command line: each is refused with a
//! message and exit code 2, or is accepted and gets a verdict. Nothing panics.
//!
//! `LATCHWORK_FUZZ=N` runs N of each kind in place of the few of a normal test, beginning with
//! seed `LATCHWORK_SEED`.

mod common;

use common::{Run, for_all, latchwork, testdata};
use latchwork::base::Rng;
use std::fs;
use std::path::Path;
use std::process::Command;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// Seeds: few, or as many as `LATCHWORK_FUZZ` says.
fn seeds(few: u64) -> Vec<u64> {
    let first = number("LATCHWORK_SEED", 0);
    (first..first + number("LATCHWORK_FUZZ", few)).collect()
}

/// Changes a few bytes, words or lines, or cuts the rest off.
fn damage(rng: &mut Rng, bytes: &mut Vec<u8>) {
    for _ in 0..1 + rng.below(2) {
        let at = rng.below(bytes.len() + 1);
        let end = (at + 1 + rng.below(6)).min(bytes.len());
        match rng.below(9) {
            0 if rng.one_in(3) => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 if at < bytes.len() => bytes[at] = rng.next_u64() as u8,
            3 => bytes.insert(at, *rng.pick(b"(){}[];*&,0-'\"\\#\n\0\xff")),
            4 => drop(bytes.splice(at..at, rng.next_u64().to_string().bytes())),
            5 => exchange(rng, bytes, b'\n'),
            _ => exchange(rng, bytes, b' '),
        }
    }
}

/// Puts a piece between two separators in the place of another.
fn exchange(rng: &mut Rng, bytes: &mut Vec<u8>, separator: u8) {
    let mut pieces: Vec<&[u8]> = bytes.split(|&b| b == separator).collect();
    let (a, b) = (rng.below(pieces.len()), rng.below(pieces.len()));
    match rng.below(3) {
        0 => drop(pieces.remove(a)),
        1 => pieces.insert(a, pieces[b]),
        _ => pieces[a] = pieces[b],
    }
    *bytes = pieces.join(&separator);
}

/// What is wrong with a run on damaged input.
fn fault(run: &Run) -> Option<&'static str> {
    let message = run.stderr.contains("error: ");
    match run.code {
        _ if run.stderr.contains("panicked") => Some("a panic"),
        Some(0 | 5 | 10) => None,
        Some(2) if !message => Some("no message"),
        Some(2) if !run.stdout.is_empty() => Some("something on stdout"),
        Some(2) => None,
        _ => Some("neither a verdict nor a refusal"),
    }
}

/// Bytes at the end of a file that its author wrote, and not a header.
const OWN: usize = 2000;

/// Damages one of the files for each seed and runs the command on it.
fn fuzz(
    name: &str,
    originals: &[Vec<u8>],
    few: u64,
    command: impl Fn(&str) -> Vec<String> + Sync,
    dir: &Path,
) {
    let refused = std::sync::atomic::AtomicUsize::new(0);
    let seeds = seeds(few);
    for_all(&seeds, |&seed| {
        let mut rng = Rng::new(seed);
        let mut bytes = rng.pick(originals).clone();
        // Seldom in the headers, where most of it is either fatal or nothing.
        let own = if rng.one_in(4) { 0 } else { bytes.len().saturating_sub(OWN) };
        let mut tail = bytes.split_off(own);
        damage(&mut rng, &mut tail);
        bytes.extend(tail);
        let file = dir.join(format!("{seed}-{name}"));
        fs::write(&file, &bytes).expect("a new file");
        let path = file.to_string_lossy();
        let run = latchwork(&command(&path));
        if run.code == Some(2) {
            refused.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
        fs::remove_file(&file).expect("it is there");
        match fault(&run) {
            Some(fault) => {
                let text = String::from_utf8_lossy(&bytes);
                Err(format!("{name}, seed {seed}: {fault}\n{run}\n{text}"))
            }
            None => Ok(()),
        }
    });
    let refused = refused.into_inner();
    println!("{name}: {refused} of {} refused", seeds.len());
    let most = seeds.len() - seeds.len() / 40;
    assert!((seeds.len() / 10..=most).contains(&refused), "{name}: the damage says little");
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

fn check(path: &str) -> Vec<String> {
    words(&["check", path, "--timeout", "1", "--quiet"])
}

fn sources() -> Vec<Vec<u8>> {
    let files = testdata("c").into_iter().chain(testdata("regress"));
    files.map(|f| fs::read(f).expect("a source")).collect()
}

#[test]
fn sources_are_refused_or_decided() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    fuzz("p.c", &sources(), 60, check, dir.path());
}

#[test]
fn preprocessed_sources_are_refused_or_decided() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let mut originals = vec![];
    for (k, text) in sources().into_iter().enumerate() {
        let file = dir.path().join(format!("{k}.c"));
        fs::write(&file, text).expect("a new file");
        let output = Command::new("cc").arg("-E").arg(&file).output().expect("cc runs");
        originals.push(output.stdout);
    }
    fuzz("p.i", &originals, 60, check, dir.path());
}

#[test]
fn models_are_refused_or_decided() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for form in ["aag", "aig", "btor2"] {
        let mut originals = vec![];
        for source in ["lost_update", "trylock", "switch_and_goto", "peterson"] {
            let (input, output) =
                (format!("testdata/c/{source}.c"), dir.path().join(format!("{source}.{form}")));
            let path = output.to_string_lossy();
            let run = latchwork(&["export", &input, "--to", form, "-o", &path]);
            assert_eq!(run.code, Some(0), "{run}");
            originals.push(fs::read(&output).expect("the model"));
        }
        let name = format!("m.{form}");
        let solve = |path: &str| words(&["solve", path, "--timeout", "1"]);
        fuzz(&name, &originals, 40, solve, dir.path());
    }
}

#[test]
fn witnesses_are_refused_or_replayed() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let source = "testdata/c/lost_update.c";
    let good = dir.path().join("good");
    let [witness, map] =
        [good.clone(), good.with_extension("map.json")].map(|p| p.display().to_string());
    let run = latchwork(&["check", source, "--property", "assert", "--witness", &witness]);
    assert_eq!(run.code, Some(10), "{run}");
    let read = |path: &str| [fs::read(path).expect("it was written")];
    let replay =
        |witness: &str, map: &str| words(&["replay", source, "--witness", witness, "--map", map]);
    fuzz("witness", &read(&witness), 40, |path| replay(path, &map), dir.path());
    fuzz("map", &read(&map), 40, |path| replay(&witness, path), dir.path());
}
