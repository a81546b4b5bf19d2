//! Programs with known verdicts.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use latchwork::base::{Budget, Cancel};
use latchwork::driver::{Circuit, CircuitOptions, Loaded, ProgramOptions, keeps_formula, load};
use latchwork::engine::audit::{Audit, AuditOptions};
use latchwork::engine::ic3::Ic3;
use latchwork::engine::liveness::{LivenessOptions, Method, audit, solve};
use latchwork::engine::{Engine, Silent};
use latchwork::format::smv;
use latchwork::outcome::LiveVerdict;
use latchwork::property::{PropertyKind, TargetKind, resolve};
use latchwork::sched::Reduction;

use crate::common::{for_all, latchwork, testdata};

fn programs() -> Vec<PathBuf> {
    let mut files = testdata("c");
    files.retain(|f| f.file_name().is_some_and(|n| n.to_string_lossy().starts_with("ltl_")));
    files
}

/// The properties that the first lines state, and whether they hold.
fn stated(file: &Path) -> Vec<(String, bool)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(path).expect("a program");
    let mut list = vec![];
    for line in text.lines() {
        match line.strip_prefix("// ltl").and_then(|l| l.rsplit_once(": ")) {
            Some((rest, verdict @ ("SAFE" | "UNSAFE"))) => {
                list.push((format!("ltl{rest}"), verdict == "SAFE"));
            }
            _ => break,
        }
    }
    assert!(!list.is_empty(), "{}: no verdict", file.display());
    list
}

#[test]
fn programs_have_their_stated_verdicts() {
    let files = programs();
    assert!(files.len() >= 12);
    let all: Vec<bool> = files.iter().flat_map(|f| stated(f)).map(|s| s.1).collect();
    let safe = all.iter().filter(|&&s| s).count();
    assert!(3 * safe >= all.len() && 3 * safe <= 2 * all.len(), "{safe} of {} hold", all.len());
    for_all(&files, |file| {
        let properties = stated(file);
        let mut args = vec!["check".to_owned(), file.display().to_string()];
        args.extend(["--timeout", "60", "--cores", "1"].map(String::from));
        args.extend(properties.iter().flat_map(|(p, _)| ["--property".to_owned(), p.clone()]));
        let run = latchwork(&args);
        let mut lassos = 0;
        for (property, holds) in &properties {
            let line = run.stdout.lines().find(|l| l.starts_with(&format!("{property}: ")));
            let verdict = line.and_then(|l| l[property.len() + 2..].split(' ').next());
            if verdict != Some(if *holds { "SAFE" } else { "UNSAFE" }) {
                return Err(format!("{}: {property}\n{run}", file.display()));
            }
            lassos += usize::from(!holds);
        }
        let shown = run.stdout.matches("and then for ever:\n").count();
        let code = if lassos > 0 { 10 } else { 0 };
        if shown != lassos || run.code != Some(code) {
            return Err(format!("{}: {shown} lassos\n{run}", file.display()));
        }
        Ok(())
    });
}

/// What an engine says about a formula of a program.
fn verdict(circuit: &Circuit, engine: &dyn Engine, method: Method) -> Option<bool> {
    let options = LivenessOptions { method, max_k: 32, ..LivenessOptions::default() };
    let budget = Budget::new(Some(Duration::from_secs(60)), None, Cancel::new());
    let found = solve(&circuit.reduced, &[0], engine, &options, &mut Silent, &budget).remove(0);
    let checked = audit(&circuit.reduced, 0, &found, &AuditOptions::default(), &budget);
    assert!(!matches!(checked, Audit::Refuted(_)), "{checked:?}");
    match found {
        LiveVerdict::Safe { .. } => Some(true),
        LiveVerdict::Unsafe(_) => Some(false),
        LiveVerdict::Unknown(_) => None,
    }
}

/// NuSMV's answer about the exported model.
fn nusmv(circuit: &Circuit) -> Option<bool> {
    let tool = nusmv_path()?;
    let word = circuit.word_model(false, None, &Budget::unlimited()).expect("no limit");
    let model = smv::write(&word.ts);
    let dir = tempfile::tempdir().expect("a temporary directory");
    fs::write(dir.path().join("model.smv"), &model.text).expect("a new file");
    let commands = format!(
        "set dynamic_reorder 1\nread_model -i model.smv\ngo\ncheck_ltlspec -P {}\nquit\n",
        model.justice[0]
    );
    fs::write(dir.path().join("commands"), commands).expect("a new file");
    let output = assert_cmd::Command::new(tool)
        .current_dir(dir.path())
        .args(["-dcx", "-source", "commands"])
        .timeout(Duration::from_secs(20))
        .output()
        .expect("NuSMV starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find(|l| l.starts_with("-- specification "))?;
    Some(line.ends_with("is true"))
}

fn nusmv_path() -> Option<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let built = home.map(|h| h.join(".cache/latchwork/bin/NuSMV")).filter(|p| p.exists());
    std::env::var_os("LATCHWORK_NUSMV").map(PathBuf::from).or(built)
}

#[test]
fn two_ways_agree_on_each_formula() {
    for_all(&programs(), |file| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let options = ProgramOptions { files: vec![path], ..ProgramOptions::default() };
        let Ok(Loaded { program, .. }) = load(&options) else { return Err("refused".into()) };
        for (text, holds) in stated(file) {
            let property = PropertyKind::parse(&text)?;
            let question = resolve(&program, &[property]).map_err(|e| e.to_string())?;
            let TargetKind::Ltl(ltl) = &question.targets[0].kind else { continue };
            let circuit = |reduction| {
                let options = CircuitOptions { reduction, ..CircuitOptions::default() };
                Circuit::live(&program, ltl, options, &Budget::unlimited()).expect("no limit")
            };
            let ic3 = Ic3::default();
            let mut answers = vec![];
            if keeps_formula(Reduction::LockPatterns, &program, ltl).is_ok() {
                let circuit = circuit(Reduction::LockPatterns);
                answers.push(("l2s, lp", verdict(&circuit, &ic3, Method::LivenessToSafety)));
            }
            let circuit = circuit(Reduction::None);
            answers.push(("l2s", verdict(&circuit, &ic3, Method::LivenessToSafety)));
            if holds {
                answers.push(("k-liveness", verdict(&circuit, &ic3, Method::KLiveness)));
            }
            answers.push(("nusmv", nusmv(&circuit)));
            let known = answers.iter().filter(|a| a.1.is_some()).count();
            let wrong = answers.iter().any(|a| a.1.is_some_and(|found| found != holds));
            println!("{}: {text}: {answers:?}", file.display());
            if wrong || known < 2 && nusmv_path().is_some() {
                return Err(format!("{}: {text}: {answers:?}", file.display()));
            }
        }
        Ok(())
    });
}
