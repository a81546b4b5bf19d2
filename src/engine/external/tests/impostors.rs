//! Stub executables in the place of tools: whatever they do, no verdict gets worse and no process
//! is left.

use std::path::Path;
use std::time::Duration;

use super::super::{Method, Tool};
use super::{engine, script};
use crate::aig::{Aig, Named, Reset};
use crate::base::{Budget, Cancel, Stop};
use crate::engine::audit::{Audit, AuditOptions, audit};
use crate::engine::{Engine, Problem, Silent};
use crate::outcome::{Certificate, Reason, Verdict};

/// Methods of all drivers, certifying ones and others.
const METHODS: [Method; 6] = [
    Method::Ric3,
    Method::AbcPdr,
    Method::AbcBmc3,
    Method::AbcInt,
    Method::NuxmvIc3,
    Method::NusmvBdd,
];

/// A circuit with an input, two latches and two properties: the first is violated in frame 1 if
/// the input is 1 in frame 0; the second holds, as the second latch stays 0.
fn circuit() -> Aig {
    let mut aig = Aig::new();
    let input = aig.input(None);
    let [seen, never] = [(); 2].map(|()| aig.latch(Reset::Zero, None));
    aig.set_next(seen, input);
    aig.bads.push(Named { value: seen, name: None });
    aig.bads.push(Named { value: never, name: None });
    aig
}

/// The answer about one of the properties if the tool is this script.
fn answer(method: Method, text: &str, bad: usize) -> (Verdict, Audit) {
    let dir = tempfile::tempdir().unwrap();
    let path = script(dir.path(), "tool", text);
    answer_of(method, &path, bad, Duration::from_secs(20))
}

fn answer_of(method: Method, path: &Path, bad: usize, limit: Duration) -> (Verdict, Audit) {
    let aig = circuit();
    let problem = Problem { bads: vec![bad], ..Problem::new(&aig) };
    let tool = Tool { kind: method.tool(), path: path.to_owned() };
    let budget = Budget::new(Some(limit), None, Cancel::new());
    let verdicts = engine(&tool, method).run(&problem, &mut Silent, &budget);
    let audits = audit(&problem, &verdicts, &AuditOptions::default(), &Budget::unlimited());
    (verdicts.into_iter().next().unwrap(), audits.into_iter().next().unwrap())
}

/// The tool is found out: it is unknown, and `part` is among the reasons.
fn unknown(method: Method, text: &str, bad: usize, part: &str) {
    let (verdict, _) = answer(method, text, bad);
    let Verdict::Unknown(Reason::Tool(why)) = &verdict else {
        panic!("{method:?}, {text}: {verdict:?}")
    };
    assert!(why.starts_with(method.name()) && why.contains(part), "{method:?}, {text}: {why}");
}

/// What a tool prints that proves or refutes the model.
fn says(method: Method, safe: bool) -> &'static str {
    match (method, safe) {
        (Method::Ric3, true) => "trap 'exit 20' EXIT; echo 'RESULT: UNSAT'",
        (Method::Ric3, false) => "trap 'exit 10' EXIT; echo 'RESULT: SAT'",
        (Method::AbcPdr | Method::AbcBmc3 | Method::AbcInt, true) => {
            "echo 'Property proved.  Time = 0.01 sec'; echo 'Status = 1  Frames = 2   Cex is not defined.'"
        }
        (Method::AbcPdr | Method::AbcBmc3 | Method::AbcInt, false) => {
            "echo 'Output 0 of miter \"model\" was asserted in frame 1.  Time = 0.01 sec'; \
             echo 'Status = 0  Frames = 1   CEX: Po =   0  Frame =   1  FF = 1  PI = 1'"
        }
        (_, true) => "echo '-- invariant !bad  is true'",
        (_, false) => "echo '-- invariant !bad  is false'",
    }
}

