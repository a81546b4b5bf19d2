use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::{Answer, EngineOptions, Fault, Member, Plan, PlanError, Solved, preset, solve};
use crate::aig::{Aig, Lit, Named, Reset};
use crate::base::{Budget, Cancel, Stop};
use crate::engine::bmc::Bmc;
use crate::engine::external::{Search, ToolKind};
use crate::engine::tests::reference::{Kind, Sample, is_run, reachable};
use crate::engine::{Capabilities, Engine, Problem, Progress, Silent};
use crate::outcome::{Certificate, Reason, Trace, Verdict};

/// An engine that does as it is told.
#[derive(Clone)]
struct Puppet {
    name: &'static str,
    /// The answer about each property (position in the circuit's).
    answer: fn(usize) -> Verdict,
    /// How long it takes; it looks at its budget meanwhile.
    takes: Duration,
    /// Whether it does not look at its budget.
    deaf: bool,
    runs: Arc<AtomicUsize>,
}

impl Puppet {
    fn new(name: &'static str, millis: u64, answer: fn(usize) -> Verdict) -> Self {
        Puppet {
            name,
            answer,
            takes: Duration::from_millis(millis),
            deaf: false,
            runs: Arc::default(),
        }
    }

    fn member(&self) -> Member {
        Member::embedded(self.clone())
    }

    fn external(&self) -> Member {
        Member { external: true, ..self.member() }
    }
}

impl Engine for Puppet {
    fn name(&self) -> &'static str {
        self.name
    }
    fn description(&self) -> &'static str {
        "a puppet"
    }
    fn capabilities(&self) -> Capabilities {
        Bmc::default().capabilities()
    }
    fn run(&self, problem: &Problem, _: &mut dyn Progress, budget: &Budget) -> Vec<Verdict> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        let end = budget.elapsed() + self.takes;
        while budget.elapsed() < end {
            if let Some(stop) = budget.check().filter(|_| !self.deaf) {
                let unknown = Verdict::Unknown(Reason::Stopped { stop, depth: Some(3) });
                return vec![unknown; problem.bads.len()];
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        problem.bads.iter().map(|&bad| (self.answer)(bad)).collect()
    }
}

/// Property 0 is violated in frame 1 if the input is 1 in frame 0; property 1 holds.
fn circuit() -> Aig {
    let mut aig = Aig::new();
    let input = aig.input(None);
    let [seen, twin] = [(); 2].map(|()| aig.latch(Reset::Zero, None));
    aig.set_next(seen, input);
    aig.set_next(twin, input);
    let differ = aig.and(seen, !twin);
    aig.bads.push(Named { value: seen, name: None });
    aig.bads.push(Named { value: differ, name: None });
    aig
}

fn violation(bad: usize) -> Verdict {
    let inputs = vec![vec![true], vec![false]];
    Verdict::Unsafe(Trace { bad, initial: vec![false; 2], inputs })
}

/// That latch 1 is 1 where latch 0 is.
fn proof(_: usize) -> Verdict {
    Verdict::Safe(Certificate::Invariant { clauses: vec![vec![(0, false), (1, true)]] })
}

fn right(bad: usize) -> Verdict {
    if bad == 0 { violation(0) } else { proof(1) }
}

fn claim(_: usize) -> Verdict {
    Verdict::Safe(Certificate::Claim)
}

fn unknown(_: usize) -> Verdict {
    Verdict::Unknown(Reason::Tool("no idea".into()))
}

fn plan(members: Vec<Member>, slots: usize) -> Plan {
    Plan { name: "test", members, missing: vec![], slots, first: false }
}

fn run(plan: &Plan, budget: &Budget) -> Result<Solved, Fault> {
    let aig = circuit();
    solve(plan, &Problem::new(&aig), &mut |_, _| Ok(()), &mut Silent, budget)
}

fn in_time() -> Budget {
    Budget::new(Some(Duration::from_secs(100)), None, Cancel::new())
}

fn answers(solved: &Solved) -> Vec<(&str, Option<&'static str>)> {
    let word = |a: &Answer| match a.verdict {
        Verdict::Safe(_) if a.audited => "safe",
        Verdict::Safe(_) => "safe?",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(_) => "unknown",
    };
    solved.answers.iter().map(|a| (word(a), a.by)).collect()
}

