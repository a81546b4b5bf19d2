//! `--context-bound` and the stubborn-set reductions on the command line.

fn latchwork(args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_latchwork"));
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).output();
    let output = output.expect("the binary starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

const LOST: [&str; 4] = ["testdata/c/lost_update.c", "--property", "assert", "--quiet"];

#[test]
fn what_few_switches_do_not_violate_is_unknown() {
    for command in ["check", "explore"] {
        let lost: &[&str] = if command == "check" { &LOST } else { &LOST[..3] };
        let run =
            |bound: &str| latchwork(&[&[command], lost, &["--context-bound", bound]].concat());
        let (code, out, _) = run("1");
        assert_eq!(code, Some(5), "{command}: {out}");
        assert!(out.contains("assert: UNKNOWN (context bound 1"), "{command}: {out}");
        // main, one thread, the other, the first again, main.
        let (code, out, _) = run("4");
        assert_eq!(code, Some(10), "{command}: {out}");
    }
}

#[test]
fn no_reduction_goes_with_a_bound() {
    let (code, _, err) = latchwork(
        &[&["check"], &LOST[..], &["--context-bound", "2", "--reduction", "lp"]].concat(),
    );
    assert_eq!(code, Some(2));
    assert!(err.contains("--context-bound") && err.contains("lp"), "{err}");
}

#[test]
fn stubborn_sets_find_the_violation_of_the_figure() {
    for reduction in ["st", "lp", "lp-sleep", "peephole"] {
        let file = "testdata/c/kahlon_figure1_interference.c";
        let form = ["--property", "assert", "--engine", "bmc", "--quiet", "--reduction"];
        let (code, out, err) = latchwork(&[&["check", file], &form[..], &[reduction]].concat());
        assert_eq!(code, Some(10), "{reduction}: {out}{err}");
    }
}

#[test]
fn stubborn_sets_keep_races_for_bytes_in_no_variable() {
    for reduction in ["st", "lp", "lp-sleep"] {
        let how = ["testdata/c/race_for_padding.c", "--property", "race", "--reduction", reduction];
        for command in ["check", "explore"] {
            let (code, out, err) = latchwork(&[&[command], &how[..]].concat());
            assert_eq!(code, Some(10), "{command}, {reduction}: {out}{err}");
        }
    }
}

#[test]
fn probes_show_the_sets() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let out = dir.path().join("figure.aag");
    let name = out.to_str().expect("plain");
    let file = "testdata/c/kahlon_figure1.c";
    let form = ["--reduction", "lp", "--to", "aag", "--probe", "-o", name];
    let (code, _, err) = latchwork(&[&["export", file], &form[..]].concat());
    assert_eq!(code, Some(0), "{err}");
    let text = std::fs::read_to_string(&out).expect("written");
    for symbol in ["J.thread1.thread2", "cstub.main", "sticky.thread2", "execute.thread1"] {
        assert!(text.lines().any(|l| l.starts_with('o') && l.ends_with(symbol)), "{symbol}");
    }
}
