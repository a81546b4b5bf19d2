//! The conformance suite: every test runs on every back end.

use std::time::{Duration, Instant};

use super::*;
use crate::base::{Budget, Cancel, Id, Rng, Stop};

fn each(test: impl Fn(Backend)) {
    for backend in Backend::ALL {
        test(backend);
    }
}

fn solve(s: &mut dyn Solver, assumptions: &[Lit]) -> Answer {
    s.solve(assumptions, &Budget::unlimited())
}

fn vars(s: &mut dyn Solver, n: usize) -> Vec<Lit> {
    (0..n).map(|_| s.new_var().into()).collect()
}

/// Whether the clause holds when variable k has bit k of `model`.
fn holds(clause: &[Lit], model: usize) -> bool {
    clause.iter().any(|l| (model >> l.var().index() & 1 == 1) != l.is_negated())
}

fn random_clause(rng: &mut Rng, vars: &[Lit], len: usize) -> Vec<Lit> {
    (0..len).map(|_| rng.pick(vars).xor(rng.one_in(2))).collect()
}

/// Is there a model of the clauses and unit clauses, by enumeration?
fn brute_force(n: usize, clauses: &[Vec<Lit>], units: &[Lit]) -> bool {
    (0..1usize << n)
        .any(|m| clauses.iter().all(|c| holds(c, m)) && units.iter().all(|&u| holds(&[u], m)))
}

/// `pigeons` pigeons in one hole less: unsatisfiable and hard.
fn pigeons(s: &mut dyn Solver, pigeons: usize) {
    let holes = pigeons - 1;
    let at: Vec<Vec<Lit>> = (0..pigeons).map(|_| vars(s, holes)).collect();
    for place in &at {
        s.add_clause(place);
    }
    for (p, first) in at.iter().enumerate() {
        for second in &at[..p] {
            for (&a, &b) in first.iter().zip(second) {
                s.add_clause(&[!a, !b]);
            }
        }
    }
}

#[test]
fn random_3_sat_agrees_with_enumeration() {
    each(|backend| {
        let (mut sat, mut unsat) = (0, 0);
        for seed in 0..150 {
            let mut rng = Rng::new(seed);
            let n = 1 + rng.below(12);
            let mut s = backend.solver();
            let x = vars(&mut *s, n);
            let mut clauses = vec![];
            // Batches that straddle the threshold of about 4.3 clauses a variable.
            for _ in 0..6 {
                for _ in 0..n {
                    let clause = random_clause(&mut rng, &x, 3);
                    s.add_clause(&clause);
                    clauses.push(clause);
                }
                let expected = brute_force(n, &clauses, &[]);
                let answer = solve(&mut *s, &[]);
                let wanted = if expected { Answer::Sat } else { Answer::Unsat };
                assert_eq!(answer, wanted, "{backend}, seed {seed}");
                if expected {
                    sat += 1;
                    for c in &clauses {
                        assert!(c.iter().any(|&l| s.value(l)), "{backend}, seed {seed}: model");
                    }
                } else {
                    unsat += 1;
                }
            }
            assert_eq!(s.stats(), Stats { vars: n, clauses: 6 * n, solves: 6 });
        }
        assert!(sat > 100 && unsat > 100, "the test should see both answers: {sat}, {unsat}");
    });
}