const RIGHT: [&str; 2] = ["unsafe", "safe"];

fn words(solved: &Solved) -> Vec<&str> {
    answers(solved).into_iter().map(|(word, _)| word).collect()
}

#[test]
fn the_first_accepted_answer_ends_the_others() {
    let budget = in_time();
    let slow = Puppet::new("slow", 90_000, right);
    let plan = plan(vec![slow.member(), Puppet::new("fast", 10, right).member()], 2);
    let solved = run(&plan, &budget).unwrap();
    assert_eq!(answers(&solved), [("unsafe", Some("fast")), ("safe", Some("fast"))]);
    assert!(budget.elapsed() < Duration::from_secs(50));
    let shown: Vec<String> = solved.members.iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["slow, stopped at depth 3", "fast answered 2"]);
}

#[test]
fn what_does_not_stop_is_left_to_itself() {
    let deaf = Puppet { deaf: true, ..Puppet::new("deaf", 90_000, right) };
    let limit = Budget::new(Some(Duration::from_millis(100)), None, Cancel::new());
    let alone = run(&plan(vec![deaf.member()], 1), &limit).unwrap();
    assert_eq!(answers(&alone), [("unknown", None); 2]);
    assert_eq!(alone.members[0].to_string(), "deaf, did not stop in time");
    assert!(limit.elapsed() < Duration::from_secs(20));

    // The next one has its place when the slice is over.
    let budget = in_time();
    let first = Member { slice: Some(Duration::from_millis(50)), ..deaf.member() };
    let plan = plan(vec![first, Puppet::new("next", 10, right).member()], 1);
    let solved = run(&plan, &budget).unwrap();
    assert_eq!(answers(&solved), [("unsafe", Some("next")), ("safe", Some("next"))]);
    assert!(budget.elapsed() < Duration::from_secs(20));
}

#[test]
fn each_property_may_have_an_answer_of_another() {
    let one = Puppet::new("one", 10, |bad| if bad == 0 { violation(0) } else { unknown(1) });
    let two = Puppet::new("two", 100, |bad| if bad == 1 { proof(1) } else { unknown(0) });
    for slots in [1, 2] {
        let plan = plan(vec![one.member(), two.member()], slots);
        let solved = run(&plan, &in_time()).unwrap();
        assert_eq!(answers(&solved), [("unsafe", Some("one")), ("safe", Some("two"))]);
    }
}

#[test]
fn a_wrong_answer_of_ours_is_a_fault_and_one_of_others_is_none() {
    type Lie = fn(usize) -> Verdict;
    let lies: [(Lie, usize); 3] = [
        (|_| Verdict::Safe(Certificate::Trivial), 0),
        (|_| Verdict::Safe(Certificate::Invariant { clauses: vec![] }), 0),
        (|bad| violation(bad), 1),
    ];
    for (lie, bad) in lies {
        let liar = Puppet::new("liar", 0, lie);
        let own = run(&plan(vec![liar.member()], 1), &in_time());
        assert!(matches!(own, Err(Fault::Refuted("liar", _))), "{own:?}");

        let alone = run(&plan(vec![liar.external()], 1), &in_time()).unwrap();
        assert_eq!(answers(&alone)[bad], ("unknown", None));
        let Verdict::Unknown(Reason::Tool(why)) = &alone.answers[bad].verdict else {
            panic!("{alone:?}")
        };
        assert!(why.starts_with("liar: the audit refutes"), "{why}");

        let both = vec![liar.external(), Puppet::new("honest", 50, right).member()];
        assert_eq!(words(&run(&plan(both, 2), &in_time()).unwrap()), RIGHT);
    }
}

#[test]
fn a_counterexample_that_does_not_replay_is_a_fault() {
    let aig = circuit();
    let plan = plan(vec![Puppet::new("one", 0, right).external()], 1);
    let mut replay = |_: usize, _: &Trace| Err("nobody moved".into());
    let result = solve(&plan, &Problem::new(&aig), &mut replay, &mut Silent, &in_time());
    assert_eq!(result, Err(Fault::Replay("nobody moved".into())));
}