/// A counterexample with these values of the input in frames 0 and 1.
fn writes(method: Method, values: [bool; 2]) -> String {
    let [a, b] = values;
    if method == Method::Ric3 {
        let bit = u8::from;
        return format!("printf '1\\nb0\\n00\\n{}\\n{}\\n0\\n.\\n' >evidence", bit(a), bit(b));
    }
    if matches!(method, Method::AbcPdr | Method::AbcBmc3 | Method::AbcInt) {
        let bit = u8::from;
        return format!("printf '0\\n{}\\n{}# DONE' >trace.txt", bit(a), bit(b));
    }
    let word = |v: bool| if v { "TRUE" } else { "FALSE" };
    let state = |k: usize, latch: bool, input: bool| {
        let values = [("l0", latch), ("i0", input)]
            .map(|(n, v)| format!("<value variable=\"{n}\">{}</value>", word(v)));
        format!("<node><state id=\"{k}\">{}</state></node>", values.concat())
    };
    let text = format!("<x>{}{}</x>", state(1, false, a), state(2, a, b));
    format!("cat >trace.xml <<'END'\n{text}\nEND")
}

#[test]
fn a_good_answer_passes() {
    for method in METHODS {
        let text = format!("{}\n{}", says(method, false), writes(method, [true, false]));
        let (verdict, audit) = answer(method, &text, 0);
        assert!(matches!(&verdict, Verdict::Unsafe(t) if t.inputs.len() == 2), "{verdict:?}");
        assert_eq!(audit, Audit::Confirmed);
    }
    let pla = "printf '# Inductive invariant for \"model\"\\n.i 1\\n.o 1\\n.p 1\\n1 1\\n.e\\n' >invariant.pla";
    let text = format!("{}\n{pla}", says(Method::AbcPdr, true));
    let (verdict, audit) = answer(Method::AbcPdr, &text, 1);
    assert!(matches!(verdict, Verdict::Safe(Certificate::Invariant { .. })), "{verdict:?}");
    assert_eq!(audit, Audit::Confirmed);
}

#[test]
fn a_wrong_counterexample_is_none() {
    for method in METHODS {
        let says = says(method, false);
        let wrong = format!("{says}\n{}", writes(method, [false, true]));
        unknown(method, &wrong, 0, "the counterexample is none");
        // There is none of this property, and no input.
        let right = format!("{says}\n{}", writes(method, [true, false]));
        unknown(method, &right, 1, "counterexample");
        unknown(method, says, 0, "no counterexample");
        for garbage in ["echo garbage", ":", "printf '0\\n1'", "head -c 100000 /dev/zero"] {
            let text = format!(
                "{says}\n{{ {garbage}; }} >trace.txt; cp trace.txt trace.xml; cp trace.txt evidence"
            );
            unknown(method, &text, 0, "bad counterexample");
        }
    }
}

#[test]
fn safe_on_an_unsafe_model_is_never_confirmed() {
    for method in METHODS {
        let (verdict, audit) = answer(method, says(method, true), 0);
        match method {
            // These have to give evidence, or cannot prove at all.
            Method::Ric3 | Method::AbcPdr | Method::AbcBmc3 => {
                assert!(matches!(verdict, Verdict::Unknown(Reason::Tool(_))), "{verdict:?}");
            }
            _ => {
                assert_eq!(verdict, Verdict::Safe(Certificate::Claim));
                assert_eq!(audit, Audit::NoEvidence);
            }
        }
    }
    // Invariants that are none: everything is excluded, nothing is, the bad state is but not
    // what leads there.
    for rows in [".p 1\\n- 1", ".p 0", ".p 1\\n1 1"] {
        let pla = format!(
            "printf '# Inductive invariant for \"model\"\\n.i 1\\n.o 1\\n{rows}\\n.e\\n' >invariant.pla"
        );
        let text = format!("{}\n{pla}", says(Method::AbcPdr, true));
        let (verdict, audit) = answer(Method::AbcPdr, &text, 0);
        assert!(matches!(verdict, Verdict::Safe(Certificate::Invariant { .. })), "{verdict:?}");
        assert!(matches!(audit, Audit::Refuted(_)), "{audit:?}");
    }
    let old =
        "printf '# Clauses of the last timeframe\\n.i 1\\n.o 1\\n.p 0\\n.e\\n' >invariant.pla";
    let text = format!("{}\n{old}", says(Method::AbcPdr, true));
    unknown(Method::AbcPdr, &text, 0, "bad invariant");
}

