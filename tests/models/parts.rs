//! Each property is checked on a circuit under the reduction that keeps it.

use crate::common::latchwork;
use serde_json::Value;

const RACY: &str = "testdata/c/lost_update.c";

fn check(file: &str, args: &[&str]) -> Value {
    let run = latchwork(&[&["check", file, "--format", "json"], args].concat());
    serde_json::from_str(&run.stdout).unwrap_or_else(|e| panic!("{e}: {run}"))
}

/// The properties of each circuit that the user asked about, and its reduction.
fn circuits(report: &Value) -> Vec<(Vec<String>, String)> {
    let text = |v: &Value| v.as_str().expect("a name").to_string();
    let own = |c: &Value| {
        let names = c["properties"].as_array().expect("a list").iter().map(text);
        let implicit = ["undefined", "bound-reached", "atomic-blocked"];
        (names.filter(|n| !implicit.contains(&n.as_str())).collect(), text(&c["reduction"]))
    };
    report["circuits"].as_array().expect("a list").iter().map(own).collect()
}

fn verdict(report: &Value, property: &str) -> String {
    let list = report["properties"].as_array().expect("a list");
    let found = list.iter().find(|p| p["name"] == property);
    found.map_or_else(String::new, |p| p["verdict"].as_str().expect("a verdict").into())
}

#[test]
fn reductions_are_chosen_for_each_property() {
    let named = |list: &[(&[&str], &str)]| -> Vec<(Vec<String>, String)> {
        let own = |names: &[&str]| names.iter().map(|n| (*n).to_string()).collect();
        list.iter().map(|(names, r)| (own(names), (*r).to_string())).collect()
    };
    let report = check(RACY, &[]);
    let expected: [(&[&str], &str); 3] = [
        (&["assert"], "parallel-transactions"),
        (&["race"], "parallel-transactions"),
        (&["deadlock"], "parallel-transactions"),
    ];
    assert_eq!(circuits(&report), named(&expected));
    for (property, expected) in [("assert", "UNSAFE"), ("race", "UNSAFE"), ("deadlock", "SAFE")] {
        assert_eq!(verdict(&report, property), expected);
    }
    let both = ["--property", "assert", "--property", "memory"];
    let report = check(RACY, &[&both[..], &["--reduction", "transactions"]].concat());
    let expected: [(&[&str], &str); 2] = [(&["assert"], "transactions"), (&["memory"], "none")];
    assert_eq!(circuits(&report), named(&expected));
    let why = &report["circuits"][1]["reduction_off"];
    assert_eq!(why, "transactions does not keep memory");
}

/// What a part of its own does not look at spoils it all the same.
#[test]
fn implicit_properties_count_for_all_parts() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("zero.c");
    let text = "int x; int main(void) { int a[2] = {0, 1}; x = 4 / a[0]; return 0; }\n";
    std::fs::write(&file, text).expect("written");
    let report =
        check(&file.to_string_lossy(), &["--property", "assert", "--property", "deadlock"]);
    assert_eq!(circuits(&report).len(), 2);
    assert_eq!(verdict(&report, "undefined"), "UNSAFE");
    assert_eq!(verdict(&report, "deadlock"), "UNKNOWN");
}

#[test]
fn witnesses_say_which_circuit_they_are_of() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let witness = dir.path().join("w").display().to_string();
    for (first, other) in [("race", "assert"), ("assert", "race")] {
        let both = ["--property", first, "--property", other, "--witness", &witness];
        let report = check(RACY, &both);
        assert_eq!(
            (verdict(&report, first), verdict(&report, other)),
            ("UNSAFE".into(), "UNSAFE".into())
        );
        let run = latchwork(&["replay", RACY, "--witness", &witness]);
        assert_eq!(run.code, Some(10), "{run}");
        assert!(run.stdout.starts_with(first), "{run}");
    }
}

#[test]
fn proofs_of_several_circuits_are_numbered_through() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let out = dir.path().join("proof.aig").display().to_string();
    let file = "testdata/c/peterson_spin.c";
    let args = ["--property", "assert", "--property", "deadlock", "--certificate", &out];
    let report = check(file, &[&args[..], &["--engine", "ic3"]].concat());
    assert_eq!(report["exit_code"], 0, "{report}");
    for k in 0..2 {
        let certificate = dir.path().join(format!("proof.{k}.cert.aig"));
        assert!(certificate.exists(), "{report}");
    }
}