#[test]
fn a_claim_waits_for_better_answers_and_is_doubted() {
    let liar = Puppet::new("liar", 0, claim);
    // Others may refute or prove it.
    let both = vec![liar.external(), Puppet::new("honest", 200, right).member()];
    let solved = run(&plan(both, 2), &in_time()).unwrap();
    assert_eq!(answers(&solved), [("unsafe", Some("honest")), ("safe", Some("honest"))]);
    // Nobody does: bounded model checking finds the violation. What it does not find is accepted
    // as a claim.
    for others in [vec![], vec![Puppet::new("idle", 10, unknown).member()]] {
        let members = [liar.external()].into_iter().chain(others).collect();
        let solved = run(&plan(members, 2), &in_time()).unwrap();
        assert_eq!(answers(&solved), [("unsafe", Some("bmc")), ("safe?", Some("liar"))]);
        assert_eq!(solved.answers[1].verdict, claim(1));
    }
}

#[test]
fn a_proof_that_was_not_audited_waits_for_half_of_the_time_that_is_left() {
    let limit = Duration::from_secs(4);
    let budget = Budget::new(Some(limit), None, Cancel::new());
    let claims = Puppet::new("claims", 0, |bad| if bad == 0 { violation(0) } else { claim(1) });
    let members = vec![claims.member(), Puppet::new("slow", 90_000, right).member()];
    let solved = run(&plan(members, 2), &budget).unwrap();
    let took = budget.elapsed();
    assert_eq!(answers(&solved), [("unsafe", Some("claims")), ("safe?", Some("claims"))]);
    assert!(took >= limit / 4 && took < limit, "{took:?}");
}

#[test]
fn members_wait_for_a_core_and_take_turns() {
    let slow = Puppet::new("slow", 90_000, right);
    let mut member = slow.member();
    member.slice = Some(Duration::from_millis(50));
    let fast = Puppet::new("fast", 100, |bad| if bad == 0 { violation(0) } else { unknown(1) });
    let last = Puppet::new("last", 100, right);
    let plan = plan(vec![member, fast.member(), last.member()], 1);
    let solved = run(&plan, &in_time()).unwrap();
    assert_eq!(answers(&solved), [("unsafe", Some("fast")), ("safe", Some("last"))]);
    assert_eq!(
        slow.runs.load(Ordering::Relaxed),
        1,
        "it would have started again after the others"
    );
}

#[test]
fn a_member_whose_slice_is_over_starts_again_with_a_longer_one() {
    // It needs 400 ms, and the slices are 100, 200, 400 ms.
    let patient = Puppet::new("patient", 300, right);
    let mut first = patient.member();
    first.slice = Some(Duration::from_millis(100));
    let idle = Puppet::new("idle", 90_000, right);
    let mut second = idle.member();
    second.slice = Some(Duration::from_millis(20));
    let solved = run(&plan(vec![first, second], 1), &in_time()).unwrap();
    assert_eq!(answers(&solved), [("unsafe", Some("patient")), ("safe", Some("patient"))]);
    assert!(patient.runs.load(Ordering::Relaxed) >= 3);
}

#[test]
fn limits_and_interrupts_end_all() {
    let limit = Duration::from_millis(200);
    let budget = Budget::new(Some(limit), None, Cancel::new());
    let two = || {
        let puppet = |name| Puppet::new(name, 90_000, right).member();
        plan(vec![puppet("one"), puppet("two"), puppet("three")], 2)
    };
    let solved = run(&two(), &budget).unwrap();
    let stopped = |stop| Verdict::Unknown(Reason::Stopped { stop, depth: Some(3) });
    assert!(
        solved.answers.iter().all(|a| a.verdict == stopped(Stop::Timeout(limit))),
        "{solved:?}"
    );

    let cancel = Cancel::new();
    let budget = Budget::new(None, None, cancel.clone());
    let raiser = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        cancel.cancel();
    });
    let solved = run(&two(), &budget).unwrap();
    assert!(solved.answers.iter().all(|a| a.verdict == stopped(Stop::Cancelled)), "{solved:?}");
    raiser.join().unwrap();
}

#[test]
fn violations_end_the_rest_where_they_are_enough() {
    let aig = circuit();
    let one = Puppet::new("one", 0, |bad| if bad == 0 { violation(0) } else { unknown(1) });
    let slow = Puppet::new("slow", 90_000, right);
    let members = || vec![one.member(), slow.member()];
    let first = Plan { first: true, ..plan(members(), 2) };
    let solved = run(&first, &in_time()).unwrap();
    assert_eq!(solved.answers[1].verdict, Verdict::Unknown(Reason::FirstOnly(Some(1))));
    let problem = Problem { asked: vec![0], ..Problem::new(&aig) };
    let solved =
        solve(&plan(members(), 2), &problem, &mut |_, _| Ok(()), &mut Silent, &in_time()).unwrap();
    assert_eq!(solved.answers[1].verdict, Verdict::Unknown(Reason::AllAskedViolated(Some(1))));
}