#[test]
fn assumptions_and_failed_ones_agree_with_enumeration() {
    each(|backend| {
        let mut failures = 0;
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let n = 4 + rng.below(7);
            let mut s = backend.solver();
            let x = vars(&mut *s, n);
            let mut clauses: Vec<Vec<Lit>> = vec![];
            for _ in 0..8 {
                for _ in 0..rng.below(n) {
                    let len = 1 + rng.below(4);
                    let clause = random_clause(&mut rng, &x, len.max(2));
                    s.add_clause(&clause);
                    clauses.push(clause);
                }
                let assumed: Vec<Lit> =
                    x.iter().filter(|_| rng.one_in(2)).copied().collect::<Vec<_>>();
                let assumed: Vec<Lit> = assumed.iter().map(|l| l.xor(rng.one_in(2))).collect();
                match solve(&mut *s, &assumed) {
                    Answer::Sat => {
                        assert!(assumed.iter().all(|&l| s.value(l) && !s.value(!l)));
                        assert!(clauses.iter().all(|c| c.iter().any(|&l| s.value(l))));
                    }
                    Answer::Unsat => {
                        let core: Vec<Lit> =
                            assumed.iter().filter(|&&l| s.failed(l)).copied().collect();
                        assert!(!brute_force(n, &clauses, &core), "{backend}, seed {seed}");
                        if !brute_force(n, &clauses, &[]) {
                            break;
                        }
                        assert!(!core.is_empty());
                        failures += 1;
                    }
                    Answer::Unknown(_) => panic!("{backend} gave up"),
                }
            }
        }
        assert!(failures > 100, "the test should see failed assumptions: {failures}");
    });
}

#[test]
fn core_leaves_out_what_is_not_needed() {
    each(|backend| {
        let mut s = backend.solver();
        let x = vars(&mut *s, 4);
        s.add_clause(&[!x[0], !x[1]]);
        assert_eq!(solve(&mut *s, &[x[2], x[0], !x[3], x[1]]), Answer::Unsat);
        assert!(s.failed(x[0]) && s.failed(x[1]), "{backend}");
        assert!(!s.failed(x[2]) && !s.failed(!x[3]), "{backend}");
        assert_eq!(solve(&mut *s, &[x[0], !x[1]]), Answer::Sat);
    });
}

#[test]
fn contradictory_assumptions_fail() {
    each(|backend| {
        let mut s = backend.solver();
        let x: Lit = s.new_var().into();
        assert_eq!(solve(&mut *s, &[x, !x]), Answer::Unsat);
        assert!(s.failed(x) || s.failed(!x), "{backend}");
        assert_eq!(solve(&mut *s, &[x]), Answer::Sat);
        assert!(s.value(x));
    });
}

#[test]
fn empty_clause_and_no_clause() {
    each(|backend| {
        let mut s = backend.solver();
        assert_eq!(solve(&mut *s, &[]), Answer::Sat);
        let x: Lit = s.new_var().into();
        assert_eq!(solve(&mut *s, &[!x]), Answer::Sat);
        assert!(s.value(!x) && !s.value(x));
        s.add_clause(&[]);
        assert_eq!(solve(&mut *s, &[x]), Answer::Unsat);
        assert!(!s.failed(x), "{backend} blames an assumption for an empty clause");
        s.add_clause(&[x]);
        assert_eq!(solve(&mut *s, &[]), Answer::Unsat);
    });
}

#[test]
fn variables_made_after_the_answer_have_a_value() {
    each(|backend| {
        let mut s = backend.solver();
        let x: Lit = s.new_var().into();
        s.add_clause(&[x]);
        assert_eq!(solve(&mut *s, &[]), Answer::Sat);
        let y: Lit = s.new_var().into();
        assert!(s.value(x));
        assert_ne!(s.value(y), s.value(!y), "{backend}");
    });
}

#[test]
#[should_panic(expected = "there is no model")]
fn cadical_has_no_value_after_a_new_clause() {
    value_after_clause(Backend::Cadical);
}

#[test]
#[should_panic(expected = "there is no model")]
fn batsat_has_no_value_after_a_new_clause() {
    value_after_clause(Backend::Batsat);
}

fn value_after_clause(backend: Backend) {
    let mut s = backend.solver();
    let x: Lit = s.new_var().into();
    s.add_clause(&[x]);
    assert_eq!(solve(&mut *s, &[]), Answer::Sat);
    s.add_clause(&[x]);
    s.value(x);
}

