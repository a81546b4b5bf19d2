//! Tests of the writer with NuSMV, where it is installed, and of the readers of its traces.

use std::path::PathBuf;
use std::process::Command;

use super::*;
use crate::aig::random::shortest_violations;
use crate::base::{Budget, Id, IndexVec, Rng};
use crate::bitblast::bitblast;
use crate::expr::{Op1, Op2, Pool, mask};
use crate::ts::random::{RandomOptions, random_run, random_system};
use crate::ts::{InputId, Run, StateId, TransitionSystem, TsNamed};

/// The NuSMV of this machine: `LATCHWORK_NUSMV`, or what scripts/build-nusmv has built.
fn nusmv() -> Option<PathBuf> {
    let named = std::env::var_os("LATCHWORK_NUSMV").map(PathBuf::from);
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let built = home.map(|home| home.join(".cache/latchwork/bin/NuSMV"));
    let found = named.or(built).filter(|path| path.exists());
    if found.is_none() {
        println!("skipped: no NuSMV (scripts/build-nusmv builds it)");
    }
    found
}

/// Runs commands on a model; what is printed on either stream, and the first trace in XML if there
/// is one.
fn run_nusmv(nusmv: &PathBuf, text: &str, commands: &str) -> (String, Option<String>) {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    std::fs::write(path("m.smv"), text).unwrap();
    let script = format!(
        "set on_failure_script_quits 1\nread_model -i m.smv\n{commands}\n\
         show_traces -p 4 -o t.xml 1\nquit\n"
    );
    std::fs::write(path("script"), script).unwrap();
    let output =
        Command::new(nusmv).args(["-source", "script"]).current_dir(&dir).output().unwrap();
    let out = [output.stdout, output.stderr].map(|s| String::from_utf8_lossy(&s).into_owned());
    (out.concat(), std::fs::read_to_string(path("t.xml")).ok())
}

/// The verdicts that are printed, in order.
fn verdicts(output: &str) -> Vec<bool> {
    let lines = output.lines().filter(|l| l.starts_with("-- ") && l.contains("  is "));
    lines.map(|l| l.trim_end().ends_with("is true")).collect()
}

fn named<T>(name: &str, value: T) -> TsNamed<T> {
    TsNamed { name: name.into(), value }
}

/// All operators on two words of width `w`, each compared with its values by a bad.
fn operators_with_values(w: u32) -> TransitionSystem {
    let mut ts = TransitionSystem { pool: Pool::raw(), ..TransitionSystem::new() };
    let (_, a) = ts.add_input("a", w);
    let (_, b) = ts.add_input("b", w);
    let pool = &mut ts.pool;
    let top = pool.extract(a, w - 1, 1);
    let mut exprs = vec![pool.op1(Op1::Not, a), pool.op1(Op1::Neg, a)];
    exprs.extend(Op2::ALL.map(|op| pool.op2(op, a, b)));
    exprs.extend([pool.ite(top, a, b), pool.concat(a, b)]);
    exprs.extend([pool.zero_extend(a, w + 2), pool.sign_extend(a, w + 2)]);
    for lo in 0..w {
        exprs.extend((1..=w - lo).map(|width| pool.extract(a, lo, width)));
    }
    for (k, e) in exprs.into_iter().enumerate() {
        let width = ts.pool.width(e);
        let mut table = ts.pool.constant(0, width);
        for x in 0..=mask(w) {
            let mut row = ts.pool.constant(0, width);
            for y in 0..=mask(w) {
                let value = ts.pool.eval(e, &mut |leaf| match leaf {
                    crate::ts::TsLeaf::Input(i) if i == InputId::new(0) => x,
                    _ => y,
                });
                let (value, y) = (ts.pool.constant(value, width), ts.pool.constant(y, w));
                let here = ts.pool.eq(b, y);
                row = ts.pool.ite(here, value, row);
            }
            let x = ts.pool.constant(x, w);
            let here = ts.pool.eq(a, x);
            table = ts.pool.ite(here, row, table);
        }
        let same = ts.pool.eq(e, table);
        let bad = ts.pool.not(same);
        ts.bads.push(named(&format!("operator {k}"), bad));
    }
    // One that must be found wrong.
    let same = ts.pool.eq(a, b);
    ts.bads.push(named("wrong", same));
    ts
}