#[test]
fn what_makes_no_sense_is_unknown_and_shown() {
    for method in METHODS {
        for bad in [0, 1] {
            let both = format!("{}\n{}", says(method, true), says(method, false));
            unknown(method, &both, bad, "");
            unknown(method, "echo 'Segmentation fault'; kill -SEGV $$", bad, "killed by signal 11");
            unknown(method, "echo oops >&2; exit 3", bad, "exit code 3, printed `oops`");
            unknown(method, ":", bad, "nothing printed");
            unknown(method, "head -c 100000 /dev/zero", bad, "");
            unknown(method, "echo UNSAFE; echo SAFE; echo unsat", bad, "`SAFE` `unsat`");
            // A verdict and then a crash.
            let crash = format!("{}\nkill -KILL $$", says(method, true));
            unknown(method, &crash, bad, "abnormal end");
            // Half a line.
            let cut = "printf 'Status = '; printf -- '-- invariant !bad'";
            unknown(method, cut, bad, "");
        }
    }
    let (verdict, _) =
        answer_of(Method::AbcPdr, Path::new("/nowhere/abc"), 0, Duration::from_secs(20));
    assert!(
        matches!(&verdict, Verdict::Unknown(Reason::Tool(why)) if why.contains("/nowhere/abc")),
        "{verdict:?}"
    );
}

#[test]
fn a_tool_that_hangs_is_stopped_with_all_its_children() {
    let text = "trap '' TERM INT HUP
sh -c 'trap \"\" TERM; while :; do sleep 0.05; done' $0 &
setsid sh -c 'trap \"\" TERM; while :; do sleep 0.05; done' $0 &
while :; do sleep 0.05; done";
    let dir = tempfile::tempdir().unwrap();
    let path = script(dir.path(), "tool", text);
    for method in [Method::Ric3, Method::AbcPdr, Method::NusmvBdd] {
        let (verdict, _) = answer_of(method, &path, 0, Duration::from_millis(700));
        assert!(
            matches!(
                verdict,
                Verdict::Unknown(Reason::Stopped { stop: Stop::Timeout(_), depth: None })
            ),
            "{method:?}: {verdict:?}"
        );
    }
    let mine = dir.path().display().to_string();
    assert_eq!(processes_that_mention(&mine), Vec::<String>::new());
}

/// The command lines of processes that have `what` in theirs.
fn processes_that_mention(what: &str) -> Vec<String> {
    let entries = Path::new("/proc").read_dir().into_iter().flatten().flatten();
    let lines = entries.filter_map(|e| std::fs::read(e.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(what)).collect()
}

/// A certificate of rIC3: the bad states where one of the model's latches (at 2) and `hit` (at
/// 4) is 1, as `bad` says.
fn certificate(bad: &str) -> String {
    let text = format!("{bad}\nl0 = 2\nl1 = 4\n").replace('\n', "\\n");
    format!("{}\nprintf '{text}' >evidence", says(Method::Ric3, true))
}

#[test]
fn certificates_of_ric3_are_invariants_of_the_circuit() {
    // Latch 2 or latch 4 is 1.
    let good = certificate("aag 3 0 2 0 1 1\n2 2\n4 2\n7\n6 3 5");
    let (verdict, audit) = answer(Method::Ric3, &good, 1);
    assert!(matches!(verdict, Verdict::Safe(Certificate::Circuit { .. })), "{verdict:?}");
    assert_eq!(audit, Audit::Confirmed);
    // Only `hit` is excluded, and everything is.
    for wrong in ["aag 2 0 2 0 0 1\n2 2\n4 2\n4", "aag 2 0 2 0 0 1\n2 2\n4 2\n1"] {
        let (verdict, audit) = answer(Method::Ric3, &certificate(wrong), 1);
        assert!(matches!(verdict, Verdict::Safe(Certificate::Circuit { .. })), "{verdict:?}");
        assert!(matches!(audit, Audit::Refuted(_)), "{audit:?}");
    }
    // A latch that is not the model's, and an input that matters: nothing that can be audited.
    for odd in ["aag 3 0 3 0 0 1\n2 2\n4 2\n6 6\n6", "aag 3 1 2 0 0 1\n6\n2 2\n4 2\n6"] {
        let (verdict, _) = answer(Method::Ric3, &certificate(odd), 1);
        assert_eq!(verdict, Verdict::Safe(Certificate::Claim));
    }
    let torn = certificate("aag 3 0 2 0 1 1\n2 2");
    unknown(Method::Ric3, &torn, 1, "bad certificate");
}