/// Answers when others have answered about property 0.
struct Listener;

impl Engine for Listener {
    fn name(&self) -> &'static str {
        "listener"
    }
    fn description(&self) -> &'static str {
        "listens"
    }
    fn capabilities(&self) -> Capabilities {
        Bmc::default().capabilities()
    }
    fn run(&self, problem: &Problem, progress: &mut dyn Progress, budget: &Budget) -> Vec<Verdict> {
        let at = problem.bads.iter().position(|&b| b == 0).expect("it starts first");
        while !progress.is_closed(at) && budget.check().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let closed = |k| progress.is_closed(k);
        problem
            .bads
            .iter()
            .enumerate()
            .map(|(k, _)| if closed(k) { unknown(k) } else { proof(1) })
            .collect()
    }
}

#[test]
fn members_hear_what_others_have_answered() {
    let listener = Member::embedded(Listener);
    let one = Puppet::new("one", 0, |bad| if bad == 0 { violation(0) } else { unknown(1) });
    let solved = run(&plan(vec![listener, one.member()], 2), &in_time()).unwrap();
    assert_eq!(answers(&solved), [("unsafe", Some("one")), ("safe", Some("listener"))]);
}

/// An implicit property is pursued when the asked ones are proved, by members that start late.
#[test]
fn implicit_properties_are_pursued_after_proofs() {
    let mut aig = circuit();
    aig.bads.swap(0, 1);
    let problem = Problem { asked: vec![0], ..Problem::new(&aig) };
    let prover = Puppet::new("one", 0, |bad| if bad == 0 { proof(0) } else { unknown(1) });
    let bmc = Member::embedded(Bmc::default());
    let plan = plan(vec![prover.member(), bmc], 1);
    let solved = solve(&plan, &problem, &mut |_, _| Ok(()), &mut Silent, &in_time()).unwrap();
    assert_eq!(answers(&solved), [("safe", Some("one")), ("unsafe", Some("bmc"))]);
}

#[test]
fn memory_is_shared_out() {
    let member = |external| {
        let puppet = Puppet::new("one", 0, right);
        if external { puppet.external() } else { puppet.member() }
    };
    let shares = |externals: &[bool], slots| {
        plan(externals.iter().map(|&e| member(e)).collect(), slots).memory(1000)
    };
    assert_eq!(shares(&[false], 1), (1000, 1000));
    assert_eq!(shares(&[false, false, true, true], 2), (500, 500));
    assert_eq!(shares(&[false, false, false, true], 4), (250, 750));
    assert_eq!(shares(&[false, false], 2), (500, 1000));
    assert_eq!(shares(&[true], 4), (1000, 1000));
}

#[test]
fn every_preset_is_read_and_works_with_no_tool() {
    let none = Search::default();
    for name in preset::names() {
        let plan = Plan::new(&format!("portfolio:{name}"), 2, EngineOptions::default(), &none);
        let plan = plan.unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(!plan.members.is_empty() && plan.members.iter().all(|m| !m.external), "{name}");
        let solved = run(&plan, &in_time()).unwrap();
        assert_eq!(words(&solved)[0], "unsafe", "{name}");
    }
}

#[test]
fn what_runs_beside_others_takes_no_turn_and_ends_with_them() {
    let beside = Puppet::new("beside", 90_000, right);
    let aside = Member { beside: true, ..beside.member() };
    let (one, two) = (Puppet::new("one", 20, unknown), Puppet::new("two", 20, unknown));
    let solved = run(&plan(vec![aside, one.member(), two.member()], 1), &in_time()).unwrap();
    assert_eq!(words(&solved), ["unknown", "unknown"]);
    assert!([beside, one, two].iter().all(|p| p.runs.load(Ordering::Relaxed) == 1));
    // Its answers count.
    let beside = Puppet::new("beside", 20, right);
    let aside = Member { beside: true, ..beside.member() };
    let slow = Puppet::new("slow", 90_000, unknown);
    let solved = run(&plan(vec![slow.member(), aside], 1), &in_time()).unwrap();
    assert_eq!(words(&solved), ["unsafe", "safe"]);
}

