//! The suites of `testdata/suites`: their manifests are sound and their programs exist; of Daisy,
//! what takes no time has the right verdicts.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{for_all, latchwork, testdata};
use latchwork::bench::suite::Manifest;

#[test]
fn manifests_are_sound_and_their_programs_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for_all(&testdata("suites"), |suite| {
        let text = fs::read_to_string(root.join(suite)).expect("a manifest");
        let manifest = Manifest::read(&text).map_err(|e| format!("{}: {e}", suite.display()))?;
        for set in &manifest.tasks {
            match (&set.program, &set.family) {
                (Some(program), _) if !root.join(program).exists() => {
                    return Err(format!("{} is missing", program.display()));
                }
                (_, Some(family)) => prints_a_program(family, set.x.first())?,
                _ => {}
            }
        }
        Ok(())
    });
}

/// Whether there is such a family, with `x` for its parameter.
fn prints_a_program(family: &str, x: Option<&u64>) -> Result<(), String> {
    let words = family.replace("{x}", &x.map_or_else(String::new, u64::to_string));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/family");
    let output = Command::new(script).args(words.split(' ')).output().expect("scripts/family runs");
    let printed = output.status.success() && !output.stdout.is_empty();
    if printed { Ok(()) } else { Err(format!("no family `{words}`")) }
}

#[test]
fn the_fast_part_of_daisy_is_decided() {
    let out = tempfile::tempdir().expect("a temporary directory");
    let out = out.path().to_string_lossy().into_owned();
    let words = ["bench", "run", "testdata/suites/daisy.toml", "--out", &out, "--seconds", "60"];
    let only = ["seek race-1", "allocate and free"];
    let only = only.iter().flat_map(|word| ["--only", word]);
    let run = latchwork(&words.into_iter().chain(only).collect::<Vec<_>>());
    assert_eq!(run.code, Some(0), "{run}");
    let rows = fs::read_to_string(Path::new(&out).join("daisy.csv")).expect("a table");
    let decided = |line: &str| line.contains(",SAFE,SAFE,") || line.contains(",UNSAFE,UNSAFE,");
    assert!(rows.lines().count() == 8 && rows.lines().skip(1).all(decided), "{rows}");
    assert!(Path::new(&out).join("daisy-growth.svg").exists());
}
