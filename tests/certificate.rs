//! `check --certificate`: the files of proofs, checked by what reads only the files.

mod common;

use common::{Run, for_all, latchwork, testdata};
use latchwork::base::Budget;
use latchwork::engine::certificate::check;
use latchwork::format::aiger;
use latchwork::sat::Backend;
use std::fs;
use std::path::Path;

fn read(path: &Path) -> latchwork::aig::Aig {
    aiger::read(&fs::read(path).expect("the file is there")).expect("the file is AIGER")
}

/// Checks a program with the engine, and then all its certificates; their number.
fn certify(program: &str, engine: &str, extension: &str) -> usize {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let out = dir.path().join("proof").with_extension(extension);
    let name = out.to_string_lossy();
    let args = [
        "check",
        program,
        "--property",
        "assert",
        "--engine",
        engine,
        "--reduction",
        "none",
        "--certificate",
        &name,
    ];
    let Run { code, stderr, .. } = latchwork(&args);
    assert_eq!(code, Some(0), "{program}: {stderr}");
    let models = dir.path().join("model").with_extension(extension);
    let models = models.to_string_lossy();
    let form = [
        "--property",
        "assert",
        "--reduction",
        "none",
        "--split",
        "--to",
        extension,
        "-o",
        &models,
    ];
    let to = [&["export", program][..], &form].concat();
    assert_eq!(latchwork(&to).code, Some(0));
    let mut count = 0;
    loop {
        let file = |stem: &str| dir.path().join(format!("{stem}.{count}.{extension}"));
        if !file("model").exists() {
            return count;
        }
        let model = file("proof");
        assert_eq!(fs::read(&model).ok(), fs::read(file("model")).ok(), "not the exported model");
        let witness = dir.path().join(format!("proof.{count}.cert.{extension}"));
        let checked =
            check(&read(&model), &read(&witness), Backend::default(), &Budget::unlimited());
        assert_eq!(checked, Ok(()), "{program}, {count}");
        count += 1;
    }
}

#[test]
fn certificates_of_programs_are_right() {
    let chosen = [
        ("peterson_spin", "ic3", "aag"),
        ("spin_lock", "auto", "aig"),
        ("store_buffering", "bmc", "aig"),
    ];
    let files = testdata("c");
    let find = |name: &str| files.iter().find(|f| f.file_stem().is_some_and(|stem| stem == name));
    for_all(&chosen, |&(name, engine, extension)| {
        let program = find(name).expect("the program is there").to_string_lossy();
        let count = certify(&program, engine, extension);
        if count > 0 { Ok(()) } else { Err(format!("{program}: nothing to certify")) }
    });
}

#[test]
fn what_has_no_certificate_says_why() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let out = dir.path().join("proof.aig");
    let name = out.to_string_lossy();
    let args = [
        "check",
        "testdata/c/peterson_spin.c",
        "--property",
        "assert",
        "--engine",
        "kind",
        "--certificate",
        &name,
    ];
    let run = latchwork(&args);
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stderr.contains("no certificate"), "{run}");
    assert!(run.stderr.contains("simple paths"), "{run}");
}
