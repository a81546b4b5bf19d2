use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::{Manifest, Observer, Place, Row, Summary, Task, run};
use crate::base::Budget;

const MANIFEST: &str = r#"
about = "a test"
runs = 2
seconds = 5
memory = 100
factor = 20
floor = 0.5

[[configuration]]
name = "fast"

[[configuration]]
name = "slow"
options = ["--slow", "{x}"]

[[task]]
name = "good"
family = "good {x}"
x = [1, 2, 4, 8]
verdict = "SAFE"
paper = [1, 2, 400, 8]

[[task]]
name = "bad"
family = "bad"
verdict = "SAFE"
only = ["fast"]

[[plot]]
kind = "scatter"
name = "scatter"
of = ["fast", "slow"]

[[plot]]
kind = "growth"
name = "growth"
tasks = ["good"]
"#;

/// Stands in for latchwork: programs are `good N` and `bad`; with `--slow`, N above 2 is not
/// decided.
const CHECKER: &str = r#"#!/bin/sh
echo "$@" >> "$(dirname "$0")/calls"
answer() {
    echo '{"properties": [{"name": "assert", "verdict": "'$1'", "depth": 7}], "circuits": [{"properties": ["assert"], "statistics": {"latches": 3}}]}'
    exit $2
}
case "$(cat "$2") $*" in
    *good\ [48]*--slow*) answer UNKNOWN 5 ;;
    *good*) answer SAFE 0 ;;
    *) answer UNSAFE 10 ;;
esac
"#;

struct Silent;

impl Observer for Silent {
    fn begin(&mut self, _: usize, _: usize, _: &Task) {}
    fn end(&mut self, _: &Row) {}
}

fn script(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn place(directory: &Path) -> Place {
    let place = Place {
        latchwork: directory.join("latchwork"),
        family: directory.join("family"),
        table: directory.join("table.csv"),
        commit: "c0".into(),
        machine: "this one".into(),
    };
    script(&place.latchwork, CHECKER);
    script(&place.family, "#!/bin/sh\necho \"$@\"\n");
    place
}

/// How often the checker was called.
fn calls(directory: &Path) -> usize {
    fs::read_to_string(directory.join("calls")).map_or(0, |text| text.lines().count())
}

fn all(manifest: &Manifest, place: &Place, words: &[&str]) -> Vec<Row> {
    let words: Vec<String> = words.iter().map(|&w| w.into()).collect();
    run(manifest, place, &words, &mut Silent, &Budget::unlimited()).unwrap()
}

#[test]
fn a_suite_runs_is_taken_up_and_finds_wrong_answers() {
    let directory = tempfile::tempdir().unwrap();
    let manifest = Manifest::read(MANIFEST).unwrap();
    let mut place = place(directory.path());
    let rows = all(&manifest, &place, &["good-1", "bad"]);
    // good-1 twice under each configuration, bad twice under one.
    assert_eq!((rows.len(), calls(directory.path())), (6, 6));
    let rows = all(&manifest, &place, &[]);
    // Of good-4 under `slow` there is one row, of good-8 none.
    assert_eq!((rows.len(), calls(directory.path())), (15, 15));
    // A table that was cut while it was written.
    let text = fs::read_to_string(&place.table).unwrap();
    assert!(text.ends_with("\n") && text.starts_with(Row::HEADER));
    fs::write(&place.table, &text[..text.len() - 30]).unwrap();
    assert_eq!((all(&manifest, &place, &[]).len(), calls(directory.path())), (15, 16));
    place.commit = "c1".into();
    all(&manifest, &place, &["bad"]);
    assert_eq!(calls(directory.path()), 18);

    let summary = Summary::new(&manifest, &rows);
    assert!(summary.wrong());
    let first = &summary.lines[0];
    assert_eq!((first.row.task.as_str(), first.row.verdict.as_str()), ("bad", "UNSAFE"));
    assert_eq!((first.row.depth, first.row.latches), (Some(7), Some(3)));
    let fast = summary.lines.iter().find(|l| l.row.name() == "good-4").unwrap();
    assert_eq!((fast.target, fast.met()), (Some(20.0), Some(true)));
    let slow = summary.lines.iter().find(|l| !l.row.decided()).unwrap();
    assert_eq!((slow.row.configuration.as_str(), slow.met()), ("slow", Some(false)));
    assert_eq!(slow.ratio(), None);
    assert_eq!(summary.growth.len(), 1);
    for plot in &manifest.plots {
        let svg = plot.draw(&manifest, &summary).unwrap();
        assert!(svg.starts_with("<svg"), "{svg}");
        // good-1, good-2 and good-4; the four of `fast` and two of `slow`.
        let dots = if plot.name() == "scatter" { 3 } else { 6 };
        assert_eq!(svg.matches("<circle").count(), dots, "{}", plot.name());
    }
}

#[test]
fn rows_come_back_from_their_lines() {
    let row = Row {
        task: "P1".into(),
        x: Some(50),
        configuration: "auto".into(),
        run: 2,
        stated: "SAFE".into(),
        verdict: "UNKNOWN".into(),
        depth: None,
        seconds: 1.25,
        cpu: 2.5,
        peak_mb: 31.0,
        latches: Some(7),
        ands: Some(100),
        states: None,
        limit: 60,
        commit: "abc+".into(),
        machine: "a processor x 2".into(),
    };
    assert_eq!(Row::read(&row.line()), Some(row.clone()));
    assert_eq!(Row::read(&row.line()[..20]), None);
    assert_eq!(Row::HEADER.split(',').count(), row.line().split(',').count());
    assert!(!row.wrong());
    assert!(Row { verdict: "ERROR".into(), ..row }.wrong());
}

#[test]
fn growth_is_that_of_the_upper_half() {
    let mut manifest = Manifest::read(MANIFEST).unwrap();
    // A family may be written as one task for each configuration.
    let mut slow = manifest.tasks[0].clone();
    slow.only = vec!["slow".into()];
    manifest.tasks[0].only = vec!["fast".into()];
    manifest.tasks.push(slow);
    let rows: Vec<Row> = [1u64, 2, 4, 8]
        .map(|x| Row {
            task: "good".into(),
            x: Some(x),
            configuration: "fast".into(),
            verdict: "SAFE".into(),
            seconds: if x == 1 { 9.0 } else { 3.0 * (x * x) as f64 },
            peak_mb: 10.0,
            ..Row::default()
        })
        .into();
    let summary = Summary::new(&manifest, &rows);
    let [growth] = &summary.growth[..] else { panic!("{:?}", summary.growth) };
    assert_eq!(growth.range, [2, 8]);
    assert!((growth.seconds_per_doubling - 4.0).abs() < 1e-6, "{growth:?}");
    assert!((growth.memory_per_doubling - 1.0).abs() < 1e-6, "{growth:?}");
}

#[test]
fn manifests_that_contradict_themselves_are_refused() {
    for (from, to) in [
        ("x = [1, 2, 4, 8]", "x = [2, 1, 4, 8]"),
        ("paper = [1, 2, 400, 8]", "paper = [1]"),
        ("only = [\"fast\"]", "only = [\"none\"]"),
        ("tasks = [\"good\"]", "tasks = [\"none\"]"),
        ("family = \"bad\"", "verdicts = 1"),
        ("family = \"bad\"", ""),
        ("name = \"bad\"", "name = \"bad,\""),
        ("of = [\"fast\", \"slow\"]", "of = [\"fast\", \"none\"]"),
    ] {
        assert!(MANIFEST.contains(from));
        assert!(Manifest::read(&MANIFEST.replace(from, to)).is_err(), "{to}");
    }
}