#[test]
fn nusmv_agrees_about_every_operator() {
    let Some(nusmv) = nusmv() else { return };
    for w in 1..=3 {
        let ts = operators_with_values(w);
        let model = write(&ts);
        let mut commands = String::from("go\n");
        model.bads.iter().for_each(|name| commands += &format!("check_invar -P {name}\n"));
        let (output, _) = run_nusmv(&nusmv, &model.text, &commands);
        let mut expected = vec![true; ts.bads.len() - 1];
        expected.push(false);
        assert_eq!(verdicts(&output), expected, "width {w}:\n{output}");
    }
}

#[test]
fn nusmv_agrees_about_random_systems() {
    let Some(nusmv) = nusmv() else { return };
    let mut violated = 0;
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let options = RandomOptions {
            constraints: seed as usize % 2,
            free: rng.one_in(3),
            raw: rng.one_in(2),
            ..RandomOptions::tiny()
        };
        let ts = random_system(&mut rng, &options);
        let (aig, _) = bitblast(&ts, &Budget::unlimited()).unwrap();
        let expected = shortest_violations(&aig)[0];
        let model = write(&ts);
        let commands = format!("go\ncheck_invar -P {}", model.bads[0]);
        let (output, xml) = run_nusmv(&nusmv, &model.text, &commands);
        assert_eq!(verdicts(&output), [expected.is_none()], "seed {seed}\n{output}{}", model.text);
        if expected.is_some() {
            violated += 1;
            let trace = read_xml(&xml.unwrap(), &model.variables).unwrap();
            assert!(trace.run.violates(&ts, 0), "seed {seed}: {trace:?}");
            let trace = read_text(&output, &model.variables).unwrap();
            assert!(trace.run.violates(&ts, 0), "seed {seed}: {trace:?}\n{output}");
        }
    }
    assert!((8..38).contains(&violated), "{violated} of 40 violated");
}

/// A bit that follows an input, and a counter of two bits that stops.
fn liveness() -> TransitionSystem {
    let mut ts = TransitionSystem::new();
    let (_, x) = ts.add_input("x", 1);
    let (bit_id, bit) = ts.add_state("bit", 1, Some(0));
    let (count_id, count) = ts.add_state("number", 2, Some(0));
    ts.states[bit_id].next = x;
    let (one, three) = (ts.pool.constant(1, 2), ts.pool.constant(3, 2));
    let up = ts.pool.op2(Op2::Add, count, one);
    let full = ts.pool.eq(count, three);
    ts.states[count_id].next = ts.pool.ite(full, count, up);
    let (off, open) = (ts.pool.not(bit), ts.pool.not(full));
    ts.justice.push(named("toggles", vec![bit, off]));
    ts.justice.push(named("keeps counting", vec![open]));
    ts.justice.push(named("off for ever", vec![off]));
    ts.justice.push(named("nothing", vec![]));
    ts.bads.push(named("full", full));
    ts
}

#[test]
fn nusmv_agrees_about_justice() {
    let Some(nusmv) = nusmv() else { return };
    let check = |ts: &TransitionSystem| {
        let model = write(ts);
        let mut commands = String::from("go\n");
        model.justice.iter().for_each(|name| commands += &format!("check_ltlspec -P {name}\n"));
        let (output, xml) = run_nusmv(&nusmv, &model.text, &commands);
        let first = xml.map(|xml| read_xml(&xml, &model.variables).unwrap());
        (verdicts(&output), first, output)
    };
    let mut ts = liveness();
    let (found, lasso, output) = check(&ts);
    assert_eq!(found, [false, true, false, false], "{output}");
    let lasso = lasso.unwrap();
    let mut states = vec![];
    lasso.run.frames(&ts, |frame| states.push(frame.states().clone()));
    let start = *lasso.loops.first().expect("a lasso has a loop");
    assert_eq!(states[start], *states.last().unwrap(), "{lasso:?}");
    assert_eq!(read_text(&output, &write(&ts).variables).unwrap().run, lasso.run);

    // Fairness that wants the bit on for ever leaves the first and the last.
    let bit = ts.states[StateId::new(0)].expr;
    ts.fairness.push(named("on", bit));
    assert_eq!(check(&ts).0, [false, true, false, false]);
    // A constraint that is violated in the end leaves no infinite run.
    let full = ts.bads[0].value;
    let never = ts.pool.not(full);
    ts.constraints.push(named("never full", never));
    let (found, _, output) = check(&ts);
    assert_eq!(found, [true, true, true, true], "{output}");
    // One that forbids the bit.
    let off = ts.pool.not(bit);
    ts.constraints = vec![named("off", off)];
    ts.fairness.clear();
    assert_eq!(check(&ts).0, [true, true, false, false]);
}

