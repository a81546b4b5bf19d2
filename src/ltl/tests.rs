//! The automaton against the meaning of formulas on words.

use super::{Arc, Automaton, FormulaId, Formulas, Marks, Requirement, fair_lasso};
use crate::base::{HashMap, Rng};

/// A random formula over the atoms 0 to 2.
pub(crate) fn random_formula(rng: &mut Rng, formulas: &mut Formulas<u32>, depth: u32) -> FormulaId {
    if depth == 0 {
        return match rng.below(7) {
            0 => formulas.constant(rng.one_in(2)),
            _ => formulas.atom(rng.below(3) as u32),
        };
    }
    let kind = rng.below(12);
    let a = random_formula(rng, formulas, depth - 1);
    match kind {
        0 | 1 => return formulas.not(a),
        2 => return formulas.next(a),
        3 => return formulas.finally(a),
        4 => return formulas.globally(a),
        _ => {}
    }
    let less = depth - 1 - rng.below(depth as usize) as u32;
    let b = random_formula(rng, formulas, less);
    match kind {
        5 => formulas.and(a, b),
        6 => formulas.or(a, b),
        7 => formulas.implies(a, b),
        8 => formulas.equal(a, b),
        9 => formulas.until(a, b),
        10 => formulas.release(a, b),
        _ => formulas.weak_until(a, b),
    }
}

/// Whether the automaton has a run on the word.
fn accepts(automaton: &Automaton<'_, u32>, word: &[u32], loop_start: usize) -> bool {
    let mut nodes = vec![(0, automaton.start())];
    let mut known: HashMap<_, usize> = HashMap::default();
    known.insert(nodes[0].clone(), 0);
    let mut graph: Vec<Vec<Arc>> = vec![];
    while let Some((at, due)) = nodes.get(graph.len()).cloned() {
        let next = if at + 1 == word.len() { loop_start } else { at + 1 };
        let mut arcs = vec![];
        for step in automaton.steps(&due) {
            if step.literals.iter().all(|&(a, value)| (word[at] >> a & 1 == 1) == value) {
                let node = (next, step.next);
                let to = *known.entry(node.clone()).or_insert_with(|| {
                    nodes.push(node);
                    nodes.len() - 1
                });
                arcs.push(Arc { to, marks: Marks::from(step.marks) });
            }
        }
        graph.push(arcs);
    }
    let often = Marks::from(automaton.marks());
    fair_lasso(&graph, &Requirement { often, pairs: vec![] }).is_some()
}

#[test]
fn automata_accept_what_formulas_mean() {
    let mut counts = [0; 2];
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let mut formulas = Formulas::default();
        let depth = 1 + rng.below(4) as u32;
        let root = random_formula(&mut rng, &mut formulas, depth);
        let negation = formulas.normal(root, true);
        let same = formulas.normal(root, false);
        let length = 1 + rng.below(5);
        let word: Vec<u32> = (0..length).map(|_| rng.below(8) as u32).collect();
        let loop_start = rng.below(length);
        let atom = |a: u32, k: usize| word[k] >> a & 1 == 1;
        let holds = |f| formulas.holds(f, length, loop_start, &atom);
        assert_eq!(holds(root), holds(same), "seed {seed}");
        assert_ne!(holds(root), holds(negation), "seed {seed}");
        for f in [same, negation] {
            let Some(automaton) = Automaton::new(&formulas, f) else { continue };
            let found = accepts(&automaton, &word, loop_start);
            assert_eq!(found, holds(f), "seed {seed}: {word:?} from {loop_start}");
            counts[usize::from(found)] += 1;
        }
    }
    assert!(counts.iter().all(|&n| n > 1000), "{counts:?}");
}