#[test]
fn choices_of_engines_are_read_strictly() {
    let none = Search::default();
    let new = |choice: &str| Plan::new(choice, 2, EngineOptions::default(), &none);
    assert_eq!(new("bmc --max-depth 3").map(|p| p.name), Ok("bmc"));
    assert_eq!(new("auto").map(|p| p.name), Ok("auto"));
    assert_eq!(new("nothing").err(), Some(PlanError::NoEngine("nothing".into())));
    assert_eq!(new("portfolio:nothing").err(), Some(PlanError::NoPreset("nothing".into())));
    assert!(matches!(new("abc-pdr"), Err(PlanError::Missing { .. })));
    for wrong in
        ["", "bmc --depth 3", "bmc --max-depth", "bmc --max-depth x", "bmc 3", "bmc --beside"]
    {
        assert!(matches!(new(wrong), Err(PlanError::Command { .. })), "{wrong}");
    }
}

#[test]
fn tools_are_found_where_they_are_named_or_on_the_path() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let put = |name: &str, mode| {
        let path = dir.path().join(name);
        std::fs::write(&path, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        path
    };
    let (abc, plain) = (put("abc", 0o755), put("NuSMV", 0o644));
    let path = dir.path().as_os_str();
    let search = Search::new(Some(path), None, |_| None);
    assert_eq!(search.find(ToolKind::Abc).map(|t| t.path), Ok(abc.clone()));
    assert!(search.find(ToolKind::Nusmv).is_err_and(|why| why.contains("LATCHWORK_NUSMV")));
    let named = Search::new(Some(path), None, |name| match name {
        "LATCHWORK_RIC3" => Some(abc.clone().into()),
        "LATCHWORK_ABC" => Some(plain.clone().into()),
        _ => Some("".into()),
    });
    assert_eq!(named.find(ToolKind::Ric3).map(|t| t.path), Ok(abc));
    assert!(named.find(ToolKind::Abc).is_err_and(|why| why.contains("NuSMV")));
    assert!(named.find(ToolKind::Nuxmv).is_err_and(|why| why.contains("PATH")));
}

/// The embedded engines side by side, and one after the other on one core, on random circuits.
#[test]
fn agrees_with_full_search() {
    let none = Search::default();
    let mut counts = [0; 3];
    for seed in 0..40 {
        for kind in [Kind::Plain, Kind::Moving, Kind::Ending] {
            let sample = Sample::random(seed, kind);
            let plan = Plan::new("portfolio:embedded", 3, EngineOptions::default(), &none).unwrap();
            let plan = Plan { slots: 1 + seed as usize % 3, ..plan };
            let mut replayed = vec![];
            let mut replay = |bad: usize, trace: &Trace| {
                assert!(trace.bad == bad && is_run(&sample.aig, trace));
                replayed.push(bad);
                Ok(())
            };
            let problem = sample.problem();
            let solved = solve(&plan, &problem, &mut replay, &mut Silent, &in_time()).unwrap();
            for (bad, &reachable) in reachable(&sample.aig).iter().enumerate() {
                let answer = &solved.answers[bad];
                let at = format!("seed {seed}, {kind:?}, property {bad}: {answer:?}");
                match &answer.verdict {
                    Verdict::Safe(_) => assert!(!reachable && answer.audited, "{at}"),
                    Verdict::Unsafe(_) => assert!(reachable && replayed.contains(&bad), "{at}"),
                    Verdict::Unknown(_) => panic!("{at}"),
                }
                counts[usize::from(reachable)] += 1;
            }
            counts[2] += usize::from(sample.aig.bads.iter().any(|b| b.value != Lit::FALSE));
        }
    }
    assert!(counts.iter().all(|&n| n > 50), "{counts:?}");
}

#[test]
#[should_panic(expected = "out of its mind")]
fn a_panic_ends_all_and_goes_on() {
    let mad = Puppet::new("mad", 10, |_| panic!("out of its mind"));
    let plan = plan(vec![mad.member(), Puppet::new("slow", 90_000, right).member()], 2);
    let _ = run(&plan, &in_time());
}