#[test]
fn text_of_a_model() {
    let mut ts = liveness();
    let x = ts.inputs[InputId::new(0)].expr;
    ts.constraints.push(named("x", x));
    ts.inputs[InputId::new(0)].name = "T1.f.x\n".into();
    ts.states[StateId::new(0)].name = "__next".into();
    ts.states[StateId::new(1)].name = "next".into();
    let model = write(&ts);
    let expected = "\
MODULE main
VAR T1_f_x_ : boolean; -- T1.f.x
VAR v__next : boolean; -- __next
VAR next_2 : unsigned word[2]; -- next
VAR violated : boolean;
DEFINE __e5 := next_2 + 0ud2_1;
DEFINE __e6 := next_2 = 0ud2_3;
DEFINE __e7 := (__e6 ? next_2 : __e5);
DEFINE __e8 := !v__next;
DEFINE __e9 := !__e6;
ASSIGN init(v__next) := FALSE;
ASSIGN next(v__next) := T1_f_x_;
ASSIGN init(next_2) := 0ud2_0;
ASSIGN next(next_2) := __e7;
DEFINE __legal := !violated & T1_f_x_;
ASSIGN init(violated) := FALSE;
ASSIGN next(violated) := !__legal;
INVARSPEC NAME full := !(__e6 & __legal);
LTLSPEC NAME toggles := !(G F v__next & G F __e8 & G __legal);
LTLSPEC NAME keeps_counting := !(G F __e9 & G __legal);
LTLSPEC NAME off_for_ever := !(G F __e8 & G __legal);
LTLSPEC NAME nothing := !(G __legal);
";
    assert_eq!(model.text, expected);
    ts.justice.clear();
    assert!(write(&ts).text.contains("INVAR T1_f_x_;\n"));
}

#[test]
fn identifiers_are_unique() {
    let mut names = name::Names::new();
    let made: Vec<String> =
        ["a.b", "a_b", "a b", "a_b_2", "X", "case", "", "9", "\u{e9}", "__e1", "main"]
            .iter()
            .map(|n| names.identifier(n))
            .collect();
    let expected =
        ["a_b", "a_b_2", "a_b_3", "a_b_2_2", "X_2", "case_2", "v", "v9", "v_", "v__e1", "main_2"];
    assert_eq!(made, expected);
}

#[test]
fn values() {
    assert_eq!(value::parse("0ud4_10", 4), Some(10));
    assert_eq!(value::parse("0uh8_f_f", 8), Some(255));
    assert_eq!(value::parse("0b4_1010", 4), Some(10));
    assert_eq!(value::parse("TRUE", 1), Some(1));
    assert_eq!(value::parse("0ud1_1", 1), Some(1));
    for text in ["", "0", "0ud4_16", "0ud5_1", "0ud4_", "0ud4_-1", "0ud4_+1", "TRUE", "0ux4_1"] {
        assert_eq!(value::parse(text, 4), None, "{text}");
    }
    assert_eq!(value::parse(&value::constant(u128::MAX, 128), 128), Some(u128::MAX));
}