#[test]
fn operators_mean_what_they_should() {
    let mut f = Formulas::default();
    let (p, q) = (f.atom(0), f.atom(1));
    let cases = [
        (f.until(p, q), "p p q | -", true),
        (f.until(p, q), "p - q | -", false),
        (f.until(p, q), "p | p", false),
        (f.weak_until(p, q), "p | p", true),
        (f.weak_until(p, q), "p - | p", false),
        (f.release(p, q), "q q pq | -", true),
        (f.release(p, q), "q q p | -", false),
        (f.release(p, q), "q | q", true),
        (f.finally(p), "- - | - p", true),
        (f.finally(p), "- | -", false),
        (f.globally(p), "p | p", true),
        (f.globally(p), "p | p -", false),
        (f.next(p), "- p | -", true),
        (f.next(p), "p | - p", false),
        (f.equal(p, q), "- | -", true),
        (f.equal(p, q), "p | -", false),
        (f.implies(p, q), "p | pq", false),
    ];
    for (formula, text, expected) in cases {
        let letters: Vec<&str> = text.split_whitespace().filter(|&l| l != "|").collect();
        let start = text.split_whitespace().position(|l| l == "|").expect("a loop");
        let atom = |a: u32, k: usize| letters[k].contains(["p", "q"][a as usize]);
        assert_eq!(f.holds(formula, letters.len(), start, &atom), expected, "{text}");
    }
}

/// All cycles of small graphs, one by one.
#[test]
fn fair_lassos_are_found_and_fair() {
    let mut counts = [0; 2];
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let size = 1 + rng.below(5);
        let graph = reachable_graph(&mut rng, size);
        let mut requirement = Requirement { often: rng.below(4) as Marks, pairs: vec![] };
        for _ in 0..rng.below(3) {
            requirement.pairs.push((1 << rng.below(4), 1 << rng.below(4)));
        }
        let found = fair_lasso(&graph, &requirement);
        assert_eq!(found.is_some(), some_fair_set(&graph, &requirement), "seed {seed}");
        counts[usize::from(found.is_some())] += 1;
        let Some((stem, cycle)) = found else { continue };
        let mut at = 0;
        for &(node, k) in stem.iter().chain(&cycle) {
            assert_eq!(node, at, "seed {seed}: the way is connected");
            at = graph[node][k].to;
        }
        assert_eq!(Some(at), cycle.first().map(|c| c.0), "seed {seed}: the cycle closes");
        let seen = cycle.iter().fold(0, |seen, &(n, k)| seen | graph[n][k].marks);
        assert!(meets(seen, &requirement), "seed {seed}");
    }
    assert!(counts.iter().all(|&n| n > 300), "{counts:?}");
}

fn meets(seen: Marks, requirement: &Requirement) -> bool {
    seen & requirement.often == requirement.often
        && requirement.pairs.iter().all(|(a, b)| seen & a == 0 || seen & b != 0)
}

/// A graph whose nodes are all reachable from node 0.
fn reachable_graph(rng: &mut Rng, size: usize) -> Vec<Vec<Arc>> {
    let mut graph = vec![vec![]; size];
    for to in 1..size {
        let from = rng.below(to);
        graph[from].push(Arc { to, marks: rng.below(16) as Marks });
    }
    for _ in 0..rng.below(5) {
        let (from, to) = (rng.below(size), rng.below(size));
        graph[from].push(Arc { to, marks: rng.below(16) as Marks });
    }
    graph
}

/// Whether some set of arcs that is strongly connected sees what it must.
fn some_fair_set(graph: &[Vec<Arc>], requirement: &Requirement) -> bool {
    let arcs: Vec<(usize, Arc)> =
        graph.iter().enumerate().flat_map(|(n, list)| list.iter().map(move |&a| (n, a))).collect();
    (1u32..1 << arcs.len()).any(|set| {
        let chosen: Vec<_> =
            arcs.iter().enumerate().filter(|(k, _)| set >> k & 1 == 1).map(|(_, a)| *a).collect();
        let seen = chosen.iter().fold(0, |seen, (_, a)| seen | a.marks);
        meets(seen, requirement) && strongly_connected(&chosen, graph.len())
    })
}

fn strongly_connected(arcs: &[(usize, Arc)], size: usize) -> bool {
    let mut reaches = vec![vec![false; size]; size];
    arcs.iter().for_each(|(from, arc)| reaches[*from][arc.to] = true);
    for via in 0..size {
        for a in 0..size {
            for b in 0..size {
                reaches[a][b] |= reaches[a][via] && reaches[via][b];
            }
        }
    }
    arcs.iter().all(|(_, a)| arcs.iter().all(|(from, _)| reaches[a.to][*from]))
}