#[test]
fn timeout_ends_a_hard_question_soon() {
    each(|backend| {
        let mut s = backend.solver();
        pigeons(&mut *s, 14);
        let limit = Duration::from_millis(300);
        let budget = Budget::new(Some(limit), None, Cancel::new());
        let start = Instant::now();
        let answer = s.solve(&[], &budget);
        assert_eq!(answer, Answer::Unknown(Stop::Timeout(limit)), "{backend}");
        assert!(start.elapsed() < Duration::from_secs(5), "{backend}: {:?}", start.elapsed());
        // The solver is still usable.
        let x: Lit = s.new_var().into();
        s.add_clause(&[x]);
        s.add_clause(&[!x]);
        assert_eq!(solve(&mut *s, &[]), Answer::Unsat);
    });
}

#[test]
fn cancellation_ends_a_hard_question_soon() {
    each(|backend| {
        let mut s = backend.solver();
        pigeons(&mut *s, 14);
        let cancel = Cancel::new();
        let budget = Budget::new(None, None, cancel.clone());
        let start = Instant::now();
        let other = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            cancel.cancel();
        });
        assert_eq!(s.solve(&[], &budget), Answer::Unknown(Stop::Cancelled), "{backend}");
        assert!(start.elapsed() < Duration::from_secs(5), "{backend}: {:?}", start.elapsed());
        assert!(start.elapsed() >= Duration::from_millis(200), "{backend}");
        other.join().expect("the thread only sleeps");
    });
}

#[test]
fn memory_limit_ends_a_hard_question() {
    each(|backend| {
        let mut s = backend.solver();
        pigeons(&mut *s, 14);
        let budget = Budget::new(None, Some(1), Cancel::new());
        assert_eq!(s.solve(&[], &budget), Answer::Unknown(Stop::Memory(1)), "{backend}");
    });
}

#[test]
fn an_exhausted_budget_stops_before_an_easy_question() {
    each(|backend| {
        let mut s = backend.solver();
        let cancel = Cancel::new();
        cancel.cancel();
        let budget = Budget::new(None, None, cancel);
        assert_eq!(s.solve(&[], &budget), Answer::Unknown(Stop::Cancelled));
    });
}

#[test]
fn names_are_parsed_back() {
    each(|backend| assert_eq!(backend.name().parse(), Ok(backend)));
    assert!("minisat".parse::<Backend>().unwrap_err().contains("cadical, batsat"));
    each(|backend| {
        assert_ne!(backend.other(), backend);
        assert_eq!(backend.solver().backend(), backend);
    });
}

/// Gates over inputs, known to a solver as definitions.
struct Circuit {
    inputs: Vec<Lit>,
    /// Each gate with its operands, whose conjunction it is.
    gates: Vec<(Lit, [Lit; 2])>,
}

impl Circuit {
    fn random(rng: &mut Rng, s: &mut dyn Solver) -> Self {
        let inputs = vars(s, 1 + rng.below(7));
        let (mut lits, mut gates) = (inputs.clone(), vec![]);
        for _ in 0..rng.below(20) {
            let x: Lit = s.new_var().into();
            let [a, b] = [(); 2].map(|()| rng.pick(&lits).xor(rng.one_in(2)));
            let clauses: [&[Lit]; 3] = [&[!x, a], &[!x, b], &[x, !a, !b]];
            s.add_definition(x.var(), &[a, b], &clauses);
            gates.push((x, [a, b]));
            lits.push(x);
        }
        Self { inputs, gates }
    }

    fn lits(&self) -> Vec<Lit> {
        self.inputs.iter().copied().chain(self.gates.iter().map(|g| g.0)).collect()
    }

    /// A model as for `holds`; bit k of `word` is the value of the k-th input.
    fn model(&self, word: usize) -> usize {
        let bit = |lit: Lit, value: bool| usize::from(value) << lit.var().index();
        let inputs = self.inputs.iter().enumerate();
        let mut model = inputs.map(|(k, &x)| bit(x, word >> k & 1 == 1)).sum();
        for &(x, [a, b]) in &self.gates {
            model |= bit(x, holds(&[a], model) && holds(&[b], model));
        }
        model
    }

    /// Whether some model meets the clauses and the assumptions.
    fn allows(&self, clauses: &[Vec<Lit>], assumed: &[Lit]) -> bool {
        (0..1usize << self.inputs.len()).map(|word| self.model(word)).any(|model| {
            clauses.iter().all(|c| holds(c, model)) && assumed.iter().all(|&l| holds(&[l], model))
        })
    }
}