/// Two frames of [`liveness`] in either form.
const XML: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<counter-example type="0" desc="Counterexample" >
<node><state id="1"><value variable="x">TRUE</value><value variable="bit">FALSE</value>
<value variable="number">0ud2_0</value><value variable="__e5">0ud2_1</value></state></node>
<node><combinatorial id="2"><value variable="x">TRUE</value></combinatorial>
<state id="2"><value variable="x">FALSE</value><value variable="bit">TRUE</value>
<value variable="number">0ud2_1</value></state></node>
<loops> 1, 2 </loops>
</counter-example>
"#;
const TEXT: &str = "\
-- specification !( G ( F bit))  is false
Trace Type: Counterexample 
-- Loop starts here
-> State: 1.1 <-
  x = TRUE
  bit = FALSE
  number = 0ud2_0
-- Loop starts here
-> State: 1.2 <-
  x = FALSE
  bit = TRUE
  number = 0ud2_1
-> State: 2.1 <-
  x = FALSE
";

#[test]
fn traces_in_both_forms() {
    let ts = liveness();
    let model = write(&ts);
    let expected = SmvTrace {
        run: Run {
            initial: IndexVec::from_vec(vec![0, 0]),
            inputs: [1, 0].map(|v| IndexVec::from_vec(vec![v])).to_vec(),
        },
        loops: vec![0, 1],
    };
    assert_eq!(read_xml(XML, &model.variables), Ok(expected.clone()));
    assert_eq!(read_text(TEXT, &model.variables), Ok(expected));
}

#[test]
fn faults_are_located() {
    use TraceErrorKind::*;
    let ts = liveness();
    let model = write(&ts);
    let xml = |from: &str, to: &str| {
        let error = read_xml(&XML.replacen(from, to, 1), &model.variables).expect_err(from);
        (error.line, error.kind)
    };
    assert_eq!(xml("0ud2_0", "0ud3_0"), (4, Value("0ud3_0".into())));
    assert_eq!(
        xml("id=\"2\"><value variable=\"x\">FALSE", "id=\"3\"><value variable=\"x\">FALSE"),
        (6, StateNumber("3".into()))
    );
    assert_eq!(xml(" 1, 2 ", " 3 "), (8, Loop("3".into())));
    assert_eq!(xml("variable=\"number\"", "variable=\"other\""), (9, Missing("number".into())));
    assert!(matches!(xml("</state></node>", "</state>"), (_, Xml(_))));
    assert!(matches!(xml("variable=\"x\"", "name=\"x\""), (3, Xml(_))));
    assert_eq!(read_xml("", &model.variables).unwrap_err().kind, Empty);
    let text = |from: &str, to: &str| {
        let error = read_text(&TEXT.replacen(from, to, 1), &model.variables).expect_err(from);
        (error.line, error.kind)
    };
    assert_eq!(text("0ud2_1", "3"), (12, Value("3".into())));
    assert_eq!(text("State: 1.2", "State: 1.3"), (9, StateNumber("1.3".into())));
    assert_eq!(text("  bit = FALSE\n", ""), (12, Missing("bit".into())));
    assert_eq!(read_text("", &model.variables).unwrap_err(), TraceError { line: 1, kind: Empty });
}

#[test]
fn every_random_system_is_written() {
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let options = RandomOptions::everything(&mut rng);
        let ts = random_system(&mut rng, &options);
        let model = write(&ts);
        assert_eq!(write(&ts).text, model.text);
        // A run in the text form of traces is read back.
        let run = random_run(&mut rng, &ts, 3);
        let mut text = String::new();
        let mut frame = 0;
        run.frames(&ts, |values| {
            frame += 1;
            text += &format!("-> State: 1.{frame} <-\n");
            let inputs = ts.inputs.iter().map(|i| i.expr);
            let leaves = inputs.chain(ts.states.iter().map(|s| s.expr));
            for (variable, e) in model.variables.iter().zip(leaves) {
                let value = value::constant(values.value(e), variable.width);
                text += &format!("  {} = {value}\n", variable.name);
            }
        });
        if !ts.inputs.is_empty() || !ts.states.is_empty() {
            assert_eq!(read_text(&text, &model.variables).unwrap().run, run, "seed {seed}");
        }
    }
}