#[test]
fn definitions_and_passing_clauses_agree_with_enumeration() {
    each(|backend| {
        let (mut sat, mut failures, mut open) = (0, 0, 0);
        for seed in 0..300 {
            let mut rng = Rng::new(seed);
            let mut s = backend.solver();
            let circuit = Circuit::random(&mut rng, &mut *s);
            let lits = circuit.lits();
            let mut clauses: Vec<Vec<Lit>> = vec![];
            for question in 0..12 {
                let at = format!("{backend}, seed {seed}, question {question}");
                if rng.one_in(3) {
                    let len = 1 + rng.below(4);
                    clauses.push(random_clause(&mut rng, &lits, len));
                    s.add_clause(clauses.last().expect("just added"));
                }
                let len = rng.below(4);
                let assumed = random_clause(&mut rng, &lits, len);
                let len = rng.below(5);
                let passing = rng.one_in(2).then(|| random_clause(&mut rng, &lits, len));
                let all: Vec<Vec<Lit>> = clauses.iter().chain(&passing).cloned().collect();
                let answer = match &passing {
                    Some(clause) => s.solve_with(clause, &assumed, &Budget::unlimited()),
                    None => solve(&mut *s, &assumed),
                };
                if answer == Answer::Unsat {
                    let failed = |l: &&Lit| s.failed(**l);
                    let core: Vec<Lit> = assumed.iter().filter(failed).copied().collect();
                    assert!(!circuit.allows(&all, &core), "{at}");
                    failures += usize::from(!core.is_empty());
                    continue;
                }
                // Whatever the open inputs are, the rest is as the model says.
                let word = circuit.inputs.iter().enumerate().map(|(k, &x)| {
                    let value = if s.is_open(x) { rng.one_in(2) } else { s.value(x) };
                    usize::from(value) << k
                });
                let model = circuit.model(word.sum());
                assert!(all.iter().all(|c| holds(c, model)), "{at}");
                assert!(assumed.iter().all(|&l| holds(&[l], model)), "{at}");
                for &lit in lits.iter().filter(|&&l| !s.is_open(l)) {
                    assert_eq!(s.value(lit), holds(&[lit], model), "{at}: {lit:?}");
                }
                sat += 1;
                open += lits.iter().filter(|&&l| s.is_open(l)).count();
            }
        }
        assert!(sat > 500 && failures > 500, "{backend}: {sat} {failures}");
        assert_eq!(open > 1000, backend == Backend::Scoped, "{backend}: {open}");
    });
}

/// Long searches: restarts, removal of learned clauses, and reuse of memory.
#[test]
fn hard_questions_agree() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..6 {
        let mut rng = Rng::new(seed);
        let mut solvers = Backend::ALL.map(Backend::solver);
        let n = 130;
        let [x, ..] = solvers.each_mut().map(|s| vars(&mut **s, n));
        let clauses: Vec<_> = (0..n * 41 / 10).map(|_| random_clause(&mut rng, &x, 3)).collect();
        for s in &mut solvers {
            clauses.iter().for_each(|c| s.add_clause(c));
        }
        for _ in 0..5 {
            let assumed = random_clause(&mut rng, &x, 3);
            let answers = solvers.each_mut().map(|s| solve(&mut **s, &assumed));
            assert!(answers.iter().all(|a| *a == answers[0]), "seed {seed}: {answers:?}");
            if answers[0] == Answer::Sat {
                let models = |c: &Vec<Lit>| solvers.iter().all(|s| c.iter().any(|&l| s.value(l)));
                assert!(clauses.iter().all(models), "seed {seed}");
                sat += 1;
            } else {
                unsat += 1;
            }
            let clause = random_clause(&mut rng, &x, 3);
            solvers.iter_mut().for_each(|s| s.add_clause(&clause));
        }
    }
    assert!(sat > 5 && unsat > 5, "{sat} {unsat}");
}
